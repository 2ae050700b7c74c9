"""Random small turns of assault: us fires on everybody else, half of the time on a board."""

from random import Random

from tests.systems.assault.brute import CARDS, COMMAND, FACING
from tests.systems.assault.random_battles import EXPERIENCE, MARKS, SWITCHES, WRITTEN

from .tree import Json

ASSAULT_SWITCHES = SWITCHES
ATTACKERS = ("US Bazooka", "US Bazooka", "IT Solothurn ATR", "light tank", "US 81 mm mortar")
SIDES = ("ub", "uub", "uub", "uub", "uubb", "uubb", "uubg", "uuub")
NAMES = {"u": "us", "b": "ge", "g": "it"}


def random_assault(random: Random) -> Json:
    """One to three units of us and one to three others, some of them alike, in any order."""
    sides = random.choice(SIDES)
    is_alike, units = random.random() < 0.4, list[Json]()
    mine, others = random_attacker(random), random_target(random)
    for side in sides:
        if side == "u":
            unit = mine if is_alike else random_attacker(random)
        else:
            unit = others if is_alike else random_target(random)
        units.append({**unit, "side": NAMES[side]})
    random.shuffle(units)
    for number, unit in enumerate(units):
        unit["id"] = f"u{number}"
    source: Json = {"system": "assault", "units": units, "turn": {"side": "us"}}
    (on_board if random.random() < 0.5 else off_board)(random, source, is_alike)
    enemies = [unit["id"] for unit in units if unit["side"] != "us"]
    if random.random() < 0.3:
        source["turn"]["target"] = random.choice(enemies)
    return with_cards(random, source)


def random_attacker(random: Random) -> Json:
    card = random.choice(ATTACKERS)
    unit: Json = {"card": card, "damage": random.choice([0, 0, 1])}
    if random.random() < 0.2:
        unit["experience"] = random.choice(EXPERIENCE)
    unit |= {mark: True for mark in ("ambush", "hiding", "fired_this_turn", "activated") if random.random() < 0.1}
    unit["attack_die_minus"] = random.choice([0, 0, 0, 1])
    return unit


def random_target(random: Random) -> Json:
    kind = random.choice(["infantry", "infantry", "artillery", "vehicle"])
    areas = {"front": "G", "flank": "B", "rear": "", "above": "B"}
    strength = random.choice([1, 2, 2, 3])
    unit: Json = {"kind": kind, "strength": strength, "defense": areas if kind == "vehicle" else random.choice("GB")}
    unit |= {"damage": random.randint(0, strength - 1), "move": random.choice([0, 1, 2])}
    unit["status"] = random.choice(["none", "none", "none", "suppressed", "fallback"])
    if random.random() < 0.2:
        unit["experience"] = random.choice(EXPERIENCE)
    unit |= {mark: True for mark in MARKS if random.random() < 0.08}
    if kind == "vehicle" and random.random() < 0.2:
        unit["immobilized"] = True
    return unit


def off_board(random: Random, source: Json, is_alike: bool) -> None:
    """Some of the attacks that there could be are listed; of units that are alike all."""
    mine, others = (
        [unit for unit in source["units"] if (unit["side"] == "us") == is_mine] for is_mine in (True, False)
    )
    pairs = [(by, on) for by in mine for on in others if is_alike or random.random() < 0.8]
    shared = {key: value for key, value in random_shot(random, mine[0], others[0]).items() if key != "id"}
    shots: list[Json] = []
    for by, on in pairs:
        for _ in range(1 if is_alike else random.choice([1, 1, 1, 2])):
            shot = shared if is_alike else random_shot(random, by, on)
            shots.append({**shot, "by": by["id"], "on": on["id"]})
    friends = [unit["id"] for unit in mine]
    for number, shot in enumerate(shots):
        if shot.get("id"):
            shot["id"] = f"shot {number}"
        free = [name for name in friends if name != shot["by"]]
        if free and not is_alike and shot["fire"] != "indirect" and random.random() < 0.25:
            shot |= {"joint": random.choice(free), "joint_range": random.randint(1, 3)}
    source["turn"]["shots"] = without_equals(shots)


