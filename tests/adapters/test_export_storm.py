"""Storm's optimum of an exported battle, in exact rationals, is ours."""

from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from tests import toys
from tests.adapters.battles import RANDOM, battles_with_decisions, turns_with_decisions
from tests.adapters.storm import from_drn, from_prism, solve
from tests.soak import cases, count, trying
from tests.solver.test_cycles import random_graph
from tests.turns.random_turns import GAMES

from grognard.adapters.export import OPEN, Kind, Model, format_model, model_of
from grognard.api import odds
from grognard.core.errors import Endless
from grognard.core.rules import End, Option, Steps, Then, choose, roll, rule
from grognard.core.systems import Battle
from grognard.files import battle
from grognard.readings.tally import Tally
from grognard.solver.odds import Odds

FIXED = ["best", "eager", "cautious", "random"]
pytestmark = pytest.mark.soak("battles against Storm")


def ours(fight: Battle, attacker: str, defender: str, objective: str) -> Odds:
    """Our odds, with best play for whoever is open."""
    attacker, defender = ("best" if policy == OPEN else policy for policy in (attacker, defender))
    return odds(fight, attacker, defender, objective, fractions=True)


def storms(model: Model, folder: Path) -> Fraction:
    """The value of the battle to the attacker, by Storm."""
    return solve(from_drn(format_model(model, "drn"), folder), f"R{model.optimum}=? [{model.path}]") - model.offset


@pytest.mark.parametrize("system", RANDOM)
def test_one_side_best_against_any_policy_of_the_other(system: str, tmp_path: Path) -> None:
    for seed, fight in trying(battles_with_decisions(system)):
        compare_one_side_open(fight, seed, tmp_path)


def compare_one_side_open(fight: Battle, seed: int, folder: Path) -> None:
    """Leave one side's decisions to Storm, then the other's, for some objective."""
    random = Random(seed)
    objective = random.choice(list(fight.objectives))
    for attacker, defender in ((OPEN, random.choice(FIXED)), (random.choice(FIXED), OPEN)):
        model = model_of(fight, attacker, defender, objective)
        who = seed, attacker, defender, objective
        assert (who, ours(fight, attacker, defender, objective).value) == (who, storms(model, folder))


@pytest.mark.parametrize("system", RANDOM)
def test_best_of_both_sides_is_a_saddle(system: str, tmp_path: Path) -> None:
    """Neither side, left to Storm, finds anything better against the other's best decisions as we found them."""
    for seed, fight in trying(battles_with_decisions(system)):
        value = ours(fight, "best", "best", "swing").value
        assert (seed, value, value) == (seed, *saddle(fight, tmp_path))


def saddle(fight: Battle, folder: Path) -> tuple[Fraction, Fraction]:
    """Storm's best for each side against the other's best decisions as we found them."""
    return storms(model_of(fight, OPEN, "best"), folder), storms(model_of(fight, "best", OPEN), folder)


@pytest.mark.soak("whole turns against Storm")
@pytest.mark.parametrize("system", GAMES)
def test_a_whole_turn_is_worth_as_much_whoever_decides(system: str, tmp_path: Path) -> None:
    """Our value is that of a solver for turns, which merges and settles; Storm sees every position."""
    for seed, fight in trying(turns_with_decisions(system)):
        compare_one_side_open(fight, seed, tmp_path)


@pytest.mark.soak("whole turns against Storm")
@pytest.mark.parametrize("system", GAMES)
def test_the_best_turn_of_both_sides_is_a_saddle(system: str, tmp_path: Path) -> None:
    for seed, fight in trying(turns_with_decisions(system)):
        value = ours(fight, "best", "best", "swing").value
        assert (seed, value, value) == (seed, *saddle(fight, tmp_path))


@pytest.mark.soak("whole turns against Storm")
@pytest.mark.parametrize("system", GAMES)
def test_a_turn_that_policies_play_has_the_odds_of_every_outcome(system: str, tmp_path: Path) -> None:
    for _, fight in trying(turns_with_decisions(system)[: cases(3)]):
        compare_outcomes(fight, "drn", tmp_path)


@pytest.mark.parametrize("system", RANDOM)
def test_a_prism_program_has_the_same_optimum(system: str, tmp_path: Path) -> None:
    for seed, fight in trying(battles_with_decisions(system)[: cases(10)]):
        model = model_of(fight, OPEN, "random", "kill")
        actual = (
            solve(from_prism(format_model(model, "prism"), tmp_path), f'R{model.optimum}=? [F "over"]') - model.offset
        )
        assert (seed, ours(fight, OPEN, "random", "kill").value) == (seed, actual)


@pytest.mark.parametrize("form", ["drn", "prism"])
@pytest.mark.parametrize("system", RANDOM)
def test_a_chain_has_the_odds_of_every_outcome(system: str, form: str, tmp_path: Path) -> None:
    for _, fight in trying(battles_with_decisions(system)[: cases(3)]):
        compare_outcomes(fight, form, tmp_path)


def compare_outcomes(fight: Battle, form: str, folder: Path) -> None:
    """What Storm says of reaching every outcome is its odds, if policies decide for both sides."""
    model = model_of(fight, "random", "eager")
    assert Kind.CHAIN is model.kind
    chain = {"drn": from_drn, "prism": from_prism}[form](format_model(model, form), folder)
    expected = {result: p for p, result in ours(fight, "random", "eager", "swing").outcomes}
    actual = {
        result: solve(chain, f'P=? [F "outcome_{number}"]') for number, (_, _, result) in enumerate(model.endings, 1)
    }
    assert expected == actual


