"""What a system is to its readers: one object that each folder under `systems/` makes."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from grognard.core.errors import Fault
from grognard.core.late import Pictured, open_package
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
    in_turns: bool = True
    """Whether a whole turn has this objective too."""


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
    part: int | None = None
    """In a turn: the one part of the state that it is computed from; None: it is a sum of contributions."""


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


def _turn_of_side(setup: Any, source: Json) -> Json:
    return {**{key: value for key, value in source.items() if key != "attack"}, "turn": {"side": setup.side}}


def _none_alike(setup: object, objective: str) -> Sequence[Sequence[int]]:
    return ()


def _no_marks(setup: object, part: int, value: object) -> "Sequence[Mark]":
    return ()


def _none_offered(setup: object) -> Sequence[int]:
    return ()


def _no_offer(setup: object, position: Position) -> None:
    return None


class Mark(NamedTuple):
    """What something has come to in a turn, for people: `suppressed`, or `with {} supplies` and a number."""

    of: str
    says: str
    number: int | None = None


class PossibleAttack(NamedTuple):
    """An attack that may be declared in a turn, if it is legal then."""

    id: str
    by: str
    on: str
    declaration: Any
    """What `TurnRules.begin` needs to know of it."""
    involved: tuple[int, ...]
    """The parts of the state that it depends on or may change, the attacker's and the target's first."""
    before_cut: tuple[int, ...] = ()
    """Those that it depends on or may change before the cut, if attacks have one."""
    stage: Hashable = None
    """Attacks with the same are the same before the cut, for the same parts, but for the names in the questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRules(Generic[S]):
    """What a system says of whole turns: several attacks of one side, one after the other.

    The state falls into parts (units, decks, terrain), each of which an attack depends on or not.
    """

    choice: Rule[Any, ...]
    """The rule that asks for the next attack. Every attack of a turn ends in it, called with the state alone."""
    attacks: Callable[[S], Iterable[PossibleAttack]]
    """Every attack that could ever be declared in this turn, in the order in which they are offered."""
    is_possible: Callable[[S, Any, Any], bool]
    """Whether a declaration is legal in a state."""
    begin: Callable[[S, Any, Any], Position]
    """Where the resolution of a declared attack begins."""
    parts: Callable[[Any], tuple[Hashable, ...]]
    with_parts: Callable[[Any, tuple[Any, ...]], Any]
    """A state with other parts, between two attacks."""
    is_settled: Callable[[S, int, Any], bool]
    """Whether a part can no longer change or matter in this turn."""
    contribution: Callable[[S, str, int, Any], int]
    """What a part adds to an objective or to a measure that is a sum, by its name, if the part stays as it is."""
    offered: Callable[[S], Sequence[int]] = _none_offered
    """Parts such as cards in hand: there until they are used, and then settled, with no effect but being offered."""
    offers: Callable[[S, Position], int | None] = _no_offer
    """Which of these parts the option `yes` of a position uses, if any."""
    as_turn: Callable[[S, Json], Json | None] = _turn_of_side
    """The file of a single attack with a turn of its side instead, from set-up and file; None: it has to list one."""
    marks: Callable[[S, int, Any], Sequence[Mark]] = _no_marks
    """What people see of a part beside its losses, to tell results apart: of each part always as many."""
    alike: Callable[[S, str], Sequence[Sequence[int]]] = _none_alike
    """Groups of parts that may change places without changing what a turn is worth, for an objective."""
    stands_for: Callable[[S, int, Any], Any] | None = None
    """The one part that stands for all that are worth the same for the rest of the turn. None: each for itself."""
    cut: Rule[Any, ...] | None = None
    """A rule that every attack comes to once, called with the state alone.

    Much may happen before it that depends on few parts: that is explored once for each combination of these.
    """


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
    turn: TurnRules[S] | None = None
    """Whole turns, if the system has them: a set-up whose `turn` is not None is one."""
    refused_keys: Mapping[str, str] = field(default_factory=dict)
    """Keys of a file that other systems have, and why this one has not."""
    paragraphs: Mapping[str, str] = field(default_factory=dict)
    """Paragraphs that are no rule of ours, in our words: how they are covered, or why they are not."""
    roster: Callable[[], Mapping[str, Json]] = dict
    """Ready-made units by name, as a battle file would write them."""
    figures: Callable[[], Mapping[str, Json]] = dict
    """Figures of the game, such as unit cards, by the key under which a battle file would write its own."""
    sources: Callable[[], Sequence[Source]] = tuple
    """Where the figures of the game come from."""
    expand: Callable[[Json, Path], Json] = _as_it_is
    """The file with everything in it that it names by path, relative to this folder."""

    def relevant_position(self, setup: S, position: Position) -> Position:
        """The position without what no result of this battle depends on."""
        if self.relevant is None:
            return position
        return position._replace(args=(self.relevant(setup, position.state), *position.args[1:]))


@dataclass(frozen=True, slots=True, repr=False)
class Battle(Pictured):
    """A legal battle: its system, its set-up, and the data of the file. Battles of equal set-ups are equal."""

    system: System[Any]
    setup: Any
    source: Json = field(compare=False, hash=False)

    def __repr__(self) -> str:
        tables = [f"{len(value)} {key}" if isinstance(value, list) else key for key, value in self.source.items()]
        listed = ", ".join(table for table in tables if table != "system")
        return f"<Battle of {self.system.name}: {listed[:100]}>"

    def start(self) -> Position:
        """Where the battle begins."""
        return self.system.start(self.setup)

    @property
    def is_turn(self) -> bool:
        """Whether it is a whole turn instead of a single attack."""
        return self.system.turn is not None and getattr(self.setup, "turn", None) is not None

    @property
    def objectives(self) -> Mapping[str, Objective]:
        """The objectives that this battle has."""
        known = self.system.objectives
        return {name: one for name, one in known.items() if one.in_turns} if self.is_turn else known

    def replace(self, path: str, value: object) -> "Battle":
        """The battle with another value at a path such as `units[0].strength`; faults as for a file."""
        replaced: Battle = open_package("files").replace(self, path, value)
        return replaced
