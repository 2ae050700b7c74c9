"""Seeded random numbers for simulation: the same on every machine and in every Python version, without a library."""

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from math import floor, lgamma, log, sqrt
from random import Random

INVERSION_MEAN = 10.0
"""Binomials with a smaller mean are drawn by inversion, others by rejection."""


class Draws:
    """A random number generator with a seed."""

    def __init__(self, seed: int) -> None:
        # Python guarantees that every version generates the same numbers by this method.
        self.random = Random(str(seed)).random

    def multinomial(self, trials: int, weights: Sequence[float]) -> dict[int, int]:
        """The number of trials with each outcome, by its index in the weights; outcomes without any are left out."""
        if trials <= len(weights):
            return self._one_by_one(trials, weights)
        counts: dict[int, int] = {}
        left = sum(weights)
        for index, weight in enumerate(weights):
            probability = weight / left if left > 0 else 1.0
            is_last = probability >= 1 or index == len(weights) - 1
            count = trials if is_last else self.binomial(trials, probability)
            if count:
                counts[index] = count
            trials -= count
            if not trials:
                break
            left -= weight
        return counts

    def _one_by_one(self, trials: int, weights: Sequence[float]) -> dict[int, int]:
        sums = list(accumulate(weights))
        counts: dict[int, int] = {}
        for _ in range(trials):
            index = bisect(sums, self.random() * sums[-1], 0, len(sums) - 1)
            counts[index] = counts.get(index, 0) + 1
        return dict(sorted(counts.items()))

    def binomial(self, trials: int, probability: float) -> int:
        """The number of trials that succeed, each with this probability, which is below 1."""
        if probability > 0.5:
            return trials - self.binomial(trials, 1 - probability)
        if not trials or not probability:
            return 0
        if trials * probability < INVERSION_MEAN:
            return self._inversion(trials, probability)
        return self._rejection(trials, probability)

    def _inversion(self, trials: int, probability: float) -> int:
        """The number of successes at which the cumulative probability exceeds a random number."""
        ratio = probability / (1 - probability)
        of_count = (1 - probability) ** trials
        random, count = self.random(), 0
        while random > of_count and count < trials:
            random -= of_count
            count += 1
            of_count *= ratio * (trials - count + 1) / count
        return count

    def _rejection(self, trials: int, probability: float) -> int:
        """Transformed rejection with a squeeze (Hörmann 1993, algorithm BTRS)."""
        sd = sqrt(trials * probability * (1 - probability))
        b = 1.15 + 2.53 * sd
        a = -0.0873 + 0.0248 * b + 0.01 * probability
        mode = floor((trials + 1) * probability)
        highest = lgamma(mode + 1) + lgamma(trials - mode + 1)
        while True:
            u, v = self.random() - 0.5, 1 - self.random()
            edge = 0.5 - abs(u)
            if not edge:
                continue
            count = floor((2 * a / edge + b) * u + trials * probability + 0.5)
            if not 0 <= count <= trials:
                continue
            if edge >= 0.07 and v <= 0.92 - 4.2 / b:
                return count
            v *= (2.83 + 5.1 / b) * sd / (a / edge**2 + b)
            log_ratio = highest - lgamma(count + 1) - lgamma(trials - count + 1)
            if log(v) <= log_ratio + (count - mode) * log(probability / (1 - probability)):
                return count
