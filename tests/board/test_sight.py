"""Line of sight: what hinders, what blocks, along sides and over hills."""

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.board.hexes import crossed
from grognard.board.sight import Ground, Obstruction, Sight, sight
from grognard.board.tiles import Tile

NONE, HINDERS, BLOCKS = Obstruction
CLEAR = Ground()
BRUSH = Ground(obstruction=HINDERS)
FOREST = Ground(obstruction=BLOCKS)

LEVELS = st.integers(-2, 3)
GROUNDS = st.builds(Ground, LEVELS, st.sampled_from(Obstruction), st.integers(0, 2))
TILES = st.tuples(st.integers(1, 8), st.integers(1, 8))


def board(hexes: Mapping[Tile, Ground]) -> Callable[[Tile], Ground]:
    return lambda tile: hexes.get(tile, CLEAR)


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        ([], Sight(0, is_blocked=False)),
        ([BRUSH], Sight(1, is_blocked=False)),
        ([CLEAR, BRUSH, CLEAR, BRUSH], Sight(2, is_blocked=False)),
        ([BRUSH, BRUSH, CLEAR, BRUSH], Sight(3, is_blocked=True)),
        ([BRUSH, BRUSH, BRUSH, BRUSH], Sight(4, is_blocked=True)),
        ([CLEAR, FOREST], Sight(0, is_blocked=True)),
        ([BRUSH, FOREST], Sight(1, is_blocked=True)),
    ],
)
def test_one_or_two_hexes_hinder_and_three_or_a_blocking_one_block(between: list[Ground], expected: Sight) -> None:
    hexes = {(column, 3): ground for column, ground in enumerate(between, 2)}
    assert sight((1, 3), (6, 3), board(hexes)) == expected


def test_what_stands_at_the_ends_or_beside_the_line_does_not_count() -> None:
    hexes = dict.fromkeys([(1, 3), (6, 3), (3, 2), (3, 4), (7, 3)], FOREST)
    assert sight((1, 3), (6, 3), board(hexes)) == Sight(0, is_blocked=False)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (CLEAR, CLEAR, Sight(0, is_blocked=False)),
        (CLEAR, FOREST, Sight(0, is_blocked=False)),
        (BRUSH, CLEAR, Sight(0, is_blocked=False)),
        (BRUSH, BRUSH, Sight(1, is_blocked=False)),
        (FOREST, BRUSH, Sight(1, is_blocked=False)),
        (FOREST, FOREST, Sight(0, is_blocked=True)),
        (Ground(elevation=1), CLEAR, Sight(0, is_blocked=False)),
        (Ground(elevation=1), BRUSH, Sight(1, is_blocked=False)),
        (Ground(elevation=1), FOREST, Sight(0, is_blocked=True)),
    ],
)
def test_along_a_side_the_lesser_of_the_two_hexes_counts(one: Ground, other: Ground, expected: Sight) -> None:
    for left, right in ((one, other), (other, one)):
        assert sight((2, 2), (2, 4), board({(1, 3): left, (2, 3): right})) == expected


