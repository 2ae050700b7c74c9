"""Random small battles, legal by construction: any card, status, fire status, switch, ability, command card, board."""

from random import Random
from typing import Any

from grognard.core.systems import Json

from .brute import CARDS, COMMAND, FACING, FORTS, TABLES, TERRAIN, Attack, neighbours

SWITCHES: dict[str, tuple[Any, ...]] = {
    "weakest_die_lost": ("in_sequence", "last"),
    "elite_ignores_critical_x": (True, False),
    "critical_x_on_immobilised": ("if_it_must_fall_back", "eliminated"),
    "fallback_way": ("straight", "owner_chooses"),
    "hindrance_dice": ("each", "once"),
    "faces": ("transcribed", "alternative"),
}
EXPERIENCE = ("recruit", "regular", "hardened", "veteran", "elite")
MARKS = ("digging_in", "dug_in", "fast", "hiding", "hidden", "ambush", "delayed", "fired_this_turn")
GROUND = sorted(set(TERRAIN) - {"deep water"})
OWN_FACES = {
    "red": ["CC", "DX", "D", ""],
    "yellow": ["CD", "X", "D"],
    "green": ["C", "XX", "", ""],
    "blue": ["X", "D", ""],
}
WRITTEN: list[Json] = [
    {"pool": "attack", "gains": "G", "loses": "R", "x": 1},
    {"pool": "attack", "gains": "B", "rerolls": ["blank", "X"]},
    {"pool": "attack", "x": -1, "cancels": 1},
    {"pool": "attack", "rerolls": ["D", "C"]},
    {"pool": "attack", "loses": "Y", "cancels": 2},
    {"pool": "attack", "rerolls": ["X"], "cancels": 1},
    {"pool": "defense", "gains": "B", "rerolls": ["blank"]},
    {"pool": "defense", "loses": "GY"},
    {"pool": "defense", "gains": "G", "loses": "G"},
    {"pool": "defense", "rerolls": ["D", "X"]},
]
"""Effects with several parts, as cards and abilities may be written out."""


def random_battle(seed: int) -> Json:
    """A battle of this seed: one in three on a board."""
    return random_battle_on_board(seed) if seed % 3 == 2 else random_battle_without_board(seed)


def random_battle_without_board(seed: int) -> Json:
    """A battle whose facts are given; half of them have dice gathered by hand on some side."""
    random = Random(seed)
    target = random_target(random)
    attacker, attack = random_attack(random, target)
    units = [attacker, target]
    if attack["fire"] != "indirect" and random.random() < 0.2:
        units.append(
            {"id": "friend", "side": "us", "card": "IT Solothurn ATR", "attack_die_minus": random.randint(0, 1)}
        )
        attack |= {"joint": "friend", "joint_range": random.randint(1, 9)}
        if random.random() < 0.5:
            attack["joint_hindering"] = random.randint(0, 2)
    if random.random() < 0.2:
        attack["dice"] = random_dice(random, 3)
    if random.random() < 0.2:
        attack["defense"] = random_dice(random, 3)
    return with_effects(random, {"system": "assault", "units": units, "attack": attack})


def random_battle_on_board(seed: int) -> Json:
    """A battle on a small board, from which range, sight, arc, area and terrain follow: the first that is possible."""
    random = Random(seed)
    while True:
        source = random_board(random)
        attack = Attack(source, "best", "best", "swing")
        firers = [attack.by, *(attack.unit(name) for name in [source["attack"].get("joint")] if name)]
        if all(can_fire(attack, unit) for unit in firers) and has_fire_status(attack):
            return with_effects(random, source)


def has_fire_status(attack: Attack) -> bool:
    """Whether the attacker can have its fire status: out of arc only a turret fires, and it alone if nobody moves."""
    if attack.is_in_arc():
        return attack.fire != "turret_firing"
    return bool(attack.by.get("turret")) and attack.fire not in ("firing", "indirect")


def can_fire(attack: Attack, unit: Json) -> bool:
    hexes = attack.hexes_from(unit, "on a board")
    return any(low <= hexes <= high for low, high in attack.row(unit)) and attack.hindering_from(unit, "there") <= 2


