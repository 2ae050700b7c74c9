"""Results, objectives, what people are told, and the file after the attack."""

from typing import Any

import pytest

from grognard import odds
from grognard.core.positions import Pending
from grognard.core.rules import End, Roll, Roller
from grognard.core.systems import Change
from grognard.files import battle
from grognard.systems.tower import SYSTEM
from grognard.systems.tower.setup import State
from tests.systems.playing import played, sentences
from tests.systems.tower.battles import Json, attack, helpers_asked, unit

RED, BLUE = unit("red", 4, 4, attack=3), unit("blue", 5, 4)
CROWD = attack(
    unit("red", 4, 4, attack=2, range=0),
    unit("blue", 5, 4, range=1),
    unit("r1", 3, 4, attack=1),
    unit("r2", 4, 3),
    unit("b1", 6, 4, health=1),
    unit("b2", 5, 3),
)


def after(source: Json, *answers: list[int] | str) -> Json:
    """The file after a battle that was played to its end."""
    play = played(source, *answers)
    assert isinstance(play.pending, End)
    return SYSTEM.after(play.battle.setup, source, play.pending.state)


def objectives(source: Json, *answers: list[int] | str) -> dict[str, int]:
    play = played(source, *answers)
    return {name: objective.of(play.battle.setup, play.result) for name, objective in SYSTEM.objectives.items()}


def test_the_result_names_every_unit_and_the_dead_have_neither_health_nor_tile() -> None:
    assert played(attack(RED, BLUE, unit("g1", 1, 1)), [6, 6, 6], "yes").result.to_dict() == {
        "units": {
            "red": {"health": 3, "at": [5, 4]},
            "blue": {"health": 0, "at": None},
            "g1": {"health": 3, "at": [1, 1]},
        }
    }


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([[6, 6, 6], "yes"], {"swing": 3, "kill": 1, "ground": 1}),
        ([[6, 6, 6], "no"], {"swing": 3, "kill": 1, "ground": 0}),
        ([[6, 6, 1], "yes"], {"swing": 2, "kill": 0, "ground": 1}),
        ([[1, 1, 1], "yes", [6, 6]], {"swing": -2, "kill": 0, "ground": 0}),
    ],
)
def test_objectives(answers: list[Any], expected: dict[str, int]) -> None:
    assert objectives(attack(RED, BLUE), *answers) == expected


def test_the_swing_of_a_death_by_push_is_all_the_health_that_was_left() -> None:
    assert objectives(attack(RED, BLUE, unit("g1", 6, 4)), [6, 6, 1], "no")["swing"] == 3


def test_a_third_side_counts_as_an_enemy() -> None:
    line = attack(RED, unit("g1", 5, 4), unit("g2", 6, 4), unit("blue", 7, 4), bumped_into_enemy="bumped_unit_dies")
    assert objectives(line, "no", [6, 6, 1], "no")["swing"] == 2 + 3


def test_measures() -> None:
    source = attack(RED, BLUE)
    play = played(source, [6, 6, 1], "yes")
    assert {measure.name: measure.of(play.result) for measure in SYSTEM.measures(battle(source).setup)} == {
        "blue destroyed": False,
        "blue loses": 2,
        "defending side loses": 2,
        "attacking side loses": 0,
        "red loses": 0,
        "red destroyed": False,
        "red takes the tile": True,
    }


def test_a_measure_has_the_side_whose_loss_it_is_and_a_label_for_people() -> None:
    measures = SYSTEM.measures(battle(attack(RED, BLUE)).setup)
    assert [(measure.label, measure.role, measure.side) for measure in measures] == [
        ("Blue blue: destroyed", "defender", "blue"),
        ("Blue blue: losses", "defender", "blue"),
        ("Blue: losses", "defender", None),
        ("Red: losses", "attacker", None),
        ("Red red: losses", "attacker", "red"),
        ("Red red: destroyed", "attacker", "red"),
        ("Red red: takes the tile", None, None),
    ]


@pytest.mark.parametrize(("rule", "bumped"), [("primary_dies", []), ("bumped_unit_dies", ["b3"])])
def test_units_at_risk_have_measures_and_others_have_none(rule: str, bumped: list[str]) -> None:
    crowd = [unit("b1", 6, 4), unit("b2", 5, 3, defended=True), unit("b3", 7, 4), unit("r1", 4, 3), unit("g1", 9, 9)]
    names = [
        measure.name for measure in SYSTEM.measures(battle(attack(RED, BLUE, *crowd, bumped_into_enemy=rule)).setup)
    ]
    assert [name.removesuffix(" loses") for name in names if name.endswith(" loses") and " side" not in name] == [
        *["blue", "red", "b1"],
        *bumped,
    ]


def test_a_snapshot_has_every_unit_with_its_marks_its_tile_and_whose_it_is() -> None:
    due = played(attack(RED, BLUE, unit("r1", 3, 4), unit("g1", 9, 9)), "yes", [6, 6, 6, 1], "no").pending
    assert isinstance(due, End)
    shot = SYSTEM.snapshot(battle(attack(RED, BLUE, unit("r1", 3, 4), unit("g1", 9, 9))).setup, due.state)["units"]
    assert shot["r1"] == {
        "side": "red",
        "role": "attacker",
        "health": 3,
        "at": [3, 4],
        "attacked": True,
        "defended": False,
    }
    assert shot["blue"] == {
        "side": "blue",
        "role": "defender",
        "health": 0,
        "at": None,
        "attacked": False,
        "defended": True,
    }
    assert (shot["red"]["attacked"], shot["g1"]["role"]) == (True, "defender")


