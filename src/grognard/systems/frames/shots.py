"""The shots of a turn: which are possible in a state, and which parts of the state each depends on.

The parts of a state are the bodies of all frames, their dice, their places, all terrain, the holders of all stations,
and the assigned dice of an activation.
"""

from collections.abc import Hashable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from grognard.core.systems import Json, Mark, PossibleAttack
from grognard.core.turns import loss_contribution
from grognard.systems.frames.faults import faults_now
from grognard.systems.frames.setup import Setup, ShotSetup
from grognard.systems.frames.state import Condition, State, setup_of_attack


def is_possible(setup: Setup, state: State, shot: int) -> bool:
    state = state._replace(shot=shot)
    return next(faults_now(setup_of_attack(setup, state), state), None) is None


class Body(NamedTuple):
    """What is left of a frame."""

    systems: tuple[str, ...]
    white: int


class Dice(NamedTuple):
    """The dice beside a frame; no rockets once it cannot fire them any more in this turn."""

    spot: int
    defense: int | None
    rockets: int
    has_acted: bool


NOBODY_HOLDS = (None,)
NO_DICE = ()
"""The dice of a frame that has acted in this turn or is destroyed, as they no longer matter."""


def parts(state: State) -> tuple[Hashable, ...]:
    """All parts of a state between two shots, or before an attack."""
    return (
        *(Body(frame.systems, frame.white) for frame in state.frames),
        *(_dice(frame) for frame in state.frames),
        *state.places,
        *state.terrain,
        *((holder,) for holder in state.holders),
        state.assigned and state.assigned._replace(move=0),
    )


def _dice(frame: Condition) -> Hashable:
    if frame.acts_in_turn or frame.is_destroyed:
        return NO_DICE
    return Dice(frame.spot, frame.defense, 0 if frame.has_acted else frame.rockets, frame.has_acted)


def with_parts(state: State, values: tuple[Any, ...]) -> State:
    frames = len(state.frames)
    terrain = 3 * frames + len(state.terrain)
    pairs = zip(values[:frames], values[frames : 2 * frames], strict=True)
    return state._replace(
        frames=tuple(_condition(body, dice) for body, dice in pairs),
        places=values[2 * frames : 3 * frames],
        terrain=values[3 * frames : terrain],
        holders=tuple(holder for (holder,) in values[terrain:-1]),
        assigned=values[-1],
    )


def _condition(body: Body, dice: Dice | tuple[()]) -> Condition:
    if isinstance(dice, Dice):
        spot, defense, rockets, has_acted = dice
        return Condition(*body, rockets=rockets, spot=spot, defense=defense, has_acted=has_acted)
    return Condition(*body, has_acted=True, acts_in_turn=True)


class Layout(NamedTuple):
    """The indices of the parts of a state, from the numbers of frames, terrains and stations."""

    frames: int
    terrain: int
    stations: int

    def body(self, frame: int) -> int:
        return frame

    def dice(self, frame: int) -> int:
        return self.frames + frame

    def place(self, frame: int) -> int:
        return 2 * self.frames + frame

    def piece(self, terrain: int) -> int:
        return 3 * self.frames + terrain

    @property
    def holders(self) -> range:
        first = self.piece(self.terrain)
        return range(first, first + self.stations)

    @property
    def assigned(self) -> int:
        return self.piece(self.terrain) + self.stations


def layout(setup: Setup) -> Layout:
    return Layout(len(setup.frames), len(setup.terrain), len(setup.stations))


def is_settled(setup: Setup, part: int, value: Any) -> bool:
    """Whether a part can no longer change or matter: destroyed frames, dice of no use, stations without a holder."""
    if isinstance(value, Body):
        return value.white == 0
    return value in (NO_DICE, NOBODY_HOLDS)


def contribution(setup: Setup, objective: str, part: int, value: Any) -> int:
    """What a part adds to an objective of a turn, or to a sum over frames, if it stays as it is."""
    target = setup.turn.target if setup.turn else None
    if not isinstance(value, Body):
        is_target = target is not None and setup.frame(target) < 0 and part == layout(setup).piece(setup.piece(target))
        return int(objective == "kill" and is_target and value == 0)
    frame, is_enemy = setup.frames[part], setup.frames[part].player != setup.side
    return loss_contribution(
        objective,
        frame.strength - len(value.systems) - value.white,
        is_destroyed=not value.white,
        is_enemy=is_enemy,
        is_target=None if target is None else frame.id == target,
    )


