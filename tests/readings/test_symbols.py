"""Symbol dice: rolls of one side, defence rolls, critical rolls; against enumeration and counting by hand."""

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from grognard.core.errors import WrongAnswer
from grognard.core.readings import Die, Fate, Pool, Reading
from grognard.readings.symbols import (
    DefenceRoll,
    Kept,
    Limit,
    RolledSymbols,
    StrongestLeft,
    SymbolRoll,
    Symbols,
    uncancelled,
)

DICE = {
    "R": Die("red", ("DD", "DX", "DD", "DD", "CD", "")),
    "Y": Die("yellow", ("X", "D", "D", "DD", "CD", "XD")),
    "G": Die("green", ("X", "D", "D", "CD", "D", "")),
    "B": Die("blue", ("X", "D", "D", "", "", "")),
    "c": Die("three-sided", ("CX", "C", "")),
}


def dice(letters: str) -> tuple[Pool, ...]:
    return tuple(Pool(letters.count(letter), DICE[letter]) for letter in dict.fromkeys(letters))


ROLLS = [
    SymbolRoll(()),
    SymbolRoll(dice("RY")),
    SymbolRoll(dice("RYc"), stronger_only=True),
    SymbolRoll(dice("RRB"), ("",)),
    SymbolRoll(dice("GGG"), ("C", "D")),
    SymbolRoll(dice("YcB"), ("", "X"), stronger_only=True),
    SymbolRoll(dice("YY"), ("", "C", "D", "X")),
]
LIMITS = [None, Limit(2, suppression=True), Limit(3, suppression=False)]
DEFENCES = [
    DefenceRoll(Symbols(*attack), roll.pools, () if limit else roll.keeps, limit)
    for roll in ROLLS
    for attack in ((0, 0, 0), (0, 2, 1), (1, 1, 3), (2, 0, 10**6))
    for limit in LIMITS
]
CRITICALS = [StrongestLeft(dice(attack), dice(defence)) for attack, defence in (("G", "B"), ("GG", "BB"), ("Yc", "cB"))]


def test_a_face_of_two_symbols_may_count_as_the_stronger_one_only() -> None:
    odds = SymbolRoll(dice("R"), stronger_only=True).odds(fractions=True)
    symbols = {rolled.symbols: probability for rolled, probability in odds}
    assert {Symbols(): Fraction(1, 6), Symbols(1): Fraction(1, 6), Symbols(0, 1): Fraction(4, 6)} == symbols


@pytest.mark.parametrize(
    "reading",
    [*ROLLS, *DEFENCES, *CRITICALS],
    ids=lambda reading: type(reading).__name__,
)
def test_the_odds_are_those_of_reading_every_roll(reading: Reading[Hashable]) -> None:
    rolls = product(*(product(pool.die.faces, repeat=pool.count) for pool in reading.dice))
    read = Counter(reading.read(faces) for faces in rolls)
    odds, floats = reading.odds(fractions=True), reading.odds()
    assert dict(zip(odds.values, odds.weights, strict=True)) == read
    assert odds.total == read.total()
    assert {type(weight) for weight in odds.weights} == {int}
    assert floats.values == odds.values
    assert floats.weights == pytest.approx([float(p) for p in odds.probabilities], rel=1e-12, abs=0)
    assert len(read) <= reading.size


def test_the_size_with_dice_kept_apart_is_at_most_the_number_of_multisets() -> None:
    pools, every = dice("YGGBBB"), ("", "C", "D", "X")
    # a yellow die with five different faces, two green ones with four, three blue ones with three
    ways = 5 * 10 * 10
    assert len(SymbolRoll(pools, every).odds().values) == ways
    assert SymbolRoll(pools, every).size == 6 * ways
    assert DefenceRoll(Symbols(0, 0, 9), pools, every).size == ways


@cache
def most_cancelled(attack: tuple[int, int, int], defence: tuple[int, int, int]) -> int:
    """The most symbols that can be cancelled, trying every way."""
    most = 0
    for mine, yours in product(range(3), range(3)):
        if defence[mine] and attack[yours] and yours >= mine:
            fewer = [list(attack), list(defence)]
            fewer[0][yours] -= 1
            fewer[1][mine] -= 1
            most = max(most, 1 + most_cancelled(*(tuple(side) for side in fewer)))
    return most


def test_10_7_2_the_defender_cancels_as_many_symbols_as_the_dice_allow() -> None:
    for attack, defence in product(product(range(4), repeat=3), repeat=2):
        assert sum(uncancelled(Symbols(*attack), Symbols(*defence))) == sum(attack) - most_cancelled(attack, defence)


