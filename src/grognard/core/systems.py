"""The interface of a system: each folder under `systems/` defines one `System` object."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from grognard.core.errors import Fault
from grognard.core.lazy import NotebookDisplay, import_package
from grognard.core.positions import Position
from grognard.core.rules import Rule
from grognard.core.wording import capitalized

S = TypeVar("S")
Json = dict[str, Any]


class Role(StrEnum):
    """What a side does in one attack: the attacker maximises the objective, the defender minimises it."""

    ATTACKER = "attacker"
    DEFENDER = "defender"


class Result(Hashable, Protocol):
    """The state after the attack, as far as it is reported. Equal results are one outcome."""

    def to_dict(self) -> Json:
        """The result as JSON."""
        ...


@dataclass(frozen=True, slots=True)
class Objective:
    """A number computed from the result that the attacker maximises and the defender minimises."""

    description: str
    of: Callable[[Any, Any], int]
    """From set-up and result."""
    in_turns: bool = True
    """Whether a whole turn has this objective too."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number or a name computed from the result, for summaries, charts and tables."""

    name: str
    """For programs: `rifles loses`, `rifles destroyed`."""
    of: Callable[[Any], int | str | bool]
    role: Role | None = None
    """The role of the side whose loss it is."""
    side: str | None = None
    """The side whose loss it is."""
    what: str = ""
    """The quantity, for people: `losses`; by default the name."""
    part: int | None = None
    """In a turn, the part of the state that it is a function of; None: it is a sum of contributions of all parts."""
    owner: str = ""
    """The unit or side that it belongs to, as within a sentence: `Blue rifles`, `the attacking side`."""

    @property
    def label(self) -> str:
        """Owner and quantity, for people: `Blue rifles: losses`, `The attacking side: losses`."""
        what = self.what or self.name
        return capitalized(f"{self.owner}: {what}" if self.owner else what)


class Change(NamedTuple):
    """What a rule changed, in a sentence for people, and the side that it affects."""

    what: str
    side: str | None = None


@dataclass(frozen=True, slots=True)
class SourcedFigure:
    """A figure of the game, and the mark of its source."""

    what: str
    figure: str
    mark: str


def _turn_of_side(setup: Any, source: Json) -> Json:
    return {**{key: value for key, value in source.items() if key != "attack"}, "turn": {"side": setup.side}}


class Mark(NamedTuple):
    """The condition of a unit in a turn, for people: `is suppressed`, or `has {} supply` and a number."""

    of: str
    text: str
    number: int | None = None