def test_a_snapshot_says_who_strikes_whom_at_this_moment() -> None:
    source = attack(RED, BLUE)
    assert played(source).state["attack"] == {"by": "red", "on": "blue"}
    assert played(source, [1, 1, 1], "yes").state["attack"] == {"by": "blue", "on": "red"}
    assert played(source, [6, 6, 1]).state["attack"] == {"by": "red", "on": "blue"}
    assert played(source, [6, 6, 1], "no").state["attack"] is None


def test_measures_sum_up_to_what_the_odds_say() -> None:
    source = attack(RED, BLUE)
    actual = odds(battle(source), fractions=True)
    assert actual["blue destroyed"].probability(True) == actual.probability(
        lambda result: result.to_dict()["units"]["blue"]["health"] == 0
    )


def test_what_is_told() -> None:
    play = played(CROWD, "no", "no", "yes", "no", [6, 6], "yes", [6, 1], "yes")
    assert sentences(play) == [
        "The blue loses 2 Health, 1 left",
        "The blue is pushed to column 6, row 4",
        "The b1 is bumped to column 7, row 4",
        "The red loses 1 Health, 2 left",
        "The red advances to column 5, row 4",
    ]
    assert sentences(played(attack(RED, BLUE), [6, 6, 6], "no")) == ["The blue dies"]


def test_a_change_has_the_side_that_it_happened_to() -> None:
    due = played(attack(RED, BLUE), [6, 6, 1]).pending
    assert isinstance(due, Pending)
    before = due.position.state
    assert isinstance(before, State)
    setup = battle(attack(RED, BLUE)).setup
    assert list(SYSTEM.changes(setup, before, before.after_death(1))) == [Change("The blue dies", "blue")]


def test_a_roll_says_who_rolls_and_what_counts() -> None:
    attack_roll, counter = played(attack(RED, BLUE)).question, played(attack(RED, BLUE), [1, 1, 1], "yes").question
    assert isinstance(attack_roll, Roll)
    assert isinstance(counter, Roll)
    assert (attack_roll.by, counter.by) == ((Roller("red", "red"),), (Roller("blue", "blue"),))
    assert (attack_roll.purpose, attack_roll.success) == ("Attack roll", "each 2 or more is a hit on the blue")
    assert (counter.purpose, counter.success) == ("Counterattack roll", "each die above 2 costs the red 1 of 3 Health")


def test_after_the_attack_the_file_has_health_tiles_and_what_everybody_did() -> None:
    left = after(CROWD, "yes", "no", "yes", "no", [6, 6, 1], "yes", [6, 1], "yes")
    assert "attack" not in left
    assert left["units"] == [
        unit("red", 5, 4, attack=2, range=0, health=2, full_health=3, attacked=True),
        unit("blue", 6, 4, range=1, health=1, full_health=3, defended=True),
        unit("r1", 3, 4, attack=1, attacked=True),
        unit("r2", 4, 3),
        unit("b1", 7, 4, health=1, defended=True),
        unit("b2", 5, 3),
    ]
    assert {key: left[key] for key in left if key != "units"} == {
        key: CROWD[key] for key in CROWD if key not in ("units", "attack")
    }


def test_after_the_attack_the_dead_are_gone() -> None:
    left = after(CROWD, "yes", "yes", "yes", "no", [6] * 4, "no")
    assert [entry["id"] for entry in left["units"]] == ["red", "r1", "r2", "b2"]


def test_full_health_stays_what_it_was() -> None:
    left = after(attack(RED, unit("blue", 5, 4, health=3, full_health=9)), [6, 1, 1], "no")
    assert left["units"][1] == unit("blue", 6, 4, health=2, full_health=9, defended=True)


def test_in_the_next_attack_of_the_turn_those_who_did_something_may_not_again() -> None:
    left = after(CROWD, "yes", "no", "yes", "no", [1] * 3, "no")
    following = {**left, "attack": {"by": "r2", "on": "b2"}}
    assert helpers_asked(following, "red") == []  # red is adjacent to r2
    assert helpers_asked(following, "blue") == []  # blue is adjacent to b2


def test_the_end_of_the_turn_clears_what_everybody_did() -> None:
    left = SYSTEM.end_turn(after(CROWD, "yes", "no", "yes", "no", [1] * 3, "no"))
    assert left["units"] == CROWD["units"]
    following = {**left, "attack": {"by": "r2", "on": "b2"}}
    assert helpers_asked(following, "red") == ["red"]
    assert helpers_asked(following, "blue") == ["blue"]


def test_the_roster_can_be_put_on_the_board() -> None:
    hero, regular = SYSTEM.roster().values()
    source = attack(
        {"id": "red", "side": "red", "at": [4, 4], **hero}, {"id": "blue", "side": "blue", "at": [5, 4], **regular}
    )
    assert battle(source).setup.units[0].health == 5
