"""Balance: the match-ups nearest to even, and a price for each unit of a roster.

Prices are maximum-likelihood strengths of a Bradley-Terry model: a unit beats another with odds of its strength to the
other's, times a factor for attacking. If units beat each other in a circle, no strengths explain the results: the
confidence intervals of the prices are then wide.
"""

from dataclasses import dataclass
from heapq import nsmallest
from typing import NamedTuple

import numpy as np

from grognard.core.errors import GrognardError
from grognard.files.messages import unknown_name
from grognard.studies.sweeps.columns import Floats, Integers
from grognard.studies.sweeps.formulas import VALUE, Formula
from grognard.studies.sweeps.tables import Row, Table

MEAN_PRICE = 10.0
"""The geometric mean of all prices."""
SUREST = 0.0005
"""Chances of a win are clipped to this distance from 0 and 1, as a unit that never loses would have no price."""
CONFIDENCE = 1.96
"""A 95 % confidence interval extends this many standard errors to either side."""


class EvenMatchUp(NamedTuple):
    """A match-up, and how far its measure is from even."""

    distance: float
    row: Row


def formula_of(table: Table, by: str | None) -> tuple[int, Formula]:
    """The formula of this name, with the number of its column; by default the first."""
    formulas = table.plan.design.formulas
    names = [formula.name for formula in formulas]
    if by is not None and by not in names:
        raise GrognardError(unknown_name("measure", by, names))
    place = 0 if by is None else names.index(by)
    return len(table.plan.design.columns) + place, formulas[place]


def even_value(table: Table, formula: Formula) -> float:
    """The even value of a formula: 0.5 for a chance, 50 if it is in percent, 0 for any other number."""
    if formula.text.strip() == VALUE and table.plan.design.objective != "swing":
        return 0.5
    return formula.even or 0.0


def most_even(table: Table, count: int = 10, by: str | None = None) -> list[EvenMatchUp]:
    """The match-ups in which a measure is nearest to even, the nearest first."""
    column, formula = formula_of(table, by)
    even = even_value(table, formula)
    rows = (row for row in table.rows if row[column] is not None)
    match_ups = (EvenMatchUp(abs(float(row[column] or 0) - even), row) for row in rows)
    return nsmallest(count, match_ups, key=lambda match_up: match_up.distance)


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a unit, with its 95 % confidence interval."""

    name: str
    price: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Prices:
    """All prices, the highest first."""

    prices: list[Price]
    attacking: float | None
    """The factor of a unit's odds when it attacks; None if it is unknown, as no unit has both roles."""
    by: str
    """The measure that is the chance of a win."""
    left_out: int
    """The number of match-ups without a result."""


def prices(table: Table, by: str | None = None) -> Prices:
    """Prices for the cards of a design with two rosters; the measure is the chance that the first one wins."""
    first, second = rosters(table)
    column, formula = formula_of(table, by)
    names = list(dict.fromkeys(name for place in (first, second) for name in _cards(table, place)))
    numbers = {name: number for number, name in enumerate(names)}
    pairs: list[tuple[int, int]] = []
    wins: list[float] = []
    left_out = 0
    for row in table.rows:
        win = row[column]
        if win is None:
            left_out += 1
            continue
        if not 0 <= float(win) <= 1:
            raise GrognardError(
                f'"{formula.name}" is no chance: prices need a measure from 0 to 1, such as '
                '"chance(swing > 0) + chance(swing == 0) / 2"; name it with --by'
            )
        pairs.append((numbers[str(row[first])], numbers[str(row[second])]))
        wins.append(float(win))
    strengths, errors = fit(np.array(pairs, np.int64).reshape(-1, 2), np.array(wins), len(names))
    attacking = None if np.isnan(strengths[-1]) else float(np.exp(strengths[-1]))
    listed = [
        Price(name, *(float(MEAN_PRICE * np.exp(strength + side * CONFIDENCE * error)) for side in (0, -1, 1)))
        for name, strength, error in zip(names, strengths, errors, strict=False)
    ]
    return Prices(sorted(listed, key=lambda price: -price.price), attacking, formula.name, left_out)


def rosters(table: Table) -> tuple[int, int]:
    """The numbers of the columns of the two rosters; an error if there are not two."""
    columns: list[int] = []
    column = 0
    for factor in table.plan.design.factors:
        if factor.is_roster:
            columns.append(column)
        column += len(factor.columns)
    if len(columns) != 2:
        raise GrognardError(
            f"prices need two [[vary]] with a roster, one against the other; this design has {len(columns)}"
        )
    return columns[0], columns[1]


def _cards(table: Table, column: int) -> list[str]:
    name = table.columns[column]
    levels = next(factor.levels for factor in table.plan.design.factors if factor.columns[0] == name)
    return [str(level.cells[0]) for level in levels]


def fit(pairs: Integers, wins: Floats, units: int) -> tuple[Floats, Floats]:
    """The logarithms of all strengths, with mean 0, and of attacking (NaN if unknown); their standard errors."""
    if len(wins) <= units:
        raise GrognardError(f"{len(wins)} match-ups are too few for the prices of {units} units")
    known = np.clip(wins, SUREST, 1 - SUREST)
    sides = np.zeros((len(wins), units + 1))
    rows = np.arange(len(wins))
    np.add.at(sides, (rows, pairs[:, 0]), 1.0)
    np.add.at(sides, (rows, pairs[:, 1]), -1.0)
    sides[:, -1] = 1.0
    # Strengths are known only up to a common factor: the mean of their logarithms is held at zero.
    level = np.zeros((units + 1, units + 1))
    level[:-1, :-1] = 1.0 / units
    is_attacking_known = np.linalg.matrix_rank(sides) == units
    if not is_attacking_known:  # as where no unit has both roles
        sides[:, -1], level[-1, -1] = 0.0, 1.0
    if np.linalg.matrix_rank(sides) < units - 1:
        raise GrognardError("some units never meet the others, not even through third ones: there is no common price")
    strengths = np.zeros(units + 1)
    for _ in range(100):
        probabilities = 1 / (1 + np.exp(-sides @ strengths))
        weights = probabilities * (1 - probabilities)
        curvature = sides.T @ (sides * weights[:, None]) + level
        step = np.linalg.solve(curvature, sides.T @ (known - probabilities) - level @ strengths)
        strengths = strengths + step
        if np.abs(step).max() < 1e-12:
            break
    scores = (known - 1 / (1 + np.exp(-sides @ strengths)))[:, None] * sides
    inverse = np.linalg.inv(curvature)
    covariance = inverse @ (scores.T @ scores) @ inverse * len(wins) / (len(wins) - units)
    if not is_attacking_known:
        strengths[-1] = np.nan
    return strengths, np.sqrt(np.maximum(np.diag(covariance), 0.0))
