"""What can happen to the target: damage, suppression, immobilisation, elimination, falling back (MR 13.3).

On a board a unit falls back hex by hex. Each hex is farther from the enemy than the one before.
"""

from functools import lru_cache
from typing import NamedTuple

from grognard.board.hexes import Direction, distance, squared_distance, step
from grognard.board.tiles import Size, Tile, is_inside
from grognard.core.errors import TooLarge
from grognard.systems.assault.data import tables, terrain
from grognard.systems.assault.facts import profile
from grognard.systems.assault.figures import Kind
from grognard.systems.assault.setup import Setup
from grognard.systems.assault.state import Condition, Status

MOST_HEXES = 200_000
"""The largest number of hexes that are searched for a way."""


def inflict_damage(setup: Setup, target: Condition, points: int) -> Condition:
    """The target after this much damage. Damage equal to its strength eliminates it."""
    if not points:
        return target
    if target.damage + points >= profile(setup, setup.target).strength:
        return eliminate(setup, target)
    return target._replace(damage=target.damage + points)


def eliminate(setup: Setup, target: Condition) -> Condition:
    return target._replace(damage=profile(setup, setup.target).strength, status=Status.ELIMINATED, at=None)


def suppress(setup: Setup, target: Condition) -> Condition:
    """The target after a Suppression. If it is suppressed or falling back, or was delayed, it falls back instead."""
    if target.status is Status.NONE and not setup.target.delayed:
        return target._replace(status=Status.SUPPRESSED)
    return force_back(setup, target)


def force_back(setup: Setup, target: Condition) -> Condition:
    """The target when it must fall back. It is eliminated if it cannot move, or falls back a second time."""
    kind = profile(setup, setup.target).kind
    if target.status is Status.FALLBACK or kind is Kind.ARTILLERY or target.immobilized:
        return eliminate(setup, target)
    return target._replace(status=Status.FALLBACK)


def immobilize(setup: Setup, target: Condition) -> Condition:
    """The target when it can move no more. It is eliminated if it was immobilised before."""
    return eliminate(setup, target) if target.immobilized else target._replace(immobilized=True)


class FallbackField(NamedTuple):
    """What a way back depends on: the enemy's hex, the size of the board, and the blocked hexes."""

    enemy: Tile
    size: Size
    blocked: frozenset[Tile]

    def directions(self, tile: Tile) -> list[tuple[Direction, Tile]]:
        """The adjacent hexes that are farther from the enemy, on or off the board, in the order of directions."""
        here = distance(self.enemy, tile)
        around = ((direction, step(tile, direction)) for direction in Direction)
        return [(direction, other) for direction, other in around if distance(self.enemy, other) > here]

    def straightest(self, tile: Tile) -> list[tuple[Direction, Tile]]:
        """The same, sorted by the distance of their centres from the enemy's, farthest first."""
        return sorted(self.directions(tile), key=lambda one: -squared_distance(self.enemy, one[1]))

    def is_free(self, tile: Tile) -> bool:
        """Whether a hex can be entered."""
        return is_inside(tile, self.size) and tile not in self.blocked

    def room(self, tile: Tile) -> int:
        """The length of the longest way from here if no hex were blocked."""
        (columns, rows), (column, row) = self.size, tile
        halves = 2 * column + row % 2  # on all hexes of the board from 2 to 2 * columns + 1
        east, west, north, south = 2 * columns + 1 - halves, halves - 2, row - 1, rows - row
        rooms = {
            Direction.NORTHEAST: _sideways(east, north),
            Direction.EAST: _sideways(east, south),
            Direction.SOUTHEAST: south,
            Direction.SOUTHWEST: _sideways(west, south),
            Direction.WEST: _sideways(west, north),
            Direction.NORTHWEST: north,
        }
        farther = [direction for direction, _ in self.directions(tile)]
        pairs = zip(rooms.items(), [*Direction, Direction.NORTHEAST][1:], strict=True)
        return max(room for (direction, room), clockwise in pairs if direction in farther and clockwise in farther)


def _sideways(halves: int, rows: int) -> int:
    """The most steps, each of half a hex and a row or of a whole hex, within these halves and rows."""
    diagonal = min(halves, rows)
    return diagonal + (halves - diagonal) // 2