@pytest.mark.parametrize(
    ("attack", "defence", "expected"),
    [
        ((1, 1, 1), (1, 0, 0), (0, 1, 1)),  # the strongest takes the strongest, not the Suppression
        ((0, 1, 1), (1, 0, 0), (0, 0, 1)),
        ((1, 0, 0), (0, 2, 2), (1, 0, 0)),  # nothing weaker cancels a Critical
        ((0, 1, 1), (1, 1, 0), (0, 0, 0)),
        ((1, 1, 0), (0, 1, 0), (1, 0, 0)),
        ((0, 0, 2), (0, 1, 0), (0, 0, 1)),
    ],
)
def test_10_7_2_of_several_largest_cancellings_the_strongest_symbols_go_first(
    attack: tuple[int, int, int], defence: tuple[int, int, int], expected: tuple[int, int, int]
) -> None:
    assert uncancelled(Symbols(*attack), Symbols(*defence)) == expected


def test_10_7_2_cancelling_in_two_steps_gives_the_same() -> None:
    for attack, first, second in product(product(range(3), repeat=3), repeat=3):
        together = Symbols(*first).plus(Symbols(*second))
        in_two = uncancelled(uncancelled(Symbols(*attack), Symbols(*first)), Symbols(*second))
        assert in_two == uncancelled(Symbols(*attack), together)


@pytest.mark.parametrize(
    ("count", "weights"),
    [(1, {"C": 6, "D": 12, "X": 3, "": 15}), (2, {"C": 396, "D": 480, "X": 117, "": 303})],
)
def test_the_strongest_symbol_of_a_critical_roll(count: int, weights: dict[str, int]) -> None:
    odds = StrongestLeft(dice("G" * count), dice("B" * count)).odds(fractions=True)
    assert dict(zip(odds.values, odds.weights, strict=True)) == weights


def test_more_dice_than_64_bits_can_count_stay_exact() -> None:
    odds = SymbolRoll(dice("R" * 25)).odds(fractions=True)
    assert odds.total == 6**25
    assert sum(odds.weights) == 6**25
    assert odds.probabilities[odds.values.index(RolledSymbols((), Symbols()))] == Fraction(1, 6**25)
    assert odds.probabilities[odds.values.index(RolledSymbols((), Symbols(0, 50, 0)))] == Fraction(3**25, 6**25)


def test_every_die_has_a_fate() -> None:
    assert SymbolRoll(dice("RB")).fates((("DX",), ("",))) == ((Fate.WINS,), (Fate.UNUSED,))
    defence = DefenceRoll(Symbols(0, 1, 1), dice("GB"))
    assert defence.fates((("D",), ("X",))) == ((Fate.WINS,), (Fate.WINS,))
    assert defence.fates((("CD",), ("X",))) == ((Fate.WINS,), (Fate.UNUSED,))
    critical = StrongestLeft(dice("GG"), dice("BB"))
    assert critical.fates((("CD", "X"), ("D", ""))) == ((Fate.WINS, Fate.WINS), (Fate.WINS, Fate.UNUSED))
    assert critical.fates((("D", "X"), ("D", ""))) == ((Fate.LOSES, Fate.WINS), (Fate.WINS, Fate.UNUSED))


@pytest.mark.parametrize("reading", DEFENCES[:40], ids=range(40))
def test_a_defence_die_wins_exactly_if_it_cancels_something(reading: DefenceRoll) -> None:
    plain = DefenceRoll(reading.attack, reading.pools)
    for faces in product(*(product(pool.die.faces, repeat=pool.count) for pool in reading.dice)):
        cancelled = sum(plain.attack) - sum(plain.read(faces).symbols)
        winners = [fate for pool in plain.fates(faces) for fate in pool].count(Fate.WINS)
        assert winners <= cancelled <= 2 * winners


def test_dice_that_may_be_rolled_again_are_distinguished_by_pool_and_face() -> None:
    reading = SymbolRoll(dice("GB"), ("", "X"))
    assert reading.read((("CD",), ("X",))) == RolledSymbols((Kept(1, "X", 1),), Symbols(1, 1, 0))
    assert SymbolRoll(dice("YY"), ("D",)).read((("XD", "DD"),)) == RolledSymbols(
        (Kept(0, "DD", 1), Kept(0, "DX", 1)), Symbols()
    )


def test_a_limit_reduces_what_is_left_to_what_matters() -> None:
    assert Limit(2, suppression=True).of(Symbols(1, 1, 3)) == Symbols(0, 2, 0)
    assert Limit(3, suppression=True).of(Symbols(1, 1, 3)) == Symbols(1, 1, 1)
    assert Limit(3, suppression=False).of(Symbols(1, 1, 3)) == Symbols(1, 1, 0)


def test_dice_that_cannot_show_a_face_are_refused() -> None:
    reading = SymbolRoll(dice("RB"))
    assert reading.split(["DD", ""]) == (("DD",), ("",))
    with pytest.raises(WrongAnswer, match="die 2 shows 'DD', but a blue has the faces X, D, blank"):
        reading.split(["", "DD"])
