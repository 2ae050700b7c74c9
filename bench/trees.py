"""The same battles for OpenSpiel's expectiminimax, and for plain enumeration of every face of every die."""

import time
from itertools import islice, product
from typing import Any

from open_spiel.python.algorithms.minimax import expectiminimax

from grognard.core.positions import Due, Position, settle
from grognard.core.rules import Choose, End, Roll
from grognard.core.systems import Battle, Side


class State:
    """A battle as OpenSpiel's search walks it: one chance node a roll, with the merged odds of our readings.

    That is kinder to the search than a chance node a die would be.
    """

    def __init__(self, battle: Battle, objective: str, reached: Due | End) -> None:
        self.battle, self.objective, self.reached = battle, objective, reached

    @property
    def question(self) -> Roll | Choose:
        assert isinstance(self.reached, Due)
        return self.reached.question

    def is_terminal(self) -> bool:
        return isinstance(self.reached, End)

    def is_chance_node(self) -> bool:
        return isinstance(self.question, Roll)

    def current_player(self) -> int:
        assert isinstance(self.question, Choose)
        side = self.battle.system.side_of(self.battle.setup, self.question.by)
        return 0 if side is Side.ATTACKER else 1

    def legal_actions(self) -> list[int]:
        assert isinstance(self.question, Choose)
        return list(range(len(self.question.options)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        assert isinstance(self.question, Roll)
        return list(enumerate(self.question.reading.odds().probabilities))  # type: ignore[arg-type]

    def clone(self) -> "State":
        return State(self.battle, self.objective, self.reached)

    def apply_action(self, action: int) -> None:
        assert isinstance(self.reached, Due)
        if isinstance(self.question, Roll):
            answer: Any = self.question.reading.odds().values[action]
        else:
            answer = self.question.options[action].id
        self.reached = settle(self.battle.setup, self.reached.position.answered(answer))

    def player_return(self, player: int) -> float:
        assert isinstance(self.reached, End)
        result = self.battle.system.result(self.battle.setup, self.reached.state)
        return self.battle.system.objectives[self.objective].of(self.battle.setup, result)


def search(battle: Battle, objective: str = "swing") -> float:
    """The value of a battle by OpenSpiel's expectiminimax, as deep as it goes."""
    start = State(battle, objective, settle(battle.setup, battle.start()))
    value, _ = expectiminimax(start, 10_000, lambda state: 0.0, 0)
    return float(value)


def first_roll(battle: Battle) -> tuple[Position, Roll]:
    """The first roll of a battle in which the first option is taken before it."""
    reached = settle(battle.setup, battle.start())
    while isinstance(reached, Due) and isinstance(reached.question, Choose):
        reached = settle(battle.setup, reached.position.answered(reached.question.options[0].id))
    assert isinstance(reached, Due)
    assert isinstance(reached.question, Roll)
    return reached.position, reached.question


def enumeration_seconds(battle: Battle, sample: int = 20_000) -> tuple[float, int]:
    """How long reading every roll of the first dice would take, from a sample of them, and how many there are."""
    _, question = first_roll(battle)
    dice = [handful.die.faces for handful in question.reading.dice for _ in range(handful.count)]
    rolls = 1
    for faces in dice:
        rolls *= len(faces)
    sample = min(sample, rolls)
    start = time.perf_counter()
    for faces in islice(product(*dice), sample):
        question.reading.read(question.reading.split(faces))
    return (time.perf_counter() - start) / sample * rolls, rolls
