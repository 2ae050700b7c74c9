"""6: the push, and the line of friends that it bumps."""

from typing import Literal

from grognard.board.tiles import Tile
from grognard.systems.tower.ground import onward
from grognard.systems.tower.setup import Setup
from grognard.systems.tower.state import State

Ahead = Literal["free", "enemy", "edge", "start"]
"""What the line ends at: a free tile, an enemy, the edge of the board, or the tile where it began."""


def pushed(setup: Setup, state: State, primary: int) -> State:
    """The state once the primary defender has been pushed, and friends in the way bumped."""
    line, tiles, ahead = line_from(setup, state, primary)
    match ahead:
        case "free":
            return state.moved(dict(zip(line, tiles, strict=True)))
        case "enemy" if setup.rules.bumped_into_enemy == "bumped_unit_dies":  # alone in line, the primary is the last
            return state.killed(line[-1]).moved(dict(zip(line[:-1], tiles, strict=True)))
        case "enemy":
            return state.killed(primary)
        case "edge" if setup.rules.off_the_board == "dies":
            return state.killed(primary)
        case _:
            return state  # nobody can move


def line_from(setup: Setup, state: State, primary: int) -> tuple[list[int], list[Tile], Ahead]:
    """The primary defender and the friends in the way, the tiles they would move to, and what is ahead of the last.

    Unless the tile ahead is free, the last one has no tile to move to.
    """
    side, first = setup.units[primary].side, setup.defender.at
    line, tiles = [primary], list[Tile]()
    tile = onward(setup, first)
    while tile is not None and tile != first:
        unit = state.unit_on(tile)
        if unit is None:
            return line, [*tiles, tile], "free"
        if setup.units[unit].side != side:
            return line, tiles, "enemy"
        line.append(unit)
        tiles.append(tile)
        tile = onward(setup, tile)
    return line, tiles, "edge" if tile is None else "start"
