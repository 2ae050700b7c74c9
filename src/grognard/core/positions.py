"""Positions: where a battle stands. Plain values: compared, merged, copied, saved, sent and resumed."""

from collections.abc import Container, Hashable
from dataclasses import dataclass
from types import GeneratorType
from typing import Any, NamedTuple, cast, overload

from grognard.core.errors import Endless
from grognard.core.rules import End, Next, Question, Rule, Then

RULES_IN_A_ROW = 1_000
"""After so many rules without a question or an end it is watched whether they go round in a circle."""


class Position(NamedTuple):
    """A rule, what it was called with (the state first), and the answers given inside it so far."""

    rule: Rule[Any, ...]
    args: tuple[Hashable, ...]
    answers: tuple[Hashable, ...] = ()

    @property
    def state(self) -> Hashable:
        """What has changed so far in the battle."""
        return self.args[0]

    def answered(self, answer: Hashable) -> "Position":
        """This position with one more answer."""
        return Position(self.rule, self.args, (*self.answers, answer))


@dataclass(frozen=True, slots=True)
class Pending:
    """A position that waits for the answer to its question."""

    position: Position
    question: Question


def step(setup: object, position: Position) -> Question | Next:
    """Run one rule, replaying the answers given in it, up to its next question or its end."""
    steps = position.rule.function(setup, *position.args)
    if not isinstance(steps, GeneratorType):
        return cast("Next", steps)
    try:
        question: Question = next(steps)
        for answer in position.answers:
            question = steps.send(answer)
    except StopIteration as stop:
        ending: Next = stop.value
        return ending
    return question


@overload
def advance_to_question(setup: object, position: Position) -> Pending | End: ...
@overload
def advance_to_question(
    setup: object, position: Position, known: Container[Hashable], passed: list[Position] | None = None
) -> Pending | End | Position: ...
def advance_to_question(
    setup: object, position: Position, known: Container[Hashable] = (), passed: list[Position] | None = None
) -> Pending | End | Position:
    """Go on from rule to rule until something is asked or the battle is over, or to a position that is known.

    The positions between are added to `passed`: whoever comes by one of them will come here too.
    """
    rules, watch = 0, Watch()
    while position not in known:
        reached = step(setup, position)
        if isinstance(reached, Then):
            position = Position(reached.rule, reached.args)
            rules += 1
            if rules > RULES_IN_A_ROW:
                watch.see(position)
            if passed is not None:
                passed.append(position)
        elif isinstance(reached, End):
            return reached
        else:
            return Pending(position, reached)
    return position


class Watch:
    """Finds out whether rules that ask nothing go round in a circle."""

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: set[Position] = set()

    def see(self, position: Position) -> None:
        """Refuse a position that was there before."""
        if position in self._seen:
            raise Endless(f"{position.rule!r} goes round without a question or an end")
        self._seen.add(position)
