"""Random small battles under every switch: the engine against the plain recursion, in fractions."""

import json
from random import Random

import pytest

from grognard.api import odds
from grognard.files import battle
from tests.soak import cases

from .brute import COMMAND, FORTS, TABLES, TERRAIN, Attack, solve
from .random_battles import MARKS, OWN_FACES, SWITCHES, random_battle

BATTLES = cases(240)
POLICIES = ["best", "eager", "cautious", "random"]


@pytest.mark.soak("assault against plain enumeration")
@pytest.mark.parametrize("seed", range(BATTLES))
def test_the_engine_agrees_with_plain_recursion(seed: int) -> None:
    source = random_battle(seed)
    fight, random = battle(source), Random(seed)
    for objective in ("swing", "kill"):
        attacker, defender = random.choice(POLICIES), random.choice(POLICIES)
        value, outcomes = solve(source, attacker, defender, objective)
        actual = odds(fight, attacker, defender, objective, fractions=True)
        assert actual.value == value, (attacker, defender, objective)
        expected = {key: p for key, p in outcomes.items() if p}
        assert expected == {json.dumps(result.to_dict(), sort_keys=True): p for p, result in actual.outcomes}


def test_the_random_battles_turn_every_switch_and_show_every_mark() -> None:
    battles = [random_battle(seed) for seed in range(240)]
    turned = {(name, value) for source in battles for name, value in source["rules"].items() if value != OWN_FACES}
    assert turned == {(name, value) for name, values in SWITCHES.items() for value in values}
    assert set(MARKS) <= {mark for source in battles for mark in source["units"][1]}
    fires = {source["attack"]["fire"] for source in battles}
    assert fires == {"firing", "turret_firing", "move_and_fire", "fire_and_move", "indirect"}
    assert sum("command_cards" in source for source in battles) > 80
    assert sum("joint" in source["attack"] for source in battles) > 10
    assert sum("abilities" in unit for source in battles for unit in source["units"]) > 40
    assert {card["card"] for source in battles for card in source.get("command_cards", []) if "card" in card} == set(
        COMMAND
    )


def test_the_random_battles_have_all_terrain_tables_and_ways_to_write_a_unit() -> None:
    battles = [random_battle(seed) for seed in range(240)]
    grounds = {source["attack"].get("terrain") for source in battles}
    hexes = {place["terrain"] for source in battles if "board" in source for place in source["board"]["hexes"]}
    assert {*TERRAIN, *FORTS} == (grounds - {None}) | hexes
    assert set(TABLES) == {name for source in battles for name in source.get("tables", {})}
    assert OWN_FACES in [source["rules"].get("faces") for source in battles]
    keys = {key for source in battles for unit in source["units"] for key in unit}
    assert {"half", "armoured", "turret", "v_infantry", "v_armour", "v_indirect", "immobilized", "move"} <= keys
    assert {True, False, None} == {source["attack"].get("in_arc") for source in battles}
    assert any(source["attack"]["fire"] == "move_and_fire" and "board" in source for source in battles)
    assert any("command_points" in source for source in battles)


def test_the_random_boards_show_what_a_board_decides() -> None:
    boards = [random_battle(seed) for seed in range(2, 240, 3)]
    attacks = [Attack(source, "best", "best", "swing") for source in boards]
    assert {1, 2} <= {attack.hindering for attack in attacks}
    assert sum(len(attack.areas()) == 2 for attack in attacks) > 3
    assert {"front", "flank", "rear"} <= {area for attack in attacks for area in attack.areas()}
    assert sum("joint" in source["attack"] for source in boards) > 5
    assert sum(source["units"][1]["status"] == "suppressed" for source in boards) > 20
