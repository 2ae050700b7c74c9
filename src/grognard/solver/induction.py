"""Best decisions, backwards over a battle's graph; chances, forwards over it."""

from collections.abc import Sequence
from fractions import Fraction

from grognard.core.distributions import Probability
from grognard.core.systems import Role
from grognard.solver.assumptions import Aims, Policy, habit
from grognard.solver.graph import Chance, Decision, Ending, Graph

SAME = 1e-10
"""Values in floats that differ by a smaller part are equal: the first option is taken, as it would be in fractions."""
NOISE = 1e-13
"""Neither do values differ by less than this part of the largest that can come about: it is what rounding leaves."""

Choices = dict[int, int]
"""Which option is taken at a decision; one that is not listed is taken at random."""


def decide(graph: Graph, aims: Aims, setup: object, exact: bool) -> tuple[list[Probability], Choices]:
    """The value of every position under the two policies, and which option is taken at each decision."""
    values: list[Probability] = [0.0] * len(graph.nodes)
    choices: Choices = {}
    one: Probability = Fraction(1) if exact else 1.0
    for place, result in graph.endings:
        values[place] = aims.objective.of(setup, result) * one
    noise = NOISE * max(1.0, *(abs(float(values[place])) for place, _ in graph.endings))
    for place in reversed(graph.order):
        node = graph.nodes[place]
        if isinstance(node, Chance):
            values[place] = sum(
                [p * values[child] for p, child in zip(node.probabilities, node.children, strict=True)], 0 * one
            )
        elif isinstance(node, Decision):
            options = [values[child] for child in node.children]
            policy = aims.policies[node.side]
            taken = best(options, node.side, noise) if policy is Policy.BEST else habit(policy, node.question)
            if taken is None:
                values[place] = sum(options, 0 * one) / len(options)
            else:
                choices[place] = taken
                values[place] = options[taken]
    return values, choices


def best(values: Sequence[Probability], side: Role, noise: float = NOISE) -> int:
    """The first of the best options for a side."""
    found = 0
    for place, value in enumerate(values):
        gain = value - values[found] if side is Role.ATTACKER else values[found] - value
        least = (
            0 if isinstance(gain, Fraction) else max(noise, SAME * max(abs(float(value)), abs(float(values[found]))))
        )
        if gain > least:
            found = place
    return found


def habits(graph: Graph, aims: Aims) -> Choices:
    """Which option is taken at each decision when neither side looks ahead."""
    choices: Choices = {}
    for place, node in enumerate(graph.nodes):
        if isinstance(node, Decision):
            taken = habit(aims.policies[node.side], node.question)
            if taken is not None:
                choices[place] = taken
    return choices


def reach(graph: Graph, choices: Choices, exact: bool, start: int | None = None) -> list[Probability]:
    """How likely every position is to be reached from the start, or from another position."""
    one: Probability = Fraction(1) if exact else 1.0
    chances: list[Probability] = [0 * one] * len(graph.nodes)
    chances[graph.start if start is None else start] = one
    for place in graph.order:
        chance = chances[place]
        node = graph.nodes[place]
        if not chance or isinstance(node, Ending):
            continue
        if isinstance(node, Chance):
            for probability, child in zip(node.probabilities, node.children, strict=True):
                chances[child] += chance * probability
        elif place in choices:
            chances[node.children[choices[place]]] += chance
        else:
            share = chance / len(node.children)
            for child in node.children:
                chances[child] += share
    return chances
