"""A table on which distances are measured with a ruler: discs, outlines, and the lane between two discs.

All numbers are ruler units. A distance is between the nearest edges, and 0 if two shapes touch or overlap.
"""

from itertools import pairwise
from math import acos, cos, hypot, pi, sin, sqrt
from typing import NamedTuple

TINY = 1e-9
"""Lengths that differ by less are equal: it is rounding."""
ARC_STEPS = 8
"""The number of sides of an arc that is drawn as a polygon."""

Point = tuple[float, float]
Segment = tuple[Point, Point]


class Disc(NamedTuple):
    """A round base; with radius 0 a point."""

    centre: Point
    radius: float = 0.0


class Outline(NamedTuple):
    """A polygon, such as a piece of terrain seen from above; its corners in either direction."""

    corners: tuple[Point, ...]

    @property
    def sides(self) -> list[Segment]:
        """From each corner to the next, and from the last to the first."""
        return list(pairwise((*self.corners, self.corners[0])))


Shape = Disc | Outline


def distance(disc: Disc, shape: Shape) -> float:
    """From the edge of a disc to the nearest edge of another shape."""
    if isinstance(shape, Outline):
        return max(0.0, point_distance(disc.centre, shape) - disc.radius)
    return max(0.0, _length(disc.centre, shape.centre) - (disc.radius + shape.radius))


def point_distance(point: Point, outline: Outline) -> float:
    """From a point to an outline; 0 inside it."""
    if contains(outline, point):
        return 0.0
    return min(segment_distance(point, side) for side in outline.sides)


def contains(outline: Outline, point: Point) -> bool:
    """Whether a point lies inside an outline: a ray from it to the right crosses an odd number of sides."""
    x, y = point
    inside = False
    for (x1, y1), (x2, y2) in outline.sides:
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


def segment_distance(point: Point, segment: Segment) -> float:
    """From a point to the nearest point of a segment."""
    (x1, y1), (x2, y2) = segment
    dx, dy = x2 - x1, y2 - y1
    square = dx * dx + dy * dy
    along = ((point[0] - x1) * dx + (point[1] - y1) * dy) / square if square else 0.0
    along = min(1.0, max(0.0, along))
    return hypot(point[0] - x1 - along * dx, point[1] - y1 - along * dy)


def segments_cross(a: Segment, b: Segment) -> bool:
    """Whether each of two segments passes from one side of the other to its other side."""
    return _turn(*a, b[0]) * _turn(*a, b[1]) < 0 and _turn(*b, a[0]) * _turn(*b, a[1]) < 0


def move_away(at: Point, start: Point, by: float, size: Point, otherwise: Point = (1.0, 0.0)) -> Point:
    """The point at distance `by` from `at` in the direction away from `start`, kept on a table of this size.

    If `at` is `start`, the direction is `otherwise`.
    """
    direction = _unit(start, at) or _unit((0.0, 0.0), otherwise) or (1.0, 0.0)
    x, y = (place + by * part for place, part in zip(at, direction, strict=True))
    return min(max(x, 0.0), size[0]), min(max(y, 0.0), size[1])


