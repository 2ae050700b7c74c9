"""The value of an attack of a turn in arrays, by NumPy: for attacks so large that this is worth loading it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from grognard.core.distributions import Probability
from grognard.core.systems import Role
from grognard.solver.assumptions import Policy
from grognard.solver.attack_graphs import AttackGraph, Row
from grognard.solver.formulas import NO, Formula
from grognard.solver.graph import Chance, Decision

MOST_NUMBERS = 1_000_000
"""How many values of nodes are worked out at once."""
Numbers = np.ndarray[Any, np.dtype[np.intp]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Step = tuple[str, slice, Numbers, Floats, Numbers]
"""A step of the formula: what is done, where the results go, the nodes it takes, their weights, where each
result's nodes begin."""


class ArrayFormula:
    """The value of a large attack in floats: one step for all nodes that depend on the same ones before."""

    def __init__(self, attack: AttackGraph) -> None:
        self.attack = attack
        self.place = {number: place for place, number in enumerate(attack.ends)}
        """Where the value of each node is."""
        self.gains = np.array([float(end.gain) for end in attack.ends.values()])
        self.slot_of = np.array([attack.slot[number] for number in attack.ends], dtype=np.intp)
        self.height = dict.fromkeys(attack.ends, 0)
        levels: dict[tuple[int, str], list[tuple[int, Sequence[int], Sequence[Probability]]]] = {}
        for number in attack.inner:
            kind, children, weights = self._rule(number)
            height = self.height[number] = max(self.height[child] for child in children) + 1
            levels.setdefault((height, kind), []).append((number, children, weights))
        self.steps: list[Step] = []
        for (_, kind), nodes in sorted(levels.items()):
            first = len(self.place)
            self.place.update({number: first + place for place, (number, _, _) in enumerate(nodes)})
            starts = np.cumsum([0, *(len(children) for _, children, _ in nodes[:-1])])
            taken = np.array([self.place[child] for _, children, _ in nodes for child in children], dtype=np.intp)
            shares = np.array([float(weight) for _, _, weights in nodes for weight in weights])
            self.steps.append((kind, slice(first, first + len(nodes)), taken, shares, starts))

    def _rule(self, number: int) -> tuple[str, Sequence[int], Sequence[Probability]]:
        """How the value of a node follows from those of its children."""
        node, attack = self.attack.graph.nodes[number], self.attack
        if isinstance(node, Chance):
            return "sum", node.children, node.probabilities
        assert isinstance(node, Decision)
        if number not in attack.closed and attack.assumptions.policy(node.role) == Policy.BEST:
            return "max" if node.role is Role.ATTACKER else "min", node.children, ()
        taken = NO if number in attack.closed else attack.option(number, node, ())
        chosen = node.children if taken is None else (node.children[taken],)
        return "sum", chosen, [1 / len(chosen)] * len(chosen)

    def value(self, slots: Row) -> Probability:
        """The value of the attack."""
        return self.start_values([slots])[0][0]

    def start_values(self, rows: Sequence[Row]) -> list[list[float]]:
        """The values of the starts of the graph, for each row of slots."""
        starts = [self.place[start] for start in self.attack.graph.starts]
        several = max(1, MOST_NUMBERS // len(self.place))
        parts = [rows[first : first + several] for first in range(0, len(rows), several)]
        return [row for part in parts for row in self._run(part)[starts].T.tolist()]

    def values(self, slots: Row) -> dict[int, Probability]:
        """The value of every node."""
        return dict(zip(self.place, self._run([slots])[:, 0].tolist(), strict=True))

    def _run(self, rows: Sequence[Row]) -> Floats:
        """The values of all nodes, with a column for each row of slots."""
        values, do = np.empty((len(self.place), len(rows))), {"max": np.maximum.reduceat, "min": np.minimum.reduceat}
        values[: len(self.gains)] = self.gains[:, None] + np.asarray(rows, dtype=float).T[self.slot_of]
        for kind, results, taken, shares, starts in self.steps:
            of = values[taken]
            values[results] = np.add.reduceat(of * shares[:, None], starts) if kind == "sum" else do[kind](of, starts)
        return values


def evaluate_rows(formula: Formula, rows: Sequence[Row]) -> list[list[float]]:
    """The values of the roots of a formula, for each row of slots."""
    columns = list(np.asarray(rows, dtype=float).T)
    roots = formula.evaluate(columns, largest=np.maximum.reduce, smallest=np.minimum.reduce)
    values: Floats = np.array([np.broadcast_to(root, len(rows)) for root in roots])
    return list(values.T.tolist())
