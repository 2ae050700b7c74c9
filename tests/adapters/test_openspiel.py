"""OpenSpiel's own checks on every example, and its solvers against our odds."""

import pickle
import sys
import unittest
from collections.abc import Iterator
from math import isclose
from pathlib import Path
from types import ModuleType
from typing import Any

import pyspiel
import pytest
from absl import flags
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms import generate_playthrough, get_all_states
from open_spiel.python.algorithms.minimax import expectiminimax
from tests.adapters.examples import ATTACKS, EXAMPLES, ROOT, TURNS
from tests.soak import cases, count

from grognard import systems
from grognard.adapters.openspiel import BattleGame, game
from grognard.api import advise, odds
from grognard.core.errors import BattleError
from grognard.files import load
from grognard.solver.graph import Chance

PLAYTHROUGHS = Path(__file__).with_name("playthroughs")


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Playthroughs name their battles by paths from the root."""
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="module")
def value_iteration() -> Iterator[Any]:
    """OpenSpiel's, without its linear programmes: they need another library, and only simultaneous moves need them."""
    solver = "open_spiel.python.algorithms.lp_solver"
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, solver, ModuleType(solver))
        from open_spiel.python.algorithms.value_iteration import value_iteration

        yield value_iteration


@pytest.fixture(scope="module", params=ATTACKS)
def path(request: pytest.FixtureRequest) -> str:
    """One example after the other: each is walked once for all its tests."""
    return str(request.param)


def opened(path: str, objective: str = "swing") -> Any:
    return pyspiel.load_game("grognard", {"battle": path, "objective": objective})


@pytest.mark.soak("examples against OpenSpiel")
def test_random_simulations_by_openspiel_find_nothing_wrong(path: str) -> None:
    count(inputs=cases(2))
    pyspiel.random_sim_test(opened(path), num_sims=cases(2), serialize=True, verbose=False)


@pytest.mark.parametrize("turn", TURNS)
def test_random_simulations_of_whole_turns_find_nothing_wrong(turn: str) -> None:
    pyspiel.random_sim_test(opened(turn), num_sims=2, serialize=True, verbose=False)


def test_openspiels_api_test_finds_nothing_wrong(path: str) -> None:
    case = type("EveryBattle", (api_test.EnforceAPIOnPartialTreeBase,), {"game": opened(path), "game_name": path})
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    result = tests.run(unittest.TestResult())
    assert [] == result.errors + result.failures
    assert result.testsRun >= 5


@pytest.mark.soak("examples against OpenSpiel")
def test_expectiminimax_finds_our_value(path: str) -> None:
    value, _ = expectiminimax(opened(path).new_initial_state(), sys.maxsize, None, 0)
    assert value == pytest.approx(odds(load(path)).value, abs=1e-9)


@pytest.mark.soak("examples against OpenSpiel")
def test_value_iteration_finds_our_value_and_that_of_every_option(path: str, value_iteration: Any) -> None:
    battle = load(path)
    start = opened(path).new_initial_state()
    values = value_iteration(opened(path), -1, 1e-12, cyclic_game=True)
    assert expected(start, values) == pytest.approx(odds(battle).value, abs=1e-9)
    advised = {option.id: option.value for option in advise(battle).options}
    actions = start.legal_actions() if advised else []
    actual = {start.action_to_string(action): expected(start.child(action), values) for action in actions}
    assert actual == pytest.approx(advised, abs=1e-9)


def expected(state: Any, values: dict[str, float]) -> float:
    """What a state is worth: value iteration knows the decisions and the ends, not the rolls between them."""
    if not state.is_chance_node():
        return values[str(state)]
    return float(sum(chance * expected(state.child(outcome), values) for outcome, chance in state.chance_outcomes()))


@pytest.mark.parametrize("objective", ["kill", "ground"])
def test_other_objectives_are_other_games(objective: str) -> None:
    path = "examples/tower/02-who-stands-by-whom.toml"
    loaded = opened(path, objective)
    value, _ = expectiminimax(loaded.new_initial_state(), sys.maxsize, None, 0)
    assert value == pytest.approx(odds(load(path), objective=objective).value, abs=1e-9)
    assert (-1.0, 1.0) == (loaded.min_utility(), loaded.max_utility())


@pytest.mark.parametrize("name", systems.names())
def test_playthroughs_stay_the_same_line_by_line(name: str) -> None:
    flags.FLAGS(["playthrough"])
    stored, played = generate_playthrough.replay(PLAYTHROUGHS / f"{name}.txt")
    assert stored.splitlines() == played.splitlines()


