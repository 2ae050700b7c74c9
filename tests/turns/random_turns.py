"""Random small turns of red."""

from random import Random
from typing import Any

from .brute_assault import Assault
from .brute_supply import Supply
from .brute_tower import Tower
from .random_assault import random_assault
from .tree import Game, Json

GAMES: dict[str, type[Supply] | type[Tower] | type[Assault]] = {"supply": Supply, "tower": Tower, "assault": Assault}

SUPPLY_SWITCHES: dict[str, tuple[Any, ...]] = {
    "distance": ("orthogonal", "diagonal"),
    "cancelling": ("matching", "ranked"),
    "counter_timing": ("after_losses", "simultaneous"),
    "counters_per_turn": ("any", "one"),
    "counter_counts_as_fired": (False, True),
    "caller_keeps_attack": (False, True),
    "indirect_can_be_countered": (True, False),
    "destroyed_supplies": ("discarded", "captured"),
}
TOWER_SWITCHES: dict[str, tuple[Any, ...]] = {
    "board": ("squares", "hexes"),
    "capital_bonus": ("to_the_highest", "to_that_unit"),
    "half_of": ("full_health", "health_before_this_attack"),
    "ranged_push": (True, False),
    "bumped_into_enemy": ("primary_dies", "bumped_unit_dies"),
    "off_the_board": ("dies", "stays", "wraps"),
    "counter_range": ("after_push", "before_push"),
    "counter_dice_from": ("survivors", "all_who_defended"),
    "ranged_advance": (True, False),
}


def random_game(random: Random, system: str) -> Game:
    """A random turn; nearly always with a possible attack."""
    while True:
        game: Game = GAMES[system](random_turn(random, system))
        if game.attacks(game.start) or random.random() < 0.05:
            return game


def random_turn(random: Random, system: str) -> Json:
    """One to three red units and one to three others, in any order, some of them alike."""
    if system == "assault":
        return random_assault(random)
    make, switches = {"supply": (supply_unit, SUPPLY_SWITCHES), "tower": (tower_unit, TOWER_SWITCHES)}[system]
    sides = random.choice(["rb", "rrb", "rrb", "rrbb", "rrbb", "rrbg", "rrrb", "rrrb", "rbb", "rrbbg"])
    size = random.choice([(3, 3), (4, 3), (2, 5)])
    tiles = random.sample([[x + 1, y + 1] for x in range(size[0]) for y in range(size[1])], len(sides))
    units = [make(random) for _ in sides]
    if random.random() < 0.4:
        units = [{**units[0], **similar(random, one)} for one in units]
    names = {"r": "red", "b": "blue", "g": "green"}
    for number, (unit, side, at) in enumerate(zip(units, random.sample(sides, len(sides)), tiles, strict=True)):
        unit |= {"id": f"u{number}", "side": names[side], "at": at}
    rules = {name: random.choice(values) for name, values in switches.items() if random.random() < 0.5}
    turn = {"side": "red"}
    enemies = [unit["id"] for unit in units if unit["side"] != "red"]
    if random.random() < 0.3:
        turn["target"] = random.choice(enemies)
    source = {"system": system, "units": units, "rules": rules, "turn": turn}
    return source if system == "supply" else {**source, "board": random_board(random, size)}


def similar(random: Random, unit: Json) -> Json:
    """Some of what can change of a unit, so that it is like others in all else."""
    return {
        key: unit[key] for key in ("strength", "supply", "fired", "attacked") if key in unit and random.random() < 0.5
    }


def random_board(random: Random, size: tuple[int, int]) -> Json:
    capitals = {side: [random.randint(1, size[0]), random.randint(1, size[1])] for side in ("red", "blue")}
    return {"size": list(size), "capitals": capitals} if capitals["red"] != capitals["blue"] else {"size": list(size)}


def supply_unit(random: Random) -> Json:
    die = random.choice([4, 4, 6, 6, 6, 8, 10, 12, 20])
    return {
        "die": die,
        "strength": random.randint(1, 3 if die <= 6 else 2),
        "range": random.choice([0, 1, 2, 3, 3, 6, 6]),
        "ammo": random.choice([0, 1, 1, 1, 2]),
        "supply": random.randint(0, 3),
        "indirect": random.random() < 0.5,
        "fired": random.random() < 0.15,
        "countered": random.random() < 0.25,
    }


def tower_unit(random: Random) -> Json:
    health = random.choice([1, 2, 2, 3])
    return {
        "attack": random.choice([0, 1, 1, 2, 2, 3]),
        "defense": random.choice([0, 1, 2, 2, 3, 4, 5, 6, 7]),
        "health": health,
        "full_health": health + random.choice([0, 0, 1, 2]),
        "speed": random.choice([0, 1, 2, 3, 5, 6]),
        "range": random.choice([0, 0, 0, 1, 1, 2]),
        "attacked": random.random() < 0.15,
        "defended": random.random() < 0.15,
    }
