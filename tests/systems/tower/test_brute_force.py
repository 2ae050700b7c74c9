"""The engine against an independent brute force, and both against answers that were computed elsewhere."""

import json
import os
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard.engines.odds import odds
from grognard.files import battle
from tests.systems.tower.battles import random_battle
from tests.systems.tower.brute import solve

CHECKS = json.loads((Path(__file__).parent / "checks.json").read_text())
BATTLES = 1_600 * int(os.environ.get("GROGNARD_SOAK", "1"))
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
        found = odds(battle(check["battle"]), *who, exact=True)
        value, outcomes = solve(check["battle"], *who)
        assert Fraction(answer["value"]) == found.value == value
        if "outcomes" in answer:
            assert outcomes_of(answer) == outcomes_of(found.to_dict()) == outcomes


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_battles_have_the_odds_of_the_brute_force(batch: int) -> None:
    random = Random(f"tower {batch}")
    for _ in range(BATTLES // BATCHES):
        source = random_battle(random)
        for policies in (POLICIES, FIXED):
            who = random.choice(policies), random.choice(policies), random.choice(OBJECTIVES)
            found = odds(battle(source), *who, exact=True)
            value, outcomes = solve(source, *who)
            assert value == found.value, (source, who)
            if "best" not in who:
                assert outcomes == outcomes_of(found.to_dict()), (source, who)
