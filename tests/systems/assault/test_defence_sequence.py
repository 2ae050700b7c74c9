"""The defence sequence, paragraph by paragraph, up to the roll."""

from typing import Any

import pytest

from grognard.core.rules import Roll
from grognard.core.systems import Json

from .battles import GUN, HMG, MORTAR, RIFLES, TANK, fate, fight, gathered, played, sentences

TRUCK: Json = {"id": "truck", "side": "ge", "kind": "vehicle", "strength": 2, "defense": "B"}
LIGHT_TANK: Json = {"id": "light", "side": "us", "card": "light tank"}


def defence(on: Json = HMG, by: Json = RIFLES, **attack: Any) -> str:
    """The defence dice, when the target is spotted."""
    return gathered(fight(by, on, **{"spotted": True, **attack}))[1]


@pytest.mark.parametrize(
    ("area", "dice"), [(None, "YG"), ("front", "YG"), ("flank", "G"), ("rear", "B"), ("above", "B")]
)
def test_defence_1_0_the_cards_dice_where_the_shot_strikes(area: str | None, dice: str) -> None:
    assert defence(TANK, area=area) == dice


def test_defence_1_0_the_area_is_told() -> None:
    assert sentences(played(fight(on=TANK, area="flank"), ["D", "D"]), "defence 1.0") == [
        "+1 green defence die (medium tank, flank)"
    ]


@pytest.mark.parametrize(
    ("terrain", "infantry", "vehicle", "artillery"),
    [
        ("clear", "G", "", ""),
        ("rocky", "YB", "G", "G"),
        ("olive or vine", "GG", "B", "B"),
        ("vineyard", "GG", "B", "B"),
        ("brush", "GB", "G", "G"),
        ("light forest", "YG", "G", "B"),
        ("heavy forest", "YYG", "G", "G"),
        ("single-storey building", "YYB", "B", "G"),
        ("multi-storey building", "RGG", "B", "G"),
        ("gun position", "YG", "", "YG"),
    ],
)
def test_defence_2_0_terrain_dice_for_the_kind_of_unit(
    terrain: str, infantry: str, vehicle: str, artillery: str
) -> None:
    bare = {"defense": ""}
    units = ({**HMG, **bare}, {**TRUCK, **bare}, {**GUN, **bare})
    assert tuple(defence(unit, terrain=terrain) for unit in units) == (infantry, vehicle, artillery)


@pytest.mark.parametrize(
    ("area", "bunker", "trench"),
    [("front", "RRY", "Y"), ("flank", "RYY", "Y"), ("rear", "RR", "G"), ("above", "RRY", "G")],
)
def test_defence_2_0_fortifications_depend_on_the_area_of_impact(area: str, bunker: str, trench: str) -> None:
    bare = {**HMG, "defense": ""}
    assert defence(bare, terrain="bunker", area=area) == bunker
    assert defence(bare, terrain="trench", area=area) == trench


def test_defence_2_0_indirect_fire_strikes_fortifications_from_above() -> None:
    assert defence({**HMG, "defense": ""}, MORTAR, fire="indirect", range=3, terrain="trench") == "G"


@pytest.mark.parametrize(("terrain", "dice"), [("clear", "Y"), ("brush", "YG"), ("heavy forest", "YYY")])
def test_defence_2_0_fire_from_ambush_takes_the_weakest_terrain_die(terrain: str, dice: str) -> None:
    assert defence(by={**RIFLES, "ambush": True}, terrain=terrain) == dice


@pytest.mark.parametrize(("hindering", "each", "once"), [(0, "YG", "YG"), (1, "YGG", "YGG"), (2, "YGGG", "YGG")])
def test_defence_3_0_a_green_die_for_each_hindering_hex(hindering: int, each: str, once: str) -> None:
    assert defence(hindering=hindering) == each
    assert defence(hindering=hindering, rules={"hindrance_dice": "once"}) == once


def test_defence_3_0_a_hindered_line_of_sight_is_nothing_to_indirect_fire() -> None:
    assert defence(by=MORTAR, fire="indirect", range=3, hindering=2) == "YG"


@pytest.mark.parametrize(
    ("marks", "dice"),
    [
        ({"digging_in": True}, "Y"),
        ({"dug_in": True}, "YGG"),
        ({"digging_in": True, "dug_in": True}, "YG"),
        ({"fast": True}, "Y"),
        ({"digging_in": True, "fast": True}, "Y"),  # one is always kept
        ({"dug_in": True, "fast": True}, "YG"),
        ({"status": "suppressed"}, "YGG"),
        ({"status": "fallback"}, "YG"),
        ({"hiding": True}, "YGB"),
        ({"hidden": True}, "YGB"),
        ({"ambush": True, "hidden": True, "hiding": True}, "YGB"),
        ({"fast": True, "status": "suppressed", "hiding": True}, "YGB"),
    ],
)
def test_defence_4_0_the_status_of_infantry(marks: Json, dice: str) -> None:
    assert defence({**HMG, **marks}) == dice


def test_defence_4_0_the_status_of_artillery_counts_as_that_of_infantry() -> None:
    gun = {**GUN, "defense": "YG"}
    assert defence({**gun, "fast": True}) == "Y"
    assert defence({**gun, "status": "suppressed"}) == "YGG"


@pytest.mark.parametrize(
    ("marks", "dice"),
    [
        ({"digging_in": True}, "Y"),
        ({"dug_in": True}, "YGG"),
        ({"status": "suppressed"}, "YG"),
        ({"hidden": True}, "YGB"),
    ],
)
def test_defence_4_0_the_status_of_vehicles(marks: Json, dice: str) -> None:
    assert defence({**TANK, **marks}) == dice


