"""A system that misbehaves as its file says: its rules never end, fail, or leave the program, at once or later."""

import sys
from dataclasses import dataclass
from typing import Literal

from grognard.core.positions import Position
from grognard.core.rules import End, Next, Steps, Then, may, rule
from grognard.core.systems import Json, Measure, Objective, Role, System


@dataclass(frozen=True, slots=True)
class Unit:
    """Somebody."""

    id: str
    side: str


@dataclass(frozen=True, slots=True)
class Setup:
    """Two sides; what happens at `when` is `what`."""

    units: tuple[Unit, ...]
    when: Literal["check", "start", "yes", "over"] = "yes"
    what: Literal["endless", "fail", "exit", "large"] = "endless"


@dataclass(frozen=True, slots=True)
class Result:
    """Nothing."""

    def to_dict(self) -> Json:
        return {"units": {}}


def spring(setup: Setup) -> None:
    """Do what the file says."""
    while setup.what == "endless":
        pass
    if setup.what == "exit":
        sys.exit("a rule that leaves")
    if setup.what == "large":
        bytearray(2**40)
    raise RuntimeError("a rule that fails")


@rule("1")
def ask(setup: Setup, state: int) -> Steps:
    """Red says yes or no."""
    if setup.when == "start":
        spring(setup)
    says_yes = yield from may(setup.units[0].side, "Spring the trap?")
    return Then(answered, int(says_yes))


@rule("2")
def answered(setup: Setup, state: int) -> Next:
    """Yes springs it."""
    if state and setup.when == "yes":
        spring(setup)
    return Then(ask, 0) if setup.when == "yes" else End(state)


def faults(setup: Setup) -> list[None]:
    """None, if it comes to that."""
    if setup.when == "check":
        spring(setup)
    return []


def result(setup: Setup, state: int) -> Result:
    """What is left."""
    if setup.when == "over":
        spring(setup)
    return Result()


SYSTEM = System(
    name="trap",
    title="A trap",
    summary="rules that misbehave",
    setup=Setup,
    faults=faults,  # type: ignore[arg-type]
    start=lambda setup: Position(ask, (0,)),
    result=result,
    role_of=lambda setup, side: Role.ATTACKER if side == setup.units[0].side else Role.DEFENDER,
    objectives={"swing": Objective("nothing", lambda setup, result: 0)},
    measures=lambda setup: [Measure("nothing", lambda result: 0)],
    changes=lambda setup, before, after: [],
    rules=(ask, answered),
    after=lambda setup, source, state: source,
    end_turn=lambda source: source,
    example={"units": [{"id": "a", "side": "red"}, {"id": "b", "side": "blue"}], "when": "over", "what": "fail"},
)
