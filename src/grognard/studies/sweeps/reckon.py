"""Best decisions and chances of endings, for all match-ups of one shape at once: one column each.

Numbers are added up one after the other, never in blocks, so that a match-up comes out the same in any company.
"""

import numpy as np
from numpy.typing import NDArray

from grognard.core.systems import Role
from grognard.solver.assumptions import Aims, Policy, habit
from grognard.solver.induction import NOISE, SAME
from grognard.studies.sweeps.rolls import Digits, Floats
from grognard.studies.sweeps.shape import Chance, Decision, Shape

Taken = dict[int, "int | NDArray[np.int64]"]
"""Which option is taken at a decision, in all match-ups or in each; one that is not listed is taken at random."""


def added_up(terms: Floats) -> Floats:
    """The sum of each column, from the top down."""
    total: Floats = np.add.accumulate(terms, axis=0)[-1]
    return total


def chances_of_endings(shape: Shape, aims: Aims, worth: Floats, digits: Digits, rows: int) -> Floats:
    """How likely each ending is: a row for each, in the shape's order, and a column for each match-up.

    `worth` is what each ending is worth to the attacking side, a row for each.
    """
    rolls = {
        place: _towards_children(node, place, digits, rows)
        for place, node in enumerate(shape.nodes)
        if isinstance(node, Chance)
    }
    taken = _decide(shape, aims, worth, rolls, rows) if aims.has_best else _habits(shape, aims)
    return _reach(shape, taken, rolls, rows)[[place for place, _ in shape.endings]]


def _towards_children(node: Chance, place: int, digits: Digits, rows: int) -> Floats:
    """The chances of a roll's children. A roll that leads back to itself is rolled again until it leads elsewhere."""
    chances = node.rolled.chances(digits, rows)
    if len(node.children) < len(chances):
        chances = np.array([added_up(chances[list(values)]) for values in node.rows])
    if place in node.children:
        again = node.children.index(place)
        chances = np.where(np.arange(len(chances))[:, None] == again, 0.0, chances)
        chances = chances / added_up(chances)
    return chances


def _decide(shape: Shape, aims: Aims, worth: Floats, rolls: dict[int, Floats], rows: int) -> Taken:
    """Backwards: the value of every position, and which option is taken at each decision."""
    values = np.zeros((len(shape.nodes), rows))
    values[[place for place, _ in shape.endings]] = worth
    taken: Taken = {}
    noise = NOISE * max(1.0, float(np.abs(worth).max()))
    for place in reversed(shape.order):
        node = shape.nodes[place]
        if isinstance(node, Chance):
            values[place] = added_up(rolls[place] * values[list(node.children)])
        elif isinstance(node, Decision):
            options = values[list(node.children)]
            policy = aims.policies[node.side]
            if policy is Policy.BEST:
                taken[place], values[place] = _best(options, node.side, noise)
            elif (option := habit(policy, node.question)) is None:
                values[place] = added_up(options) / len(options)
            else:
                taken[place] = option
                values[place] = options[option]
    return taken


def _best(options: Floats, side: Role, noise: float) -> tuple[NDArray[np.int64], Floats]:
    """The first of the best options in each column, and its value."""
    sign = 1.0 if side is Role.ATTACKER else -1.0
    option = np.zeros(options.shape[1], np.int64)
    value = options[0]
    for number in range(1, len(options)):
        least = np.maximum(noise, SAME * np.maximum(np.abs(options[number]), np.abs(value)))
        better = sign * (options[number] - value) > least
        option = np.where(better, number, option)
        value = np.where(better, options[number], value)
    return option, value


def _habits(shape: Shape, aims: Aims) -> Taken:
    """Which option is taken at each decision when neither side looks ahead."""
    decisions = ((place, node) for place, node in enumerate(shape.nodes) if isinstance(node, Decision))
    options = ((place, habit(aims.policies[node.side], node.question)) for place, node in decisions)
    return {place: option for place, option in options if option is not None}


def _reach(shape: Shape, taken: Taken, rolls: dict[int, Floats], rows: int) -> Floats:
    """Forwards: how likely every position is to be reached."""
    chances = np.zeros((len(shape.nodes), rows))
    chances[shape.start] = 1.0
    for place in shape.order:
        node = shape.nodes[place]
        if isinstance(node, Chance):
            here = chances[place].copy()
            chances[list(node.children)] += rolls[place] * here  # nothing goes back to the place itself
        elif isinstance(node, Decision):
            option = taken.get(place)
            for number, child in enumerate(node.children):
                here = chances[place]
                chances[child] += here / len(node.children) if option is None else here * np.equal(option, number)
    return chances
