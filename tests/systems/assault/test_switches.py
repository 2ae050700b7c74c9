"""Every switch changes the odds of some battle."""

from dataclasses import fields

import pytest

from grognard.api import odds
from grognard.core.systems import Json
from grognard.files import battle
from grognard.systems.assault.switches import Switches

from .battles import HMG, RIFLES, fight, gathered

WEAK = fight({**RIFLES, "attack_die_minus": 1}, {**HMG, "digging_in": True, "experience": "veteran"}, hindering=2)
TURNED: dict[str, tuple[object, Json]] = {
    "weakest_die_lost": ("last", WEAK),
    "elite_ignores_critical_x": (False, fight(on={**HMG, "experience": "elite"}, dice="G", defense="")),
    "hindrance_dice": ("once", WEAK),
    "faces": ("alternative", fight()),
}


def test_every_switch_is_turned() -> None:
    assert set(TURNED) == {field.name for field in fields(Switches)}


@pytest.mark.parametrize("switch", TURNED)
def test_a_switch_changes_the_odds(switch: str) -> None:
    value, source = TURNED[switch]
    plain, turned = (odds(battle({**source, "rules": rules}), fractions=True) for rules in ({}, {switch: value}))
    assert plain.outcomes != turned.outcomes


def test_weakest_die_lost_last_waits_for_dice_that_come_after_it() -> None:
    by = {**RIFLES, "attack_die_minus": 1, "experience": "veteran"}
    on = {**HMG, "digging_in": True, "fast": True, "experience": "veteran"}
    cards = {"command_cards": [{"side": "us", "card": "steady aim"}]}
    in_sequence = {**fight(by, on, hindering=1), **cards}
    last = {**fight(by, on, hindering=1, rules={"weakest_die_lost": "last"}), **cards}
    assert gathered(in_sequence, "yes") == ("RRYB", "YB")
    assert gathered(last, "yes") == ("RRYB", "YG")
    assert gathered(in_sequence, "no") == ("RRY", "YB")
    assert gathered(last, "no") == ("RRY", "YG")
