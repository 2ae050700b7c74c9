"""The attack sequence, paragraph by paragraph."""

from typing import Any

import pytest

from grognard.core.rules import Roll
from grognard.core.systems import Json
from grognard.plays.play import Play
from grognard.systems.assault import SYSTEM
from grognard.systems.assault.state import STEPS

from .battles import HMG, MORTAR, RIFLES, TANK, fate, fight, gathered, letters, played, sentences

BAZOOKA: Json = {"id": "bazooka", "side": "us", "card": "US Bazooka"}
LIGHT_TANK: Json = {"id": "light", "side": "us", "card": "light tank"}


def rolls_to_spot(play: Play) -> bool:
    assert isinstance(play.question, Roll)
    return play.question.reading.dice[0].die.name == "d6"


def spots(source: Json, face: int) -> bool:
    """Whether a spotting roll with this face succeeds."""
    return sentences(played(source, [face]), "attack 4.0")[-1] == f"{source['attack']['on']}: spotted"


def test_steps_in_which_nothing_happens_are_told_in_one_line() -> None:
    lines = [f"{event.rule}: {event.what}" for event in played(fight(), ["DD", "", "X"]).events]
    assert [line for line in lines if "nothing happens" in line] == [
        "attack 1.0: nothing happens in attack 2.0",
        "attack 3.0: nothing happens in attack 4.0",
        "attack 5.0: nothing happens in attack 6.0 to 8.0",
        "defence 2.0: nothing happens in defence 3.0 to 7.0",
    ]


def test_every_step_of_both_sequences_is_a_rule() -> None:
    paragraphs = list(dict.fromkeys(rule.paragraph for rule in SYSTEM.rules))
    assert paragraphs == ["turn", *STEPS, "10.7.2", "10.7.5", "10.7.6"]


def test_attack_1_0_range_and_line_of_sight_are_told() -> None:
    assert sentences(played(fight(terrain="brush", hindering=2, range=1)), "attack 1.0") == [
        "rifles on hmg: range 1, terrain brush, line of sight hindered by 2"
    ]


def test_attack_2_0_an_activation_costs_a_command_point() -> None:
    source = {**fight(), "command_points": {"us": 3, "ge": 1}}
    assert sentences(played(source), "attack 2.0") == ["US flips a command point, 2 left"]
    assert sentences(played(fight()), "attack 2.0") == []


@pytest.mark.parametrize("fire", ["firing", "turret_firing", "move_and_fire", "fire_and_move"])
def test_attack_3_0_the_attacker_is_marked_with_its_fire_status(fire: str) -> None:
    assert sentences(played(fight(LIGHT_TANK, fire=fire)), "attack 3.0") == [
        f"light: marked “{fire.replace('_', ' ')}”"
    ]


@pytest.mark.parametrize("mark", ["fired_this_turn", "fast", "delayed"])
def test_attack_4_0_a_target_that_gave_itself_away_is_spotted_even_if_hidden(mark: str) -> None:
    assert rolls_to_spot(played(fight(on={**HMG, "hidden": True}))) is True
    assert rolls_to_spot(played(fight(on={**HMG, "hidden": True, mark: True}))) is False


@pytest.mark.parametrize(
    ("marks", "expected"), [({}, False), ({"hiding": True}, False), ({"hidden": True}, True), ({"ambush": True}, True)]
)
def test_attack_4_0_an_adjacent_target_is_spotted_unless_hidden_or_in_ambush(marks: Json, expected: bool) -> None:
    assert rolls_to_spot(played(fight(on={**HMG, **marks}, range=1, terrain="brush"))) is expected


@pytest.mark.parametrize("mark", ["hiding", "hidden", "ambush"])
def test_attack_4_0_who_hides_must_be_spotted_even_in_the_open(mark: str) -> None:
    assert rolls_to_spot(played(fight(on={**HMG, mark: True}))) is True


def test_attack_4_0_a_target_out_of_arc_must_be_spotted_even_in_the_open() -> None:
    assert rolls_to_spot(played(fight(LIGHT_TANK))) is False
    assert rolls_to_spot(played(fight(LIGHT_TANK, fire="turret_firing"))) is True
    assert rolls_to_spot(played(fight(LIGHT_TANK, fire="move_and_fire", in_arc=False))) is True


