"""Facing: front, flank and rear, the arc of fire, and the side a shot comes in by."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.board.arcs import Facing, areas, entry_sides, lies_in_arc
from grognard.board.hexes import Direction, distance, neighbours
from grognard.board.tiles import Tile

TILES = st.tuples(st.integers(-(10**12), 10**12), st.integers(-(10**12), 10**12))


@pytest.mark.parametrize(
    ("facing", "expected"),
    [  # of the sides northeast, east, southeast, southwest, west, northwest
        ("north", "front flank rear rear flank front"),
        ("northeast", "front front flank rear rear flank"),
        ("southeast", "flank front front flank rear rear"),
        ("south", "rear flank front front flank rear"),
        ("southwest", "rear rear flank front front flank"),
        ("northwest", "flank rear rear flank front front"),
    ],
)
def test_two_sides_are_front_two_rear_and_one_flank_on_each_hand(facing: str, expected: str) -> None:
    assert [areas(Facing(facing), [side]) for side in Direction] == [(area,) for area in expected.split()]


@pytest.mark.parametrize(
    ("facing", "expected"),
    [  # of the northeast, southeast, south, southwest and northwest corner, after the north corner
        ("north", ["front", "front flank", "flank rear", "rear", "flank rear", "front flank"]),
        ("southeast", ["flank rear", "front flank", "front", "front flank", "flank rear", "rear"]),
    ],
)
def test_a_shot_through_a_corner_strikes_both_areas(facing: str, expected: list[str]) -> None:
    sides = list(Direction)
    corners = [(sides[i - 1], sides[i]) for i in range(6)]
    assert [" ".join(areas(Facing(facing), corner)) for corner in corners] == expected


@pytest.mark.parametrize(
    ("shooter", "expected"),
    [
        ((8, 5), ("east",)),
        ((8, 6), ("east", "southeast")),
        ((5, 9), ("southwest",)),
        ((6, 1), ("northeast", "northwest")),
        ((6, 5), ()),
    ],
)
def test_a_shot_enters_by_the_side_towards_the_shooter(shooter: Tile, expected: tuple[str, ...]) -> None:
    assert entry_sides(shooter, (6, 5)) == expected


@pytest.mark.parametrize(
    ("facing", "expected"),
    [
        ("north", {(7, 4), (6, 4)}),
        ("northeast", {(7, 4), (7, 5)}),
        ("southeast", {(7, 5), (7, 6)}),
        ("south", {(7, 6), (6, 6)}),
        ("southwest", {(6, 6), (5, 5)}),
        ("northwest", {(5, 5), (6, 4)}),
    ],
)
def test_of_the_neighbours_just_the_two_front_hexes_are_in_the_arc(facing: str, expected: set[Tile]) -> None:
    assert {tile for tile in neighbours((6, 5)) if lies_in_arc((6, 5), Facing(facing), tile)} == expected


def test_the_border_is_in_the_arc_and_the_own_hex_is_not() -> None:
    assert lies_in_arc((6, 5), Facing.NORTH, (8, 4))
    assert lies_in_arc((6, 5), Facing.NORTH, (5, 4))
    assert not lies_in_arc((6, 5), Facing.NORTH, (9, 4))
    assert not lies_in_arc((6, 5), Facing.NORTH, (4, 4))
    assert not lies_in_arc((6, 5), Facing.NORTH, (6, 5))


def test_an_arc_holds_a_third_of_the_hexes_at_each_range_and_at_even_ranges_both_borders() -> None:
    around = list(product(range(1, 41), range(1, 41)))
    counts = [
        sum(lies_in_arc((20, 20), facing, tile) for tile in around if distance((20, 20), tile) == far)
        for far in range(1, 7)
        for facing in Facing
    ]
    assert counts == [2] * 6 + [5] * 6 + [6] * 6 + [9] * 6 + [10] * 6 + [13] * 6


@given(TILES, TILES)
def test_every_hex_is_in_two_of_the_six_arcs_or_on_the_border_in_three(tile: Tile, target: Tile) -> None:
    sides = entry_sides(target, tile)
    seen = sum(lies_in_arc(tile, facing, target) for facing in Facing)
    assert seen == {0: 0, 1: 2, 2: 3}[len(sides)]