def test_storm_reads_a_game_as_a_game(tmp_path: Path) -> None:
    games = (
        model
        for system in RANDOM
        for _, fight in battles_with_decisions(system)[:20]
        if (model := model_of(fight)).kind is Kind.GAME
    )
    for model in islice(games, 10):
        read = from_prism(format_model(model, "prism"), tmp_path)
        assert "SMG" in str(read.model_type)
        assert len(model.states) + 1 == read.nr_states


def test_fractions_longer_than_machine_words_stay_exact(tmp_path: Path) -> None:
    red, blue = {"player": "Red", "side": "attack", "units": 15}, {"player": "Blue", "units": 15}
    model = model_of(battle({"system": "ranks", "defender": blue, "arrivals": [red], "rules": {"die": 12}}))
    actions = (action for state in model.states for action in state.actions)
    assert max(branch.probability.denominator for action in actions for branch in action.branches) > 2**64
    program = from_prism(format_model(model, "prism"), tmp_path)
    assert model.value == solve(program, 'R=? [F "over"]') - model.offset == storms(model, tmp_path)


STOP_OR_ROLL = (Option("stop", "stop", True), Option("roll", "roll", False))


@rule("press on")
def press_on(setup: toys.Toy, points: int) -> Steps:
    """The attacker stops, or rolls: a six is a point more up to three, a one loses all and two more, else nothing."""
    if (yield from choose("attacker", "Stop?", STOP_OR_ROLL)):
        return Then(hold_out, points)
    ones, sixes = yield from roll(Tally(1, 6, ((1, 1), (6, 6))), "attacker")
    return End(-2) if ones else Then(press_on, min(points + sixes, 3))


@rule("hold out")
def hold_out(setup: toys.Toy, points: int) -> Steps:
    """The defender pays, or rolls: a six halves the points, a one costs two more, else it is asked again."""
    if (yield from choose("defender", "Pay?", STOP_OR_ROLL)):
        return End(points)
    ones, sixes = yield from roll(Tally(1, 6, ((1, 1), (6, 6))), "defender")
    return End(points + 2) if ones else End(points // 2) if sixes else Then(hold_out, points)


@pytest.mark.parametrize("form", ["drn", "prism"])
@pytest.mark.parametrize("points", [-1, 0, 1, 2, 3])
@pytest.mark.parametrize(("attacker", "defender"), [(OPEN, "best"), ("best", OPEN), (OPEN, "random"), ("random", OPEN)])
def test_a_cycle_with_a_decision_has_the_same_value(
    attacker: str, defender: str, points: int, form: str, tmp_path: Path
) -> None:
    fight = toys.toy(press_on, points)
    model = model_of(fight, attacker, defender)
    assert model.has_cycles
    read = {"drn": from_drn, "prism": from_prism}[form]
    value = solve(read(format_model(model, form), tmp_path), f"R{model.optimum}=? [{model.path}]") - model.offset
    assert ours(fight, attacker, defender, "swing").value == model.value == value


@rule("lose either action")
def lose(setup: toys.Toy, points: int) -> Steps:
    """The attacker stops or rolls, and loses as much either action."""
    yield from choose("attacker", "Stop?", STOP_OR_ROLL)
    return End(points)


@pytest.mark.parametrize("points", [-3, 0, 3])
def test_endings_that_are_all_worth_the_same_have_some_reward(points: int, tmp_path: Path) -> None:
    assert points == storms(model_of(toys.toy(lose, points)), tmp_path)


def test_a_cycle_of_rolls_stays_in_the_model(tmp_path: Path) -> None:
    model = model_of(toys.toy(toys.first_shoots))
    assert (True, Kind.CHAIN, 4) == (model.has_cycles, model.kind, len(model.states))
    assert Fraction(6, 11) == model.value == storms(model, tmp_path)


@pytest.mark.soak("cycles with decisions against Storm")
def test_random_cycles_with_decisions_of_both_sides_are_saddles(tmp_path: Path) -> None:
    """Six rooms, each of which leads on to any others: most of them can be walked through for ever."""
    compared = 0
    for seed in range(cases(80)):
        fight = toys.toy(random_graph(seed))
        try:
            value = ours(fight, "best", "best", "swing").value
        except Endless:  # going round is as good as leaving, and listed first
            continue
        model = model_of(fight)
        compared += model.has_cycles and model.kind is Kind.GAME
        count(inputs=1)
        assert (seed, value, value) == (seed, *saddle(fight, tmp_path))
    assert compared > cases(10)


@pytest.mark.soak("cycles with decisions against Storm")
def test_random_cycles_that_policies_play_have_the_odds_of_every_outcome(tmp_path: Path) -> None:
    compared = 0
    for seed in range(cases(40)):
        fight = toys.toy(random_graph(seed))
        try:
            compare_outcomes(fight, "drn", tmp_path)
        except Endless:  # the defender's first options lead round for ever
            continue
        compared += model_of(fight, "random", "eager").has_cycles
        count(inputs=1)
    assert compared > cases(10)
