"""The engine against an independent brute force, and both against answers that were computed elsewhere."""

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard import odds
from grognard.files import battle
from tests.soak import cases, trying
from tests.systems.tower.battles import SWITCHES, attack, random_battle, unit
from tests.systems.tower.brute import solve

CHECKS = json.loads((Path(__file__).parent / "checks.json").read_text())
BATTLES = cases(1_600)
BATCHES = 8
POLICIES = ("best", "eager", "cautious", "random")
FIXED = POLICIES[1:]
OBJECTIVES = ("swing", "kill", "ground")


def outcomes_of(answer: dict[str, Any]) -> dict[str, Fraction]:
    return {json.dumps(entry["result"], sort_keys=True): Fraction(entry["p"]) for entry in answer["outcomes"]}


@pytest.mark.parametrize("check", CHECKS, ids=range(len(CHECKS)))
def test_check_values(check: dict[str, Any]) -> None:
    for answer in check["answers"]:
        who = answer["attacker"], answer["defender"], answer["objective"]
        actual = odds(battle(check["battle"]), *who, fractions=True)
        value, outcomes = solve(check["battle"], *who)
        assert Fraction(answer["value"]) == actual.value == value
        if "outcomes" in answer:
            assert outcomes_of(answer) == outcomes_of(actual.to_dict()) == outcomes


@pytest.mark.soak("tower against plain enumeration")
@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_battles_have_the_odds_of_the_brute_force(batch: int) -> None:
    random = Random(f"tower {batch}")
    for _ in trying(range(BATTLES // BATCHES)):
        source = random_battle(random)
        for policies in (POLICIES, FIXED):
            who = random.choice(policies), random.choice(policies), random.choice(OBJECTIVES)
            actual = odds(battle(source), *who, fractions=True)
            value, outcomes = solve(source, *who)
            assert value == actual.value, (source, who)
            if "best" not in who:
                assert outcomes == outcomes_of(actual.to_dict()), (source, who)


def test_the_random_battles_turn_every_switch_every_way() -> None:
    random = Random("tower 0")
    turned = {(name, value) for _ in range(200) for name, value in random_battle(random)["rules"].items()}
    assert turned == {(name, value) for name, values in SWITCHES.items() for value in values}


def test_the_random_battles_have_all_that_bears_on_an_attack() -> None:
    random = Random("tower 0")
    battles = [random_battle(random) for _ in range(200)]
    boards = [(source["rules"].get("board", "squares"), source["rules"].get("off_the_board")) for source in battles]
    assert min(boards.count((board, "wraps")) for board in ("squares", "hexes")) > 5
    assert {True, False} == {"direction" in source["attack"] for source in battles}
    in_capital = [
        unit
        for source in battles
        for unit in source["units"]
        if source["board"]["capitals"].get(unit["side"]) == unit["at"]
    ]
    assert {"u0", "u1", "u2"} <= {unit["id"] for unit in in_capital}
    assert {0, 1, 2} == {unit["range"] for source in battles for unit in source["units"]}
    assert {0, 7} <= {unit["defense"] for source in battles for unit in source["units"]}


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_best_play_with_four_possible_reinforcements_on_each_side(objective: str) -> None:
    reds = [unit("r1", 3, 4), unit("r2", 4, 3), unit("r3", 4, 5, attack=2), unit("r4", 2, 4, range=1)]
    blues = [unit("b1", 6, 4, defense=4), unit("b2", 5, 3, health=1), unit("b3", 5, 5), unit("b4", 7, 4, range=1)]
    source = attack(unit("red", 4, 4), unit("blue", 5, 4, health=2), *reds, *blues, capitals={"blue": [5, 3]})
    value, _ = solve(source, "best", "best", objective)
    assert value == odds(battle(source), objective=objective, fractions=True).value
