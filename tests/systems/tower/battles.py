"""Battles for the tests: written in a line, or random."""

from random import Random
from typing import Any

from grognard.core.rules import Choose
from grognard.files import battle
from grognard.plays.answers import Chosen, format_question
from grognard.plays.play import start
from tests.systems.playing import played
from tests.systems.tower.brute import distance, plain_way

Json = dict[str, Any]

SWITCHES: dict[str, tuple[str | bool, ...]] = {
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
"""Every switch and its values, the default first."""


def unit(name: str, column: int, row: int, **more: int | bool | str) -> Json:
    """A unit of attack 1, defense 2, health 3, speed 2; its side is red if its name begins with r, blue with b."""
    side = {"r": "red", "b": "blue", "g": "green"}[name[0]]
    plain = {"attack": 1, "defense": 2, "health": 3, "speed": 2, "range": 0}
    return {"id": name, "side": side, **plain, "at": [column, row], **more}


def attack(*units: Json, size: tuple[int, int] = (9, 9), direction: str | None = None, **more: Any) -> Json:
    """The first unit attacks the second; `capitals` may be given, and switches."""
    capitals = more.pop("capitals", {})
    named = {} if direction is None else {"direction": direction}
    return {
        "system": "tower",
        "board": {"size": list(size), "capitals": capitals},
        "units": list(units),
        "attack": {"by": units[0]["id"], "on": units[1]["id"], **named},
        "rules": more,
    }


def random_battle(random: Random) -> Json:
    """A crowded little board: pushes meet friends, enemies and edges, and many may reinforce."""
    rules = {name: random.choice(values) for name, values in SWITCHES.items() if random.random() < 0.5}
    kind = str(rules.get("board", "squares"))
    if random.random() < 0.1:
        kind = rules["board"] = "hexes"
        rules["off_the_board"] = "wraps"
    while True:
        line = random.choice([(random.randint(4, 8), 1), (1, random.randint(4, 8))])
        size = random.choice([(random.randint(2, 5), random.randint(2, 5)), line])
        tiles = [(column, row) for column in range(1, size[0] + 1) for row in range(1, size[1] + 1)]
        random.shuffle(tiles)
        units = [random_unit(random, number, tile) for number, tile in enumerate(tiles[: random.randint(2, 8)])]
        first, target = units[0], units[1]
        first["attacked"] = False
        start, goal = tuple(first["at"]), tuple(target["at"])
        if distance(kind, start, goal) <= first["range"] + 1:
            break
    ways = ["north", "east", "south", "west"]
    if kind == "hexes":
        ways = ["northeast", "east", "southeast", "southwest", "west", "northwest"]
    is_named = random.random() < 0.3 or plain_way(kind, start, goal) is None
    capitals = {side: list(random.choice(tiles)) for side in ("red", "blue", "green") if random.random() < 0.7}
    return {
        "system": "tower",
        "board": {"size": list(size), "capitals": capitals},
        "units": random.sample(units, len(units)),
        "attack": {"by": "u0", "on": "u1", **({"direction": random.choice(ways)} if is_named else {})},
        "rules": rules,
    }


def random_unit(random: Random, number: int, tile: tuple[int, int]) -> Json:
    """The first two are enemies."""
    health = random.randint(1, 3)
    return {
        "id": f"u{number}",
        "side": ("red", "blue")[number] if number < 2 else random.choice(["red", "blue", "red", "blue", "green"]),
        "attack": random.randint(0, 3 if number == 0 else 2),
        "defense": random.choice([0, 1, 2, 2, 3, 3, 4, 5, 6, 7]),
        "health": health,
        **random.choice([{}, {"full_health": health + random.randint(0, 2)}]),
        "speed": random.randint(0, 6),
        "range": random.choice([0, 0, 1, 2]),
        "at": list(tile),
        "attacked": random.random() < 0.15,
        "defended": random.random() < 0.15,
    }


def prompt(source: Json, *answers: str | list[int]) -> str:
    """What is asked after these answers; "over" if nothing is."""
    question = played(source, *answers).question
    return "over" if question is None else format_question(question)


def left(source: Json, *answers: str | list[int]) -> dict[str, tuple[int, list[int] | None]]:
    """Every unit's Health and tile after these answers, and no to all that is asked after them."""
    playing = played(source, *answers)
    while playing.question is not None:
        playing = playing.answer(Chosen("no"))
    units = playing.result.to_dict()["units"]
    return {name: (unit["health"], unit["at"]) for name, unit in units.items()}


def helpers_asked(source: Json, side: str) -> list[str]:
    """The units of a side whose player is asked whether they reinforce, when everybody does."""
    playing, names = start(battle(source)), list[str]()
    while isinstance(playing.question, Choose) and " reinforce the " in playing.question.prompt:
        if playing.question.by == side:
            names.append(playing.question.prompt.split()[2])
        playing = playing.answer(Chosen("yes"))
    return names
