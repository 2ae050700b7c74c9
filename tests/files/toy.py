"""A made-up system whose set-up has every kind of field that a battle file may have."""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, cast

from grognard.core.errors import BattleError, Fault
from grognard.core.fields import AtLeast, AtMost, Doc
from grognard.core.positions import Position
from grognard.core.rules import End, rule
from grognard.core.systems import Json, Role, System


class Weather(StrEnum):
    CLEAR = "clear"
    RAIN = "rain"


@dataclass(frozen=True, slots=True)
class Gun:
    kind: Literal["hand", "direct", "artillery"]
    name: str = "gun"


@dataclass(frozen=True, slots=True)
class Unit:
    id: Annotated[str, Doc("its name")]
    die: Annotated[Literal[4, 6, 8], Doc("the faces of its die")]
    range: Annotated[int, AtLeast(0), Doc("how far it shoots")]
    at: Annotated[tuple[int, int], AtLeast(1), Doc("where it stands")]
    white: Annotated[int, AtLeast(1), AtMost(2)] = 2
    fired: bool = False
    guns: Annotated[tuple[str | Gun, ...], AtMost(3)] = ()


@dataclass(frozen=True, slots=True)
class Attack:
    by: Annotated[str, Doc("who attacks")]
    on: Annotated[str, Doc("who is attacked")]
    how: Annotated[Literal["direct", "call in"], Doc("the way, if it is fixed")] | None = None
    cover: str | tuple[str, ...] | None = None
    spotted: Literal["roll"] | bool = "roll"
    near_station: int | bool = 0
    dice: Annotated[str, AtLeast(0), AtMost(4)] | None = None


@dataclass(frozen=True, slots=True)
class Board:
    size: tuple[int, int] = (18, 18)
    capitals: dict[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Terrain:
    id: str
    hits: Annotated[int, AtMost(9)] = 1
    shape: tuple[int, str, bool] | None = None


@dataclass(frozen=True, slots=True)
class Score:
    frames: int


@dataclass(frozen=True, slots=True)
class Switches:
    ties: Annotated[Literal["defender", "attacker"], Doc("who wins ties", "1.1.00")] = "defender"
    weather: Annotated[Weather, Doc("what falls", "2.3")] = Weather.CLEAR
    captured: Annotated[bool, Doc("whether supplies are taken", "2.4")] = False


@dataclass(frozen=True, slots=True)
class Setup:
    units: Annotated[tuple[Unit, ...], AtLeast(1), Doc("all who are there")]
    attack: Annotated[Attack, Doc("what is resolved")]
    turn: Annotated[int, Doc("the turn")] = 1
    board: Annotated[Board, Doc("the map")] | None = None
    terrain: Annotated[tuple[Terrain, ...], Doc("what can be cover")] = ()
    scores: Annotated[dict[str, Score], Doc("points so far")] = field(default_factory=dict)
    rules: Annotated[Switches, Doc("readings")] = field(default_factory=Switches)
    computed: int = field(init=False, default=7)


def faults(setup: Setup) -> Iterator[Fault]:
    ids = [unit.id for unit in setup.units]
    for name, key in ((setup.attack.by, "by"), (setup.attack.on, "on")):
        if name not in ids:
            yield Fault(f"attack.{key}", f"no unit is called {name}")


def expand(source: Json, folder: Path) -> Json:
    """The scores may be the name of a JSON file."""
    if not isinstance(source.get("scores"), str):
        return source
    try:
        return {**source, "scores": json.loads((folder / source["scores"]).read_text())}
    except OSError:
        raise BattleError([Fault("scores", f"no file {source['scores']}")]) from None


@rule("1")
def over(setup: Setup, state: int) -> End:
    """Nothing happens."""
    return End(state)


class Nothing:
    def to_dict(self) -> Json:
        return {}


SMALL: Json = {
    "system": "toys",
    "units": [
        {"id": "hero", "die": 6, "range": 0, "at": [4, 4]},
        {"id": "regular", "die": 8, "range": 3, "at": [4, 5]},
    ],
    "attack": {"by": "hero", "on": "regular"},
}

TOY: System[Setup] = System(
    name="toys",
    title="Toys",
    summary="a system that was made up",
    setup=Setup,
    faults=faults,
    start=lambda setup: Position(over, (0,)),
    result=lambda setup, state: Nothing(),
    role_of=lambda setup, by: Role.ATTACKER,
    objectives={},
    measures=lambda setup: (),
    changes=lambda setup, before, after: (),
    rules=(over,),
    after=lambda setup, file, state: file,
    end_turn=lambda file: file,
    example=SMALL,
    expand=expand,
)

LARGE: Json = {
    "system": "toys",
    "turn": 3,
    "units": [
        {
            "id": "the hero",
            "die": 4,
            "range": 2,
            "at": [1, 18],
            "white": 1,
            "fired": True,
            "guns": ["hand", {"kind": "direct", "name": "“Bertha”"}],
        },
        {"id": "regular", "die": 8, "range": 3, "at": [4, 5], "guns": []},
    ],
    "attack": {
        "by": "the hero",
        "on": "regular",
        "how": "call in",
        "cover": ["wall", "hedge"],
        "spotted": True,
        "near_station": True,
        "dice": "",
    },
    "board": {"size": [9, 9], "capitals": {"red": [1, 1], "dark blue": [9, 9]}},
    "terrain": [{"id": "wall", "hits": 0, "shape": [3, "high", False]}, {"id": "hedge"}],
    "scores": {"Joshua": {"frames": 4}},
    "rules": {"ties": "attacker", "weather": "rain"},
}


def changed(value: object, *path: str | int, battle: Json = SMALL) -> Json:
    """The battle with one value replaced or added."""
    copy = deepcopy(battle)
    around: object = copy
    for step in path[:-1]:
        around = cast("dict[str | int, object]", around)[step]
    cast("dict[str | int, object]", around)[path[-1]] = value
    return copy


def without(*path: str | int, battle: Json = SMALL) -> Json:
    """The battle with one key left out."""
    copy = deepcopy(battle)
    around: object = copy
    for step in path[:-1]:
        around = cast("dict[str | int, object]", around)[step]
    del cast("dict[str | int, object]", around)[path[-1]]
    return copy
