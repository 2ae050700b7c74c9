"""What makes an attack illegal."""

from collections.abc import Mapping

import pytest

from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Json
from grognard.files import battle

from .battles import GUNS, MORTAR, RIFLES, attack, unit

BROKE = {**GUNS, "supply": 0}


def faults(source: Mapping[str, object]) -> list[Fault]:
    with pytest.raises(BattleError) as refused:
        battle(source)
    return refused.value.faults


def test_ids_and_squares_are_unique() -> None:
    twice = unit("guns", "blue", at=[1, 3])
    assert faults(attack(GUNS, RIFLES, twice)) == [
        Fault("units[2].id", '"guns" is already the id of units[0]'),
        Fault("units[2].at", "[1, 3] is taken by rifles: one unit on a square"),
    ]


def test_the_attack_names_units_of_the_file() -> None:
    assert faults(attack(GUNS, RIFLES, by="gums", on="rifle", through="tanks")) == [
        Fault("attack.by", 'there is no unit "gums", did you mean "guns"? known: guns, rifles'),
        Fault("attack.on", 'there is no unit "rifle", did you mean "rifles"? known: guns, rifles'),
        Fault("attack.through", 'there is no unit "tanks"; known: guns, rifles'),
    ]


def test_a_unit_cannot_attack_itself_or_a_friend() -> None:
    assert faults(attack(GUNS, on="guns")) == [Fault("attack.on", "guns cannot attack itself")]
    friend = {**RIFLES, "side": "red"}
    assert faults(attack(GUNS, friend)) == [Fault("attack.on", "rifles is no enemy: both units are red")]


def test_the_target_is_in_range_and_the_attack_unused() -> None:
    assert faults(attack({**GUNS, "fired": True, "range": 1}, RIFLES, MORTAR)) == [
        Fault("attack.by", "guns has attacked already this turn"),
        Fault("attack.on", "rifles is 2 squares from guns, whose range is 1"),
    ]


def test_a_diagonal_distance_is_said_as_such() -> None:
    far = {**RIFLES, "at": [5, 3]}
    assert faults(attack(GUNS, far, rules={"distance": "diagonal"})) == [
        Fault("attack.on", "rifles is 4 squares from guns, whose range is 3")
    ]


NO_PAY = "guns cannot pay: its Ammunition Cost is 1, its supply 0"


@pytest.mark.parametrize(
    ("others", "fields", "place", "reasons"),
    [
        ([], {}, "attack", f"direct: {NO_PAY}; call in: no other unit of red has Indirect Fire"),
        ([MORTAR], {"how": "direct"}, "attack.how", f"direct: {NO_PAY}"),
        ([], {"how": "call in"}, "attack.how", "call in: no other unit of red has Indirect Fire"),
        (
            [{**MORTAR, "fired": True, "supply": 0}, unit("far", at=[9, 9], indirect=True)],
            {},
            "attack",
            f"direct: {NO_PAY}; call in mortar: mortar has attacked already this turn, mortar cannot pay: its "
            "Ammunition Cost is 1, its supply 0; call in far: rifles is 14 squares from far, whose range is 3",
        ),
    ],
)
def test_at_least_one_way_is_open(others: list[Json], fields: Json, place: str, reasons: str) -> None:
    expected = [Fault(place, f"no way to attack is open. {reasons}")]
    assert faults(attack(BROKE, RIFLES, *others, **fields)) == expected


@pytest.mark.parametrize(
    ("mortar", "because"),
    [
        ({"indirect": False}, "mortar has no Indirect Fire"),
        ({"side": "blue"}, "mortar is no friend: it is blue, guns red"),
        ({"fired": True}, "mortar has attacked already this turn"),
        ({"at": [9, 3]}, "rifles is 8 squares from mortar, whose range is 3"),
        ({"supply": 0}, "mortar cannot pay: its Ammunition Cost is 1, its supply 0"),
        (
            {"supply": 0, "fired": True},
            "mortar has attacked already this turn; mortar cannot pay: its Ammunition Cost is 1, its supply 0",
        ),
    ],
)
def test_through_a_unit_that_can_be_called_in(mortar: Json, because: str) -> None:
    fight = attack(GUNS, RIFLES, {**MORTAR, **mortar}, how="call in", through="mortar")
    assert faults(fight) == [Fault("attack.through", because)]


def test_never_through_the_caller() -> None:
    assert faults(attack({**GUNS, "indirect": True}, RIFLES, through="guns")) == [
        Fault("attack.through", "guns cannot call in itself")
    ]


def test_a_direct_attack_goes_through_nobody() -> None:
    assert faults(attack(GUNS, RIFLES, MORTAR, how="direct", through="mortar")) == [
        Fault("attack.through", 'a direct attack goes through nobody: leave it out, or how = "call in"')
    ]


@pytest.mark.parametrize(
    ("key", "value"),
    [("die", 7), ("strength", 0), ("range", -1), ("ammo", -1), ("supply", -1), ("fired", "no"), ("side", "")],
)
def test_a_wrong_field_is_known_by_its_place(key: str, value: object) -> None:
    assert [fault.place for fault in faults(attack({**GUNS, key: value}, RIFLES))] == [f"units[0].{key}"]


def test_squares_are_counted_from_one() -> None:
    assert [fault.place for fault in faults(attack({**GUNS, "at": [0, 1]}, RIFLES))] == ["units[0].at[0]"]
