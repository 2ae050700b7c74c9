"""Random battles of every system, as its own tests make them."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count, islice
from random import Random

from tests.soak import cases
from tests.systems.assault.random_battles import random_battle as assault_battle
from tests.systems.frames.test_against_brute import random_attack, random_turn
from tests.systems.ranks.test_against_brute import random_battle as ranks_battle
from tests.systems.supply.test_against_brute import random_battle as supply_battle
from tests.systems.tower.battles import random_battle as tower_battle
from tests.turns.random_turns import random_turn as whole_turn

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
    """Random battles in which somebody decides something, each with its seed."""
    return list(islice(_with_decisions(RANDOM[system]), cases(50, 20)))


@cache
def turns_with_decisions(system: str) -> list[tuple[int, Battle]]:
    """Random turns in which there is more to decide than whether to attack at all, each with its seed."""
    return list(islice(_with_decisions(lambda seed: whole_turn(Random(seed), system), fewest=12), cases(30, 12)))


def _with_decisions(source: Callable[[int], Json], fewest: int = 1) -> Iterator[tuple[int, Battle]]:
    for seed in count():
        fight = battle(source(seed))
        try:
            model = model_of(fight, bound=MOST)
        except TooLarge:
            continue
        if model.kind is not Kind.CHAIN and len(model.states) >= fewest:
            yield seed, fight
