"""Distances and directions on the board; which attacks are possible in a state, and why others are illegal."""

import re
from collections.abc import Iterator

from grognard.board import hexes, squares
from grognard.board.tiles import Tile, is_inside, wrap
from grognard.core.errors import Fault, no_such_name
from grognard.core.systems import PossibleAttack
from grognard.core.turns import attack_or_turn_faults, duplicate_id_faults, turn_faults
from grognard.systems.tower.setup import Declared, Setup, State, first_state


def distance(setup: Setup, a: Tile, b: Tile) -> int:
    """The distance between two tiles in steps, never over the edge of the board."""
    return hexes.distance(a, b) if setup.rules.board == "hexes" else squares.orthogonal(a, b)


def reaches(setup: Setup, unit: int, tile: Tile, target: Tile) -> bool:
    """Whether a unit on a tile has the target in range. Range counts the tiles between: 0 is adjacent."""
    return distance(setup, tile, target) <= setup.units[unit].range + 1


def directions(setup: Setup) -> list[str]:
    """The directions of this board."""
    return [str(way) for way in (hexes.Direction if setup.rules.board == "hexes" else squares.Direction)]


def directions_to(setup: Setup, a: Tile, b: Tile) -> list[str]:
    """The direction from a to b, or the two that b lies between; on squares the one along the row comes first."""
    if setup.rules.board == "hexes":
        return [str(way) for way in hexes.directions(a, b)]
    if plain := squares.direction(a, b):
        return [str(plain)]
    along_row = squares.Direction.EAST if a[0] < b[0] else squares.Direction.WEST
    along_column = squares.Direction.SOUTH if a[1] < b[1] else squares.Direction.NORTH
    return [str(along_row), str(along_column)]


def next_tile(setup: Setup, direction: str, tile: Tile) -> Tile | None:
    """The next tile in a direction; None beyond the edge, unless the board wraps."""
    if setup.rules.board == "hexes":
        ahead = hexes.step(tile, hexes.Direction(direction))
    else:
        ahead = squares.step(tile, squares.Direction(direction))
    if setup.rules.off_the_board == "wraps":
        return wrap(ahead, setup.board.size)
    return ahead if is_inside(ahead, setup.board.size) else None


def attacks_of_turn(setup: Setup) -> Iterator[PossibleAttack]:
    """Every attack that the turn's side could ever declare: each of its units on each enemy."""
    bodies = len(setup.units)
    all_parts, pieces = range(2 * bodies), tuple(range(bodies, 2 * bodies))
    for by, unit in enumerate(setup.units):
        if unit.side != setup.side or unit.attacked:
            continue
        for on, other in enumerate(setup.units):
            if other.side != setup.side:
                name, involved = f"{unit.id} on {other.id}", tuple(dict.fromkeys((by, on, *all_parts)))
                yield PossibleAttack(name, unit.id, other.id, Declared(by, on), involved, involvement_depends_on=pieces)


def is_possible(setup: Setup, state: State, attack: Declared) -> bool:
    return next(primary_faults(setup, state, attack), None) is None


def declared(setup: Setup) -> Declared:
    attack = setup.declared
    return Declared(setup.number(attack.by), setup.number(attack.on), attack.direction)


def faults(setup: Setup) -> Iterator[Fault]:
    """All faults, in the file's order."""
    yield from capital_faults(setup)
    yield from unit_faults(setup)
    yield from attack_or_turn_faults(setup)
    if setup.turn:
        yield from turn_faults(setup)
    elif setup.attack:
        yield from declared_faults(setup)


def declared_faults(setup: Setup) -> Iterator[Fault]:
    """The attack names units of the file, and is legal."""
    ids = [unit.id for unit in setup.units]
    attack = setup.declared
    unknown = [(key, name) for key, name in (("by", attack.by), ("on", attack.on)) if name not in ids]
    yield from (Fault(f"attack.{key}", no_such_name("unit", name, ids), "unknown_name") for key, name in unknown)
    if not unknown:
        yield from primary_faults(setup, first_state(setup), declared(setup))
    yield from direction_faults(setup, is_known=not unknown)


def capital_faults(setup: Setup) -> Iterator[Fault]:
    """Capitals are on the board."""
    for side, tile in setup.board.capitals.items():
        if not is_inside(tile, setup.board.size):
            key = side if re.fullmatch("[A-Za-z0-9_-]+", side) else f'"{side}"'
            yield Fault(f"board.capitals.{key}", off_the_board(setup, tile))


def unit_faults(setup: Setup) -> Iterator[Fault]:
    """Ids and tiles are unique, tiles are on the board, and Health is at most full Health."""
    yield from duplicate_id_faults("units", [unit.id for unit in setup.units])
    tiles: dict[Tile, str] = {}
    for number, unit in enumerate(setup.units):
        place = f"units[{number}]"
        if not is_inside(unit.at, setup.board.size):
            yield Fault(f"{place}.at", off_the_board(setup, unit.at))
        elif unit.at in tiles:
            yield Fault(f"{place}.at", f'"{tiles[unit.at]}" is on {list(unit.at)} already: one unit on a tile')
        if unit.unhurt < unit.health:
            yield Fault(f"{place}.full_health", f"found {unit.unhurt}, which is below its health, {unit.health}")
        tiles.setdefault(unit.at, unit.id)


def off_the_board(setup: Setup, tile: Tile) -> str:
    """The message that a tile is off the board."""
    columns, rows = setup.board.size
    return f"{list(tile)} is off the board, which has columns 1 to {columns} and rows 1 to {rows}"


def primary_faults(setup: Setup, state: State, attack: Declared) -> Iterator[Fault]:
    """The attacker has not attacked this turn, and reaches the target, an enemy."""
    attacker, target = setup.units[attack.by], setup.units[attack.on]
    here, there = state.at[attack.by], state.at[attack.on]
    if attack.by in state.attacked:
        yield Fault("attack.by", f"{attacker.id} has attacked, or reinforced an attack, this turn already")
    if attacker.side == target.side:
        whom = "itself" if attacker is target else f"{target.id}, which is on its own side, {target.side}"
        yield Fault("attack.on", f"{attacker.id} cannot attack {whom}: expected an enemy")
    elif here is None or there is None:
        yield Fault("attack.on" if here else "attack.by", f"{(target if here else attacker).id} is dead")
    elif not reaches(setup, attack.by, here, there):
        away, furthest = distance(setup, here, there), attacker.range + 1
        reach = f"a Range of {attacker.range} reaches no further than {furthest}"
        yield Fault("attack.on", f"{target.id} is {away} tiles away, and {reach}")


def direction_faults(setup: Setup, *, is_known: bool) -> Iterator[Fault]:
    """A direction that the file names is one of this board; the file must name one if two are equally good."""
    attack = setup.declared
    named, known = attack.direction, directions(setup)
    listed = ", ".join(f'"{way}"' for way in known)
    if named is not None and named not in known:
        yield Fault("attack.direction", f'found "{named}", but the board has {setup.rules.board}: expected {listed}')
    if named is not None or not is_known:
        return
    here, there = (setup.units[setup.number(name)].at for name in (attack.by, attack.on))
    if here != there and len(directions_to(setup, here, there)) > 1:
        way = f"no way from {attack.by} to {attack.on} is the longer one"
        yield Fault("attack.direction", f"is missing: {way}, so the attacker's movement must be named: {listed}")
