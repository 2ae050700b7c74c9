"""The chances of rolls, for every way in which their unseen numbers can be filled in, worked out once in a process.

They come from whole numbers and are rounded once: the same on every machine, whichever sweeps were made before. Only
rolls of so many dice that whole numbers would be too long come from floats, whose last digits nobody vouches for.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields
from itertools import product

import numpy as np
from numpy.typing import NDArray

from grognard.core.errors import TooLarge
from grognard.core.readings import Reading
from grognard.solver.graph import READING_SIZE, cost
from grognard.studies.sweeps.unseen import Unseen, filled, unseen_in

Floats = NDArray[np.float64]
Digits = Mapping[int, NDArray[np.int64]]
"""For each factor, which of its values each match-up has."""
MOST = 4_000_000
"""So many chances are kept."""


@dataclass(frozen=True, slots=True)
class Rolled:
    """What a roll can be read as, and the chances: one column for each way to fill in what is unseen."""

    values: tuple[Hashable, ...]
    table: Floats
    factors: tuple[int, ...]
    counts: tuple[int, ...]
    """How many values each of these factors has."""

    def chances(self, digits: Digits, rows: int) -> Floats:
        """One column for each match-up."""
        if not self.factors:
            return np.broadcast_to(self.table, (len(self.values), rows))
        column: NDArray[np.int64] = np.zeros(rows, np.int64)
        for factor, count in zip(self.factors, self.counts, strict=True):
            column = column * count + digits[factor]
        return self.table[:, column]


class Rolls:
    """What is known of rolls so far."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Rolled] = {}
        self._kept = 0

    def of(self, reading: Reading[Hashable]) -> Rolled:
        """The chances of a reading, which may have unseen numbers in it."""
        key = _key(reading)
        rolled = self._known.get(key)
        if rolled is None:
            rolled = _work_out(reading)
            if self._kept + rolled.table.size > MOST:
                self._known.clear()
                self._kept = 0
            self._known[key] = rolled
            self._kept += rolled.table.size
        return rolled


def _key(value: object) -> Hashable:
    """What tells readings apart: unseen numbers by their factor and its values."""
    if type(value) is Unseen:
        return Unseen, value.factor, value.values
    if isinstance(value, tuple):
        return tuple, type(value), tuple(_key(part) for part in value)
    if isinstance(value, Reading):
        return type(value), tuple(_key(getattr(value, field.name)) for field in fields(value))  # type: ignore[arg-type]
    return type(value), value


def _work_out(reading: Reading[Hashable]) -> Rolled:
    unseen = {one.factor: one.values for one in unseen_in(reading)}
    ways = list(product(*unseen.values()))
    odds = [_odds(filled(reading, dict(zip(unseen, way, strict=True)))) for way in ways]
    values = tuple(dict.fromkeys(value for chances in odds for value in chances))
    table = np.array([[chances.get(value, 0.0) for chances in odds] for value in values])
    return Rolled(values, table, tuple(unseen), tuple(len(numbers) for numbers in unseen.values()))


def _odds(reading: Reading[Hashable]) -> dict[Hashable, float]:
    if reading.size > READING_SIZE:
        raise TooLarge("too large a roll for exact odds", reading.size, READING_SIZE)
    if cost(reading, exact=True) > READING_SIZE:
        odds = reading.odds()
        return {value: float(weight) for value, weight in zip(odds.values, odds.weights, strict=True)}
    odds = reading.odds(fractions=True)
    assert odds.total is not None
    return {value: weight / odds.total for value, weight in zip(odds.values, odds.weights, strict=True)}
