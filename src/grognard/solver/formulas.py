"""The value of an attack as a formula in the values of what may follow it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from grognard.core.distributions import Probability
from grognard.core.systems import Role
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.graph import Chance, Decision, Node
from grognard.solver.induction import NOISE, best_option

NO = 1
"""The option `no` of an optional question."""


def unit_of(assumptions: Assumptions) -> Probability:
    """The number 1, as a fraction or a float."""
    return Fraction(1) if assumptions.fractions else 1.0


Weights = dict[int, Probability]
"""How much each variable counts."""
Sum = tuple[Probability, tuple[tuple[int, Probability], ...]]
"""A constant, and variables with how much each counts."""


class Formula:
    """The values of some nodes of a graph as formulas in the values of its slots.

    Rolls and decisions that do not depend on these values become sums. Each decision that does becomes a variable after
    the slots: the largest or the smallest of some sums. Decisions with the same options are one.
    """

    def __init__(
        self,
        nodes: Sequence[Node],
        inner: Iterable[int],
        ends: Mapping[int, tuple[Probability, int]],
        roots: Sequence[int],
        assumptions: Assumptions,
        closed: Collection[int] = (),
    ) -> None:
        self.assumptions, self.one = assumptions, unit_of(assumptions)
        self.slots = 1 + max((slot for _, slot in ends.values()), default=-1)
        self.decisions: list[tuple[Role, tuple[Sum, ...]]] = []
        """For each variable after the slots, who decides, and what the options are worth."""
        self._plain: list[tuple[int, ...] | None] = []
        """For each decision, its options if each is a variable."""
        self._known: dict[tuple[Role, tuple[Sum, ...]], int] = {}
        sums: dict[int, tuple[Probability, Weights]] = {
            number: (gain, {slot: self.one}) for number, (gain, slot) in ends.items()
        }
        for number in inner:
            node = nodes[number]
            if isinstance(node, Chance):
                pairs = zip(node.probabilities, (sums[child] for child in node.children), strict=True)
                sums[number] = _weighted(list(pairs))
            elif number in closed:
                sums[number] = sums[node.children[NO]]
            else:
                assert isinstance(node, Decision)
                sums[number] = self._decide(node, [sums[child] for child in node.children])
        self.roots = [_as_sum(sums[root]) for root in roots]
        del self._known

    def _decide(self, node: Decision, options: list[tuple[Probability, Weights]]) -> tuple[Probability, Weights]:
        if self.assumptions.policy(node.role) in (Policy.BEST, Policy.GREEDY):
            different = tuple(dict.fromkeys(_as_sum(option) for option in options))
            if len(different) == 1:
                return options[0]
            decision = node.role, different
            if decision not in self._known:
                self._known[decision] = self.slots + len(self.decisions)
                self.decisions.append(decision)
                variables = [weights[0][0] for number, weights in different if not number and len(weights) == 1]
                is_plain = len(variables) == len(different) and all(of[0][1] == self.one for _, of in different)
                self._plain.append(tuple(variables) if is_plain else None)
            return 0 * self.one, {self._known[decision]: self.one}
        taken = self.assumptions.fixed_option(node.role, node.question)
        return _weighted([(self.one / len(options), option) for option in options]) if taken is None else options[taken]

    def evaluate(
        self,
        slots: Sequence[Any],
        taken: Sequence[int] | None = None,
        largest: Callable[[Sequence[Any]], Any] = max,
        smallest: Callable[[Sequence[Any]], Any] = min,
    ) -> list[Any]:
        """The values of the roots. `taken` is what greedy policies decide; without it, they decide as the best do.

        The slots are numbers; or arrays of numbers, with what is the largest and the smallest of these.
        """
        values = self._variables(slots, taken, largest, smallest)
        return [_evaluate(root, values) for root in self.roots]

    def _variables(
        self,
        slots: Sequence[Any],
        taken: Sequence[int] | None,
        largest: Callable[[Sequence[Any]], Any] = max,
        smallest: Callable[[Sequence[Any]], Any] = min,
    ) -> list[Any]:
        values = [*slots]
        greedy = [role for role in Role if taken is not None and self.assumptions.policy(role) == Policy.GREEDY]
        for place, (role, options) in enumerate(self.decisions):
            if taken is not None and role in greedy:
                values.append(_evaluate(options[taken[place]], values))
                continue
            plain = self._plain[place]
            after = [values[variable] for variable in plain] if plain else [_evaluate(one, values) for one in options]
            values.append(largest(after) if role is Role.ATTACKER else smallest(after))
        return values

    def best_options(self, slots: Sequence[Probability]) -> list[int]:
        """The best option at each decision."""
        values = self._variables(slots, None)
        return [
            best_option([_evaluate(option, values) for option in options], role, NOISE)
            for role, options in self.decisions
        ]

    def weights(self, slots: Sequence[Probability], taken: Sequence[int] | None = None) -> list[Probability]:
        """How likely each slot is, from the first root."""
        values = self._variables(slots, taken)
        weights: list[Probability] = [0 * self.one] * len(values)
        for variable, weight in self.roots[0][1]:
            weights[variable] += weight
        for place in reversed(range(len(self.decisions))):
            here = weights[self.slots + place]
            if not here:
                continue
            role, options = self.decisions[place]
            if taken is not None and self.assumptions.policy(role) == Policy.GREEDY:
                option = options[taken[place]]
            else:
                option = options[best_option([_evaluate(option, values) for option in options], role, NOISE)]
            for variable, weight in option[1]:
                weights[variable] += here * weight
        return weights[: self.slots]


def _weighted(pairs: Sequence[tuple[Probability, tuple[Probability, Weights]]]) -> tuple[Probability, Weights]:
    constant: Probability = 0
    weights: Weights = {}
    for share, (number, of) in pairs:
        constant += share * number
        for variable, weight in of.items():
            weights[variable] = weights.get(variable, 0) + share * weight
    return constant, weights


def _as_sum(form: tuple[Probability, Weights]) -> Sum:
    return form[0], tuple(form[1].items())


def _evaluate(form: Sum, values: Sequence[Any]) -> Any:
    total, weights = form
    for variable, weight in weights:
        total = total + weight * values[variable]  # a new array each time, if there are arrays
    return total
