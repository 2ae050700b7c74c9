"""PettingZoo's and Gymnasium's own checks on every example, and rewards that add up to our odds."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test
from tests.adapters.examples import EXAMPLES, ROOT

from grognard.adapters.gymnasium import BattleEnv
from grognard.adapters.pettingzoo import env
from grognard.api import odds
from grognard.core.errors import BattleError, WrongAnswer
from grognard.core.rules import Choose
from grognard.files import load

PICKET = ROOT / "examples/supply/01-picket.toml"
SIEGE = ROOT / "examples/supply/07-siege.toml"
EPISODES = 4_000


@pytest.fixture(scope="module", params=EXAMPLES)
def path(request: pytest.FixtureRequest) -> str:
    """One example after the other: each is walked once for all its tests."""
    return str(request.param)


@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
def test_pettingzoos_checks_find_nothing_wrong(path: str) -> None:
    """But that an observation is a dictionary with a mask, as in PettingZoo's own games."""
    battle = load(ROOT / path)
    api_test(env(battle), num_cycles=20)
    seed_test(lambda: env(battle), num_cycles=20)


@pytest.mark.parametrize("role", ["attacker", "defender"])
def test_gymnasiums_check_finds_nothing_wrong(path: str, role: str) -> None:
    environment = gymnasium.make("grognard/Battle-v0", battle=load(ROOT / path), role=role)
    check_env(environment.unwrapped)


def rewards(player: BattleEnv, decide: Callable[[BattleEnv], int]) -> list[float]:
    """What many battles bring."""
    earned = []
    player.reset(seed=3)
    for _ in range(EPISODES):
        player.reset()
        is_over, reward = False, 0.0
        while not is_over:
            _, reward, is_over, _, _ = player.step(np.int64(decide(player)))
        earned.append(reward)
    return earned


def eager(player: BattleEnv) -> int:
    """The first option; yes comes first."""
    return int(np.flatnonzero(player.action_masks())[0])


def best(player: BattleEnv) -> int:
    """The best option, or any where nothing is asked."""
    return player.arena.policy(player.role, "best", player.objective).get(player.number, 0)


@pytest.mark.parametrize("role", ["attacker", "defender"])
@pytest.mark.parametrize(
    ("own", "decide", "against"),
    [("eager", eager, "eager"), ("eager", eager, "cautious"), ("eager", eager, "random"), ("best", best, "best")],
)
def test_rewards_add_up_to_the_odds(role: str, own: str, decide: Callable[[BattleEnv], int], against: str) -> None:
    battle = load(ROOT / "examples/tower/01-hero-on-regular.toml")
    attacker, defender = (own, against) if role == "attacker" else (against, own)
    exact = float(odds(battle, attacker, defender).value) * (1 if role == "attacker" else -1)
    earned = rewards(BattleEnv(battle, role, against), decide)
    assert np.mean(earned) == pytest.approx(exact, abs=4 * float(np.std(earned)) / EPISODES**0.5)


def test_a_policy_of_ones_own_is_asked_and_held_to_the_options() -> None:
    questions: list[Choose] = []

    def never(question: Choose) -> str:
        questions.append(question)
        return "no"

    battle = load(PICKET)
    earned = rewards(BattleEnv(battle, "attacker", never), eager)
    assert 1 == len({question.prompt for question in questions})
    assert {"blue"} == {question.by for question in questions}
    assert np.mean(earned) == pytest.approx(float(odds(battle, defender="cautious").value), abs=0.03)
    with pytest.raises(WrongAnswer, match='"perhaps" is not offered'):
        rewards(BattleEnv(battle, "attacker", lambda question: "perhaps"), eager)


@pytest.mark.parametrize("action", [2, 3, 4, -1, -4])
def test_what_is_no_option_gives_the_battle_up(action: int) -> None:
    player = BattleEnv(load(SIEGE), "attacker")
    _, info = player.reset(seed=1)
    assert ("direct", "call in rockets", "yes", "no") == player.options
    assert [1, 1, 0, 0] == info["action_mask"].tolist() == player.action_masks().tolist()
    _, reward, is_over, _, _ = player.step(np.int64(action))
    assert (-18.0, True) == (reward, is_over)


def test_the_end_tells_the_result_and_rendering_where_the_battle_stands() -> None:
    player = BattleEnv(load(PICKET), "defender", render_mode="ansi")
    player.reset(seed=1)
    assert "1: blue decides: Counterattack the scouts with the sentries" in str(player.render())
    *_, info = player.step(np.int64(player.options.index("no")))
    assert {"strength": 1, "supply": 0} == info["result"]["units"]["sentries"]
    assert f"{player.number}: over, {json.dumps(info['result'])}" == player.render()


def test_two_players_take_their_turns_and_their_rewards_are_opposite() -> None:
    table = env(load(SIEGE))
    table.reset(seed=4)
    order, total = [], dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, is_over, _, info = table.last()
        total[agent] += reward
        order.append(agent)
        assert is_over == ("result" in info)
        table.step(None if is_over else int(np.flatnonzero(seen["action_mask"])[0]))
    assert ["attacker_0", "defender_0"] == order[:2]
    assert total["attacker_0"] == -total["defender_0"] != 0


def test_an_unknown_role_or_objective_is_refused() -> None:
    with pytest.raises(BattleError, match='there is no role "red"'):
        BattleEnv(load(PICKET), "red")
    with pytest.raises(BattleError, match='has no objective "gold"'):
        BattleEnv(load(PICKET), objective="gold")
    with pytest.raises(BattleError, match='has no objective "gold"'):
        env(load(PICKET), objective="gold")


def test_the_trained_counterattack_is_within_2_percent_of_the_best() -> None:
    script = Path(ROOT, "examples", "training", "counterattack.py")
    assert len(script.read_text("utf-8").splitlines()) <= 60
    output = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    numbers = dict(line.split(": ") for line in output.splitlines() if ": " in line)
    exact = pytest.approx(float(numbers["the exact best"]), rel=0.02)
    assert {"learned": True, "always": False, "never": False} == {
        name: float(numbers[name]) == exact for name in ("learned", "always", "never")
    }
    assert "counterattacks at a strength of 17 18 19 20" in output.splitlines()


def guns_left(setup: Any, result: Any) -> int:
    """An objective that the system has not."""
    return int(result.to_dict()["units"]["guns"]["strength"])


def test_an_objective_of_ones_own_is_what_is_rewarded() -> None:
    battle = load(ROOT / "examples/supply/02-guns-on-rifles.toml")
    earned = rewards(BattleEnv(battle, "attacker", "best", guns_left), eager)
    assert {1.0, 2.0, 3.0, 4.0} <= set(earned)
    exact = float(odds(battle, objective=guns_left).value)
    assert np.mean(earned) == pytest.approx(exact, abs=4 * float(np.std(earned)) / EPISODES**0.5)
