"""House rules: a battle under each value of one switch or of every switch, and how much each value matters."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grognard.core.distributions import Probability
from grognard.core.errors import BattleError, Fault, FaultCode
from grognard.core.lazy import Plottable, Tabular
from grognard.core.numbers import absolute_difference, descending_key, is_zero, to_json_number
from grognard.core.systems import Battle, Json
from grognard.files import SWITCHES, FieldInfo, battle, switches
from grognard.files.field_types import AnyOf
from grognard.files.fields import to_plain
from grognard.files.messages import format_value, unknown_name
from grognard.solver.odds import Odds
from grognard.studies.compare import (
    Candidate,
    Case,
    Comparison,
    Excluded,
    MeasureValue,
    OddsOf,
    compare,
    describe_assumptions,
)


@dataclass(frozen=True, slots=True)
class LargestChange:
    """The value of a measure whose probability changes most."""

    measure: str
    value: MeasureValue
    before: Probability
    after: Probability


@dataclass(frozen=True, slots=True)
class SwitchEffect:
    """A switch at another value, and what that changes."""

    switch: str
    case: Case
    change: Probability
    """Of the value to the attacker."""
    distance: Probability
    """The total variation distance from the odds as they were."""
    largest: LargestChange | None

    def to_dict(self) -> Json:
        """As JSON."""
        largest = self.largest and {
            "measure": self.largest.measure,
            "value": self.largest.value,
            "p": [to_json_number(self.largest.before), to_json_number(self.largest.after)],
        }
        return {
            "switch": self.switch,
            "to": self.case.value,
            "value": to_json_number(self.case.odds.value),
            "change": to_json_number(self.change),
            "distance": to_json_number(self.distance),
            "largest": largest,
        }


@dataclass(frozen=True, slots=True)
class SwitchEffects(Tabular, Plottable):
    """A battle, and a comparison for each switch of its system."""

    base: Odds
    comparisons: tuple[Comparison, ...]

    @property
    def effects(self) -> list[SwitchEffect]:
        """The effect of each value that changes the odds; the largest change of the battle's value first."""
        effects = [_effect(comparison, case) for comparison in self.comparisons for case in comparison.cases[1:]]
        changing = [effect for effect in effects if not is_zero(effect.distance)]
        return sorted(
            changing,
            key=lambda effect: (descending_key(absolute_difference(effect.change, 0)), descending_key(effect.distance)),
        )

    @property
    def without_effect(self) -> list[str]:
        """The switches that change nothing in this battle."""
        return [str(comparison.switch) for comparison in self.comparisons if comparison.changes_nothing]

    @property
    def excluded(self) -> list[tuple[str, Excluded]]:
        """Values with which the battle is not legal or too large, with their switch."""
        return [(str(comparison.switch), case) for comparison in self.comparisons for case in comparison.excluded]

    def to_dict(self) -> Json:
        """As JSON."""
        return {
            **describe_assumptions(self.base),
            "value": to_json_number(self.base.value),
            "effects": [effect.to_dict() for effect in self.effects],
            "without_effect": self.without_effect,
            "excluded": [{"switch": switch, "to": case.value, "why": case.why} for switch, case in self.excluded],
        }


def _effect(comparison: Comparison, case: Case) -> SwitchEffect:
    assert comparison.switch is not None
    pair = Comparison(comparison.switch, (comparison.cases[0], case))
    return SwitchEffect(comparison.switch, case, pair.change(case), pair.distance(case), _largest_change(pair))


def _largest_change(pair: Comparison) -> LargestChange | None:
    measure = pair.measures[0]
    row = min(measure.rows, key=lambda row: descending_key(row.change))
    before, after = row.probabilities
    if is_zero(row.change) or before is None or after is None:
        return None
    return LargestChange(measure.label, row.what, before, after)


def compare_switch(legal: Battle, name: str, odds_of: OddsOf) -> Comparison:
    """A battle as it is, and with each other value of this switch."""
    known = {switch.name: switch for switch in switches(legal.system)}
    if name not in known:
        raise BattleError([Fault("switch", unknown_name("switch", name, known), "unknown_name")])
    return compare(_candidates(legal, known[name]), odds_of, switch=name)


def compare_switches(legal: Battle, odds_of: OddsOf) -> SwitchEffects:
    """A battle as it is, and with each other value of every switch, one at a time."""
    base = odds_of(legal)
    comparisons = [
        compare(_candidates(legal, switch), odds_of, switch=switch.name, base=base) for switch in switches(legal.system)
    ]
    return SwitchEffects(base, tuple(comparisons))


def compare_battles(named: Mapping[str, Battle], switch: str | None, odds_of: OddsOf) -> Comparison | SwitchEffects:
    """Several battles side by side; a single one under each value of a switch, or of every switch."""
    first, *others = named.values()
    if others and switch is not None:
        message = f"house rules are compared in one battle, but {len(named)} are given"
        raise BattleError([Fault("switch", message, FaultCode.CONFLICT)])
    if others:
        return compare([Candidate(name, battle) for name, battle in named.items()], odds_of)
    return compare_switches(first, odds_of) if switch is None else compare_switch(first, switch, odds_of)


def _candidates(legal: Battle, switch: FieldInfo) -> list[Candidate]:
    now = legal.source.get(SWITCHES, {}).get(switch.name, to_plain(switch.default))
    types = switch.value_type.types if isinstance(switch.value_type, AnyOf) else (switch.value_type,)
    others = [value for value_type in types for value in value_type.choices if value != now]
    return [Candidate(_format(now), legal, value=now), *(_candidate(legal, switch.name, value) for value in others)]


def _candidate(legal: Battle, name: str, value: Any) -> Candidate:
    rules: Mapping[str, Any] = {**legal.source.get(SWITCHES, {}), name: value}
    try:
        return Candidate(_format(value), battle({**legal.source, SWITCHES: rules}), value=value)
    except BattleError as error:
        return Candidate(_format(value), None, f"not legal: {'; '.join(str(error).splitlines())}", value)


def _format(value: object) -> str:
    return value if isinstance(value, str) else format_value(value)