@pytest.mark.parametrize(
    ("terrain", "on", "expected"),
    [
        ("clear", HMG, False),
        ("beach", HMG, False),
        ("shallow water", HMG, False),
        ("road", HMG, False),
        ("clear", TANK, False),
        ("trench", TANK, False),  # no die for a vehicle
        ("trench", HMG, True),
        ("brush", HMG, True),
        ("brush", TANK, True),
    ],
)
def test_attack_4_0_a_hex_without_a_die_or_open_ground_hides_nobody(terrain: str, on: Json, expected: bool) -> None:
    assert rolls_to_spot(played(fight(on=on, terrain=terrain))) is expected


@pytest.mark.parametrize(
    ("hexes", "changes", "needed"),
    [
        (2, {}, 2),  # close
        (4, {}, 3),  # medium
        (7, {}, 4),  # long
        (4, {"hindering": 2}, 4),
        (4, {"mark": "hiding"}, 4),
        (2, {"mark": "hidden"}, 4),
        (2, {"mark": "ambush"}, 4),
        (7, {"mark": "hidden", "hindering": 1}, 7),  # beyond any face
    ],
)
def test_attack_4_0_the_number_needed_grows_with_range_hindrance_and_hiding(
    hexes: int, changes: Json, needed: int
) -> None:
    on = {**HMG, changes.get("mark", "dug_in"): True}
    source = fight(on=on, range=hexes, terrain="brush", hindering=changes.get("hindering", 0))
    assert [spots(source, face) for face in range(1, 7)] == [face >= needed for face in range(1, 7)]


def test_attack_4_0_hide_action_and_hidden_are_added_up() -> None:
    source = fight(on={**HMG, "hiding": True, "hidden": True}, hindering=1)
    assert [spots(source, face) for face in (5, 6)] == [False, True]


def test_attack_4_0_the_file_may_settle_whether_the_target_was_spotted() -> None:
    for spotted, line in ((True, "hmg: spotted"), (False, "hmg: not spotted")):
        play = played(fight(terrain="brush", spotted=spotted))
        assert rolls_to_spot(play) is False
        assert sentences(play, "attack 4.0") == [line]


def test_attack_4_0_special_abilities_of_both_units_bear_on_spotting() -> None:
    sharp = {**RIFLES, "abilities": [{"name": "scouts", "when": "attacking", "spotting": 2}]}
    shy = {**HMG, "abilities": [{"name": "camouflage", "when": "defending", "spotting": -3}]}
    lazy = {**HMG, "abilities": [{"name": "scouts", "when": "attacking", "spotting": 2}]}
    assert [spots(fight(sharp, HMG, terrain="brush", range=7), face) for face in (1, 2)] == [False, True]
    assert [spots(fight(RIFLES, shy, terrain="brush"), face) for face in (4, 5)] == [False, True]
    assert [spots(fight(RIFLES, lazy, terrain="brush"), face) for face in (1, 2)] == [False, True]


@pytest.mark.parametrize(
    ("by", "on", "hexes", "dice"),
    [
        (RIFLES, HMG, 1, "RRY"),
        (RIFLES, HMG, 3, "RRY"),
        (RIFLES, HMG, 4, "RR"),
        (RIFLES, HMG, 10, "YG"),
        (RIFLES, TANK, 2, "GB"),
        (BAZOOKA, TANK, 2, "RY"),
        (RIFLES, {**TANK, "armoured": False}, 2, "RRY"),
        (RIFLES, {"id": "truck", "side": "ge", "kind": "vehicle", "strength": 1, "defense": "B"}, 2, "RRY"),
        (RIFLES, {"id": "car", "side": "ge", "kind": "vehicle", "strength": 1, "defense": "GB"}, 2, "GB"),
        ({**RIFLES, "v_infantry": {"1": "B", "2-4": "GGGG"}}, HMG, 2, "GGGG"),
    ],
)
def test_attack_5_0_the_cards_dice_for_the_range_and_the_kind_of_target(
    by: Json, on: Json, hexes: int, dice: str
) -> None:
    assert gathered(fight(by, on, range=hexes))[0] == dice


def test_attack_5_0_a_friend_that_joins_adds_its_strongest_die() -> None:
    assert gathered(fight(RIFLES, HMG, BAZOOKA, joint="bazooka", joint_range=1))[0] == "RRYY"


