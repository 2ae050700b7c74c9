"""Discs, hulls and half-planes as polygons with very many corners: an independent way to measure."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Point = tuple[float, float]
Polygon = list[Point]
CORNERS = 240


def disc_polygon(disc: tuple[Point, float]) -> Polygon:
    (x, y), radius = disc
    angles = np.linspace(0, 2 * np.pi, CORNERS, endpoint=False)
    return list(zip((x + radius * np.cos(angles)).tolist(), (y + radius * np.sin(angles)).tolist(), strict=True))


def hull(points: Sequence[Point]) -> Polygon:
    """The convex hull, by walking along its lower and its upper side."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def side(line: Sequence[Point]) -> Polygon:
        kept: Polygon = []
        for x, y in line:
            while len(kept) > 1:
                (x1, y1), (x2, y2) = kept[-2:]
                if (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) > 0:
                    break
                kept.pop()
            kept.append((x, y))
        return kept[:-1]

    return side(ordered) + side(ordered[::-1])


def right_of(polygon: Polygon, origin: Point, towards: Point) -> Polygon:
    """The part of a polygon on the side of `towards` of the line through `origin` across that direction."""
    dx, dy = towards[0] - origin[0], towards[1] - origin[1]
    cut: Polygon = []
    for (x1, y1), (x2, y2) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        a = (x1 - origin[0]) * dx + (y1 - origin[1]) * dy
        b = (x2 - origin[0]) * dx + (y2 - origin[1]) * dy
        if a >= 0:
            cut.append((x1, y1))
        if (a < 0) != (b < 0):
            cut.append((x1 + (x2 - x1) * a / (a - b), y1 + (y2 - y1) * a / (a - b)))
    return cut


def polygon_distance(a: Polygon, b: Polygon) -> float:
    """The distance of two polygons: 0 if they overlap, else the least distance of a corner from a side."""
    one, other = np.array(a, float), np.array(b, float)
    if _inside(one, other).any() or _inside(other, one).any() or _cross(one, other):
        return 0.0
    return float(min(_corner_to_side(one, other), _corner_to_side(other, one)))


def _sides(polygon: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    return polygon, np.roll(polygon, -1, axis=0)


def _inside(points: NDArray[Any], polygon: NDArray[Any]) -> NDArray[Any]:
    """By the winding of the polygon's sides around each point: odd numbers of crossings to the right."""
    start, end = _sides(polygon)
    x, y = points[:, :1], points[:, 1:]
    spans = (start[:, 1] > y) != (end[:, 1] > y)
    rise = np.where(end[:, 1] == start[:, 1], 1, end[:, 1] - start[:, 1])
    meets = start[:, 0] + (y - start[:, 1]) * (end[:, 0] - start[:, 0]) / rise
    return np.asarray((spans & (x < meets)).sum(axis=1) % 2 == 1)


def _cross(a: NDArray[Any], b: NDArray[Any]) -> bool:
    (p, q), (r, s) = _sides(a), _sides(b)

    def turn(o: NDArray[Any], u: NDArray[Any], v: NDArray[Any]) -> NDArray[Any]:
        return np.asarray(
            (u[..., 0] - o[..., 0]) * (v[..., 1] - o[..., 1]) - (u[..., 1] - o[..., 1]) * (v[..., 0] - o[..., 0])
        )

    p, q, r, s = p[:, None], q[:, None], r[None], s[None]
    return bool(((turn(p, q, r) * turn(p, q, s) < 0) & (turn(r, s, p) * turn(r, s, q) < 0)).any())


def _corner_to_side(points: NDArray[Any], polygon: NDArray[Any]) -> float:
    start, end = _sides(polygon)
    along = end - start
    square = np.maximum((along**2).sum(axis=1), 1e-300)
    part = ((points[:, None] - start) * along).sum(axis=2) / square
    nearest = start + np.clip(part, 0, 1)[..., None] * along
    return float(np.sqrt(((points[:, None] - nearest) ** 2).sum(axis=2)).min())
