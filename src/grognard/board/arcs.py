"""Facing on hexes: a unit's arc of fire, and the area in which a shot strikes it.

A unit faces a corner of its hex, and the two hexes on either side of that corner are its front hexes. There is a corner
in the north and one in the south; the northeast corner is between the northeast and the east side, the southeast corner
between the east and the southeast side, and so on.
"""

from collections.abc import Iterable
from enum import StrEnum

from grognard.board.hexes import Direction, directions
from grognard.board.tiles import Tile


class Facing(StrEnum):
    """The six corners a unit may face, clockwise."""

    NORTH = "north"
    NORTHEAST = "northeast"
    SOUTHEAST = "southeast"
    SOUTH = "south"
    SOUTHWEST = "southwest"
    NORTHWEST = "northwest"


class Area(StrEnum):
    """The area in which a unit is struck."""

    FRONT = "front"
    FLANK = "flank"
    REAR = "rear"


AROUND = (Area.FRONT, Area.FLANK, Area.REAR, Area.REAR, Area.FLANK, Area.FRONT)
"""The areas behind the six sides, clockwise from the right front side."""


def entry_sides(a: Tile, b: Tile) -> tuple[Direction, ...]:
    """The sides of hex b through which the line from the centre of a enters it: two if it enters in a corner."""
    return directions(b, a)


def areas(facing: Facing, sides: Iterable[Direction]) -> tuple[Area, ...]:
    """The different areas behind these sides, in the order front, flank, rear."""
    right_front = list(Facing).index(facing)
    struck = {AROUND[(list(Direction).index(side) - right_front) % 6] for side in sides}
    return tuple(area for area in Area if area in struck)


def lies_in_arc(tile: Tile, facing: Facing, target: Tile) -> bool:
    """Whether the target is in the arc of 120° through the two front hexes, borders included, own hex excluded."""
    return Area.FRONT in areas(facing, directions(tile, target))