class PossibleAttack(NamedTuple):
    """An attack that may be declared in a turn, if it is legal then."""

    id: str
    by: str
    on: str
    declaration: Any
    """The attack as `TurnRules` gets it."""
    involved: tuple[int, ...]
    """The parts of the state that it depends on or may change, the attacker's and the target's first."""
    before_checkpoint: tuple[int, ...] = ()
    """The parts that it depends on or may change before `TurnRules.checkpoint`, if there is one."""
    opening: Hashable = None
    """Attacks with an equal opening run the same way up to the checkpoint, from the same parts, except for the names in
    the questions."""
    involvement_depends_on: tuple[int, ...] = ()
    """The parts on which `TurnRules.involved_now` depends."""
    times: int = 1
    """How often it can be made in a turn, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRules(Generic[S]):
    """The rules of a whole turn: several attacks of one side in sequence.

    The state between two attacks is a tuple of parts (units, decks, terrain). An attack depends on some of them only.
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
    """The parts of a state between two attacks."""
    with_parts: Callable[[Any, tuple[Any, ...]], Any]
    """The same state with these parts."""
    is_settled: Callable[[S, int, Any], bool]
    """Whether a part, given by index and value, is settled: it can no longer change or matter in this turn."""
    contribution: Callable[[S, str, int, Any], int]
    """What a part adds to an objective or a measure, given by name, if the part stays as it is."""
    involved_now: Callable[[S, Any, Any], tuple[int, ...]] | None = None
    """The parts that a declared attack depends on or may change in this state, the attacker's and the target's first.

    None: always `PossibleAttack.involved`. If these parts are the same in two states, so is the attack, whatever the
    other parts are.
    """
    consumables: Callable[[S], Sequence[int]] = lambda setup: ()
    """The indices of parts such as cards in hand, whose only effect is that a player may use them once.

    A consumable that has been used is settled.
    """
    consumed_by: Callable[[S, Position], int | None] = lambda setup, position: None
    """The consumable that answering `yes` at a position uses, if any."""
    as_turn: Callable[[S, Json], Json | None] = _turn_of_side
    """The file of a single attack turned into a whole turn of its side; None if a turn has to list its attacks."""
    marks: Callable[[S, int, Any], Sequence[Mark]] = lambda setup, part, value: ()
    """What people see of a part beside its losses, to tell results apart. The number of marks of a part is fixed."""
    interchangeable: Callable[[S, str], Sequence[Sequence[int]]] = lambda setup, objective: ()
    """Groups of parts that can be swapped without changing the value of a turn under an objective."""
    representative: Callable[[S, int, Any], Any] | None = None
    """The representative of all parts that are equivalent for the rest of the turn. None: no two parts are."""
    checkpoint: Rule[Any, ...] | None = None
    """A rule that every attack runs exactly once, called with the state alone.

    What happens before it depends on few parts, and is explored once for each combination of them.
    """


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class System(Generic[S]):
    """One game's combat chapter, as the rest of the package uses it."""

    name: str
    title: str
    summary: str
    """The game in one line."""
    setup: type[S]
    """The dataclass of what a battle file may say."""
    faults: Callable[[S], Iterable[Fault]]
    """The faults of a set-up whose fields are valid one by one."""
    start: Callable[[S], Position]
    result: Callable[[S, Any], Result]
    """The result of a final state."""
    role_of: Callable[[S, str], Role]
    """The role of a side in this attack."""
    objectives: Mapping[str, Objective]
    measures: Callable[[S], Sequence[Measure]]
    """The main measures of a battle, the most interesting first."""
    unit_measures: Callable[[S], Iterable[Measure]] = lambda setup: ()
    """`<id> loses` and `<id> destroyed` for every unit, also for those that this attack cannot hurt."""
    changes: Callable[[S, Any, Any], Iterable[Change | str]]
    """What a rule changed, for people, from the state before and the state after."""
    rules: tuple[Rule[Any, ...], ...]
    """All rules, in the order of the chapter."""
    after: Callable[[S, Json, Any], Json]
    """The battle file after the attack, from set-up, file and final state."""
    end_turn: Callable[[Json], Json]
    """The battle file without the marks that end with a turn."""
    example: Json
    """A small battle to start a new file from."""
    snapshot: Callable[[S, Any], Json] = lambda setup, state: {}
    """A state as JSON: the shape of a result, plus the marks. Everything with an owner has its `side` and `role`."""
    relevant: Callable[[S, Any], Any] | None = None
    """The state without everything that no result of this battle depends on, such as marks for the next battle.

    The solver merges positions with equal relevant states. None: everything is relevant.
    """
    turn: TurnRules[S] | None = None
    """The rules of whole turns, if the system has them. A set-up is one if its `turn` is not None."""
    refused_keys: Mapping[str, str] = field(default_factory=dict)
    """Keys that only other systems have in their files, with the reason why."""
    paragraphs: Mapping[str, str] = field(default_factory=dict)
    """Paragraphs without a rule, in our own words: how they are covered, or why they are not."""
    roster: Callable[[], Mapping[str, Json]] = dict
    """Ready-made units by name, as in a battle file."""
    figures: Callable[[], Mapping[str, Json]] = dict
    """Figures of the game, such as unit cards, by the key for a battle file's own figures."""
    sources: Callable[[], Sequence[SourcedFigure]] = tuple
    """The sources of the figures of the game."""
    expand: Callable[[Json, Path], Json] = lambda source, folder: source
    """The file with the content of everything that it names by a path relative to this folder."""

    def relevant_position(self, setup: S, position: Position) -> Position:
        """The position with the relevant state only."""
        if self.relevant is None:
            return position
        return position._replace(args=(self.relevant(setup, position.state), *position.args[1:]))


@dataclass(frozen=True, slots=True, repr=False)
class Battle(NotebookDisplay):
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
        """Whether it is a whole turn, not a single attack."""
        return self.system.turn is not None and getattr(self.setup, "turn", None) is not None

    @property
    def objectives(self) -> Mapping[str, Objective]:
        """The objectives that this battle has."""
        known = self.system.objectives
        return {name: objective for name, objective in known.items() if objective.in_turns} if self.is_turn else known

    def replace(self, path: str, value: object) -> "Battle":
        """The battle with another value at a path such as `units[0].strength`; faults as for a file."""
        replaced: Battle = import_package("files").replace(self, path, value)
        return replaced
