"""A battle for one player as a Gymnasium environment: `BattleEnv(battle, role="defender", against="best")`.

Gymnasium can also make it by name: `gymnasium.make("grognard/Battle-v0", battle=battle)`.

The player decides for one side and a policy for the other. The reward comes at the end: the value of the objective, or
its negative for the defender. Its mean over many battles tends to the exact value.
"""

import numpy as np
import numpy.typing as npt

from grognard.adapters.arena import PLAYERS
from grognard.adapters.observations import Row, observations_of
from grognard.core.errors import BattleError, Fault
from grognard.core.lazy import require_library
from grognard.core.systems import Battle, Json, Role
from grognard.solver.assumptions import Assumptions, ObjectiveFunction, PolicyFunction
from grognard.solver.graph import Ending

require_library("gymnasium", "grognard[ai]")
import gymnasium
from gymnasium import spaces


class BattleEnv(gymnasium.Env[Row, np.int64]):
    """One side of a battle, against a policy: a name or a function.

    `info["action_mask"]` says which actions are options now. Any other action ends the battle with the least possible
    reward. In a battle that is over before the player's first decision, any action ends the episode.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012, as the library declares it

    def __init__(
        self,
        battle: Battle,
        role: str = "attacker",
        against: str | PolicyFunction = "best",
        objective: str | ObjectiveFunction = "swing",
        render_mode: str | None = None,
    ) -> None:
        if role not in set(Role):
            raise BattleError([Fault("role", f'there is no role "{role}": expected one of {", ".join(PLAYERS)}')])
        Assumptions(objective=objective).check(battle)
        self.role, self.objective, self.render_mode = Role(role), objective, render_mode
        self.observations = observations_of(battle)
        self.arena = self.observations.arena
        self.options = self.arena.options
        """The ids of the options, in the order of the actions."""
        self.features = self.observations.features
        """What each number of an observation means."""
        other = PLAYERS[1 - PLAYERS.index(self.role)]
        self._policy = self.arena.policy(other, against, objective) if isinstance(against, str) else against
        self.observation_space = spaces.Box(0, 1, (self.observations.size,), np.float32)
        self.action_space = spaces.Discrete(max(1, len(self.options)))
        self.number = self.arena.graph.start

    def reset(self, *, seed: int | None = None, options: Json | None = None) -> tuple[Row, Json]:
        """A new battle, up to the player's first decision."""
        super().reset(seed=seed)
        self.number = self._go_on(self.arena.graph.start)
        return self.observations.row(self.number), self._info()

    def step(self, action: np.int64) -> tuple[Row, float, bool, bool, Json]:
        """Take an option, and go on to the player's next decision or to the end."""
        is_asked = self.arena.player(self.number) is not None
        if is_asked and int(action) not in self.arena.actions[self.number]:
            return (
                self.observations.row(self.number),
                -self.arena.largest_value(self.objective),
                True,
                False,
                self._info(),
            )
        if is_asked:
            self.number = self._go_on(self.arena.actions[self.number][int(action)])
        is_over = self.arena.is_over(self.number)
        reward = self._reward() if is_over else 0.0
        return self.observations.row(self.number), reward, is_over, False, self._info()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are options now, under the name that some learners expect."""
        return self.observations.mask(self.number).astype(bool)

    def render(self) -> str | None:
        """The position on one line."""
        return self.arena.describe(self.number) if self.render_mode == "ansi" else None

    def _go_on(self, number: int) -> int:
        """The player's next decision or the end, after random rolls and the other side's decisions."""
        while not self.arena.is_over(number) and self.arena.player(number) is not self.role:
            if self.arena.is_roll(number):
                number = self.arena.roll(number, self.np_random)
            else:
                number = self.arena.actions[number][self._reply(number)]
        return number

    def _reply(self, number: int) -> int:
        if not isinstance(self._policy, dict):
            question = self.arena.decision(number).question
            return self.options.index(question.pick(self._policy(question)).id)
        taken = self._policy.get(number)
        actions = list(self.arena.actions[number])
        return actions[int(self.np_random.integers(len(actions)))] if taken is None else taken

    def _reward(self) -> float:
        value = self.arena.value_at_end(self.number, self.objective)
        return value if self.role is Role.ATTACKER else -value

    def _info(self) -> Json:
        info: Json = {"action_mask": self.observations.mask(self.number)}
        node = self.arena.graph.nodes[self.number]
        return info | ({"result": node.result.to_dict()} if isinstance(node, Ending) else {})


gymnasium.register("grognard/Battle-v0", f"{__name__}:BattleEnv")
