"""What a system is to its readers: one object that each folder under `systems/` makes."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from grognard.core.errors import Fault
from grognard.core.positions import Position
from grognard.core.rules import Rule

S = TypeVar("S")
Json = dict[str, Any]


class Role(StrEnum):
    """What a side does in one attack: the attacker maximises the objective, the defender minimises it."""

    ATTACKER = "attacker"
    DEFENDER = "defender"


class Result(Hashable, Protocol):
    """What is left after the attack. Equal results are one outcome."""

    def to_dict(self) -> Json:
        """The result as other programs read it."""
        ...


@dataclass(frozen=True, slots=True)
class Objective:
    """What the attacking side wants much of: a number read off the result."""

    says: str
    of: Callable[[Any, Any], int]
    """From set-up and result."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number (or a name) that people ask about: read off the result, summed up by charts and tables."""

    name: str
    """For programs: `rifles loses`, `rifles destroyed`."""
    of: Callable[[Any], int | str | bool]
    role: Role | None = None
    """The role of the side whose loss it is."""
    side: str | None = None
    """The side whose loss it is."""
    label: str = ""
    """For people: `Blue rifles: losses`."""


class Change(NamedTuple):
    """What a rule changed, in a sentence for people, and the side that it happened to."""

    what: str
    side: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A figure of the game, and the mark of where it is known from."""

    what: str
    figure: str
    mark: str


def _no_snapshot(setup: object, state: object) -> Json:
    return {}


def _as_it_is(source: Json, folder: Path) -> Json:
    return source


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class System(Generic[S]):
    """One game's combat chapter, as everything else sees it."""

    name: str
    title: str
    summary: str
    """What it is, in a line."""
    setup: type[S]
    """The dataclass of what a battle file may say."""
    faults: Callable[[S], Iterable[Fault]]
    """What is wrong with a set-up whose fields are each right."""
    start: Callable[[S], Position]
    result: Callable[[S, Any], Result]
    """The result that a final state means."""
    role_of: Callable[[S, str], Role]
    """The role of a side in this attack."""
    objectives: Mapping[str, Objective]
    measures: Callable[[S], Sequence[Measure]]
    """What people ask about in this battle, the most asked first."""
    changes: Callable[[S, Any, Any], Iterable[Change | str]]
    """For people: what a rule changed, from the state before and the state after."""
    rules: tuple[Rule[Any, ...], ...]
    """In the chapter's order."""
    after: Callable[[S, Json, Any], Json]
    """The battle file as it stands after the attack, from set-up, file and final state."""
    end_turn: Callable[[Json], Json]
    """The battle file with the turn's marks cleared."""
    example: Json
    """A small battle to start a new file from."""
    snapshot: Callable[[S, Any], Json] = _no_snapshot
    """A state as data: the shape of a result plus the marks. Whatever belongs to somebody has its `side` and `role`."""
    relevant: Callable[[S, Any], Any] | None = None
    """A state without what no result of this battle depends on, such as marks for the next battle.

    The solver merges positions whose relevant states are equal. None: everything is relevant.
    """
    paragraphs: Mapping[str, str] = field(default_factory=dict)
    """Paragraphs that are no rule of ours, in our words: how they are covered, or why they are not."""
    roster: Callable[[], Mapping[str, Json]] = dict
    """Ready-made units by name, as a battle file would write them."""
    sources: Callable[[], Sequence[Source]] = tuple
    """Where the figures of the game come from."""
    expand: Callable[[Json, Path], Json] = _as_it_is
    """The file with everything in it that it names by path, relative to this folder."""

    def relevant_position(self, setup: S, position: Position) -> Position:
        """The position without what no result of this battle depends on."""
        if self.relevant is None:
            return position
        return position._replace(args=(self.relevant(setup, position.state), *position.args[1:]))


@dataclass(frozen=True, slots=True)
class Battle:
    """A legal battle: its system, its set-up, and the file's own words."""

    system: System[Any]
    setup: Any
    source: Json = field(compare=False, hash=False, repr=False)

    def start(self) -> Position:
        """Where the battle begins."""
        return self.system.start(self.setup)
