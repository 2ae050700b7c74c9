"""The graph of one attack of a turn: its value, and the probabilities of its ends."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from grognard.core.distributions import Probability
from grognard.core.lazy import has_library
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.formulas import NO, Formula
from grognard.solver.graph import Chance, Decision, Ending, Graph, Node
from grognard.solver.induction import NOISE, best_option
from grognard.solver.keys import SETTLED, Key, PackedKey, pack_parts, part_mask

if TYPE_CHECKING:
    from grognard.solver.turn_arrays import ArrayFormula, CompiledGraph

HAS_NUMPY = has_library("numpy")  # not in a browser
MOST_IN_FORMULA = 100
"""The value of an attack with more rolls and decisions is computed by NumPy, where it is installed."""
FEWEST_IN_ARRAYS = 16
"""A formula is evaluated by NumPy for at least this many attacks at once."""
ExitValues = Sequence[Probability]
"""The value of each exit of an attack, or of an opening."""
OptionsTaken = dict[int, int | None]
"""The option that is taken at each decision of an attack; None: any."""


@dataclass(frozen=True, slots=True)
class AttackEnd:
    """A terminal node of an attack graph."""

    exit: Key
    """The numbers of the involved parts after the attack."""
    settled: tuple[tuple[int, Hashable], ...]
    """The parts that the attack settles, with their indices."""
    gain: Probability
    """What the attack adds to the objective."""


class Opening:
    """The graph of an attack up to its checkpoint. Its exits are the different parts that it can end with.

    Several attacks may share it: the questions in it may name another unit than the one that attacks.
    """

    def __init__(
        self,
        graph: Graph,
        exit_of: Mapping[int, int],
        exits: Sequence[tuple[Hashable, ...]],
        assumptions: Assumptions,
    ) -> None:
        self.graph, self.exit_of, self.exits = graph, exit_of, exits
        self.inner = [number for number in reversed(graph.order) if number not in exit_of]
        ends = {number: (assumptions.zero, exit_) for number, exit_ in exit_of.items()}
        self.formula = Formula(graph.nodes, self.inner, ends, (graph.start,), assumptions)


@dataclass(eq=False)
class ExploredAttack:
    """The positions of an attack with every consumable available: several attack graphs share them."""

    graph: Graph
    involved: tuple[int, ...]
    consumptions: Sequence[tuple[int, int]]
    """The decisions to use a consumable, each with the place of the consumable among the involved parts."""
    opening: Opening | None
    assumptions: Assumptions

    @cached_property
    def compiled(self) -> "CompiledGraph":
        from grognard.solver.turn_arrays import CompiledGraph

        return CompiledGraph(self.graph, self.assumptions)


class AttackGraph:
    """The graph of one attack for one combination of the parts that it involves.

    Its exits are the combinations of these parts that it can end with. If the attack has an opening, `graph` begins at
    the checkpoint, with one start for each exit of the opening; the nodes of the opening are numbered after those of
    the graph. Values do not include what was gained before the attack.
    """

    def __init__(
        self,
        explored: ExploredAttack,
        order: Sequence[int],
        ends: Mapping[int, AttackEnd],
        involved: tuple[int, ...],
        blocked: Collection[int] = (),
    ) -> None:
        """At `blocked` decisions the consumable is gone: the option `no` is taken without asking.

        `order` lists the nodes that can be reached then, parents before children.
        """
        self.explored, self.graph, self.opening = explored, explored.graph, explored.opening
        self.order, self.ends, self.assumptions, self.blocked = order, ends, explored.assumptions, blocked
        self.one, self.zero = self.assumptions.one, self.assumptions.zero
        self.exits = tuple(dict.fromkeys(end.exit for end in self.ends.values()))
        self.involved, self.mask = involved, part_mask(*involved)
        self.packed_exits: list[PackedKey] = [pack_parts(exit_, involved) for exit_ in self.exits]
        number_of_exit = {exit_: number for number, exit_ in enumerate(self.exits)}
        self.exit_of = {number: number_of_exit[end.exit] for number, end in self.ends.items()}
        self.inner = [number for number in reversed(self.order) if number not in ends]
        self.settles_attacker = all(exit_[0] == SETTLED for exit_ in self.exits)
        self._cached_ends: dict[tuple[Probability, ...] | None, list[tuple[AttackEnd, Probability]]] = {}

    @property
    def start(self) -> int:
        """The node at which the attack begins."""
        return self._in_opening(self.opening.graph.start) if self.opening else self.graph.start

    def node(self, number: int) -> Node:
        offset = len(self.graph.nodes)
        if self.opening is None or number < offset:
            return self.graph.nodes[number]
        return self.opening.graph.nodes[number - offset]

    def children(self, number: int) -> Sequence[int]:
        return self._numbers(number, self.node(number).children)

    def successor(self, number: int, answer: Hashable) -> int:
        """The node that an answer leads to."""
        node = self.node(number)
        if isinstance(node, Decision):
            return self.children(number)[[option.id for option in node.question.options].index(str(answer))]
        assert isinstance(node, Chance)
        return self.successors(number)[node.answers.index(answer)]

    def successors(self, number: int) -> Sequence[int]:
        """The node that each answer to a roll leads to."""
        node = self.node(number)
        assert isinstance(node, Chance)
        return self._numbers(number, node.successors)

    def _numbers(self, number: int, children: Sequence[int]) -> Sequence[int]:
        """The numbers of a node's children. A node of the opening has them as the opening numbers them."""
        if number < len(self.graph.nodes):
            return children
        return [self._in_opening(child) for child in children]

    def _in_opening(self, number: int) -> int:
        """The number of a node of the opening; for an ending of the opening, the start that it leads to."""
        assert self.opening is not None
        exit_ = self.opening.exit_of.get(number)
        return len(self.graph.nodes) + number if exit_ is None else self.graph.starts[exit_]

    def option_taken(
        self, number: int, node: Decision, values: Sequence[Probability], is_last: bool = False
    ) -> int | None:
        """The option that is taken at a decision whose options have these values; None: any."""
        policy = self.assumptions.policy(node.role)
        if policy == Policy.BEST or (is_last and policy == Policy.GREEDY):
            return best_option(values, node.role, NOISE)
        if policy == Policy.GREEDY:
            return self.options_alone[number]
        return self.assumptions.fixed_option(node.role, node.question)

    def values(self, exit_values: ExitValues | None) -> dict[int, Probability]:
        """The value of every node, from the values of the exits; None: as if the turn ended with the attack."""
        if exit_values and self._arrays is not None:
            return self._arrays.values(exit_values)
        values = self._evaluate(exit_values, self.inner)[0]
        return self._evaluate(exit_values, self._opening_inner, values)[0] if self.opening else values

    @property
    def _opening_inner(self) -> list[int]:
        assert self.opening is not None
        return [len(self.graph.nodes) + number for number in self.opening.inner]

    def _evaluate(
        self, exit_values: ExitValues | None, inner: Iterable[int], known: dict[int, Probability] | None = None
    ) -> tuple[dict[int, Probability], OptionsTaken]:
        """The values of the inner nodes, added to the known ones, and the option taken at each of them."""
        values: dict[int, Probability] = known or {
            number: end.gain + exit_values[self.exit_of[number]] if exit_values else end.gain
            for number, end in self.ends.items()
        }
        options: OptionsTaken = {}
        for number in inner:
            node, children = self.node(number), self.children(number)
            if isinstance(node, Chance):
                values[number] = sum([p * values[c] for p, c in zip(node.probabilities, children, strict=True)])
            elif number in self.blocked:
                values[number] = values[children[NO]]
            else:
                assert isinstance(node, Decision)
                after = [values[child] for child in children]
                taken = options[number] = self.option_taken(number, node, after, is_last=exit_values is None)
                values[number] = sum(after) / len(after) if taken is None else after[taken]
        return values, options

    @cached_property
    def options_alone(self) -> OptionsTaken:
        """The option taken at each decision if the turn ends with the attack."""
        values, options = self._evaluate(None, self.inner)
        return options | self._evaluate(None, self._opening_inner, values)[1] if self.opening else options

    @cached_property
    def value_alone(self) -> Probability:
        """The value of the attack if the turn ends with it."""
        return self._value([self.zero] * len(self.exits), is_last=True)

    def value(self, exit_values: ExitValues) -> Probability:
        """The value of the attack, from the values of its exits."""
        return self._value(exit_values) if any(exit_values) else self.value_alone

    def _value(self, exit_values: ExitValues, is_last: bool = False) -> Probability:
        if self._arrays is not None:
            return self._arrays.value(exit_values)
        values = self._formula.evaluate(exit_values, None if is_last else self._greedy_options)
        if self.opening is not None:
            values = self.opening.formula.evaluate(values, None if is_last else self._greedy_opening_options)
        value: Probability = values[0]
        return value

    def start_values(self, rows: Sequence[ExitValues]) -> Sequence[Sequence[Probability]]:
        """The values of the starts of the graph, for each row of exit values."""
        if self._arrays is not None:
            return self._arrays.start_values(rows)
        return _evaluate_rows(self._formula, rows)

    @cached_property
    def _formula(self) -> Formula:
        ends = {number: (end.gain, self.exit_of[number]) for number, end in self.ends.items()}
        return Formula(self.graph.nodes, self.inner, ends, self.graph.starts, self.assumptions, self.blocked)

    @cached_property
    def _arrays(self) -> "ArrayFormula | None":
        """The formula in arrays, if the attack is large and NumPy is installed."""
        has_arrays = HAS_NUMPY and self.opening is None and not self.assumptions.fractions
        if not has_arrays or len(self.inner) <= MOST_IN_FORMULA:
            return None
        from grognard.solver.turn_arrays import ArrayFormula

        return ArrayFormula(self, self.explored.compiled)

    @cached_property
    def _greedy_options(self) -> Sequence[int] | None:
        """The options that greedy policies take after the opening; None if there are no such policies."""
        return self._formula.best_options([self.zero] * len(self.exits)) if self.assumptions.has_greedy else None

    @cached_property
    def _greedy_opening_options(self) -> Sequence[int] | None:
        """The options that greedy policies take in the opening."""
        if not self.assumptions.has_greedy or self.opening is None:
            return None
        return self.opening.formula.best_options(self._formula.evaluate([self.zero] * len(self.exits)))

    def end_probabilities(
        self,
        exit_values: ExitValues | None,
        start: int | None = None,
        overrides: Mapping[int, int] | None = None,
    ) -> list[tuple[AttackEnd, Probability]]:
        """The probability of each end, from the start of the attack or from another node.

        `overrides` has the options of decisions at which the policy is not followed.
        """
        if start is not None or overrides or (self.opening is None and (exit_values is None or any(exit_values))):
            reach = {self.start if start is None else start: self.one}
            return self._end_probabilities(reach, exit_values, overrides)
        key = None if exit_values is None else tuple(exit_values)
        if key not in self._cached_ends:
            reach = self._start_probabilities(exit_values) if self.opening else {self.start: self.one}
            self._cached_ends[key] = self._end_probabilities(reach, exit_values)
        return self._cached_ends[key]

    def _start_probabilities(self, exit_values: ExitValues | None) -> dict[int, Probability]:
        """The probability of each start after the opening."""
        assert self.opening is not None
        starts = self._formula.evaluate(
            exit_values or [self.zero] * len(self.exits), self._greedy_options if exit_values else None
        )
        probabilities = self.opening.formula.exit_probabilities(
            starts, self._greedy_opening_options if exit_values else None
        )
        reach: dict[int, Probability] = {}
        for number, probability in zip(self.graph.starts, probabilities, strict=True):
            if probability:
                reach[number] = reach.get(number, 0) + probability
        return reach

    def _end_probabilities(
        self,
        reach: dict[int, Probability],
        exit_values: ExitValues | None,
        overrides: Mapping[int, int] | None = None,
    ) -> list[tuple[AttackEnd, Probability]]:
        """The probability of each end, given the probabilities of the nodes to begin from."""
        begins_in_opening = max(reach) >= len(self.graph.nodes)
        needs_all = begins_in_opening or self.opening is None
        values = self.values(exit_values) if needs_all else self._evaluate(exit_values, self.inner)[0]
        order: Sequence[int] = [*reversed(self._opening_inner), *self.order] if begins_in_opening else self.order
        for number in order:
            here, node = reach.get(number, 0), self.node(number)
            if not here or isinstance(node, Ending):
                continue
            children = self.children(number)
            if isinstance(node, Chance):
                shares = list(zip(children, node.probabilities, strict=True))
            elif number in self.blocked:
                shares = [(children[NO], self.one)]
            else:
                taken = (overrides or {}).get(number)
                if taken is None:
                    after = [values[child] for child in children]
                    taken = self.option_taken(number, node, after, is_last=exit_values is None)
                chosen = children if taken is None else (children[taken],)
                shares = [(child, self.one / len(chosen)) for child in chosen]
            for child, share in shares:
                reach[child] = reach.get(child, 0) + here * share
        return [(end, reach[number]) for number, end in self.ends.items() if reach.get(number)]