def random_board(random: Random) -> Json:
    columns, rows = random.randint(4, 8), random.randint(4, 7)
    tiles = random.sample([[column, row] for column in range(1, columns + 1) for row in range(1, rows + 1)], 16)
    target = random_target(random)
    attacker, attack = random_attack(random, target)
    for unit, tile in ((attacker, tiles[0]), (target, tiles[1])):
        unit["at"] = tile
        if random.random() < 0.7:
            unit["facing"] = random.choice(sorted(FACING))
    if random.random() < 0.5:
        target["status"] = random.choice(["suppressed", "none"])
        target["delayed"] = random.random() < 0.5
    if random.random() < 0.3:
        target["move"] = random.randint(0, 4)
    others: list[Json] = [
        {"id": f"other{number}", "side": random.choice(["us", "ge", "it"]), "card": "US Bazooka", "at": tile}
        for number, tile in enumerate(tiles[2 : 2 + random.randint(0, 3)])
    ]
    joint = {}
    around = [list(tile) for tile in neighbours((tiles[0][0], tiles[0][1])).values()]
    beside = [tile for tile in around if tile not in tiles and 1 <= tile[0] <= columns and 1 <= tile[1] <= rows]
    if attack["fire"] != "indirect" and beside and random.random() < 0.3:
        others.append({"id": "friend", "side": "us", "card": "IT Solothurn ATR", "at": random.choice(beside)})
        joint = {"joint": "friend"}
    grounds = [*GROUND, *FORTS, *["brush", "light forest", "olive or vine"] * 3, *["deep water"] * 4, "clear"]
    hexes = [random_hex(random, tile, grounds) for tile in tiles[5 : 5 + random.randint(0, 11)]]
    if random.random() < 0.6:
        hexes.append({"at": tiles[1], "terrain": random.choice([*GROUND, *FORTS])})
    return {
        "system": "assault",
        "board": {"size": [columns, rows], "hexes": hexes},
        "units": [attacker, target, *others],
        "attack": {"by": "attacker", "on": "target", "fire": attack["fire"], **joint},
    }


def random_hex(random: Random, tile: list[int], grounds: list[str]) -> Json:
    place: Json = {"at": tile, "terrain": random.choice(grounds)}
    if random.random() < 0.3:
        place["elevation"] = random.choice([-1, 1, 1, 2])
    if random.random() < 0.2:
        place["smoke"] = True
    return place


def with_effects(random: Random, source: Json) -> Json:
    """With command cards, abilities and switches."""
    if random.random() < 0.5:
        source["command_cards"] = [random_card(random) for _ in range(random.randint(1, 3))]
    for unit, when in zip(source["units"], ("attacking", "defending"), strict=False):
        if random.random() < 0.15:
            effect = random.choice([*COMMAND.values(), *WRITTEN])
            unit["abilities"] = [{"name": "tough", "when": when, "effect": effect, "spotting": random.randint(-1, 1)}]
    source["rules"] = {name: random.choice(values) for name, values in SWITCHES.items() if random.random() < 0.5}
    if random.random() < 0.05:
        source["rules"]["faces"] = OWN_FACES
    if random.random() < 0.15:
        source["tables"] = {name: random_table(random, name) for name in random.sample(sorted(TABLES), 3)}
    if random.random() < 0.2:
        source["command_points"] = {"us": random.randint(1, 3), "ge": 0}
    return source if is_small(source) else without_rerolls(source)


def is_small(source: Json) -> bool:
    """Whether so few dice are rolled that plain recursion can tell all of them apart."""
    attack = Attack(source, "best", "best", "swing")
    dice = source["attack"].get("dice") or attack.dice_at(attack.by, attack.range)
    extra = ("joint" in source["attack"]) + (attack.by.get("experience") in ("veteran", "elite"))
    return len(dice) + extra <= 4 and len(attack.defence_dice(attack.areas(), spotted=False)) <= 4


def without_rerolls(source: Json) -> Json:
    """Without cards and abilities that act on dice on the table: those that roll them again, or cancel symbols."""

    def acts(effect: Json) -> bool:
        return "rerolls" in effect or "cancels" in effect

    held = source.get("command_cards", [])
    cards = [card for card in held if not acts(card["effect"] if "effect" in card else COMMAND[card["card"]])]
    units = [
        {key: value for key, value in unit.items() if key != "abilities" or not acts(value[0]["effect"])}
        for unit in source["units"]
    ]
    return {**source, "command_cards": cards, "units": units}


