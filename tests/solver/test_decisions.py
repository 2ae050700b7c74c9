"""Summaries of decisions: how often each is asked, the best options, and the regret of others."""

from fractions import Fraction
from pathlib import Path

import pytest
from tests import toys
from tests.cli.conftest import invitation

import grognard
from grognard.core.rules import End, Option, Steps, choose, roll, rule
from grognard.core.systems import Result, Role
from grognard.readings.tally import Tally
from grognard.solver.solution import solve

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_a_gamble_is_asked_once_and_what_follows_only_if_it_is_reached() -> None:
    solution = solve(toys.toy(toys.gamble), fractions=True)
    gamble, divide = sorted(solution.decisions, key=lambda one: one.role)
    assert ("Roll for three?", Role.ATTACKER, 1) == (gamble.prompt, gamble.role, gamble.times)
    assert [("no", 1, 0), ("yes", 0, Fraction(1, 2))] == [(o.label, o.best, o.regret) for o in gamble.options]
    # The best attacker takes one point for sure: kept it is worth 1 to the attacker, doubled 2, taken away 0.
    assert {"take one": 0, "take one, differently": 0, "keep them": 1, "double them": 2} == {
        option.label: option.regret for option in divide.options
    }
    assert 2 == divide.stake


def test_an_option_is_worth_the_mean_of_its_outcomes_where_the_other_side_decides_at_random() -> None:
    battle = grognard.load(EXAMPLES / "supply" / "03-call-in.toml")
    solution = solve(battle, defender="random", fractions=True)
    play = grognard.start(battle)
    for option in solution.advice(play).options:
        odds = solution.odds_at(play.choose(option.id))
        assert option.value == odds["defending side loses"].mean - odds["attacking side loses"].mean


def test_questions_in_the_same_words_are_one_and_their_times_add_up() -> None:
    solution = solve(toys.toy(toys.gamble), attacker="eager", fractions=True)
    divide = next(one for one in solution.decisions if one.role is Role.DEFENDER)
    # After a six 2 is best of 2, 3, 6; after anything else -1 of -1, 0, 0.
    assert 1 == divide.times
    costs = {option.label: option.regret for option in divide.options}
    assert (Fraction(1), Fraction(1, 6) * 4 + Fraction(5, 6)) == (costs["keep them"], costs["double them"])


def test_the_question_asked_most_often_comes_first() -> None:
    solution = solve(grognard.load(EXAMPLES / "supply" / "02-guns-on-rifles.toml"))
    times = [one.times for one in solution.decisions]
    assert sorted(times, reverse=True) == times
    assert 5 == len(times)


def test_the_odds_are_those_of_the_battle() -> None:
    battle = grognard.battle(invitation())
    assert grognard.odds(battle, objective="ground").to_dict() == solve(battle, objective="ground").odds.to_dict()


def test_an_option_has_the_share_of_times_that_it_is_offered() -> None:
    solution = solve(grognard.load(EXAMPLES / "frames" / "08-the-tanks-turn.toml"))
    attack = next(one for one in solution.decisions if "attack" in one.prompt)
    assert all(0 < option.offered <= 1 for option in attack.options)
    assert any(option.offered < 1 for option in attack.options)


@rule("tribute")
def tribute(setup: toys.Toy, points: int) -> Steps:
    """With a six the attacker may take three points as well as one or none."""
    (six,) = yield from roll(Tally(1, 6, toys.SIXES), "attacker")
    names = ["none", "one", "three"] if six else ["none", "one"]
    options = [Option(name, name, worth) for name, worth in zip(names, (0, 1, 3), strict=False)]
    return End((yield from choose("attacker", "How many?", options)))


def test_the_regret_of_an_option_is_its_mean_where_it_is_offered() -> None:
    (summary,) = solve(toys.toy(tribute), attacker="random", fractions=True).decisions
    actual = {option.label: (option.offered, option.best, option.regret) for option in summary.options}
    sixth = Fraction(1, 6)
    assert actual == {"three": (sixth, sixth, 0), "one": (1, 5 * sixth, 2 * sixth), "none": (1, 0, 8 * sixth)}


def fewest_points(setup: object, result: Result) -> int:
    return -int(result.to_dict()["points"])


def test_the_regret_of_a_worse_option_that_is_rarely_offered_is_not_diluted() -> None:
    (summary,) = solve(toys.toy(tribute), objective=fewest_points, fractions=True).decisions
    assert Fraction(3) == next(option.regret for option in summary.options if option.label == "three")


@pytest.mark.parametrize("name", ["ranks/06-whose-ships-burn", "tower/02-who-stands-by-whom"])
def test_the_shares_of_best_options_add_up_to_at_least_one(name: str) -> None:
    for one in solve(grognard.load(EXAMPLES / f"{name}.toml"), fractions=True).decisions:
        assert 1 <= sum(option.best for option in one.options)
