"""Line of sight over hexes, with terrain and elevation."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum

from grognard.board.hexes import crossed, crossed_at, distance
from grognard.board.tiles import Tile

MOST_HINDERING = 2
"""The most hindering hexes through which a unit is seen."""


class Obstruction(StrEnum):
    """What a hex does to a line of sight, from the least to the most."""

    NONE = "none"
    HINDERS = "hinders"
    BLOCKS = "blocks"


@dataclass(frozen=True, slots=True)
class Ground:
    """What a hex is to a line of sight: its elevation in levels, what stands on it, and how many levels high."""

    elevation: int = 0
    obstruction: Obstruction = Obstruction.NONE
    height: int = 0


@dataclass(frozen=True, slots=True)
class Sight:
    """A line of sight: how many hexes hinder it, and whether it is blocked. It is clear if neither."""

    hindering: int
    is_blocked: bool


def sight(a: Tile, b: Tile, ground: Callable[[Tile], Ground], uneven: Collection[Tile] | None = None) -> Sight:
    """The line of sight between the centres of two hexes, the same both ways; the ends themselves are never in it.

    Where it runs along a side, only the lesser obstruction of the two hexes counts. On the edge of the board one of the
    two may lie off it: `ground` is asked for that one too. If `uneven` lists all hexes that are not bare ground at
    elevation 0, the work grows with their number and not with the distance, unless an end lies below that.
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
    """What the line crosses, without bare ground that is below it anyway."""
    if uneven is None or min(ground(a).elevation, ground(b).elevation) < 0:
        return crossed(a, b)
    return {hexes for tile in uneven if (hexes := crossed_at(a, b, tile))}


def _obstruction(a: Tile, b: Tile, between: Tile, ground: Callable[[Tile], Ground]) -> Obstruction:
    """What a hex does to the line that runs straight from the elevation of a to that of b.

    Ground above the line blocks. What stands on it counts if its top is on the line or above. How far along the line
    the hex lies is what players count: its distance from a, out of its distances from both ends.
    """
    here = ground(between)
    from_a, to_b = distance(a, between), distance(between, b)
    line = ground(a).elevation * to_b + ground(b).elevation * from_a  # times from_a + to_b, to keep it whole
    if here.elevation * (from_a + to_b) > line:
        return Obstruction.BLOCKS
    if (here.elevation + here.height) * (from_a + to_b) >= line:
        return here.obstruction
    return Obstruction.NONE
