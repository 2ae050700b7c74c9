"""Comparisons of battles side by side: several of them, or one under each value of a switch. The first is the base."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from grognard.core.distributions import Probability
from grognard.core.errors import BattleError, Endless, Fault, TooLarge
from grognard.core.lazy import Plottable, Tabular
from grognard.core.numbers import absolute_difference, descending_key, is_zero, to_json_number, zero_like
from grognard.core.systems import Battle, Json, Measure, Result, Role
from grognard.solver.odds import Odds

T = TypeVar("T")
MeasureValue = int | str | bool
OddsOf = Callable[[Battle], Odds]
"""From a battle to its odds, under the caller's assumptions."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A battle to compare with the first; if it is not legal, `why` is the reason."""

    name: str
    battle: Battle | None
    why: str = ""
    value: object = None
    """The value of the switch, if a switch is compared."""


@dataclass(frozen=True, slots=True)
class Case:
    """One of the battles side by side."""

    name: str
    odds: Odds
    value: object = None


@dataclass(frozen=True, slots=True)
class Excluded:
    """A battle that cannot be compared, and why: it is not legal, or too large."""

    name: str
    why: str
    value: object = None


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """A result or a measure's value, and how likely it is in each case; None where the measure does not exist."""

    what: T
    probabilities: tuple[Probability | None, ...]

    @property
    def changes(self) -> tuple[Probability | None, ...]:
        """The differences from the probability in the first case."""
        first = self.probabilities[0]
        return tuple(None if first is None or p is None else p - first for p in self.probabilities)

    @property
    def change(self) -> Probability:
        """The largest absolute change."""
        return max((absolute_difference(change, 0) for change in self.changes if change is not None), default=0.0)

    def to_dict(self) -> Json:
        """The probabilities and changes, in the order of the cases."""
        return {
            "p": [_json_number(p) for p in self.probabilities],
            "change": [_json_number(change) for change in self.changes],
        }


@dataclass(frozen=True, slots=True)
class ComparedMeasure:
    """A measure in every case: its values in order, and its mean where they are numbers."""

    name: str
    label: str
    role: Role | None
    rows: list[Row[MeasureValue]]
    means: tuple[Probability | None, ...] | None

    @property
    def change(self) -> Probability:
        """The largest change of a probability."""
        return max((row.change for row in self.rows), default=0.0)


@dataclass(frozen=True, slots=True)
class Comparison(Tabular, Plottable):
    """Battles side by side. The first is the base; the others follow by how much they change its value."""

    switch: str | None
    cases: tuple[Case, ...]
    excluded: tuple[Excluded, ...] = ()

    @property
    def base(self) -> Odds:
        """The odds of the first battle."""
        return self.cases[0].odds

    @property
    def is_listed(self) -> bool:
        """Whether all results are listed; those of a whole turn may be too many."""
        return all(case.odds.is_listed for case in self.cases)

    @property
    def changes_nothing(self) -> bool:
        """Whether there are other cases, and every result is as likely in each of them as in the first."""
        return len(self.cases) > 1 and all(is_zero(self.distance(case)) for case in self.cases)

    def change(self, case: Case) -> Probability:
        """The difference of a battle's value from that of the first."""
        return case.odds.value - self.base.value

    def distance(self, case: Case) -> Probability:
        """The total variation distance from the first battle: 0 if nothing changes, 1 if everything does."""
        return total_variation_distance(self.base, case.odds)

    @property
    def rows(self) -> list[Row[Result]]:
        """Every result with its probability in each case, the largest change first; none if they are not listed."""
        if not self.is_listed:
            return []
        odds = [{result: p for p, result in case.odds.outcomes} for case in self.cases]
        zero = zero_like(self.base.value)
        results = dict.fromkeys(result for outcomes in odds for result in outcomes)
        rows = [Row(result, tuple(outcomes.get(result, zero) for outcomes in odds)) for result in results]
        return sorted(rows, key=lambda row: descending_key(row.change))

    @property
    def measures(self) -> list[ComparedMeasure]:
        """The measures of these battles, those with the largest changes first."""
        measures = [self._compare_measure(aligned) for aligned in _aligned([case.odds for case in self.cases])]
        return sorted(measures, key=lambda measure: descending_key(measure.change))

    def _compare_measure(self, aligned: Sequence[Measure | None]) -> ComparedMeasure:
        cases = zip(aligned, self.cases, strict=True)
        distributions = [case.odds.distribution(measure) if measure else None for measure, case in cases]
        tables = [None if distribution is None else dict(distribution) for distribution in distributions]
        values = list(dict.fromkeys(value for table in tables for value in table or ()))
        is_numeric = all(type(value) is int for value in values)
        zero = zero_like(self.base.value)
        rows: list[Row[MeasureValue]] = [
            Row(value, tuple(None if table is None else table.get(value, zero) for table in tables))
            for value in (sorted(values, key=lambda value: int(value)) if is_numeric else values)
        ]
        present = [measure for measure in aligned if measure]
        return ComparedMeasure(
            name=" / ".join(dict.fromkeys(measure.name for measure in present)),
            label=" / ".join(dict.fromkeys(measure.label for measure in present)),
            role=present[0].role,
            rows=rows,
            means=tuple(None if one is None else one.mean for one in distributions) if is_numeric else None,
        )

    def to_dict(self) -> Json:
        """As JSON; lists of probabilities are in the order of the cases."""
        return {
            **describe_assumptions(self.base),
            "switch": self.switch,
            "changes_nothing": self.changes_nothing,
            "cases": [self._case(case) for case in self.cases],
            "excluded": [{"name": case.name, "to": case.value, "why": case.why} for case in self.excluded],
            "results": [{"result": row.what.to_dict(), **row.to_dict()} for row in self.rows]
            if self.is_listed
            else None,
            "measures": [
                {
                    "name": measure.name,
                    "label": measure.label,
                    "role": measure.role and str(measure.role),
                    "means": measure.means and [_json_number(mean) for mean in measure.means],
                    "values": [{"value": row.what, **row.to_dict()} for row in measure.rows],
                }
                for measure in self.measures
            ],
        }

    def _case(self, case: Case) -> Json:
        return {
            "name": case.name,
            "to": case.value,
            "value": to_json_number(case.odds.value),
            "change": to_json_number(self.change(case)),
            "distance": to_json_number(self.distance(case)),
            "outcomes": case.odds.to_dict()["outcomes"],
        }


