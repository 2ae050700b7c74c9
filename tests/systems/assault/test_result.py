"""What an attack is worth, what people ask of it, and what the battle file says afterwards."""

from typing import Any

import pytest

from grognard.core.rules import End
from grognard.core.systems import Json, Role
from grognard.files import battle
from grognard.plays.play import Play
from grognard.systems.assault import SYSTEM

from .battles import HMG, RIFLES, TANK, by_hand, fight, played

BAZOOKA: Json = {"id": "bazooka", "side": "us", "card": "US Bazooka"}


def objectives(play: Play) -> dict[str, int]:
    return {name: one.of(play.battle.setup, play.result) for name, one in SYSTEM.objectives.items()}


@pytest.mark.parametrize(
    ("faces", "expected"),
    [
        ([["", ""]], {"swing": 0, "kill": 0}),
        ([["DD", ""]], {"swing": 2, "kill": 0}),
        ([["DD", "DD"]], {"swing": 2, "kill": 1}),  # damaged before: no more than was left counts
    ],
)
def test_objectives(faces: list[Any], expected: dict[str, int]) -> None:
    unit = {**HMG, "damage": 1} if expected["kill"] else HMG
    assert objectives(played(by_hand("RR", "", unit), *faces)) == expected


def test_swing_counts_all_that_was_left_whatever_eliminates() -> None:
    gun = {"id": "gun", "side": "ge", "kind": "artillery", "strength": 5, "status": "suppressed", "damage": 1}
    assert objectives(played(by_hand("B", "", gun), ["X"])) == {"swing": 4, "kill": 1}


def test_the_attacking_side_decides_as_attacker_and_any_other_as_defender() -> None:
    setup = battle(fight()).setup
    assert [SYSTEM.role_of(setup, side) for side in ("us", "ge", "it")] == [
        Role.ATTACKER,
        Role.DEFENDER,
        Role.DEFENDER,
    ]


def test_measures() -> None:
    play = played(by_hand("GB", "", {**TANK, "damage": 1}), ["CD", ""], ["CD", ""])
    assert {measure.name: measure.of(play.result) for measure in SYSTEM.measures(play.battle.setup)} == {
        "tank loses": 2,
        "tank destroyed": False,
        "tank status": "none",
        "tank immobilized": True,
    }
    measures = SYSTEM.measures(battle(fight()).setup)
    assert [measure.name for measure in measures] == ["hmg loses", "hmg destroyed", "hmg status"]
    assert [measure.label for measure in measures] == ["GE hmg: losses", "GE hmg: eliminated", "GE hmg: status"]
    assert {(measure.side, measure.role) for measure in measures} == {("ge", Role.DEFENDER)}


def test_the_result_names_every_unit_of_the_file() -> None:
    bystander = {**BAZOOKA, "damage": 1, "status": "suppressed"}
    result = played(fight(RIFLES, HMG, bystander, dice="B", defense=""), ["D"]).result
    assert result.to_dict() == {
        "units": {
            "rifles": {"damage": 0, "status": "none", "immobilized": False},
            "hmg": {"damage": 1, "status": "none", "immobilized": False},
            "bazooka": {"damage": 1, "status": "suppressed", "immobilized": False},
        }
    }


def after(source: Json, *answers: Any) -> Json:
    play = played(source, *answers)
    assert isinstance(play.pending, End)
    return SYSTEM.after(play.battle.setup, source, play.pending.state)


def test_after_an_attack_units_are_up_to_date_and_marked() -> None:
    hidden = {**RIFLES, "hidden": True, "hiding": True, "ambush": True}
    source = fight(hidden, HMG, BAZOOKA, joint="bazooka", dice="BB", defense="")
    assert after(source, ["D", ""]) == {
        "system": "assault",
        "units": [
            {**RIFLES, "activated": True, "fired_this_turn": True},
            {**HMG, "damage": 1, "status": "suppressed"},
            {**BAZOOKA, "activated": True, "fired_this_turn": True},
        ],
    }


def test_after_fire_and_move_the_attacker_does_not_give_itself_away() -> None:
    units = after(fight(dice="B", defense="", fire="fire_and_move"), ["D"])["units"]
    assert units[0] == {**RIFLES, "activated": True}


def test_after_an_attack_the_eliminated_are_gone() -> None:
    assert after(by_hand("RR", ""), ["DD", "DD"])["units"] == [{**RIFLES, "activated": True, "fired_this_turn": True}]