@pytest.mark.parametrize(
    ("friend", "changes", "die"),
    [
        ({"attack_die_minus": 1}, {}, "G"),
        ({"attack_die_minus": 2}, {"joint_hindering": 2}, "G"),
        ({}, {"joint_hindering": 1}, "G"),
        ({}, {"hindering": 1}, "G"),
        ({}, {"hindering": 1, "joint_hindering": 0}, "Y"),
        ({}, {"joint_range": 4, "joint_hindering": 1}, "B"),  # blue stays
    ],
)
def test_attack_5_0_a_friend_with_a_die_less_or_hindered_sight_adds_a_weaker_die(
    friend: Json, changes: Json, die: str
) -> None:
    source = fight(RIFLES, HMG, {**BAZOOKA, **friend}, joint="bazooka", **changes)
    assert gathered(source)[0] == "".join(sorted(f"RRY{die}", key="RYGB".index))


@pytest.mark.parametrize(
    ("experience", "dice"),
    [("recruit", "RRY"), ("regular", "RRY"), ("hardened", "RRY"), ("veteran", "RRYB"), ("elite", "RRYB")],
)
def test_attack_6_0_a_veteran_or_elite_attacker_has_a_blue_die_more(experience: str, dice: str) -> None:
    play = played(fight({**RIFLES, "experience": experience}))
    expected = [f"+1 blue attack die ({experience})"] if len(dice) == 4 else []
    assert (gathered(play.battle.source)[0], sentences(play, "attack 6.0")) == (dice, expected)


def test_attack_7_0_a_recruit_defender_gets_a_suppression() -> None:
    recruit = {**HMG, "experience": "recruit"}
    assert sentences(played(fight(on=recruit)), "attack 7.0") == ["+1 X for the attack (recruit defender)"]
    assert fate(fight(on=recruit, dice="B", defense="B"), ["", ""]) == (0, "suppressed", False)
    assert fate(fight(on=recruit, dice="B", defense="B"), ["", "X"]) == (0, "none", False)
    assert fate(fight(on=HMG, dice="B", defense="B"), ["", ""]) == (0, "none", False)


@pytest.mark.parametrize(("minus", "dice"), [(1, "RR"), (2, "R"), (3, ""), (9, "")])
def test_attack_8_0_attack_die_minus_loses_the_weakest_to_none_if_need_be(minus: int, dice: str) -> None:
    weak = {**RIFLES, "attack_die_minus": minus}
    assert gathered(fight(weak, on={**HMG, "experience": "recruit"}))[0] == dice


def test_attack_8_0_a_lost_die_is_told() -> None:
    weak = {**RIFLES, "attack_die_minus": 1, "experience": "veteran"}
    assert sentences(played(fight(weak)), "attack 8.0") == ["−1 weakest attack die: blue"]


def test_attack_8_0_a_huge_attack_die_minus_is_no_more_than_all_dice() -> None:
    assert gathered(fight({**RIFLES, "attack_die_minus": 10**6}, on={**HMG, "experience": "recruit"})) == ("", "YG")


def test_attack_8_0_with_nothing_to_roll_nothing_happens() -> None:
    play = played(fight({**RIFLES, "attack_die_minus": 3}))
    assert play.question is None
    assert play.result.to_dict()["units"]["hmg"] == {"damage": 0, "status": "none", "immobilized": False}


def test_attack_8_0_fire_from_ambush_adds_a_suppression() -> None:
    assert sentences(played(fight({**RIFLES, "ambush": True})), "attack 8.0") == [
        "+1 X for the attack (fire from ambush)"
    ]


def test_attack_8_0_special_abilities_of_the_attacker_change_dice() -> None:
    effects: list[Any] = [
        {"name": "marksmen", "when": "attacking", "effect": {"pool": "attack", "gains": "Y"}},
        {"name": "wary", "when": "defending", "effect": {"pool": "defense", "gains": "R"}},
    ]
    play = played(fight({**RIFLES, "abilities": effects}))
    assert sentences(play, "attack 8.0") == ["+1 yellow attack die (special ability)"]
    assert gathered(fight({**RIFLES, "abilities": effects})) == ("RRYY", "YG")


@pytest.mark.parametrize(
    ("damage", "half", "is_half"), [(0, None, False), (1, None, False), (2, None, True), (1, 3, True), (2, 1, False)]
)
def test_attack_9_0_at_half_strength_a_double_success_counts_its_stronger_symbol(
    damage: int, half: int | None, is_half: bool
) -> None:
    tired = {**RIFLES, "damage": damage, **({} if half is None else {"half": half})}
    source = fight(tired, dice="RY", defense="")
    assert fate(source, ["DD", "XD"]) == ((2, "none", False) if is_half else (3, "eliminated", False))
    words = "rifles: at half strength, a double success counts its stronger symbol only"
    assert sentences(played(source), "attack 9.0") == ([words] if is_half else [])


