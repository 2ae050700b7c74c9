"""A state as data, with the geometry for drawing it, and the changes between two states as text."""

from collections.abc import Iterator

from grognard.board.table import Disc, Lane
from grognard.core.systems import Change, Json
from grognard.core.turns import role_of
from grognard.systems.frames.loadout import Kind
from grognard.systems.frames.result import scores, systems_kept, turn_dice
from grognard.systems.frames.setup import Frame, Setup
from grognard.systems.frames.state import (
    DIGITS,
    NO_SHOT,
    Assigned,
    Condition,
    State,
    holders,
    is_between_shots,
    place_of,
    round_point,
    setup_of_attack,
)
from grognard.systems.frames.table import HAND_REACH, RULER, TOLERANCE, Range

PIECES = 6
"""The pieces that terrain loses for each damage."""


def snapshot(setup: Setup, state: State) -> Json:
    """The state in the shape of a result, with every frame's dice and marks, and on a table the measurements."""
    numbered = enumerate(zip(setup.frames, state.frames, strict=True))
    shown: Json = {
        "frames": {frame.id: _frame(setup, state, place, frame, condition) for place, (frame, condition) in numbered},
        "terrain": {
            terrain.id: {"hits": hits, "side": None, "role": None}
            for terrain, hits in zip(setup.terrain, state.terrain, strict=True)
        },
        "abandoned": [frame.id for place, frame in enumerate(setup.frames) if state.abandonings(place)],
    }
    if setup.stations:
        shown["stations"] = {
            station.id: {"holder": holder, "at": list(station.at), **_owner(setup, holder)}
            for station, holder in zip(setup.stations, holders(setup, state), strict=True)
        }
    if setup.scores is not None:
        shown["scores"] = dict(scores(setup, state))
    dice = turn_dice(setup, state)
    if dice is not None and state.assigned is not None:
        shown["activation"] = {**dice._asdict(), "spot_die": state.assigned.spot}
    if setup.table is not None and not is_between_shots(setup, state):
        shown["geometry"] = geometry(setup_of_attack(setup, state))
    return shown


def _frame(setup: Setup, state: State, place: int, frame: Frame, condition: Condition) -> Json:
    kept = set(systems_kept(frame.names, condition.systems))
    kinds = frame.equipment.systems
    shown: Json = {
        "systems": sorted(condition.systems),
        "white": condition.white,
        "carried": [
            {"name": name, "kind": str(kind), "lost": number not in kept}
            for number, (name, kind) in enumerate(zip(frame.names, kinds, strict=True))
        ],
        "rockets": condition.rockets,
        "spot": condition.spot or None,
        "defense": condition.defense,
        "acted": condition.has_acted,
        "abandoned": state.abandonings(place),
        **_owner(setup, frame.player),
    }
    at = round_point(place_of(setup, state, place))
    return shown if frame.at is None else {**shown, "at": at and list(at)}


def _owner(setup: Setup, player: str | None) -> Json:
    return {"side": player, "role": None if player is None else str(role_of(setup, player))}


def geometry(setup: Setup) -> Json:
    """The measurements of the declared attack before the first die: its range, and what covers the target and why.

    `lane` is the outline of the area between target and attacker; it is null if one of them is not on the table.
    `reach` is the greatest distance of each range, from edge to edge, and `tolerance` that of a close call.
    """
    attacker = setup.frames[setup.by].base if setup.by >= 0 else None
    target = setup.base(setup.declared.on)
    lane = Lane(attacker, target) if attacker and isinstance(target, Disc) else None
    return {
        "by": setup.declared.by,
        "on": setup.declared.on,
        "distance": None if setup.distance is None else round(setup.distance, DIGITS),
        "range": str(setup.range),
        "reach": {str(Range.HAND): HAND_REACH, str(Range.DIRECT): RULER},
        "tolerance": TOLERANCE,
        "covers": list(setup.covers),
        "is_cover_given": setup.listed_covers is not None,
        "pieces": [
            {
                "id": piece.id,
                "from_target": round(piece.from_target, DIGITS),
                "from_lane": round(piece.from_lane, DIGITS),
                "covers": piece.covers,
                "why": piece.why,
            }
            for piece in setup.cover_checks
        ],
        "lane": [list(round_point(corner) or ()) for corner in lane.outline()] if lane and lane.exists else None,
        "stations": {
            frame.id: [setup.stations[number].id for number in near]
            for frame, near in zip(setup.frames, setup.stations_near, strict=True)
            if near
        },
    }


