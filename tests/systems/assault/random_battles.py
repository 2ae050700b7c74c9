"""Random small battles, legal by construction: any card, status, fire status, switch and command card."""

from random import Random
from typing import Any

from grognard.core.systems import Json

from .brute import CARDS, COMMAND, TERRAIN

SWITCHES: dict[str, tuple[Any, ...]] = {
    "weakest_die_lost": ("in_sequence", "last"),
    "elite_ignores_critical_x": (True, False),
    "hindrance_dice": ("each", "once"),
    "faces": ("transcribed", "alternative"),
}
EXPERIENCE = ("recruit", "regular", "hardened", "veteran", "elite")
MARKS = ("digging_in", "dug_in", "fast", "hiding", "hidden", "ambush", "delayed", "fired_this_turn")


def random_battle(seed: int) -> Json:
    """A battle of this seed: half of them with all dice gathered by hand on some side."""
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
    source: Json = {"system": "assault", "units": units, "attack": attack}
    if random.random() < 0.5:
        held = random.sample(sorted(COMMAND), random.randint(1, 3))
        source["command_cards"] = [{"side": random.choice(["us", "ge"]), "card": card} for card in held]
    source["rules"] = {name: random.choice(values) for name, values in SWITCHES.items() if random.random() < 0.5}
    return source


def random_dice(random: Random, most: int) -> str:
    return "".join(random.choice("RYGB") for _ in range(random.randint(0, most)))


def random_target(random: Random) -> Json:
    card = random.choice(["US Rifles 43", "US Bazooka", "US 81 mm mortar", "light tank", "medium tank"])
    kind, strength = CARDS[card]["kind"], CARDS[card]["strength"]
    unit: Json = {"id": "target", "side": "ge", "card": card, "experience": random.choice(EXPERIENCE)}
    if random.random() < 0.3:
        del unit["card"]
        unit |= {"kind": kind, "strength": strength, "defense": CARDS[card]["defense"]}
    unit["damage"] = random.randint(0, strength - 1)
    unit["status"] = random.choice(["none", "none", "suppressed", "fallback"])
    unit |= {mark: True for mark in MARKS if random.random() < 0.15}
    if kind == "vehicle" and random.random() < 0.3:
        unit["immobilized"] = True
    return unit


def random_attack(random: Random, target: Json) -> tuple[Json, Json]:
    """An attacker that has dice against the target, at a range that they reach."""
    is_tank = "vehicle" in (target.get("kind"), CARDS[target.get("card", "US Bazooka")]["kind"])
    card = random.choice([card for card in CARDS if CARDS[card]["v_armour"] or not is_tank or card.startswith("US 81")])
    kind, row = CARDS[card]["kind"], CARDS[card]["v_armour" if is_tank else "v_infantry"]
    fires = ["firing", *(["move_and_fire", "fire_and_move"] if kind != "artillery" else [])]
    fire = random.choice([*fires, "turret_firing"] if kind == "vehicle" else fires)
    if kind == "artillery" and (is_tank or random.random() < 0.5):
        fire, row = "indirect", CARDS[card]["v_indirect"]
    low, high = random.choice(sorted(row))
    attack: Json = {"by": "attacker", "on": "target", "range": random.randint(low, high), "fire": fire}
    attack |= {"terrain": random.choice(sorted(TERRAIN)), "hindering": random.choice([0, 0, 1, 2])}
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
    return unit, attack