@pytest.mark.parametrize("first", [path for path in EXAMPLES if "/01-" in path])
def test_bounds_are_those_of_the_longest_and_the_dearest_plays(first: str) -> None:
    loaded = opened(first)
    states = get_all_states.get_all_states(loaded, include_chance_states=True).values()
    ends = [state for state in states if state.is_terminal()]
    rolls = [state for state in states if state.is_chance_node()]
    by_players = [sum(item.player >= 0 for item in state.full_history()) for state in ends]
    by_chance = [sum(item.player < 0 for item in state.full_history()) for state in ends]
    assert loaded.max_game_length() == max(by_players)
    assert loaded.max_chance_nodes_in_history() == max(by_chance)
    assert loaded.max_chance_outcomes() == max(len(state.chance_outcomes()) for state in rolls)
    assert loaded.max_utility() == max(abs(state.player_return(0)) for state in ends)
    assert loaded.min_utility() == -loaded.max_utility()


def test_a_game_whose_objective_is_always_0_has_a_range_all_the_same() -> None:
    loaded = opened("examples/frames/04-tear-down-the-bunker.toml")
    assert (-1.0, 1.0) == (loaded.min_utility(), loaded.max_utility())


def test_chance_outcomes_are_the_odds_of_the_reading() -> None:
    battle = load("examples/supply/02-guns-on-rifles.toml")
    playing = game(battle)
    state = playing.new_initial_state()
    node = playing.arena.graph.nodes[0]
    assert isinstance(node, Chance)
    odds_of = node.question.reading.odds()
    named = [(state.action_to_string(outcome), chance) for outcome, chance in state.chance_outcomes()]
    assert named == [(str(value), chance) for value, chance in zip(odds_of.values, odds_of.weights, strict=True)]


def test_actions_carry_the_names_of_our_options() -> None:
    state = opened("examples/supply/03-call-in.toml").new_initial_state()
    names = [state.action_to_string(action) for action in state.legal_actions()]
    assert ["direct", "call in mortar", "call in howitzers"] == names
    assert state.string_to_action("call in mortar") == 1


def test_a_battle_may_be_a_file_a_text_or_an_object() -> None:
    path = "examples/supply/01-picket.toml"
    text = Path(path).read_text("utf-8")
    games = [game(load(path)), opened(path), opened(text), pyspiel.load_game(f"grognard(battle={path})")]
    assert 1 == len({str(one.new_initial_state()) for one in games})
    for one in games:
        again = pyspiel.load_game(str(one))
        assert isinstance(again, BattleGame)
        assert again.arena.battle == load(path)


def test_games_and_states_are_saved_and_come_back() -> None:
    state = game(load("examples/tower/01-hero-on-regular.toml")).new_initial_state()
    state.apply_action(1)
    saved = pyspiel.serialize_game_and_state(state.get_game(), state)
    again, there = pyspiel.deserialize_game_and_state(saved)
    unpickled = pickle.loads(pickle.dumps(state))
    for other in (there, unpickled, state.clone()):
        assert (str(state), state.history()) == (str(other), other.history())
        other.apply_action(other.legal_actions()[0])
        assert len(state.history()) + 1 == len(other.history())
    for other in (again, pickle.loads(pickle.dumps(state.get_game()))):
        assert str(state.get_game()) == str(other)


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(BattleError, match='has no objective "gold"'):
        game(load("examples/supply/01-picket.toml"), objective="gold")
    with pytest.raises(BattleError, match="cannot be read"):
        BattleGame({"battle": "no such file.toml"})
    with pytest.raises(BattleError, match="battle: is missing"):
        pyspiel.load_game("grognard")
    with pytest.raises(BattleError, match="line 2: is not TOML"):
        opened('system = "ranks"\ndefender = =\n')
    with pytest.raises(BattleError, match=r"line 3: defender\.units: found 0"):
        opened('system = "ranks"\n[defender]\nunits = 0\n')


def test_the_outcomes_of_a_roll_sum_to_one_and_have_different_names(path: str) -> None:
    arena = game(load(path)).arena
    for edges in (edges for number, edges in enumerate(arena.edges) if arena.is_roll(number)):
        assert isclose(1, sum(edge.probability for edge in edges), rel_tol=1e-9)
        assert len(edges) == len({edge.name for edge in edges})
