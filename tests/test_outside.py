"""What another program may rely on, over battles of real systems."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import grognard
from grognard import Battle, Choose
from grognard.solver.odds import MOST_RESULTS, Odds

UNITS = [
    {"id": "guns", "side": "red", "die": 8, "strength": 2, "range": 3, "ammo": 1, "supply": 3, "at": [2, 3]},
    {"id": "rifles", "side": "blue", "die": 6, "strength": 2, "range": 3, "ammo": 1, "supply": 1, "at": [4, 3]},
]


def single_attack() -> Battle:
    return grognard.battle({"system": "supply", "units": UNITS, "attack": {"by": "guns", "on": "rifles"}})


def whole_turn() -> Battle:
    return grognard.battle({"system": "supply", "units": UNITS, "turn": {"side": "red"}})


def first_option(question: Choose) -> str:
    return question.options[0].id


def test_the_odds_of_a_turn_carry_the_same_measures_whoever_works_them_out() -> None:
    turn = whole_turn()
    named = grognard.odds(turn, "eager", "eager", fractions=True).to_dict()
    by_function = grognard.odds(turn, first_option, first_option, fractions=True).to_dict()
    for name, pairs in named["measures"].items():
        assert sorted(pairs) == sorted(by_function["measures"][name])
    assert named["results"] == by_function["results"]


def test_the_odds_of_a_turn_that_is_over_carry_measures() -> None:
    over = grognard.play(turn := whole_turn(), seed=1)
    measures = grognard.solve(turn).odds_at(over).to_dict()["measures"]
    assert dict.fromkeys(grognard.odds(turn).measures, 1.0) == {name: p for name, [[_, p]] in measures.items()}


def test_sampled_odds_of_a_turn_carry_measures() -> None:
    sampled = grognard.simulate(whole_turn(), 20, seed=1, attacker="eager", defender="eager").to_dict()
    assert {"guns loses", "enemies destroyed", "swing"} <= sampled["measures"].keys()


def test_too_many_results_of_a_turn_are_counted_instead_of_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    odds = grognard.odds(whole_turn(), first_option, first_option)
    assert type(odds) is Odds
    assert len(odds.outcomes) == len(odds.to_dict()["outcomes"]) <= MOST_RESULTS
    monkeypatch.setattr("grognard.solver.odds.MOST_RESULTS", 1)
    assert (None, len(odds.outcomes)) == (odds.to_dict()["outcomes"], odds.to_dict()["results"])


@pytest.mark.parametrize(
    "odds",
    [grognard.odds(whole_turn()), grognard.simulate(single_attack(), 20, seed=1)],
    ids=["turn", "sampled"],
)
def test_all_odds_have_a_short_repr(odds: Odds) -> None:
    assert len(repr(odds)) < 200


@pytest.mark.parametrize("battle", [single_attack(), whole_turn()], ids=["attack", "turn"])
@pytest.mark.parametrize("ask", ["advice", "odds_at", "luck"])
def test_a_solution_refuses_plays_of_another_battle(battle: Battle, ask: str) -> None:
    other = battle.replace("units[0].strength", 1)
    answer: Callable[[grognard.Play], object] = getattr(grognard.solve(battle), ask)
    with pytest.raises(grognard.WrongAnswer, match="of another battle"):
        answer(grognard.play(other, seed=1))


def test_plays_are_equal_values_that_can_be_keys() -> None:
    battle = single_attack()
    again = grognard.play(battle, seed=1)
    assert 1 == len({again, grognard.play(battle, seed=1)})


def test_an_objective_of_ones_own_is_calculated_in_fractions() -> None:
    value = grognard.odds(single_attack(), objective=lambda setup, result: 0.5, fractions=True).value
    assert (Fraction, Fraction(1, 2)) == (type(value), value)


@pytest.mark.parametrize("fractions", [True, False])
@pytest.mark.parametrize("wrong", [None, "1"])
def test_an_objective_that_gives_no_number_is_a_fault(wrong: object, fractions: bool) -> None:
    def mine(setup: object, result: object) -> object:
        return wrong

    with pytest.raises(grognard.BattleError) as error:
        grognard.odds(single_attack(), objective=mine, fractions=fractions)
    assert [("objective", f"mine returned {wrong!r}, expected a number")] == error.value.faults


@pytest.mark.parametrize("wrong", ["clever", None, []])
def test_an_unknown_policy_is_a_fault(wrong: Any) -> None:
    with pytest.raises(grognard.BattleError) as error:
        grognard.odds(single_attack(), attacker=wrong)
    assert ["attacker"] == [fault.place for fault in error.value.faults]
    assert str is type(error.value.faults[0].place)
