"""Backward induction over a battle's graph, and reach probabilities by a forward pass.

The attacker maximises and the defender minimises. A cycle is solved as a whole: by elimination if no side in it looks
ahead, otherwise by policy iteration.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from grognard.core.distributions import Probability
from grognard.core.errors import Endless
from grognard.core.systems import Battle, Role
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.cycles import Elimination, NeverLeft
from grognard.solver.graph import Chance, Decision, Ending, Graph, Node, endless

RELATIVE = 1e-10
"""Floats with a smaller relative difference are equal: the first option is taken, as it would be in fractions."""
NOISE = 1e-13
"""Floats also are equal if they differ by less than this part of the largest value: that is rounding."""

Choices = dict[int, int]
"""The option taken at each decision. At a decision that is missing, all options are equally likely."""
Mixture = Mapping[int, Probability]
"""A mixed choice: the probability of each option of a decision."""


class Induction:
    """The value of every node under the assumptions, and the option taken at each decision."""

    def __init__(self, battle: Battle, graph: Graph, assumptions: Assumptions) -> None:
        self.graph, self.assumptions = graph, assumptions
        self.one, self.zero = assumptions.one, assumptions.zero
        self.values: list[Probability] = [self.zero] * len(graph.nodes)
        self.choices: Choices = {}
        objective = assumptions.objective_of(battle).of
        largest = 1.0
        for number, result in graph.endings:
            value = self.values[number] = objective(battle.setup, result) * self.one
            largest = max(largest, abs(float(value)))
        self.noise = NOISE * largest
        self.values_alone = self._values_alone(battle) if battle.is_turn and assumptions.has_greedy else None
        """If a side is greedy in a turn: the value of every node if the turn ended with the current attack."""
        self.endless: dict[int, int] = {}
        """The nodes without a value, because fixed policies would play on from there for ever; each with the node that
        is asked for ever."""
        self._run()

    def _values_alone(self, battle: Battle) -> list[Probability]:
        assert battle.system.turn is not None
        choice, of = battle.system.turn.choice, battle.system.result
        nodes = [
            Ending(of(battle.setup, node.position.state))
            if not isinstance(node, Ending) and node.position.rule is choice
            else node
            for node in self.graph.nodes
        ]
        graph = replace(self.graph, nodes=nodes)
        return Induction(battle, graph, self.assumptions.without_greedy()).values

    def looks_ahead(self, role: Role) -> bool:
        """Whether a side takes the option of the best value."""
        return self.assumptions.looks_ahead(role) and not self._is_greedy_in_turn(role)

    def _is_greedy_in_turn(self, role: Role) -> bool:
        return self.assumptions.policy(role) == Policy.GREEDY and self.values_alone is not None

    def fixed_option(self, node: Decision) -> int | None:
        """The option that a side takes if it does not look beyond the current attack; None: any."""
        if self.values_alone is not None and self._is_greedy_in_turn(node.role):
            return best_option([self.values_alone[child] for child in node.children], node.role, self.noise)
        return self.assumptions.fixed_option(node.role, node.question)

    def value_of(self, number: int) -> Probability:
        """The value of a node; an error if the policies would play on from there for ever."""
        if number in self.endless:
            raise _endless(self.graph.nodes[self.endless[number]])
        return self.values[number]

    def _run(self) -> None:
        cycle_of = {member: cycle for cycle in self.graph.cycles for member in cycle}
        looks_ahead = any(map(self.looks_ahead, Role))
        done: set[int] = set()
        for number in reversed(self.graph.order):
            if number not in cycle_of:
                self._node(number)
            elif number not in done:
                done.update(cycle_of[number])
                members = cycle_of[number] if looks_ahead else self._members_with_an_end(cycle_of[number])
                if members:
                    _Cycle(self, members).solve()
        self.value_of(self.graph.start)

    def _members_with_an_end(self, cycle: Sequence[int]) -> list[int]:
        """The members of a cycle from which the policies play to an end; the others are noted as endless."""
        ways: dict[int, Collection[int]] = {}
        for member in cycle:
            node = self.graph.nodes[member]
            if isinstance(node, Decision) and (taken := self.fixed_option(node)) is not None:
                self.choices[member] = taken
            ways[member] = transitions(node, self.choices.get(member), self.one)
        back = _reversed(ways)
        leading_out = _closure(back, [member for member in cycle if any(child not in ways for child in ways[member])])
        stuck = [member for member in cycle if member not in leading_out]
        sources = {_decision_or(stuck[0], stuck, self.graph): stuck} if stuck else {}
        for member in cycle:
            for child in ways[member]:
                if child in self.endless:
                    sources.setdefault(self.endless[child], []).append(member)
        for question, members in sources.items():
            self.endless |= dict.fromkeys(_closure(back, members), question)
        return [member for member in cycle if member not in self.endless]

    def _node(self, number: int) -> None:
        node = self.graph.nodes[number]
        values = self.values
        if isinstance(node, Chance):
            values[number] = sum(
                [p * values[child] for p, child in zip(node.probabilities, node.children, strict=True)], self.zero
            )
        elif isinstance(node, Decision):
            options = [values[child] for child in node.children]
            taken = self.option_taken(node, options)
            if taken is None:
                values[number] = sum(options, self.zero) / len(options)
            else:
                self.choices[number] = taken
                values[number] = options[taken]
        if self.endless and not isinstance(node, Ending):
            after = transitions(node, self.choices.get(number), self.one)
            asked = next((self.endless[child] for child in after if child in self.endless), None)
            if asked is not None:
                self.endless[number] = asked

    def option_taken(self, node: Decision, values: Sequence[Probability]) -> int | None:
        """The option that is taken at a decision whose options have these values; None: any."""
        if self.looks_ahead(node.role):
            return best_option(values, node.role, self.noise)
        return self.fixed_option(node)


def best_option(values: Sequence[Probability], role: Role, noise: float = NOISE) -> int:
    """The first of the best options for a side."""
    best = 0
    for option, value in enumerate(values):
        if is_better(value, values[best], role, noise):
            best = option
    return best


def is_better(value: Probability, other: Probability, role: Role, noise: float = NOISE) -> bool:
    """Whether one value is better than another for a side, by more than rounding."""
    gain = value - other if role is Role.ATTACKER else other - value
    if isinstance(gain, Fraction):
        return gain > 0
    return gain > max(noise, RELATIVE * max(abs(float(value)), abs(float(other))))


class _Cycle:
    """Solves a cycle by policy iteration.

    It begins with options with which the battle ends, and replaces an option by a strictly better one only, with which
    it ends too. The defender improves until it cannot any more before the attacker improves once (Hoffman and Karp).
    """

    def __init__(self, induction: Induction, members: Sequence[int]) -> None:
        self.induction, self.members = induction, members
        self.nodes = induction.graph.nodes
        self.options: dict[int, int | None] = {}
        self.open: dict[int, Decision] = {}
        for member in members:
            node = self.nodes[member]
            if isinstance(node, Decision):
                if induction.looks_ahead(node.role):
                    self.open[member] = node
                else:
                    self.options[member] = induction.fixed_option(node)

    def solve(self) -> None:
        """Write the values and choices of all members."""
        self._initialize_options()
        self._evaluate()
        while self._improve(Role.DEFENDER) or self._improve(Role.ATTACKER):
            self._evaluate()
        self._break_ties()
        self._evaluate()
        self.induction.choices.update((member, taken) for member, taken in self.options.items() if taken is not None)

    def _initialize_options(self) -> None:
        """Give each open decision an option that is a step nearer to leaving the cycle."""
        leading_out = {member for member in self.members if self._lead_out(member, set(self.members))}
        inside = set(self.members) - leading_out
        while inside:
            nearer = {member for member in inside if self._lead_out(member, inside)}
            if not nearer:
                raise self._endless(min(inside))
            inside -= nearer

    def _lead_out(self, member: int, inside: set[int]) -> bool:
        """Whether a member can lead out of these nodes; an open decision gets the first option that does."""
        node = self.nodes[member]
        if member in self.open:
            ways = [option for option, child in enumerate(node.children) if child not in inside]
            if ways:
                self.options[member] = ways[0]
            return bool(ways)
        return any(child not in inside for child in self._row(member))

    def _row(self, member: int) -> dict[int, Probability]:
        return transitions(self.nodes[member], self.options.get(member), self.induction.one)

    def _evaluate(self) -> None:
        try:
            elimination = Elimination({member: self._row(member) for member in self.members})
        except NeverLeft as never:
            raise self._endless(never.member) from None
        for member, value in elimination.values(self.induction.values).items():
            self.induction.values[member] = value

    def _improve(self, role: Role) -> bool:
        """Replace every option of a side that is not best, and return whether there was any."""
        improved = False
        for member, node in self.open.items():
            taken = self.options[member]
            assert taken is not None
            values = [self.induction.values[child] for child in node.children]
            best = best_option(values, role, self.induction.noise)
            if node.role is role and is_better(values[best], values[taken], role, self.induction.noise):
                self.options[member] = best
                improved = True
        return improved

    def _break_ties(self) -> None:
        for member, node in self.open.items():
            values = [self.induction.values[child] for child in node.children]
            self.options[member] = best_option(values, node.role, self.induction.noise)

    def _endless(self, member: int) -> Endless:
        """The error for a cycle that is never left."""
        return _endless(self.nodes[_decision_or(member, self.members, self.induction.graph)])


def _decision_or(member: int, members: Iterable[int], graph: Graph) -> int:
    """This member of a cycle if it is a decision, or else the first decision among some members, if there is one."""
    return next((number for number in (member, *members) if isinstance(graph.nodes[number], Decision)), member)


def _endless(node: Node) -> Endless:
    """The error for a battle that returns to this node for ever."""
    assert not isinstance(node, Ending)
    return endless(node.position, node.question)


def _reversed(ways: Mapping[int, Iterable[int]]) -> dict[int, list[int]]:
    """The nodes that lead to each node."""
    back: dict[int, list[int]] = {}
    for member, children in ways.items():
        for child in children:
            back.setdefault(child, []).append(member)
    return back


def _closure(ways: Mapping[int, Iterable[int]], members: Iterable[int]) -> set[int]:
    """These members and all nodes to which they lead by any number of ways."""
    reached = set(members)
    stack = list(reached)
    while stack:
        new = set(ways.get(stack.pop(), ())) - reached
        reached |= new
        stack += new
    return reached


def transitions(
    node: Chance | Decision | Ending, taken: int | Mixture | None, one: Probability
) -> dict[int, Probability]:
    """The probability of each child of a node if this option is taken; None: any with equal chance."""
    if isinstance(node, Chance):
        return dict(zip(node.children, node.probabilities, strict=True))
    if isinstance(taken, int):
        return {node.children[taken]: one}
    row: dict[int, Probability] = {}
    for option, child in enumerate(node.children):
        share = one / len(node.children) if taken is None else taken.get(option, 0 * one)
        if share:
            row[child] = row.get(child, 0) + share
    return row


def reach_probabilities(
    graph: Graph, taken: Callable[[int], int | Mixture | None], one: Probability, start: int | None = None
) -> list[Probability]:
    """The probability of reaching each node from the start or another node; in a cycle, the expected visits.

    `taken` gives the option taken at a decision.
    """
    reached: list[Probability] = [0 * one] * len(graph.nodes)
    reached[graph.start if start is None else start] = one
    cycle_of = {member: cycle for cycle in graph.cycles for member in cycle}
    done: set[int] = set()
    for number in graph.order:
        if number in cycle_of:
            if number not in done:
                done.update(cycle_of[number])
                _pass_through_cycle(graph, cycle_of[number], taken, one, reached)
            continue
        probability = reached[number]
        node = graph.nodes[number]
        if not probability or isinstance(node, Ending):
            continue
        if isinstance(node, Chance):
            for share, child in zip(node.probabilities, node.children, strict=True):
                reached[child] += probability * share
        else:
            for child, share in transitions(node, taken(number), one).items():
                reached[child] += probability * share
    return reached


def _pass_through_cycle(
    graph: Graph,
    members: Sequence[int],
    taken: Callable[[int], int | Mixture | None],
    one: Probability,
    reached: list[Probability],
) -> None:
    entering = {member: reached[member] for member in members}
    if not any(entering.values()):
        return
    rows = {member: transitions(graph.nodes[member], taken(member), one) for member in members}
    reachable = _closure(rows, [member for member in members if entering[member]])
    try:
        elimination = Elimination({member: row for member, row in rows.items() if member in reachable})
    except NeverLeft as never:
        raise _endless(graph.nodes[_decision_or(never.member, members, graph)]) from None
    visits, leaving = elimination.flow({member: entering[member] for member in members if member in reachable})
    for member, times in visits.items():
        reached[member] = times
    for child, probability in leaving.items():
        reached[child] += probability
