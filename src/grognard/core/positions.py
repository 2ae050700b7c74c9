"""Positions: where a battle stands. They are plain values that can be compared, copied, saved, sent and resumed."""

from collections.abc import Container, Hashable, Iterator
from types import GeneratorType
from typing import Any, NamedTuple, cast, overload

from grognard.core.errors import Endless
from grognard.core.rules import End, Next, Question, Roll, Rule, Then

RULES_IN_A_ROW = 1_000
"""After this many rules without a question or an end, positions are compared to detect a cycle."""


class Position(NamedTuple):
    """A rule, what it was called with (the state first), and the answers given inside it so far."""

    rule: Rule[Any, ...]
    args: tuple[Hashable, ...]
    answers: tuple[Hashable, ...] = ()

    @property
    def state(self) -> Hashable:
        """The state of the battle, the first argument of the rule."""
        return self.args[0]

    def answered(self, answer: Hashable) -> "Position":
        """This position with one more answer."""
        return Position(self.rule, self.args, (*self.answers, answer))


class Pending(NamedTuple):
    """A position that waits for the answer to its question."""

    position: Position
    question: Question

    def answered(self, answer: Hashable) -> Position:
        """The position after this answer: in the rule that takes the dice, or else in the rule that asked."""
        if isinstance(self.question, Roll) and self.question.then:
            rule, *args = self.question.then
            return Position(rule, (*args, answer))
        return self.position.answered(answer)


def step(setup: object, position: Position) -> Question | Next:
    """Run one rule up to its next question or its end, replaying the answers given in it."""
    steps = position.rule.function(setup, *position.args)
    answers = iter(position.answers)
    if not isinstance(steps, GeneratorType):
        return _after_return(position, cast("Next", steps), answers)
    try:
        question: Question = next(steps)
        for answer in answers:
            question = steps.send(answer)
    except StopIteration as stop:
        return _after_return(position, stop.value, answers)
    if isinstance(question, Roll) and question.then:
        raise TypeError(f"{position.rule!r} asks for a roll that another rule takes: such a roll is returned")
    return question


def _after_return(position: Position, returned: Next, answers: Iterator[Hashable]) -> Question | Next:
    """What follows a rule that has returned; if it returned a roll that is answered, the rule that takes the dice."""
    if not isinstance(returned, Roll):
        return returned
    if not returned.then:
        raise TypeError(f"{position.rule!r} returns a roll that no rule takes")
    rule, *args = returned.then
    dice = list(answers)
    return Then(rule, *args, *dice) if dice else returned


@overload
def advance_to_question(setup: object, position: Position) -> Pending | End: ...
@overload
def advance_to_question(
    setup: object,
    position: Position,
    known: Container[Hashable],
    passed: list[Position] | None = None,
    until: Rule[Any, ...] | None = None,
) -> Pending | End | Position: ...
def advance_to_question(
    setup: object,
    position: Position,
    known: Container[Hashable] = (),
    passed: list[Position] | None = None,
    until: Rule[Any, ...] | None = None,
) -> Pending | End | Position:
    """Run rules until a question is asked or the battle is over, or until a position in `known` is reached.

    With `until`, a position of that rule is also returned, without running it. The positions in between are added to
    `passed`: they all lead to the same question.
    """
    rules, guard = 0, None
    while position not in known and position.rule is not until:
        reached = step(setup, position)
        if isinstance(reached, Then):
            position = Position(reached.rule, reached.args)
            rules += 1
            if rules > RULES_IN_A_ROW:
                guard = guard or CycleGuard()
                guard.check(position)
            if passed is not None:
                passed.append(position)
        elif isinstance(reached, End):
            return reached
        else:
            return Pending(position, reached)
    return position


class CycleGuard:
    """Detects a cycle of rules that ask nothing."""

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: set[Position] = set()

    def check(self, position: Position) -> None:
        """Raise an error if this position occurred before."""
        if position in self._seen:
            raise Endless(f"the battle would never end: {position.rule!r} comes back to itself without a question")
        self._seen.add(position)
