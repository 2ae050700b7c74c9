"""Odds over toy battles whose answers are known by hand."""

from collections.abc import Hashable
from fractions import Fraction
from typing import Any

import pytest
from tests import toys

from grognard.api import battle, odds
from grognard.core.errors import BattleError, Endless, TooLarge
from grognard.core.readings import Reading
from grognard.core.rules import Rule
from grognard.core.systems import Battle, Role
from grognard.readings.ranked_pairs import RankedPairs
from grognard.solver import graph
from grognard.solver.graph import explore
from grognard.solver.induction import best_option
from grognard.solver.odds import Odds, Outcome, likeliest_first
from grognard.solver.solution import solve


def by_points(actual: Odds) -> dict[int, Any]:
    return {result.to_dict()["points"]: p for p, result in actual.outcomes}


def test_cycles_of_several_rolls_are_solved_exactly() -> None:
    assert {1: Fraction(6, 11), 0: Fraction(5, 11)} == by_points(odds(toys.toy(toys.first_shoots), fractions=True))
    assert pytest.approx(odds(toys.toy(toys.first_shoots)).value, abs=1e-15) == 6 / 11


def test_a_roll_that_leads_back_to_itself_is_solved_exactly() -> None:
    assert {0: Fraction(4, 5), 1: Fraction(1, 5)} == by_points(odds(toys.toy(toys.until_six), fractions=True))
    assert pytest.approx(by_points(odds(toys.toy(toys.until_six)))) == {0: 0.8, 1: 0.2}


@pytest.mark.parametrize("endless", [toys.for_ever, toys.round_and_round, toys.dither])
def test_a_battle_without_an_end_is_refused(endless: Rule[Any, ...]) -> None:
    with pytest.raises(Endless):
        odds(toys.toy(endless))


@pytest.fixture
def gamble() -> Battle:
    return toys.toy(toys.gamble)


@pytest.mark.parametrize(
    ("attacker", "defender", "expected"),
    [
        ("eager", "eager", {3: Fraction(1, 6), 0: Fraction(5, 6)}),
        ("cautious", "cautious", {1: Fraction(1)}),
        ("cautious", "random", {1: Fraction(1, 4), 2: Fraction(1, 4), 0: Fraction(1, 2)}),
        ("random", "eager", {1: Fraction(1, 2), 3: Fraction(1, 12), 0: Fraction(5, 12)}),
        # With "take" and "rob" equal the defender takes one; without it rolling would be worth -1/2.
        ("best", "best", {0: Fraction(1)}),
    ],
)
def test_policies(gamble: Battle, attacker: str, defender: str, expected: dict[int, Fraction]) -> None:
    assert expected == by_points(odds(gamble, attacker, defender, fractions=True))


def test_odds_given_that_a_condition_holds_are_odds_again(gamble: Battle) -> None:
    given = odds(gamble, "cautious", "random", fractions=True).given(lambda result: result.to_dict()["points"] > 0)
    assert {1: Fraction(1, 2), 2: Fraction(1, 2)} == by_points(given)
    assert Fraction(3, 2) == given.value
    with pytest.raises(ValueError, match="no result meets the condition"):
        given.given(lambda result: result.to_dict()["points"] == 0)


def test_best_replies_to_the_policy_of_the_other_side(gamble: Battle) -> None:
    assert odds(gamble, "best", "eager").value == 1  # one for sure against a half of three
    assert odds(gamble, "cautious", "best").value == 0
    assert Fraction(1, 6) == odds(gamble, "eager", "eager", "kill", fractions=True).value


def test_likeliest_first_and_equally_likely_ones_by_their_json() -> None:
    actual = odds(toys.toy(toys.divide, 5), "best", "random", fractions=True)
    assert [result.to_dict()["points"] for _, result in actual.outcomes] == [4, 10, 5]
    assert actual.to_dict()["outcomes"][0] == {"p": "1/2", "result": {"points": 4}}
    as_floats = odds(toys.toy(toys.divide, 5), "best", "random")
    assert [r for _, r in actual.outcomes] == [r for _, r in as_floats.outcomes]


def test_unknown_policies_and_objectives_are_listed_together(gamble: Battle) -> None:
    with pytest.raises(BattleError) as error:
        odds(gamble, "bold", "timid", "glory")
    assert [fault.place for fault in error.value.faults] == ["attacker", "defender", "objective"]
    assert "swing, kill" in error.value.faults[2].message


def test_a_battle_too_large_says_how_large() -> None:
    with pytest.raises(TooLarge, match=r"101.*simulate") as error:
        explore(toys.toy(toys.count_down, 200), bound=101)
    assert (error.value.size, error.value.bound) == (101, 101)
    assert len(explore(toys.toy(toys.count_down, 200)).nodes) == 201


def test_many_units_make_each_position_large_so_that_fewer_are_visited() -> None:
    arrivals = [{"player": f"ally {number}", "side": "attack", "units": 1} for number in range(10_000)]
    crowd = battle({"system": "ranks", "defender": {"player": "Blue", "units": 2}, "arrivals": arrivals})
    with pytest.raises(TooLarge) as error:
        odds(crowd)
    assert graph.MOST_ENTRIES // 10_000 == error.value.bound


def test_progress_is_reported_and_may_cancel() -> None:
    class Enough(Exception):
        pass

    seen: list[int] = []

    def watch(done: int) -> None:
        seen.append(done)
        if len(seen) == 2:
            raise Enough

    with pytest.raises(Enough):
        solve(toys.toy(toys.count_down, 10_000), progress=watch)
    assert seen == sorted(seen)


def test_probability_and_mean_read_the_result(gamble: Battle) -> None:
    actual = odds(gamble, "eager", "eager", fractions=True)
    assert Fraction(1, 6) == actual.probability(lambda result: result.to_dict()["points"] == 3)
    assert Fraction(1, 2) == actual.mean(lambda result: result.to_dict()["points"]) == actual.value
    assert {0: Fraction(5, 6), 3: Fraction(1, 6)} == dict(actual["points"])
    assert ("points",) == actual.measures


def test_a_notebook_shows_a_table(gamble: Battle) -> None:
    assert "16.67" in odds(gamble, "eager", "eager")._repr_html_()


def test_probabilities_that_differ_by_rounding_are_listed_by_their_json() -> None:
    apart = [Outcome(0.051306399310950004, toys.Points(5)), Outcome(0.05130639931095, toys.Points(2))]
    assert [2, 5] == [result.to_dict()["points"] for _, result in likeliest_first(apart)]


def test_a_small_probability_is_better_than_a_smaller_one() -> None:
    assert 1 == best_option([2.2e-12, 1.2e-10], Role.ATTACKER)
    assert 0 == best_option([0.3, 0.1 + 0.2], Role.ATTACKER)
    assert 0 == best_option([1e-17, 0.0], Role.DEFENDER)


def test_a_roll_that_is_too_large_in_integers_is_refused_only_in_fractions() -> None:
    reading: Reading[Hashable] = RankedPairs(200, 200)
    assert (
        graph.reading_cost(reading, fractions=False) < graph.READING_SIZE < graph.reading_cost(reading, fractions=True)
    )
