"""Every switch changes the odds of some battle."""

from dataclasses import fields

import pytest

from grognard.api import odds
from grognard.core.rules import Choose
from grognard.core.systems import Json
from grognard.files import battle
from grognard.systems.assault.setup import Switches

from .battles import HMG, RIFLES, TANK, fate, fight, gathered, played

WEAK = fight({**RIFLES, "attack_die_minus": 1}, {**HMG, "digging_in": True, "experience": "veteran"}, hindering=2)
ON_BOARD: Json = {
    **fight({**RIFLES, "at": [2, 3]}, {**HMG, "at": [4, 4], "status": "suppressed"}, range=None),
    "board": {"size": [9, 9]},
}
TURNED: dict[str, tuple[object, Json]] = {
    "weakest_die_lost": ("last", WEAK),
    "elite_ignores_critical_x": (False, fight(on={**HMG, "experience": "elite"}, dice="G", defense="")),
    "critical_x_on_immobilised": ("eliminated", fight(on={**TANK, "immobilized": True}, dice="G", defense="")),
    "fallback_way": ("owner_chooses", ON_BOARD),
    "hindrance_dice": ("once", WEAK),
    "faces": ("alternative", fight()),
}


def test_every_switch_is_turned() -> None:
    assert set(TURNED) == {field.name for field in fields(Switches)}


@pytest.mark.parametrize("switch", TURNED)
def test_a_switch_changes_the_odds(switch: str) -> None:
    value, source = TURNED[switch]
    plain, turned = (
        odds(battle({**source, "rules": rules}), defender="random", fractions=True) for rules in ({}, {switch: value})
    )
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


@pytest.mark.parametrize(
    ("value", "expected"), [(None, (2, "suppressed", True)), ("eliminated", (4, "eliminated", True))]
)
def test_critical_x_on_immobilised(value: str | None, expected: tuple[int, str, bool]) -> None:
    tank = {**TANK, "immobilized": True}
    source = fight(on=tank, dice="G", defense="", rules={"critical_x_on_immobilised": value} if value else None)
    assert fate(source, ["CD"], ["X", ""]) == expected


def test_fallback_way_owner_chooses_hex_by_hex_among_those_that_allow_the_longest_way() -> None:
    source = {**ON_BOARD, "rules": {"fallback_way": "owner_chooses"}}
    play = played(source, ["DD", "", "X"], ["D", "D", ""])
    question = play.question
    assert isinstance(question, Choose)
    assert (question.by, [option.id for option in question.options]) == ("ge", ["east", "southeast"])
    end = play.choose("southeast").choose("east").choose("southeast")
    assert end.result.to_dict()["units"]["hmg"] == {
        "damage": 0,
        "status": "fallback",
        "immobilized": False,
        "at": [6, 6],
    }
