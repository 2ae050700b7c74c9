"""What makes an attack impossible although every field of the file is right."""

import re
from collections.abc import Iterator

from grognard.board.tiles import Tile, inside
from grognard.core.errors import Fault, no_such
from grognard.systems.tower.ground import direction, directions, distance, reaches
from grognard.systems.tower.setup import Setup


def faults(setup: Setup) -> Iterator[Fault]:
    """Everything that is wrong, in the file's order."""
    yield from _capitals(setup)
    yield from _units(setup)
    yield from _attack(setup)


def _capitals(setup: Setup) -> Iterator[Fault]:
    for side, tile in setup.board.capitals.items():
        if not inside(tile, setup.board.size):
            key = side if re.fullmatch("[A-Za-z0-9_-]+", side) else f'"{side}"'
            yield Fault(f"board.capitals.{key}", _off_the_board(setup, tile))


def _units(setup: Setup) -> Iterator[Fault]:
    ids, tiles = set[str](), dict[Tile, str]()
    for number, unit in enumerate(setup.units):
        place = f"units[{number}]"
        if unit.id in ids:
            yield Fault(f"{place}.id", f'"{unit.id}" is taken: every unit needs an id of its own')
        if not inside(unit.at, setup.board.size):
            yield Fault(f"{place}.at", _off_the_board(setup, unit.at))
        elif unit.at in tiles:
            yield Fault(f"{place}.at", f'"{tiles[unit.at]}" is on {list(unit.at)} already: one unit on a tile')
        if unit.unhurt < unit.health:
            yield Fault(f"{place}.full_health", f"found {unit.unhurt}, which is below its health, {unit.health}")
        ids.add(unit.id)
        tiles.setdefault(unit.at, unit.id)


def _off_the_board(setup: Setup, tile: Tile) -> str:
    columns, rows = setup.board.size
    return f"{list(tile)} is off the board, which has columns 1 to {columns} and rows 1 to {rows}"


def _attack(setup: Setup) -> Iterator[Fault]:
    ids = [unit.id for unit in setup.units]
    unknown = [(key, name) for key, name in (("by", setup.attack.by), ("on", setup.attack.on)) if name not in ids]
    yield from (Fault(f"attack.{key}", no_such("unit", name, ids)) for key, name in unknown)
    if not unknown:
        yield from _primary_units(setup)
    yield from _direction(setup, is_known=not unknown)


def _primary_units(setup: Setup) -> Iterator[Fault]:
    attacker, target = setup.attacker, setup.defender
    if attacker.attacked:
        yield Fault("attack.by", f"{attacker.id} has attacked, or reinforced an attack, this turn already")
    if attacker.side == target.side:
        whom = "itself" if attacker is target else f"{target.id}, which is on its own side, {target.side}"
        yield Fault("attack.on", f"{attacker.id} cannot attack {whom}: expected an enemy")
    elif not reaches(setup, attacker, attacker.at, target.at):
        away, furthest = distance(setup, attacker.at, target.at), attacker.range + 1
        reach = f"a Range of {attacker.range} reaches no further than {furthest}"
        yield Fault("attack.on", f"{target.id} is {away} tiles away, and {reach}")


def _direction(setup: Setup, *, is_known: bool) -> Iterator[Fault]:
    named, known = setup.attack.direction, directions(setup)
    listed = ", ".join(f'"{way}"' for way in known)
    if named is not None and named not in known:
        yield Fault("attack.direction", f'found "{named}", but the board has {setup.rules.board}: expected {listed}')
    if named is None and is_known and setup.attacker.at != setup.defender.at and direction(setup) is None:
        way = f"no way from {setup.attack.by} to {setup.attack.on} is the longer one"
        yield Fault("attack.direction", f"is missing: {way}, so the attacker's movement must be named: {listed}")