def evaluate_graphs(rows: Mapping[AttackGraph, Sequence[ExitValues]]) -> dict[AttackGraph, list[Probability]]:
    """The value of each graph for each of its rows of exit values."""
    values: dict[AttackGraph, list[Probability]] = {}
    unfinished: dict[Opening, list[tuple[AttackGraph, int, Sequence[Probability]]]] = {}
    for graph, of_graph in rows.items():
        if graph.assumptions.has_greedy:
            values[graph] = [graph.value(row) for row in of_graph]
            continue
        values[graph] = [graph.value_alone] * len(of_graph)
        places = [place for place, row in enumerate(of_graph) if any(row)]
        starts = graph.start_values([of_graph[place] for place in places])
        for place, row in zip(places, starts, strict=True):
            if graph.opening is None:
                values[graph][place] = row[0]
            else:
                unfinished.setdefault(graph.opening, []).append((graph, place, row))
    for opening, attacks in unfinished.items():
        (of_opening,) = zip(*_evaluate_rows(opening.formula, [row for _, _, row in attacks]), strict=True)
        for (graph, place, _), value in zip(attacks, of_opening, strict=True):
            values[graph][place] = value
    return values


def _evaluate_rows(formula: Formula, rows: Sequence[ExitValues]) -> Sequence[Sequence[Probability]]:
    """The values of the roots of a formula, for each row of exit values."""
    if len(rows) < FEWEST_IN_ARRAYS or formula.assumptions.fractions or not HAS_NUMPY:
        return [formula.evaluate(row) for row in rows]
    from grognard.solver.turn_arrays import evaluate_rows

    return evaluate_rows(formula, rows)


def reachable(graph: Graph, blocked: Collection[int]) -> list[int]:
    """The nodes that can be reached from the start if these decisions are blocked, parents before children."""
    reached = {graph.start}
    for number in graph.order:
        if number in reached:
            children = graph.nodes[number].children
            reached.update(children[NO:] if number in blocked else children)
    return [number for number in graph.order if number in reached]
