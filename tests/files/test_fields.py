"""The one mechanism behind faults, listings and forms: what a dataclass lets a file say."""

from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from grognard.core.fields import Says
from grognard.files import FieldInfo, fields_of
from tests.files.toy import Attack, Board, Score, Setup, Switches, Terrain, Unit, Weather


def field(shape: type[Any], name: str) -> FieldInfo:
    return {field.name: field for field in fields_of(shape)}[name]


def test_a_switch_tells_its_default_its_choices_its_words_and_its_paragraph() -> None:
    ties = field(Switches, "ties")
    assert ("ties", "defender", False, "who wins ties", "1.1.00") == (
        ties.name,
        ties.default,
        ties.required,
        ties.says,
        ties.paragraph,
    )
    assert 'one of "defender", "attacker"' == ties.expects
    assert ("defender", "attacker") == ties.choices
    assert ("clear", "rain") == field(Switches, "weather").choices
    assert Weather.CLEAR is field(Switches, "weather").default
    assert (False, True) == field(Switches, "captured").choices


def test_fields_come_in_the_order_of_the_dataclass_without_those_a_file_cannot_say() -> None:
    assert ["units", "attack", "turn", "board", "terrain", "scores", "rules"] == [
        field.name for field in fields_of(Setup)
    ]
    assert ["units", "attack"] == [field.name for field in fields_of(Setup) if field.required]


def test_the_table_inside_a_field_is_told() -> None:
    inside = {name: field(Setup, name).table for name in ("units", "attack", "turn", "board", "terrain", "scores")}
    assert {
        "units": Unit,
        "attack": Attack,
        "turn": None,
        "board": Board,
        "terrain": Terrain,
        "scores": Score,
    } == inside
    assert ["scores"] == [field.name for field in fields_of(Setup) if field.value_type.is_named]


def test_words_on_a_member_of_a_union_count() -> None:
    assert "the way, if it is fixed" == field(Attack, "how").says
    assert ("direct", "call in") == field(Attack, "how").choices
    assert ("roll", False, True) == field(Attack, "spotted").choices
    assert () == field(Attack, "near_station").choices


def test_a_type_that_no_file_can_say_is_the_programmers_error() -> None:
    @dataclass(frozen=True)
    class Wrong:
        field: Annotated[float, Says("no dice are that fine")]

    with pytest.raises(TypeError, match="a battle file cannot say"):
        fields_of(Wrong)
