"""Numbers and results as the page should show them, from what the command says."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from playwright.sync_api import Locator

MINUS = "−"


def percent(chance: float, places: str = "0.01") -> str:
    """`40.15 %`; only what is certain is 100, only what is impossible 0."""
    exact = 100 * chance  # as the page does it, in floating point
    shown = _rounded(exact, places)
    if shown == 100 and chance < 1 - 1e-12:
        return f">{100 - Decimal(places)}\N{NO-BREAK SPACE}%"
    if shown == 0 and chance > 0:
        return f"<{places}\N{NO-BREAK SPACE}%"
    return f"{shown}\N{NO-BREAK SPACE}%"


def signed(value: float) -> str:
    """`+0.94`, `−0.50`, `0.00`."""
    shown = _rounded(value, "0.01")
    sign = "+" if shown > 0 else MINUS if shown < 0 else ""
    return f"{sign}{abs(shown)}"


def _rounded(value: float, places: str) -> Decimal:
    return Decimal(value).quantize(Decimal(places), ROUND_HALF_UP)


def in_words(value: Any) -> str:
    """A value of a result in a table."""
    if value is None or value in ([], {}):
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(in_words, value))
    if isinstance(value, dict):
        return ", ".join(map(in_words, value.values()))
    return str(value)


def rows_of(result: dict[str, Any]) -> list[list[str]]:
    """A result as rows: a thing with all that is said of it, or something that is said once."""
    rows = []
    single = []
    for name, value in result.items():
        if isinstance(value, dict) and value and all(isinstance(entry, dict) for entry in value.values()):
            rows += [[thing, *map(in_words, entry.values())] for thing, entry in value.items()]
        elif isinstance(value, dict):
            single += [[thing, in_words(entry)] for thing, entry in value.items()]
        elif value != []:
            single.append([name.replace("_", " "), in_words(value)])
    return rows + single


def shown_rows(region: Locator) -> list[list[str]]:
    """The rows that a region shows."""
    return [row.locator("th, td").all_inner_texts() for row in region.locator("tbody tr").all()]
