"""Hexes with a corner in the north, in rows; odd rows lie half a hex to the right.

Everything is computed from the *offset* of two hexes: half hexes to the east and rows to the south. If the rows are
scaled to three units, centres and corners have integer coordinates: the corners are at (0, ±2) and (±1, ±1) from the
centre. Scaling keeps corners on the same side of a line, so lines are computed exactly, in integers.
"""

from enum import StrEnum

from grognard.board.tiles import Tile

Offset = tuple[int, int]
"""Half hexes to the east, rows to the south."""


class Direction(StrEnum):
    """The six directions, clockwise; also the six sides of a hex, each facing the neighbour in that direction."""

    NORTHEAST = "northeast"
    EAST = "east"
    SOUTHEAST = "southeast"
    SOUTHWEST = "southwest"
    WEST = "west"
    NORTHWEST = "northwest"


STEPS: dict[Direction, Offset] = {
    Direction.NORTHEAST: (1, -1),
    Direction.EAST: (2, 0),
    Direction.SOUTHEAST: (1, 1),
    Direction.SOUTHWEST: (-1, 1),
    Direction.WEST: (-2, 0),
    Direction.NORTHWEST: (-1, -1),
}
"""The offset of the next hex."""


def offset(a: Tile, b: Tile) -> Offset:
    """How far b lies from a: half hexes to the east, rows to the south."""
    return 2 * (b[0] - a[0]) + b[1] % 2 - a[1] % 2, b[1] - a[1]


def distance(a: Tile, b: Tile) -> int:
    """The steps from a to b."""
    halves, rows = map(abs, offset(a, b))
    return rows + max(0, (halves - rows) // 2)  # a step to another row also goes half a hex sideways


def step(tile: Tile, direction: Direction, n: int = 1) -> Tile:
    """The hex n steps away in a direction."""
    halves, rows = STEPS[direction]
    return (2 * tile[0] + tile[1] % 2 + n * halves) // 2, tile[1] + n * rows


def neighbours(tile: Tile) -> tuple[Tile, ...]:
    """The six hexes around this one, clockwise from the northeast, on the board or off it."""
    return tuple(step(tile, direction) for direction in Direction)


def directions(a: Tile, b: Tile) -> tuple[Direction, ...]:
    """The sides of a through which the line to the centre of b leaves it.

    That is one side, two if the line leaves through the corner between them, none if a is b.
    """
    if a == b:
        return ()
    line = offset(a, b)
    nearest = max(_along(line, beside) for beside in STEPS.values())
    return tuple(side for side, beside in STEPS.items() if _along(line, beside) == nearest)


def direction(a: Tile, b: Tile) -> Direction | None:
    """The direction whose straight line of hexes passes b closest, seen from a.

    Each of the six directions covers the 60° around its line. None if b lies exactly between two, that is, if the line
    from a leaves through a corner (straight north, say), or if a is b.
    """
    sides = directions(a, b)
    return sides[0] if len(sides) == 1 else None


def squared_distance(a: Tile, b: Tile) -> int:
    """The square of the distance between the centres, in half hexes."""
    return _along(offset(a, b), offset(a, b))


def crossed(a: Tile, b: Tile) -> list[tuple[Tile, ...]]:
    """The hexes between a and b that the line between their centres crosses, in order.

    An entry is one hex if the line runs through its inside, or two if it runs along the side between them. A hex that
    the line only touches in a corner is not crossed. From distance 4 on there may be more entries than hexes on a
    shortest path, as the line may zigzag between two rows of hexes.
    """
    line = offset(a, b)

    def far(tile: Tile) -> int:
        return _along(line, offset(a, tile))

    way: list[tuple[Tile, ...]] = [(a,)]
    while way[-1] != (b,):
        around = {beside for tile in way[-1] for beside in neighbours(tile)}
        ahead = [tile for tile in around if far(tile) > far(way[-1][0]) and _meets(line, offset(a, tile))]
        next_far = min(map(far, ahead))  # a line enters hexes in the order of their centres along it
        way.append(tuple(sorted(tile for tile in ahead if far(tile) == next_far)))
    return way[1:-1]


def crossed_at(a: Tile, b: Tile, tile: Tile) -> tuple[Tile, ...]:
    """The entry of `crossed(a, b)` with this hex; empty if there is none."""
    line = offset(a, b)
    far = _along(line, offset(a, tile))
    if not (0 < far < _along(line, line) and _meets(line, offset(a, tile))):
        return ()
    beside = (other for other in neighbours(tile) if _along(line, offset(a, other)) == far)
    return tuple(sorted((tile, *(other for other in beside if _meets(line, offset(a, other))))))


def _along(line: Offset, place: Offset) -> int:
    """The scalar product of a line and a place, in half hexes."""
    return line[0] * place[0] + 3 * line[1] * place[1]  # a row is √3 times as high as half a hex is wide


def _meets(line: Offset, place: Offset) -> bool:
    """Whether a line from the centre of the hex at (0, 0) runs through the hex at a place, or along its side."""
    halves, rows = map(abs, line)
    aside = 3 * abs(line[0] * place[1] - line[1] * place[0])  # the distance of the centre from the line
    reach = max(2 * halves, halves + 3 * rows)  # the distance of the farthest corner from the centre
    has_a_side_along_it = halves in (0, 3 * rows)
    return aside < reach or (aside == reach and has_a_side_along_it)
