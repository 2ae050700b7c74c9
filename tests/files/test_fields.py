"""The fields of a dataclass, for faults, listings and forms."""

from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from grognard.core.errors import Fault
from grognard.core.fields import AtLeast, AtMost, Doc
from grognard.files import FieldInfo, fields_of
from grognard.files.fields import parse_table
from tests.files.toy import Attack, Board, Score, Setup, Switches, Terrain, Unit, Weather


def field(shape: type[Any], name: str) -> FieldInfo:
    return {field.name: field for field in fields_of(shape)}[name]


def test_a_switch_has_a_default_choices_a_description_and_a_paragraph() -> None:
    ties = field(Switches, "ties")
    assert ("ties", "defender", False, "who wins ties", "1.1.00") == (
        ties.name,
        ties.default,
        ties.required,
        ties.description,
        ties.paragraph,
    )
    assert 'one of "defender", "attacker"' == ties.expects
    assert ("defender", "attacker") == ties.choices
    assert ("clear", "rain") == field(Switches, "weather").choices
    assert Weather.CLEAR is field(Switches, "weather").default
    assert (False, True) == field(Switches, "captured").choices


def test_fields_are_in_the_order_of_the_dataclass_without_those_that_are_not_in_files() -> None:
    assert ["units", "attack", "turn", "board", "terrain", "scores", "rules"] == [
        field.name for field in fields_of(Setup)
    ]
    assert ["units", "attack"] == [field.name for field in fields_of(Setup) if field.required]


def test_a_field_has_the_table_inside_it() -> None:
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


def test_annotations_on_a_member_of_a_union_count() -> None:
    assert "the way, if it is fixed" == field(Attack, "how").description
    assert ("direct", "call in") == field(Attack, "how").choices
    assert ("roll", False, True) == field(Attack, "spotted").choices
    assert () == field(Attack, "near_station").choices


@dataclass(frozen=True)
class Placed:
    at: tuple[float, float]
    radius: Annotated[float, AtLeast(0), AtMost(3)] = 0.25


@pytest.mark.parametrize(("at", "radius"), [((1, 2.5), 0.5), ((-3.25, 0), 3), ((1e6, -1e6), 0)])
def test_a_number_may_have_a_fraction_and_stays_as_it_is_written(at: tuple[float, float], radius: float) -> None:
    wrong: list[Fault] = []
    read = parse_table(Placed, {"at": list(at), "radius": radius}, "", wrong)
    assert ([], Placed(at, radius)) == (wrong, read)


@pytest.mark.parametrize(
    ("table", "place", "message"),
    [
        ({"at": [1]}, "at", "found [1], expected x and y, each a number"),
        ({"at": [1, "2"]}, "at[1]", 'found "2", expected a number'),
        ({"at": [1, True]}, "at[1]", "found true, expected a number"),
        ({"at": [1, float("nan")]}, "at[1]", "found nan, expected a number"),
        ({"at": [float("inf"), 1]}, "at[0]", "found inf, expected a number"),
        ({"at": [1_000_001, 1]}, "at[0]", "found 1000001, expected a number ≤ 1000000"),
        ({"at": [1, 1], "radius": -0.5}, "radius", "found -0.5, expected a number from 0 to 3"),
        ({"at": [1, 1], "radius": 3.01}, "radius", "found 3.01, expected a number from 0 to 3"),
    ],
)
def test_a_value_that_is_not_a_number_or_too_large_is_a_fault(
    table: dict[str, object], place: str, message: str
) -> None:
    wrong: list[Fault] = []
    assert parse_table(Placed, table, "", wrong) is None
    assert [Fault(place, message)] == wrong


def test_a_type_that_no_file_can_have_is_an_error_of_the_programmer() -> None:
    @dataclass(frozen=True)
    class Wrong:
        field: Annotated[complex, Doc("no table has imaginary places")]

    with pytest.raises(TypeError, match="a battle file cannot say"):
        fields_of(Wrong)