def shots_of_turn(setup: Setup) -> Iterator[PossibleAttack]:
    """Every shot that the file lists."""
    for number, (name, here) in enumerate(zip(setup.shot_ids, setup.first_shots, strict=True)):
        is_measured = here.declared.range is None
        kinds = tuple(here.active.kinds.items())
        opening = number if is_measured else (kinds, here.range, here.target < 0, here.risks_own_frame)
        involved, before = _involved(here, is_measured)
        yield PossibleAttack(name, here.frames[here.by].id, here.declared.on, number, involved, before, opening)


def _involved(here: ShotSetup, is_measured: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The parts that a shot depends on or may change, and those among them that matter before the attack."""
    at, by, on = layout(here), here.by, here.target
    covers = [(here.frame(name), here.piece(name)) for name in here.possible_covers]
    damaged = [place for place in (on, *(frame for frame, _ in covers)) if place >= 0]
    owners = {here.frames[place].player for place in damaged}
    guards = [place for place, frame in enumerate(here.frames) if here.stations and frame.player in owners]
    others = [part for place in (*damaged, *guards) for part in (at.body(place), at.dice(place), at.place(place))]
    terrain = [at.piece(piece) for frame, piece in covers if frame < 0]
    target = at.body(on) if on >= 0 else at.piece(here.piece(here.declared.on))
    before = [at.dice(by), at.body(by), at.assigned]
    if is_measured:
        before += [at.place(frame) for frame in (by, on) if frame >= 0]
    held = at.holders if damaged else ()
    involved = dict.fromkeys((at.dice(by), target, *before, at.place(by), *others, *terrain, *held))
    return tuple(involved), tuple(before)


def marks(setup: Setup, part: int, value: Any) -> list[Mark]:
    """The systems of a frame, its spot and defense, its place; the hits left of terrain; the holder of a station."""
    at, frames = layout(setup), len(setup.frames)
    if part < 3 * frames:
        return _marks_of_frame(setup.frames[part % frames].id, value)
    if part in at.holders:
        return [Mark(setup.stations[part - at.holders.start].id, f"is held by {value[0] or 'nobody'}")]
    return [Mark(setup.terrain[part - 3 * frames].id, "has {} of its hits left", value)] if part != at.assigned else []


def _marks_of_frame(name: str, value: Any) -> list[Mark]:
    if isinstance(value, Body):
        return [Mark(name, f"has {', '.join(value.systems) or 'no systems'}" if value.white else "is destroyed")]
    if value == NO_DICE:
        return [Mark(name, "is destroyed")] * 2
    if isinstance(value, Dice):
        spot = Mark(name, "has a spot of {}", value.spot) if value.spot else Mark(name, "has no spot")
        return [spot, Mark(name, "has a defense of {}", value.defense or 0)]
    return [Mark(name, "is where it was" if not value.abandoned else "left its position")]


def as_turn(setup: Setup, source: Json) -> Json | None:
    """The file with its activation as the only shot of a turn; None for an attack by numbers alone."""
    if setup.activation is None:
        return None
    rest = {key: value for key, value in source.items() if key != "activation"}
    return {**rest, "turn": {"player": setup.side, "shots": [source["activation"]]}}


def representative(setup: Setup, part: int, value: Any) -> Any:
    """The part with only the number of a frame's systems, if their kinds do not matter."""
    if not isinstance(value, Body) or part in setup.frames_with_systems:
        return value
    return Body(setup.frames[part].names[:1] * len(value.systems), value.white)


def interchangeable(setup: Setup, objective: str) -> list[list[int]]:
    """The dice of frames with the same equipment and shots that cannot be damaged, if nothing is measured."""
    groups: dict[Hashable, list[int]] = {}
    covers = {name for here in setup.first_shots for name in here.possible_covers}
    for place, frame in enumerate(setup.frames):
        own = [shot for shot in setup.turn.shots if shot.by == frame.id] if setup.turn else []
        shots = [replace(shot, by="", id=None) for shot in own]
        if shots and setup.table is None and frame.id not in covers:
            groups.setdefault((frame.equipment, tuple(shots)), []).append(layout(setup).dice(place))
    return list(groups.values())
