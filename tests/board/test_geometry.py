"""Lines, entries, directions and arcs against plain geometry: hexes drawn as polygons, angles by their cosines.

Nothing here uses the offsets of the code under test. Points are (p, q) for p·√3/2 east and q/2 south, where a side is
1 long: centres and corners are whole, lines can be cut exactly, and dot products are rational: 3pp′/4 + qq′/4.
"""

from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.board.arcs import Facing, entry_sides, lies_in_arc
from grognard.board.hexes import Direction, crossed, directions, distance, neighbours
from grognard.board.tiles import Tile

Point = tuple[int, int]

# Clockwise from the north; a hex's side i lies between its corners i and i + 1.
CORNERS = {
    "north": (0, -2),
    "northeast": (1, -1),
    "southeast": (1, 1),
    "south": (0, 2),
    "southwest": (-1, 1),
    "northwest": (-1, -1),
}
SIDES = dict(zip(Direction, pairwise([*CORNERS.values(), CORNERS["north"]]), strict=True))

STARTS = [(20, 20), (20, 21)]  # an even row and an odd one
BOARD = list(product(range(6, 35), range(6, 36)))
AROUND = [(start, tile) for start in STARTS for tile in BOARD if distance(start, tile) <= 6]
NEAR = st.tuples(st.integers(1, 16), st.integers(1, 16))


def centre(tile: Tile) -> Point:
    column, row = tile
    return (2 * column + 1 if row % 2 else 2 * column), 3 * row


def minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1]


def plus(a: Point, b: Point) -> Point:
    return a[0] + b[0], a[1] + b[1]


def cross(a: Point, b: Point) -> int:
    return a[0] * b[1] - a[1] * b[0]


def dot(a: Point, b: Point) -> int:
    """Four times the dot product."""
    return 3 * a[0] * b[0] + a[1] * b[1]


def cut(a: Tile, b: Tile, tile: Tile) -> tuple[Fraction, Fraction, bool] | None:
    """The part of the line from a to b, from 0 to 1, in a closed hex, and whether it is inside the hex.

    None where it misses the hex or touches it in one point.
    """
    start, line = centre(a), minus(centre(b), centre(a))
    begin, end, inside = Fraction(0), Fraction(1), True
    for one, other in SIDES.values():
        side = minus(other, one)
        depth = cross(side, minus(start, plus(centre(tile), one)))  # 0 on the side, more on the hex's side of it
        deepening = cross(side, line)
        if deepening == 0:
            if depth < 0:
                return None
            inside = inside and depth > 0
        elif deepening > 0:
            begin = max(begin, Fraction(-depth, deepening))
        else:
            end = min(end, Fraction(-depth, deepening))
    return (begin, end, inside) if begin < end else None


def crossed_polygons(a: Tile, b: Tile) -> list[tuple[Tile, ...]]:
    """The hexes that the line crosses, by intersecting it with every hex around."""
    columns, rows = (range(min(p, q) - 1, max(p, q) + 2) for p, q in zip(a, b, strict=True))
    pieces = {tile: piece for tile in product(columns, rows) if tile not in (a, b) and (piece := cut(a, b, tile))}
    through = {piece: (tile,) for tile, piece in pieces.items() if piece[2]}
    along = {piece: tuple(sorted(tile for tile in pieces if pieces[tile] == piece)) for piece in pieces.values()}
    return [tiles for _, tiles in sorted({**along, **through}.items())]


@pytest.mark.parametrize("start", STARTS)
def test_neighbours_are_the_hexes_that_share_a_side(start: Tile) -> None:
    sharing = []
    for one, other in SIDES.values():
        ends = {plus(centre(start), one), plus(centre(start), other)}
        around = product(range(18, 23), range(18, 24))
        sharing += [
            tile
            for tile in around
            if tile != start and ends <= {plus(centre(tile), corner) for corner in CORNERS.values()}
        ]
    assert list(neighbours(start)) == sharing


@pytest.mark.parametrize("start", STARTS)
def test_crossed_hexes_are_the_polygons_cut_by_the_line(start: Tile) -> None:
    targets = [tile for tile in BOARD if 0 < distance(start, tile) <= 12]
    assert {tile: crossed(start, tile) for tile in targets} == {tile: crossed_polygons(start, tile) for tile in targets}


@given(NEAR, NEAR)
def test_crossed_hexes_are_the_polygons_cut_by_longer_lines(a: Tile, b: Tile) -> None:
    assert crossed(a, b) == ([] if a == b else crossed_polygons(a, b))


@pytest.mark.parametrize(("a", "b"), [((1, 1), (12, 2)), ((30, 7), (1, 8)), ((1, 1), (20, 3)), ((4, 1), (1, 31))])
def test_crossed_hexes_are_the_polygons_cut_by_flat_and_steep_lines(a: Tile, b: Tile) -> None:
    assert crossed(a, b) == crossed_polygons(a, b)


def sides_met(line: Point) -> tuple[Direction, ...]:
    """The sides of a hex, ends included, that a ray from its centre meets."""
    return tuple(
        side for side, (one, other) in SIDES.items() if line != (0, 0) and cross(one, line) >= 0 >= cross(other, line)
    )


@pytest.mark.parametrize(("a", "b"), AROUND)
def test_the_line_enters_a_hex_by_the_sides_that_it_meets(a: Tile, b: Tile) -> None:
    assert entry_sides(a, b) == sides_met(minus(centre(a), centre(b)))


@pytest.mark.parametrize(("a", "b"), AROUND)
def test_directions_are_the_nearest_by_angle(a: Tile, b: Tile) -> None:
    line = minus(centre(b), centre(a))
    cosines = {way: dot(line, plus(*corners)) for way, corners in SIDES.items()}  # corner + corner: out of the side
    expected = tuple(way for way in Direction if a != b and cosines[way] == max(cosines.values()))
    assert directions(a, b) == expected


@pytest.mark.parametrize("facing", Facing)
def test_the_arc_is_sixty_degrees_to_either_side_of_the_faced_corner(facing: Facing) -> None:
    corner = CORNERS[facing]
    for a, b in AROUND:
        line = minus(centre(b), centre(a))
        along = dot(line, corner)
        within = along > 0 and 4 * along**2 >= dot(line, line) * dot(corner, corner)  # cos² ≥ ¼
        assert lies_in_arc(a, facing, b) == within, (a, b)
