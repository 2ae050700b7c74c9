"""Playing a battle step by step. A `Play` is a frozen value: going on makes a new one, and undo is the old one."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from grognard.core.errors import WrongAnswer
from grognard.core.positions import Pending, Position, Watch, step
from grognard.core.readings import Pool
from grognard.core.rules import Choose, End, Question, Rule, Then
from grognard.core.systems import Battle, Change, Json, Result
from grognard.plays.answers import Answer, Chosen, Rolled, accept, asked, faces_of


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: the paragraph, what it was in a line, and the details."""

    rule: str
    what: str
    details: Json

    def to_dict(self) -> Json:
        """As other programs read it."""
        return {"rule": self.rule, "what": self.what, **self.details}


@dataclass(frozen=True, slots=True)
class Move:
    """A question that was answered, as it was asked."""

    rule: str
    asked: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Play:
    """A battle as far as it has been played: what is due now, or how it ended."""

    battle: Battle
    due: Pending | End
    moves: tuple[Move, ...]
    events: tuple[Event, ...]

    @property
    def question(self) -> Question | None:
        """What is asked now; None once the battle is over."""
        return self.due.question if isinstance(self.due, Pending) else None

    @property
    def result(self) -> Result:
        """What is left, once the battle is over."""
        if isinstance(self.due, Pending):
            raise WrongAnswer(f"the battle is not over: {asked(self.due.question)}")
        return self.battle.system.result(self.battle.setup, self.due.state)

    def answer(self, answer: Answer) -> "Play":
        """The play after this answer; a wrong one is refused and changes nothing."""
        if isinstance(self.due, End):
            raise WrongAnswer("the battle is over: nothing is asked any more")
        position, question = self.due.position, self.due.question
        told = accept(question, answer)
        move = Move(position.rule.paragraph, asked(question), answer)
        happened = _answered(position.rule, question, answer)
        due, events = _go_on(self.battle, position.answered(told))
        return replace(self, due=due, moves=(*self.moves, move), events=(*self.events, happened, *events))

    def to_dict(self) -> Json:
        """The result and all that led to it."""
        return {"result": self.result.to_dict(), "events": [event.to_dict() for event in self.events]}


def begin(battle: Battle) -> Play:
    """A battle before its first question."""
    due, events = _go_on(battle, battle.start())
    return Play(battle, due, (), events)


def _go_on(battle: Battle, position: Position) -> tuple[Pending | End, tuple[Event, ...]]:
    """Run rules up to the next question, telling what each of them changed."""
    events: list[Event] = []
    watch = Watch()
    while True:
        reached = step(battle.setup, position)
        if isinstance(reached, Then | End):
            after = reached.args[0] if isinstance(reached, Then) else reached.state
            changes = battle.system.changes(battle.setup, position.state, after)
            events += _changed(position.rule, changes)
        if isinstance(reached, Then):
            position = Position(reached.rule, reached.args)
            watch.see(position)
        elif isinstance(reached, End):
            return reached, tuple(events)
        else:
            return Pending(position, reached), tuple(events)


def _changed(rule: Rule[Any, ...], changes: Iterable[Change | str]) -> list[Event]:
    said = (change if isinstance(change, str) else change.what for change in changes)
    return [Event(rule.paragraph, change, {"kind": "change"}) for change in said]


def _answered(rule: Rule[Any, ...], question: Question, answer: Answer) -> Event:
    if isinstance(question, Choose):
        option = question.pick(answer.option if isinstance(answer, Chosen) else None)
        what = f"{question.by}: {question.prompt} {option.label}"
        details = {"kind": "choice", "by": question.by, "prompt": question.prompt, "choose": option.id}
        return Event(rule.paragraph, what, details)
    assert isinstance(answer, Rolled)
    faces = faces_of(question, answer)
    fates = question.reading.fates(faces) or tuple(() for _ in faces)
    by = [str(one) for one in question.by] or [""] * len(faces)
    hands = [
        {"by": name, "die": pool.die.name, "faces": list(shown), "fates": [str(fate) for fate in fate_of]}
        for name, pool, shown, fate_of in zip(by, question.reading.dice, faces, fates, strict=True)
    ]
    rolled = zip(by, question.reading.dice, faces, strict=True)
    what = "; ".join(_shown(name, pool, shown) for name, pool, shown in rolled if shown)
    return Event(rule.paragraph, what, {"kind": "roll", "dice": hands})


def _shown(name: str, pool: Pool, faces: tuple[object, ...]) -> str:
    shown = " ".join(str(face) if face != "" else "–" for face in faces)
    return f"{name} rolls {len(faces)} {pool.die.name}: {shown}".strip()
