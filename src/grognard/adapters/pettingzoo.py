"""A battle for two players as an AEC environment of PettingZoo: `env(battle)`.

The agents are `attacker_0` and `defender_0`. Both see the same. At the end the attacker's reward is the value of the
objective, and the defender's its negative.
"""

from typing import Any, ClassVar

import numpy as np

from grognard.adapters.arena import PLAYERS
from grognard.adapters.observations import observations_of
from grognard.core.lazy import require_library
from grognard.core.systems import Battle, Json
from grognard.solver.assumptions import Assumptions, ObjectiveFunction
from grognard.solver.graph import Ending

require_library("pettingzoo", "grognard[ai]")
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

AGENTS = tuple(f"{role}_0" for role in PLAYERS)


def env(battle: Battle, objective: str | ObjectiveFunction = "swing", render_mode: str | None = None) -> Any:
    """A battle in PettingZoo's usual wrappers. An illegal action ends it with the least possible reward."""
    raw = BattleAEC(battle, objective, render_mode)
    checked = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-raw.arena.largest_value(objective))
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


class BattleAEC(AECEnv):
    """Both sides of a battle. An observation is a row of numbers and the mask of the actions that are options now.

    In a battle that is over before any decision, any action of the attacker ends the episode.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "grognard_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self, battle: Battle, objective: str | ObjectiveFunction = "swing", render_mode: str | None = None
    ) -> None:
        super().__init__()
        Assumptions(objective=objective).check(battle)
        self.objective, self.render_mode = objective, render_mode
        self.observations = observations_of(battle)
        self.arena = self.observations.arena
        self.options = self.arena.options
        """The ids of the options, in the order of the actions."""
        self.features = self.observations.features
        """What each number of an observation means."""
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        observation = spaces.Box(0, 1, (self.observations.size,), np.float32)
        actions = max(1, len(self.options))
        mask = spaces.Box(0, 1, (actions,), np.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": observation, "action_mask": mask}) for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in AGENTS}
        self._random, _ = seeding.np_random()
        self.number = self.arena.graph.start

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Json | None = None) -> None:
        """A new battle, up to its first decision."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, Json] = {agent: {} for agent in AGENTS}
        self._move_to(self.arena.graph.start)

    def step(self, action: Any) -> None:
        """Take an option for the agent whose turn it is, and go on to the next decision or to the end."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if not self.arena.is_over(self.number):
            self._move_to(self.arena.actions[self.number][int(action)])
        if self.arena.is_over(self.number):
            self._end()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """The row of numbers, the same for both agents, and the mask of the agent's options, if it is to decide."""
        mask = self.observations.mask(self.number)
        is_asked = agent == self.agent_selection and not self.terminations.get(agent, True)
        return {"observation": self.observations.row(self.number), "action_mask": mask if is_asked else mask * 0}

    def render(self) -> str | None:
        """The position on one line."""
        return self.arena.describe(self.number) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""

    def _move_to(self, number: int) -> None:
        self.number = self.arena.roll(number, self._random)
        role = self.arena.player(self.number)
        self.agent_selection = AGENTS[0 if role is None else PLAYERS.index(role)]

    def _end(self) -> None:
        value = self.arena.value_at_end(self.number, self.objective)
        node = self.arena.graph.nodes[self.number]
        assert isinstance(node, Ending)
        self.rewards = dict(zip(AGENTS, (value, -value), strict=True))
        self.terminations = dict.fromkeys(AGENTS, True)
        self.infos = {agent: {"result": node.result.to_dict()} for agent in AGENTS}
