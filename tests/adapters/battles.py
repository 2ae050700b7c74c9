"""Random battles of every system, as its own tests make them."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count, islice
from random import Random

from tests.systems.assault.random_battles import random_battle as assault_battle
from tests.systems.frames.test_against_brute import random_attack, random_turn
from tests.systems.ranks.test_against_brute import random_battle as ranks_battle
from tests.systems.supply.test_against_brute import random_battle as supply_battle
from tests.systems.tower.battles import random_battle as tower_battle

from grognard.adapters.export import Kind, model_of
from grognard.core.errors import TooLarge
from grognard.core.systems import Battle, Json
from grognard.files import battle

RANDOM: dict[str, Callable[[int], Json]] = {
    "assault": assault_battle,
    "frames": lambda seed: (random_attack, random_turn)[seed % 2](seed),
    "ranks": ranks_battle,
    "supply": supply_battle,
    "tower": lambda seed: tower_battle(Random(seed)),
}
MOST = 400
"""Battles of more positions are passed over."""


@cache
def battles_with_decisions(system: str) -> list[tuple[int, Battle]]:
    """Fifty random battles in which somebody decides something, each with its seed."""
    return list(islice(_battles(system), 50))


def _battles(system: str) -> Iterator[tuple[int, Battle]]:
    for seed in count():
        found = battle(RANDOM[system](seed))
        try:
            if model_of(found, bound=MOST).kind is not Kind.CHAIN:
                yield seed, found
        except TooLarge:
            continue
