"""The match-ups nearest to even."""

from heapq import nsmallest
from typing import NamedTuple

from grognard.core.errors import GrognardError
from grognard.files.messages import unknown_name
from grognard.studies.sweeps.expressions import VALUE, Formula
from grognard.studies.sweeps.tables import Row, Table


class Even(NamedTuple):
    """A match-up, and how far from even it is."""

    off: float
    row: Row


def formula_of(table: Table, by: str | None) -> tuple[int, Formula]:
    """The measure of this name, with its column; by default the first."""
    formulas = table.plan.question.formulas
    names = [formula.name for formula in formulas]
    if by is not None and by not in names:
        raise GrognardError(unknown_name("measure", by, names))
    place = 0 if by is None else names.index(by)
    return len(table.plan.design.columns) + place, formulas[place]


def even_point(table: Table, formula: Formula) -> float:
    """What is even: half for a chance, 50 if it is in percent, nothing for a number that can be for either side."""
    if formula.text.strip() == VALUE and table.plan.question.objective != "swing":
        return 0.5
    return formula.even or 0.0


def fair(table: Table, count: int = 10, by: str | None = None) -> list[Even]:
    """The match-ups in which a measure is nearest to even, the nearest first."""
    column, formula = formula_of(table, by)
    even = even_point(table, formula)
    rows = (row for row in table.rows if row[column] is not None)
    return nsmallest(count, (Even(abs(float(row[column] or 0) - even), row) for row in rows), key=lambda one: one.off)