def _json_number(number: Probability | None) -> float | str | None:
    return None if number is None else to_json_number(number)


def _aligned(cases: Sequence[Odds]) -> list[list[Measure | None]]:
    """Rows of measures, one for each case, that correspond by name or, if a case lacks that name, by kind and order."""
    measures = [case.battle.system.measures(case.battle.setup) for case in cases]
    shared = set.intersection(*({measure.name for measure in of_case} for of_case in measures))
    keyed: list[dict[object, Measure]] = []
    for case, of_case in zip(cases, measures, strict=True):
        keys: dict[object, Measure] = {}
        counts: Counter[object] = Counter()
        for measure in of_case:
            if measure.name in shared:
                keys[measure.name] = measure
            else:
                what = measure.name.rpartition(" ")[2]  # `loses` of `rifles loses`
                kind = (what, measure.role, frozenset(map(type, case.distribution(measure).values)))
                keys[kind, counts[kind]] = measure
                counts[kind] += 1
        keyed.append(keys)
    return [
        [of_case.get(key) for of_case in keyed] for key in dict.fromkeys(key for of_case in keyed for key in of_case)
    ]


def total_variation_distance(first: Odds, second: Odds) -> Probability:
    """Half the sum of all differences in probability; if results are not listed, the largest one of any measure."""
    zero = zero_like(first.value)
    if first.is_listed and second.is_listed:
        a, b = ({result: p for p, result in odds.outcomes} for odds in (first, second))
        return _half_of_differences(a, b, zero)
    pairs = [
        (dict(first.distribution(a)), dict(second.distribution(b))) for a, b in _aligned([first, second]) if a and b
    ]
    return max(_half_of_differences(*pair, zero) for pair in pairs)


def _half_of_differences(
    first: Mapping[Any, Probability], second: Mapping[Any, Probability], zero: Probability
) -> Probability:
    return (
        sum((absolute_difference(first.get(key, zero), second.get(key, zero)) for key in {**first, **second}), zero) / 2
    )


def describe_assumptions(odds: Odds) -> Json:
    """The system and the assumptions of a comparison, as JSON."""
    return {
        "system": odds.battle.system.name,
        "exact": True,
        "objective": odds.objective,
        "policies": odds.policies,
    }


def compare(
    candidates: Iterable[Candidate], odds_of: OddsOf, *, switch: str | None = None, base: Odds | None = None
) -> Comparison:
    """The odds of all candidates side by side; `base` are those of the first if they are known."""
    first, *others = candidates
    assert first.battle is not None
    systems = list(dict.fromkeys(candidate.battle.system.name for candidate in (first, *others) if candidate.battle))
    if len(systems) > 1:
        raise BattleError([Fault("system", f"only battles of one system can be compared, not of {', '.join(systems)}")])
    known = Case(first.name, odds_of(first.battle) if base is None else base, first.value)
    tried = [_try(candidate, odds_of) for candidate in others]
    cases = [case for case in tried if isinstance(case, Case)]
    cases.sort(key=lambda case: descending_key(absolute_difference(case.odds.value, known.odds.value)))
    return Comparison(switch, (known, *cases), tuple(case for case in tried if isinstance(case, Excluded)))


def _try(candidate: Candidate, odds_of: OddsOf) -> Case | Excluded:
    if candidate.battle is None:
        return Excluded(candidate.name, candidate.why, candidate.value)
    try:
        return Case(candidate.name, odds_of(candidate.battle), candidate.value)
    except (TooLarge, Endless) as error:
        return Excluded(candidate.name, str(error), candidate.value)
