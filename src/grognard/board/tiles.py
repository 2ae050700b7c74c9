"""Tiles and boards of either shape: a tile is (column, row) from 1, row 1 at the top, east +column, south +row."""

Tile = tuple[int, int]
Size = tuple[int, int]
"""Columns and rows of a board."""


def is_inside(tile: Tile, size: Size) -> bool:
    """Whether the tile is on a board of this size."""
    return all(1 <= place <= places for place, places in zip(tile, size, strict=True))


def wrap(tile: Tile, size: Size) -> Tile:
    """The tile on a board without edges: a step over one edge comes in at the opposite one.

    Hexes fit edge to edge only with an even number of rows. With an odd number a step over the north or south edge
    still leads to one tile, and no two steps in a direction to the same, but the step back may end beside the start.
    """
    (column, row), (columns, rows) = tile, size
    return (column - 1) % columns + 1, (row - 1) % rows + 1
