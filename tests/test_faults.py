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
        *parents, last = path.split("__")
        table: Any = data
        for key in parents:
            table = table[int(key)] if key.isdigit() else table[key]
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


def test_where_nobody_can_tell_what_was_meant_the_fields_alone_are_told() -> None:
    assert ["units[0].id"] == places(units__0__id=7, attack__on="nobody")
