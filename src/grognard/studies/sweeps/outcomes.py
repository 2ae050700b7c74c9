"""What match-ups of one shape come to: the results, and how likely each is in each of them."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from grognard.core.systems import Measure, Objective, Result, System
from grognard.solver.assumptions import Aims
from grognard.solver.induction import NOISE
from grognard.studies.sweeps.reckon import added_up
from grognard.studies.sweeps.rolls import Floats

CLOSE = 1e-12
"""A share that is missed by less is reached."""


class Outcomes:
    """Results with their chances: a row for each, a column for each match-up."""

    def __init__(self, system: System[Any], setup: object, aims: Aims, results: Sequence[Result]) -> None:
        self.setup, self.aims, self.results = setup, aims, results
        self.objectives: Mapping[str, Objective] = system.objectives
        self.asked: Mapping[str, Measure] = {measure.name: measure for measure in system.measures(setup)}
        self.chances: Floats = np.zeros((len(results), 0))
        self._read: dict[tuple[str, str], NDArray[Any]] = {}

    def with_chances(self, chances: Floats) -> Self:
        """How likely each result is, now that it is known."""
        self.chances = chances
        return self

    @property
    def rows(self) -> int:
        """How many match-ups there are."""
        return len(self.chances[0])

    def measure(self, name: str) -> NDArray[Any]:
        """What people ask about, read off every result: numbers, or texts."""
        return self._kept(("measure", name), lambda result: self.asked[name].of(result))

    def objective(self, name: str) -> NDArray[Any]:
        """An objective, read off every result."""
        return self._kept(("objective", name), lambda result: self.objectives[name].of(self.setup, result))

    def _kept(self, key: tuple[str, str], read: Any) -> NDArray[Any]:
        if key not in self._read:
            values = [read(result) for result in self.results]
            texts = any(isinstance(value, str) for value in values)
            self._read[key] = np.array(values, object if texts else np.float64)[:, None]
        return self._read[key]

    def mean(self, numbers: Any) -> Floats:
        """The mean of numbers. What rounding alone leaves over, where gains and losses are as large, is nothing."""
        terms = self.chances * numbers
        total = added_up(terms)
        is_small = (total != 0) & (np.abs(total) < CLOSE)
        if is_small.any():
            total = np.where(is_small & (np.abs(total) < NOISE * added_up(np.abs(terms))), 0.0, total)
        return total

    def deviation(self, numbers: Any) -> Floats:
        """The standard deviation of numbers."""
        return np.sqrt(self.mean((numbers - self.mean(numbers)) ** 2))

    def chance(self, numbers: Any) -> Floats:
        """How likely it is that they are not zero."""
        return self.mean(np.not_equal(numbers, 0))

    def quantile(self, numbers: Any, share: Any) -> Floats:
        """The smallest number that can come about and is not exceeded with at least this chance."""
        spread = np.broadcast_to(numbers, self.chances.shape)
        order = np.argsort(spread, axis=0, kind="stable")
        chances = np.take_along_axis(self.chances, order, 0)
        is_reached = np.add.accumulate(chances, axis=0) >= share - CLOSE
        first = np.argmax(is_reached & (chances > 0), axis=0)
        return np.take_along_axis(np.take_along_axis(spread, order, 0), first[None, :], 0)[0]  # type: ignore[no-any-return]


def is_text(value: object) -> bool:
    """Whether these are texts rather than numbers."""
    return isinstance(value, np.ndarray) and value.dtype == object
