"""Random small battles under every switch: the engine against the plain recursion, in fractions."""

import json
from dataclasses import fields
from random import Random
from typing import Any, get_args, get_type_hints

import pytest

from grognard import odds
from grognard.core.systems import Json
from grognard.files import battle
from grognard.systems.ranks.setup import Switches
from tests.soak import cases

from .brute import solve

BATTLES = cases(240)
POLICIES = ["best", "eager", "cautious", "random"]
VALUES: dict[str, tuple[Any, ...]] = {
    switch.name: get_args(get_type_hints(Switches)[switch.name]) for switch in fields(Switches)
}


def random_battle(seed: int) -> Json:
    """Up to four arrivals; a few units each, fewer where the die is large or many arrive."""
    random = Random(seed)
    rules = {name: random.choice(values) for name, values in VALUES.items() if random.random() < 0.6}
    most = 3 if rules.get("die", 10) <= 6 else 2
    sides = [random.choice(["attack", "attack", "defend"]) for _ in range(random.randint(1, 4))]
    most = most if len(sides) < 4 else 1 if rules.get("die", 10) > 10 else 2
    sides[random.randrange(len(sides))] = "attack"
    arrivals = [
        {"player": f"P{number}", "side": side, "units": random.randint(1, most), "optional": random.random() < 0.4}
        for number, side in enumerate(sides)
    ]
    defender = {"player": "D", "units": random.randint(1, most)}
    return {"system": "ranks", "defender": defender, "arrivals": arrivals, "rules": rules}


@pytest.mark.soak("ranks against plain enumeration")
@pytest.mark.parametrize("seed", range(BATTLES))
def test_the_engine_agrees_with_plain_recursion(seed: int) -> None:
    source = random_battle(seed)
    random = Random(seed)
    for objective in ("swing", "kill", "ground"):
        attacker, defender = random.choice(POLICIES), random.choice(POLICIES)
        value, outcomes = solve(source, attacker, defender, objective)
        actual = odds(battle(source), attacker, defender, objective, fractions=True)
        assert actual.value == value
        assert {json.dumps(result.to_dict(), sort_keys=True): p for p, result in actual.outcomes} == outcomes


def test_the_random_battles_have_every_order_of_arrival() -> None:
    battles = [random_battle(seed) for seed in range(BATTLES)]
    orders = {tuple(arrival["side"] for arrival in source["arrivals"]) for source in battles}
    assert {("attack", "defend", "attack"), ("defend", "attack", "attack"), ("defend", "defend", "attack")} <= orders
    assert {("attack",) * 3, ("attack",) * 4, ("attack", "defend", "defend")} <= orders
    assert {True, False} == {source["arrivals"][0]["optional"] for source in battles}


def test_the_random_battles_turn_every_switch_every_way() -> None:
    turned = {(name, value) for seed in range(BATTLES) for name, value in random_battle(seed)["rules"].items()}
    assert turned == {(name, value) for name, values in VALUES.items() for value in values}
