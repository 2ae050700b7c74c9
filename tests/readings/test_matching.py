"""Matching: known numbers, and that the defence always removes as many as it can."""

from fractions import Fraction
from itertools import permutations, product

import pytest

from grognard.core.readings import Fate
from grognard.readings.matching import Matching

WINS, LOSES, UNUSED = Fate.WINS, Fate.LOSES, Fate.UNUSED


@pytest.mark.parametrize(("dice", "expected"), [(2, (581, 560, 155)), (3, (17871, 18711, 8631, 1443))])
def test_losses_of_equal_pools_of_d6(dice: int, expected: tuple[int, ...]) -> None:
    odds = Matching(dice, 6, dice, 6).odds(fractions=True)
    assert odds.values == tuple(range(dice + 1))
    assert odds.weights == expected


def test_mean_losses_of_three_d6_against_two() -> None:
    odds = Matching(3, 6, 2, 6).odds(fractions=True)
    mean = sum(Fraction(p) * losses for losses, p in zip(odds.values, odds.probabilities, strict=True))
    assert mean == Fraction(3751, 2592)


def test_six_and_four_against_five_and_one_leave_one() -> None:
    reading = Matching(2, 6, 2, 6)
    assert reading.read(((4, 6), (1, 5))) == 1
    assert reading.fates(((4, 6), (1, 5))) == ((LOSES, WINS), (UNUSED, WINS))


@pytest.mark.parametrize(("attack", "defence"), [(3, 3), (4, 2), (2, 4), (3, 0), (0, 3)])
def test_no_assignment_of_defence_dice_removes_more(attack: int, defence: int) -> None:
    reading = Matching(attack, 4, defence, 4)
    for attacking, defending in product(product(range(1, 5), repeat=attack), product(range(1, 5), repeat=defence)):
        # Defence dice beyond the attack, or none, are made up by dice that remove nothing.
        assignments = permutations((*defending, *(0 for _ in range(attack))), attack)
        most = max(sum(d >= a for a, d in zip(attacking, order, strict=True)) for order in set(assignments))
        assert reading.read((attacking, defending)) == attack - most


def test_each_removed_die_is_at_most_the_die_that_removes_it() -> None:
    reading = Matching(3, 4, 3, 4)
    for attacking, defending in product(product(range(1, 5), repeat=3), repeat=2):
        attack, defence = reading.fates((attacking, defending))
        removed = sorted(face for face, fate in zip(attacking, attack, strict=True) if fate is LOSES)
        removers = sorted(face for face, fate in zip(defending, defence, strict=True) if fate is WINS)
        assert len(removed) == len(removers)
        assert all(d >= a for a, d in zip(removed, removers, strict=True))
        assert set(attack) <= {WINS, LOSES}
        assert set(defence) <= {WINS, UNUSED}
