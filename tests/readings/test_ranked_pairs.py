"""Ranked pairs and ranked losses: known numbers, ties, fates."""

from fractions import Fraction
from functools import cache
from itertools import product
from typing import get_args

import pytest

from grognard.core.distributions import Distribution
from grognard.core.readings import Fate
from grognard.readings.ranked_pairs import Losses, RankedLosses, RankedPairs, Ties

WINS, LOSES, TIES, UNUSED = Fate.WINS, Fate.LOSES, Fate.TIES, Fate.UNUSED


def weights(odds: Distribution[int]) -> list[float]:
    return [weight for _, weight in sorted(zip(odds.values, odds.weights, strict=True))]


@pytest.mark.parametrize(
    ("attack", "defence", "expected"),
    [
        (1, 1, [55, 45]),
        (1, 2, [715, 285]),
        (2, 1, [385, 615]),
        (2, 2, [4015, 3300, 2685]),
        (3, 2, [25333, 32307, 42360]),
        (2, 3, [57310, 27357, 15333]),
    ],
)
def test_defending_losses_on_d10_with_ties_to_the_defender(attack: int, defence: int, expected: list[int]) -> None:
    assert weights(RankedPairs(attack, defence).odds(fractions=True).map(lambda losses: losses.defence)) == expected


@pytest.mark.parametrize(("units", "expected"), [(10, 0.310967417933), (30, 0.212197701031)])
def test_exchanges_to_the_death(units: int, expected: float) -> None:
    @cache
    def attack_wins(attack: int, defence: int) -> float:
        if not attack or not defence:
            return float(not defence)
        odds = RankedPairs(attack, defence).odds()
        return sum(
            weight * attack_wins(attack - lost.attack, defence - lost.defence)
            for lost, weight in zip(odds.values, odds.weights, strict=True)
        )

    assert round(attack_wins(units, units), 12) == expected


def test_ranked_losses_on_d6() -> None:
    assert weights(RankedLosses(2, 6, 2, 6).odds(fractions=True)) == [581, 420, 295]
    three_two = RankedLosses(3, 6, 2, 6).odds(fractions=True)
    mean = sum(Fraction(p) * losses for losses, p in zip(three_two.values, three_two.probabilities, strict=True))
    assert mean == Fraction(5389, 2592)


@pytest.mark.parametrize(
    ("ties", "losses", "fates"),
    [
        ("defender", Losses(2, 1), ((LOSES, WINS, LOSES), (WINS, LOSES, WINS, UNUSED))),
        ("attacker", Losses(1, 2), ((WINS, WINS, LOSES), (LOSES, LOSES, WINS, UNUSED))),
        ("both", Losses(2, 2), ((LOSES, WINS, LOSES), (LOSES, LOSES, WINS, UNUSED))),
        ("neither", Losses(1, 1), ((TIES, WINS, LOSES), (TIES, LOSES, WINS, UNUSED))),
    ],
)
def test_a_tie_goes_as_the_rule_says(ties: Ties, losses: Losses, fates: tuple[tuple[Fate, ...], ...]) -> None:
    # 10 beats 9, 7 ties with 7, 2 loses to 5; the 1 has no partner.
    faces = ((7, 10, 2), (7, 9, 5, 1))
    assert RankedPairs(3, 4, ties=ties).read(faces) == losses
    assert RankedPairs(3, 4, ties=ties).fates(faces) == fates


def test_equal_ranks_are_paired_high_to_low_and_the_surplus_is_discarded() -> None:
    for attack, defence in product(product(range(1, 4), repeat=3), product(range(1, 4), repeat=2)):
        pairs = list(zip(sorted(attack, reverse=True), sorted(defence, reverse=True), strict=False))
        lower, higher = sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)
        level = len(pairs) - lower - higher
        expected = {
            "defender": Losses(lower + level, higher),
            "attacker": Losses(lower, higher + level),
            "both": Losses(lower + level, higher + level),
            "neither": Losses(lower, higher),
        }
        for ties in get_args(Ties):
            assert RankedPairs(3, 2, 3, 3, ties).read((attack, defence)) == expected[ties]
        assert RankedLosses(3, 3, 2, 3).read((attack, defence)) == 3 - lower - level


def test_an_attack_die_without_a_partner_hits() -> None:
    reading = RankedLosses(3, 6, 1, 6)
    assert reading.read(((2, 6, 1), (6,))) == 2
    assert reading.fates(((2, 6, 1), (6,))) == ((WINS, LOSES, WINS), (WINS,))


def test_a_side_without_dice_loses_nothing() -> None:
    assert RankedPairs(0, 4).odds(fractions=True).values == (Losses(0, 0),)
    assert RankedPairs(4, 0, ties="both").odds().weights == (1.0,)
    assert RankedLosses(4, 6, 0, 6).odds().values == (4,)
    assert RankedLosses(0, 6, 4, 6).odds().values == (0,)


def test_ties_that_count_apart_need_a_larger_table() -> None:
    ranked, swapped, both, neither = (RankedPairs(3, 2, ties=ties).size for ties in get_args(Ties))
    assert ranked == swapped < both == neither
