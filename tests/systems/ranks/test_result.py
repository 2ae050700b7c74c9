"""What a combat is worth, what is told of it, and what stands at the Location afterwards."""

from typing import Any

import pytest

from grognard.core.positions import Pending
from grognard.core.rules import End
from grognard.core.systems import Json
from grognard.files import battle
from grognard.plays.play import Play
from grognard.systems.ranks import SYSTEM

from ..playing import played, sentences

FIGHT: Json = {
    "system": "ranks",
    "defender": {"player": "Blue", "units": 2},
    "arrivals": [
        {"player": "Red", "side": "attack", "units": 2},
        {"player": "Green", "side": "defend", "units": 2, "optional": True},
        {"player": "Yellow", "side": "attack", "units": 4, "optional": True},
    ],
    "rules": {"ties": "both"},
}
BLUE_FALLS, ALL_FALL, RED_FALLS = [9, 9, 1, 1], [5, 5, 5, 5], [1, 1, 9, 9]


def objectives(play: Play) -> dict[str, int]:
    return {name: one.of(play.battle.setup, play.result) for name, one in SYSTEM.objectives.items()}


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([BLUE_FALLS, "no", "no"], {"swing": 2, "kill": 1, "ground": 1}),
        ([BLUE_FALLS, "yes", "no"], {"swing": 2, "kill": 0, "ground": 0}),
        ([ALL_FALL, "no", "no"], {"swing": 0, "kill": 1, "ground": 0}),
        ([ALL_FALL, "no", "yes"], {"swing": 0, "kill": 1, "ground": 1}),
        ([RED_FALLS, "no", "no"], {"swing": -2, "kill": 0, "ground": 0}),
    ],
)
def test_objectives(answers: list[Any], expected: dict[str, int]) -> None:
    assert objectives(played(FIGHT, *answers)) == expected


def test_a_defender_who_keeps_the_location_without_units_is_killed() -> None:
    fight = {**FIGHT, "rules": {"ties": "both", "nobody_left": "defender_keeps"}}
    assert objectives(played(fight, ALL_FALL, "no", "no")) == {"swing": 0, "kill": 1, "ground": 0}


def measured(play: Play) -> dict[str, object]:
    return {measure.name: measure.of(play.result) for measure in SYSTEM.measures(play.battle.setup)}


def test_measures() -> None:
    assert measured(played(FIGHT, [9, 1, 5, 5], "no", "no")) == {
        "Location held by": "Blue",
        "attacking side loses": 1,
        "defending side loses": 1,
        "Blue loses": 1,
        "Red loses": 1,
        "Green loses": 0,
        "Yellow loses": 0,
        "Blue destroyed": False,
        "Red destroyed": False,
        "Green destroyed": False,
        "Yellow destroyed": False,
    }
    nobody_left = measured(played(FIGHT, ALL_FALL, "no", "no"))
    assert nobody_left["Location held by"] == "nobody"
    assert (nobody_left["Red loses"], nobody_left["Red destroyed"]) == (2, True)


def test_a_measure_has_the_player_whose_loss_it_is_and_a_label_for_people() -> None:
    measures = SYSTEM.measures(battle(FIGHT).setup)
    assert [(measure.label, measure.role, measure.side) for measure in measures[:5]] == [
        ("Who holds the Location", None, None),
        ("The attacking side: losses", "attacker", None),
        ("The defending side: losses", "defender", None),
        ("Blue: losses", "defender", "Blue"),
        ("Red: losses", "attacker", "Red"),
    ]
    assert ["", "the attacking side", "the defending side", "Blue", "Red"] == [one.owner for one in measures[:5]]
    assert (measures[-1].label, measures[-1].role, measures[-1].side) == ("Yellow: destroyed", "attacker", "Yellow")


def state(play: Play) -> Json:
    reached = play.pending.position.state if isinstance(play.pending, Pending) else play.pending.state
    return SYSTEM.snapshot(play.battle.setup, reached)


def test_a_snapshot_in_the_middle_of_a_combat() -> None:
    assert state(played(FIGHT, [9, 1, 5, 5], "no")) == {
        "armies": {"Blue": 1, "Red": 1, "Green": 2, "Yellow": 4},
        "possession": "Blue",
        "returns": [],
        "players": {
            "Blue": {"side": "Blue", "role": "defender", "arrived": True, "held_back": False},
            "Red": {"side": "Red", "role": "attacker", "arrived": True, "held_back": False},
            "Green": {"side": "Green", "role": "defender", "arrived": False, "held_back": True},
            "Yellow": {"side": "Yellow", "role": "attacker", "arrived": False, "held_back": False},
        },
    }


