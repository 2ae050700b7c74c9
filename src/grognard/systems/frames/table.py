"""Measurements on the table: the range of an attack, what covers its target, and which stations are near.

Close calls go to the attacker for whether an attack can be made and to the defender for cover: a difference up to
`TOLERANCE` counts in that player's favour. This module depends on no rule and no state.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from grognard.board.table import TINY, Disc, Lane, Point, Shape, distance, move_away

HAND_REACH = 1.0
"""Hand-to-hand range, in ruler units."""
RULER = 8.0
"""The whole ruler: direct range."""
TOLERANCE = 0.05
STEP = 1.0
"""How far a frame moves when it abandons its position."""


class Range(StrEnum):
    """Hand to hand within one unit of the ruler, direct fire up to the ruler's eight, artillery beyond."""

    HAND = "hand"
    DIRECT = "direct"
    ARTILLERY = "artillery"


def range_at(gap: float) -> Range:
    """The shortest range that covers this distance."""
    if gap <= HAND_REACH + TINY:
        return Range.HAND
    return Range.DIRECT if gap <= RULER + TINY else Range.ARTILLERY


def out_of_range(at: Range, gap: float) -> str:
    """Why this distance is out of range, generous to the attacker; empty if it is not."""
    slack = TOLERANCE + TINY
    if at is Range.HAND and gap > HAND_REACH + slack:
        return f"hand-to-hand range ends at {HAND_REACH:g}"
    if at is Range.DIRECT and gap > RULER + slack:
        return f"direct range ends at {RULER:g}"
    if at is Range.ARTILLERY and gap < RULER - slack:
        return f"artillery range begins beyond {RULER:g}"
    return ""


class Piece(NamedTuple):
    """A terrain or a frame on the table."""

    id: str
    base: Shape
    flaw: str = ""
    """Why it cannot be cover anywhere; empty if it can."""


class CoverCheck(NamedTuple):
    """A piece near the target or in the lane: its distance from both, whether it covers the target, and why."""

    id: str
    from_target: float
    from_lane: float
    covers: bool
    why: str


def measure_cover(attacker: Disc, target: Disc, pieces: Iterable[Piece]) -> list[CoverCheck]:
    """A check of each piece within hand-to-hand range of the target or between it and its attacker, in order."""
    lane = Lane(attacker, target)
    slack = TOLERANCE + TINY
    checks: list[CoverCheck] = []
    for piece in pieces:
        from_target = distance(target, piece.base)
        is_near = from_target <= HAND_REACH + slack
        from_lane = lane.distance(piece.base) if lane.exists else from_target
        is_between = lane.exists and from_lane <= slack
        if is_near or is_between:
            covers = is_near and is_between and not piece.flaw
            why = piece.flaw or _describe_cover(is_near, is_between, from_target, from_lane)
            checks.append(CoverCheck(piece.id, from_target, from_lane, covers, why))
    return checks


def _describe_cover(is_near: bool, is_between: bool, from_target: float, from_lane: float) -> str:
    if not is_near:
        return f"in the line of attack, but {from_target:.2f} from the target: cover is within {HAND_REACH:g}"
    if not is_between:
        return f"{from_target:.2f} from the target, but {from_lane:.2f} beside the line of attack"
    return f"{from_target:.2f} from the target, in the line of attack"


def stations_near(base: Disc, stations: Sequence[Point]) -> tuple[int, ...]:
    """The indices of the stations within hand-to-hand range, the nearest first."""
    gaps = [
        (distance(base, Disc(at)), (at[0] - base.centre[0]) ** 2 + (at[1] - base.centre[1]) ** 2) for at in stations
    ]
    near = [place for place, (gap, _) in enumerate(gaps) if gap <= HAND_REACH + TINY]
    return tuple(sorted(near, key=lambda place: gaps[place][1]))


def retreat(start: Point, stations: Sequence[Point], size: Point, attacker: Point | None) -> tuple[Point, ...]:
    """Where a frame stands at first, and after it has abandoned each of these stations in sequence.

    It moves away from the station, or away from the attacker if it stands on the station.
    """
    places = [start]
    for station in stations:
        at = places[-1]
        otherwise = (1.0, 0.0) if attacker is None else (at[0] - attacker[0], at[1] - attacker[1])
        places.append(move_away(at, station, STEP, size, otherwise))
    return tuple(places)