def without_equals(shots: list[Json]) -> list[Json]:
    """Two shots of the same names and the same range need an id."""
    seen, listed = set[tuple[str, str, int]](), list[Json]()
    for number, shot in enumerate(shots):
        key = shot["by"], shot["on"], shot["range"]
        listed.append({**shot, "id": f"again {number}"} if key in seen and "id" not in shot else shot)
        seen.add(key)
    return listed


def random_shot(random: Random, by: Json, on: Json) -> Json:
    """A shot that is nearly always in reach."""
    is_armoured = on["kind"] == "vehicle"
    card = CARDS[by["card"]]
    fire, row = "firing", card["v_armour" if is_armoured else "v_infantry"]
    if "v_indirect" in card and (is_armoured or random.random() < 0.5):
        fire, row = "indirect", card["v_indirect"]
    elif card["kind"] != "artillery" and random.random() < 0.3:
        fire = random.choice(["move_and_fire", "fire_and_move", *(["turret_firing"] if card.get("turret") else [])])
    few = [band for band, dice in row.items() if len(dice) <= 2] or [(1, 2)]
    low, high = random.choice(few)
    shot: Json = {"range": random.choice([low, high, high]), "fire": fire}
    if random.random() < 0.4:
        shot["terrain"] = random.choice(["brush", "rocky", "clear", "trench"])
    if random.random() < 0.15:
        shot["hindering"] = random.choice([1, 1, 3])
    if random.random() < 0.2:
        shot["dice"] = random.choice(["R", "YB", "G", ""])
    if random.random() < 0.2:
        shot["defense"] = random.choice(["B", "G", ""])
    if random.random() < 0.3:
        shot["spotted"] = random.choice([True, False])
    if random.random() < 0.2:
        shot["id"] = "a shot"
    return shot


def on_board(random: Random, source: Json, is_alike: bool) -> None:
    """A board of a few hexes; once in a while indirect fire is listed on it."""
    size = random.choice([(4, 3), (3, 5), (6, 2)])
    tiles = [[column + 1, row + 1] for column in range(size[0]) for row in range(size[1])]
    random.shuffle(tiles)
    for unit, tile in zip(source["units"], tiles, strict=False):
        unit["at"] = tile
        kind = unit.get("kind") or CARDS[unit["card"]]["kind"]
        if kind != "infantry" and random.random() < 0.6:
            unit["facing"] = random.choice(sorted(FACING))
    grounds = ["brush", "deep water", "heavy forest", "rocky", "clear"]
    places = tiles[len(source["units"]) - 1 :][: random.randint(0, 3)]
    hexes = [{"at": tile, "terrain": random.choice(grounds), "smoke": random.random() < 0.1} for tile in places]
    source["board"] = {"size": list(size), "hexes": hexes}
    mortars = [unit for unit in source["units"] if unit.get("card") == "US 81 mm mortar" and unit["side"] == "us"]
    if mortars and random.random() < 0.5:
        enemies = [unit["id"] for unit in source["units"] if unit["side"] != "us"]
        source["turn"]["shots"] = [
            {"by": mortar["id"], "on": enemy, "fire": "indirect"} for mortar in mortars for enemy in enemies
        ]


def with_cards(random: Random, source: Json) -> Json:
    """With command cards, command points and switches."""
    held = [{"side": "us"}, {"side": "ge"}, {"side": "ge"}]
    sides = {unit["side"] for unit in source["units"]}
    cards, most = [], 3 if len(source["units"]) == 2 else 2 if len(source["units"]) == 3 else 1
    for card in held[: random.choice(range(most + 1))] if random.random() < 0.7 else []:
        if card["side"] in sides:
            what = {"card": random.choice(sorted(COMMAND))} if random.random() < 0.7 else effect(random)
            cards.append({**card, **what})
    if len(cards) == 1 and random.random() < 0.3:
        cards.append(cards[0])
    if cards:
        source["command_cards"] = cards
    if random.random() < 0.25:
        source["command_points"] = {"us": random.choice([0, 1, 1, 2, 3])}
    source["rules"] = {name: random.choice(values) for name, values in SWITCHES.items() if random.random() < 0.4}
    return source


def effect(random: Random) -> Json:
    return {"name": "of our own", "effect": random.choice(WRITTEN)}
