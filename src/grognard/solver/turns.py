"""Whole turns: which attack is next, and when to stop.

A turn is solved over its choices of the next attack. One attack depends on a few parts of the state only, so that its
graph is explored once for each combination of those parts and used wherever it occurs again. A part that can no longer
change or matter is settled: what it adds to the objective is banked, and positions that differ in it alone are one.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grognard.core.distributions import Probability
from grognard.core.errors import TooLarge
from grognard.core.systems import Battle, PossibleAttack, Role, TurnRules
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.graph import POSITIONS, Chance, Decision, Ending, Graph, Progress, explore
from grognard.solver.induction import NOISE, best_option

SETTLED = -1
"""Stands in a key for a part that is settled."""
REPORT_EVERY = 512
MOST_JOINT = 20_000
"""More combinations of parts are not followed: results are then not listed."""

Key = tuple[int, ...]
"""The parts of a state between two attacks, each by its number; what is settled is left out."""


class CyclicAttack(Exception):
    """An attack whose positions come round to themselves: its turn is solved position by position instead."""


@dataclass(frozen=True, slots=True)
class AttackEnd:
    """One way an attack can end: the involved parts that are left open, and those that are settled now."""

    open: Key
    settled: tuple[tuple[int, Hashable], ...]
    bank: Probability


class AttackGraph:
    """The graph of one attack for one combination of the parts that it involves.

    `slots` are the different combinations of open parts it can end with. A roll is kept as a constant (what is banked)
    and the probabilities of slots and of decisions that follow.
    """

    def __init__(self, graph: Graph, ends: Mapping[int, AttackEnd], open_value: Callable[[Key], Probability]) -> None:
        self.graph, self.ends = graph, ends
        self.slots = tuple(dict.fromkeys(end.open for end in ends.values()))
        self.stop_values = [open_value(open_parts) for open_parts in self.slots]
        """The value of each slot if the turn ended there."""
        slot_of = {open_parts: slot for slot, open_parts in enumerate(self.slots)}
        self.slot = {number: slot_of[end.open] for number, end in ends.items()}
        self.inner = [number for number in reversed(graph.order) if number not in ends]

    def values(self, slots: Sequence[Probability], policy: "DecisionPolicy") -> dict[int, Probability]:
        """The value of every node, from the values of the slots."""
        values: dict[int, Probability] = {
            number: end.bank + slots[self.slot[number]] for number, end in self.ends.items()
        }
        for number in self.inner:
            node = self.graph.nodes[number]
            if isinstance(node, Chance):
                values[number] = sum([p * values[c] for p, c in zip(node.probabilities, node.children, strict=True)])
            else:
                assert isinstance(node, Decision)
                options = [values[child] for child in node.children]
                taken = policy.option(self, number, node, options)
                values[number] = sum(options) / len(options) if taken is None else options[taken]
        return values

    def value(self, slots: Sequence[Probability], policy: "DecisionPolicy") -> Probability:
        """The value of the attack."""
        return self.values(slots, policy)[self.graph.start]

    def end_probabilities(
        self, slots: Sequence[Probability], policy: "DecisionPolicy", one: Probability, start: int | None = None
    ) -> list[tuple[AttackEnd, Probability]]:
        """How likely each end is, from the start of the attack or from another node."""
        values = self.values(slots, policy)
        reach: dict[int, Probability] = {self.graph.start if start is None else start: one}
        for number in self.graph.order:
            here, node = reach.get(number, 0), self.graph.nodes[number]
            if not here or isinstance(node, Ending):
                continue
            if isinstance(node, Chance):
                shares = list(zip(node.children, node.probabilities, strict=True))
            else:
                taken = policy.option(self, number, node, [values[child] for child in node.children])
                chosen = node.children if taken is None else (node.children[taken],)
                shares = [(child, one / len(chosen)) for child in chosen]
            for child, share in shares:
                reach[child] = reach.get(child, 0) + here * share
        return [(end, reach[number]) for number, end in self.ends.items() if reach.get(number)]


class DecisionPolicy:
    """How decisions inside an attack are made under the assumptions."""

    def __init__(self, assumptions: Assumptions) -> None:
        self.assumptions = assumptions
        self.greedy: dict[int, dict[int, int | None]] = {}

    def option(self, attack: AttackGraph, number: int, node: Decision, values: Sequence[Probability]) -> int | None:
        """The option that is taken; None: any."""
        policy = self.assumptions.policy(node.role)
        if policy == Policy.BEST:
            return best_option(values, node.role, NOISE)
        if policy == Policy.GREEDY:
            return self._greedy_options(attack)[number]
        return self.assumptions.fixed_option(node.role, node.question)

    def _greedy_options(self, attack: AttackGraph) -> dict[int, int | None]:
        """What is best at each decision of an attack if the turn ended with it."""
        known = self.greedy.get(id(attack))
        if known is None:
            recorder = SingleAttackPolicy(self.assumptions)
            attack.values(attack.stop_values, recorder)
            known = self.greedy[id(attack)] = recorder.options
        return known


class SingleAttackPolicy(DecisionPolicy):
    """Plays an attack as if it were the only one, and remembers which options are taken."""

    def __init__(self, assumptions: Assumptions) -> None:
        super().__init__(assumptions)
        self.options: dict[int, int | None] = {}

    def option(self, attack: AttackGraph, number: int, node: Decision, values: Sequence[Probability]) -> int | None:
        """The option that is taken; None: any."""
        if self.assumptions.looks_ahead(node.role):
            taken: int | None = best_option(values, node.role, NOISE)
        else:
            taken = self.assumptions.fixed_option(node.role, node.question)
        self.options[number] = taken
        return taken


@dataclass(frozen=True, slots=True)
class NextAttack:
    """An attack that is possible now: its graph, and the key that each of its slots leads to."""

    attack: PossibleAttack
    graph: AttackGraph
    keys: tuple[Key, ...]


class TurnSolver:
    """The value of every choice of the next attack that a turn can come to."""

    def __init__(
        self, battle: Battle, assumptions: Assumptions, bound: int = POSITIONS, progress: Progress | None = None
    ) -> None:
        assert battle.system.turn is not None
        self.battle, self.setup, self.assumptions = battle, battle.setup, assumptions
        self.turn: TurnRules[Any] = battle.system.turn
        self.bound, self.progress = bound, progress
        self.one: Probability = Fraction(1) if assumptions.fractions else 1.0
        self.objective = assumptions.objective_name
        self.policy = DecisionPolicy(assumptions)
        self.attacks = tuple(self.turn.attacks(self.setup))
        self.graphs: dict[tuple[int, Key], AttackGraph | None] = {}
        self.values: dict[Key, Probability] = {}
        state = battle.start().state
        first = self.turn.parts(state)
        self.state = state
        self.numbers: list[dict[Hashable, int]] = [{} for _ in first]
        self.parts: list[list[Hashable]] = [[] for _ in first]
        self.settled_parts: list[Hashable] = list(first)
        self.contributions: list[dict[int, Probability]] = [{} for _ in first]
        self.start, self.start_settled, self.start_bank = self.key_of(first)

    def number(self, index: int, part: Hashable) -> int:
        """A part by a number, counted from 0 for each index."""
        known = self.numbers[index].get(part)
        if known is None:
            known = self.numbers[index][part] = len(self.parts[index])
            self.parts[index].append(part)
            self.contributions[index][known] = self.contribution(index, part)
        return known

    def contribution(self, index: int, part: Hashable) -> Probability:
        """What a part adds to the objective if it stays as it is."""
        return self.turn.contribution(self.setup, self.objective, index, part) * self.one

    def key_of(
        self, parts: Sequence[Hashable], indices: Sequence[int] | None = None
    ) -> tuple[Key, tuple[tuple[int, Hashable], ...], Probability]:
        """The key of some parts (all, or those of these indices), those that are settled, and what these add."""
        key: list[int] = []
        settled: list[tuple[int, Hashable]] = []
        bank = 0 * self.one
        for index, part in zip(range(len(parts)) if indices is None else indices, parts, strict=True):
            if self.turn.is_settled(self.setup, index, part):
                key.append(SETTLED)
                settled.append((index, part))
                self.settled_parts[index] = part
                bank += self.contribution(index, part)
            else:
                key.append(self.number(index, part))
        return tuple(key), tuple(settled), bank

    def state_of(self, key: Key) -> Any:
        """A state with these parts; what is settled may be anything that is."""
        parts = tuple(
            self.settled_parts[index] if number == SETTLED else self.parts[index][number]
            for index, number in enumerate(key)
        )
        return self.turn.with_parts(self.state, parts)

    def graph_of(self, number: int, key: Key) -> AttackGraph | None:
        """The graph of an attack; None if it is not possible now. It depends on the involved parts alone."""
        attack = self.attacks[number]
        involved = attack.involved
        local = (number, tuple([key[index] for index in involved]))
        if local in self.graphs:
            return self.graphs[local]
        state = self.state_of(key)
        graph = None
        if self.turn.is_possible(self.setup, state, attack.declaration):
            begin = self.turn.begin(self.setup, state, attack.declaration)
            explored = explore(
                self.battle, begin, fractions=self.assumptions.fractions, bound=self.bound, until=self.turn.choice
            )
            if explored.cycles:
                raise CyclicAttack
            ends = {place: self._end(after, involved, local[1]) for place, after in explored.endings}
            graph = AttackGraph(explored, ends, lambda parts: self.open_value(parts, involved))
        self.graphs[local] = graph
        return graph

    def _end(self, state: Any, involved: Sequence[int], before: Key) -> AttackEnd:
        """How an attack ended; what was settled before it is not settled again."""
        parts = self.turn.parts(state)
        was_open = [index for index, number in zip(involved, before, strict=True) if number != SETTLED]
        key, settled, bank = self.key_of([parts[index] for index in was_open], was_open)
        number_of = dict(zip(was_open, key, strict=True))
        return AttackEnd(tuple(number_of.get(index, SETTLED) for index in involved), settled, bank)

    def open_value(self, parts: Sequence[int], indices: Sequence[int] | None = None) -> Probability:
        """What the open parts add to the objective if they stay as they are."""
        pairs = zip(range(len(parts)) if indices is None else indices, parts, strict=True)
        return sum((self.contributions[index][number] for index, number in pairs if number != SETTLED), 0 * self.one)

    def next_attacks(self, key: Key) -> list[NextAttack]:
        """Every attack that is possible now, in the order offered."""
        attacks = (self.next_attack(key, number) for number in range(len(self.attacks)))
        return [one for one in attacks if one is not None]

    def next_attack(self, key: Key, number: int) -> NextAttack | None:
        """An attack by its number; None if it is not possible now."""
        attack = self.attacks[number]
        by, on, *_ = attack.involved
        if key[by] == SETTLED or key[on] == SETTLED:
            return None
        graph = self.graph_of(number, key)
        if graph is None:
            return None
        keys = []
        for slot in graph.slots:
            after = list(key)
            for index, part in zip(attack.involved, slot, strict=True):
                after[index] = part
            keys.append(tuple(after))
        return NextAttack(attack, graph, tuple(keys))

    def value(self, key: Key) -> Probability:
        """The value of a choice: what the parts that are still open can be expected to add."""
        stack = [key]
        waiting: dict[Key, list[NextAttack]] = {}
        values = self.values
        while stack:
            here = stack[-1]
            if here in values:
                stack.pop()
                continue
            attacks = waiting.get(here)
            if attacks is None:
                if len(values) + len(waiting) >= self.bound:
                    raise TooLarge("too many positions for an exact turn", self.bound, self.bound)
                attacks = waiting[here] = self.next_attacks(here)
                missing = [after for attack in attacks for after in attack.keys if after not in values]
                if missing:
                    stack += missing
                    continue
            stack.pop()
            del waiting[here]
            options = self.option_values(here, attacks)
            taken = self.option_taken(here, attacks, options)
            values[here] = sum(options, 0 * self.one) / len(options) if taken is None else options[taken]
            if self.progress and len(values) % REPORT_EVERY == 0:
                self.progress(len(values))
        return values[key]

    def option_values(self, key: Key, attacks: Sequence[NextAttack]) -> list[Probability]:
        """The value of each attack, and last of ending the turn."""
        values = self.values
        return [
            *(one.graph.value([values[after] for after in one.keys], self.policy) for one in attacks),
            self.open_value(key),
        ]

    def option_taken(self, key: Key, attacks: Sequence[NextAttack], values: Sequence[Probability]) -> int | None:
        """Which attack is made next, the last option being to end the turn; None: any of them."""
        policy = self.assumptions.attacker
        if policy == Policy.BEST:
            return best_option(values, Role.ATTACKER)
        if policy == Policy.GREEDY:
            return best_option([*(self.single_value(key, one) for one in attacks), values[-1]], Role.ATTACKER)
        return None if policy == Policy.RANDOM else 0

    def single_value(self, key: Key, one: NextAttack) -> Probability:
        """The value of an attack if the turn ended after it."""
        involved = one.attack.involved
        attacked = one.graph.value(one.graph.stop_values, SingleAttackPolicy(self.assumptions))
        return attacked + self.open_value(key) - self.open_value([key[index] for index in involved], involved)


Edge = tuple[Key | None, Probability, AttackEnd | None]
"""Where a choice leads (without a key the turn is over), how likely, and how the attack ended."""


class TurnOutcomes:
    """What comes of a turn from a choice on, or from a node of an attack, forwards over what the policies lead to.

    `first` is the option taken at that choice, if not the policy's.
    """

    def __init__(
        self,
        solver: TurnSolver,
        key: Key,
        first: int | None = None,
        inside: tuple[NextAttack, int] | None = None,
    ) -> None:
        solver.value(key)
        self.solver = solver
        self.marginals: list[dict[Hashable, Probability]] = [{} for _ in key]
        """How likely each part is to end as this."""
        self.joint: dict[tuple[Hashable, ...], Probability] | None = {}
        """How likely all parts are to end as these; None if there are too many. What was settled before is None."""
        measures = solver.battle.system.measures(solver.setup)
        self.sums: dict[str, dict[int, Probability]] = {one.name: {} for one in measures if one.part is None}
        """The distribution of every measure that is a sum over parts, without what was settled before."""
        self.start = key
        self.root = list(self._ends(*inside, solver.one) if inside else self._edges(key, first))
        self._run()

    def _edges(self, key: Key, first: int | None = None) -> Iterator[Edge]:
        solver = self.solver
        attacks = solver.next_attacks(key)
        options = solver.option_values(key, attacks)
        taken = solver.option_taken(key, attacks, options) if first is None else first
        chosen = range(len(options)) if taken is None else (taken,)
        for option in chosen:
            share = solver.one / len(chosen)
            if option == len(attacks):
                yield None, share, None
            else:
                yield from self._ends(attacks[option], None, share)

    def _ends(self, one: NextAttack, node: int | None, share: Probability) -> Iterator[Edge]:
        solver = self.solver
        slots = [solver.values[after] for after in one.keys]
        key_of = dict(zip(one.graph.slots, one.keys, strict=True))
        for end, probability in one.graph.end_probabilities(slots, solver.policy, solver.one, node):
            yield key_of[end.open], share * probability, end

    def _parents_first(self) -> dict[Key, list[Edge]]:
        edges: dict[Key, list[Edge]] = {}
        order: dict[Key, list[Edge]] = {}
        stack = [after for after, _, _ in self.root if after is not None]
        while stack:
            key = stack[-1]
            if key not in edges:
                edges[key] = list(self._edges(key))
                stack += [after for after, _, _ in edges[key] if after is not None and after not in edges]
            else:
                stack.pop()
                order.setdefault(key, edges[key])
        return dict(reversed(order.items()))

    def _run(self) -> None:
        one = self.solver.one
        nothing: tuple[Hashable, ...] = (None,) * len(self.start)
        begin = _Mass(one, {nothing: one}, {name: {0: one} for name in self.sums})
        masses: dict[Key, _Mass] = {}
        self._pass_on(self.start, begin, self.root, masses)
        for key, edges in self._parents_first().items():
            self._pass_on(key, masses.pop(key), edges, masses)

    def _pass_on(self, key: Key, here: "_Mass", edges: Sequence[Edge], masses: "dict[Key, _Mass]") -> None:
        for after, share, end in edges:
            parts = self._open_parts(key) if end is None else end.settled
            for index, part in parts:
                _add(self.marginals[index], part, here.reach * share)
            mass = None if after is None else masses.setdefault(after, _Mass(0, {}, {name: {} for name in self.sums}))
            if mass is not None:
                mass.reach += here.reach * share
            for name, total in self.sums.items():
                bank = sum(self.solver.turn.contribution(self.solver.setup, name, *part) for part in parts)
                for number, probability in here.sums[name].items():
                    _add(total if mass is None else mass.sums[name], number + bank, probability * share)
            self._pass_on_joint(here, mass, share, parts)

    def _open_parts(self, key: Key) -> tuple[tuple[int, Hashable], ...]:
        return tuple((i, self.solver.parts[i][number]) for i, number in enumerate(key) if number != SETTLED)

    def _pass_on_joint(
        self, here: "_Mass", mass: "_Mass | None", share: Probability, parts: Sequence[tuple[int, Hashable]]
    ) -> None:
        """How likely all settled parts together are as they are, unless there are too many combinations."""
        if self.joint is None:
            return
        towards = self.joint if mass is None else mass.joint
        for settled, probability in here.joint.items():
            with_parts = list(settled)
            for index, part in parts:
                with_parts[index] = part
            _add(towards, tuple(with_parts), probability * share)
        if len(towards) > MOST_JOINT:
            self.joint = None


@dataclass(slots=True)
class _Mass:
    """How likely a choice is reached, with the distribution of what was settled on the way."""

    reach: Probability
    joint: dict[tuple[Hashable, ...], Probability]
    sums: dict[str, dict[int, Probability]]


def _add(sums: dict[Any, Probability], key: Hashable, probability: Probability) -> None:
    sums[key] = sums.get(key, 0) + probability
