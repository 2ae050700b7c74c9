"""What makes a battle illegal although each field of the file is right."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from grognard.board.hexes import distance
from grognard.board.tiles import Tile, is_inside
from grognard.core.errors import Fault, no_such_name
from grognard.core.fields import LARGEST
from grognard.core.turns import (
    ListedAttack,
    attack_or_turn_faults,
    duplicate_id_faults,
    listed_id_faults,
    listed_ids,
    turn_faults,
)
from grognard.readings.symbols import STRONG_TO_WEAK
from grognard.systems.assault.data import (
    find_card,
    find_effect,
    find_terrain,
    names_of,
    shipped_cards,
    shipped_command_cards,
    shipped_terrain,
)
from grognard.systems.assault.facts import (
    Band,
    facts,
    is_in_arc,
    joint_range,
    joint_sight,
    needs_spotting,
    own_or_card,
    profile,
    range_to,
    sight_to,
)
from grognard.systems.assault.figures import (
    BY_LETTER,
    Areas,
    Colour,
    Effect,
    Faces,
    Kind,
    PoolName,
    Terrain,
    parse_band,
)
from grognard.systems.assault.setup import Attack, Fire, HeldCard, Setup, Shot, Turn, Unit

BAND = re.compile(r"\d{1,7}([-–]\d{1,7})?")
ROWS = ("v_infantry", "v_armour", "v_indirect")
DICE = ("dice", "gains", "loses", "normal", "fast_vehicle", "unspotted", "unspotted_vehicle")
"""The keys, wherever they are, whose text is dice; `defense` and the kinds of units may also be a table of areas."""


def faults(setup: Setup) -> Iterator[Fault]:
    """All faults; the attack is checked only if the units and all figures are right."""
    wrong = [*_table_faults(setup, ""), *_unit_faults(setup), *_board_faults(setup), *_command_card_faults(setup)]
    wrong += attack_or_turn_faults(setup)
    if setup.turn:
        wrong += _turn_faults(setup, setup.turn)
    elif setup.attack:
        wrong += _name_faults(setup, setup.attack, "attack")
    yield from wrong
    if setup.attack and not wrong:
        yield from attack_faults(setup)


def _unit_faults(setup: Setup) -> Iterator[Fault]:
    yield from duplicate_id_faults("units", [unit.id for unit in setup.units])
    first: dict[Tile, Unit] = {}
    for number, unit in enumerate(setup.units):
        place = f"units[{number}]"
        yield from _card_faults(setup, unit, place)
        yield from _tile_faults(setup, unit, place)
        if unit.at is not None and first.setdefault(unit.at, unit).side != unit.side:
            there = f"{first[unit.at].id}, an enemy, is on {list(unit.at)} already"
            yield Fault(f"{place}.at", f"{there}: close combat is not implemented")


def _card_faults(setup: Setup, unit: Unit, place: str) -> Iterator[Fault]:
    """A unit has a card, or its own kind and strength; its numbers and marks fit them."""
    card = find_card(setup, unit.card) if unit.card is not None else None
    if unit.card is not None and card is None:
        yield Fault(
            f"{place}.card", no_such_name("card", unit.card, names_of(setup.cards, shipped_cards())), "unknown_name"
        )
        return
    missing = [key for key in ("kind", "strength") if card is None and getattr(unit, key) is None]
    yield from (Fault(f"{place}.{key}", "is missing: a unit without a card needs it", "missing") for key in missing)
    if missing:
        return
    profiled = profile(setup, unit)
    if unit.damage >= profiled.strength:
        yield Fault(f"{place}.damage", f"found {unit.damage}, expected less than its strength, {profiled.strength}")
    half = own_or_card(unit.half, profiled.card.half)
    if half is not None and half > profiled.strength:
        yield Fault(f"{place}.half", f"found {half}, expected no more than its strength, {profiled.strength}")
    if unit.immobilized and not profiled.is_vehicle:
        yield Fault(f"{place}.immobilized", f"only a vehicle can be immobilized, and this is {profiled.kind}")


def _tile_faults(setup: Setup, unit: Unit, place: str) -> Iterator[Fault]:
    if unit.at is None:
        return
    if setup.board is None:
        yield Fault(f"{place}.at", "is a hex, but there is no [board] with a size")
    elif not is_inside(unit.at, setup.board.size):
        yield Fault(f"{place}.at", _off_the_board(setup, unit.at))


def _board_faults(setup: Setup) -> Iterator[Fault]:
    seen: set[Tile] = set()
    for number, there in enumerate(setup.board.hexes if setup.board else ()):
        place = f"board.hexes[{number}]"
        if setup.board and not is_inside(there.at, setup.board.size):
            yield Fault(f"{place}.at", _off_the_board(setup, there.at))
        if there.at in seen:
            yield Fault(f"{place}.at", f"{list(there.at)} is already described")
        seen.add(there.at)
        if find_terrain(setup, there.terrain) is None:
            yield Fault(f"{place}.terrain", _unknown_terrain(setup, there.terrain), "unknown_name")


def _off_the_board(setup: Setup, tile: Tile) -> str:
    assert setup.board
    columns, rows = setup.board.size
    return f"{list(tile)} is off the board, which has columns 1 to {columns} and rows 1 to {rows}"


def _command_card_faults(setup: Setup) -> Iterator[Fault]:
    sides = list(dict.fromkeys(unit.side for unit in setup.units))
    for number, held in enumerate(setup.command_cards):
        place = f"command_cards[{number}]"
        if held.side not in sides:
            yield Fault(f"{place}.side", no_such_name("side", held.side, sides), "unknown_name")
        yield from _held_card_faults(setup, held, place)
    for key in ("command_points", "command_points_per_turn"):
        unknown = (side for side in getattr(setup, key) if side not in sides)
        yield from (Fault(key, no_such_name("side", side, sides), "unknown_name") for side in unknown)


def _held_card_faults(setup: Setup, held: HeldCard, place: str) -> Iterator[Fault]:
    if (held.card is None) == (held.effect is None):
        yield Fault(place, "expected the name of a `card`, or an `effect` written out: one of the two")
    elif held.card is not None and find_effect(setup, held) is None:
        names = names_of(setup.command_card_data, shipped_command_cards())
        yield Fault(f"{place}.card", no_such_name("command card", held.card, names), "unknown_name")


def _turn_faults(setup: Setup, turn: Turn) -> Iterator[Fault]:
    """Side and target exist; listed attacks are by that side, on enemies, and have unique ids."""
    yield from turn_faults(setup, is_listed=bool(turn.shots) or setup.board is None)
    wrong = False
    for number, shot in enumerate(turn.shots):
        faults = list(_shot_faults(setup, turn, shot, f"turn.shots[{number}]"))
        wrong = wrong or bool(faults)
        yield from faults
    if not wrong:
        yield from listed_id_faults(shot_ids(setup))


def _shot_faults(setup: Setup, turn: Turn, shot: Shot, place: str) -> Iterator[Fault]:
    """The faults that nothing in the turn can change. Others only make an attack impossible for now."""
    unknown = list(_name_faults(setup, shot, place))
    yield from unknown
    if unknown:
        return
    by, on = setup.unit(shot.by), setup.unit(shot.on)
    if by.side != turn.side:
        yield Fault(f"{place}.by", f"{by.id} is {by.side}, but this is the turn of {turn.side}")
    elif on.side == turn.side:
        yield Fault(f"{place}.on", f"{on.id} is no enemy: both units are {turn.side}")
    is_placed = setup.board and by.at and on.at
    if shot.range is None and not is_placed and (shot.dice is None or shot.defense is None):
        yield _missing_range(place)


def shot_ids(setup: Setup) -> list[str]:
    """The ids of the attacks that a turn lists."""
    shots = setup.turn.shots if setup.turn else ()
    return listed_ids([ListedAttack(shot.id, shot.by, shot.on, _range_of(setup, shot)) for shot in shots])


def _range_of(setup: Setup, shot: Shot) -> int | None:
    by, on = setup.unit(shot.by).at, setup.unit(shot.on).at
    return distance(by, on) if shot.range is None and setup.board and by and on else shot.range


def _name_faults(setup: Setup, attack: Attack, place: str) -> Iterator[Fault]:
    """The units and the terrain that an attack names are known."""
    ids = [unit.id for unit in setup.units]
    for key, name in (("by", attack.by), ("on", attack.on), ("joint", attack.joint)):
        if name is not None and name not in setup.units_by_id:
            yield Fault(f"{place}.{key}", no_such_name("unit", name, ids), "unknown_name")
    if attack.terrain is not None and find_terrain(setup, attack.terrain) is None:
        yield Fault(f"{place}.terrain", _unknown_terrain(setup, attack.terrain), "unknown_name")


def _unknown_terrain(setup: Setup, name: str) -> str:
    return no_such_name("terrain", name, names_of(setup.terrain_data, shipped_terrain()))


def attack_faults(setup: Setup) -> Iterator[Fault]:
    """The attack is on an enemy in range and sight, with a fire status that the attacker can have."""
    attacker, target = setup.attacker, setup.target
    if attacker is target:
        yield Fault("attack.on", f"{target.id} cannot fire on itself")
        return
    if attacker.side == target.side:
        yield Fault("attack.on", f"{target.id} is no enemy: both units are {attacker.side}")
    if attacker.activated:
        yield Fault("attack.by", f"{attacker.id} was already activated this turn")
    if setup.command_points.get(attacker.side) == 0:
        yield Fault(f"command_points.{attacker.side}", f"there is none left to activate {attacker.id}")
    out_of_range = list(_range_faults(setup))
    yield from out_of_range
    yield from _sight_faults(setup)
    yield from _fire_status_faults(setup)
    if not out_of_range:
        yield from _spotting_faults(setup)
        yield from _joint_fire_faults(setup)


def _range_faults(setup: Setup) -> Iterator[Fault]:
    """The range is known, and the card has dice for it."""
    attack, attacker = setup.declared, setup.attacker
    hexes = range_to(setup, attacker, attack.range)
    if hexes is None:
        if attack.dice is None or attack.defense is None:
            yield _missing_range("attack")
    else:
        yield from _band_faults(setup, attacker, hexes, "attack.range", needs_dice=attack.dice is None)


def _missing_range(place: str) -> Fault:
    message = "is missing: expected the hexes between the two, or both units `at` on a board"
    return Fault(f"{place}.range", message, "missing")


def _band_faults(setup: Setup, unit: Unit, hexes: int, place: str, *, needs_dice: bool) -> Iterator[Fault]:
    """The unit has dice for this target at this range."""
    target, is_indirect = profile(setup, setup.target), setup.declared.fire is Fire.INDIRECT and unit is setup.attacker
    bands = profile(setup, unit).bands(target, is_indirect)
    if not bands and needs_dice:
        what = (
            "in indirect fire" if is_indirect else "against armour" if target.is_armoured else "against such a target"
        )
        row = "v_indirect" if is_indirect else "v_armour" if target.is_armoured else "v_infantry"
        why = f"it needs a card with such dice, or `{row}`, or the attack's `dice` gathered by hand"
        owner = "attack.by" if unit is setup.attacker else place
        yield Fault(owner, f"{unit.id} has no dice {what}: {why}")
    elif bands and not any(hexes in band.ranges for band in bands):
        yield Fault(place, f"{setup.declared.on} is {hexes} hexes from {unit.id}, whose dice reach {_reach(bands)}")


def _reach(bands: list[Band]) -> str:
    ends = [(band.ranges[0], band.ranges[-1]) for band in bands]
    return ", ".join(f"{near}–{far}" if far > near else str(near) for near, far in ends)


def _sight_faults(setup: Setup) -> Iterator[Fault]:
    if setup.declared.fire is Fire.INDIRECT:
        return
    sight = sight_to(setup, setup.attacker, setup.declared.hindering)
    if sight.is_blocked:
        hindered = f": {sight.hindering} hexes hinder it, and more than 2 block it" if sight.hindering > 2 else ""
        place = "attack.on" if setup.declared.hindering is None else "attack.hindering"
        yield Fault(place, f"the line of sight from {setup.declared.by} to {setup.declared.on} is blocked{hindered}")


def _fire_status_faults(setup: Setup) -> Iterator[Fault]:
    """The attacker can have its fire status: it can move if it must, and has a turret to fire out of its arc."""
    it, fire = profile(setup, setup.attacker), setup.declared.fire
    name, is_inside = setup.declared.by, is_in_arc(setup)
    if setup.attacker.immobilized and fire.is_moving:
        yield Fault("attack.fire", f'found "{fire}", but {name} is immobilized and cannot move')
    if it.kind is Kind.ARTILLERY and fire.is_moving:
        yield Fault("attack.fire", f'found "{fire}", but {name} is artillery, which cannot move and fire in one turn')
    if fire is Fire.TURRET_FIRING and not it.has_turret:
        yield Fault("attack.fire", f"{name} has no turret")
    elif fire is Fire.TURRET_FIRING and is_inside:
        yield Fault("attack.fire", f'the target is in the arc of fire: {name} is "firing", its turret is not turned')
    elif not is_inside and it.kind is Kind.INFANTRY:
        yield Fault("attack.in_arc", f"{name} is infantry, which fires all round")
    elif not is_inside and not it.has_turret:
        yield Fault("attack.on", f"{setup.declared.on} is out of the arc of fire, and {name} has no turret")
    elif not is_inside and fire is Fire.FIRING:
        yield Fault("attack.fire", f'the target is out of the arc of fire: expected "{Fire.TURRET_FIRING}"')


def _spotting_faults(setup: Setup) -> Iterator[Fault]:
    """A spotting roll needs the card's range bands."""
    attack = setup.declared
    if attack.spotted != "roll" or attack.dice is None or attack.defense is not None:
        return
    bands = profile(setup, setup.attacker).bands(profile(setup, setup.target), attack.fire is Fire.INDIRECT)
    if not bands and needs_spotting(setup, facts(setup)):
        why = f"{attack.by} has no range bands to tell what a spotting roll must show"
        yield Fault("attack.spotted", f"expected true or false: {why}")


