"""Pictures of odds for notebooks: plain HTML, no script, nothing loaded."""

from html import escape

from grognard.core.distributions import Probability
from grognard.engines.odds import Odds

ROWS = 12


def table_of_odds(odds: Odds) -> str:
    """Every measure that people ask about, as bars."""
    parts = [f"<p><b>{escape(odds.battle.system.title)}</b> · {escape(odds.objective)} {float(odds.value):.4g}</p>"]
    for measure in odds.battle.system.measures(odds.battle.setup):
        found = odds.measure(measure)
        rows = "".join(_row(_word(value), chance) for value, chance in list(found.items())[:ROWS])
        parts.append(f"<table><caption>{escape(measure.name)}</caption>{rows}</table>")
    return "<div>" + "".join(parts) + "</div>"


def _row(name: str, chance: Probability) -> str:
    bar = f'<div style="background:#5d6b2f;height:.8em;width:{float(chance) * 12:.2f}em"></div>'
    return f"<tr><th>{escape(name)}</th><td>{float(chance):.2%}</td><td>{bar}</td></tr>"


def _word(value: int | str | bool) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
