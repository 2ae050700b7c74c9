"""Playing a battle step by step. A `Play` is immutable: an answer returns a new one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from grognard.core.errors import WrongAnswer
from grognard.core.lazy import NotebookDisplay
from grognard.core.numbers import fields_to_json
from grognard.core.positions import CycleGuard, Pending, Position, step
from grognard.core.readings import Face
from grognard.core.rules import Choose, End, Question, Roll, Then
from grognard.core.systems import Battle, Change, Json, Result, Role
from grognard.plays.answers import Answer, Chosen, Rolled, accept, answer_from, faces_of, format_question
from grognard.plays.dice import MachineDice


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a play: a roll, a choice, or a change of the state by a rule."""

    rule: str
    """The paragraph of the rule."""
    kind: str
    """`roll`, `choice` or `change`."""
    what: str
    """What happened, in a sentence."""
    side: str | None
    """The side that rolls, decides or is affected."""
    role: Role | None
    details: Json = field(hash=False)
    battle: Battle = field(repr=False)
    position_state: object = field(repr=False)

    @property
    def state(self) -> Json:
        """The state after this step as JSON: the shape of a result, plus the marks."""
        return self.battle.system.snapshot(self.battle.setup, self.position_state)

    def to_dict(self) -> Json:
        """As JSON."""
        step = fields_to_json(self, "rule", "kind", "what", "side", "role")
        return {**step, **self.details, "state": self.state}


@dataclass(frozen=True, slots=True)
class Move:
    """A question with its answer."""

    answer: Answer
    pending: Pending
    """The position before the answer, with its question."""
    events: int
    """The number of events before."""

    @property
    def rule(self) -> str:
        """The paragraph of the rule that asked."""
        return self.pending.position.rule.paragraph

    @property
    def question(self) -> str:
        """The question as one line of text."""
        return format_question(self.pending.question)


@dataclass(frozen=True, slots=True)
class Play(NotebookDisplay):
    """A battle that is being played, or that is over."""

    battle: Battle
    pending: Pending | End
    moves: tuple[Move, ...]
    events: tuple[Event, ...]

    def __repr__(self) -> str:
        now = format_question(self.question) if self.question else "over"
        return f"<play of {self.battle.system.name}: {len(self.moves)} answers, {now[:120]}>"

    @property
    def question(self) -> Question | None:
        """The open question; None when the battle is over."""
        return self.pending.question if isinstance(self.pending, Pending) else None

    @property
    def state(self) -> Json:
        """The present state as JSON: the shape of a result, plus the marks."""
        state = self.pending.position.state if isinstance(self.pending, Pending) else self.pending.state
        return self.battle.system.snapshot(self.battle.setup, state)

    @property
    def result(self) -> Result:
        """The result; an error if the battle is not over."""
        if isinstance(self.pending, Pending):
            raise WrongAnswer(f"the battle is not over: {format_question(self.pending.question)}")
        return self.battle.system.result(self.battle.setup, self.pending.state)

    def choose(self, option: str) -> "Play":
        """The play after choosing the option with this id."""
        return self.answer(Chosen(option))

    def roll(self, faces: Iterable[Face]) -> "Play":
        """The play after rolling these faces, the attacker's dice first."""
        return self.answer(Rolled(tuple(faces)))

    def answer(self, answer: Answer | Mapping[str, object]) -> "Play":
        """The play after an answer, such as `{"choose": "yes"}`; an error if it does not fit the question."""
        parsed = answer if isinstance(answer, Rolled | Chosen) else answer_from(answer)
        if isinstance(self.pending, End):
            raise WrongAnswer("the battle is over: nothing is asked any more")
        position, question = self.pending.position, self.pending.question
        accepted = accept(question, parsed)
        move = Move(parsed, self.pending, len(self.events))
        event = _answer_event(self.battle, position, question, parsed)
        pending, events = _advance(self.battle, position.answered(accepted))
        return replace(self, pending=pending, moves=(*self.moves, move), events=(*self.events, event, *events))

    def undo(self) -> "Play":
        """The play before the last answer."""
        if not self.moves:
            raise WrongAnswer("there is no answer to undo")
        last = self.moves[-1]
        return Play(self.battle, last.pending, self.moves[:-1], self.events[: last.events])

    def log(self, seed: str | None = None) -> Json:
        """The log of this play as JSON, with the seed of its machine dice if there is one."""
        from grognard.plays.logs import Log

        return Log(self, seed).to_dict()

    def to_dict(self) -> Json:
        """The result and all events, as JSON."""
        return {"result": self.result.to_dict(), "events": [event.to_dict() for event in self.events]}


