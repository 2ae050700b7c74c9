"""The value of an attack as a function of the values of its exits."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from grognard.core.distributions import Probability
from grognard.core.systems import Role
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.graph import Chance, Decision, Node
from grognard.solver.induction import NOISE, best_option

NO = 1
"""The option `no` of an optional question."""
Coefficients = dict[int, Probability]
"""The coefficient of each variable."""
LinearForm = tuple[Probability, tuple[tuple[int, Probability], ...]]
"""A constant, and variables with their coefficients."""


class Formula:
    """The values of some nodes of a graph, the roots, as functions of the values of its exits.

    Values are linear forms in variables. The first variables are the exits. Every decision that depends on them adds a
    variable: the maximum or minimum of linear forms in earlier variables. Decisions with equal options share one.
    """

    def __init__(
        self,
        nodes: Sequence[Node],
        inner: Iterable[int],
        ends: Mapping[int, tuple[Probability, int]],
        roots: Sequence[int],
        assumptions: Assumptions,
        blocked: Collection[int] = (),
    ) -> None:
        """The `inner` nodes come after their children; `ends` have their gain and their exit.

        At `blocked` decisions the option `no` is taken.
        """
        self.assumptions, self.one = assumptions, assumptions.one
        self.exits = 1 + max((exit_ for _, exit_ in ends.values()), default=-1)
        self.decisions: list[tuple[Role, tuple[LinearForm, ...]]] = []
        """The role that decides and the options, for each variable after the exits."""
        self._plain_options: list[tuple[int, ...] | None] = []
        """For each decision, its options as variables, if every option is just a variable."""
        self._variables: dict[tuple[Role, tuple[LinearForm, ...]], int] = {}
        forms: dict[int, tuple[Probability, Coefficients]] = {
            number: (gain, {exit_: self.one}) for number, (gain, exit_) in ends.items()
        }
        for number in inner:
            node = nodes[number]
            if isinstance(node, Chance):
                pairs = zip(node.probabilities, (forms[child] for child in node.children), strict=True)
                forms[number] = _weighted_sum(list(pairs))
            elif number in blocked:
                forms[number] = forms[node.children[NO]]
            else:
                assert isinstance(node, Decision)
                forms[number] = self._decide(node, [forms[child] for child in node.children])
        self.roots = [_freeze(forms[root]) for root in roots]
        del self._variables

    def _decide(
        self, node: Decision, options: list[tuple[Probability, Coefficients]]
    ) -> tuple[Probability, Coefficients]:
        if self.assumptions.looks_ahead(node.role):
            different = tuple(dict.fromkeys(_freeze(option) for option in options))
            if len(different) == 1:
                return options[0]
            decision = node.role, different
            if decision not in self._variables:
                self._variables[decision] = self.exits + len(self.decisions)
                self.decisions.append(decision)
                variables = [terms[0][0] for constant, terms in different if not constant and len(terms) == 1]
                is_plain = len(variables) == len(different) and all(terms[0][1] == self.one for _, terms in different)
                self._plain_options.append(tuple(variables) if is_plain else None)
            return self.assumptions.zero, {self._variables[decision]: self.one}
        taken = self.assumptions.fixed_option(node.role, node.question)
        if taken is None:
            return _weighted_sum([(self.one / len(options), option) for option in options])
        return options[taken]

    def evaluate(
        self,
        exit_values: Sequence[Any],
        greedy_options: Sequence[int] | None = None,
        largest: Callable[[Sequence[Any]], Any] = max,
        smallest: Callable[[Sequence[Any]], Any] = min,
    ) -> list[Any]:
        """The values of the roots.

        `greedy_options` has the option that a greedy side takes at each decision; without it, a greedy side takes the
        best one. The exit values are numbers, or arrays of numbers that `largest` and `smallest` can compare.
        """
        values = self._evaluate_variables(exit_values, greedy_options, largest, smallest)
        return [_evaluate(root, values) for root in self.roots]

    def _evaluate_variables(
        self,
        exit_values: Sequence[Any],
        greedy_options: Sequence[int] | None,
        largest: Callable[[Sequence[Any]], Any] = max,
        smallest: Callable[[Sequence[Any]], Any] = min,
    ) -> list[Any]:
        values = [*exit_values]
        greedy = [role for role in Role if greedy_options is not None and self._is_greedy(role)]
        for place, (role, options) in enumerate(self.decisions):
            if greedy_options is not None and role in greedy:
                values.append(_evaluate(options[greedy_options[place]], values))
                continue
            plain = self._plain_options[place]
            after = [values[variable] for variable in plain] if plain else [_evaluate(form, values) for form in options]
            values.append(largest(after) if role is Role.ATTACKER else smallest(after))
        return values

    def _is_greedy(self, role: Role) -> bool:
        return self.assumptions.policy(role) == Policy.GREEDY

    def best_options(self, exit_values: Sequence[Probability]) -> list[int]:
        values = self._evaluate_variables(exit_values, None)
        return [_best(options, role, values) for role, options in self.decisions]

    def exit_probabilities(
        self, exit_values: Sequence[Probability], greedy_options: Sequence[int] | None = None
    ) -> list[Probability]:
        values = self._evaluate_variables(exit_values, greedy_options)
        reach: list[Probability] = [self.assumptions.zero] * len(values)
        for variable, coefficient in self.roots[0][1]:
            reach[variable] += coefficient
        for place in reversed(range(len(self.decisions))):
            here = reach[self.exits + place]
            if not here:
                continue
            role, options = self.decisions[place]
            if greedy_options is not None and self._is_greedy(role):
                option = options[greedy_options[place]]
            else:
                option = options[_best(options, role, values)]
            for variable, coefficient in option[1]:
                reach[variable] += here * coefficient
        return reach[: self.exits]


def _best(options: Sequence[LinearForm], role: Role, values: Sequence[Probability]) -> int:
    return best_option([_evaluate(option, values) for option in options], role, NOISE)


def _weighted_sum(
    pairs: Sequence[tuple[Probability, tuple[Probability, Coefficients]]],
) -> tuple[Probability, Coefficients]:
    constant: Probability = 0
    coefficients: Coefficients = {}
    for weight, (number, terms) in pairs:
        constant += weight * number
        for variable, coefficient in terms.items():
            coefficients[variable] = coefficients.get(variable, 0) + weight * coefficient
    return constant, coefficients


def _freeze(form: tuple[Probability, Coefficients]) -> LinearForm:
    return form[0], tuple(form[1].items())


def _evaluate(form: LinearForm, values: Sequence[Any]) -> Any:
    total, terms = form
    for variable, coefficient in terms:
        total = total + coefficient * values[variable]  # not +=, which would change an array in place
    return total
