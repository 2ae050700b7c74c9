"""Sweeps in notebooks: plain HTML, no script, nothing loaded."""

from html import escape
from itertools import islice

from grognard.studies.sweeps.factors import Cell
from grognard.studies.sweeps.tables import SHOWN, Table


def page_of(table: Table) -> str:
    """The first rows, and how many more there are."""
    head = "".join(f"<th>{escape(column)}</th>" for column in table.columns)
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(in_words(cell))}</td>' for cell in row)}</tr>" for row in islice(table.rows, SHOWN)
    )
    question = f"<p><b>{escape(table.plan.design.question)}</b></p>" if table.plan.design.question else ""
    more = f"<p>{len(table):,} match-ups</p>"
    return f"<div>{question}<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{more}</div>"


def in_words(cell: Cell) -> str:
    """A cell as people read it."""
    if isinstance(cell, float):
        return f"{cell:.4g}".replace("-", "−")
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return "" if cell is None else str(cell)