def _joint_fire_faults(setup: Setup) -> Iterator[Fault]:
    """A unit that joins the fire is a friend, not activated, adjacent, and can fire on the target itself."""
    if setup.declared.joint is None:
        return
    friend, attacker, place = setup.unit(setup.declared.joint), setup.attacker, "attack.joint"
    if friend is attacker or friend.side != attacker.side:
        yield Fault(place, f"{friend.id} is no friend of {attacker.id}: expected another unit of {attacker.side}")
        return
    if setup.declared.fire is Fire.INDIRECT:
        yield Fault(place, "no unit can join indirect fire")
    if friend.activated or friend.fired_this_turn:
        yield Fault(place, f"{friend.id} was already activated this turn")
    if setup.board and friend.at and attacker.at and distance(friend.at, attacker.at) != 1:
        yield Fault(place, f"{friend.id} is not adjacent to {attacker.id}")
    if joint_sight(setup, friend).is_blocked:
        yield Fault(place, f"the line of sight from {friend.id} to {setup.declared.on} is blocked")
    hexes = joint_range(setup, friend)
    if hexes is not None:
        yield from _band_faults(setup, friend, hexes, place, needs_dice=setup.declared.dice is None)


def _key(place: str, key: str) -> str:
    """The place of a key; one that is no bare word is quoted."""
    name = key if re.fullmatch("[A-Za-z0-9_-]+", key) else f'"{key}"'
    return f"{place}.{name}" if place else name


