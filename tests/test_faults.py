"""A file's faults are told together: those of single fields and those of the battle as a whole."""

from copy import deepcopy
from typing import Any

import pytest

from grognard import BattleError, systems
from grognard.files import battle

SUPPLY: dict[str, Any] = dict(systems.find("supply").example)


def places(**changes: object) -> list[str]:
    data = deepcopy(SUPPLY)
    for path, value in changes.items():
        *parents, last = [int(key) if key.isdigit() else key for key in path.split("__")]
        table: Any = data
        for key in parents:
            table = table[key]
        if value is None:
            del table[last]
        else:
            table[last] = value
    with pytest.raises(BattleError) as caught:
        battle(data)
    return [fault.place for fault in caught.value.faults]


def test_an_unknown_key_hides_no_unknown_target() -> None:
    assert ["bogus", "attack.on"] == places(bogus=1, attack__on="nobody")


def test_a_wrong_number_hides_no_unknown_target() -> None:
    assert ["units[0].strength", "attack.on"] == places(units__0__strength=-3, attack__on="nobody")


def test_a_missing_number_hides_no_unknown_target() -> None:
    assert ["units[0].die", "attack.on"] == places(units__0__die=None, attack__on="nobody")


def test_a_wrong_switch_hides_no_unknown_target() -> None:
    assert ["rules", "attack.on"] == places(rules="all", attack__on="nobody")


def test_what_a_wrong_field_may_have_caused_is_not_told() -> None:
    """Whether the target is out of range depends on the range that was meant."""
    assert ["units[0].range"] == places(units__0__range="far", units__1__at=[1, 4])


def test_a_range_that_is_right_and_too_short_is_told_beside_a_wrong_field() -> None:
    assert ["units[0].ammo", "attack.on"] == places(units__0__ammo="much", units__0__range=1, units__1__at=[1, 4])


@pytest.mark.parametrize(
    ("expected", "changes"),
    [
        (["units[0].side", "units[2].at"], {"units__0__side": None, "units__2__at": [4, 3]}),
        (["units[0].id", "units[2].at"], {"units__0__id": "", "units__2__at": [4, 3]}),
        (["attack.by", "attack.on"], {"attack__by": None, "attack__on": "nobody"}),
        (["units[0]", "attack"], {"units__0": 7, "attack": None}),
        (["units", "attack"], {"units": None, "attack": None}),
        (["units", "attack"], {"units": "all", "attack": None}),
        (
            ["units[0].id", "units[1].side", "units[2].at"],
            {"units__0__id": " ", "units__1__side": "x" * 300, "units__2__at": [4, 3]},
        ),
    ],
)
def test_a_missing_name_or_table_hides_no_other_fault(expected: list[str], changes: dict[str, object]) -> None:
    assert expected == places(**changes)


@pytest.mark.parametrize(
    ("expected", "changes"),
    [
        (["units[0].side", "units[1].side"], {"units__0__side": None, "units__1__side": None}),
        (["units[0].id"], {"units__0__id": None}),
        (["units[0]"], {"units__0": 7}),
        (["units"], {"units": None}),
        (["rules"], {"units__1__at": [5, 4], "rules": "all"}),
    ],
    ids=str,
)
def test_a_missing_name_or_table_causes_no_other_fault(expected: list[str], changes: dict[str, object]) -> None:
    """It may be any name: one of the file, or a new one."""
    assert expected == places(**changes)


def test_a_missing_place_causes_no_other_fault() -> None:
    """Two places on one diagonal would need the direction of the attack."""
    data: dict[str, Any] = deepcopy(dict(systems.find("tower").example))
    assert data["units"][2].pop("at")
    with pytest.raises(BattleError) as caught:
        battle(data)
    assert ["units[2].at"] == [fault.place for fault in caught.value.faults]


def test_in_a_file_with_many_names_a_missing_one_is_told_alone() -> None:
    data = deepcopy(SUPPLY)
    data["units"] += [{**data["units"][1], "id": f"unit {n}", "at": [n + 5, 1]} for n in range(60)]
    del data["units"][0]["id"]
    data["attack"]["through"] = "rifles"
    with pytest.raises(BattleError) as caught:
        battle(data)
    assert ["units[0].id"] == [fault.place for fault in caught.value.faults]


def test_where_nobody_can_tell_what_was_meant_the_fields_alone_are_told() -> None:
    assert ["units[0].id"] == places(units__0__id=7, attack__on="nobody")
