"""What makes an attack illegal."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from grognard.api import odds
from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Json
from grognard.files import battle
from grognard.words.describe import house_rules

from .battles import HMG, MORTAR, RIFLES, TANK, fight

BAZOOKA: Json = {"id": "bazooka", "side": "us", "card": "US Bazooka"}
US_TANK: Json = {"id": "sherman", "side": "us", "card": "medium tank"}


def faults(source: Mapping[str, object]) -> list[Fault]:
    with pytest.raises(BattleError) as refused:
        battle(source)
    return refused.value.faults


def only_fault(source: Mapping[str, object]) -> Fault:
    (fault,) = faults(source)
    return fault


def on_board(source: Json, *hexes: Json) -> Json:
    return {**source, "board": {"size": [9, 9], "hexes": list(hexes)}}


def test_ids_are_unique() -> None:
    assert only_fault(fight(RIFLES, HMG, {**HMG, "side": "us"})) == (
        "units[2].id",
        '"hmg" is already the id of units[1]',
    )


def test_a_unit_has_a_known_card_or_says_what_it_is() -> None:
    place, message = only_fault(fight(RIFLES, {**HMG, "card": "GE HMG 43"}))
    assert place == "units[1].card"
    assert message.startswith('there is no card "GE HMG 43", did you mean "GE HMG 42"? known: US Rifles 43, ')
    assert faults(fight(RIFLES, {"id": "hmg", "side": "ge"})) == [
        ("units[1].kind", "is missing: a unit without a card needs it"),
        ("units[1].strength", "is missing: a unit without a card needs it"),
    ]


@pytest.mark.parametrize(
    ("unit", "fault"),
    [
        ({**HMG, "damage": 3}, ("units[1].damage", "found 3, expected less than its strength, 3")),
        ({**HMG, "half": 4}, ("units[1].half", "found 4, expected no more than its strength, 3")),
        (
            {**HMG, "immobilized": True},
            ("units[1].immobilized", "only a vehicle can be immobilized, and this is infantry"),
        ),
        (
            {**HMG, "defense": "YX"},
            (
                "units[1].defense",
                'found "YX", expected dice by their letters, such as "RRY": R red, Y yellow, G green, B blue',
            ),
        ),
        (
            {**HMG, "v_infantry": {"1-3": "R", "3-4": "Y"}},
            ("units[1].v_infantry.3-4", 'overlaps with "1-3"'),
        ),
        (
            {**HMG, "v_armour": {"3-1": "R"}},
            (
                "units[1].v_armour.3-1",
                'found "3-1", expected a range such as "4", or "1-3" from the nearer to the farther',
            ),
        ),
        (
            {**HMG, "v_indirect": {"near by": "R"}},
            (
                'units[1].v_indirect."near by"',
                'found "near by", expected a range such as "4", or "1-3" from the nearer to the farther',
            ),
        ),
        ({**HMG, "at": [1, 1]}, ("units[1].at", "is a hex, but there is no [board] with a size")),
    ],
)
def test_the_figures_of_a_unit_fit(unit: Json, fault: tuple[str, str]) -> None:
    assert only_fault(fight(RIFLES, unit)) == fault


def test_figures_are_found_wherever_they_are() -> None:
    areas = {"front": "Q", "flank": "G", "rear": "B", "above": "B"}
    source: Json = {
        **fight(dice="1", defense="G"),
        "cards": {"my tank": {"kind": "vehicle", "strength": 1, "defense": areas}},
        "terrain_data": {"swamp": {"infantry": "GX"}},
        "command_card_data": {"boost": {"effect": {"pool": "attack", "gains": "Z"}}},
        "tables": {
            "hindered": {"dice": "W"},
            "moving": {"normal": "", "fast_vehicle": "", "unspotted": "", "unspotted_vehicle": "V"},
        },
        "rules": {"faces": {"red": ["D", "E"], "yellow": [""], "green": [""], "blue": [""]}},
    }
    assert [fault.place for fault in faults(source)] == [
        "attack.dice",
        'cards."my tank".defense.front',
        "terrain_data.swamp.infantry",
        "command_card_data.boost.effect.gains",
        "tables.hindered.dice",
        "tables.moving.unspotted_vehicle",
        "rules.faces.red[1]",
    ]


def test_an_effect_does_something() -> None:
    source = {**fight(), "command_cards": [{"side": "us", "effect": {"pool": "attack"}}]}
    message = "does nothing: expected gains, loses, rerolls, x or cancels"
    assert only_fault(source) == ("command_cards[0].effect", message)


@pytest.mark.parametrize("key", ["x", "cancels"])
def test_only_attack_symbols_are_added_or_cancelled(key: str) -> None:
    source = {**fight(), "command_cards": [{"side": "us", "effect": {"pool": "defense", key: 1}}]}
    message = 'is about attack symbols: expected pool = "attack"'
    assert only_fault(source) == (f"command_cards[0].effect.{key}", message)


def test_a_command_card_is_one_by_name_or_written_out() -> None:
    effect = {"pool": "attack", "gains": "B"}
    message = "expected the name of a `card`, or an `effect` written out: one of the two"
    for card in ({"side": "us"}, {"side": "us", "card": "steady aim", "effect": effect}):
        assert only_fault({**fight(), "command_cards": [card]}) == ("command_cards[0]", message)
    unknown = only_fault({**fight(), "command_cards": [{"side": "us", "card": "steady arm"}]})
    assert unknown.place == "command_cards[0].card"
    assert unknown.message.startswith('there is no command card "steady arm", did you mean "steady aim"?')


def test_sides_that_hold_cards_or_points_are_in_the_battle() -> None:
    points = {"command_points": {"it": 1}, "command_points_per_turn": {"fr": 1}}
    source = {**fight(), "command_cards": [{"side": "uk", "card": "steady aim"}], **points}
    assert faults(source) == [
        ("command_cards[0].side", 'there is no side "uk"; known: us, ge'),
        ("command_points", 'there is no side "it"; known: us, ge'),
        ("command_points_per_turn", 'there is no side "fr"; known: us, ge'),
    ]


def test_the_board_holds_its_hexes_and_units() -> None:
    unit = {**HMG, "at": [10, 1]}
    source = on_board(fight(RIFLES, unit), {"at": [0, 1]}, {"at": [2, 2], "terrain": "jungle"}, {"at": [2, 2]})
    assert [(place, message.split(";")[0]) for place, message in faults(source)] == [
        ("units[1].at", "[10, 1] is off the board, which has columns 1 to 9 and rows 1 to 9"),
        ("board.hexes[0].at", "[0, 1] is off the board, which has columns 1 to 9 and rows 1 to 9"),
        ("board.hexes[1].terrain", 'there is no terrain "jungle"'),
        ("board.hexes[2].at", "[2, 2] is already described"),
    ]


def test_the_attack_names_units_and_terrain_that_there_are() -> None:
    actual = faults({**fight(), "attack": {"by": "rifle", "on": "mg", "joint": "x", "terrain": "light forrest"}})
    assert [fault.place for fault in actual] == ["attack.by", "attack.on", "attack.joint", "attack.terrain"]
    assert actual[0].message == 'there is no unit "rifle", did you mean "rifles"? known: rifles, hmg'
    assert actual[3].message.startswith('there is no terrain "light forrest", did you mean "light forest"?')


def test_attack_1_0_a_unit_fires_on_an_enemy() -> None:
    assert only_fault({**fight(), "attack": {"by": "hmg", "on": "hmg", "range": 1}}) == (
        "attack.on",
        "hmg cannot fire on itself",
    )
    assert only_fault(fight(RIFLES, {**HMG, "side": "us"})) == ("attack.on", "hmg is no enemy: both units are us")


def test_attack_1_0_the_range_is_known_and_reached() -> None:
    missing = "is missing: expected the hexes between the two, or both units `at` on a board"
    assert only_fault(fight(range=None)) == ("attack.range", missing)
    assert only_fault(fight(range=None, dice="R")) == ("attack.range", missing)
    battle(fight(range=None, dice="R", defense="G"))
    far = "hmg is 11 hexes from rifles, whose dice reach 1–3, 4–6, 7–10"
    assert only_fault(fight(range=11)) == ("attack.range", far)
    assert only_fault(fight(range=11, dice="R")) == ("attack.range", far)
    armour = "tank is 3 hexes from rifles, whose dice reach 1, 2"
    assert only_fault(fight(on=TANK, range=3)) == ("attack.range", armour)
    near = "hmg is 2 hexes from mortar, whose dice reach 3–11"
    assert only_fault(fight(MORTAR, range=2, fire="indirect")) == ("attack.range", near)


def test_attack_1_0_close_combat_is_not_covered() -> None:
    there = "rifles, an enemy, is on [3, 3] already: close combat is not implemented"
    for hexes in (None, 3):
        source = on_board(fight({**RIFLES, "at": [3, 3]}, {**HMG, "at": [3, 3]}, range=hexes))
        assert only_fault(source) == ("units[1].at", there)


def test_enemies_who_take_no_part_are_not_in_one_hex_either() -> None:
    friend, enemy = {**BAZOOKA, "at": [5, 5]}, {**TANK, "at": [5, 5]}
    there = "bazooka, an enemy, is on [5, 5] already: close combat is not implemented"
    assert only_fault(on_board(fight(RIFLES, HMG, friend, enemy))) == ("units[3].at", there)
    battle(on_board(fight(RIFLES, HMG, friend, {**US_TANK, "at": [5, 5]})))


@pytest.mark.parametrize(
    ("by", "on", "fire", "row"),
    [
        ({"id": "men", "side": "us", "kind": "infantry", "strength": 2}, HMG, "firing", "v_infantry"),
        (MORTAR, TANK, "firing", "v_armour"),
        (RIFLES, HMG, "indirect", "v_indirect"),
    ],
)
def test_attack_5_0_the_attacker_has_dice_for_the_target(by: Json, on: Json, fire: str, row: str) -> None:
    place, message = only_fault(fight(by, on, fire=fire, range=3))
    assert place == "attack.by"
    assert f"or `{row}`, or the attack's `dice` gathered by hand" in message
    battle(fight(by, on, fire=fire, range=3, dice="R"))


def test_attack_1_0_a_blocked_line_of_sight_is_no_attack() -> None:
    message = "the line of sight from rifles to hmg is blocked"
    assert only_fault(fight(hindering=3)) == (
        "attack.hindering",
        f"{message}: 3 hexes hinder it, and more than 2 block it",
    )
    battle(fight(MORTAR, hindering=3, range=3, fire="indirect"))
    units = ({**RIFLES, "at": [2, 5]}, {**HMG, "at": [4, 5]})
    assert only_fault(on_board(fight(*units, range=None), {"at": [3, 5], "terrain": "heavy forest"})) == (
        "attack.on",
        message,
    )


def test_attack_2_0_a_unit_is_activated_once_and_for_a_command_point() -> None:
    assert only_fault(fight({**RIFLES, "activated": True})) == (
        "attack.by",
        "rifles was already activated this turn",
    )
    message = "there is none left to activate rifles"
    assert only_fault({**fight(), "command_points": {"us": 0}}) == ("command_points.us", message)


@pytest.mark.parametrize(
    ("by", "attack", "fault"),
    [
        (
            MORTAR,
            {"fire": "move_and_fire"},
            ("attack.fire", 'found "move_and_fire", but mortar is artillery, which cannot move and fire in one turn'),
        ),
        (
            {**US_TANK, "immobilized": True},
            {"fire": "move_and_fire"},
            ("attack.fire", 'found "move_and_fire", but sherman is immobilized and cannot move'),
        ),
        (
            {**US_TANK, "immobilized": True},
            {"fire": "fire_and_move"},
            ("attack.fire", 'found "fire_and_move", but sherman is immobilized and cannot move'),
        ),
        (RIFLES, {"fire": "turret_firing"}, ("attack.fire", "rifles has no turret")),
        (
            US_TANK,
            {"fire": "turret_firing", "in_arc": True},
            ("attack.fire", 'the target is in the arc of fire: sherman is "firing", its turret is not turned'),
        ),
        (RIFLES, {"in_arc": False}, ("attack.in_arc", "rifles is infantry, which fires all round")),
        (
            MORTAR,
            {"in_arc": False},
            ("attack.on", "hmg is out of the arc of fire, and mortar has no turret"),
        ),
        (
            US_TANK,
            {"in_arc": False},
            ("attack.fire", 'the target is out of the arc of fire: expected "turret_firing"'),
        ),
    ],
)
def test_attack_3_0_the_fire_status_is_one_the_attacker_can_have(
    by: Json, attack: Json, fault: tuple[str, str]
) -> None:
    assert only_fault(fight(by, **attack)) == fault


def test_attack_4_0_a_spotting_roll_needs_range_bands() -> None:
    men = {"id": "men", "side": "us", "kind": "infantry", "strength": 2}
    message = "expected true or false: men has no range bands to tell what a spotting roll must show"
    assert only_fault(fight(men, HMG, dice="R", terrain="brush")) == ("attack.spotted", message)
    battle(fight(men, HMG, dice="R", terrain="brush", spotted=False))
    battle(fight(men, HMG, dice="R"))
    battle(fight(men, HMG, dice="R", terrain="brush", defense="G"))


@pytest.mark.parametrize(
    ("friend", "attack", "message"),
    [
        ({"side": "ge"}, {}, "bazooka is no friend of rifles: expected another unit of us"),
        ({"activated": True}, {}, "bazooka was already activated this turn"),
        ({"fired_this_turn": True}, {}, "bazooka was already activated this turn"),
        ({"at": [7, 7]}, {}, "bazooka is not adjacent to rifles"),
        ({}, {"joint_hindering": 3}, "the line of sight from bazooka to hmg is blocked"),
        ({}, {"joint_range": 12}, "hmg is 12 hexes from bazooka, whose dice reach 1–2, 3–6, 7–9"),
    ],
)
def test_attack_5_0_who_joins_the_fire_is_a_friend_that_could_fire(friend: Json, attack: Json, message: str) -> None:
    units = ({**RIFLES, "at": [2, 5]}, {**HMG, "at": [4, 5]}, {"at": [3, 5], **BAZOOKA, **friend})
    assert only_fault(on_board(fight(*units, joint="bazooka", **attack))) == ("attack.joint", message)


def test_attack_5_0_nobody_joins_indirect_fire_or_his_own() -> None:
    source = fight(MORTAR, HMG, BAZOOKA, joint="bazooka", fire="indirect", range=3)
    assert only_fault(source) == ("attack.joint", "no unit can join indirect fire")
    own = fight(joint="rifles")
    assert only_fault(own) == ("attack.joint", "rifles is no friend of rifles: expected another unit of us")


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"range": 0}, "attack.range"),
        ({"hindering": -1}, "attack.hindering"),
        ({"area": "top"}, "attack.area"),
        ({"fire": "fire"}, "attack.fire"),
        ({"spotted": "maybe"}, "attack.spotted"),
        ({"dices": "RRY"}, "attack.dices"),
    ],
)
def test_fields_are_checked_by_their_types(changes: dict[str, Any], place: str) -> None:
    assert only_fault(fight(**changes)).place == place


LARGE = 10**6


def changed(source: Json, place: str, value: object) -> Json:
    """The battle with another value at a place such as `units[0].move`."""
    copy: Json = json.loads(json.dumps(source))
    *tables, key = place.replace("]", "").replace("[", ".").split(".")
    table: Any = copy
    for name in tables:
        table = table[int(name) if name.isdigit() else name]
    table[key] = value
    return copy


@pytest.mark.parametrize(
    "changes",
    [
        {"units[0].attack_die_minus": LARGE, "units[1].experience": "recruit"},
        {"units[1].strength": LARGE, "units[1].damage": LARGE - 1},
        {"units[1].strength": LARGE, "units[1].half": LARGE},
        {"units[1].move": LARGE},
        {"units[0].v_infantry": {"1-1000000": "RR"}, "attack.range": LARGE},
        {"command_points": {"us": LARGE}, "command_points_per_turn": {"us": LARGE}},
        {"units[0].abilities": [{"name": "n" * 200, "when": "attacking", "spotting": -LARGE}]},
        {"board": {"size": [LARGE, LARGE]}, "units[0].at": [1, 1], "units[1].at": [3, 1], "units[1].move": LARGE},
    ],
)
def test_numbers_up_to_a_million_are_legal_and_work(changes: dict[str, Any]) -> None:
    source: Json = {**fight(), "board": {"size": [9, 9]}}
    for place, value in changes.items():
        source = changed(source, place, value)
    assert odds(battle(source)).value >= 0


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("units[0].attack_die_minus", 10**18),
        ("units[1].move", 10**7),
        ("units[0].abilities", [{"name": "n", "when": "attacking", "effect": {"pool": "attack", "x": 3 * 10**8}}]),
        ("units[0].abilities", [{"name": "n", "when": "attacking", "effect": {"pool": "attack", "x": -(10**18)}}]),
        ("command_cards", [{"side": "us", "effect": {"pool": "attack", "cancels": 10**18}}]),
        ("board.size", [10**7, 1]),
        ("attack.dice", "R" * 10_001),
        ("units[0].id", "x" * 201),
        ("board.hexes", [{"at": [1, 1], "elevation": 10**18}]),
        ("units[0].v_infantry", {"1-10000000": "R"}),
    ],
)
def test_beyond_its_bound_a_value_is_a_fault(place: str, value: object) -> None:
    actual = faults(changed({**fight(), "board": {"size": [9, 9]}}, place, value))
    assert actual[0].place.startswith(place)


def test_ten_thousand_units_and_hexes_are_no_trouble() -> None:
    crowd = [{"id": f"unit {number}", "side": "us", "card": "US Bazooka"} for number in range(9_998)]
    hexes = [{"at": [column, row], "terrain": "brush"} for column in range(1, 101) for row in range(1, 101)]
    on = {**HMG, "at": [6, 5], "status": "suppressed"}
    source = fight({**RIFLES, "at": [4, 5]}, on, *crowd, range=None)
    actual = odds(battle({**source, "board": {"size": [100, 100], "hexes": hexes}}))
    assert len(actual.outcomes[0].result.to_dict()["units"]) == 10_000
    with pytest.raises(BattleError):
        battle({**source, "units": [*source["units"], {**HMG, "id": "one more"}]})


def test_a_battle_with_faces_of_its_own_is_plain_data() -> None:
    faces = {"red": ["D"], "yellow": ["D"], "green": ["D"], "blue": [""]}
    source = fight(rules={"faces": faces})
    assert json.loads(json.dumps(battle(source).source)) == source
    assert json.loads(json.dumps(house_rules(battle(source)))) == {"faces": {**faces, "mark": "yours"}}


def test_battles_can_be_compared_and_hashed() -> None:
    source = {**fight({**RIFLES, "v_infantry": {"1-3": "R"}}), "command_points": {"us": 1}}
    assert battle(source) == battle(source)
    assert hash(battle(source)) == hash(battle(source))
    assert battle(source) != battle(fight())