def fallback_field(setup: Setup) -> FallbackField | None:
    """What the target's way back depends on, if it and the attacker are on a board."""
    board, enemy, target = setup.board, setup.attacker.at, setup.target
    if not (board and enemy and target.at):
        return None
    enemies = {unit.at for unit in setup.units if unit.at and unit.side != target.side}
    walls = {tile for tile, place in setup.hexes_by_tile.items() if terrain(setup, place.terrain).impassable}
    return FallbackField(enemy, board.size, frozenset(enemies | walls))


def fallback_hexes(setup: Setup) -> int:
    """How many hexes the target must fall back: its base move and one more."""
    move = profile(setup, setup.target).move
    if move is None:
        default = tables(setup).move
        assert default
        move = default.number
    return move + 1


@lru_cache(maxsize=4)
def fallback_end(field: FallbackField, start: Tile, hexes: int) -> tuple[Tile, int]:
    """Where the way back ends, and its length in hexes, at most `hexes`.

    It is one of the longest ways, and at each step as straight away from the enemy as possible.
    """
    if is_open(field, start, hexes):
        length = min(hexes, field.room(start))
        return _end_in_the_open(field, start, length), length
    length = longest_way(field, start, hexes)
    return straightest_way(field, start, length)[-1], length


def is_open(field: FallbackField, start: Tile, hexes: int) -> bool:
    """Whether no blocked hex lies on any way back."""
    here = distance(field.enemy, start)
    far = ((distance(start, tile), distance(field.enemy, tile)) for tile in field.blocked)
    return not any(away <= hexes and away + here == from_enemy for away, from_enemy in far)


def _end_in_the_open(field: FallbackField, start: Tile, hexes: int) -> Tile:
    """Where a way of this length ends if only the edges of the board block it."""
    tile = start
    while hexes:
        is_lasting = True
        for direction, other in field.straightest(tile):
            if is_inside(other, field.size) and field.room(other) >= hexes - 1:
                leap = _longest_leap(field, tile, direction, hexes) if is_lasting else 1
                tile, hexes = step(tile, direction, leap), hexes - leap
                break
            # a hex with too little room has too little farther on; one off the board may soon be on it again
            is_lasting = is_lasting and is_inside(other, field.size)
    return tile


def _longest_leap(field: FallbackField, tile: Tile, direction: Direction, hexes: int) -> int:
    """How many hexes the way can keep one direction and still leave room for the rest."""
    low, high = 1, hexes
    while low < high:
        middle = (low + high + 1) // 2
        end = step(tile, direction, middle)
        if is_inside(end, field.size) and field.room(end) >= hexes - middle:
            low = middle
        else:
            high = middle - 1
    return low


def longest_way(field: FallbackField, start: Tile, hexes: int) -> int:
    """The length of the longest way in hexes, up to a maximum."""
    most = min(hexes, field.room(start))
    if straightest_way(field, start, most):
        return most
    layer, depth, searched = {start}, 0, 0
    while layer := {other for tile in layer for _, other in field.directions(tile) if field.is_free(other)}:
        depth, searched = depth + 1, searched + len(layer)
        _check(searched)
    return min(depth, most)


def straightest_way(field: FallbackField, start: Tile, hexes: int) -> list[Tile]:
    """The straightest way of exactly this length in hexes, with its start; empty if there is none.

    A depth-first search that tries the straightest hexes first, and none twice.
    """
    path, ahead, dead = [start], [iter(field.straightest(start))], set[Tile]()
    while path and len(path) <= hexes:
        needed = hexes - len(path)
        hopeful = (tile for _, tile in ahead[-1] if tile not in dead and field.is_free(tile))
        tile = next((tile for tile in hopeful if field.room(tile) >= needed), None)
        if tile is None:
            dead.add(path.pop())
            ahead.pop()
            _check(len(dead))
        else:
            path.append(tile)
            ahead.append(iter(field.straightest(tile)))
    return path


def next_hexes(field: FallbackField, start: Tile, hexes: int) -> list[tuple[Direction, Tile]]:
    """The first hexes of all longest ways, up to this length."""
    length = longest_way(field, start, hexes)
    free = ((direction, tile) for direction, tile in field.directions(start) if field.is_free(tile))
    return [(direction, tile) for direction, tile in free if straightest_way(field, tile, length - 1)]


def _check(searched: int) -> None:
    if searched > MOST_HEXES:
        raise TooLarge("too many hexes to search for a way back", searched, MOST_HEXES, advice="")
