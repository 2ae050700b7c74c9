"""The same battles for OpenSpiel's expectiminimax."""

import time
from typing import Any

from open_spiel.python.algorithms.minimax import expectiminimax

from grognard.core.positions import Pending, advance_to_question
from grognard.core.readings import Die, Face
from grognard.core.rules import Choose, End, Roll
from grognard.core.systems import Battle, Role


class Unfinished(Exception):
    """The time is up."""


class State:
    """A state for OpenSpiel's search, with one chance node for each roll and the merged odds of our readings.

    Its users would rather write one chance node for each die, as in `DieByDie`, which makes the search slower.
    """

    def __init__(self, battle: Battle, objective: str, pending: Pending | End) -> None:
        self.battle, self.objective, self.pending = battle, objective, pending

    @property
    def question(self) -> Roll | Choose:
        assert isinstance(self.pending, Pending)
        return self.pending.question

    def is_terminal(self) -> bool:
        return isinstance(self.pending, End)

    def is_chance_node(self) -> bool:
        return isinstance(self.question, Roll)

    def current_player(self) -> int:
        assert isinstance(self.question, Choose)
        side = self.battle.system.role_of(self.battle.setup, self.question.by)
        return 0 if side is Role.ATTACKER else 1

    def legal_actions(self) -> list[int]:
        assert isinstance(self.question, Choose)
        return list(range(len(self.question.options)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        assert isinstance(self.question, Roll)
        return list(enumerate(self.question.reading.odds().probabilities))  # type: ignore[arg-type]

    def clone(self) -> "State":
        return State(self.battle, self.objective, self.pending)

    def apply_action(self, action: int) -> None:
        assert isinstance(self.pending, Pending)
        if isinstance(self.question, Roll):
            answer: Any = self.question.reading.odds().values[action]
        else:
            answer = self.question.options[action].id
        self.pending = advance_to_question(self.battle.setup, self.pending.position.answered(answer))

    def player_return(self, player: int) -> float:
        assert isinstance(self.pending, End)
        result = self.battle.system.result(self.battle.setup, self.pending.state)
        return self.battle.system.objectives[self.objective].of(self.battle.setup, result)


class DieByDie(State):
    """A state with one chance node for each die. The search stops when the time is up."""

    def __init__(self, battle: Battle, objective: str, pending: Pending | End, deadline: float) -> None:
        super().__init__(battle, objective, pending)
        self.deadline = deadline
        self.faces: tuple[Face, ...] = ()

    @property
    def dice(self) -> list[Die]:
        assert isinstance(self.question, Roll)
        return [pool.die for pool in self.question.reading.dice for _ in range(pool.count)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if time.perf_counter() > self.deadline:
            raise Unfinished
        faces = self.dice[len(self.faces)].faces
        return [(number, 1 / len(faces)) for number in range(len(faces))]

    def clone(self) -> "DieByDie":
        copy = DieByDie(self.battle, self.objective, self.pending, self.deadline)
        copy.faces = self.faces
        return copy

    def apply_action(self, action: int) -> None:
        if not isinstance(self.question, Roll):
            super().apply_action(action)
            return
        assert isinstance(self.pending, Pending)
        self.faces += (self.dice[len(self.faces)].faces[action],)
        if len(self.faces) == len(self.dice):
            answer = self.question.reading.read(self.question.reading.split(self.faces))
            self.pending, self.faces = (
                advance_to_question(self.battle.setup, self.pending.position.answered(answer)),
                (),
            )


def search(battle: Battle, objective: str = "swing") -> float:
    """The value of a battle by OpenSpiel's expectiminimax."""
    return _value(State(battle, objective, advance_to_question(battle.setup, battle.start())))


def search_die_by_die(battle: Battle, seconds: float, objective: str = "swing") -> tuple[float, float | None]:
    """The seconds of a search with one chance node for each die, and the value if it finishes in time."""
    start = time.perf_counter()
    state = DieByDie(battle, objective, advance_to_question(battle.setup, battle.start()), start + seconds)
    try:
        value: float | None = _value(state)
    except Unfinished:
        value = None
    return time.perf_counter() - start, value


def _value(state: State) -> float:
    value, _ = expectiminimax(state, 10_000, lambda state: 0.0, 0)
    return float(value)
