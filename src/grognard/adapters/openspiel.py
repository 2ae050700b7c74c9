"""Battles as games of OpenSpiel: `game(battle)`, or `pyspiel.load_game("grognard", {"battle": file or text})`.

Player 0 is the attacker, player 1 the defender. The game is zero-sum: the attacker's return is the value of the
objective. Every roll is one chance node with the odds of its reading.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from grognard.adapters.arena import PLAYERS, Arena
from grognard.adapters.observations import Observations, Row, observations_of, text_of
from grognard.core.errors import BattleError, Fault
from grognard.core.lazy import require_library
from grognard.core.systems import Battle
from grognard.files import battle_from_text, load
from grognard.solver.assumptions import Assumptions
from grognard.solver.graph import Chance, Decision

require_library("pyspiel", "grognard[ai]")
import pyspiel

GAME_TYPE = pyspiel.GameType(
    short_name="grognard",
    long_name="A battle of grognard",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=len(PLAYERS),
    min_num_players=len(PLAYERS),
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"battle": "", "objective": "swing"},
    default_loadable=False,
)


def game(battle: Battle, objective: str = "swing") -> "BattleGame":
    """A battle as a game. The game contains the text of the battle, so that it can be saved and loaded anywhere."""
    return BattleGame({"battle": text_of(battle), "objective": objective})


class BattleGame(pyspiel.Game):
    """A battle of any system. Its parameters are the battle, as a path or as text, and the objective."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        parameters = {"battle": "", "objective": "swing", **(params or {})}
        text, battle = read_battle(parameters["battle"])
        self.objective: str = parameters["objective"]
        Assumptions(objective=self.objective).check(battle)
        self.observations = observations_of(battle)
        self.arena = self.observations.arena
        super().__init__(GAME_TYPE, self._info(), {"battle": text, "objective": self.objective})

    def _info(self) -> Any:
        arena = self.arena
        largest = arena.largest_value(self.objective) or 1.0  # OpenSpiel refuses an empty range
        return pyspiel.GameInfo(
            num_distinct_actions=max(1, len(arena.options)),
            max_chance_outcomes=max(
                (len(edges) for number, edges in enumerate(arena.edges) if arena.is_roll(number)), default=0
            ),
            num_players=len(PLAYERS),
            min_utility=-largest,
            max_utility=largest,
            utility_sum=0.0,
            max_game_length=arena.longest(Decision),
        )

    def max_chance_nodes_in_history(self) -> int:
        """The largest number of rolls in any play."""
        return self.arena.longest(Chance)

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return pyspiel.load_game, (str(self),)

    def new_initial_state(self) -> "BattleState":
        """The battle before its first question."""
        return BattleState(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "Observer":
        """The observer of both players: a row of numbers, or with perfect recall the whole history as text."""
        return Observer(self.observations, kind if isinstance(kind, pyspiel.IIGObservationType) else None)


class BattleState(pyspiel.State):
    """A position of the battle. OpenSpiel copies and saves `__dict__`, which holds only the position's number."""

    __slots__ = ("__dict__", "arena", "objective")

    def __init__(self, game: BattleGame) -> None:
        super().__init__(game)
        self.arena: Arena = game.arena
        self.objective: str = game.objective
        self.number = self.arena.graph.start

    def current_player(self) -> int:
        """The number of the player who decides, or OpenSpiel's number for chance or for the end."""
        role = self.arena.player(self.number)
        if role is not None:
            return PLAYERS.index(role)
        return int(pyspiel.PlayerId.TERMINAL if self.is_terminal() else pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.arena.actions[self.number])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every outcome of the roll with its probability."""
        return [(outcome, edge.probability) for outcome, edge in enumerate(self.arena.edges[self.number])]

    def _apply_action(self, action: int) -> None:
        self.number = self.arena.actions[self.number][action]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.arena.edges[self.number][action].name
        return self.arena.options[action]

    def is_terminal(self) -> bool:
        """Whether the battle is over."""
        return self.arena.is_over(self.number)

    def returns(self) -> list[float]:
        """The returns of attacker and defender; 0 before the end."""
        value = self.arena.value_at_end(self.number, self.objective) if self.is_terminal() else 0.0
        return [value, -value or 0.0]

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return restore_state, (pyspiel.serialize_game_and_state(self.get_game(), self),)

    def __str__(self) -> str:
        return self.arena.describe(self.number)


def restore_state(saved: str) -> BattleState:
    """A state that was saved with its game."""
    state: BattleState = pyspiel.deserialize_game_and_state(saved)[1]
    return state


class Observer:
    """Observations of states for players. OpenSpiel reads `tensor`, or its parts by name in `dict`."""

    def __init__(self, observations: Observations, kind: Any) -> None:
        self.observations = observations
        self.is_private = kind is not None and not kind.public_info
        self.recalls = kind is not None and kind.perfect_recall
        shown = not (self.is_private or self.recalls)
        self.tensor: Row | None = np.zeros(observations.size, np.float32) if shown else None
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: BattleState, player: int) -> None:
        """Write the observation of a state into the tensor; it is the same for both players."""
        if self.tensor is not None:
            self.tensor[:] = self.observations.row(state.number)

    def string_from(self, state: BattleState, player: int) -> str:
        """The state as text: the history with perfect recall, or the position."""
        if self.is_private:
            return ""
        return str(state.history_str()) if self.recalls else str(state)


def read_battle(source: str) -> tuple[str, Battle]:
    """The quoted text that stands for a battle in the name of a game, and the battle, from a path or a text."""
    if not source:
        raise BattleError([Fault("battle", "is missing: a file, or the text of one")])
    text = source if _is_text(source) else unquote(source)
    if not _is_text(text):
        return quote(text), load(text)
    battle = battle_from_text(text)
    return quote(text_of(battle)), battle


def _is_text(source: str) -> bool:
    return "\n" in source or "{" in source


pyspiel.register_game(GAME_TYPE, BattleGame)
