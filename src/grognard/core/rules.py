"""Rules and the questions they ask.

A rule is a function of the set-up and an immutable state. It asks with `yield from roll(...)`, `choose(...)`
or `may(...)` and ends in `Then(next rule, new state)` or `End(final state)`. A rule that asks nothing is a plain
function that returns one of the two. A rule that ends in a roll may return the `Roll` with the rule that takes the
dice: if there are many answers, this is faster than running the first rule again for each of them.
"""

from collections.abc import Callable, Generator, Hashable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec, TypeVar, cast

from grognard.core.errors import WrongAnswer
from grognard.core.readings import Reading

S = TypeVar("S")
T = TypeVar("T", bound=Hashable)
T_co = TypeVar("T_co", bound=Hashable, covariant=True)
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Option(Generic[T_co]):
    """One answer to a choice: its id in scripts and logs, its label for people, its value for the rule."""

    id: str
    label: str
    value: T_co


class Roller(NamedTuple):
    """Who rolls a pool of dice: its name, a unit's or a side's, and the side it belongs to."""

    name: str
    side: str

    def __str__(self) -> str:
        return self.name


class Roll(NamedTuple):
    """A question to the dice: `by` says who rolls each pool."""

    reading: Reading[Hashable]
    by: tuple[Roller, ...]
    purpose: str = ""
    """What the roll is for: "Spotting roll"."""
    success: str = ""
    """What counts as success: "4 or more spots the target"."""
    then: "tuple[Rule[Any, ...], *tuple[Hashable, ...]] | None" = None
    """The rule that takes the dice, with its arguments before the dice; None: the rule that asked goes on."""


class Choose(NamedTuple):
    """A question to a player: an optional one (yes or no), or a choice among at least two options."""

    by: str
    prompt: str
    options: tuple[Option[Hashable], ...]
    optional: bool = False

    def pick(self, answer: object) -> Option[Hashable]:
        """The option with this id."""
        for option in self.options:
            if option.id == answer:
                return option
        offered = ", ".join(f'"{option.id}"' for option in self.options)
        raise WrongAnswer(f'"{answer}" is not offered. {self.prompt} ({self.by}): {offered}')


Question = Roll | Choose


@dataclass(frozen=True, slots=True)
class End:
    """The battle is over, in this final state."""

    state: Hashable


class Rule(Generic[S, P]):
    """A rule with the paragraph it comes from. Rules are compared by identity."""

    __slots__ = ("function", "module", "name", "paragraph")

    def __init__(self, paragraph: str, function: "Callable[Concatenate[S, P], Steps | Next]") -> None:
        self.paragraph = paragraph
        self.function = function
        self.name = function.__name__
        self.module = function.__module__

    @property
    def description(self) -> str:
        """The rule in our own words."""
        return " ".join((self.function.__doc__ or "").split())

    def __repr__(self) -> str:
        return f"<rule {self.name} ({self.paragraph})>"

    def __reduce__(self) -> "tuple[Callable[[str, str], object], tuple[str, str]]":
        return _named, (self.module, self.name)


def _named(module: str, name: str) -> object:
    return getattr(import_module(module), name)


class Then(Generic[S, P]):
    """Continue with another rule, called with this state and any other arguments."""

    __slots__ = ("args", "rule")

    def __init__(self, rule: Rule[S, P], *args: P.args, **kwargs: P.kwargs) -> None:
        if kwargs:
            raise TypeError("a rule's arguments are given by position")
        self.rule = rule
        self.args: tuple[Hashable, ...] = cast("tuple[Hashable, ...]", args)


Next = Then[Any, ...] | End | Roll
Steps = Generator[Question, object, Next]


def rule(paragraph: str) -> "Callable[[Callable[Concatenate[S, P], Steps | Next]], Rule[S, P]]":
    """Mark a function as the rule of this paragraph."""

    def mark(function: "Callable[Concatenate[S, P], Steps | Next]") -> Rule[S, P]:
        return Rule(paragraph, function)

    return mark


def roll(
    reading: Reading[T], *by: Roller | str, purpose: str = "", success: str = ""
) -> Generator[Question, object, T]:
    """Ask for a roll. `by` says who rolls each pool, a side by its name; `purpose` and `success` are for people."""
    rollers = tuple([Roller(name, name) if isinstance(name, str) else name for name in by])
    answer = yield Roll(reading, rollers, purpose, success)
    return cast("T", answer)


def choose(by: str, prompt: str, options: Sequence[Option[T]]) -> Generator[Question, object, T]:
    """Ask a player to choose an option. A single option is returned without asking."""
    if not options:
        raise ValueError(f"no option to choose from: {prompt}")
    if len(options) == 1:
        return options[0].value
    question = Choose(by, prompt, tuple(options))
    answer = yield question
    return cast("T", question.pick(answer).value)


YES_NO = (Option("yes", "yes", True), Option("no", "no", False))


def may(by: str, prompt: str) -> Generator[Question, object, bool]:
    """Ask a player whether to do something optional."""
    question = Choose(by, prompt, YES_NO, optional=True)
    answer = yield question
    return question.pick(answer).value is True
