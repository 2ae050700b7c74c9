"""Whole battles with exact answers that another program computed."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grognard.engines.odds import odds
from grognard.files import battle

CHECKS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("checks.json").read_text("utf-8"))


@pytest.mark.parametrize("check", CHECKS, ids=range(len(CHECKS)))
def test_the_odds_are_those_another_program_found(check: dict[str, Any]) -> None:
    fight = battle(check["battle"])
    for answer in check["answers"]:
        found = odds(fight, answer["attacker"], answer["defender"], answer["objective"], exact=True)
        assert found.value == Fraction(answer["value"]), answer
        if "outcomes" in answer:
            outcomes = [{"p": str(p), "result": result.to_dict()} for p, result in found.outcomes]
            assert outcomes == answer["outcomes"], answer