def test_attack_9_0_the_attack_dice_are_rolled_before_the_defence_begins() -> None:
    question = played(fight()).question
    assert isinstance(question, Roll)
    assert (question.purpose, letters(question)) == ("Attack roll", "RRY")
    assert sentences(played(fight()), "defence 1.0") == []
    then = played(fight(), ["DD", "", "X"])
    assert isinstance(then.question, Roll)
    assert (then.question.purpose, letters(then.question)) == ("Defence roll", "YG")
    assert sentences(then, "attack 10.0") == ["the attack comes to 2 D, 1 X"]


def test_attack_9_0_half_strength_takes_nothing_from_defence() -> None:
    tired = {**HMG, "damage": 2, "strength": 4}
    assert fate(fight(on=tired, dice="Y", defense="Y"), ["DD", "DD"]) == (2, "none", False)


def test_attack_9_0_indirect_fire_on_a_vehicle_sets_aside_blanks_and_suppressions() -> None:
    source = fight(MORTAR, TANK, range=3, fire="indirect")
    play = played(source, ["CD", "X", ""])
    assert sentences(play, "attack 9.0") == ["set aside: 2 green"]
    assert isinstance(play.question, Roll)
    assert [(pool.count, pool.die.name) for pool in play.question.reading.dice] == [(1, "green")]
    assert sentences(played(source, ["X", "X", ""])) != []
    assert played(source, ["X", "X", ""]).result.to_dict()["units"]["tank"]["damage"] == 0


def test_attack_9_0_indirect_fire_on_infantry_is_not_sorted() -> None:
    assert gathered(fight(MORTAR, HMG, range=3, fire="indirect")) == ("GGG", "YG")


def test_attack_9_0_dice_gathered_by_hand_are_not_sorted() -> None:
    play = played(fight(MORTAR, TANK, range=3, fire="indirect", dice="GG", area="rear"))
    assert gathered(play.battle.source) == ("GG", "GB")


@pytest.mark.parametrize(
    ("faces", "area", "defence"), [(["CD"], "above", "GB"), (["D"], "flank", "GG"), ([""], "flank", "GG")]
)
def test_attack_10_0_indirect_fire_that_shows_a_critical_strikes_from_above(
    faces: list[str], area: str, defence: str
) -> None:
    source = fight(MORTAR, {**TANK, "experience": "recruit"}, range=3, fire="indirect")
    play = played(source, ["D", "X", ""], faces)
    assert sentences(play, "attack 10.0")[1:] == [f"tank, area struck: {area}"]
    assert gathered(source, ["D", "X", ""], faces)[1] == defence


def test_attack_10_0_without_a_symbol_no_defence_card_is_asked_and_no_die_rolled() -> None:
    cards = {"command_cards": [{"side": "us", "card": "smashed cover"}, {"side": "ge", "card": "take cover"}]}
    play = played({**fight(), **cards}, ["", "", "X"])
    assert play.question is not None
    over = played({**fight(dice="RR"), **cards}, ["", ""])
    assert over.question is None
    assert sentences(over, "attack 10.0") == ["no attack symbol is left: there is nothing to defend against"]


def test_attack_10_0_the_symbols_rolled_before_the_defence_are_compared_with_it() -> None:
    source = fight(MORTAR, TANK, range=3, fire="indirect")
    assert fate(source, ["D", "D", ""], ["D", "X"], ["", "D"]) == (0, "suppressed", False)
    assert fate(source, ["D", "D", ""], ["D", "D"], ["X", ""]) == (2, "none", False)


def test_dice_gathered_by_hand_neither_gain_nor_lose_any() -> None:
    by = {**RIFLES, "experience": "elite", "attack_die_minus": 2, "ambush": True}
    on = {**HMG, "experience": "veteran", "digging_in": True, "dug_in": True, "hiding": True}
    friend = {**BAZOOKA}
    source = fight(by, on, friend, joint="bazooka", terrain="brush", hindering=2, dice="GB", defense="RB")
    assert gathered(source) == ("GB", "RB")
    men = {"id": "men", "side": "us", "kind": "infantry", "strength": 1}
    assert gathered(fight(by, on, men, joint="men", dice="GB", defense="RB")) == ("GB", "RB")


def test_dice_may_be_gathered_by_hand_on_one_side_only() -> None:
    by, on = {**RIFLES, "experience": "elite"}, {**HMG, "experience": "elite"}
    assert gathered(fight(by, on, dice="GB")) == ("GB", "YGB")
    assert gathered(fight(by, on, defense="G", terrain="brush")) == ("RRYB", "G")
