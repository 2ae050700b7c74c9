"""The same dice in icepool and dyce, as far as they can express them."""

from collections import Counter

import icepool
import pytest
from dyce import P

from grognard.core.distributions import Distribution
from grognard.readings.matching import Matching
from grognard.readings.ranked_pairs import Losses, RankedLosses, RankedPairs, Ties
from grognard.readings.tally import Tally

pytestmark = pytest.mark.soak("dice against icepool and dyce")
POOLS = [
    (1, 1, 10, 10),
    (3, 2, 10, 10),
    (2, 5, 10, 10),
    (5, 3, 6, 8),
    (4, 6, 12, 4),
    (6, 6, 6, 6),
]


def in_fractions(odds: Distribution[int]) -> dict[int, object]:
    return dict(zip(odds.values, odds.probabilities, strict=True))


def of_icepool(die: "icepool.Die[int]") -> dict[int, object]:
    return {outcome: die.probability(outcome) for outcome in die.outcomes()}


@pytest.mark.parametrize(("attack", "defence", "attack_die", "defence_die"), POOLS)
def test_icepool_ranks_the_same_pairs(attack: int, defence: int, attack_die: int, defence_die: int) -> None:
    pairs = min(attack, defence)  # icepool pairs pools of one size rightly
    attacking = icepool.d(attack_die).pool(attack).highest(pairs)
    defending = icepool.d(defence_die).pool(defence).highest(pairs)

    def lost(ties: Ties) -> Distribution[Losses]:
        return RankedPairs(attack, defence, attack_die, defence_die, ties).odds(fractions=True)

    beaten = of_icepool(attacking.sort_pair(">", defending).size())
    assert in_fractions(lost("defender").map(lambda losses: losses.defence)) == beaten
    assert in_fractions(lost("neither").map(lambda losses: losses.defence)) == beaten
    met = of_icepool(attacking.sort_pair(">=", defending).size())
    assert in_fractions(lost("attacker").map(lambda losses: losses.defence)) == met
    assert in_fractions(lost("both").map(lambda losses: losses.defence)) == met
    ranked = RankedLosses(attack, attack_die, defence, defence_die).odds(fractions=True)
    assert in_fractions(ranked.map(lambda losses: losses - attack + pairs)) == beaten


@pytest.mark.parametrize(("attack", "defence", "attack_die", "defence_die"), POOLS)
def test_icepool_matches_the_same_number(attack: int, defence: int, attack_die: int, defence_die: int) -> None:
    defending = icepool.d(defence_die).pool(defence)
    left = icepool.d(attack_die).pool(attack).max_pair_drop("<=", defending).size()
    assert in_fractions(Matching(attack, attack_die, defence, defence_die).odds(fractions=True)) == of_icepool(left)


@pytest.mark.parametrize(
    ("attack", "defence", "attack_die", "defence_die"), [(3, 2, 10, 10), (2, 4, 6, 8), (4, 4, 6, 4)]
)
def test_dyce_has_the_same_losses_of_both_sides(attack: int, defence: int, attack_die: int, defence_die: int) -> None:
    rolled: dict[Ties, Counter[Losses]] = {"both": Counter(), "neither": Counter()}
    for attacking, attack_ways in (attack @ P(attack_die)).rolls_with_counts():
        for defending, defence_ways in (defence @ P(defence_die)).rolls_with_counts():
            pairs = list(zip(reversed(attacking), reversed(defending), strict=False))
            lower, higher = sum(a < d for a, d in pairs), sum(a > d for a, d in pairs)
            rolled["neither"][Losses(lower, higher)] += attack_ways * defence_ways
            rolled["both"][Losses(len(pairs) - higher, len(pairs) - lower)] += attack_ways * defence_ways
    for ties, expected in rolled.items():
        odds = RankedPairs(attack, defence, attack_die, defence_die, ties).odds(fractions=True)
        assert dict(zip(odds.values, odds.weights, strict=True)) == expected


def test_dyce_tallies_the_same() -> None:
    rolled: Counter[tuple[int, ...]] = Counter()
    for roll, ways in (7 @ P(6)).rolls_with_counts():
        rolled[roll.count(4), roll.count(5), roll.count(6)] += ways
    odds = Tally(7, 6, ((4, 4), (5, 5), (6, 6))).odds(fractions=True)
    assert dict(zip(odds.values, odds.weights, strict=True)) == rolled
