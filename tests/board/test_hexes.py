"""Hexes: distances, neighbours, steps, directions and lines, over whole small boards and far away."""

from collections import deque
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.board.hexes import Direction, crossed, direction, directions, distance, neighbours, step
from grognard.board.tiles import Tile, is_inside, wrap

SIZE = (7, 6)
BOARD = list(product(range(1, 8), range(1, 7)))
FAR = st.integers(-(10**12), 10**12)
TILES = st.tuples(FAR, FAR)
NEAR = st.tuples(st.integers(-25, 25), st.integers(-25, 25))

OPPOSITE = {
    Direction.NORTHEAST: Direction.SOUTHWEST,
    Direction.EAST: Direction.WEST,
    Direction.SOUTHEAST: Direction.NORTHWEST,
    Direction.SOUTHWEST: Direction.NORTHEAST,
    Direction.WEST: Direction.EAST,
    Direction.NORTHWEST: Direction.SOUTHEAST,
}


def test_odd_rows_lie_half_a_hex_to_the_right() -> None:
    assert neighbours((3, 3)) == ((4, 2), (4, 3), (4, 4), (3, 4), (2, 3), (3, 2))
    assert neighbours((3, 4)) == ((3, 3), (4, 4), (3, 5), (2, 5), (2, 4), (2, 3))


@pytest.mark.parametrize("start", BOARD)
def test_distance_is_the_number_of_steps(start: Tile) -> None:
    reached, queue = {start: 0}, deque([start])
    while queue:
        tile = queue.popleft()
        for beside in neighbours(tile):
            if is_inside(beside, SIZE) and beside not in reached:
                reached[beside] = reached[tile] + 1
                queue.append(beside)
    assert reached == {tile: distance(start, tile) for tile in BOARD}


@pytest.mark.parametrize("tile", BOARD)
def test_neighbours_are_the_six_hexes_at_distance_one(tile: Tile) -> None:
    around = product(range(-1, 10), range(-1, 10))
    assert set(neighbours(tile)) == {other for other in around if distance(tile, other) == 1}
    assert len(set(neighbours(tile))) == 6


@given(TILES, TILES, TILES)
def test_distance_is_symmetric_and_never_longer_than_a_detour(a: Tile, b: Tile, c: Tile) -> None:
    assert distance(a, b) == distance(b, a)
    assert distance(a, c) <= distance(a, b) + distance(b, c)
    assert (distance(a, b) == 0) == (a == b)


@given(TILES, st.sampled_from(Direction), st.integers(0, 1000))
def test_steps_add_up_and_opposite_steps_cancel(tile: Tile, way: Direction, n: int) -> None:
    there = step(tile, way, n)
    assert distance(tile, there) == n
    assert step(there, way) == step(tile, way, n + 1)
    assert step(there, OPPOSITE[way], n) == tile
    assert step(there, way, -n) == tile


@given(TILES)
def test_a_walk_round_a_hex_comes_back(tile: Tile) -> None:
    here = tile
    for way in Direction:
        here = step(here, way, 3)
    assert here == tile


@given(TILES, st.sampled_from(Direction), st.integers(1, 10**9))
def test_on_a_straight_line_of_hexes_the_direction_is_that_line(tile: Tile, way: Direction, n: int) -> None:
    assert direction(tile, step(tile, way, n)) == way


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ((6, 1), ("northeast", "northwest")),  # straight north
        ((7, 1), ("northeast",)),
        ((7, 3), ("northeast",)),
        ((8, 4), ("northeast", "east")),
        ((9, 4), ("east",)),
        ((9, 6), ("east",)),
        ((8, 6), ("east", "southeast")),
        ((7, 9), ("southeast",)),
        ((6, 7), ("southeast", "southwest")),  # straight south
        ((5, 9), ("southwest",)),
        ((5, 6), ("southwest", "west")),
        ((4, 4), ("west",)),
        ((5, 4), ("west", "northwest")),
        ((5, 3), ("northwest",)),
        ((6, 5), ()),
    ],
)
def test_a_direction_rules_sixty_degrees_and_none_is_plain_between_two(target: Tile, expected: tuple[str, ...]) -> None:
    assert directions((6, 5), target) == expected
    assert direction((6, 5), target) == (expected[0] if len(expected) == 1 else None)


@given(TILES, TILES)
def test_the_way_back_is_opposite(a: Tile, b: Tile) -> None:
    assert {OPPOSITE[way] for way in directions(a, b)} == set(directions(b, a))


