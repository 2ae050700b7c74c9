"""Luck: the gains of the dice and the losses of the decisions add up to the result exactly."""

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests import toys
from tests.cli.conftest import duel, invitation

import grognard
from grognard.api import luck, odds
from grognard.core.errors import TooLarge, WrongAnswer
from grognard.core.positions import Pending
from grognard.core.rules import Rule
from grognard.core.systems import Battle, Role
from grognard.plays.answers import Answer, Chosen, Rolled
from grognard.plays.dice import MachineDice
from grognard.plays.logs import Log
from grognard.plays.play import Play, start
from grognard.solver.assumptions import Policy
from grognard.solver.luck import DecisionLuck, Luck, RollLuck
from grognard.solver.solution import solve
from grognard.testing import random_answer

EXAMPLES = Path(__file__).parents[2] / "examples"
SMALL = [
    "assault/01-rifles-on-a-machine-gun",
    "assault/08-our-own-figures",
    "frames/01-ragged-wall",
    "frames/03-behind-a-comrade",
    "frames/05-last-stand-at-the-station",
    "frames/06-wall-or-comrade",
    "ranks/03-friends-of-friends",
    "ranks/05-all-guns-speak",
    "ranks/06-whose-ships-burn",
    "supply/01-picket",
    "supply/02-guns-on-rifles",
    "supply/03-call-in",
    "tower/01-hero-on-regular",
    "tower/02-who-stands-by-whom",
    "tower/04-shoulder-to-shoulder",
    "tower/07-hexes",
]
"""Battles of every system that are fast in fractions, most of them with decisions."""


def example(name: str) -> Battle:
    return grognard.load(EXAMPLES / f"{name}.toml")


def at_random(battle: Battle, seed: object) -> Play:
    """A battle played with random decisions."""
    dice, play = MachineDice(f"luck {seed}"), start(battle)
    while isinstance(play.pending, Pending):
        play = play.answer(random_answer(play.pending, dice))
    return play


def played(battle: Battle, *answers: Answer) -> Play:
    play = start(battle)
    for answer in answers:
        play = play.answer(answer)
    return play


def total(actual: Luck) -> object:
    return actual.start + actual.luck + actual.decision_gain


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", range(8))
def test_luck_and_decisions_add_up_to_the_result_exactly(name: str, seed: int) -> None:
    battle = example(name)
    actual = luck(at_random(battle, seed), fractions=True)
    assert actual.result_value == total(actual)
    assert {Fraction} == {type(step.gain) for step in actual.steps}
    assert actual.start == actual.odds.value


@pytest.mark.parametrize("name", SMALL[1::3])
def test_luck_and_decisions_add_up_for_every_policy_and_objective(name: str) -> None:
    battle = example(name)
    play = at_random(battle, "any yardstick")
    for attacker, defender, objective in product(("eager", "random"), Policy, battle.system.objectives):
        actual = luck(play, attacker, defender, objective)
        assert pytest.approx(total(actual), abs=1e-9) == actual.result_value
        assert pytest.approx(odds(battle, attacker, defender, objective).value, abs=1e-9) == actual.start


@pytest.mark.parametrize("name", SMALL)
def test_no_decision_gains_against_best_policies(name: str) -> None:
    for seed in range(4):
        actual = luck(at_random(example(name), seed))
        for step in actual.steps:
            if isinstance(step, DecisionLuck):
                assert pytest.approx(-step.regret if step.role is Role.ATTACKER else step.regret) == step.gain
                assert step.regret >= 0


@pytest.mark.parametrize("name", ["ranks/03-friends-of-friends", "supply/02-guns-on-rifles", "tower/07-hexes"])
def test_the_best_decisions_lose_nothing(name: str) -> None:
    for seed in range(4):
        actual = luck(grognard.play(example(name), seed=seed))
        assert [pytest.approx(0, abs=1e-9)] * 2 == [actual.regret(side) for side in Role]
        assert pytest.approx(actual.result_value - actual.start) == actual.luck


def test_over_all_rolls_there_is_no_luck() -> None:
    battle = grognard.battle(duel(1, 1))
    rolls = [luck(played(battle, Rolled(faces)), fractions=True) for faces in product(range(1, 11), repeat=2)]
    assert sum(one.luck for one in rolls) == 0
    assert {-1, 1} == {one.result_value for one in rolls}


