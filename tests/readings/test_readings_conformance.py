"""Conformance of every reading: `odds` is the distribution of `read` over all rolls."""

import re
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from itertools import product
from typing import get_args

import pytest
from tests.soak import trying

from grognard.core.errors import WrongAnswer
from grognard.core.readings import Die, Face, Faces, Pool, Reading, d
from grognard.readings import face_walk, float_walk
from grognard.readings.enumerated import Enumerated
from grognard.readings.matching import Matching
from grognard.readings.ranked_pairs import Losses, RankedLosses, RankedPairs, Ties
from grognard.readings.tally import Tally

SMALL = list(product(product(range(3), repeat=2), [(6, 6), (4, 8), (8, 4), (1, 3)]))
LARGER = list(
    product([(3, 0), (0, 3), (3, 1), (1, 3), (3, 2), (2, 3), (3, 3), (4, 2), (2, 4)], [(3, 3), (4, 2), (2, 4)])
)


DICE = (d(4), Die("stars", ("*", "", "", "**")), d(3))


def shown(faces: Faces) -> Faces:
    return faces


def most_often(faces: Faces) -> int:
    """The number of dice with the most frequent face, in all pools together."""
    return max(Counter(face for pool in faces for face in pool).values(), default=0)


def instances() -> Iterator[Reading[Hashable]]:
    for (attack, defence), (attack_die, defence_die) in (*SMALL, *LARGER):
        for ties in get_args(Ties):
            yield RankedPairs(attack, defence, attack_die, defence_die, ties)
        yield RankedLosses(attack, attack_die, defence, defence_die)
        yield Matching(attack, attack_die, defence, defence_die)
    for count in range(5):
        yield Tally(count, 6, ((4, 4), (5, 5), (6, 6)))
        yield Tally(count, 6, ((5, 6), (1, 2)))
        yield Tally(count, 4, ((3, 6),))
        yield Tally(count, 4, ((5, 4), (0, 4)))
        yield Tally(count, 4, ())
    for counts in ((0,), (1, 0), (3,), (2, 2), (1, 2, 1)):
        pools = tuple(Pool(count, die) for count, die in zip(counts, DICE, strict=False))
        yield Enumerated(pools, shown)
        yield Enumerated(pools, most_often)


def assert_floats_agree(reading: Reading[Hashable]) -> None:
    exact, floats = reading.odds(fractions=True), reading.odds()
    assert floats.total is None
    assert floats.values == exact.values
    assert {type(weight) for weight in floats.weights} == {float}
    assert floats.weights == pytest.approx([float(p) for p in exact.probabilities], rel=1e-12, abs=0)


def name_of(reading: Reading[Hashable]) -> str:
    """A name that is the same in every process, unlike the repr of a function."""
    return re.sub(" at 0x[0-9a-f]+", "", str(reading))


@pytest.mark.soak("readings of dice against every roll")
@pytest.mark.parametrize("reading", list(instances()), ids=name_of)
def test_the_odds_are_those_of_reading_every_roll(reading: Reading[Hashable]) -> None:
    rolls = product(*(product(pool.die.faces, repeat=pool.count) for pool in reading.dice))
    read = Counter(reading.read(faces) for faces in trying(rolls))
    odds = reading.odds(fractions=True)
    assert dict(zip(odds.values, odds.weights, strict=True)) == read
    assert odds.total == read.total()
    assert {type(weight) for weight in odds.weights} == {int}
    assert_floats_agree(reading)


def test_any_function_of_the_faces_can_be_enumerated() -> None:
    three = Enumerated((Pool(3, d(6)),), most_often).odds(fractions=True)
    assert dict(zip(three.values, three.weights, strict=True)) == {3: 6, 2: 90, 1: 120}
    assert three.total == 216


def test_the_size_of_an_enumeration_is_the_number_of_multisets_not_of_rolls() -> None:
    many = Enumerated((Pool(20, d(6)),), most_often)
    assert many.size == 53_130 * 21
    assert sum(Enumerated((Pool(12, d(6)), Pool(1, d(4))), most_often).odds(fractions=True).probabilities) == 1