def _table_faults(table: object, place: str) -> Iterator[Fault]:
    """The faults of a table and of the tables inside it."""
    if isinstance(table, Faces):
        yield from _face_faults(table, place)
    elif is_dataclass(table):
        for field in (field for field in fields(table) if field.init):
            yield from _value_faults(table, field.name, getattr(table, field.name), _key(place, field.name))


def _value_faults(table: object, name: str, value: object, place: str) -> Iterator[Fault]:
    if isinstance(value, Mapping) and name in ROWS:
        yield from _row_faults(value, place)
    elif isinstance(value, str):
        has_dice = name in DICE or name == "defense" or isinstance(table, Areas)
        if has_dice or (isinstance(table, Terrain) and name in set(Kind)):
            yield from _dice_faults(value, place)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _table_faults(inner, _key(place, key))
    elif isinstance(value, tuple):
        for number, inner in enumerate(value):
            yield from _table_faults(inner, f"{place}[{number}]")
    else:
        if isinstance(value, Effect):
            yield from _effect_faults(value, place)
        yield from _table_faults(value, place)


def _effect_faults(effect: Effect, place: str) -> Iterator[Fault]:
    if effect == Effect(pool=effect.pool):
        yield Fault(place, "does nothing: expected gains, loses, rerolls, x or cancels")
    for key in ("x", "cancels"):
        if getattr(effect, key) and effect.pool is PoolName.DEFENSE:
            yield Fault(f"{place}.{key}", 'is about attack symbols: expected pool = "attack"')


