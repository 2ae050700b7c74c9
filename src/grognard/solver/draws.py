"""Random numbers for simulation: the same for a seed on every machine, in every version, and without any library."""

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from math import floor, lgamma, log, sqrt
from random import Random

FEW = 10.0
"""Up to this mean number of successes, inversion is used; above it, rejection."""


class Draws:
    """A stream of random numbers that follows from a seed."""

    def __init__(self, seed: int) -> None:
        # Python keeps the numbers of this method the same in every version.
        self.random = Random(str(seed)).random

    def multinomial(self, trials: int, weights: Sequence[float]) -> dict[int, int]:
        """How many of the trials come out at each place of the weights; places without any are left out."""
        if trials <= len(weights):
            return self._one_by_one(trials, weights)
        counts: dict[int, int] = {}
        left = sum(weights)
        for place, weight in enumerate(weights):
            share = weight / left if left > 0 else 1.0
            count = trials if share >= 1 or place == len(weights) - 1 else self.binomial(trials, share)
            if count:
                counts[place] = count
            trials -= count
            if not trials:
                break
            left -= weight
        return counts

    def _one_by_one(self, trials: int, weights: Sequence[float]) -> dict[int, int]:
        sums = list(accumulate(weights))
        counts: dict[int, int] = {}
        for _ in range(trials):
            place = bisect(sums, self.random() * sums[-1], 0, len(sums) - 1)
            counts[place] = counts.get(place, 0) + 1
        return dict(sorted(counts.items()))

    def binomial(self, trials: int, share: float) -> int:
        """How many of the trials succeed, each with this probability below 1."""
        if share > 0.5:
            return trials - self.binomial(trials, 1 - share)
        if not trials or not share:
            return 0
        return self._inversion(trials, share) if trials * share < FEW else self._rejection(trials, share)

    def _inversion(self, trials: int, share: float) -> int:
        """The number of successes at which the sum of their chances first exceeds a random number."""
        odds = share / (1 - share)
        chance = (1 - share) ** trials
        random, count = self.random(), 0
        while random > chance and count < trials:
            random -= chance
            count += 1
            chance *= odds * (trials - count + 1) / count
        return count

    def _rejection(self, trials: int, share: float) -> int:
        """Transformed rejection with a squeeze (Hörmann 1993, algorithm BTRS)."""
        sd = sqrt(trials * share * (1 - share))
        b = 1.15 + 2.53 * sd
        a = -0.0873 + 0.0248 * b + 0.01 * share
        mode = floor((trials + 1) * share)
        highest = lgamma(mode + 1) + lgamma(trials - mode + 1)
        while True:
            u, v = self.random() - 0.5, 1 - self.random()
            edge = 0.5 - abs(u)
            if not edge:
                continue
            count = floor((2 * a / edge + b) * u + trials * share + 0.5)
            if not 0 <= count <= trials:
                continue
            if edge >= 0.07 and v <= 0.92 - 4.2 / b:
                return count
            v *= (2.83 + 5.1 / b) * sd / (a / edge**2 + b)
            chance = highest - lgamma(count + 1) - lgamma(trials - count + 1)
            if log(v) <= chance + (count - mode) * log(share / (1 - share)):
                return count