def test_a_snapshot_of_the_end_has_the_result_in_it() -> None:
    play = played(FIGHT, [9, 1, 5, 5], "no", "yes", [9, 9, 9, 9, 1])
    players = state(play).pop("players")
    assert {key: part for key, part in state(play).items() if key != "players"} == play.result.to_dict()
    assert [(name, player["arrived"]) for name, player in players.items()] == [
        ("Blue", True),
        ("Red", True),
        ("Green", False),
        ("Yellow", True),
    ]


def test_what_is_told_of_a_defence() -> None:
    assert sentences(played(FIGHT, [9, 1, 5, 5], "yes", "no")) == [
        "Red arrives with 2 units to attack",
        "Blue loses 1 unit, 1 left",
        "Red loses 1 unit, 1 left",
        "Green arrives with 2 units to defend",
        "Yellow holds 4 units back",
        "Blue holds the Location",
        "Green stays there with 2 units",
        "Red returns with 1 unit",
    ]


def test_beside_each_step_stands_the_paragraph_it_comes_from() -> None:
    play = played(FIGHT, [9, 1, 5, 5], "yes", "yes", [9, 9, 9, 1, 5, 5, 5])
    assert [(event.rule, event.what) for event in play.events if event.kind != "roll"] == [
        ("1.1.00", "Red arrives with 2 units to attack"),
        ("1.1.00", "Blue loses 1 unit, 1 left"),
        ("1.1.00", "Red loses 1 unit, 1 left"),
        ("1.1.02", "Green: Send 2 units to help Blue? yes"),
        ("1.1.02", "Green arrives with 2 units to defend"),
        ("1.1.01", "Yellow: Send 4 units to help Red? yes"),
        ("1.1.01", "Yellow arrives with 4 units to attack"),
        ("1.1.02", "Blue loses 1 unit, none left"),
        ("1.1.02", "Green loses 2 units, none left"),
        ("1.1.03", "Red takes the Location"),
        ("1.1.03", "Yellow stays there with 4 units"),
    ]


@pytest.mark.parametrize(
    ("rules", "answers", "last"),
    [
        ({}, [BLUE_FALLS, "no", "no"], "Red takes the Location"),
        ({}, [ALL_FALL, "no", "no"], "No unit is left: nobody holds the Location"),
        ({"nobody_left": "defender_keeps"}, [ALL_FALL, "no", "no"], "No unit is left: Blue keeps the Location"),
    ],
)
def test_what_is_told_of_the_location(rules: Json, answers: list[Any], last: str) -> None:
    assert sentences(played({**FIGHT, "rules": {"ties": "both", **rules}}, *answers))[-1] == last


def after(source: Json, *answers: Any) -> Json:
    play = played(source, *answers)
    assert isinstance(play.pending, End)
    return SYSTEM.after(play.battle.setup, source, play.pending.state)


def test_after_a_defence_guests_stay_and_attackers_are_gone() -> None:
    assert after(FIGHT, [9, 1, 5, 5], "yes", "no") == {
        "system": "ranks",
        "rules": {"ties": "both"},
        "defender": {"player": "Blue", "units": 1},
        "arrivals": [{"player": "Green", "side": "defend", "units": 2}],
    }


def test_after_a_conquest_the_possessor_defends_and_allies_are_guests() -> None:
    assert after(FIGHT, BLUE_FALLS, "no", "yes") == {
        "system": "ranks",
        "rules": {"ties": "both"},
        "defender": {"player": "Red", "units": 2},
        "arrivals": [{"player": "Yellow", "side": "defend", "units": 4}],
    }


def test_after_everybody_fell_there_is_neither_a_defender_nor_an_arrival() -> None:
    assert after(FIGHT, ALL_FALL, "no", "no") == {"system": "ranks", "rules": {"ties": "both"}}


def test_after_everybody_fell_a_defender_who_keeps_the_location_has_no_units() -> None:
    fight = {**FIGHT, "rules": {"ties": "both", "nobody_left": "defender_keeps"}}
    assert after(fight, ALL_FALL, "no", "no")["defender"] == {"player": "Blue", "units": 0}


def test_the_end_of_a_turn_changes_nothing() -> None:
    assert SYSTEM.end_turn(FIGHT) == FIGHT
