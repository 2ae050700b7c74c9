"""Line of sight over hexes, with terrain and elevation."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum

from grognard.board.hexes import crossed, crossed_at, distance
from grognard.board.tiles import Tile

MOST_HINDERING = 2
"""With more hindering hexes, sight is blocked."""


class Obstruction(StrEnum):
    """The effect of a hex on a line of sight, in ascending order."""

    NONE = "none"
    HINDERS = "hinders"
    BLOCKS = "blocks"


@dataclass(frozen=True, slots=True)
class Ground:
    """A hex, for lines of sight."""

    elevation: int = 0
    """The level of the ground."""
    obstruction: Obstruction = Obstruction.NONE
    """The effect of the terrain on the ground."""
    height: int = 0
    """The height of the terrain above the ground, in levels."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A line of sight: the number of hexes that hinder it, and whether it is blocked."""

    hindering: int
    is_blocked: bool


def sight(a: Tile, b: Tile, ground: Callable[[Tile], Ground], uneven: Collection[Tile] | None = None) -> Sight:
    """The line of sight between the centres of two hexes. It is symmetric, and the two hexes do not obstruct it.

    If it runs along a side, only the lesser obstruction of the two hexes counts; one of them may be off the board, and
    `ground` is called for it too. If `uneven` lists all hexes that are not bare ground at elevation 0, the work grows
    with their number instead of the distance, unless an end is below elevation 0.
    """
    met = [
        min((_obstruction(a, b, between, ground) for between in hexes), key=list(Obstruction).index)
        for hexes in _entries(a, b, ground, uneven)
    ]
    hindering = met.count(Obstruction.HINDERS)
    return Sight(hindering, Obstruction.BLOCKS in met or hindering > MOST_HINDERING)


def _entries(
    a: Tile, b: Tile, ground: Callable[[Tile], Ground], uneven: Collection[Tile] | None
) -> Collection[tuple[Tile, ...]]:
    """The hexes that the line crosses, without bare ground below it."""
    if uneven is None or min(ground(a).elevation, ground(b).elevation) < 0:
        return crossed(a, b)
    return {hexes for tile in uneven if (hexes := crossed_at(a, b, tile))}


def _obstruction(a: Tile, b: Tile, between: Tile, ground: Callable[[Tile], Ground]) -> Obstruction:
    """The effect of a hex on the straight line from the elevation of a to that of b.

    Ground above the line blocks it. Terrain on the ground counts if its top is on the line or above. The position of
    the hex along the line is its distance from a, relative to the sum of its distances from both ends.
    """
    here = ground(between)
    from_a, to_b = distance(a, between), distance(between, b)
    line = ground(a).elevation * to_b + ground(b).elevation * from_a  # times from_a + to_b, to be an integer
    if here.elevation * (from_a + to_b) > line:
        return Obstruction.BLOCKS
    if (here.elevation + here.height) * (from_a + to_b) >= line:
        return here.obstruction
    return Obstruction.NONE
