"""Learn when to counterattack, by playing; then compare with the exact best. Needs `pip install grognard[ai]`."""

from pathlib import Path

import numpy as np

import grognard
from grognard.adapters.gymnasium import BattleEnv

EPISODES = 8_000
EXPLORE = 0.3


def learn(env: BattleEnv) -> dict[bytes, np.ndarray]:
    """Tabular Q-learning: what each option brought on average, for everything that was seen."""
    brought: dict[bytes, np.ndarray] = {}
    times: dict[bytes, np.ndarray] = {}
    random = np.random.default_rng(1)
    env.reset(seed=1)
    for _ in range(EPISODES):
        seen, info = env.reset()
        is_over = False
        while not is_over:
            key, options = seen.tobytes(), np.flatnonzero(info["action_mask"])
            values = brought.setdefault(key, np.zeros(len(env.options)))
            count = times.setdefault(key, np.zeros(len(env.options)))
            explores = random.random() < EXPLORE
            action = random.choice(options) if explores else options[values[options].argmax()]
            seen, reward, is_over, _, info = env.step(action)
            later = 0.0 if is_over else best(brought, seen, info["action_mask"])
            count[action] += 1
            values[action] += (reward + later - values[action]) / count[action]
    return brought


def best(brought: dict[bytes, np.ndarray], seen: np.ndarray, mask: np.ndarray) -> float:
    """What the best option is known to bring."""
    return float(brought[seen.tobytes()][mask == 1].max()) if seen.tobytes() in brought else 0.0


def decisions(env: BattleEnv, brought: dict[bytes, np.ndarray]) -> dict[int, int]:
    """The learnt action at every place where the player decides and has been."""
    taken = {}
    for place in (place for place in env.arena.graph.order if env.arena.player(place) is env.side):
        values = brought.get(env.observations.row(place).tobytes())
        if values is not None:
            options = np.array(list(env.arena.actions[place]))
            taken[place] = int(options[values[options].argmax()])
    return taken


battle = grognard.load(Path(__file__).parents[1] / "supply" / "07-siege.toml")
env = BattleEnv(battle, side="defender", against="best")
attacker = env.arena.policy("attacker", "best")
print(
    f"without training: {env.arena.value(attacker):.4f}",
    f"learnt, in exact odds: {env.arena.value(attacker | decisions(env, learn(env))):.4f}",
    f"the exact best: {grognard.odds(battle).value:.4f}",
    sep="\n",
)