def test_after_falling_back_a_unit_has_left_its_cover_and_is_elsewhere() -> None:
    dug_in = {**HMG, "dug_in": True, "hidden": True, "status": "suppressed", "at": [6, 5]}
    source = {**by_hand("B", "", dug_in, {**RIFLES, "at": [2, 5]}, range=None), "board": {"size": [12, 9]}}
    assert after(source, ["X"])["units"][1] == {**HMG, "damage": 0, "status": "fallback", "at": [9, 5]}
    unmoved = {**dug_in, "status": "fallback"}
    source = {**by_hand("B", "", unmoved, {**RIFLES, "at": [2, 5]}, range=None), "board": {"size": [12, 9]}}
    assert after(source, ["D"])["units"][1] == {**unmoved, "damage": 1}


def test_after_a_critical_hit_a_vehicle_is_immobilized() -> None:
    units = after(by_hand("G", "", TANK), ["CD"], ["CD", ""])["units"]
    assert units[1] == {**TANK, "damage": 2, "status": "none", "immobilized": True}


def test_after_an_attack_cards_played_and_points_spent_are_gone() -> None:
    cards = [{"side": "us", "card": "steady aim"}, {"side": "us", "card": "rain of fire"}]
    source = {**by_hand("B", ""), "command_cards": cards, "command_points": {"us": 2, "ge": 2}}
    left = after(source, "yes", [""])
    assert left["command_cards"] == [cards[0]]  # a card for dice gathered by hand was not offered
    assert left["command_points"] == {"us": 1, "ge": 2}
    assert after(source, "no", [""])["command_cards"] == cards


def test_end_turn_clears_what_units_did_in_it() -> None:
    marks = {"fired_this_turn": True, "activated": True, "fast": True, "delayed": True, "hiding": True}
    kept = {"dug_in": True, "hidden": True, "status": "suppressed"}
    source = {"system": "assault", "units": [{**RIFLES, **marks, **kept}]}
    assert SYSTEM.end_turn(source) == {"system": "assault", "units": [{**RIFLES, **kept}]}


def test_end_turn_who_was_digging_in_is_dug_in() -> None:
    source = {"system": "assault", "units": [{**RIFLES, "digging_in": True}, {**HMG, "digging_in": False}]}
    assert SYSTEM.end_turn(source)["units"] == [{**RIFLES, "dug_in": True}, HMG]


def test_end_turn_renews_command_points_if_the_file_says_how_many() -> None:
    source = {**fight(), "command_points": {"us": 0, "ge": 1}}
    assert SYSTEM.end_turn(source)["command_points"] == {"us": 0, "ge": 1}
    renewed = SYSTEM.end_turn({**source, "command_points_per_turn": {"us": 4}})
    assert renewed["command_points"] == {"us": 4, "ge": 1}
    assert battle(renewed).setup.command_points == {"us": 4, "ge": 1}


def test_a_snapshot_shows_units_marks_dice_and_symbols_as_they_stand() -> None:
    play = played({**fight({**RIFLES, "hidden": True}), "command_points": {"us": 3}}, ["DD", "", "X"])
    unit = {"damage": 0, "status": "none", "immobilized": False}
    marks = dict.fromkeys(("digging_in", "dug_in", "hiding", "hidden", "ambush", "fast", "delayed"), False)
    fired, not_fired = ({"activated": has, "fired_this_turn": has} for has in (True, False))
    assert play.state == {
        "units": {
            "rifles": {**unit, **marks, **fired, "side": "us", "role": "attacker"},
            "hmg": {**unit, **marks, **not_fired, "side": "ge", "role": "defender"},
        },
        "attack": {"by": "rifles", "on": "hmg"},
        "step": "defence 8.0",
        "fire": "firing",
        "spotted": None,
        "attack_dice": "",
        "defense_dice": "YG",
        "added_x": 0,
        "symbols": {"C": 0, "D": 2, "X": 1},
        "loose_dice": [],
        "cards_played": [],
        "command_points": {"us": 2},
    }


def test_on_a_board_result_and_snapshot_say_where_units_are() -> None:
    by, on = {**RIFLES, "at": [2, 5]}, {**HMG, "at": [6, 5], "status": "suppressed"}
    source = {**by_hand("R", "", on, by, range=None), "board": {"size": [12, 9]}}
    play = played(source, ["DX"])
    assert [unit["at"] for unit in play.result.to_dict()["units"].values()] == [[2, 5], [9, 5]]
    assert [unit["at"] for unit in play.state["units"].values()] == [[2, 5], [9, 5]]
    gone = played({**source, "units": [by, {**on, "damage": 2}]}, ["DX"])
    assert gone.result.to_dict()["units"]["hmg"]["at"] is None
