"""The graph of one attack of a turn: its values, and how likely each of its ends is."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from grognard.core.distributions import Probability
from grognard.core.lazy import has_library
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.formulas import NO, Formula, unit_of
from grognard.solver.graph import Chance, Decision, Ending, Graph, Node
from grognard.solver.induction import NOISE, best_option
from grognard.solver.keys import SETTLED, Code, Key, encode_some, mask

if TYPE_CHECKING:
    from grognard.solver.turn_arrays import ArrayFormula, Levels

HAS_NUMPY = has_library("numpy")  # not in a browser
MOST_IN_FORMULA = 100
"""The value of an attack with more rolls and decisions is worked out in arrays, where there is NumPy."""
FEWEST_IN_ARRAYS = 16
"""The values of fewer attacks are worked out one by one."""
Row = Sequence[Probability]
"""The values of all slots of an attack, or of a stage."""
Options = dict[int, int | None]
"""The option that is taken at each decision of an attack; None: any."""


@dataclass(frozen=True, slots=True)
class AttackEnd:
    """One way an attack can end: the involved parts that are left open, and those that are settled now."""

    open: Key
    settled: tuple[tuple[int, Hashable], ...]
    gain: Probability
    """What the attack has added to the objective."""


class Stage:
    """The graph of all that comes before the cut of an attack. `slots` are the different parts it can end with.

    Attacks of several units may share it: its questions may name another unit than the one that attacks.
    """

    def __init__(
        self, graph: Graph, slot: Mapping[int, int], slots: Sequence[tuple[Hashable, ...]], assumptions: Assumptions
    ) -> None:
        self.graph, self.slot, self.slots = graph, slot, slots
        self.inner = [number for number in reversed(graph.order) if number not in slot]
        one = unit_of(assumptions)
        ends = {number: (0 * one, place) for number, place in slot.items()}
        self.formula = Formula(graph.nodes, self.inner, ends, (graph.start,), assumptions)


class Explored:
    """What the graphs of an attack share that involve the same parts but for those that were used up."""

    def __init__(
        self,
        graph: Graph,
        involved: tuple[int, ...],
        offers: Sequence[tuple[int, int]],
        stage: Stage | None,
        assumptions: Assumptions,
    ) -> None:
        self.graph, self.involved, self.offers, self.stage = graph, involved, offers, stage
        """`offers` are the decisions that need a part to be there, with the place of that part among those involved."""
        self.assumptions = assumptions

    @cached_property
    def levels(self) -> "Levels":
        """The steps in which the values are worked out in arrays."""
        from grognard.solver.turn_arrays import Levels

        return Levels(self.graph, self.assumptions)


class AttackGraph:
    """The graph of one attack for one combination of the parts that it involves.

    `slots` are the different combinations of open parts it can end with. If the attack has a stage before its cut,
    `graph` begins at the cut, with one start for each slot of the stage; the nodes of the stage are numbered after
    those of the graph.
    """

    def __init__(
        self,
        explored: Explored,
        order: Sequence[int],
        ends: Mapping[int, AttackEnd],
        involved: tuple[int, ...],
        closed: Collection[int] = (),
    ) -> None:
        self.explored, self.graph, self.stage = explored, explored.graph, explored.stage
        self.order, self.ends, self.assumptions, self.closed = order, ends, explored.assumptions, closed
        """At the `closed` decisions nobody is asked: the option `no` is taken. `order` lists what is reached then."""
        self.one = unit_of(self.assumptions)
        self.slots = tuple(dict.fromkeys(end.open for end in self.ends.values()))
        self.involved, self.mask = involved, mask(involved)
        self.slot_codes: list[Code] = [encode_some(slot, involved) for slot in self.slots]
        slot_of = {open_parts: slot for slot, open_parts in enumerate(self.slots)}
        self.slot = {number: slot_of[end.open] for number, end in self.ends.items()}
        self.inner = [number for number in reversed(self.order) if number not in ends]
        self.is_last_of_attacker = all(slot[0] == SETTLED for slot in self.slots)
        self._ends: dict[tuple[Probability, ...] | None, list[tuple[AttackEnd, Probability]]] = {}

    @property
    def start(self) -> int:
        """The node at which the attack begins."""
        return self._in_stage(self.stage.graph.start) if self.stage else self.graph.start

    def node(self, number: int) -> Node:
        """A node by its number."""
        offset = len(self.graph.nodes)
        return (
            self.graph.nodes[number]
            if self.stage is None or number < offset
            else self.stage.graph.nodes[number - offset]
        )

    def children(self, number: int) -> Sequence[int]:
        """Where a node leads."""
        return self._numbers(number, self.node(number).children)

    def successor(self, number: int, answer: Hashable) -> int:
        """The node that an answer leads to."""
        node = self.node(number)
        if isinstance(node, Decision):
            return self.children(number)[[option.id for option in node.question.options].index(str(answer))]
        assert isinstance(node, Chance)
        return self.successors(number)[node.answers.index(answer)]

    def successors(self, number: int) -> Sequence[int]:
        """Where each answer to a roll leads."""
        node = self.node(number)
        assert isinstance(node, Chance)
        return self._numbers(number, node.successors)

    def _numbers(self, number: int, children: Sequence[int]) -> Sequence[int]:
        """The numbers of a node's children; those of a node of the stage are counted within the stage."""
        if number < len(self.graph.nodes):
            return children
        return [self._in_stage(child) for child in children]

    def _in_stage(self, number: int) -> int:
        """The number here of a node of the stage; of one of its ends, the node at which the graph goes on."""
        assert self.stage is not None
        slot = self.stage.slot.get(number)
        return len(self.graph.nodes) + number if slot is None else self.graph.starts[slot]

    def option(self, number: int, node: Decision, values: Sequence[Probability], is_last: bool = False) -> int | None:
        """The option that is taken at a decision whose options have these values; None: any."""
        policy = self.assumptions.policy(node.role)
        if policy == Policy.BEST or (is_last and policy == Policy.GREEDY):
            return best_option(values, node.role, NOISE)
        if policy == Policy.GREEDY:
            return self.options_alone[number]
        return self.assumptions.fixed_option(node.role, node.question)

    def values(self, slots: Sequence[Probability] | None) -> dict[int, Probability]:
        """The value of every node, from the values of the slots; without them, if the turn ended with the attack."""
        if slots and self._arrays is not None:
            return self._arrays.values(slots)
        values = self._evaluate(slots, self.inner)[0]
        return self._evaluate(slots, self._stage_inner, values)[0] if self.stage else values

    @property
    def _stage_inner(self) -> list[int]:
        assert self.stage is not None
        return [len(self.graph.nodes) + number for number in self.stage.inner]

    def _evaluate(
        self, slots: Sequence[Probability] | None, inner: Iterable[int], known: dict[int, Probability] | None = None
    ) -> tuple[dict[int, Probability], Options]:
        """The values of these nodes, added to those that are known, and what is decided there."""
        values: dict[int, Probability] = known or {
            number: end.gain + slots[self.slot[number]] if slots else end.gain for number, end in self.ends.items()
        }
        options: Options = {}
        for number in inner:
            node, children = self.node(number), self.children(number)
            if isinstance(node, Chance):
                values[number] = sum([p * values[c] for p, c in zip(node.probabilities, children, strict=True)])
            elif number in self.closed:
                values[number] = values[children[NO]]
            else:
                assert isinstance(node, Decision)
                after = [values[child] for child in children]
                taken = options[number] = self.option(number, node, after, is_last=slots is None)
                values[number] = sum(after) / len(after) if taken is None else after[taken]
        return values, options

    @cached_property
    def options_alone(self) -> Options:
        """What is decided if the turn ends with the attack."""
        values, options = self._evaluate(None, self.inner)
        return options | self._evaluate(None, self._stage_inner, values)[1] if self.stage else options

    @cached_property
    def value_alone(self) -> Probability:
        """The value of the attack if the turn ended with it."""
        return self._value([0 * self.one] * len(self.slots), is_last=True)

    def value(self, slots: Sequence[Probability]) -> Probability:
        """The value of the attack, from the values of the slots."""
        return self._value(slots) if any(slots) else self.value_alone

    def _value(self, slots: Row, is_last: bool = False) -> Probability:
        if self._arrays is not None:
            return self._arrays.value(slots)
        values = self._formula.evaluate(slots, None if is_last else self._taken)
        if self.stage is not None:
            values = self.stage.formula.evaluate(values, None if is_last else self._stage_taken)
        value: Probability = values[0]
        return value

    def start_values(self, rows: Sequence[Row]) -> Sequence[Row]:
        """The values of the starts of the graph, for each row of slots."""
        if self._arrays is not None:
            return self._arrays.start_values(rows)
        return _evaluate_rows(self._formula, rows)

    @cached_property
    def _formula(self) -> "Formula":
        ends = {number: (end.gain, self.slot[number]) for number, end in self.ends.items()}
        return Formula(self.graph.nodes, self.inner, ends, self.graph.starts, self.assumptions, self.closed)

    @cached_property
    def _arrays(self) -> "ArrayFormula | None":
        """The formula in arrays, if the attack is large and there is NumPy."""
        has_arrays = HAS_NUMPY and self.stage is None and not self.assumptions.fractions
        if not has_arrays or len(self.inner) <= MOST_IN_FORMULA:
            return None
        from grognard.solver.turn_arrays import ArrayFormula

        return ArrayFormula(self, self.explored.levels)

    @cached_property
    def _taken(self) -> Sequence[int] | None:
        """What greedy policies decide after the cut; None if there are none."""
        return self._formula.best_options([0 * self.one] * len(self.slots)) if self.is_greedy else None

    @property
    def is_greedy(self) -> bool:
        """Whether a side decides as if the turn ended with the attack."""
        return Policy.GREEDY in (self.assumptions.attacker, self.assumptions.defender)

    @cached_property
    def _stage_taken(self) -> Sequence[int] | None:
        if self._taken is None or self.stage is None:
            return None
        return self.stage.formula.best_options(self._formula.evaluate([0 * self.one] * len(self.slots)))

    def end_probabilities(
        self,
        slots: Sequence[Probability] | None,
        start: int | None = None,
        decided: Mapping[int, int] | None = None,
    ) -> list[tuple[AttackEnd, Probability]]:
        """How likely each end is, from the start of the attack or from another node.

        `decided` replaces what is chosen at some decisions.
        """
        if start is not None or decided or (self.stage is None and (slots is None or any(slots))):
            return self._end_probabilities({self.start if start is None else start: self.one}, slots, decided)
        key = None if slots is None else tuple(slots)
        if key not in self._ends:
            reach = self._start_probabilities(slots) if self.stage else {self.start: self.one}
            self._ends[key] = self._end_probabilities(reach, slots)
        return self._ends[key]

    def _start_probabilities(self, slots: Sequence[Probability] | None) -> dict[int, Probability]:
        """How likely the attack is to come to each start after the cut."""
        assert self.stage is not None
        nothing = [0 * self.one] * len(self.slots)
        starts = self._formula.evaluate(slots or nothing, self._taken if slots else None)
        weights = self.stage.formula.weights(starts, self._stage_taken if slots else None)
        reach: dict[int, Probability] = {}
        for number, weight in zip(self.graph.starts, weights, strict=True):
            if weight:
                reach[number] = reach.get(number, 0) + weight
        return reach

    def _end_probabilities(
        self,
        reach: dict[int, Probability],
        slots: Sequence[Probability] | None,
        decided: Mapping[int, int] | None = None,
    ) -> list[tuple[AttackEnd, Probability]]:
        """How likely each end is if these nodes are reached with these probabilities."""
        begins_in_stage = max(reach) >= len(self.graph.nodes)
        has_all = begins_in_stage or self.stage is None
        values = self.values(slots) if has_all else self._evaluate(slots, self.inner)[0]
        order: Sequence[int] = [*reversed(self._stage_inner), *self.order] if begins_in_stage else self.order
        for number in order:
            here, node = reach.get(number, 0), self.node(number)
            if not here or isinstance(node, Ending):
                continue
            children = self.children(number)
            if isinstance(node, Chance):
                shares = list(zip(children, node.probabilities, strict=True))
            elif number in self.closed:
                shares = [(children[NO], self.one)]
            else:
                taken = (decided or {}).get(number)
                if taken is None:
                    after = [values[child] for child in children]
                    taken = self.option(number, node, after, is_last=slots is None)
                chosen = children if taken is None else (children[taken],)
                shares = [(child, self.one / len(chosen)) for child in chosen]
            for child, share in shares:
                reach[child] = reach.get(child, 0) + here * share
        return [(end, reach[number]) for number, end in self.ends.items() if reach.get(number)]


