"""The table once more, with every base a polygon of very many corners: shares no code with the package.

A close call that polygons cannot decide raises `TooClose`.
"""

import json
from dataclasses import dataclass, field
from functools import lru_cache
from math import hypot
from typing import Any

from tests.board.polygons import Point, Polygon, disc_polygon, hull, polygon_distance, right_of

Json = dict[str, Any]
ERROR = 1e-4


class TooClose(Exception):
    """A distance lies too near to a bound for this way of measuring."""


def at_most(gap: float, bound: float) -> bool:
    if abs(gap - bound) < ERROR:
        raise TooClose
    return gap < bound


def radius(frame: Json) -> float:
    return float(frame.get("radius", 0.25))


def base(thing: Json) -> Polygon:
    return disc_polygon((thing["at"], radius(thing))) if "at" in thing else [tuple(point) for point in thing["outline"]]


@dataclass(frozen=True)
class Measurements:
    range: str = ""
    covers: list[str] = field(default_factory=list)
    near: dict[str, list[str]] = field(default_factory=dict)

    def place(self, battle: Json, name: str, abandoned: list[str]) -> Point:
        """Where a frame stands after it has abandoned these stations."""
        frames = {frame["id"]: frame for frame in battle["frames"]}
        x, y = frames[name]["at"]
        enemy = frames.get((battle.get("attack") or battle.get("activation") or {}).get("by"), {}).get("at")
        for station in abandoned:
            fro = next(one["at"] for one in battle["stations"] if one["id"] == station)
            dx, dy = x - fro[0], y - fro[1]
            if hypot(dx, dy) < 1e-9:
                dx, dy = (x - enemy[0], y - enemy[1]) if enemy else (1.0, 0.0)
            length = hypot(dx, dy)
            dx, dy = (dx / length, dy / length) if length > 1e-9 else (1.0, 0.0)
            width, depth = battle["table"]["size"]
            x, y = min(max(x + dx, 0.0), width), min(max(y + dy, 0.0), depth)
        return x, y

    def is_near(self, battle: Json, place: int, abandoned: list[str], station: Json) -> bool:
        """Whether a frame that has abandoned some stations stands within a unit of this one."""
        frame = battle["frames"][place]
        x, y = self.place(battle, frame["id"], abandoned)
        return at_most(hypot(x - station["at"][0], y - station["at"][1]) - radius(frame), 1)


def near_stations(frame: Json, stations: list[Json]) -> list[str]:
    """The stations within a unit of a frame, the nearest first."""
    (x, y), ids = frame["at"], [station["id"] for station in stations]
    distances = [hypot(x - station["at"][0], y - station["at"][1]) for station in stations]
    nearest = sorted(zip(distances, range(len(ids)), ids, strict=True))
    return [name for distance, _, name in nearest if at_most(distance - radius(frame), 1)]


def measure(battle: Json) -> Measurements:
    """Range, covers and near stations of the attack that a file declares, as far as it has a table."""
    return _measure(json.dumps(battle))


@lru_cache(maxsize=1)
def _measure(file: str) -> Measurements:
    """So many corners take long, and a test asks several times about one battle."""
    battle = json.loads(file)
    if "table" not in battle:
        return Measurements()
    aim = battle.get("attack") or battle["activation"]
    things = {thing["id"]: thing for thing in (*battle["terrain"], *battle["frames"])}
    near = {
        frame["id"]: near_stations(frame, battle.get("stations", [])) for frame in battle["frames"] if "at" in frame
    }
    if "by" not in aim:
        return Measurements(near=near)
    attacker, target = things[aim["by"]], things[aim["on"]]
    gap = polygon_distance(base(attacker), base(target))
    reach = "hand" if at_most(gap, 1) else "direct" if at_most(gap, 8) else "artillery"
    if "outline" in target:
        return Measurements(reach, near=near)
    lane = right_of(hull([*base(attacker), *base(target)]), target["at"], attacker["at"])
    covers = []
    for thing in things.values():
        if thing["id"] in (aim["by"], aim["on"]):
            continue
        if "at" not in thing and "outline" not in thing:
            continue
        is_fit = "at" in thing or (thing["hits"] > 0 and thing.get("height", 3) >= 3)
        is_close = at_most(polygon_distance(base(thing), base(target)), 1.05)
        if is_fit and is_close and at_most(polygon_distance(base(thing), lane), 0.05):
            covers.append(thing["id"])
    return Measurements(reach, covers, near)
