"""The value of an attack of a turn in arrays, by NumPy: for attacks so large that this is worth loading it."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from grognard.core.distributions import Probability
from grognard.core.systems import Role
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.attack_graphs import AttackGraph, Row
from grognard.solver.formulas import NO, Formula
from grognard.solver.graph import Chance, Decision, Ending, Graph, Node

MOST_NUMBERS = 1_000_000
"""How many values of nodes are worked out at once."""
Numbers = np.ndarray[Any, np.dtype[np.intp]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Step = tuple[str, slice, Numbers, Floats, Numbers]
"""A step of the formula: what is done, where the results go, the nodes it takes, their weights, where each
result's nodes begin."""


class Levels:
    """The steps in which the values of a graph's nodes are worked out: one for all that depend on the same before.

    Attacks that differ only in which decisions are closed share them.
    """

    def __init__(self, graph: Graph, assumptions: Assumptions) -> None:
        self.assumptions = assumptions
        inner = [number for number in reversed(graph.order) if not isinstance(graph.nodes[number], Ending)]
        ends = [number for number in graph.order if isinstance(graph.nodes[number], Ending)]
        self.place = {number: place for place, number in enumerate(ends)}
        """Where the value of each node is."""
        self.ends = len(ends)
        self.height = dict.fromkeys(ends, 0)
        levels: dict[tuple[int, str], list[tuple[int, Sequence[int], Sequence[Probability]]]] = {}
        for number in inner:
            kind, children, weights = self._rule(graph.nodes[number])
            height = self.height[number] = max([self.height[child] for child in children]) + 1
            levels.setdefault((height, kind), []).append((number, children, weights))
        self.steps: list[Step] = []
        self.step_of: dict[int, int] = {}
        """The step in which the value of each node is worked out."""
        for step, ((_, kind), nodes) in enumerate(sorted(levels.items())):
            first = len(self.place)
            self.place.update({number: first + place for place, (number, _, _) in enumerate(nodes)})
            self.step_of.update((number, step) for number, _, _ in nodes)
            starts = np.cumsum([0, *(len(children) for _, children, _ in nodes[:-1])])
            taken = np.array([self.place[child] for _, children, _ in nodes for child in children], dtype=np.intp)
            shares = np.array([float(weight) for _, _, weights in nodes for weight in weights])
            self.steps.append((kind, slice(first, first + len(nodes)), taken, shares, starts))

    def _rule(self, node: Node) -> tuple[str, Sequence[int], Sequence[Probability]]:
        """How the value of a node follows from those of its children."""
        if isinstance(node, Chance):
            return "sum", node.children, node.probabilities
        assert isinstance(node, Decision)
        if self.assumptions.policy(node.role) in (Policy.BEST, Policy.GREEDY):
            return "max" if node.role is Role.ATTACKER else "min", node.children, ()
        taken, options = self.assumptions.fixed_option(node.role, node.question), range(len(node.children))
        shares = [1 / len(options) if taken is None else float(option == taken) for option in options]
        return "sum", node.children, shares


class ArrayFormula:
    """The value of a large attack in floats."""

    def __init__(self, attack: AttackGraph, levels: Levels) -> None:
        self.attack, self.levels = attack, levels
        ends = np.array([levels.place[number] for number in attack.ends], dtype=np.intp)
        self.gains = np.zeros(levels.ends)
        self.gains[ends] = [float(end.gain) for end in attack.ends.values()]
        self.slot_of = np.zeros(levels.ends, dtype=np.intp)
        """The slot of every end; any for those that this attack cannot come to."""
        self.slot_of[ends] = [attack.slot[number] for number in attack.ends]
        replaced: dict[int, list[tuple[int, int]]] = {}
        for number, option in self._decided():
            child = attack.graph.nodes[number].children[option]
            replaced.setdefault(levels.step_of[number], []).append((levels.place[number], levels.place[child]))
        self.replaced = {step: np.array(pairs, dtype=np.intp).T for step, pairs in replaced.items()}
        """After each step the decisions whose option is known, and where their values are taken from."""

    def _decided(self) -> Iterator[tuple[int, int]]:
        """The decisions at which nobody is asked, and those that are made as if the turn ended with the attack."""
        attack = self.attack
        yield from ((number, NO) for number in attack.closed)
        for number, option in attack.options_alone.items() if attack.is_greedy else ():
            node = attack.graph.nodes[number]
            assert isinstance(node, Decision)
            if option is not None and attack.assumptions.policy(node.role) == Policy.GREEDY:
                yield number, option

    def value(self, slots: Row) -> Probability:
        """The value of the attack."""
        return self.start_values([slots])[0][0]

    def start_values(self, rows: Sequence[Row]) -> list[list[float]]:
        """The values of the starts of the graph, for each row of slots."""
        starts = [self.levels.place[start] for start in self.attack.graph.starts]
        several = max(1, MOST_NUMBERS // len(self.levels.place))
        parts = [rows[first : first + several] for first in range(0, len(rows), several)]
        return [row for part in parts for row in self._run(part)[starts].T.tolist()]

    def values(self, slots: Row) -> dict[int, Probability]:
        """The value of every node."""
        return dict(zip(self.levels.place, self._run([slots])[:, 0].tolist(), strict=True))

    def _run(self, rows: Sequence[Row]) -> Floats:
        """The values of all nodes, with a column for each row of slots."""
        values = np.empty((len(self.levels.place), len(rows)))
        do = {"max": np.maximum.reduceat, "min": np.minimum.reduceat}
        values[: len(self.gains)] = self.gains[:, None] + np.asarray(rows, dtype=float).T[self.slot_of]
        for step, (kind, results, taken, shares, starts) in enumerate(self.levels.steps):
            of = values[taken]
            values[results] = np.add.reduceat(of * shares[:, None], starts) if kind == "sum" else do[kind](of, starts)
            if step in self.replaced:
                decisions, chosen = self.replaced[step]
                values[decisions] = values[chosen]
        return values


def evaluate_rows(formula: Formula, rows: Sequence[Row]) -> list[list[float]]:
    """The values of the roots of a formula, for each row of slots."""
    columns = list(np.asarray(rows, dtype=float).T)
    roots = formula.evaluate(columns, largest=np.maximum.reduce, smallest=np.minimum.reduce)
    values: Floats = np.array([np.broadcast_to(root, len(rows)) for root in roots])
    return list(values.T.tolist())
