"""The same battles for OpenSpiel's expectiminimax."""

import time
from typing import Any

from open_spiel.python.algorithms.minimax import expectiminimax

from grognard.core.positions import Pending, advance_to_question
from grognard.core.readings import Die, Face
from grognard.core.rules import Choose, End, Roll
from grognard.core.systems import Battle, Role


class Unfinished(Exception):
    """The time was up."""


class State:
    """A battle as OpenSpiel's search walks it: one chance node a roll, with the merged odds of our readings.

    That is kinder to the search than what its users would write: a chance node a die, as in `DieByDie`.
    """

    def __init__(self, battle: Battle, objective: str, reached: Pending | End) -> None:
        self.battle, self.objective, self.reached = battle, objective, reached

    @property
    def question(self) -> Roll | Choose:
        assert isinstance(self.reached, Pending)
        return self.reached.question

    def is_terminal(self) -> bool:
        return isinstance(self.reached, End)

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
        return State(self.battle, self.objective, self.reached)

    def apply_action(self, action: int) -> None:
        assert isinstance(self.reached, Pending)
        if isinstance(self.question, Roll):
            answer: Any = self.question.reading.odds().values[action]
        else:
            answer = self.question.options[action].id
        self.reached = advance_to_question(self.battle.setup, self.reached.position.answered(answer))

    def player_return(self, player: int) -> float:
        assert isinstance(self.reached, End)
        result = self.battle.system.result(self.battle.setup, self.reached.state)
        return self.battle.system.objectives[self.objective].of(self.battle.setup, result)


class DieByDie(State):
    """The same with a chance node for every die, until the time is up."""

    def __init__(self, battle: Battle, objective: str, reached: Pending | End, until: float) -> None:
        super().__init__(battle, objective, reached)
        self.until = until
        self.shown: tuple[Face, ...] = ()

    @property
    def dice(self) -> list[Die]:
        assert isinstance(self.question, Roll)
        return [pool.die for pool in self.question.reading.dice for _ in range(pool.count)]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        if time.perf_counter() > self.until:
            raise Unfinished
        faces = self.dice[len(self.shown)].faces
        return [(number, 1 / len(faces)) for number in range(len(faces))]

    def clone(self) -> "DieByDie":
        copy = DieByDie(self.battle, self.objective, self.reached, self.until)
        copy.shown = self.shown
        return copy

    def apply_action(self, action: int) -> None:
        if not isinstance(self.question, Roll):
            super().apply_action(action)
            return
        assert isinstance(self.reached, Pending)
        self.shown += (self.dice[len(self.shown)].faces[action],)
        if len(self.shown) == len(self.dice):
            answer = self.question.reading.read(self.question.reading.split(self.shown))
            self.reached, self.shown = (
                advance_to_question(self.battle.setup, self.reached.position.answered(answer)),
                (),
            )


def search(battle: Battle, objective: str = "swing") -> float:
    """The value of a battle by OpenSpiel's expectiminimax, as deep as it goes."""
    return _searched(State(battle, objective, advance_to_question(battle.setup, battle.start())))


def search_die_by_die(battle: Battle, seconds: float, objective: str = "swing") -> tuple[float, float | None]:
    """The seconds that the search takes with a chance node a die, and the value, if it is found in time."""
    start = time.perf_counter()
    state = DieByDie(battle, objective, advance_to_question(battle.setup, battle.start()), start + seconds)
    try:
        value: float | None = _searched(state)
    except Unfinished:
        value = None
    return time.perf_counter() - start, value


def _searched(state: State) -> float:
    value, _ = expectiminimax(state, 10_000, lambda state: 0.0, 0)
    return float(value)
