"""The rows of a sweep: numbered as the design lists them, worked on in an order in which much is shared."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from random import Random

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Rows:
    """All match-ups of a grid, or some of them. The last factor changes fastest from row to row.

    Work begins with the last levels, which are often the largest: their sweeps then serve the smaller ones. Numbers
    that no rule looks at change fastest there, so that all match-ups of one shape are next to each other.
    """

    counts: tuple[int, ...]
    unseen: tuple[int, ...] = ()
    sample: Numbers | None = None
    """The rows that were drawn, in order; None: all."""

    def __len__(self) -> int:
        return prod(self.counts) if self.sample is None else len(self.sample)

    def levels(self, rows: Numbers) -> list[Numbers]:
        """For each factor, which level these rows have."""
        return _digits(rows, self.counts, range(len(self.counts)))

    def numbered(self, first: int, last: int) -> Numbers:
        """The numbers in the grid of these rows, counted without gaps."""
        return np.arange(first, last) if self.sample is None else self.sample[first:last]

    def work(self, first: int, last: int) -> Numbers:
        """The rows that are these in the order of work."""
        if self.sample is not None:
            return self.sample[self._order[first:last]]
        digits = _digits(len(self) - 1 - np.arange(first, last), self.counts, self._slow_to_fast)
        return _mixed(digits, self.counts, range(len(self.counts)))

    def turns(self, first: int, last: int) -> Numbers:
        """Where rows, counted without gaps, stand in the order of work."""
        if self.sample is not None:
            return self._turns[first:last]
        return len(self) - 1 - self._mixed(np.arange(first, last))

    @property
    def _slow_to_fast(self) -> list[int]:
        factors = range(len(self.counts))
        return [factor for factor in factors if factor not in self.unseen] + list(self.unseen)

    def _mixed(self, rows: Numbers) -> Numbers:
        return _mixed(self.levels(rows), self.counts, self._slow_to_fast)

    @cached_property
    def _order(self) -> Numbers:
        assert self.sample is not None
        return np.argsort(-self._mixed(self.sample), kind="stable")

    @cached_property
    def _turns(self) -> Numbers:
        return np.argsort(self._order, kind="stable")


def _digits(numbers: Numbers, counts: Sequence[int], order: Sequence[int]) -> list[Numbers]:
    """The digits of mixed numbers, the last factor of the order being the lowest; listed by factor."""
    digits = [numbers] * len(counts)
    for factor in reversed(order):
        numbers, digits[factor] = np.divmod(numbers, counts[factor])
    return digits


def _mixed(digits: Sequence[Numbers], counts: Sequence[int], order: Sequence[int]) -> Numbers:
    """The numbers that have these digits."""
    numbers = np.zeros_like(digits[0])
    for factor in order:
        numbers = numbers * counts[factor] + digits[factor]
    return numbers


def drawn(counts: Sequence[int], sample: int, seed: int) -> Numbers | None:
    """So many different rows of a grid, each as likely; None if that is all of them."""
    total = prod(counts)
    if sample >= total:
        return None
    return np.array(sorted(Random(seed).sample(range(total), sample)), np.int64)
