"""Scores: what each player's assets are worth, worked out anew when a frame is destroyed."""

from collections.abc import Mapping

from grognard.systems.frames.setup import Setup, Standing
from grognard.systems.frames.state import State

POINTS = 5
"""What an asset is worth to a player with neither the most nor the fewest of anything."""


def points_per_asset(player: Standing, all_players: Mapping[str, Standing]) -> int:
    """One less for the most frames and one for the most systems, one more for the fewest of each; ties all count."""
    frames = [standing.frames for standing in all_players.values()]
    systems = [standing.systems for standing in all_players.values()]
    return POINTS + _few_or_many(player.frames, frames) + _few_or_many(player.systems, systems)


def _few_or_many(count: int, counts: list[int]) -> int:
    return (count == min(counts)) - (count == max(counts))


def scores(setup: Setup, state: State) -> tuple[tuple[str, int], ...]:
    """Each player's live frames and held stations, times the points per asset."""
    standings = setup.scores or {}
    return tuple(
        (name, (alive(setup, state, name) + player.stations) * points_per_asset(player, standings))
        for name, player in standings.items()
    )


def alive(setup: Setup, state: State, player: str) -> int:
    """How many frames a player still has, those that are not in the file included."""
    standing = (setup.scores or {})[player]
    return standing.frames - standing.lost - destroyed(setup, state, player)


def destroyed(setup: Setup, state: State, player: str) -> int:
    """How many frames a player has lost in this attack."""
    pairs = zip(setup.frames, state.frames, strict=True)
    return sum(frame.player == player and not condition.white for frame, condition in pairs)