def evaluate_attacks(rows: Mapping[AttackGraph, Sequence[Row]]) -> dict[AttackGraph, list[Probability]]:
    """The values of attacks: of each graph one for each row of slots; with an empty row nothing follows the attack."""
    values: dict[AttackGraph, list[Probability]] = {}
    in_stage: dict[Stage, list[tuple[AttackGraph, int, Row]]] = {}
    for graph, of_graph in rows.items():
        if graph.is_greedy:
            values[graph] = [graph.value(row) for row in of_graph]
            continue
        values[graph] = [graph.value_alone] * len(of_graph)
        places = [place for place, row in enumerate(of_graph) if any(row)]
        starts = graph.start_values([of_graph[place] for place in places])
        for place, row in zip(places, starts, strict=True):
            if graph.stage is None:
                values[graph][place] = row[0]
            else:
                in_stage.setdefault(graph.stage, []).append((graph, place, row))
    for stage, attacks in in_stage.items():
        (of_stage,) = zip(*_evaluate_rows(stage.formula, [row for _, _, row in attacks]), strict=True)
        for (graph, place, _), value in zip(attacks, of_stage, strict=True):
            values[graph][place] = value
    return values


def _evaluate_rows(formula: Formula, rows: Sequence[Row]) -> Sequence[Row]:
    """The values of the roots of a formula, for each row of slots."""
    if len(rows) < FEWEST_IN_ARRAYS or formula.assumptions.fractions or not HAS_NUMPY:
        return [formula.evaluate(row) for row in rows]
    from grognard.solver.turn_arrays import evaluate_rows

    return evaluate_rows(formula, rows)


def reachable(graph: Graph, closed: Collection[int]) -> list[int]:
    """The nodes that can be reached from the start, parents before children."""
    reached = {graph.start}
    for number in graph.order:
        if number in reached:
            children = graph.nodes[number].children
            reached.update(children[NO:] if number in closed else children)
    return [number for number in graph.order if number in reached]
