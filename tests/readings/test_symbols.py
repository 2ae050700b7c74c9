"""Symbol dice: totals, comparison, throws; against enumeration of all rolls and against counting by hand."""

from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from grognard.core.errors import WrongAnswer
from grognard.core.readings import Die, Fate, Pool, Reading
from grognard.readings.pool_rolls import Parry, Throw, Thrown
from grognard.readings.symbols import Comparison, Strongest, SymbolPool, Symbols, left

DICE = {
    "R": Die("red", ("DD", "DX", "DD", "DD", "CD", "")),
    "Y": Die("yellow", ("X", "D", "D", "DD", "CD", "XD")),
    "G": Die("green", ("X", "D", "D", "CD", "D", "")),
    "B": Die("blue", ("X", "D", "D", "", "", "")),
    "c": Die("three-sided", ("CX", "C", "")),
}


def dice(letters: str) -> tuple[Pool, ...]:
    return tuple(Pool(letters.count(letter), DICE[letter]) for letter in dict.fromkeys(letters))


def pool(letters: str, **options: object) -> SymbolPool:
    return SymbolPool(dice(letters), **options)  # type: ignore[arg-type]


COMPARISONS = [
    Comparison(pool(""), pool("")),
    Comparison(pool("R"), pool("")),
    Comparison(pool(""), pool("Y")),
    Comparison(pool("RY"), pool("GB")),
    Comparison(pool("RRY"), pool("YG")),
    Comparison(pool("YY"), pool("YYB")),
    Comparison(pool("RYc"), pool("cc")),
    Comparison(pool("RY", stronger_only=True), pool("G")),
    Comparison(pool("YG", added=Symbols(suppression=1)), pool("B")),
    Comparison(pool("", added=Symbols(1, 1, 1)), pool("cB")),
    Comparison(pool("YY", added=Symbols(suppression=1), x_lost=2), pool("R")),
    Comparison(pool("Yc", x_lost=1, cancelled=1), pool("B", cancelled=1)),
    Comparison(pool("cY", stronger_only=True, cancelled=3), pool("B", x_lost=1, added=Symbols(0, 1, 1))),
]
THROWS = [
    Throw(()),
    Throw(dice("RY")),
    Throw(dice("RRB"), ("",)),
    Throw(dice("GGG"), ("C", "D")),
    Throw(dice("YcB"), ("", "X"), stronger_only=True),
]
PARRIES = [Parry(Symbols(*attack), throw) for throw in THROWS for attack in ((0, 0, 0), (0, 2, 1), (1, 1, 3))]


@pytest.mark.parametrize(
    "reading",
    [*COMPARISONS, *map(Strongest, COMPARISONS), *THROWS, *PARRIES],
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


@cache
def most_cancelled(attack: tuple[int, int, int], defence: tuple[int, int, int]) -> int:
    """The most symbols that can be cancelled, trying every way."""
    found = 0
    for mine, yours in product(range(3), range(3)):
        if defence[mine] and attack[yours] and yours >= mine:
            fewer = [list(attack), list(defence)]
            fewer[0][yours] -= 1
            fewer[1][mine] -= 1
            found = max(found, 1 + most_cancelled(*(tuple(side) for side in fewer)))
    return found


def test_10_7_2_the_defender_cancels_as_many_symbols_as_the_dice_allow() -> None:
    for attack, defence in product(product(range(4), repeat=3), repeat=2):
        assert sum(left(Symbols(*attack), Symbols(*defence))) == sum(attack) - most_cancelled(attack, defence)


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
    assert left(Symbols(*attack), Symbols(*defence)) == expected


def test_10_7_2_cancelling_in_two_goes_comes_to_the_same() -> None:
    for attack, first, second in product(product(range(3), repeat=3), repeat=3):
        together = Symbols(*first).plus(Symbols(*second))
        in_two = left(left(Symbols(*attack), Symbols(*first)), Symbols(*second))
        assert in_two == left(Symbols(*attack), together)


@pytest.mark.parametrize(
    ("count", "weights"),
    [(1, {"C": 6, "D": 12, "X": 3, "": 15}), (2, {"C": 396, "D": 480, "X": 117, "": 303})],
)
def test_the_strongest_symbol_of_a_critical_roll(count: int, weights: dict[str, int]) -> None:
    odds = Strongest(Comparison(pool("G" * count), pool("B" * count))).odds(fractions=True)
    assert dict(zip(odds.values, odds.weights, strict=True)) == weights


def test_more_dice_than_64_bits_can_count_stay_exact() -> None:
    odds = Comparison(pool("Y" * 14), pool("Y" * 14)).odds(fractions=True)
    assert odds.total == 6**28
    assert sum(odds.weights) == 6**28
    nothing_at_all = Comparison(pool("R" * 25), pool("B")).odds(fractions=True)
    unhurt = nothing_at_all.probabilities[nothing_at_all.values.index(Symbols())]
    # all blank, or the one symbol a lone die shows is cancelled: never, for a red die shows none or two
    assert unhurt == Fraction(1, 6**25)


def test_fates_tell_what_became_of_each_die() -> None:
    reading = Comparison(pool("RRY"), pool("GB"))
    fates = reading.fates((("DD", ""), ("X",), ("D",), ("",)))
    assert fates == ((Fate.WINS, Fate.UNUSED), (Fate.WINS,), (Fate.WINS,), (Fate.UNUSED,))
    fates = reading.fates((("", ""), ("X",), ("CD",), ("D",)))
    assert fates == ((Fate.UNUSED, Fate.UNUSED), (Fate.LOSES,), (Fate.WINS,), (Fate.UNUSED,))


@pytest.mark.parametrize("reading", COMPARISONS, ids=range(len(COMPARISONS)))
def test_a_die_wins_exactly_if_a_symbol_is_left_or_cancels(reading: Comparison) -> None:
    rolls = product(*(product(pool.die.faces, repeat=pool.count) for pool in reading.dice))
    for faces in rolls:
        fates = [fate for pool in reading.fates(faces)[: len(reading.attack.dice)] for fate in pool]
        remaining = sum(reading.read(faces))
        assert len([fate for pool in reading.fates(faces) for fate in pool]) == sum(map(len, faces))
        assert fates.count(Fate.WINS) <= remaining
        assert remaining <= 2 * fates.count(Fate.WINS) + sum(reading.attack.added)


def test_a_throw_tells_which_dice_are_picked() -> None:
    reading = Throw(dice("GB"), ("", "X"))
    assert reading.read((("CD",), ("X",))) == Thrown((0, 1), Symbols(1, 1, 0))
    assert Throw(dice("GB"), ("C", "D")).read((("CD",), ("X",))) == Thrown((1, 0), Symbols(0, 0, 1))


def test_a_parry_picks_no_dice_when_nothing_is_left_to_parry() -> None:
    reading = Parry(Symbols(0, 1, 1), Throw(dice("GB"), ("",)))
    assert reading.read((("CD",), ("",))) == Thrown((0, 0), Symbols())
    assert reading.read((("D",), ("",))) == Thrown((0, 1), Symbols(0, 0, 1))


def test_dice_that_cannot_show_a_face_are_refused() -> None:
    reading = Comparison(pool("R"), pool("B"))
    assert reading.split(["DD", ""]) == (("DD",), ("",))
    with pytest.raises(WrongAnswer, match="die 2 shows 'DD', but a blue has the faces X, D, blank"):
        reading.split(["", "DD"])