def random_card(random: Random) -> Json:
    side = random.choice(["us", "ge"])
    if random.random() < 0.7:
        return {"side": side, "card": random.choice(sorted(COMMAND))}
    return {"side": side, "name": "of our own", "effect": random.choice(WRITTEN)}


def random_table(random: Random, name: str) -> Json:
    """One of the player's aid's tables with other figures."""
    return {
        key: random_dice(random, 1) if isinstance(figure, str) else max(0, figure + random.randint(-2, 2))
        for key, figure in TABLES[name].items()
    }


def random_dice(random: Random, most: int) -> str:
    return "".join(random.choice("RYGB") for _ in range(random.randint(0, most)))


def random_target(random: Random) -> Json:
    card = random.choice(["US Rifles 43", "US Bazooka", "US 81 mm mortar", "light tank", "medium tank", "heavy tank"])
    kind, strength = CARDS[card]["kind"], CARDS[card]["strength"]
    unit: Json = {"id": "target", "side": "ge", "card": card, "experience": random.choice(EXPERIENCE)}
    if random.random() < 0.3:
        del unit["card"]
        unit |= {"kind": kind, "strength": strength, "defense": CARDS[card]["defense"]}
        if kind == "vehicle" and random.random() < 0.3:
            unit |= random.choice([{"armoured": False}, {"defense": "B"}, {"defense": "B", "armoured": True}])
    unit["damage"] = random.randint(0, strength - 1)
    unit["status"] = random.choice(["none", "none", "suppressed", "fallback"])
    unit |= {mark: True for mark in MARKS if random.random() < 0.15}
    if kind == "vehicle" and random.random() < 0.3:
        unit["immobilized"] = True
    return unit


def random_attack(random: Random, target: Json) -> tuple[Json, Json]:
    """An attacker that has dice against the target, at a range that they reach."""
    is_vehicle = "vehicle" in (target.get("kind"), CARDS[target.get("card", "US Bazooka")]["kind"])
    is_tank = is_vehicle and target.get("armoured", target.get("defense") != "B")
    has_row = [card for card in CARDS if CARDS[card]["v_armour"] or not is_tank or "v_indirect" in CARDS[card]]
    card = random.choice(has_row)
    kind, row = CARDS[card]["kind"], CARDS[card]["v_armour" if is_tank else "v_infantry"]
    fires = ["firing", *(["move_and_fire", "fire_and_move"] if kind != "artillery" else [])]
    fire = random.choice([*fires, "turret_firing"] if kind == "vehicle" else fires)
    if "v_indirect" in CARDS[card] and (not row or random.random() < 0.5):
        fire, row = "indirect", CARDS[card]["v_indirect"]
    low, high = random.choice(sorted(row))
    attack: Json = {"by": "attacker", "on": "target", "range": random.randint(low, high), "fire": fire}
    attack |= {"terrain": random.choice([*GROUND, *FORTS]), "hindering": random.choice([0, 0, 1, 2])}
    if random.random() < 0.3:
        attack["area"] = random.choice(["front", "flank", "rear", "above"])
    if random.random() < 0.3:
        attack["spotted"] = random.choice([True, False, "roll"])
    unit: Json = {"id": "attacker", "side": "us", "card": card, "experience": random.choice(EXPERIENCE)}
    unit |= {
        "damage": random.randint(0, CARDS[card]["strength"] - 1),
        "attack_die_minus": random.choice([0, 0, 1, 2, 4]),
    }
    if random.random() < 0.2:
        unit["ambush"] = True
    if random.random() < 0.2:
        unit["half"] = random.randint(0, CARDS[card]["strength"])
    if random.random() < 0.2:
        unit = written_out(unit)
    if kind == "vehicle" and fire in ("move_and_fire", "fire_and_move") and random.random() < 0.5:
        attack["in_arc"] = random.choice([True, False])
    return unit, attack


def written_out(unit: Json) -> Json:
    """The unit with all that its card says, instead of the card."""
    card = CARDS[unit["card"]]
    plain: Json = {key: card[key] for key in ("kind", "strength", "move", "defense", "turret") if key in card}
    rows: Json = {
        key: {f"{low}-{high}" if high > low else str(low): dice for (low, high), dice in card[key].items()}
        for key in ("v_infantry", "v_armour", "v_indirect")
        if key in card
    }
    return {**{key: value for key, value in unit.items() if key != "card"}, **plain, **rows}
