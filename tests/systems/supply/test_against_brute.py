"""Random small battles under every switch: the engine against the plain recursion, in fractions."""

import json
from dataclasses import fields
from itertools import count
from random import Random
from typing import Any, get_args, get_type_hints

import pytest

from grognard import odds
from grognard.core.errors import BattleError
from grognard.core.systems import Json
from grognard.files import battle
from grognard.systems.supply.setup import Switches
from tests.soak import cases

from .brute import solve, ways_open

BATTLES = cases(240)
POLICIES = ["best", "eager", "cautious", "random"]
VALUES: dict[str, tuple[Any, ...]] = {
    switch.name: get_args(get_type_hints(Switches)[switch.name]) or (False, True) for switch in fields(Switches)
}


def random_unit(random: Random, number: int, at: tuple[int, int]) -> Json:
    """The first attacks, the second is attacked, the others are mostly friends of the first."""
    die = random.choice([4, 6, 8, 10, 12, 20])
    return {
        "id": f"u{number}",
        "side": random.choice(["red", "red", "red", "blue", "green"]) if number > 1 else ["red", "blue"][number],
        "die": die,
        "strength": random.randint(1, 3 if die <= 8 else 2),
        "range": random.randint(0, 6),
        "ammo": random.randint(0, 2),
        "supply": random.randint(0, 4),
        "at": list(at),
        "indirect": random.random() < 0.7,
        "fired": random.random() < 0.2,
        "countered": random.random() < 0.4,
    }


def random_attack(random: Random) -> Json:
    """Two to five units on a small board, and an attack that may or may not be legal."""
    squares = random.sample([(column, row) for column in range(1, 5) for row in range(1, 5)], random.randint(2, 5))
    units = [random_unit(random, number, at) for number, at in enumerate(squares)]
    rules = {name: random.choice(values) for name, values in VALUES.items() if random.random() < 0.5}
    attack = {"by": "u0", "on": "u1"}
    if random.random() < 0.3:
        attack["how"] = random.choice(["direct", "call in"])
    if random.random() < 0.1:
        attack["through"] = random.choice(units)["id"]
    return {"system": "supply", "units": units, "attack": attack, "rules": rules}


def random_battle(seed: int) -> Json:
    """The first legal attack of this seed."""
    random = Random(seed)
    return next(source for _ in count() if ways_open(source := random_attack(random)))


@pytest.mark.soak("supply against plain enumeration")
@pytest.mark.parametrize("seed", range(BATTLES))
def test_the_engine_agrees_with_plain_recursion(seed: int) -> None:
    source = random_battle(seed)
    random = Random(seed)
    for objective in ("swing", "kill", "swing"):
        attacker, defender = random.choice(POLICIES), random.choice(POLICIES)
        value, outcomes = solve(source, attacker, defender, objective)
        actual = odds(battle(source), attacker, defender, objective, fractions=True)
        assert actual.value == value
        assert {json.dumps(result.to_dict(), sort_keys=True): p for p, result in actual.outcomes} == outcomes


@pytest.mark.soak("supply against plain enumeration")
@pytest.mark.parametrize("seed", range(BATTLES))
def test_an_attack_is_legal_exactly_if_a_way_is_open(seed: int) -> None:
    source = random_attack(Random(seed))
    try:
        battle(source)
    except BattleError:
        assert ways_open(source) == []
    else:
        assert ways_open(source) != []


def test_the_random_battles_turn_every_switch_every_way() -> None:
    turned = {(name, value) for seed in range(BATTLES) for name, value in random_battle(seed)["rules"].items()}
    assert turned == {(name, value) for name, values in VALUES.items() for value in values}


def test_the_random_battles_have_all_that_bears_on_an_attack() -> None:
    battles = [random_battle(seed) for seed in range(BATTLES)]
    units = [unit for source in battles for unit in source["units"]]
    assert {4, 6, 8, 10, 12, 20} == {unit["die"] for unit in units}
    assert {0, 6} <= {unit["range"] for unit in units}
    assert {None, "direct", "call in"} == {source["attack"].get("how") for source in battles}
    assert {"red", "blue", "green"} == {unit["side"] for unit in units}
    assert any("through" in source["attack"] for source in battles)
    assert any(unit["supply"] < unit["ammo"] for source in battles for unit in source["units"][:1])


def test_many_random_battles_leave_the_attacker_a_choice() -> None:
    assert sum(len(ways_open(random_battle(seed))) > 1 for seed in range(BATTLES)) > BATTLES // 8
