"""Tiles and boards of either shape: a tile is (column, row) from 1, row 1 at the top, east +column, south +row."""

Tile = tuple[int, int]
Size = tuple[int, int]
"""Columns and rows of a board."""


def is_inside(tile: Tile, size: Size) -> bool:
    """Whether the tile is on a board of this size."""
    return all(1 <= place <= places for place, places in zip(tile, size, strict=True))


def wrap(tile: Tile, size: Size) -> Tile:
    """The tile on a torus: a step over one edge enters at the opposite edge.

    Hexes tile a torus only with an even number of rows. With an odd number, a step over the north or south edge is
    still one-to-one, but the step back may end beside the start.
    """
    (column, row), (columns, rows) = tile, size
    return (column - 1) % columns + 1, (row - 1) % rows + 1
