"""A battle for one player as an environment of Gymnasium: `BattleEnv(battle, side="defender", against="best")`.

Gymnasium also makes it by its name: `gymnasium.make("grognard/Battle-v0", battle=battle)`.

The player decides for one side, a policy for the other, and dice fall in between. The reward comes at the end: the
value of the objective, or what it lacks of 0 for the defending side. Over many battles it adds up to the exact odds.
"""

import numpy as np
import numpy.typing as npt

from grognard.adapters.arena import PLAYERS, Policy
from grognard.adapters.observations import Row, observations_of
from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Battle, Json, Role
from grognard.solver.assumptions import aims
from grognard.solver.graph import Ending
from grognard.words.tables import needed

needed("gymnasium", "grognard[ai]")
import gymnasium
from gymnasium import spaces


class BattleEnv(gymnasium.Env[Row, np.int64]):
    """One side of a battle, against a policy by its name or one's own.

    `info["action_mask"]` says which actions are options now. Any other action gives the battle up: it ends with the
    least reward there is. In a battle that is over before the player was asked anything, any action is its last.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        battle: Battle,
        side: str = "attacker",
        against: str | Policy = "best",
        objective: str = "swing",
        render_mode: str | None = None,
    ) -> None:
        if side not in set(Role):
            raise BattleError([Fault("side", f'there is no side "{side}": expected one of {", ".join(PLAYERS)}')])
        aims(battle, "best", "best", objective)
        self.side, self.objective, self.render_mode = Role(side), objective, render_mode
        self.observations = observations_of(battle)
        self.arena = self.observations.arena
        self.options = self.arena.options
        """The ids of the options, in the order of the actions."""
        self.features = self.observations.features
        """What each number of an observation means."""
        other = PLAYERS[1 - PLAYERS.index(self.side)]
        self._habit = self.arena.policy(other, against, objective) if isinstance(against, str) else against
        self.observation_space = spaces.Box(0, 1, (self.observations.size,), np.float32)
        self.action_space = spaces.Discrete(max(1, len(self.options)))
        self.place = self.arena.graph.start

    def reset(self, *, seed: int | None = None, options: Json | None = None) -> tuple[Row, Json]:
        """A new battle, up to the player's first decision."""
        super().reset(seed=seed)
        self.place = self._go_on(self.arena.graph.start)
        return self.observations.row(self.place), self._info()

    def step(self, action: np.int64) -> tuple[Row, float, bool, bool, Json]:
        """Take an option, and go on to the player's next decision or to the end."""
        is_asked = self.arena.player(self.place) is not None
        if is_asked and int(action) not in self.arena.actions[self.place]:
            return self.observations.row(self.place), -self.arena.most(self.objective), True, False, self._info()
        if is_asked:
            self.place = self._go_on(self.arena.actions[self.place][int(action)])
        is_over = self.arena.is_over(self.place)
        reward = self._reward() if is_over else 0.0
        return self.observations.row(self.place), reward, is_over, False, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are options now, as some learners ask for it."""
        return self.observations.mask(self.place).astype(bool)

    def render(self) -> str | None:
        """Where the battle stands, in a line."""
        return self.arena.describe(self.place) if self.render_mode == "ansi" else None

    def _go_on(self, place: int) -> int:
        """Roll, and let the other side decide, until the player is to decide or the battle is over."""
        while not self.arena.is_over(place) and self.arena.player(place) is not self.side:
            if self.arena.is_roll(place):
                place = self.arena.roll(place, self.np_random)
            else:
                place = self.arena.actions[place][self._reply(place)]
        return place

    def _reply(self, place: int) -> int:
        if not isinstance(self._habit, dict):
            return self.arena.action(place, self._habit(self.arena.dues[place]))
        taken = self._habit.get(place)
        actions = list(self.arena.actions[place])
        return actions[int(self.np_random.integers(len(actions)))] if taken is None else taken

    def _reward(self) -> float:
        worth = self.arena.worth(self.place, self.objective)
        return worth if self.side is Role.ATTACKER else -worth

    def _info(self) -> Json:
        info: Json = {"action_mask": self.observations.mask(self.place)}
        node = self.arena.graph.nodes[self.place]
        return info | ({"result": node.result.to_dict()} if isinstance(node, Ending) else {})


gymnasium.register("grognard/Battle-v0", f"{__name__}:BattleEnv")