def start(battle: Battle) -> Play:
    """Start a battle: the play at its first question."""
    pending, events = _advance(battle, battle.start())
    return Play(battle, pending, (), events)


def play_to_end(play: Play, answer: Callable[[Play], Answer], watch: Callable[[Play], None] | None = None) -> Play:
    """Play to the end: `answer` answers every question, and `watch` is called after each answer."""
    while play.question is not None:
        play = play.answer(answer(play))
        if watch:
            watch(play)
    return play


class Script:
    """Gives answers in order. When none are left, another function answers."""

    def __init__(self, answers: Sequence[Answer], otherwise: Callable[[Play], Answer]) -> None:
        self.left = list(answers)
        self.otherwise = otherwise

    def __call__(self, play: Play) -> Answer:
        """Answer the open question."""
        return self.left.pop(0) if self.left else self.otherwise(play)

    def check_used_up(self) -> None:
        """Raise an error if answers are left."""
        if self.left:
            raise WrongAnswer(f"the battle is over, but the script has {len(self.left)} more: {self.left[0].to_dict()}")


class MachinePlayer:
    """Answers rolls with machine dice, and decisions by a function."""

    def __init__(self, dice: MachineDice, decide: Callable[[Play], Answer]) -> None:
        self.dice, self.decide = dice, decide

    def __call__(self, play: Play) -> Answer:
        """Answer the open question."""
        if isinstance(play.question, Roll):
            return Rolled(self.dice.roll_all(play.question.reading), machine=True)
        return self.decide(play)


def _advance(battle: Battle, position: Position) -> tuple[Pending | End, tuple[Event, ...]]:
    """Run rules up to the next question or the end, with an event for each change."""
    events: list[Event] = []
    guard = CycleGuard()
    while True:
        reached = step(battle.setup, position)
        if isinstance(reached, Then | End):
            after = reached.args[0] if isinstance(reached, Then) else reached.state
            for change in battle.system.changes(battle.setup, position.state, after):
                what, side = change if isinstance(change, Change) else (change, None)
                role = battle.system.role_of(battle.setup, side) if side else None
                events.append(Event(position.rule.paragraph, "change", what, side, role, {}, battle, after))
        if isinstance(reached, Then):
            position = Position(reached.rule, reached.args)
            guard.check(position)
        elif isinstance(reached, End):
            return reached, tuple(events)
        else:
            return Pending(position, reached), tuple(events)


def _answer_event(battle: Battle, position: Position, question: Question, answer: Answer) -> Event:
    if isinstance(question, Choose):
        assert isinstance(answer, Chosen)
        option = question.pick(answer.option)
        what = f"{question.by}: {question.prompt} {option.label}"
        details: Json = {
            "by": question.by,
            "prompt": question.prompt,
            "choose": option.id,
            "label": option.label,
        }
        kind, side = "choice", question.by
    else:
        assert isinstance(answer, Rolled)
        dice = _pools(battle, question, answer)
        what = "; ".join(_format_pool(pool) for pool in dice if pool["faces"])
        details = {"purpose": question.purpose, "success": question.success, "dice": dice}
        kind, side = "roll", question.by[0].side if question.by else ""
    role = battle.system.role_of(battle.setup, side) if side else None
    return Event(position.rule.paragraph, kind, what, side or None, role, details, battle, position.state)


def _pools(battle: Battle, question: Roll, answer: Rolled) -> list[Json]:
    faces = faces_of(question, answer)
    fates = question.reading.fates(faces) or tuple(() for _ in faces)
    rollers = question.by or (None,) * len(faces)
    return [
        {
            "by": roller.name if roller else "",
            "side": roller.side if roller else None,
            "role": str(battle.system.role_of(battle.setup, roller.side)) if roller else None,
            "die": pool.die.name,
            "faces": list(shown),
            "fates": [str(fate) for fate in fates_of_pool],
        }
        for roller, pool, shown, fates_of_pool in zip(rollers, question.reading.dice, faces, fates, strict=True)
    ]


def _format_pool(pool: Json) -> str:
    shown = " ".join(str(face) if face != "" else "–" for face in pool["faces"])
    return f"{pool['by']} rolls {len(pool['faces'])} {pool['die']}: {shown}".strip()