def _dice_faults(text: str, place: str) -> Iterator[Fault]:
    """Dice are written as letters."""
    if any(letter not in BY_LETTER for letter in text):
        known = ", ".join(f"{letter} {colour}" for letter, colour in BY_LETTER.items())
        yield Fault(place, f'found "{text}", expected dice by their letters, such as "RRY": {known}')


def _row_faults(row: Mapping[str, str], place: str) -> Iterator[Fault]:
    """Bands are ranges that do not overlap."""
    bands: list[tuple[range, str]] = []
    for band, dice in row.items():
        yield from _dice_faults(dice, _key(place, band))
        ranges = parse_band(band) if BAND.fullmatch(band) else range(0)
        if not ranges or ranges[-1] > LARGEST:
            message = f'found "{band}", expected a range such as "4", or "1-3" from the nearer to the farther'
            yield Fault(_key(place, band), message)
        else:
            bands.append((ranges, band))
    farthest, widest = -1, ""
    for ranges, band in sorted(bands, key=lambda entry: (entry[0].start, entry[0].stop)):
        if ranges[0] <= farthest:
            yield Fault(_key(place, band), f'overlaps with "{widest}"')
        if ranges[-1] > farthest:
            farthest, widest = ranges[-1], band


def _face_faults(faces: Faces, place: str) -> Iterator[Fault]:
    for colour in Colour:
        for number, face in enumerate(getattr(faces, colour)):
            if any(symbol not in STRONG_TO_WEAK for symbol in face):
                message = f'found "{face}", expected one or two of {", ".join(STRONG_TO_WEAK)}, or nothing'
                yield Fault(f"{_key(place, colour)}[{number}]", message)
