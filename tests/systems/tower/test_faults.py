"""Battles that are refused, each with its place and the reason."""

from typing import Any

import pytest

from grognard.core.errors import BattleError, Fault
from grognard.files import battle
from tests.systems.tower.battles import Json, attack, unit

RED, BLUE = unit("red", 4, 4), unit("blue", 5, 4)


def faults(source: Json) -> list[Fault]:
    with pytest.raises(BattleError) as refused:
        battle(source)
    return refused.value.faults


def test_two_units_on_a_tile() -> None:
    assert faults(attack(RED, BLUE, unit("b1", 5, 4))) == [
        Fault("units[2].at", '"blue" is on [5, 4] already: one unit on a tile')
    ]


def test_two_units_of_one_name() -> None:
    assert faults(attack(RED, BLUE, unit("blue", 7, 7))) == [
        Fault("units[2].id", '"blue" is already the id of units[1]')
    ]


@pytest.mark.parametrize("tile", [(10, 4), (4, 10), (0, 4), (4, -1)])
def test_a_unit_off_the_board(tile: tuple[int, int]) -> None:
    message = f"{list(tile)} is off the board, which has columns 1 to 9 and rows 1 to 9"
    assert faults(attack(RED, BLUE, unit("b1", *tile))) == [Fault("units[2].at", message)]


@pytest.mark.parametrize(("side", "place"), [("blue", "blue"), ("the blues", '"the blues"')])
def test_a_capital_off_the_board(side: str, place: str) -> None:
    message = "[3, 10] is off the board, which has columns 1 to 9 and rows 1 to 9"
    assert faults(attack(RED, BLUE, capitals={side: [3, 10]})) == [Fault(f"board.capitals.{place}", message)]


def test_more_health_than_when_unhurt() -> None:
    assert faults(attack(RED, unit("blue", 5, 4, health=3, full_health=2))) == [
        Fault("units[1].full_health", "found 2, which is below its health, 3")
    ]


@pytest.mark.parametrize("key", ["by", "on"])
def test_a_unit_that_nobody_knows(key: str) -> None:
    source = attack(RED, BLUE)
    assert faults({**source, "attack": {**source["attack"], key: "bleu"}}) == [
        Fault(f"attack.{key}", 'there is no unit "bleu", did you mean "blue"? known: red, blue')
    ]
    assert faults({**source, "attack": {**source["attack"], key: "mauve"}}) == [
        Fault(f"attack.{key}", 'there is no unit "mauve"; known: red, blue')
    ]


def test_a_target_on_ones_own_side() -> None:
    assert faults(attack(RED, unit("r1", 5, 4))) == [
        Fault("attack.on", "red cannot attack r1, which is on its own side, red: expected an enemy")
    ]


def test_an_attack_on_itself() -> None:
    source = attack(RED, BLUE)
    assert faults({**source, "attack": {"by": "red", "on": "red"}}) == [
        Fault("attack.on", "red cannot attack itself: expected an enemy")
    ]


def test_1_an_attacker_that_has_attacked_or_reinforced_an_attack_this_turn() -> None:
    assert faults(attack(unit("red", 4, 4, attacked=True), BLUE)) == [
        Fault("attack.by", "red has attacked, or reinforced an attack, this turn already")
    ]


@pytest.mark.parametrize(("reach", "column", "row", "away"), [(0, 6, 4, 2), (0, 5, 5, 2), (1, 7, 4, 3), (2, 7, 5, 4)])
def test_1_a_target_out_of_range(reach: int, column: int, row: int, away: int) -> None:
    source = attack(unit("red", 4, 4, range=reach), unit("blue", column, row), direction="east")
    message = f"blue is {away} tiles away, and a Range of {reach} reaches no further than {reach + 1}"
    assert faults(source) == [Fault("attack.on", message)]


@pytest.mark.parametrize(("reach", "column", "row"), [(0, 5, 4), (1, 6, 4), (1, 5, 5), (2, 6, 5)])
def test_1_a_target_in_range_is_none(reach: int, column: int, row: int) -> None:
    source = attack(unit("red", 4, 4, range=reach), unit("blue", column, row), direction="east")
    assert battle(source).source == source


def test_6_a_direction_that_must_be_given() -> None:
    message = "is missing: no way from red to blue is the longer one, so the attacker's movement must be named: "
    diagonal = unit("red", 4, 4, range=1), unit("blue", 5, 5)
    four = '"north", "east", "south", "west"'
    assert faults(attack(*diagonal)) == [Fault("attack.direction", message + four)]
    straight_north = unit("red", 4, 4, range=1), unit("blue", 4, 2)
    six = '"northeast", "east", "southeast", "southwest", "west", "northwest"'
    assert faults(attack(*straight_north, board="hexes")) == [Fault("attack.direction", message + six)]


@pytest.mark.parametrize(("board", "direction"), [("squares", "northeast"), ("hexes", "north")])
def test_6_a_direction_that_the_board_has_not(board: str, direction: str) -> None:
    (fault,) = faults(attack(RED, BLUE, board=board, direction=direction))
    assert fault.place == "attack.direction"
    assert fault.message.startswith(f'found "{direction}", but the board has {board}: expected "')


def test_all_faults_come_at_once() -> None:
    source = attack(unit("red", 0, 4, attacked=True), unit("r1", 5, 4), capitals={"red": [99, 1]})
    assert [fault.place for fault in faults(source)] == ["board.capitals.red", "units[0].at", "attack.by", "attack.on"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("attack", -1),
        ("defense", -1),
        ("speed", -1),
        ("range", -1),
        ("health", 0),  # a dead attacker
        ("full_health", 0),
        ("attack", True),
        ("at", [4]),
        ("attacked", "yes"),
        ("id", ""),
    ],
)
def test_a_field_out_of_its_bounds(key: str, value: Any) -> None:
    assert [fault.place for fault in faults(attack(RED, BLUE, {**unit("b1", 7, 7), key: value}))] == [f"units[2].{key}"]


@pytest.mark.parametrize("key", ["id", "side", "attack", "defense", "health", "speed", "range", "at"])
def test_a_field_that_is_missing(key: str) -> None:
    source = attack(RED, BLUE, {name: value for name, value in unit("b1", 7, 7).items() if name != key})
    assert [fault.place for fault in faults(source)] == [f"units[2].{key}"]


def test_a_board_without_tiles() -> None:
    assert {fault.place.removesuffix("[0]") for fault in faults(attack(RED, BLUE, size=(0, 9)))} == {"board.size"}
