"""What an attack comes to: the result, what it is worth, and what people ask of it."""

from dataclasses import dataclass
from typing import NamedTuple

from grognard.core.systems import Json, Measure, Objective, Role
from grognard.systems.frames.scores import scores
from grognard.systems.frames.setup import Setup, role_of
from grognard.systems.frames.state import State


class Left(NamedTuple):
    """A frame's id, its systems by their names in alphabetical order, and its white dice."""

    id: str
    systems: tuple[str, ...]
    white: int


class Set(NamedTuple):
    """What a frame's turn leaves on the table: its defense, its move, the spot on its target, its rockets."""

    defense: int
    move: int
    spot: int
    rockets: int


@dataclass(frozen=True, slots=True)
class Result:
    """Every frame and terrain, and who abandoned its position; scores and the turn's values where the file has them."""

    frames: tuple[Left, ...]
    terrain: tuple[tuple[str, int], ...]
    abandoned: tuple[str, ...]
    scores: tuple[tuple[str, int], ...] | None = None
    activation: Set | None = None

    def to_dict(self) -> Json:
        """The result as other programs read it."""
        told: Json = {
            "frames": {frame.id: {"systems": list(frame.systems), "white": frame.white} for frame in self.frames},
            "terrain": {name: {"hits": hits} for name, hits in self.terrain},
            "abandoned": list(self.abandoned),
        }
        if self.scores is not None:
            told["scores"] = dict(self.scores)
        if self.activation is not None:
            told["activation"] = self.activation._asdict()
        return told


def result(setup: Setup, final: State) -> Result:
    """The result with ids for places."""
    pairs = list(zip(setup.frames, final.frames, strict=True))
    turn = final.turn
    return Result(
        tuple(Left(frame.id, tuple(sorted(condition.systems)), condition.white) for frame, condition in pairs),
        tuple((terrain.id, hits) for terrain, hits in zip(setup.terrain, final.terrain, strict=True)),
        tuple(frame.id for frame, condition in pairs if condition.abandoned),
        None if setup.scores is None else scores(setup, final),
        None if turn is None else Set(turn.defense, turn.move, turn.spot, turn.rockets),
    )


def lost(setup: Setup, result: Result, place: int) -> int:
    """The systems and white dice that a frame has lost."""
    frame = result.frames[place]
    return setup.frames[place].strength - len(frame.systems) - frame.white


def swing(setup: Setup, result: Result) -> int:
    """Systems and white dice that enemies lose, less what the attacking player loses."""
    return sum(
        (-1 if role_of(setup, frame.player) is Role.ATTACKER else 1) * lost(setup, result, place)
        for place, frame in enumerate(setup.frames)
    )


def kill(setup: Setup, result: Result) -> int:
    """1 if the target is destroyed, or is terrain that is no cover any more."""
    if setup.target >= 0:
        return int(result.frames[setup.target].white == 0)
    return int(result.terrain[setup.piece(setup.aim.on)][1] == 0)


OBJECTIVES = {
    "swing": Objective("systems and white dice that enemies lose, less what the attacking player loses", swing),
    "kill": Objective("the target is destroyed, or is terrain that is no cover any more", kill),
}


def measures(setup: Setup) -> list[Measure]:
    """What target and cover lose, whether they are destroyed, whether they abandon; what the turn sets."""
    asked: list[Measure] = []
    for name in (setup.aim.on, *setup.covers):
        place = setup.frame(name)
        asked += _of_terrain(setup, name) if place < 0 else _of_frame(setup, place)
    if setup.activation:
        asked += [_of_turn(name) for name in Set._fields]
    return asked


def _of_frame(setup: Setup, place: int) -> list[Measure]:
    frame = setup.frames[place]
    role = role_of(setup, frame.player)
    asked = [
        Measure(f"{frame.id} ({frame.player}) loses", lambda result: lost(setup, result, place), role, frame.player),
        Measure(f"{frame.id} destroyed", lambda result: result.frames[place].white == 0),
    ]
    if setup.abandons[place]:
        asked.append(Measure(f"{frame.id} abandons its position", lambda result: frame.id in result.abandoned))
    return asked


def _of_terrain(setup: Setup, name: str) -> list[Measure]:
    place = setup.piece(name)
    before = setup.terrain[place].hits
    return [
        Measure(f"{name} takes", lambda result: before - result.terrain[place][1]),
        Measure(f"{name} is no cover any more", lambda result: result.terrain[place][1] == 0),
    ]


def _of_turn(name: str) -> Measure:
    return Measure(f"{name} after the turn", lambda result: getattr(result.activation, name))
