"""Odds and comparisons as tables for data libraries."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from grognard.core.lazy import require_library
from grognard.core.systems import Json
from grognard.solver.odds import Odds
from grognard.studies.compare import Comparison
from grognard.studies.switches import SwitchEffects

if TYPE_CHECKING:
    from pandas import DataFrame
    from pyarrow import Table


def rows_of(shown: object) -> list[Json]:
    """A row for each result of odds, for each result of each case of a comparison, for each value of a house rule."""
    match shown:
        case Odds():
            return list(_odds_rows(shown))
        case Comparison():
            return [row for case in shown.cases for row in _odds_rows(case.odds, case=case.name)]
        case SwitchEffects():
            return [
                {
                    "switch": effect.switch,
                    "to": effect.case.name,
                    "value": float(effect.case.odds.value),
                    "change": float(effect.change),
                    "distance": float(effect.distance),
                }
                for effect in shown.effects
            ]
    raise TypeError(f"a {type(shown).__name__} is no table")


def _odds_rows(odds: Odds, **first: object) -> Iterable[Json]:
    """A row for each result: the columns `first`, its chance as a float, then its values, keys joined by dots."""
    for chance, result in odds.outcomes:
        yield {**first, "p": float(chance), **_leaves(result.to_dict())}


def _leaves(table: Json, above: str = "") -> Json:
    leaves: Json = {}
    for key, value in table.items():
        leaves |= _leaves(value, f"{above}{key}.") if isinstance(value, dict) else {f"{above}{key}": value}
    return leaves


def to_pandas(shown: object) -> "DataFrame":
    frame: DataFrame = require_library("pandas", "pandas").DataFrame(_columns(rows_of(shown)))
    return frame


def to_arrow(shown: object) -> "Table":
    table: Table = require_library("pyarrow", "grognard[tables]").table(_columns(rows_of(shown)))
    return table


def _columns(rows: list[Json]) -> dict[str, list[object]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}
