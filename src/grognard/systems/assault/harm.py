"""What can happen to the target: damage, suppression, falling back, elimination (MR 13.3)."""

from dataclasses import replace

from grognard.board.hexes import distance, neighbours, offset
from grognard.board.tiles import Tile, inside
from grognard.systems.assault.data import find_terrain, tables
from grognard.systems.assault.figures import Kind
from grognard.systems.assault.profile import profile
from grognard.systems.assault.setup import Setup
from grognard.systems.assault.state import Condition, Status


def hurt(setup: Setup, target: Condition, points: int) -> Condition:
    """Damage; as much as the unit has strength eliminates it."""
    if not points:
        return target
    if target.damage + points >= profile(setup, setup.target).strength:
        return eliminated(setup, target)
    return replace(target, damage=target.damage + points)


def eliminated(setup: Setup, target: Condition) -> Condition:
    """The unit is gone."""
    return replace(target, damage=profile(setup, setup.target).strength, status=Status.ELIMINATED)


def suppressed(setup: Setup, target: Condition) -> Condition:
    """The unit is suppressed; if it is already, or is falling back, or was delayed, it falls back instead."""
    if target.status is Status.NONE and not setup.target.delayed:
        return replace(target, status=Status.SUPPRESSED)
    return fallen_back(setup, target)


def fallen_back(setup: Setup, target: Condition) -> Condition:
    """The unit falls back. What cannot move is eliminated, and so is who falls back a second time."""
    kind = profile(setup, setup.target).kind
    if target.status is Status.FALLBACK or kind is Kind.ARTILLERY or target.immobilized:
        return eliminated(setup, target)
    target = replace(target, status=Status.FALLBACK)
    if not (setup.board and setup.attacker.at and target.at):
        return target  # without a board it always succeeds
    return moved(setup, target, target.at)


def moved(setup: Setup, target: Condition, start: Tile) -> Condition:
    """Base move and one more hex, each farther from the enemy; who cannot go that far stops, and takes a damage."""
    hexes = fallback_hexes(setup)
    way = fallback_way(setup, start, hexes)
    target = replace(target, at=way[-1])
    return target if len(way) > hexes else hurt(setup, target, 1)


def fallback_hexes(setup: Setup) -> int:
    """How many hexes the target must fall back."""
    move = profile(setup, setup.target).move
    if move is None:
        default = tables(setup).move
        assert default
        move = default.number
    return move + 1


def fallback_way(setup: Setup, start: Tile, hexes: int) -> list[Tile]:
    """A longest way of so many hexes at most, as straight away from the enemy as can be at each step."""
    enemy = setup.attacker.at
    assert enemy
    if not hexes:
        return [start]
    best = [start]
    farther = [tile for tile in neighbours(start) if distance(enemy, tile) > distance(enemy, start)]
    for tile in sorted(farther, key=lambda tile: -_away(enemy, tile)):
        if is_free(setup, tile):
            way = [start, *fallback_way(setup, tile, hexes - 1)]
            best = max(best, way, key=len)
        if len(best) > hexes:
            break
    return best


def _away(enemy: Tile, tile: Tile) -> int:
    """The square of the straight distance, in half hexes; a row is √3 of them high."""
    halves, rows = offset(enemy, tile)
    return halves**2 + 3 * rows**2


def is_free(setup: Setup, tile: Tile) -> bool:
    """Whether the target can fall back into a hex: on the board, passable, and without an enemy."""
    board = setup.board
    assert board
    if not inside(tile, board.size):
        return False
    if any(unit.at == tile and unit.side != setup.target.side for unit in setup.units):
        return False
    terrain = next((find_terrain(setup, there.terrain) for there in board.hexes if there.at == tile), None)
    return not (terrain and terrain.impassable)
