"""The odds of a battle: every result with its probability."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from grognard.core.distributions import Distribution, Probability, from_probabilities
from grognard.core.errors import BattleError, Fault, no_such_name
from grognard.core.lazy import Tabular
from grognard.core.numbers import to_json_number, zero_like
from grognard.core.systems import Battle, Json, Measure, Result
from grognard.solver.assumptions import Assumptions

MOST_RESULTS = 1_000
"""If a turn has more results, JSON does not list them."""


class Outcome(NamedTuple):
    """A result with its probability."""

    probability: Probability
    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds(Tabular):
    """The probability of every result under the assumptions, the likeliest first."""

    battle: Battle
    assumptions: Assumptions
    value: Probability
    outcomes: list[Outcome]

    def __repr__(self) -> str:
        sides = ", ".join(f"{role} {policy}" for role, policy in self.policies.items())
        return (
            f"<odds of {self.battle.system.name}: {self.objective} {self.value}, {len(self.outcomes)} results, {sides}>"
        )

    @property
    def is_listed(self) -> bool:
        """Whether `outcomes` lists all results."""
        return True

    @property
    def all_outcomes(self) -> list[Outcome]:
        """All results with their probabilities, even if `outcomes` does not list them."""
        return self.outcomes

    @property
    def objective(self) -> str:
        """The name of what the attacker maximises."""
        return self.assumptions.objective_name

    @property
    def policies(self) -> dict[str, str]:
        """The name of each side's policy, by role."""
        return self.assumptions.policy_names

    def probability(self, predicate: Callable[[Result], bool]) -> Probability:
        """The probability of a result for which the predicate holds."""
        return sum((p for p, result in self.all_outcomes if predicate(result)), zero_like(self.value))

    def mean(self, function: Callable[[Result], Probability]) -> Probability:
        """The mean of a number computed from the result."""
        return sum((p * function(result) for p, result in self.all_outcomes), zero_like(self.value))

    def given(self, predicate: Callable[[Result], bool]) -> "Odds":
        """The odds given that the predicate holds; an error if it never does."""
        total = self.probability(predicate)
        if not total:
            raise ValueError("no result meets the condition")
        outcomes = [Outcome(p / total, result) for p, result in self.outcomes if predicate(result)]
        return replace(self, outcomes=outcomes, value=value_of(self.battle, self.assumptions, outcomes))

    def is_like(self, other: "Odds") -> bool:
        """Whether both have the same results with the same probabilities, up to rounding."""
        mine, others = ({result: p for p, result in odds.outcomes} for odds in (self, other))
        return is_alike(mine, others)

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of all measures, for `odds["rifles loses"]`."""
        return tuple(self._measures_by_name)

    @property
    def _measures_by_name(self) -> dict[str, Measure]:
        """The measures of the battle, followed by those of units that this attack cannot hurt."""
        system, setup = self.battle.system, self.battle.setup
        measures = {measure.name: measure for measure in system.measures(setup)}
        return measures | {
            measure.name: measure for measure in system.unit_measures(setup) if measure.name not in measures
        }

    def __getitem__(self, name: str) -> Distribution[int | str | bool]:
        """The distribution of a measure, by its name."""
        measures = self._measures_by_name
        if name not in measures:
            raise BattleError([Fault("measure", no_such_name("measure", name, measures))])
        return self.distribution(measures[name])

    def distribution(self, measure: Measure) -> Distribution[int | str | bool]:
        """The distribution of a measure. Numbers are in ascending order, other values the likeliest first."""
        sums: dict[int | str | bool, Probability] = {}
        for probability, result in self.outcomes:
            value = measure.of(result)
            sums[value] = sums.get(value, 0) + probability
        is_numeric = all(type(value) is int for value in sums)
        return from_probabilities(sorted(sums.items(), key=None if is_numeric else lambda item: -item[1]))

    def to_dict(self) -> Json:
        """The odds as JSON; a Fraction is a text such as "7/36"."""
        odds: Json = {
            "system": self.battle.system.name,
            "exact": True,
            "objective": self.objective,
            "value": to_json_number(self.value),
            "policies": self.policies,
            "outcomes": [{"p": to_json_number(p), "result": result.to_dict()} for p, result in self.outcomes],
        }
        if self.battle.is_turn:
            odds["results"] = len(self.outcomes)
            odds["measures"] = {name: [[value, to_json_number(p)] for value, p in self[name]] for name in self.measures}
            if len(self.outcomes) > MOST_RESULTS:
                odds["outcomes"] = None
        return odds


def value_of(battle: Battle, assumptions: Assumptions, outcomes: Iterable[Outcome]) -> Probability:
    """The mean of the objective over these outcomes."""
    objective = assumptions.objective_of(battle).of
    zero: Probability = Fraction(0) if assumptions.fractions else 0.0
    return sum((p * objective(battle.setup, result) for p, result in outcomes), zero)


def likeliest_first(outcomes: list[Outcome]) -> list[Outcome]:
    """Sort by descending probability; equally likely outcomes, in floats to twelve digits, by their JSON."""
    descending = sorted(outcomes, key=lambda outcome: -outcome.probability)
    listed: list[Outcome] = []
    ties: list[Outcome] = []
    for outcome in descending:
        if ties and not is_equally_likely(ties[-1].probability, outcome.probability):
            listed += _sorted_by_json(ties)
            ties = []
        ties.append(outcome)
    return listed + _sorted_by_json(ties)


def is_equally_likely(more: Probability, less: Probability) -> bool:
    """Whether two probabilities are the same up to rounding."""
    return more == less if isinstance(more, Fraction) else more - less <= 1e-12 * more


def is_alike(first: Mapping[Any, Probability], second: Mapping[Any, Probability]) -> bool:
    """Whether two distributions are the same up to rounding."""
    differences = (first.get(value, 0) - second.get(value, 0) for value in first.keys() | second.keys())
    return all(-1e-12 <= difference <= 1e-12 for difference in differences)


def _sorted_by_json(outcomes: list[Outcome]) -> list[Outcome]:
    if len(outcomes) < 2:
        return outcomes
    import json  # slow to import, and rarely needed

    return sorted(outcomes, key=lambda outcome: json.dumps(outcome.result.to_dict(), sort_keys=True))
