"""What makes an attack impossible although every field of the file is right."""

from collections.abc import Iterator

from grognard.board.tiles import Tile, inside
from grognard.core.errors import Fault, no_such
from grognard.systems.assault.attack_faults import attack_faults
from grognard.systems.assault.data import (
    find_card,
    find_effect,
    find_terrain,
    names_of,
    shipped_cards,
    shipped_command_cards,
    shipped_terrain,
)
from grognard.systems.assault.figure_faults import figure_faults
from grognard.systems.assault.profile import own, profile
from grognard.systems.assault.setup import HeldCard, Setup, Unit


def faults(setup: Setup) -> Iterator[Fault]:
    """Everything that is wrong; the attack is looked at only if the units and all figures are right."""
    found = [*figure_faults(setup), *_units(setup), *_board(setup), *_command_cards(setup), *_names(setup)]
    yield from found
    if not found:
        yield from attack_faults(setup)


def _units(setup: Setup) -> Iterator[Fault]:
    ids: dict[str, int] = {}
    first: dict[Tile, Unit] = {}
    for number, unit in enumerate(setup.units):
        place = f"units[{number}]"
        if unit.id in ids:
            yield Fault(f"{place}.id", f'"{unit.id}" is already the id of units[{ids[unit.id]}]')
        ids.setdefault(unit.id, number)
        yield from _card(setup, unit, place)
        yield from _tile(setup, unit, place)
        if unit.at is not None and first.setdefault(unit.at, unit).side != unit.side:
            there = f"{first[unit.at].id}, an enemy, is on {list(unit.at)} already"
            yield Fault(f"{place}.at", f"{there}: close combat is not covered yet")


def _card(setup: Setup, unit: Unit, place: str) -> Iterator[Fault]:
    """A unit has a card, or says itself what it is; and its marks fit."""
    card = find_card(setup, unit.card) if unit.card is not None else None
    if unit.card is not None and card is None:
        yield Fault(f"{place}.card", no_such("card", unit.card, names_of(setup.cards, shipped_cards())))
        return
    missing = [key for key in ("kind", "strength") if card is None and getattr(unit, key) is None]
    yield from (Fault(f"{place}.{key}", "is missing: a unit without a card needs it") for key in missing)
    if missing:
        return
    it = profile(setup, unit)
    if unit.damage >= it.strength:
        yield Fault(f"{place}.damage", f"found {unit.damage}, expected less than its strength, {it.strength}")
    half = own(unit.half, it.card.half)
    if half is not None and half > it.strength:
        yield Fault(f"{place}.half", f"found {half}, expected no more than its strength, {it.strength}")
    if unit.immobilized and not it.is_vehicle:
        yield Fault(f"{place}.immobilized", f"only a vehicle can be immobilized, and this is {it.kind}")


def _tile(setup: Setup, unit: Unit, place: str) -> Iterator[Fault]:
    if unit.at is None:
        return
    if setup.board is None:
        yield Fault(f"{place}.at", "is a hex, but there is no [board] with a size")
    elif not inside(unit.at, setup.board.size):
        yield Fault(f"{place}.at", _off_the_board(setup, unit.at))


def _board(setup: Setup) -> Iterator[Fault]:
    seen: set[Tile] = set()
    for number, there in enumerate(setup.board.hexes if setup.board else ()):
        place = f"board.hexes[{number}]"
        if setup.board and not inside(there.at, setup.board.size):
            yield Fault(f"{place}.at", _off_the_board(setup, there.at))
        if there.at in seen:
            yield Fault(f"{place}.at", f"{list(there.at)} is already described")
        seen.add(there.at)
        if find_terrain(setup, there.terrain) is None:
            yield Fault(f"{place}.terrain", _unknown_terrain(setup, there.terrain))


def _off_the_board(setup: Setup, tile: Tile) -> str:
    assert setup.board
    columns, rows = setup.board.size
    return f"{list(tile)} is off the board, which has columns 1 to {columns} and rows 1 to {rows}"


def _command_cards(setup: Setup) -> Iterator[Fault]:
    sides = list(dict.fromkeys(unit.side for unit in setup.units))
    for number, held in enumerate(setup.command_cards):
        place = f"command_cards[{number}]"
        if held.side not in sides:
            yield Fault(f"{place}.side", no_such("side", held.side, sides))
        yield from _held(setup, held, place)
    for side in setup.command_points:
        if side not in sides:
            yield Fault("command_points", no_such("side", side, sides))


def _held(setup: Setup, held: HeldCard, place: str) -> Iterator[Fault]:
    if (held.card is None) == (held.effect is None):
        yield Fault(place, "expected the name of a `card`, or an `effect` written out: one of the two")
    elif held.card is not None and find_effect(setup, held) is None:
        names = names_of(setup.command_card_data, shipped_command_cards())
        yield Fault(f"{place}.card", no_such("command card", held.card, names))


def _names(setup: Setup) -> Iterator[Fault]:
    """The units and the terrain that the attack names are known."""
    attack, ids = setup.attack, [unit.id for unit in setup.units]
    for key, name in (("by", attack.by), ("on", attack.on), ("joint", attack.joint)):
        if name is not None and name not in ids:
            yield Fault(f"attack.{key}", no_such("unit", name, ids))
    if attack.terrain is not None and find_terrain(setup, attack.terrain) is None:
        yield Fault("attack.terrain", _unknown_terrain(setup, attack.terrain))


def _unknown_terrain(setup: Setup, name: str) -> str:
    return no_such("terrain", name, names_of(setup.terrain_data, shipped_terrain()))
