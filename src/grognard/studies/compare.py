"""Comparing: one battle under other rules, or several battles, side by side. The first is what the others change."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from grognard.core.distributions import Probability
from grognard.core.errors import BattleError, Endless, Fault, TooLarge
from grognard.core.numbers import falling, is_nothing, size, zero
from grognard.core.systems import Battle, Json, Measure, Result
from grognard.solver.odds import Odds, odds, plain

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

T = TypeVar("T")
Value = int | str | bool
"""What a measure may come to."""

Reckon = Callable[[Battle], Odds]
"""How odds are worked out: which policies, which objective, in fractions or not."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A battle to compare with the first, or why there is none."""

    name: str
    battle: Battle | None
    why: str = ""
    to: object = None
    """What the switch is turned to, if that is what is compared."""


@dataclass(frozen=True, slots=True)
class Case:
    """One of the battles side by side."""

    name: str
    odds: Odds
    to: object = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A battle that is not among them, and why: it is not legal, or too large."""

    name: str
    why: str
    to: object = None


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """Something that may come of a battle, and how likely it is in each case; None where nobody asks about it."""

    what: T
    chances: tuple[Probability | None, ...]

    @property
    def changes(self) -> tuple[Probability | None, ...]:
        """How much likelier than in the first case."""
        first = self.chances[0]
        return tuple(None if first is None or chance is None else chance - first for chance in self.chances)

    @property
    def change(self) -> Probability:
        """The largest change, whichever way it goes."""
        return max((size(change) for change in self.changes if change is not None), default=0.0)


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure in every case: its values in order, and its mean where they are numbers."""

    name: str
    side: str | None
    rows: list[Row[Value]]
    means: tuple[Probability | None, ...] | None

    @property
    def change(self) -> Probability:
        """The largest change of a chance."""
        return max((row.change for row in self.rows), default=0.0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Battles side by side. The first is the one that the others change; those that change most follow it."""

    switch: str | None
    cases: tuple[Case, ...]
    refused: tuple[Refused, ...] = ()

    @property
    def base(self) -> Odds:
        """The odds of the first battle."""
        return self.cases[0].odds

    @property
    def changes_nothing(self) -> bool:
        """Whether every result is as likely in one case as in any other."""
        return all(is_nothing(self.moved(case)) for case in self.cases)

    def change(self, case: Case) -> Probability:
        """How much more a battle is worth to the attacking side than the first."""
        return case.odds.value - self.base.value

    def moved(self, case: Case) -> Probability:
        """How much of the odds lies elsewhere than in the first battle: 0 if nothing changes, 1 if everything does."""
        return moved(self.base, case.odds)

    @property
    def rows(self) -> list[Row[Result]]:
        """Every result with its chance in each case, the largest change first."""
        chances = [{result: p for p, result in case.odds.outcomes} for case in self.cases]
        results = dict.fromkeys(result for found in chances for result in found)
        rows = [Row(result, tuple(found.get(result, self._zero) for found in chances)) for result in results]
        return sorted(rows, key=lambda row: falling(row.change))

    @property
    def measures(self) -> list[Measured]:
        """What people ask about in these battles; where the chances change most comes first."""
        found = [self._measured(aligned) for aligned in _aligned([case.odds for case in self.cases])]
        return sorted(found, key=lambda measured: falling(measured.change))

    def _measured(self, asked: Sequence[Measure | None]) -> Measured:
        pairs = zip(asked, self.cases, strict=True)
        chances = [case.odds.measure(measure) if measure else None for measure, case in pairs]
        values = list(dict.fromkeys(value for found in chances for value in found or ()))
        is_numeric = all(type(value) is int for value in values)
        rows: list[Row[Value]] = [
            Row(value, tuple(None if found is None else found.get(value, self._zero) for found in chances))
            for value in (sorted(values) if is_numeric else values)
        ]
        means = tuple(None if found is None else _mean(found) for found in chances) if is_numeric else None
        there = [measure for measure in asked if measure]
        return Measured(" / ".join(dict.fromkeys(measure.name for measure in there)), there[0].role, rows, means)

    @property
    def _zero(self) -> Probability:
        return zero(self.base.value)

    def to_dict(self) -> Json:
        """As other programs read it; lists of chances are in the order of the cases."""
        return {
            **about(self.base),
            "switch": self.switch,
            "changes_nothing": self.changes_nothing,
            "cases": [self._told(case) for case in self.cases],
            "refused": [{"name": one.name, "to": one.to, "why": one.why} for one in self.refused],
            "results": [{"result": row.what.to_dict(), **_in_each(row)} for row in self.rows],
            "measures": [
                {
                    "name": measured.name,
                    "means": measured.means and [_plain(mean) for mean in measured.means],
                    "values": [{"value": row.what, **_in_each(row)} for row in measured.rows],
                }
                for measured in self.measures
            ],
        }

    def _told(self, case: Case) -> Json:
        return {
            "name": case.name,
            "to": case.to,
            "value": plain(case.odds.value),
            "change": plain(self.change(case)),
            "moved": plain(self.moved(case)),
            "outcomes": case.odds.to_dict()["outcomes"],
        }

    def to_pandas(self) -> "DataFrame":
        """A row for each result of each case; needs pandas."""
        from grognard.words.tables import in_pandas, of_odds

        return in_pandas(row for case in self.cases for row in of_odds(case.odds, case=case.name))

    def plot(self) -> "Figure":
        """The measures that change most, drawn; needs matplotlib."""
        from grognard.words.plots import plot_comparison

        return plot_comparison(self)

    def _repr_html_(self) -> str:
        from grognard.words.pictures import table_of_comparison

        return table_of_comparison(self)


def _mean(chances: Mapping[Value, Probability]) -> Probability:
    return sum(chance * int(value) for value, chance in chances.items())


def _aligned(cases: Sequence[Odds]) -> list[list[Measure | None]]:
    """The same measure of every case: by its name, or if no name is in all of them the first of its kind, and so on."""
    asked = [case.battle.system.measures(case.battle.setup) for case in cases]
    shared = set.intersection(*({measure.name for measure in measures} for measures in asked))
    keyed: list[dict[object, Measure]] = []
    for case, measures in zip(cases, asked, strict=True):
        kinds = [(measure.role, frozenset(map(type, case.measure(measure)))) for measure in measures]
        keys = [(kind, kinds[:place].count(kind)) for place, kind in enumerate(kinds)]
        keyed.append({m.name if shared else key: m for m, key in zip(measures, keys, strict=True)})
    return [[measures.get(key) for measures in keyed] for key in dict.fromkeys(key for one in keyed for key in one)]


def moved(one: Odds, other: Odds) -> Probability:
    """Half the sum of all changes: what one battle's odds have at other results than the other's."""
    there = {result: p for p, result in other.outcomes}
    away = [size(p - there.pop(result, 0)) for p, result in one.outcomes]
    return sum([*away, *there.values()], zero(one.value)) / 2


def about(base: Odds) -> Json:
    """What all cases have in common."""
    told = base.to_dict()
    return {key: told[key] for key in ("system", "exact", "objective", "policies")}


def _in_each(row: Row[T]) -> Json:
    return {"p": [_plain(chance) for chance in row.chances], "change": [_plain(change) for change in row.changes]}


def _plain(number: Probability | None) -> float | str | None:
    return None if number is None else plain(number)


def compare(
    candidates: Iterable[Candidate], reckon: Reckon = odds, *, switch: str | None = None, base: Odds | None = None
) -> Comparison:
    """Work out the odds of all; the first is what the others change, and `base` its odds if they are known."""
    first, *others = candidates
    assert first.battle is not None
    systems = list(dict.fromkeys(one.battle.system.name for one in (first, *others) if one.battle))
    if len(systems) > 1:
        raise BattleError([Fault("system", f"only battles of one system can be compared, not of {', '.join(systems)}")])
    known = Case(first.name, reckon(first.battle) if base is None else base, first.to)
    tried = [_tried(candidate, reckon) for candidate in others]
    cases = [case for case in tried if isinstance(case, Case)]
    cases.sort(key=lambda case: falling(size(case.odds.value - known.odds.value)))
    return Comparison(switch, (known, *cases), tuple(one for one in tried if isinstance(one, Refused)))


def _tried(candidate: Candidate, reckon: Reckon) -> Case | Refused:
    if candidate.battle is None:
        return Refused(candidate.name, candidate.why, candidate.to)
    try:
        return Case(candidate.name, reckon(candidate.battle), candidate.to)
    except (TooLarge, Endless) as why:
        return Refused(candidate.name, str(why), candidate.to)
