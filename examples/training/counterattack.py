"""Learn when a counterattack is worth its ammunition, by playing. Needs `pip install 'grognard[ai]'`."""

from pathlib import Path
from typing import Any

import numpy as np

import grognard
from grognard.adapters.gymnasium import BattleEnv
from grognard.core.systems import Role

EPISODES = 20_000
EXPLORE = 0.3


def thrift(setup: Any, result: Any) -> int:
    """The defender's losses less the attacker's: 3 for each point of strength, 1 for each token of supply."""
    left, value = result.to_dict()["units"], 0
    for unit in setup.units:
        lost = 3 * (unit.strength - left[unit.id]["strength"]) + unit.supply - left[unit.id]["supply"]
        value += lost if role_of(setup, unit.side) is Role.DEFENDER else -lost
    return value


def learn(env: BattleEnv) -> dict[bytes, np.ndarray]:
    """The mean reward of each option for every observation. The defender decides once in a battle."""
    means: dict[bytes, np.ndarray] = {}
    counts: dict[bytes, np.ndarray] = {}
    random = np.random.default_rng(1)
    env.reset(seed=1)
    for _ in range(EPISODES):
        observation, info = env.reset()
        options = np.flatnonzero(info["action_mask"])
        values = means.setdefault(observation.tobytes(), np.zeros(len(env.options)))
        count = counts.setdefault(observation.tobytes(), np.zeros(len(env.options)))
        action = random.choice(options) if random.random() < EXPLORE else options[values[options].argmax()]
        _, reward, _, _, _ = env.step(action)
        count[action] += 1
        values[action] += (reward - values[action]) / count[action]
    return means


battle = grognard.load(Path(__file__).parents[1] / "supply" / "07-siege.toml")
role_of = battle.system.role_of
env = BattleEnv(battle, "defender", "best", thrift)
means = learn(env)
YES, NO = env.options.index("yes"), env.options.index("no")
learned = {}
for number in (number for number in env.arena.graph.order if env.arena.player(number) is env.role):
    values = means.get(env.observations.row(number).tobytes(), np.zeros(len(env.options)))
    learned[number] = YES if values[YES] > values[NO] else NO
attacker = env.arena.policy("attacker", "best", thrift)
policies = {"always": dict.fromkeys(learned, YES), "never": dict.fromkeys(learned, NO), "learned": learned}
for name, decisions in policies.items():
    print(f"{name}: {env.arena.value(attacker | decisions, thrift):.4f}")
states = [env.arena.decision(number).position.state for number, action in learned.items() if action == YES]
print("counterattacks at a strength of", *sorted(state.cards[battle.setup.target].strength for state in states))
print(f"the exact best: {grognard.odds(battle, objective=thrift).value:.4f}")
