"""What an attack is worth, what is told of it, and what stands on the board afterwards."""

from typing import Any

import pytest

from grognard.core.positions import Pending
from grognard.core.rules import End
from grognard.core.systems import Change, Json
from grognard.files import battle
from grognard.plays.play import Play
from grognard.systems.supply import SYSTEM
from grognard.systems.supply.setup import State

from ..playing import played, sentences
from .battles import GUNS, MORTAR, RIFLES, attack, unit

MISS, BOTH_HIT = [1, 1, 6, 6], [6, 6, 1, 1]


def objectives(play: Play) -> dict[str, int]:
    return {name: one.of(play.battle.setup, play.result) for name, one in SYSTEM.objectives.items()}


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([BOTH_HIT], {"swing": 2, "kill": 1}),
        ([[6, 1, 5, 5], "no"], {"swing": 1, "kill": 0}),
        ([[6, 1, 5, 5], "yes", [6, 5, 5]], {"swing": 0, "kill": 0}),
        ([MISS, "yes", BOTH_HIT], {"swing": -2, "kill": 0}),
    ],
)
def test_objectives(answers: list[Any], expected: dict[str, int]) -> None:
    assert objectives(played(attack(GUNS, RIFLES), *answers)) == expected


def test_measures() -> None:
    play = played(attack(GUNS, RIFLES), MISS, "yes", BOTH_HIT)
    assert {measure.name: measure.of(play.result) for measure in SYSTEM.measures(play.battle.setup)} == {
        "rifles loses": 0,
        "guns loses": 2,
        "rifles destroyed": False,
        "guns destroyed": True,
        "defending side loses": 0,
        "attacking side loses": 2,
    }


def test_a_measure_has_the_side_whose_loss_it_is_and_a_label_for_people() -> None:
    measures = SYSTEM.measures(battle(attack(GUNS, RIFLES)).setup)
    assert [(measure.label, measure.role, measure.side) for measure in measures] == [
        ("Blue rifles: losses", "defender", "blue"),
        ("Red guns: losses", "attacker", "red"),
        ("Blue rifles: destroyed", "defender", "blue"),
        ("Red guns: destroyed", "attacker", "red"),
        ("Blue: losses", "defender", None),
        ("Red: losses", "attacker", None),
    ]


def test_a_snapshot_has_every_card_with_its_marks_its_square_and_whose_it_is() -> None:
    fight = attack(GUNS, RIFLES, unit("neutrals", "green", at=[9, 9]))
    due = played(fight, BOTH_HIT).pending
    assert isinstance(due, End)
    assert SYSTEM.snapshot(battle(fight).setup, due.state) == {
        "units": {
            "guns": {
                "side": "red",
                "role": "attacker",
                "at": [1, 1],
                "strength": 2,
                "supply": 2,
                "fired": True,
                "countered": False,
            },
            "rifles": {
                "side": "blue",
                "role": "defender",
                "at": None,
                "strength": 0,
                "supply": 0,
                "fired": False,
                "countered": False,
            },
            "neutrals": {
                "side": "green",
                "role": "defender",
                "at": [9, 9],
                "strength": 2,
                "supply": 3,
                "fired": False,
                "countered": False,
            },
        },
        "attack": None,
    }


def test_a_snapshot_says_who_fires_on_whom_at_this_moment() -> None:
    fight = attack(GUNS, RIFLES, MORTAR)
    assert played(fight).state["attack"] == {"by": "guns", "on": "rifles"}
    assert played(fight, "call in mortar").state["attack"] == {"by": "mortar", "on": "rifles"}
    assert played(fight, "direct", MISS, "yes").state["attack"] == {"by": "rifles", "on": "guns"}
    assert played(fight, "direct", MISS, "no").state["attack"] is None


def test_a_change_has_the_side_that_it_happened_to() -> None:
    play = played(attack(GUNS, RIFLES))
    assert isinstance(play.pending, Pending)
    before = play.pending.position.state
    assert isinstance(before, State)
    after = before.with_card(1, before.cards[1]._replace(strength=1))
    assert list(SYSTEM.changes(play.battle.setup, before, after)) == [Change("Blue rifles: strength 2 → 1", "blue")]


def test_what_is_told_of_a_counterattack() -> None:
    fight = attack({**GUNS, "supply": 1}, RIFLES)
    assert sentences(played(fight, [6, 1, 5, 5], "yes", [6, 5, 5])) == [
        "Red guns: 1 supply paid, 0 left",
        "Red guns: attack of this turn used",
        "Blue rifles: strength 2 → 1",
        "Blue rifles: 1 supply paid, 2 left",
        "Blue rifles: counterattacks",
        "Red guns: strength 2 → 1",
    ]


def test_what_is_told_of_a_destroyed_unit() -> None:
    assert sentences(played(attack(GUNS, RIFLES), BOTH_HIT))[-1] == "Blue rifles: destroyed, and 3 supply with it"
    poor = {**RIFLES, "supply": 0}
    assert sentences(played(attack(GUNS, poor), BOTH_HIT))[-1] == "Blue rifles: destroyed"
    looted = attack(GUNS, RIFLES, rules={"destroyed_supplies": "captured"})
    assert sentences(played(looted, BOTH_HIT))[-2:] == [
        "Red guns: 3 supply captured, 5 now",
        "Blue rifles: destroyed",
    ]


def after(source: Json, *answers: Any) -> Json:
    play = played(source, *answers)
    assert isinstance(play.pending, End)
    return SYSTEM.after(play.battle.setup, source, play.pending.state)


def test_after_an_attack_cards_are_up_to_date_and_marked() -> None:
    assert after(attack(GUNS, RIFLES), MISS, "yes", [6, 1, 5, 5]) == {
        "system": "supply",
        "units": [
            {**GUNS, "strength": 1, "supply": 2, "fired": True},
            {**RIFLES, "strength": 2, "supply": 2, "countered": True},
        ],
    }


def test_after_a_call_in_both_have_attacked_and_the_destroyed_are_gone() -> None:
    assert after(attack(GUNS, RIFLES, MORTAR, how="call in"), BOTH_HIT)["units"] == [
        {**GUNS, "fired": True},
        {**MORTAR, "supply": 2, "fired": True},
    ]


def test_after_an_attack_another_can_be_declared() -> None:
    left = after(attack(GUNS, RIFLES, MORTAR, how="direct"), MISS, "no")
    assert battle({**left, "attack": {"by": "mortar", "on": "rifles"}}).setup.units[0].fired


def test_the_end_of_a_turn_clears_the_marks() -> None:
    tired = attack({**GUNS, "fired": True}, {**RIFLES, "countered": True, "fired": False})
    assert SYSTEM.end_turn(tired) == attack(GUNS, RIFLES)


def test_the_roster_is_ours_and_its_units_can_be_put_on_the_board() -> None:
    roster = SYSTEM.roster()
    assert [(source.what, source.mark) for source in SYSTEM.sources()] == [(name, "ours") for name in roster]
    for number, (name, fields) in enumerate(roster.items(), 5):
        fielded = {"id": f"new {name}", "side": "red", "at": [number, 5], **fields}
        assert battle(attack(GUNS, RIFLES, fielded)).setup.units[2].die == fields["die"]
