"""Whole battles of every system with exact answers that another program computed."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grognard.api import odds
from grognard.files import battle
from grognard.systems import names

CHECKS: list[tuple[str, int, dict[str, Any]]] = [
    (name, number, check)
    for name in names()
    for number, check in enumerate(
        json.loads(Path(__file__).with_name(name).joinpath("checks.json").read_text("utf-8"))
    )
]


@pytest.mark.parametrize("check", [pytest.param(check, id=f"{name}-{number}") for name, number, check in CHECKS])
def test_the_odds_are_those_another_program_found(check: dict[str, Any]) -> None:
    fight = battle(check["battle"])
    for answer in check["answers"]:
        actual = odds(fight, answer["attacker"], answer["defender"], answer["objective"], fractions=True)
        assert actual.value == Fraction(answer["value"]), answer
        if "outcomes" in answer:
            assert outcomes_of(actual.to_dict()) == outcomes_of(answer), answer


def outcomes_of(answer: dict[str, Any]) -> dict[str, Fraction]:
    return {json.dumps(entry["result"], sort_keys=True): Fraction(entry["p"]) for entry in answer["outcomes"]}
