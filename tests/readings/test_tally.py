"""Tally: counting dice by bands."""

from fractions import Fraction

import pytest

from grognard.core.readings import Fate
from grognard.readings.tally import Tally


def test_twelve_dice_show_at_least_six_of_four_to_six() -> None:
    odds = Tally(12, 6, ((4, 6),)).odds(fractions=True)
    assert sum(
        Fraction(p) for (hits,), p in zip(odds.values, odds.probabilities, strict=True) if hits >= 6
    ) == Fraction(1255, 2048)


def test_bands_are_counted_in_their_order() -> None:
    assert Tally(5, 6, ((6, 6), (4, 5))).read(((2, 2, 4, 5, 6),)) == (1, 2)


def test_a_band_beyond_the_faces_of_the_die_is_empty() -> None:
    assert Tally(3, 6, ((7, 6), (7, 9), (5, 9))).odds(fractions=True).values == (
        (0, 0, 0),
        (0, 0, 1),
        (0, 0, 2),
        (0, 0, 3),
    )


def test_overlapping_bands_are_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        Tally(3, 6, ((1, 4), (4, 6)))


def test_dice_in_a_band_win() -> None:
    faces = ((1, 4, 6),)
    assert Tally(3, 6, ((4, 4), (6, 6))).fates(faces) == ((Fate.UNUSED, Fate.WINS, Fate.WINS),)


def test_the_size_grows_with_the_tallies_and_with_the_length_of_their_numbers() -> None:
    small = Tally(5, 6, ((4, 4), (5, 5), (6, 6)))
    assert small.size == len(small.odds().values)
    assert Tally(10_000, 6, ((6, 6),)).size > 1_000 * 10_001
