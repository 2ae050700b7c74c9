"""Random numbers for simulation: their distribution, and that they never change."""

from collections import Counter
from math import comb, sqrt

import pytest

from grognard.solver.draws import Draws

TIMES = 20_000


@pytest.mark.parametrize(("trials", "share"), [(1, 0.3), (10, 0.3), (30, 0.49), (25, 0.4), (60, 0.5), (100, 0.9)])
def test_binomial_numbers_have_the_binomial_distribution(trials: int, share: float) -> None:
    draws = Draws(1)
    drawn = Counter(draws.binomial(trials, share) for _ in range(TIMES))
    for count in range(trials + 1):
        chance = comb(trials, count) * share**count * (1 - share) ** (trials - count)
        assert drawn[count] / TIMES == pytest.approx(chance, abs=5 * sqrt(chance / TIMES) + 1e-4)


@pytest.mark.parametrize("trials", [10**6, 10**12])
def test_many_trials_have_the_mean_and_variance_of_a_binomial(trials: int) -> None:
    draws, share = Draws(2), 0.37
    drawn = [draws.binomial(trials, share) for _ in range(TIMES)]
    sd = sqrt(trials * share * (1 - share))
    mean = sum(drawn) / TIMES
    assert mean == pytest.approx(trials * share, abs=5 * sd / sqrt(TIMES))
    assert sqrt(sum((number - mean) ** 2 for number in drawn) / TIMES) == pytest.approx(sd, rel=0.03)


@pytest.mark.parametrize("trials", [3, 1000])
def test_all_trials_have_an_outcome_and_none_has_one_of_weight_zero(trials: int) -> None:
    drawn = [Draws(seed).multinomial(trials, [0.2, 0.0, 0.5, 0.3, 0.0]) for seed in range(200)]
    assert {trials} == {sum(counts.values()) for counts in drawn}
    assert {0, 2, 3} == set().union(*drawn)
    assert sum(counts.get(2, 0) for counts in drawn) / (200 * trials) == pytest.approx(0.5, abs=0.1)


STORED = [{0: 1, 1: 1}, {0: 7, 1: 11, 2: 2}, {0: 973, 1: 715, 2: 312}]


def test_a_seed_always_gives_the_same_numbers() -> None:
    assert STORED == [Draws(1815).multinomial(trials, [3, 2, 1]) for trials in (2, 20, 2000)]