@given(TILES, TILES)
def test_a_step_in_the_direction_comes_closer(a: Tile, b: Tile) -> None:
    assert [distance(step(a, way), b) for way in directions(a, b)] == [distance(a, b) - 1] * len(directions(a, b))


@pytest.mark.parametrize("size", [(7, 6), (4, 2)])
def test_with_an_even_number_of_rows_steps_over_the_edge_cancel_too(size: tuple[int, int]) -> None:
    for tile, way in product(product(range(1, size[0] + 1), range(1, size[1] + 1)), Direction):
        there = wrap(step(tile, way), size)
        assert is_inside(there, size)
        assert wrap(step(there, OPPOSITE[way]), size) == tile


@pytest.mark.parametrize("size", [(5, 5), (4, 3)])
def test_with_an_odd_number_of_rows_no_two_steps_over_the_edge_meet(size: tuple[int, int]) -> None:
    board = set(product(range(1, size[0] + 1), range(1, size[1] + 1)))
    for way in Direction:
        assert {wrap(step(tile, way), size) for tile in board} == board


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ((3, 3), (3, 3), []),
        ((3, 3), (4, 3), []),
        ((1, 3), (4, 3), [((2, 3),), ((3, 3),)]),
        ((2, 2), (2, 4), [((1, 3), (2, 3))]),  # straight south, along the side between two hexes
        ((3, 3), (3, 7), [((3, 4), (4, 4)), ((3, 5),), ((3, 6), (4, 6))]),
        ((3, 3), (5, 4), [((4, 3), (4, 4))]),
        ((3, 3), (6, 4), [((4, 3),), ((5, 4),)]),
        ((3, 3), (7, 4), [((4, 3),), ((5, 4),), ((5, 3),), ((6, 4),)]),  # at distance 4, but four hexes between
    ],
)
def test_a_line_crosses_hexes_or_runs_between_two(a: Tile, b: Tile, expected: list[tuple[Tile, ...]]) -> None:
    assert crossed(a, b) == expected


def test_a_flat_line_slips_in_and_out_between_two_rows() -> None:
    row_1 = [(2, 1), (3, 1), (4, 1), (5, 1)]
    both = [(6, 2), (6, 1), (7, 2), (7, 1)]
    row_2 = [(8, 2), (9, 2), (10, 2), (11, 2)]
    assert crossed((1, 1), (12, 2)) == [(tile,) for tile in row_1 + both + row_2]
    assert distance((1, 1), (12, 2)) == 11


@given(NEAR, NEAR)
def test_a_line_is_the_same_both_ways(a: Tile, b: Tile) -> None:
    assert crossed(a, b) == crossed(b, a)[::-1]


@given(NEAR, NEAR, st.integers(-(10**9), 10**9), st.integers(-(10**9), 10**9))
def test_a_line_is_the_same_anywhere(a: Tile, b: Tile, columns: int, row_pairs: int) -> None:
    def moved(tile: Tile) -> Tile:
        return tile[0] + columns, tile[1] + 2 * row_pairs

    assert crossed(moved(a), moved(b)) == [tuple(map(moved, entry)) for entry in crossed(a, b)]


@given(NEAR, NEAR)
def test_a_line_leaves_no_gap(a: Tile, b: Tile) -> None:
    way = [(a,), *crossed(a, b), (b,)] if a != b else [(a,)]
    assert {distance(x, y) for here, there in pairwise(way) for x in here for y in there} <= {1}
    assert [distance(*entry) for entry in way if len(entry) == 2] == [1] * sum(len(entry) == 2 for entry in way)
    assert len(way) > distance(a, b)


@given(TILES, st.sampled_from(Direction), st.integers(1, 50))
def test_a_straight_line_of_hexes_crosses_just_these(tile: Tile, way: Direction, n: int) -> None:
    assert crossed(tile, step(tile, way, n)) == [(step(tile, way, i),) for i in range(1, n)]


@given(TILES, st.sampled_from(list(pairwise([*Direction, Direction.NORTHEAST]))), st.integers(1, 25))
def test_a_line_through_corners_goes_by_turns_along_a_side_and_through_a_hex(
    tile: Tile, ways: tuple[Direction, Direction], n: int
) -> None:
    left, right = ways
    here, expected = tile, []
    for _ in range(n):
        beyond = step(step(here, left), right)
        expected += [tuple(sorted((step(here, left), step(here, right)))), (beyond,)]
        here = beyond
    assert crossed(tile, here) == expected[:-1]
