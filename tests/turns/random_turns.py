"""Random small turns of red."""

from random import Random
from typing import Any

from tests.soak import FACTOR
from tests.systems.frames.brute_table import TooClose

from .brute_assault import Assault
from .brute_frames import Frames
from .brute_supply import Supply
from .brute_tower import Tower
from .random_assault import ASSAULT_SWITCHES, random_assault
from .tree import Game, Json, TooLong, Turn

MOST_TREES = 3_000 if FACTOR == 1 else 12_000
"""Of a turn: a fifth of those of frames have more, and some of assault. Without a bound, one takes as long as all."""

GAMES: dict[str, type[Assault] | type[Frames] | type[Supply] | type[Tower]] = {
    "supply": Supply,
    "tower": Tower,
    "frames": Frames,
    "assault": Assault,
}

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


FRAMES_SWITCHES: dict[str, tuple[Any, ...]] = {
    "both_covers": ("owner_picks", "terrain", "frame"),
    "abandon_per_attack": ("once", "once_per_station"),
    "covering_frame_may_abandon": (True, False),
    "drop_white_first": (False, True),
    "rocket_spent": ("when_assigned", "when_rolled"),
    "white_with_rocket_only": (False, True),
}
SWITCHES = {
    "supply": SUPPLY_SWITCHES,
    "tower": TOWER_SWITCHES,
    "frames": FRAMES_SWITCHES,
    "assault": ASSAULT_SWITCHES,
}


def random_game(random: Random, system: str) -> Game:
    """A random turn; nearly always with a possible attack."""
    while True:
        game: Game = GAMES[system](random_turn(random, system))
        try:
            attacks = game.attacks(game.start)
            Turn(game, "random", "random", most=MOST_TREES).after(game.start)  # goes wherever frames may move
        except (TooClose, TooLong):
            continue
        if attacks or random.random() < 0.05:
            return game


def random_turn(random: Random, system: str) -> Json:
    """One to three red units and one to three others, in any order, some of them alike."""
    if system == "assault":
        return random_assault(random)
    if system == "frames":
        return random_frames(random)
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


def random_frames(random: Random) -> Json:
    """One to three frames of red, one or two others, by numbers or on a table."""
    players = random.choice(["rb", "rrb", "rrb", "rrbb", "rrbg", "rrrb", "rbb"])
    names = {"r": "red", "b": "blue", "g": "green"}
    shuffled = random.sample(players, len(players))
    frames = [{"id": f"f{n}", "player": names[one], **random_frame(random)} for n, one in enumerate(shuffled)]
    if random.random() < 0.3:
        frames = [{**frames[0], "id": frame["id"], "player": frame["player"]} for frame in frames]
    terrain = [{"id": f"t{n}", "hits": random.randint(0, 2)} for n in range(random.choice([0, 1, 1]))]
    rules = {name: random.choice(values) for name, values in FRAMES_SWITCHES.items() if random.random() < 0.4}
    source: Json = {"system": "frames", "frames": frames, "terrain": terrain, "rules": rules}
    if random.random() < 0.4:
        put_on_table(random, source)
    turn: Json = {"player": "red", "shots": random_shots(random, source)}
    if random.random() < 0.3:
        turn["target"] = random.choice([frame["id"] for frame in frames if frame["player"] != "red"])
    return {**source, "turn": turn}


def random_frame(random: Random) -> Json:
    kinds = ["defense", "defense", "movement", "spotting", "hand", "direct", "direct", "artillery"]
    systems = random.sample(kinds, random.choice([0, 1, 1, 1, 2]))
    frame: Json = {
        "systems": systems,
        "white": 1 if len(systems) > 1 else random.choice([1, 1, 2]),
        "rockets": 0 if len(systems) > 1 else random.choice([0, 0, 0, 1]),
        "acted": random.random() < 0.1,
    }
    if random.random() < 0.5:
        frame["defense"] = random.randint(1, 6)
    if random.random() < 0.2:
        frame["spot"] = random.randint(1, 3)
    return frame


def put_on_table(random: Random, source: Json) -> None:
    """Everybody within a few units of each other, some of them near stations."""
    source["table"] = {"size": [12, 12]}
    for frame in source["frames"]:
        frame["at"] = [random_place(random, 12 if random.random() < 0.3 else 4) for _ in range(2)]
    for piece in source["terrain"]:
        x, y = random_place(random, 4), random_place(random, 4)
        piece["outline"] = [[x, y], [x + 1, y], [x + 1, y + 1]]
        piece["height"] = random.choice([2, 3, 4])
    source["stations"] = [
        {"id": f"s{n}", "at": [random_place(random, 4), random_place(random, 4)]}
        | ({"holder": holder} if (holder := random.choice(["red", "blue", None])) else {})
        for n in range(random.choice([0, 1, 1, 2]))
    ]


def random_place(random: Random, most: int) -> float:
    return random.randint(0, 100 * most) / 100


def random_shots(random: Random, source: Json) -> list[Json]:
    """Up to three shots; of what may be left out, some is."""
    own = [frame for frame in source["frames"] if frame["player"] == "red"]
    enemies = [frame for frame in source["frames"] if frame["player"] != "red"]
    shots: list[Json] = []
    for number in range(random.choice([1, 2, 2] if source.get("stations") else [1, 2, 2, 3, 3])):
        by = random.choice(own)
        on = random.choice([*enemies, *enemies, *enemies, *source["terrain"]])
        shot: Json = {"id": f"shot {number}", "by": by["id"], "on": on["id"]}
        if "table" not in source or random.random() < 0.2:
            shot["range"] = random.choice(["hand", "direct", "direct", "artillery"])
        if "hits" not in on:
            shot |= random_marks(random, source, shot, on)
        shots.append(shot)
    pairs = [(shot["by"], shot["on"]) for shot in shots]
    for shot in shots:
        if pairs.count((shot["by"], shot["on"])) == 1 and random.random() < 0.5:
            del shot["id"]
    return shots


def random_marks(random: Random, source: Json, shot: Json, on: Json) -> Json:
    marks: Json = {}
    if "defense" not in on:
        marks["defense"] = random.choice([random.randint(1, 6), 3, "not yet"])
    elif random.random() < 0.3:
        marks["defense"] = on["defense"]
    if random.random() < 0.2:
        marks["spot"] = on.get("spot", random.randint(1, 3))
    if random.random() < (0.2 if "table" in source else 0.4):
        frames = [frame["id"] for frame in source["frames"] if frame["id"] not in (shot["by"], shot["on"])]
        covers = [*random.sample(frames, min(1, len(frames))), *(piece["id"] for piece in source["terrain"])]
        marks["cover"] = random.sample(covers, random.randint(0, len(covers)))
    for key in ("near_station", "covering_near_station"):
        if random.random() < (0.1 if "table" in source else 0.3):
            marks[key] = random.choice([0, 1, 2, True])
    return marks
