"""Random walks through the positions of a battle."""

from collections.abc import Hashable, Iterator
from random import Random
from typing import Any

from grognard.core.positions import Pending, Position, advance_to_question, step
from grognard.core.rules import Choose, Roll, Then
from grognard.core.systems import Battle


def random_answer(due: Pending, random: Random) -> Hashable:
    """Any option, or what any faces of the dice come to."""
    if isinstance(due.question, Choose):
        return random.choice(due.question.options).id
    reading = due.question.reading
    faces = [random.choice(pool.die.faces) for pool in reading.dice for _ in range(pool.count)]
    return reading.read(reading.split(faces))


def final_state(battle: Battle, random: Random) -> Any:
    """The state in which a battle ends whose questions are answered at random."""
    reached = advance_to_question(battle.setup, battle.start())
    while isinstance(reached, Pending):
        reached = advance_to_question(battle.setup, reached.position.answered(random_answer(reached, random)))
    return reached.state


def all_states(battle: Battle, random: Random) -> Iterator[Any]:
    """Every state that the rules pass on in one such battle, the final one last."""
    position = battle.start()
    yield position.state
    while True:
        reached = step(battle.setup, position)
        if isinstance(reached, Then):
            position = Position(reached.rule, reached.args)
            yield position.state
        elif isinstance(reached, Choose | Roll):
            position = position.answered(random_answer(Pending(position, reached), random))
        else:
            yield reached.state
            return
