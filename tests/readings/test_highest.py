"""Highest and Mapped: the best dice of groups, and functions of a reading."""

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from itertools import product

import pytest

from grognard.core.readings import Die, Fate, Pool, Reading, d
from grognard.readings.highest import Group, Highest
from grognard.readings.mapped import Mapped
from grognard.readings.tally import Tally


def group(kept: int, *dice: tuple[int, int]) -> Group:
    return Group(kept, tuple(Pool(count, d(faces)) for count, faces in dice))


def largest(counts: tuple[int, ...]) -> int:
    return max(counts)


READINGS: list[Reading[Hashable]] = [
    Highest(()),
    Highest((group(1, (3, 4)),)),
    Highest((group(2, (2, 6)), group(1, (1, 6)))),
    Highest((group(2, (2, 4), (1, 8)), group(0, (1, 3)), group(1), group(3, (2, 2)))),
    Highest((group(5, (3, 4)),)),
    Highest((Group(1, (Pool(2, Die("odd", (1, 1, 5))),)),)),
    Mapped(Tally(4, 6, ((4, 4), (5, 6))), largest),
    Mapped(Highest((group(1, (2, 6)), group(1, (1, 4)))), len),
]


@pytest.mark.parametrize("reading", READINGS)
def test_the_odds_are_those_of_reading_every_roll(reading: Reading[Hashable]) -> None:
    rolls = product(*(product(pool.die.faces, repeat=pool.count) for pool in reading.dice))
    read = Counter(reading.read(faces) for faces in rolls)
    exact, floats = reading.odds(fractions=True), reading.odds()
    assert dict(zip(exact.values, exact.weights, strict=True)) == read
    assert exact.total == read.total()
    assert floats.total is None
    assert floats.values == exact.values
    assert floats.weights == pytest.approx([float(p) for p in exact.probabilities], rel=1e-12, abs=0)


@pytest.mark.parametrize("reading", [one for one in READINGS if isinstance(one, Highest)])
def test_the_size_bounds_the_number_of_readings(reading: Highest) -> None:
    assert len(reading.odds().values) <= reading.size


def test_the_size_of_one_kind_of_dice_is_the_number_of_readings() -> None:
    reading = Highest((group(2, (2, 6)), group(1, (3, 8)), group(0, (9, 6))))
    assert reading.size == 21 * 8 == len(reading.odds().values)


def test_dice_of_a_group_are_ranked_together_whatever_their_size() -> None:
    reading = Highest((group(1, (2, 6), (1, 8)), group(2, (3, 6))))
    assert reading.read(((3, 6), (7,), (2, 5, 4))) == ((7,), (5, 4))


def test_dice_that_are_kept_win_and_of_equal_ones_the_first() -> None:
    reading = Highest((group(1, (2, 6), (1, 8)), group(2, (3, 6)), group(0, (1, 6))))
    unused, wins = Fate.UNUSED, Fate.WINS
    assert reading.fates(((6, 2), (6,), (2, 5, 4), (6,))) == (
        (wins, unused),
        (unused,),
        (unused, wins, wins),
        (unused,),
    )


def test_the_highest_of_two_d6_and_a_d8() -> None:
    odds = Highest((group(1, (2, 6), (1, 8)),)).odds(fractions=True)
    chances = dict(zip(odds.values, odds.probabilities, strict=True))
    assert chances[((8,),)] == Fraction(1, 8)
    assert chances[((6,),)] == 1 - Fraction(2, 8) - Fraction(25, 36) * Fraction(5, 8)


def test_rolls_with_equal_values_are_merged_and_fates_stay() -> None:
    inner = Tally(3, 6, ((4, 4), (5, 5), (6, 6)))
    reading = Mapped(inner, largest)
    assert reading.odds(fractions=True).map(lambda value: value > 1).values == (False, True)
    assert len(reading.odds().values) == 4
    assert (reading.dice, reading.size) == (inner.dice, inner.size)
    assert reading.fates(((1, 4, 6),)) == inner.fates(((1, 4, 6),))
