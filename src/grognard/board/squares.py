"""Boards of squares; neighbours are in the same row or column."""

from enum import StrEnum

from grognard.board.tiles import Tile


class Direction(StrEnum):
    """The four directions, clockwise."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


STEPS = {
    Direction.NORTH: (0, -1),
    Direction.EAST: (1, 0),
    Direction.SOUTH: (0, 1),
    Direction.WEST: (-1, 0),
}
"""The columns and rows to the next square."""


def orthogonal(a: Tile, b: Tile) -> int:
    """The steps from a to b along rows and columns."""
    return abs(b[0] - a[0]) + abs(b[1] - a[1])


def diagonal(a: Tile, b: Tile) -> int:
    """The steps from a to b if diagonal steps are allowed."""
    return max(abs(b[0] - a[0]), abs(b[1] - a[1]))


def step(tile: Tile, direction: Direction, n: int = 1) -> Tile:
    """The square n steps away in a direction."""
    columns, rows = STEPS[direction]
    return tile[0] + n * columns, tile[1] + n * rows


def neighbours(tile: Tile) -> tuple[Tile, ...]:
    """The four squares beside this one, clockwise from the north, on the board or off it."""
    return tuple(step(tile, direction) for direction in Direction)


def direction(a: Tile, b: Tile) -> Direction | None:
    """The direction from a to b along the longer axis; None if both axes are equal."""
    columns, rows = b[0] - a[0], b[1] - a[1]
    if abs(columns) == abs(rows):
        return None
    if abs(columns) > abs(rows):
        return Direction.EAST if columns > 0 else Direction.WEST
    return Direction.SOUTH if rows > 0 else Direction.NORTH
