"""The measured table: properties that hold for any shapes, and distances against polygons with very many corners."""

from collections.abc import Callable
from math import cos, dist, hypot, isclose, pi, sin, sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grognard.board.table import Disc, Lane, Outline, Point, Shape, contains, distance, move_away, point_distance

from .polygons import Polygon, disc_polygon, hull, polygon_distance, right_of

COORDINATES = st.floats(-6, 6).map(lambda number: round(number, 3))
POINTS = st.tuples(COORDINATES, COORDINATES)
RADII = st.floats(0, 2.5).map(lambda number: round(number, 3))
DISCS = st.builds(Disc, POINTS, RADII)
OUTLINES = st.builds(lambda corners: Outline(tuple(corners)), st.lists(POINTS, min_size=3, max_size=6))
SHAPES = st.one_of(DISCS, OUTLINES)
ANGLES = st.floats(0, 2 * pi)
SQUARE = Outline(((0, 0), (2, 0), (2, 2), (0, 2)))
HOOK = Outline(((0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (0, 1)))


def transformed(shape: Shape, move: Callable[[Point], Point]) -> Shape:
    if isinstance(shape, Disc):
        return Disc(move(shape.centre), shape.radius)
    return Outline(tuple(move(corner) for corner in shape.corners))


def turned_and_shifted(angle: float, by: Point) -> Callable[[Point], Point]:
    return lambda point: (
        point[0] * cos(angle) - point[1] * sin(angle) + by[0],
        point[0] * sin(angle) + point[1] * cos(angle) + by[1],
    )


def scaled(outline: Outline, factor: float) -> Outline:
    """The outline grown from its first corner; what it covered it still covers if it is convex."""
    x, y = outline.corners[0]
    return Outline(tuple((x + factor * (a - x), y + factor * (b - y)) for a, b in outline.corners))


@pytest.mark.parametrize(
    ("disc", "shape", "expected"),
    [
        (Disc((0, 0), 0.25), Disc((3, 4), 0.25), 4.5),
        (Disc((0, 0), 3), Disc((3, 4), 3), 0),
        (Disc((1, 1), 0.25), SQUARE, 0),
        (Disc((3.5, 1), 0.25), SQUARE, 1.25),
        (Disc((5, 6), 0.25), SQUARE, 4.75),
        (Disc((1, 2), 0.25), HOOK, 0.75),
    ],
)
def test_a_distance_is_between_the_nearest_edges(disc: Disc, shape: Shape, expected: float) -> None:
    assert isclose(expected, distance(disc, shape))


@given(DISCS, DISCS)
def test_the_distance_of_two_discs_is_the_same_both_ways(a: Disc, b: Disc) -> None:
    assert distance(a, b) == distance(b, a)


@given(DISCS, SHAPES, ANGLES, POINTS)
def test_distances_are_invariant_under_rotation_and_translation(
    disc: Disc, shape: Shape, angle: float, by: Point
) -> None:
    assume(not isinstance(shape, Outline) or min(dist(disc.centre, corner) for corner in shape.corners) > 1e-6)
    move = turned_and_shifted(angle, by)
    moved_disc = Disc(move(disc.centre), disc.radius)
    assert distance(moved_disc, transformed(shape, move)) == pytest.approx(distance(disc, shape), abs=1e-6)


@given(DISCS, DISCS, SHAPES, ANGLES, POINTS)
def test_the_lane_is_invariant_under_rotation_and_translation(
    attacker: Disc, target: Disc, shape: Shape, angle: float, by: Point
) -> None:
    assume(dist(attacker.centre, target.centre) > 1e-3)
    move = turned_and_shifted(angle, by)
    moved = Lane(Disc(move(attacker.centre), attacker.radius), Disc(move(target.centre), target.radius))
    assert moved.distance(transformed(shape, move)) == pytest.approx(Lane(attacker, target).distance(shape), abs=1e-6)


@given(DISCS, DISCS, SHAPES)
def test_the_lane_is_the_same_on_the_left_and_on_the_right(attacker: Disc, target: Disc, shape: Shape) -> None:
    assume(dist(attacker.centre, target.centre) > 1e-3)

    def mirror(point: Point) -> Point:
        return point[0], -point[1]

    mirrored = Lane(Disc(mirror(attacker.centre), attacker.radius), Disc(mirror(target.centre), target.radius))
    assert mirrored.distance(transformed(shape, mirror)) == pytest.approx(Lane(attacker, target).distance(shape))


@given(DISCS, DISCS, DISCS, st.floats(0, 3))
def test_a_wider_disc_is_never_farther_from_the_lane(attacker: Disc, target: Disc, disc: Disc, more: float) -> None:
    lane = Lane(attacker, target)
    wider = Disc(disc.centre, disc.radius + more)
    assert lane.distance(wider) <= lane.distance(disc)
    assert distance(target, wider) <= distance(target, disc)


@given(DISCS, DISCS, POINTS, st.lists(st.tuples(ANGLES, RADII), min_size=3, max_size=3), st.floats(1, 3))
def test_a_larger_outline_is_never_farther_from_the_lane(
    attacker: Disc, target: Disc, at: Point, corners: list[tuple[float, float]], factor: float
) -> None:
    triangle = Outline(tuple((at[0] + r * cos(angle), at[1] + r * sin(angle)) for angle, r in corners))
    lane = Lane(attacker, target)
    assert lane.distance(scaled(triangle, factor)) <= lane.distance(triangle) + 1e-6
    assert distance(target, scaled(triangle, factor)) <= distance(target, triangle) + 1e-6


@given(DISCS, DISCS, SHAPES)
def test_the_lane_is_as_far_as_the_hull_of_many_corners_cut_at_the_target(
    attacker: Disc, target: Disc, shape: Shape
) -> None:
    assume(dist(attacker.centre, target.centre) > 1e-3)
    region = right_of(hull([*disc_polygon(attacker), *disc_polygon(target)]), target.centre, attacker.centre)
    assert Lane(attacker, target).distance(shape) == pytest.approx(
        polygon_distance(region, polygon_of(shape)), abs=1e-3
    )


@given(DISCS, SHAPES)
def test_distances_are_those_of_polygons_with_many_corners(disc: Disc, shape: Shape) -> None:
    expected = polygon_distance(disc_polygon(disc), polygon_of(shape))
    assert distance(disc, shape) == pytest.approx(expected, abs=1e-3)


def polygon_of(shape: Shape) -> Polygon:
    return disc_polygon(shape) if isinstance(shape, Disc) else list(shape.corners)


@given(DISCS, DISCS)
def test_the_outline_for_drawing_lies_on_the_lane_and_reaches_from_the_target_to_the_attackers_far_edge(
    attacker: Disc, target: Disc
) -> None:
    lane = Lane(attacker, target)
    assume(lane.length > 1e-3)
    corners = lane.outline()
    assert all(lane.distance(Disc(corner)) < 1e-6 for corner in corners)
    ux, uy = ((a - b) / lane.length for a, b in zip(attacker.centre, target.centre, strict=True))
    along = [(x - target.centre[0]) * ux + (y - target.centre[1]) * uy for x, y in corners]
    assert min(along) == pytest.approx(0, abs=1e-6)
    assert max(along) == pytest.approx(max(lane.length + attacker.radius, target.radius), abs=1e-6)


@pytest.mark.parametrize(
    ("near", "far", "length", "expected"),
    [
        (0.25, 0.25, 4, 0.25),
        (2, 1, 5, 2),
        (0.5, 1, 4, 0.5 / sqrt(1 - (0.5 / 4) ** 2)),
        (1, 3, 1, sqrt(8)),
        (3, 1, 1, 3),
    ],
)
def test_the_lane_is_as_wide_at_the_target_as_the_hull(near: float, far: float, length: float, expected: float) -> None:
    lane = Lane(Disc((length, 0), far), Disc((0, 0), near))
    assert isclose(expected, lane.half_width)
    assert lane.distance(Disc((0, expected))) < 1e-9
    assert isclose(1, lane.distance(Disc((-1, expected))))


def test_what_stands_behind_the_target_is_not_in_the_lane() -> None:
    lane = Lane(Disc((8, 0), 0.25), Disc((0, 0), 0.25))
    assert isclose(0.15, lane.distance(Disc((-0.4, 0), 0.25)))
    assert 0 == lane.distance(Disc((0.4, 0), 0.25))
    assert isclose(0.2, lane.distance(Outline(((-1, -1), (-0.2, -1), (-0.2, 1), (-1, 1)))))


def test_an_outline_around_everything_is_in_the_lane() -> None:
    lane = Lane(Disc((2, 0), 0.25), Disc((0, 0), 0.25))
    assert 0 == lane.distance(Outline(((-9, -9), (9, -9), (9, 9), (-9, 9))))


def test_a_thin_wall_across_the_lane_is_in_it() -> None:
    lane = Lane(Disc((8, 0), 0.25), Disc((0, 0), 0.25))
    assert 0 == lane.distance(Outline(((4, -3), (4, 3), (4.01, 3), (4.01, -3))))


def test_there_is_no_lane_between_two_discs_in_one_place() -> None:
    assert not Lane(Disc((1, 1), 0.25), Disc((1, 1), 0.25)).exists
    assert Lane(Disc((1, 1), 0.25), Disc((1, 1.1), 0.25)).exists


@pytest.mark.parametrize(
    ("point", "expected"), [((1, 0.5), True), ((1, 2), False), ((2.5, 2.9), True), ((-1, 0.5), False)]
)
def test_what_an_outline_contains(point: Point, expected: bool) -> None:
    assert expected == contains(HOOK, point)
    assert expected == (point_distance(point, HOOK) == 0)


@given(POINTS, POINTS)
def test_moving_away_is_one_unit_farther(at: Point, start: Point) -> None:
    assume(dist(at, start) > 1e-6)
    size = (100.0, 100.0)
    x, y = move_away((at[0] + 50, at[1] + 50), (start[0] + 50, start[1] + 50), 1, size)
    assert dist((x, y), (start[0] + 50, start[1] + 50)) == pytest.approx(dist(at, start) + 1)


def test_moving_away_from_the_same_point_uses_the_other_direction_and_stays_on_the_table() -> None:
    assert (5.0, 6.0) == move_away((5, 5), (5, 5), 1, (10, 10), (0, 3))
    assert (6.0, 5.0) == move_away((5, 5), (5, 5), 1, (10, 10), (0, 0))
    assert (10.0, 5.0) == move_away((9.5, 5), (9, 5), 1, (10, 10))
    assert (0.0, 0.0) == move_away((0.1, 0.2), (0.4, 0.6), 1, (10, 10))
    x, y = move_away((2, 2), (1, 1), 1, (10, 10))
    assert isclose(1, hypot(x - 2, y - 2))
