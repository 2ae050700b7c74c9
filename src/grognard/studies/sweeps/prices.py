"""Prices: what each unit of a roster is worth, from who beats whom.

A unit has a worth, and beats another with odds of its worth to the other's, times what attacking is worth (Bradley and
Terry's model). The worths fit best in the sense of its likelihood. How far who-beats-whom is from following from any
worths, as it does not where units beat each other in a circle, is what makes a price uncertain.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from grognard.core.errors import GrognardError
from grognard.studies.sweeps.fair import formula_of
from grognard.studies.sweeps.rolls import Floats
from grognard.studies.sweeps.tables import Table

MIDDLE = 10.0
"""The geometric mean of all prices."""
SURE = 0.0005
"""No win is taken to be surer than this: a unit that never loses would have no price."""
SURELY = 1.96
"""So many standard errors to either side hold 95 %."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a unit is worth, and between which prices that lies as good as surely."""

    name: str
    price: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Prices:
    """All prices, the dearest first; by how much attacking multiplies a unit's odds; by which measure."""

    prices: list[Price]
    attacking: float | None
    """None where nobody knows, since no unit is on both sides."""
    by: str
    left_out: int
    """Match-ups that are no battle."""


def prices(table: Table, by: str | None = None) -> Prices:
    """Fit a price to each card of a design that sets a roster against a roster, the first the one that may win."""
    first, second = rosters(table)
    column, formula = formula_of(table, by)
    names = list(dict.fromkeys(str(level.cells[0]) for place in (first, second) for level in _levels(table, place)))
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
    worths, errors = fit(np.array(pairs).reshape(-1, 2), np.array(wins), len(names))
    attacking = None if np.isnan(worths[-1]) else float(np.exp(worths[-1]))
    listed = [
        Price(name, *(float(MIDDLE * np.exp(worth + off * SURELY * error)) for off in (0, -1, 1)))
        for name, worth, error in zip(names, worths, errors, strict=False)
    ]
    return Prices(sorted(listed, key=lambda price: -price.price), attacking, formula.name, left_out)


def rosters(table: Table) -> tuple[int, int]:
    """The columns of the two rosters, without which there are no prices."""
    found: list[int] = []
    column = 0
    for factor in table.plan.question.factors:
        if factor.is_roster:
            found.append(column)
        column += len(factor.columns)
    if len(found) != 2:
        raise GrognardError(
            f"prices need two [[vary]] with a roster, one against the other; this design has {len(found)}"
        )
    return found[0], found[1]


def _levels(table: Table, column: int) -> Any:
    return next(f.levels for f in table.plan.question.factors if f.columns[0] == table.columns[column])


def fit(pairs: Any, wins: Floats, units: int) -> tuple[Floats, Floats]:
    """The logarithms of the worths, their mean 0, then that of attacking (NaN: unknown); and their standard errors."""
    if len(wins) <= units:
        raise GrognardError(f"{len(wins)} match-ups are too few for the prices of {units} units")
    known = np.clip(wins, SURE, 1 - SURE)
    sides = np.zeros((len(wins), units + 1))
    rows = np.arange(len(wins))
    np.add.at(sides, (rows, pairs[:, 0]), 1.0)
    np.add.at(sides, (rows, pairs[:, 1]), -1.0)
    sides[:, -1] = 1.0
    # Worths are known only up to a common factor: their mean is held at nothing.
    level = np.zeros((units + 1, units + 1))
    level[:-1, :-1] = 1.0 / units
    is_attacking_known = np.linalg.matrix_rank(sides) == units
    if not is_attacking_known:  # as where no unit is on both sides
        sides[:, -1], level[-1, -1] = 0.0, 1.0
    if np.linalg.matrix_rank(sides) < units - 1:
        raise GrognardError("some units never meet the others, not even through third ones: there is no common price")
    worths = np.zeros(units + 1)
    for _ in range(100):
        chances = 1 / (1 + np.exp(-sides @ worths))
        weights = chances * (1 - chances)
        curve = sides.T @ (sides * weights[:, None]) + level
        step = np.linalg.solve(curve, sides.T @ (known - chances) - level @ worths)
        worths = worths + step
        if np.abs(step).max() < 1e-12:
            break
    off = (known - 1 / (1 + np.exp(-sides @ worths)))[:, None] * sides
    back = np.linalg.inv(curve)
    spread = back @ (off.T @ off) @ back * len(wins) / (len(wins) - units)
    if not is_attacking_known:
        worths[-1] = np.nan
    return worths, np.sqrt(np.maximum(np.diag(spread), 0.0))