@pytest.mark.parametrize(
    ("ends", "place", "ground", "expected"),
    [
        ((0, 0), 2, Ground(1), BLOCKS),  # a bare hill
        ((1, 1), 2, Ground(1), NONE),  # level with the line
        ((1, 1), 2, Ground(2), BLOCKS),
        ((1, 1), 2, Ground(0, HINDERS), NONE),  # seen over
        ((1, 1), 2, Ground(0, HINDERS, 1), HINDERS),  # its top on the line
        ((1, 1), 2, Ground(1, HINDERS), HINDERS),
        ((2, 2), 2, Ground(0, BLOCKS, 1), NONE),
        ((0, 1), 2, Ground(0, BLOCKS), NONE),  # half a level below the line
        ((0, 2), 2, Ground(0, BLOCKS, 1), BLOCKS),
        ((0, 2), 2, Ground(1), NONE),  # an even slope
        ((0, 4), 1, Ground(1), NONE),
        ((0, 4), 1, Ground(1, HINDERS), HINDERS),
        ((0, 4), 3, Ground(2, HINDERS), NONE),
        ((0, 4), 3, Ground(2, HINDERS, 1), HINDERS),
        ((0, 4), 3, Ground(4), BLOCKS),  # the edge of a plateau
        ((0, 3), 1, Ground(0, BLOCKS), NONE),  # the line is at three quarters
        ((0, 3), 1, Ground(1), BLOCKS),
        ((0, -4), 1, Ground(-1), NONE),
        ((0, -4), 1, Ground(-1, BLOCKS), BLOCKS),
        ((0, -4), 1, Ground(-2, BLOCKS), NONE),
    ],
)
def test_an_obstacle_counts_up_to_its_top_and_ground_above_the_line_blocks(
    ends: tuple[int, int], place: int, ground: Ground, expected: Obstruction
) -> None:
    hexes = {(column, 3): Ground(-9) for column in range(1, 6)}
    hexes |= {(1, 3): Ground(ends[0]), (5, 3): Ground(ends[1]), (1 + place, 3): ground}
    met = Sight(int(expected is HINDERS), is_blocked=expected is BLOCKS)
    assert sight((1, 3), (5, 3), board(hexes)) == met
    assert sight((5, 3), (1, 3), board(hexes)) == met


def test_neighbours_always_see_each_other() -> None:
    assert sight((3, 3), (3, 4), lambda tile: Ground(tile[1], BLOCKS, 5)) == Sight(0, is_blocked=False)


def test_along_the_edge_of_the_board_the_hex_off_the_board_counts_too() -> None:
    assert sight((1, 2), (1, 4), lambda tile: FOREST if tile[0] > 0 else CLEAR) == Sight(0, is_blocked=False)
    assert sight((1, 2), (1, 4), lambda tile: FOREST) == Sight(0, is_blocked=True)


@given(TILES, TILES, st.dictionaries(TILES, GROUNDS, max_size=40))
def test_sight_is_the_same_both_ways(a: Tile, b: Tile, hexes: dict[Tile, Ground]) -> None:
    assert sight(a, b, board(hexes)) == sight(b, a, board(hexes))


@given(TILES, TILES, st.dictionaries(TILES, GROUNDS, max_size=40), st.integers(-5, 5))
def test_only_differences_of_elevation_matter(a: Tile, b: Tile, hexes: dict[Tile, Ground], levels: int) -> None:
    def raised(tile: Tile) -> Ground:
        ground = board(hexes)(tile)
        return Ground(ground.elevation + levels, ground.obstruction, ground.height)

    assert sight(a, b, raised) == sight(a, b, board(hexes))


@given(TILES, TILES, st.dictionaries(TILES, st.sampled_from([BRUSH, FOREST]), max_size=40))
def test_on_flat_ground_all_hexes_that_the_line_crosses_count(a: Tile, b: Tile, hexes: dict[Tile, Ground]) -> None:
    rank = {CLEAR: 0, BRUSH: 1, FOREST: 2}
    met = [min(rank[board(hexes)(tile)] for tile in entry) for entry in crossed(a, b)]
    assert sight(a, b, board(hexes)) == Sight(met.count(1), is_blocked=2 in met or met.count(1) >= 3)


@given(TILES, TILES, st.dictionaries(TILES, GROUNDS, max_size=40))
def test_only_uneven_hexes_need_to_be_examined(a: Tile, b: Tile, hexes: dict[Tile, Ground]) -> None:
    assert sight(a, b, board(hexes), hexes) == sight(a, b, board(hexes))


def test_a_long_line_over_bare_ground_is_clear() -> None:
    hexes = {(500_000, 7): BRUSH}
    assert sight((1, 7), (1_000_000, 7), board(hexes), hexes) == Sight(1, is_blocked=False)
