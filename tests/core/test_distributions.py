"""The methods of a distribution, against values computed by hand."""

from fractions import Fraction
from math import sqrt

import pytest

from grognard.core.distributions import Distribution, collect, from_probabilities

D6 = Distribution(tuple(range(1, 7)), (1,) * 6, 6)
COIN = Distribution((True, False), (0.25, 0.75))


def test_mean_variance_and_sd() -> None:
    assert (Fraction(7, 2), Fraction(35, 12)) == (D6.mean, D6.variance)
    assert pytest.approx(sqrt(35 / 12)) == D6.sd
    assert 0.25 == COIN.mean


def test_cdf_at_least_and_quantile() -> None:
    assert (Fraction(1, 2), Fraction(2, 3)) == (D6.cdf(3), D6.at_least(3))
    assert [1, 3, 4, 6] == [D6.quantile(q) for q in (0, Fraction(1, 2), 0.51, 1)]
    with pytest.raises(ValueError, match="not a probability"):
        D6.quantile(2)


def test_probability_of_a_value_and_of_a_condition() -> None:
    assert (Fraction(1, 6), 0) == (D6.probability(4), D6.probability(9))
    assert Fraction(1, 2) == D6.probability(lambda face: face % 2)


def test_map_merges_equal_results_and_given_conditions() -> None:
    assert {0: Fraction(1, 2), 1: Fraction(1, 2)} == dict(D6.map(lambda face: face % 2))
    assert {5: Fraction(1, 2), 6: Fraction(1, 2)} == dict(D6.given(lambda face: face > 4))
    assert {True: 1.0} == dict(COIN.given(bool))
    with pytest.raises(ValueError, match="never met"):
        D6.given(lambda face: face > 6)


def test_the_sum_of_two_dice() -> None:
    both = D6 + D6
    assert (Fraction(6, 36), Fraction(7)) == (both.probability(7), both.mean)
    assert Fraction(9, 2) == (D6 + 1).mean


def test_values_that_are_not_numbers_have_no_mean() -> None:
    with pytest.raises(TypeError, match="'red' is not a number"):
        _ = Distribution(("red",), (1.0,)).mean


def test_fractions_are_put_over_a_common_denominator() -> None:
    assert collect([("a", 2), ("b", 1)], 3) == from_probabilities([("a", Fraction(2, 3)), ("b", Fraction(1, 3))])
    assert 2 == len(from_probabilities([("a", 0.5), ("b", 0.5), ("c", 0.0)]))
