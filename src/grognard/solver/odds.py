"""The odds of every result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from grognard.core.distributions import Probability
from grognard.core.systems import Battle, Json, Measure, Result
from grognard.solver.assumptions import Aims, aims
from grognard.solver.graph import POSITIONS, Graph, Progress, explore
from grognard.solver.induction import decide, habits, reach

if TYPE_CHECKING:
    from pandas import DataFrame
    from pyarrow import Table


class Outcome(NamedTuple):
    """A result, and how likely it is."""

    probability: Probability
    result: Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """How likely every result is, under what both sides were assumed to do."""

    battle: Battle
    aims: Aims
    value: Probability
    outcomes: list[Outcome]

    def __repr__(self) -> str:
        sides = ", ".join(f"{side} {policy}" for side, policy in self.policies.items())
        return (
            f"<odds of {self.battle.system.name}: {self.objective} {self.value}, {len(self.outcomes)} results, {sides}>"
        )

    @property
    def objective(self) -> str:
        """The name of what the attacking side maximises."""
        return self.aims.name

    @property
    def policies(self) -> dict[str, str]:
        """How each side was assumed to decide."""
        return {str(side): str(policy) for side, policy in self.aims.policies.items()}

    def probability(self, predicate: Callable[[Result], bool]) -> Probability:
        """How likely a result is of which this is true."""
        return sum((p for p, result in self.outcomes if predicate(result)), self._zero)

    def mean(self, function: Callable[[Result], Probability]) -> Probability:
        """The mean of a number read off the result."""
        return sum((p * function(result) for p, result in self.outcomes), self._zero)

    def measure(self, measure: Measure) -> dict[int | str | bool, Probability]:
        """How likely each value of a measure is: numbers in order, anything else the likeliest first."""
        found: dict[int | str | bool, Probability] = {}
        for probability, result in self.outcomes:
            value = measure.of(result)
            found[value] = found.get(value, self._zero) + probability
        if all(type(value) is int for value in found):
            return dict(sorted(found.items()))
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def to_dict(self) -> Json:
        """The odds as other programs read them; exact ones as texts such as "7/36"."""
        return {
            "system": self.battle.system.name,
            "exact": True,
            "objective": self.objective,
            "value": plain(self.value),
            "policies": self.policies,
            "outcomes": [{"p": plain(p), "result": result.to_dict()} for p, result in self.outcomes],
        }

    def to_pandas(self) -> "DataFrame":
        """A row for each result, its chance a float; needs pandas."""
        from grognard.words.tables import in_pandas, of_odds

        return in_pandas(of_odds(self))

    def to_arrow(self) -> "Table":
        """The same as an Arrow table; needs pyarrow."""
        from grognard.words.tables import in_arrow, of_odds

        return in_arrow(of_odds(self))

    def _repr_html_(self) -> str:
        from grognard.words.pictures import table_of_odds

        return table_of_odds(self)

    @property
    def _zero(self) -> Probability:
        return Fraction(0) if isinstance(self.value, Fraction) else 0.0


def odds(
    battle: Battle,
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
    exact: bool = False,
    *,
    bound: int = POSITIONS,
    progress: Progress | None = None,
) -> Odds:
    """The odds of every result of a battle; with `exact`, every number is a Fraction."""
    chosen = aims(battle, attacker, defender, objective)
    graph = explore(battle, exact=exact, bound=bound, progress=progress)
    worth: Sequence[Probability] | None = None
    if chosen.has_best:
        worth, choices = decide(graph, chosen, battle.setup, exact)
    else:
        choices = habits(graph, chosen)
    return odds_from(battle, chosen, graph, reach(graph, choices, exact), worth)


def odds_from(
    battle: Battle,
    chosen: Aims,
    graph: Graph,
    chances: Sequence[Probability],
    worth: Sequence[Probability] | None = None,
) -> Odds:
    """Gather the endings' chances; what each is worth need not be worked out again if it is known."""
    ended = [(place, result) for place, result in graph.endings if chances[place]]
    outcomes = [Outcome(chances[place], result) for place, result in ended]
    worths = [chosen.objective.of(battle.setup, result) if worth is None else worth[place] for place, result in ended]
    value = sum(
        (outcome.probability * w for outcome, w in zip(outcomes, worths, strict=True)), 0 * chances[graph.start]
    )
    return Odds(battle=battle, aims=chosen, value=value, outcomes=likeliest_first(outcomes))


def likeliest_first(outcomes: list[Outcome]) -> list[Outcome]:
    """Sort by probability; equally likely ones, in floats to twelve digits, by their JSON."""
    falling = sorted(outcomes, key=lambda outcome: -outcome.probability)
    listed: list[Outcome] = []
    alike: list[Outcome] = []
    for outcome in falling:
        if alike and not is_equally_likely(alike[-1].probability, outcome.probability):
            listed += _by_json(alike)
            alike = []
        alike.append(outcome)
    return listed + _by_json(alike)


def is_equally_likely(more: Probability, less: Probability) -> bool:
    """Whether two chances are the same but for rounding."""
    return more == less if isinstance(more, Fraction) else more - less <= 1e-12 * more


def _by_json(alike: list[Outcome]) -> list[Outcome]:
    if len(alike) < 2:
        return alike
    import json  # most battles have no use for it

    return sorted(alike, key=lambda outcome: json.dumps(outcome.result.to_dict(), sort_keys=True))


def plain(number: Probability) -> float | str:
    """A number for JSON: a Fraction as a text."""
    return str(number) if isinstance(number, Fraction) else number