def test_defence_4_0_a_fast_vehicle_loses_no_die() -> None:
    assert defence({**TANK, "fast": True}) == "YGB"  # the blue one is for the attacker's fire status


def test_defence_4_0_losses_and_gains_are_told() -> None:
    unit = {**HMG, "digging_in": True, "dug_in": True, "status": "suppressed", "hiding": True}
    play = played(fight(on=unit, terrain="brush", range=1), ["DD", "DD", "D"])
    assert sentences(play, "defence 4.0") == [
        "+1 green defence die (dug in)",
        "+1 green defence die (suppressed)",
        "+1 blue defence die (hiding)",
        "−1 weakest defence die: blue",
    ]


@pytest.mark.parametrize(
    ("experience", "dice"),
    [("recruit", "YG"), ("regular", "YG"), ("hardened", "YGB"), ("veteran", "YGB"), ("elite", "YGB")],
)
def test_defence_5_0_a_seasoned_defender_has_a_blue_die_more(experience: str, dice: str) -> None:
    assert defence({**HMG, "experience": experience}) == dice


@pytest.mark.parametrize(
    ("fire", "normal", "fast", "unspotted", "unspotted_vehicle"),
    [
        ("firing", "", "B", "G", "Y"),
        ("turret_firing", "B", "G", "Y", "R"),
        ("move_and_fire", "G", "Y", "R", "RB"),
        ("fire_and_move", "G", "Y", "R", "RB"),
    ],
)
def test_defence_6_0_the_attackers_fire_status(
    fire: str, normal: str, fast: str, unspotted: str, unspotted_vehicle: str
) -> None:
    infantry, vehicle, gun = ({**unit, "defense": ""} for unit in (HMG, TRUCK, GUN))
    how: Json = {"by": LIGHT_TANK, "fire": fire, "terrain": "deep water"}
    assert defence(infantry, **how) == normal
    assert defence({**vehicle, "fast": True}, **how) == fast
    assert defence({**infantry, "fast": True}, **how) == normal
    assert defence(infantry, spotted=False, **how) == unspotted
    assert defence(gun, spotted=False, **how) == unspotted
    assert defence(vehicle, spotted=False, **how) == unspotted_vehicle
    assert defence({**vehicle, "fast": True}, spotted=False, **how) == unspotted_vehicle


def test_defence_6_0_a_failed_spotting_roll_helps_the_defender() -> None:
    source = fight(terrain="brush")
    assert gathered(source, [1])[1] == "YGGB"
    assert gathered(source, [2])[1] == "YGB"
    assert sentences(played(source, [1], ["DD", "DD", "D"]), "defence 6.0") == [
        "+1 green defence die (firing, not spotted)"
    ]


def test_defence_6_0_a_vehicle_under_indirect_fire_has_a_green_die_more() -> None:
    assert gathered(fight(MORTAR, TANK, range=3, fire="indirect", area="flank"), ["D", "D", "D"])[1] == "GG"
    assert defence(by=MORTAR, range=3, fire="indirect") == "YG"


def test_defence_8_0_special_abilities_of_the_defender_change_dice() -> None:
    stubborn = {"name": "stubborn", "when": "defending", "effect": {"pool": "attack", "cancels": 1}}
    crouched = {"name": "crouched", "when": "defending", "effect": {"pool": "defense", "gains": "R"}}
    aiming = {"name": "aiming", "when": "attacking", "effect": {"pool": "attack", "gains": "R"}}
    unit = {**HMG, "abilities": [stubborn, crouched, aiming]}
    assert gathered(fight(on=unit)) == ("RRY", "RYG")
    assert fate(fight(on=unit, dice="Y", defense=""), ["DD"]) == (1, "none", False)


def test_defence_8_0_an_ability_of_the_attacker_on_the_defence_waits_for_it() -> None:
    piercing = {"name": "piercing", "when": "attacking", "effect": {"pool": "defense", "loses": "G"}}
    assert gathered(fight({**RIFLES, "abilities": [piercing]})) == ("RRY", "Y")


def test_defence_8_0_the_defence_rolls_strong_to_weak_against_the_symbols_on_the_table() -> None:
    question = played(fight({**RIFLES, "experience": "elite"}, HMG), ["CD", "DD", "X", ""]).question
    assert isinstance(question, Roll)
    assert [f"{pool.count} {pool.die.name}" for pool in question.reading.dice] == ["1 yellow", "1 green"]
    assert {(roller.name, roller.side) for roller in question.by} == {("hmg", "ge")}
    assert question.success == "each symbol cancels one as strong or weaker of the attack's 1 C, 3 D, 1 X"


@pytest.mark.parametrize(
    ("attack", "defending", "expected"),
    [
        (["DD"], ["", ""], (2, "none", False)),
        (["DD"], ["D", ""], (1, "none", False)),
        (["DD"], ["D", "X"], (1, "none", False)),
        (["DD"], ["D", "D"], (0, "none", False)),
        (["XD"], ["", "X"], (1, "none", False)),
        (["XD"], ["D", ""], (0, "suppressed", False)),
        (["X"], ["CD", ""], (0, "none", False)),
    ],
)
def test_10_7_2_each_symbol_cancels_one_as_strong_or_weaker(
    attack: list[str], defending: list[str], expected: tuple[int, str, bool]
) -> None:
    source = fight(dice="Y", defense="YB") if "CD" in defending else fight(dice="Y", defense="GB")
    assert fate(source, [*attack, *defending]) == expected
