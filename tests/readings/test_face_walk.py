"""One face walk serves all smaller pools, and its odds obey the laws of dice."""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.soak import cases

from grognard.core.distributions import Distribution
from grognard.readings import face_walk
from grognard.readings.face_walk import Arithmetic, FaceWalk, Pools, Table, Walk
from grognard.readings.matching import Matching, attack_dice_left
from grognard.readings.ranked_pairs import Losses, RankedLosses, RankedPairs, Ties, ties_separate, ties_to_defence

counts = st.integers(0, 7)
dice = st.sampled_from([1, 2, 4, 6, 10, 20])
few = settings(max_examples=cases(60), deadline=None)


def at_least(odds: Distribution[int], number: int) -> Fraction:
    pairs = zip(odds.values, odds.probabilities, strict=True)
    return sum((Fraction(p) for value, p in pairs if value >= number), Fraction(0))


def is_never_more(lower: Distribution[int], higher: Distribution[int]) -> bool:
    """Stochastic order: no number is reached more often in the first than in the second."""
    return all(at_least(lower, number) <= at_least(higher, number) for number in lower.values)


def attack_losses(losses: Losses) -> int:
    return losses.attack


def defence_losses(losses: Losses) -> int:
    return losses.defence


def one_axis(pools: Pools) -> tuple[int, ...]:
    return (pools.attack + pools.defence + 1,)


def two_axes(pools: Pools) -> tuple[int, ...]:
    return one_axis(pools) * 2


@pytest.mark.parametrize("fractions", [True, False])
@pytest.mark.parametrize(
    ("walk", "bounds"), [(ties_to_defence, one_axis), (ties_separate, two_axes), (attack_dice_left, one_axis)]
)
def test_pools_have_the_same_odds_in_any_order_of_requests(
    walk: Walk, bounds: Callable[[Pools], tuple[int, ...]], fractions: bool
) -> None:
    def asked(kind: FaceWalk, pools: Pools) -> dict[tuple[int, ...], float]:
        return {losses: weight for losses, weight in kind.weights(pools, fractions) if weight}

    asked_for = [Pools(attack, 6, defence, 4) for attack, defence in ((1, 1), (4, 1), (2, 5), (0, 3))]
    alone = {pools: asked(FaceWalk(walk, bounds), pools) for pools in asked_for}
    for order in permutations(asked_for):
        kind = FaceWalk(walk, bounds)
        for pools in order:
            assert asked(kind, pools) == (alone[pools] if fractions else pytest.approx(alone[pools], rel=1e-12, abs=0))


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """The pools that `asked_in_turn` had to walk."""
    monkeypatch.setattr(face_walk, "MOST_KEPT", 3000)
    monkeypatch.setattr(face_walk, "ALWAYS_SHARED", 3000)
    return []


def asked_in_turn(walked: list[tuple[int, int]], asked_for: list[Pools]) -> None:
    def walk(arithmetic: Arithmetic[Table]) -> Table:
        walked.append((arithmetic.pools.attack, arithmetic.pools.defence))
        return attack_dice_left(arithmetic)

    kind = FaceWalk(walk, lambda pools: (pools.attack + 1,))
    for pools in asked_for:
        kind.weights(pools, fractions=False)


def test_pools_too_large_to_share_a_table_have_tables_of_their_own(walked: list[tuple[int, int]]) -> None:
    asked_for = [(4, 4), (3, 4), (4, 6), (15, 1), (1, 15), (2, 15)]
    asked_in_turn(walked, [Pools(attack, 6, defence, 6) for attack, defence in asked_for])
    assert walked == [(4, 4), (4, 6), (15, 6), (1, 15), (2, 15)]


def test_tables_of_other_dice_are_kept_while_there_is_room(walked: list[tuple[int, int]]) -> None:
    d4s, d6s, d8s = Pools(4, 4, 4, 4), Pools(5, 6, 5, 6), Pools(11, 8, 11, 8)
    asked_in_turn(walked, [d4s, d6s, d4s, d8s, d8s, d4s])
    assert walked == [(4, 4), (5, 5), (11, 11), (4, 4)]


@few
@given(counts, counts, dice, dice, st.sampled_from(get_args(Ties)))
def test_each_pair_costs_one_side_one_unless_it_ties(
    attack: int, defence: int, attack_die: int, defence_die: int, ties: Ties
) -> None:
    odds = RankedPairs(attack, defence, attack_die, defence_die, ties).odds(fractions=True)
    pairs = min(attack, defence)
    assert sum(odds.weights) == odds.total == attack_die**attack * defence_die**defence
    assert all(0 <= lost <= pairs for losses in odds.values for lost in losses)
    lost = {sum(losses) for losses in odds.values}
    assert {"both": min(lost) >= pairs, "neither": max(lost) <= pairs}.get(ties, lost == {pairs})


@few
@given(counts, counts, dice, dice)
def test_the_losses_of_a_side_depend_only_on_whether_it_loses_ties(
    attack: int, defence: int, attack_die: int, defence_die: int
) -> None:
    def odds(ties: Ties) -> Distribution[Losses]:
        return RankedPairs(attack, defence, attack_die, defence_die, ties).odds(fractions=True)

    assert_same(odds("both").map(attack_losses), odds("defender").map(attack_losses))
    assert_same(odds("both").map(defence_losses), odds("attacker").map(defence_losses))
    assert_same(odds("neither").map(attack_losses), odds("attacker").map(attack_losses))
    assert_same(odds("neither").map(defence_losses), odds("defender").map(defence_losses))


def assert_same(one: Distribution[int], other: Distribution[int]) -> None:
    assert dict(zip(one.values, one.weights, strict=True)) == dict(zip(other.values, other.weights, strict=True))


@few
@given(counts, counts, dice, dice, st.sampled_from(get_args(Ties)))
def test_one_more_die_never_reduces_the_losses_of_the_other_side(
    attack: int, defence: int, attack_die: int, defence_die: int, ties: Ties
) -> None:
    def odds(more_attack: int, more_defence: int) -> Distribution[Losses]:
        return RankedPairs(attack + more_attack, defence + more_defence, attack_die, defence_die, ties).odds(
            fractions=True
        )

    assert is_never_more(odds(0, 0).map(defence_losses), odds(1, 0).map(defence_losses))
    assert is_never_more(odds(0, 0).map(attack_losses), odds(0, 1).map(attack_losses))


@few
@given(counts, counts, dice, dice)
def test_matching_obeys_order(attack: int, defence: int, attack_die: int, defence_die: int) -> None:
    def odds(more_attack: int, more_defence: int) -> Distribution[int]:
        return Matching(attack + more_attack, attack_die, defence + more_defence, defence_die).odds(fractions=True)

    left = odds(0, 0)
    assert sum(left.weights) == left.total == attack_die**attack * defence_die**defence
    assert all(max(0, attack - defence) <= number <= attack for number in left.values)
    assert is_never_more(left, odds(1, 0))
    assert is_never_more(odds(0, 1), left)
    # Ranks are one way to assign defence dice: the best way leaves no more.
    assert is_never_more(left, RankedLosses(attack, attack_die, defence, defence_die).odds(fractions=True))