def changes(setup: Setup, before: State, after: State) -> Iterator[Change]:
    for terrain, had, has in zip(setup.terrain, before.terrain, after.terrain, strict=True):
        if has < had:
            gone = "" if has else ": it is no cover any more"
            yield Change(f"{terrain.id} takes {had - has} damage and loses {PIECES * (had - has)} pieces{gone}")
    is_declared = before.shot == NO_SHOT != after.shot
    for place, (stood, stands) in enumerate(zip(before.frames, after.frames, strict=True)):
        if stood != stands and not is_declared:
            for what in _frame_changes(setup_of_attack(setup, before), place, stood, stands):
                yield Change(what, setup.frames[place].player)
    if before.assigned and after.assigned:
        yield from _activation_changes(setup_of_attack(setup, before), before.assigned, after.assigned)
    yield from _score_changes(setup, before, after)


def _frame_changes(setup: Setup, place: int, had: Condition, has: Condition) -> Iterator[str]:
    frame = setup.frames[place]
    name = f"{frame.id} ({frame.player})"
    if has.abandoned > had.abandoned:
        yield f"{name} ignores one damage and abandons its position{_format_retreat(setup, place, has)}"
    gone = list(had.systems)
    for system in has.systems:
        gone.remove(system)
    for system in gone:
        yield f"{name} loses its {f'{system} system' if system in set(Kind) else system}"
    if has.white < had.white:
        yield f"{name} loses a white die" if has.white else f"{name} loses its last white die and is destroyed"
    if has.rockets != had.rockets:
        yield f"{name} has {has.rockets} of {had.rockets} rockets left"
    if has.is_destroyed:
        return
    if has.defense != had.defense:
        yield f"{name} sets its defense at {has.defense}"
    if has.spot > had.spot:
        yield f"{name} is spotted with {has.spot}"
    elif has.spot < had.spot:
        yield f"The spot of {had.spot} on {name} is used up"


def _format_retreat(setup: Setup, place: int, condition: Condition) -> str:
    """The station and the new place of the frame, if both are on the table."""
    near, places = setup.stations_near[place], setup.places[place]
    if not near:
        return ", one unit away from the station"
    x, y = round_point(places[condition.abandoned]) or (0, 0)
    return f" at {setup.stations[near[condition.abandoned - 1]].id}: it moves to {x:g}, {y:g}"


def _activation_changes(setup: Setup, had: Assigned, has: Assigned) -> Iterator[Change]:
    player = setup.active.player
    if has.move != had.move:
        yield Change(f"{setup.active.id} ({player}) may move {has.move}", player)
    if has.spot > had.spot:
        yield Change(f"{setup.active.id} ({player}) has a spot of {has.spot} for {setup.declared.on}", player)


def _score_changes(setup: Setup, before: State, after: State) -> Iterator[Change]:
    """Stations that are no longer held, and scores that have changed."""
    for station, had, has in zip(setup.stations, holders(setup, before), holders(setup, after), strict=True):
        if had != has:
            yield Change(f"{had} no longer holds {station.id}", had)
    if setup.scores is not None:
        for (player, had_score), (_, has_score) in zip(scores(setup, before), scores(setup, after), strict=True):
            if has_score != had_score:
                yield Change(f"{player}'s score: {had_score} → {has_score}", player)
