"""Squares: distances, neighbours, steps and directions, over whole small boards and far away."""

from collections import deque
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.board.squares import Direction, diagonal, direction, neighbours, orthogonal, step
from grognard.board.tiles import Tile, is_inside, wrap

SIZE = (7, 6)
BOARD = list(product(range(1, 8), range(1, 7)))
TILES = st.tuples(st.integers(-(10**12), 10**12), st.integers(-(10**12), 10**12))


def steps_from(start: Tile, diagonals: bool) -> dict[Tile, int]:
    """Breadth first over the board."""
    reached, queue = {start: 0}, deque([start])
    while queue:
        column, row = queue.popleft()
        for columns, rows in product((-1, 0, 1), repeat=2):
            beside = column + columns, row + rows
            if (diagonals or columns == 0 or rows == 0) and is_inside(beside, SIZE) and beside not in reached:
                reached[beside] = reached[column, row] + 1
                queue.append(beside)
    return reached


@pytest.mark.parametrize("start", BOARD)
def test_distance_is_the_number_of_steps(start: Tile) -> None:
    assert steps_from(start, diagonals=False) == {tile: orthogonal(start, tile) for tile in BOARD}
    assert steps_from(start, diagonals=True) == {tile: diagonal(start, tile) for tile in BOARD}


@given(TILES, TILES, TILES)
def test_distances_are_symmetric_and_never_longer_than_a_detour(a: Tile, b: Tile, c: Tile) -> None:
    for distance in (orthogonal, diagonal):
        assert distance(a, b) == distance(b, a)
        assert distance(a, c) <= distance(a, b) + distance(b, c)
        assert (distance(a, b) == 0) == (a == b)


def test_neighbours_are_the_squares_at_distance_one_clockwise_from_the_north() -> None:
    assert neighbours((3, 3)) == ((3, 2), (4, 3), (3, 4), (2, 3))
    assert set(neighbours((3, 3))) == {tile for tile in BOARD if orthogonal((3, 3), tile) == 1}


@given(TILES, st.sampled_from(Direction), st.integers(0, 1000))
def test_steps_add_up_and_opposite_steps_cancel(tile: Tile, way: Direction, n: int) -> None:
    there = step(tile, way, n)
    assert orthogonal(tile, there) == n
    assert step(there, way) == step(tile, way, n + 1)
    assert step(there, way, -n) == tile
    back = {"north": Direction.SOUTH, "east": Direction.WEST, "south": Direction.NORTH, "west": Direction.EAST}[way]
    assert step(there, back, n) == tile


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ((5, 1), "north"),
        ((6, 3), "north"),
        ((9, 5), "east"),
        ((8, 7), "east"),
        ((5, 6), "south"),
        ((4, 7), "south"),
        ((1, 5), "west"),
        ((3, 4), "west"),
        ((7, 7), None),
        ((3, 7), None),
        ((5, 5), None),
    ],
)
def test_the_direction_is_along_the_longer_axis_and_none_if_they_are_equal(target: Tile, expected: str | None) -> None:
    assert direction((5, 5), target) == expected


@given(TILES, TILES)
def test_a_step_in_the_direction_shortens_the_longer_axis(a: Tile, b: Tile) -> None:
    way = direction(a, b)
    if way is None:
        assert abs(a[0] - b[0]) == abs(a[1] - b[1])
    else:
        assert diagonal(step(a, way), b) == diagonal(a, b) - 1


def test_inside_is_from_one_to_the_size() -> None:
    around = list(product(range(-1, 10), range(-1, 10)))
    assert [tile for tile in around if is_inside(tile, SIZE)] == BOARD


def test_a_step_over_an_edge_enters_at_the_opposite_edge() -> None:
    assert wrap(step((4, 1), Direction.NORTH), SIZE) == (4, 6)
    assert wrap(step((7, 2), Direction.EAST), SIZE) == (1, 2)
    assert wrap(step((4, 6), Direction.SOUTH), SIZE) == (4, 1)
    assert wrap(step((1, 2), Direction.WEST), SIZE) == (7, 2)
    assert [wrap(tile, SIZE) for tile in BOARD] == BOARD


@given(TILES)
def test_wrapping_goes_by_whole_boards(tile: Tile) -> None:
    column, row = wrap(tile, SIZE)
    assert is_inside((column, row), SIZE)
    assert ((tile[0] - column) % SIZE[0], (tile[1] - row) % SIZE[1]) == (0, 0)