class Lane:
    """The area between a target and its attacker, two discs.

    It is the part of their convex hull on the attacker's side of the target's centre, cut off perpendicular to the
    direction of the attack. In local coordinates the target's centre is (0, 0) and the attacker's is on the positive x
    axis. The upper half of the hull is an arc of the target's disc, a common tangent and an arc of the attacker's disc.
    The tangent touches both discs in the direction of `_normal`; there is none if one disc contains the other.
    """

    def __init__(self, attacker: Disc, target: Disc) -> None:
        self.attacker, self.target = attacker, target
        self.length = _length(target.centre, attacker.centre)
        self._axis = _unit(target.centre, attacker.centre) or (1.0, 0.0)
        cosine = (target.radius - attacker.radius) / self.length if self.length else 2.0
        self._normal = (cosine, sqrt(1 - cosine * cosine)) if abs(cosine) < 1 else None
        self.half_width = self._half_width()

    @property
    def exists(self) -> bool:
        """Whether there is a direction of attack: not if both discs have the same centre."""
        return self.length > TINY

    def distance(self, shape: Shape) -> float:
        if isinstance(shape, Disc):
            return max(0.0, self._to_point(self._local(shape.centre)) - shape.radius)
        if contains(shape, self.target.centre):
            return 0.0
        return min(self._to_segment((self._local(a), self._local(b))) for a, b in shape.sides)

    def outline(self) -> tuple[Point, ...]:
        """The lane as a polygon, for drawing."""
        upper = [point for point in self._upper_boundary() if point[0] >= 0]
        upper = [(0.0, self.half_width), *upper]
        lower = [(x, -y) for x, y in reversed(upper)]
        return tuple(self._global(point) for point in (*upper, *lower))

    def _half_width(self) -> float:
        """Half the width of the hull at the target's centre."""
        near, far = self.target.radius, self.attacker.radius
        if self._normal is None:
            return near if near >= far else sqrt(far * far - self.length * self.length)
        cosine, sine = self._normal
        if cosine >= 0:
            return near
        height = near / sine  # of the tangent, unless it has touched the attacker's disc before
        is_on_tangent = -cosine * height <= self.length * sine
        return height if is_on_tangent else sqrt(far * far - self.length * self.length)

    def _local(self, point: Point) -> Point:
        x, y = point[0] - self.target.centre[0], point[1] - self.target.centre[1]
        ux, uy = self._axis
        return x * ux + y * uy, y * ux - x * uy

    def _global(self, point: Point) -> Point:
        ux, uy = self._axis
        x, y = self.target.centre
        return x + point[0] * ux - point[1] * uy, y + point[0] * uy + point[1] * ux

    def _to_hull(self, point: Point) -> tuple[float, float]:
        """The distance of a point from the hull, negative inside, and the x of the nearest boundary point."""
        x, y = point[0], abs(point[1])
        if self._normal is None:
            is_target = self.target.radius >= self.attacker.radius
            return self._to_disc(x, y, 0.0 if is_target else self.length, max(self.target.radius, self.attacker.radius))
        cosine, sine = self._normal
        along = x * sine - y * cosine
        if along <= 0:
            return self._to_disc(x, y, 0.0, self.target.radius)
        if along >= self.length * sine:
            return self._to_disc(x, y, self.length, self.attacker.radius)
        outside = x * cosine + y * sine - self.target.radius
        return outside, x - outside * cosine

    def _to_disc(self, x: float, y: float, centre: float, radius: float) -> tuple[float, float]:
        gap = hypot(x - centre, y)
        return gap - radius, centre + (x - centre) * radius / gap if gap else centre + radius

    def _to_point(self, point: Point) -> float:
        outside, boundary_x = self._to_hull(point)
        if outside <= 0:
            return max(0.0, -point[0])
        if boundary_x >= 0:
            return outside
        return hypot(point[0], max(0.0, abs(point[1]) - self.half_width))

    def _to_segment(self, segment: Segment) -> float:
        """The nearest point is an end of the segment, or the lane's farthest point in the direction of the segment."""
        if self._meets(segment):
            return 0.0
        ends = min(self._to_point(end) for end in segment)
        return min([ends, *(segment_distance(point, segment) for point in self._farthest(segment))])

    def _farthest(self, segment: Segment) -> list[Point]:
        """The farthest points of the lane in the directions perpendicular to a segment, and the corners of the lane."""
        points = [(0.0, self.half_width), (0.0, -self.half_width)]
        for (x1, y1), (x2, y2) in (segment, segment[::-1]):
            if direction := _unit((0.0, 0.0), (y2 - y1, x1 - x2)):
                for centre, radius in ((0.0, self.target.radius), (self.length, self.attacker.radius)):
                    points.append((centre + radius * direction[0], radius * direction[1]))
        return [point for point in points if point[0] >= 0]

    def _meets(self, segment: Segment) -> bool:
        """Whether a segment has a point in the lane: its part with x of 0 or more has one in the hull."""
        part = _right_of_zero(segment)
        if part is None:
            return False
        if min(self._to_hull(end)[0] for end in part) <= 0:
            return True
        discs = (((0.0, 0.0), self.target.radius), ((self.length, 0.0), self.attacker.radius))
        if any(segment_distance(centre, part) <= radius for centre, radius in discs):
            return True
        return any(segments_cross(part, tangent) for tangent in self._tangents())

    def _tangents(self) -> list[Segment]:
        if self._normal is None:
            return []
        cosine, sine = self._normal
        near, far = self.target.radius, self.attacker.radius
        upper = ((near * cosine, near * sine), (self.length + far * cosine, far * sine))
        return [upper, ((upper[0][0], -upper[0][1]), (upper[1][0], -upper[1][1]))]

    def _upper_boundary(self) -> list[Point]:
        """Points on the arcs above the axis, the target's first; the tangent connects the arcs."""
        if self._normal is None:
            is_target = self.target.radius >= self.attacker.radius
            centre, radius = (0.0, self.target.radius) if is_target else (self.length, self.attacker.radius)
            return _arc(centre, radius, pi, 0.0)
        tangent = acos(self._normal[0])
        arc = _arc(0.0, self.target.radius, pi / 2, tangent) if tangent < pi / 2 else []
        return [*arc, *_arc(self.length, self.attacker.radius, tangent, 0.0)]


def _arc(centre: float, radius: float, start: float, end: float) -> list[Point]:
    angles = [start + (end - start) * step / ARC_STEPS for step in range(ARC_STEPS + 1)]
    return [(centre + radius * cos(angle), radius * sin(angle)) for angle in angles]


def _right_of_zero(segment: Segment) -> Segment | None:
    """The part of a segment with x of 0 or more."""
    (x1, y1), (x2, y2) = sorted(segment)
    if x2 < 0:
        return None
    if x1 < 0:
        y1, x1 = y2 + (y1 - y2) * x2 / (x2 - x1), 0.0
    return (x1, y1), (x2, y2)


def _length(a: Point, b: Point) -> float:
    return hypot(b[0] - a[0], b[1] - a[1])


def _unit(a: Point, b: Point) -> Point | None:
    """The direction from a to b as a vector of length 1; None if they are one point."""
    length = _length(a, b)
    return ((b[0] - a[0]) / length, (b[1] - a[1]) / length) if length > TINY else None


def _turn(a: Point, b: Point, c: Point) -> float:
    """The orientation of a, b, c: positive or negative by the direction of the turn, 0 if they are on a line."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
