"""Every switch of a battle turned to each of its values, one at a time: which of them matter, and how much."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grognard.core.distributions import Probability
from grognard.core.numbers import falling, is_nothing, size
from grognard.core.systems import Battle, Json
from grognard.solver.odds import Odds, odds, plain
from grognard.studies.compare import Candidate, Case, Comparison, Reckon, Refused, Value, about, compare

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame


@dataclass(frozen=True, slots=True)
class Moved:
    """Of all that people ask about, the chance that changes most."""

    measure: str
    value: Value
    before: Probability
    after: Probability


@dataclass(frozen=True, slots=True)
class Effect:
    """A switch turned to a value, and what that changes."""

    switch: str
    case: Case
    change: Probability
    """Of the value to the attacking side."""
    moved: Probability
    """How much of the odds lies elsewhere."""
    most: Moved | None

    def to_dict(self) -> Json:
        """As other programs read it."""
        most = self.most and {
            "measure": self.most.measure,
            "value": self.most.value,
            "p": [plain(self.most.before), plain(self.most.after)],
        }
        return {
            "switch": self.switch,
            "to": self.case.to,
            "value": plain(self.case.odds.value),
            "change": plain(self.change),
            "moved": plain(self.moved),
            "most": most,
        }


@dataclass(frozen=True, slots=True)
class Switches:
    """A battle, and a comparison for each switch that its rules have."""

    base: Odds
    comparisons: tuple[Comparison, ...]

    @property
    def effects(self) -> list[Effect]:
        """What each value changes; the largest change of the value first, then of the odds."""
        found = [
            effect
            for comparison in self.comparisons
            for case in comparison.cases[1:]
            if not is_nothing((effect := _effect(comparison, case)).moved)
        ]
        return sorted(found, key=lambda effect: (falling(size(effect.change)), falling(effect.moved)))

    @property
    def nothing(self) -> list[str]:
        """The switches that change nothing in this battle."""
        return [str(comparison.switch) for comparison in self.comparisons if comparison.changes_nothing]

    @property
    def refused(self) -> list[tuple[str, Refused]]:
        """Values that the battle cannot be fought under, with their switch."""
        return [(str(comparison.switch), one) for comparison in self.comparisons for one in comparison.refused]

    def to_dict(self) -> Json:
        """As other programs read it."""
        return {
            **about(self.base),
            "value": plain(self.base.value),
            "effects": [effect.to_dict() for effect in self.effects],
            "nothing": self.nothing,
            "refused": [{"switch": switch, "to": one.to, "why": one.why} for switch, one in self.refused],
        }

    def to_pandas(self) -> "DataFrame":
        """A row for each value that changes something; needs pandas."""
        from grognard.words.tables import in_pandas

        return in_pandas(
            {
                "switch": effect.switch,
                "to": effect.case.name,
                "value": float(effect.case.odds.value),
                "change": float(effect.change),
                "moved": float(effect.moved),
            }
            for effect in self.effects
        )

    def plot(self) -> "Figure":
        """How much each value changes, drawn; needs matplotlib."""
        from grognard.words.plots import plot_switches

        return plot_switches(self)

    def _repr_html_(self) -> str:
        from grognard.words.pictures import table_of_switches

        return table_of_switches(self)


def _effect(comparison: Comparison, case: Case) -> Effect:
    assert comparison.switch is not None
    pair = Comparison(comparison.switch, (comparison.cases[0], case))
    return Effect(comparison.switch, case, pair.change(case), pair.moved(case), _most(pair))


def _most(pair: Comparison) -> Moved | None:
    """The first measure has the largest change; of its rows the first with it."""
    measured = pair.measures[0]
    row = min(measured.rows, key=lambda row: falling(row.change))
    if is_nothing(row.change):
        return None
    before, after = row.chances
    assert before is not None
    assert after is not None
    return Moved(measured.name, row.what, before, after)


def compare_switches(battle: Battle, switches: Mapping[str, Sequence[Candidate]], reckon: Reckon = odds) -> Switches:
    """Compare the candidates of every switch, of which the battle as it is comes first; it is worked out once."""
    base = reckon(battle)
    return Switches(
        base, tuple(compare(candidates, reckon, switch=name, base=base) for name, candidates in switches.items())
    )
