"""Odds as tables for data libraries: one row for each result, one column for each thing that a result says."""

from collections.abc import Iterable
from importlib import import_module
from shlex import quote
from typing import TYPE_CHECKING, Any

from grognard.core.errors import GrognardError
from grognard.core.systems import Json
from grognard.solver.odds import Odds

if TYPE_CHECKING:
    from pandas import DataFrame
    from pyarrow import Table


def of_odds(odds: Odds, **first: object) -> Iterable[Json]:
    """A row for each result: its chance as a float, then what it says, keys joined by dots. `first` goes before."""
    for chance, result in odds.outcomes:
        yield {**first, "p": float(chance), **_leaves(result.to_dict())}


def _leaves(table: Json, above: str = "") -> Json:
    leaves: Json = {}
    for key, value in table.items():
        leaves |= _leaves(value, f"{above}{key}.") if isinstance(value, dict) else {f"{above}{key}": value}
    return leaves


def in_pandas(rows: Iterable[Json]) -> "DataFrame":
    """The rows as a DataFrame."""
    frame: DataFrame = needed("pandas", "pandas").DataFrame(_columns(rows))
    return frame


def in_arrow(rows: Iterable[Json]) -> "Table":
    """The rows as an Arrow table."""
    table: Table = needed("pyarrow", "grognard[tables]").table(_columns(rows))
    return table


def _columns(rows: Iterable[Json]) -> dict[str, list[object]]:
    listed = list(rows)
    names = dict.fromkeys(name for row in listed for name in row)
    return {name: [row.get(name) for row in listed] for name in names}


def needed(library: str, install: str) -> Any:
    """A library that is not part of every installation, or how to install it."""
    try:
        return import_module(library)
    except ImportError:
        raise GrognardError(f"this needs {library}: pip install {quote(install)}") from None
