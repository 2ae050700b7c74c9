"""Values of attacks by NumPy: of one attack with a large graph, or of many attacks at once."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from grognard.core.distributions import Probability
from grognard.core.systems import Role
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.attack_graphs import AttackGraph, ExitValues
from grognard.solver.formulas import NO, Formula
from grognard.solver.graph import Chance, Decision, Ending, Graph, Node

MOST_NUMBERS = 1_000_000
"""How many values of nodes are computed at once."""
Integers = np.ndarray[Any, np.dtype[np.intp]]
Floats = np.ndarray[Any, np.dtype[np.float64]]


class Step(NamedTuple):
    """An array operation that computes the values of several nodes, each from a segment of `children`."""

    kind: str
    """`sum`, `max` or `min`."""
    results: slice
    children: Integers
    weights: Floats
    """The weights of the children in a sum."""
    segment_starts: Integers


class CompiledGraph:
    """The values of a graph's nodes as array operations.

    The height of a node is the longest way from it to an ending: nodes of equal height are computed together. Each node
    has a row in the array of values, the endings first.
    """

    def __init__(self, graph: Graph, assumptions: Assumptions) -> None:
        self.assumptions = assumptions
        inner = [number for number in reversed(graph.order) if not isinstance(graph.nodes[number], Ending)]
        endings = [number for number in graph.order if isinstance(graph.nodes[number], Ending)]
        self.row = {number: row for row, number in enumerate(endings)}
        """The row of each node."""
        self.endings = len(endings)
        heights = dict.fromkeys(endings, 0)
        groups: dict[tuple[int, str], list[tuple[int, Sequence[int], Sequence[Probability]]]] = {}
        for number in inner:
            kind, children, weights = self._operation(graph.nodes[number])
            height = heights[number] = max([heights[child] for child in children]) + 1
            groups.setdefault((height, kind), []).append((number, children, weights))
        self.steps: list[Step] = []
        self.step_of: dict[int, int] = {}
        """The step that computes each node."""
        for step, ((_, kind), nodes) in enumerate(sorted(groups.items())):
            first = len(self.row)
            self.row.update({number: first + place for place, (number, _, _) in enumerate(nodes)})
            self.step_of.update((number, step) for number, _, _ in nodes)
            starts = np.cumsum([0, *(len(children) for _, children, _ in nodes[:-1])])
            rows = np.array([self.row[child] for _, children, _ in nodes for child in children], dtype=np.intp)
            shares = np.array([float(weight) for _, _, weights in nodes for weight in weights])
            self.steps.append(Step(kind, slice(first, first + len(nodes)), rows, shares, starts))

    def _operation(self, node: Node) -> tuple[str, Sequence[int], Sequence[Probability]]:
        """How the value of a node is computed: the kind of operation, its children and their weights."""
        if isinstance(node, Chance):
            return "sum", node.children, node.probabilities
        assert isinstance(node, Decision)
        if self.assumptions.looks_ahead(node.role):
            return "max" if node.role is Role.ATTACKER else "min", node.children, ()
        taken, options = self.assumptions.fixed_option(node.role, node.question), range(len(node.children))
        shares = [1 / len(options) if taken is None else float(option == taken) for option in options]
        return "sum", node.children, shares


class ArrayFormula:
    """The value of an attack with a large graph, in floats."""

    def __init__(self, attack: AttackGraph, compiled: CompiledGraph) -> None:
        self.attack, self.compiled = attack, compiled
        ends = np.array([compiled.row[number] for number in attack.ends], dtype=np.intp)
        self.gains = np.zeros(compiled.endings)
        self.gains[ends] = [float(end.gain) for end in attack.ends.values()]
        self.exit_of = np.zeros(compiled.endings, dtype=np.intp)
        """The exit of every ending; any exit for an ending that this attack cannot reach."""
        self.exit_of[ends] = [attack.exit_of[number] for number in attack.ends]
        fixed: dict[int, list[tuple[int, int]]] = {}
        for number, option in self._fixed_decisions():
            child = attack.graph.nodes[number].children[option]
            fixed.setdefault(compiled.step_of[number], []).append((compiled.row[number], compiled.row[child]))
        self.fixed = {step: np.array(pairs, dtype=np.intp).T for step, pairs in fixed.items()}
        """By step, the rows of decisions whose option is fixed, and the rows of these options."""

    def _fixed_decisions(self) -> Iterator[tuple[int, int]]:
        """The blocked decisions and those of greedy policies, each with its option."""
        attack = self.attack
        yield from ((number, NO) for number in attack.blocked)
        for number, option in attack.options_alone.items() if attack.assumptions.has_greedy else ():
            node = attack.graph.nodes[number]
            assert isinstance(node, Decision)
            if option is not None and attack.assumptions.policy(node.role) == Policy.GREEDY:
                yield number, option

    def value(self, exit_values: ExitValues) -> Probability:
        """The value of the attack, from the values of its exits."""
        return self.start_values([exit_values])[0][0]

    def start_values(self, rows: Sequence[ExitValues]) -> list[list[float]]:
        """The values of the starts of the graph, for each row of exit values."""
        starts = [self.compiled.row[start] for start in self.attack.graph.starts]
        size = max(1, MOST_NUMBERS // len(self.compiled.row))
        batches = [rows[first : first + size] for first in range(0, len(rows), size)]
        return [values for batch in batches for values in self._run(batch)[starts].T.tolist()]

    def values(self, exit_values: ExitValues) -> dict[int, Probability]:
        """The value of every node, from the values of the exits."""
        return dict(zip(self.compiled.row, self._run([exit_values])[:, 0].tolist(), strict=True))

    def _run(self, rows: Sequence[ExitValues]) -> Floats:
        """The values of all nodes, with a column for each row of exit values."""
        values = np.empty((len(self.compiled.row), len(rows)))
        compare = {"max": np.maximum.reduceat, "min": np.minimum.reduceat}
        values[: len(self.gains)] = self.gains[:, None] + np.asarray(rows, dtype=float).T[self.exit_of]
        for step, (kind, results, children, weights, starts) in enumerate(self.compiled.steps):
            of = values[children]
            if kind == "sum":
                values[results] = np.add.reduceat(of * weights[:, None], starts)
            else:
                values[results] = compare[kind](of, starts)
            if step in self.fixed:
                decisions, options = self.fixed[step]
                values[decisions] = values[options]
        return values


def evaluate_rows(formula: Formula, rows: Sequence[ExitValues]) -> list[list[float]]:
    """The values of the roots of a formula, for each row of exit values."""
    columns = list(np.asarray(rows, dtype=float).T)
    roots = formula.evaluate(columns, largest=np.maximum.reduce, smallest=np.minimum.reduce)
    values: Floats = np.array([np.broadcast_to(root, len(rows)) for root in roots])
    return list(values.T.tolist())