LARGE: list[Reading[Hashable]] = [
    RankedPairs(20, 20),
    RankedPairs(17, 20, 6, 20, "attacker"),
    RankedPairs(9, 12, ties="both"),
    RankedPairs(12, 9, 20, 12, "neither"),
    RankedLosses(20, 12, 15, 10),
    Matching(20, 12, 20, 12),
    Matching(30, 4, 12, 20),
    Tally(30, 20, ((4, 7), (20, 20))),
]


@pytest.fixture(params=[0, float("inf")], ids=["by NumPy", "from whole numbers"])
def arithmetic(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute floats in one way, whatever the size of the pools."""
    assert "numpy" in sys.modules, float_walk
    monkeypatch.setattr(face_walk, "INTEGER_WORK", request.param)


@pytest.mark.usefixtures("arithmetic")
@pytest.mark.parametrize("reading", LARGE, ids=str)
def test_large_pools_keep_the_precision_of_the_smallest_chance(reading: Reading[Hashable]) -> None:
    assert sum(reading.odds(fractions=True).probabilities) == 1
    assert_floats_agree(reading)


@pytest.mark.usefixtures("arithmetic")
@pytest.mark.parametrize("pools", list(LARGER), ids=str)
def test_small_pools_have_the_same_odds_by_numpy(pools: tuple[tuple[int, int], tuple[int, int]]) -> None:
    (attack, defence), (attack_die, defence_die) = pools
    for ties in get_args(Ties):
        assert_floats_agree(RankedPairs(attack, defence, attack_die, defence_die, ties))
    assert_floats_agree(Matching(attack, attack_die, defence, defence_die))


def test_a_thousand_dice_against_one_neither_overflow_nor_underflow() -> None:
    all_meet = [Fraction(face, 4) ** 1100 / 4 for face in range(1, 5)]
    all_below = [Fraction(face - 1, 4) ** 1100 / 4 for face in range(1, 5)]
    expected: list[tuple[Reading[Hashable], Hashable, Fraction]] = [
        (RankedPairs(1100, 1, 4, 4), Losses(1, 0), sum(all_meet, Fraction(0))),
        (RankedPairs(1, 1100, 4, 4), Losses(0, 1), sum(all_below, Fraction(0))),
        (RankedPairs(1100, 1, 4, 4, "neither"), Losses(1, 0), sum(all_below, Fraction(0))),
        (Matching(1, 4, 1100, 4), 1, sum(all_below, Fraction(0))),
    ]
    for reading, value, chance in expected:
        odds = reading.odds()
        assert odds.weights[odds.values.index(value)] == pytest.approx(float(chance), rel=1e-12, abs=0)


@pytest.mark.parametrize("reading", [RankedPairs(2, 1, 6, 4), RankedLosses(2, 6, 1, 4), Matching(2, 6, 1, 4)], ids=str)
def test_dice_are_split_into_the_attack_and_the_defence(reading: Reading[Hashable]) -> None:
    assert reading.split([6, 5, 4]) == ((6, 5), (4,))
    wrongs: list[list[Face]] = [[6, 5], [6, 5, 4, 3], [6, 5, 6], [0, 5, 4], [6, "5", 4], [True, 5, 4]]
    for wrong in wrongs:
        with pytest.raises(WrongAnswer):
            reading.split(wrong)


def test_a_roll_of_one_die_is_told_in_the_singular() -> None:
    with pytest.raises(WrongAnswer, match=r"^0 dice given, but 1 is rolled: 1 d6$"):
        Tally(1, 6, ((4, 6),)).split([])
    with pytest.raises(WrongAnswer, match=r"^1 die given, but 2 are rolled: 2 d6$"):
        Tally(2, 6, ((4, 6),)).split([5])


@pytest.mark.parametrize(("count", "die"), [(-1, 6), (1, 0)])
def test_impossible_dice_are_refused(count: int, die: int) -> None:
    makers: list[Callable[[], object]] = [
        lambda: RankedPairs(count, 1, die, 6),
        lambda: RankedPairs(1, count, 6, die),
        lambda: RankedLosses(count, die, 1, 6),
        lambda: RankedLosses(1, 6, count, die),
        lambda: Matching(count, die, 1, 6),
        lambda: Matching(1, 6, count, die),
        lambda: Tally(count, die, ()),
    ]
    for make in makers:
        with pytest.raises(ValueError, match="cannot be rolled"):
            make()