def test_a_gamble_step_by_step() -> None:
    # For sure is one point, which the defender takes away: 0. The roll is worth 1/6 of 2 and 5/6 of -1.
    play = played(toys.toy(toys.gamble), Chosen("yes"), Rolled((6,)), Chosen("double"))
    actual = luck(play, fractions=True)
    assert [Fraction(-1, 2), Fraction(5, 2), Fraction(4)] == [step.gain for step in actual.steps]
    assert (0, Fraction(5, 2), Fraction(7, 2), 6) == (
        actual.start,
        actual.luck,
        actual.decision_gain,
        actual.result_value,
    )
    assert (Fraction(1, 2), Fraction(4)) == (actual.regret(Role.ATTACKER), actual.regret(Role.DEFENDER))
    first, _, last = actual.steps
    assert isinstance(first, DecisionLuck)
    assert isinstance(last, DecisionLuck)
    assert [("yes", "no"), ("double", "take")] == [(step.taken, step.best) for step in (first, last)]


def test_the_luck_of_a_die_is_its_gain_compared_with_rolling_it_again() -> None:
    # Red's 7 beats Blue's 3. Another die of Red's wins in 7 of 10, another of Blue's loses in 6 of 10.
    actual = luck(played(grognard.battle(duel(1, 1)), Rolled((7, 3))), objective="ground", fractions=True)
    (step,) = actual.steps
    assert isinstance(step, RollLuck)
    assert Fraction(11, 20) == step.gain
    assert [("Red", 7, Fraction(3, 10)), ("Blue", 3, Fraction(4, 10))] == [(d.by, d.face, d.gain) for d in step.dice]


@pytest.mark.parametrize(
    ("first", "faces", "expected"),
    [
        (toys.first_shoots, [1, 1, 1, 1, 6], [-1, 1, -1, 1, 5]),
        (toys.second_shoots, [2, 3, 2, 3, 6], [1, -1, 1, -1, -5]),
    ],
)
def test_rolls_in_a_cycle_have_luck_too(first: Rule[Any, ...], faces: list[int], expected: list[int]) -> None:
    actual = luck(played(toys.toy(first), *(Rolled((face,)) for face in faces)), fractions=True)
    assert [Fraction(number, 11) for number in expected] == [step.gain for step in actual.steps]


def test_a_roll_that_leads_back_to_itself_is_no_luck() -> None:
    actual = luck(played(toys.toy(toys.until_six), Rolled((6,)), Rolled((5,))), fractions=True)
    assert [0, Fraction(4, 5)] == [step.gain for step in actual.steps]


def test_percentiles_of_the_result_in_the_odds_at_the_start() -> None:
    actual = luck(played(grognard.battle(duel(2, 1)), Rolled((7, 1, 3))), fractions=True)
    named = {place.name: place for place in actual.percentiles}
    swing, attacking, defending = (named[name] for name in ("swing", "attacking side loses", "defending side loses"))
    chance = Fraction(123, 200)
    assert ("swing", 1, 1 - chance, chance, 0) == (swing.name, swing.value, swing.less, swing.same, swing.more)
    assert ("attacking side loses", 0, 0, chance, 1 - chance) == (
        attacking.name,
        attacking.value,
        attacking.less,
        attacking.same,
        attacking.more,
    )
    assert chance == actual.probability
    for place in (swing, attacking, defending):
        assert 1 - chance / 2 == place.luck_of(Role.ATTACKER)
        assert chance / 2 == place.luck_of(Role.DEFENDER)


def test_percentiles_of_a_result_that_best_play_never_reaches_refer_to_the_decisions_taken() -> None:
    battle = grognard.battle(invitation())
    actual = luck(played(battle, Rolled((1, 10)), Chosen("yes"), Rolled((1, 10))), fractions=True)
    assert 0 == actual.odds.probability(lambda result: result == actual.result)
    assert (Fraction(55, 100) ** 2, -2) == (actual.probability, actual.result_value)
    assert actual.left_best_line
    assert all(0 < place.percentile < 1 for place in actual.percentiles)
    assert actual.regret(Role.ATTACKER) > 0


def test_from_python_with_a_play_a_log_or_its_data() -> None:
    play = grognard.play(grognard.battle(duel(2, 2)), seed=3)
    log = Log(play, "3")
    assert luck(play).to_dict() == grognard.luck(play).to_dict()
    assert luck(play).to_dict() == grognard.luck(log).to_dict() == grognard.luck(log.to_dict()).to_dict()


def test_a_battle_that_is_not_over_has_no_luck_yet() -> None:
    with pytest.raises(WrongAnswer, match="the battle is not over"):
        luck(start(grognard.battle(duel())))


def test_a_battle_too_large_is_refused() -> None:
    with pytest.raises(TooLarge):
        solve(example("ranks/03-friends-of-friends"), bound=5)
