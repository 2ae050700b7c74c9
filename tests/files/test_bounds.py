"""Everything in a file is bounded, even if the set-up gives no bound; and the codes of faults."""

import json
from collections.abc import Callable
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from grognard.core.errors import BattleError, Fault, FaultCode
from grognard.core.systems import Json
from grognard.files import battle, battle_from_text, draft, kind_of_file, load, read_data, to_toml, wrong_kind_faults
from grognard.files.battles import MOST_FAULTS
from grognard.files.sources import LARGEST_FILE
from tests.files.toy import LARGE, SMALL, changed, without

DEEP: list[object] = []
for _ in range(100_000):
    DEEP = [DEEP]


def error_of(data: Json) -> BattleError:
    with pytest.raises(BattleError) as caught:
        battle(data)
    return caught.value


def with_units(number: int) -> Json:
    return {**deepcopy(SMALL), "units": [{**SMALL["units"][0], "id": str(n)} for n in range(number)]}


def names(number: int, data: Json) -> Json:
    return changed({f"name {n}": [1, 1] for n in range(number)}, "board", "capitals", battle=data)


@pytest.mark.parametrize(
    "data",
    [
        changed(1_000_000, "turn"),
        changed(-1_000_000, "turn"),
        changed(1_000_000, "units", 0, "range"),
        changed({**SMALL["attack"], "by": "0", "on": "9999"}, "attack", battle=with_units(10_000)),
        changed("x" * 200, "units", 0, "id", battle=changed("x" * 200, "attack", "by")),
        names(10_000, LARGE),
    ],
)
def test_a_file_may_be_as_large_as_is_guaranteed(data: Json) -> None:
    assert battle(data)


@pytest.mark.parametrize(
    ("data", "place", "message", "code"),
    [
        (changed(10**6 + 1, "turn"), "turn", "found 1000001, expected a whole number ≤ 1000000", "out_of_range"),
        (
            changed(-(10**6) - 1, "turn"),
            "turn",
            "found -1000001, expected a whole number ≥ -1000000",
            "out_of_range",
        ),
        (
            changed(10**6 + 1, "units", 0, "range"),
            "units[0].range",
            "found 1000001, expected a whole number from 0 to 1000000",
            "out_of_range",
        ),
        (
            changed(10**5000, "units", 0, "at", 0),
            "units[0].at[0]",
            "found a number far too large, expected a whole number from 1 to 1000000",
            "out_of_range",
        ),
        (
            with_units(10_001),
            "units",
            "found a list of 10001, expected a list, at least 1 and at most 10000 long, of tables with `id`, `die`, "
            "`range`, `at`",
            "too_long",
        ),
        (
            names(10_001, LARGE),
            "board.capitals",
            "found a table, expected a table of at most 10000 names, each with a column and a row",
            "too_long",
        ),
        (
            changed("x" * 201, "attack", "cover"),
            "attack.cover",
            f'found "{"x" * 60}…", expected text or a list of text',
            "too_long",
        ),
        (
            changed("x" * 201, "attack", "by"),
            "attack.by",
            f'found "{"x" * 60}…", expected text of at most 200 characters',
            "too_long",
        ),
    ],
)
def test_beyond_the_default_bounds_a_file_is_refused(data: Json, place: str, message: str, code: str) -> None:
    faults = error_of(data).faults
    assert [(place, message)] == faults[:1]
    assert code == faults[0].code


def test_a_name_in_a_table_of_names_is_bounded_too() -> None:
    fault = error_of(changed({"x" * 201: [1, 1]}, "board", "capitals", battle=LARGE)).faults[0]
    assert FaultCode.TOO_LONG is fault.code
    assert 220 > len(fault.place)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (changed(1, "attack", "hwo"), "unknown_key"),
        (changed("x", "rules", battle=LARGE), "wrong_type"),
        (changed({"tie": 1}, "rules"), "unknown_key"),
        (without("attack"), "missing"),
        (without("system"), "missing"),
        (changed(3, "system"), "wrong_type"),
        (changed("toy", "system"), "unknown_name"),
        (changed("4", "turn"), "wrong_type"),
        (changed([1], "units", 0, "at"), "wrong_type"),
        (changed(-1, "units", 0, "range"), "out_of_range"),
        (changed(7, "units", 0, "die"), "not_allowed"),
        (changed("6", "units", 0, "die"), "wrong_type"),
        (changed("", "units", 0, "id"), "too_short"),
        (changed([], "units"), "too_short"),
        (changed("abcde", "attack", "dice"), "too_long"),
        (changed("rol", "attack", "spotted"), "not_allowed"),
        (changed("\ud800", "attack", "by"), "not_allowed"),
        (changed("nobody", "attack", "by"), "illegal"),
    ],
)
def test_a_fault_has_the_right_code(data: Json, code: str) -> None:
    assert code == error_of(data).faults[0].code


@pytest.mark.parametrize("read", [battle, draft])
@pytest.mark.parametrize(
    "changes", [{"units": DEEP}, {"x": DEEP}, {10**5000: 1}, {"k" * 10**6: 1}], ids=["list", "key", "number", "name"]
)
def test_any_depth_or_length_is_only_a_fault(read: Callable[[Any], object], changes: dict[Any, object]) -> None:
    with pytest.raises(BattleError) as caught:
        read({**SMALL, **changes})
    assert 1_000 > len(str(caught.value))


def test_of_many_faults_the_first_are_listed() -> None:
    error = error_of({**SMALL, **{f"key {n}": 1 for n in range(MOST_FAULTS + 5)}})
    assert MOST_FAULTS + 1 == len(error.faults)
    assert ("", "and 5 more faults") == error.faults[-1]


@pytest.mark.parametrize("read", [load, partial(read_data, kind="log")])
def test_a_file_that_is_too_large_is_refused_before_it_is_parsed(
    tmp_path: Path, read: Callable[[Path], object]
) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"{" * (LARGEST_FILE + 1))
    with pytest.raises(BattleError) as caught:
        read(path)
    assert [("", "is too large: expected at most 10 MB")] == caught.value.faults
    assert FaultCode.TOO_LONG is caught.value.faults[0].code


def test_depths_that_only_the_parser_can_follow_still_have_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"system": "toys", "turn": 1.5,\n"x": ' + "[" * 900 + "]" * 900 + "}")
    with pytest.raises(BattleError) as caught:
        load(path)
    assert 1 == caught.value.lines["turn"]


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (SMALL, "battle"),
        ({"base": "battle.toml", "vary": []}, "design"),
        ({"battle": SMALL, "vary": []}, "design"),
        ({"grognard": 1, "battle": SMALL, "seed": None, "moves": []}, "log"),
        ([{"roll": [6, 4]}, {"choose": "direct"}], "script"),
        ([], None),
        ([1], None),
        ({}, None),
        ("text", None),
    ],
)
def test_the_kind_of_a_file_follows_from_its_content(data: object, kind: str | None) -> None:
    assert kind == kind_of_file(data)


def test_a_file_of_another_kind_is_refused_with_the_command_for_it(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps({"grognard": 1, "battle": SMALL, "seed": None, "moves": []}))
    with pytest.raises(BattleError) as caught:
        load(path)
    assert [("", "is a log, not a battle: use `grognard replay FILE`")] == caught.value.faults
    assert [Fault("", "is a battle, not a script: use `grognard odds FILE`")] == wrong_kind_faults(SMALL, "script")
    assert [] == wrong_kind_faults(SMALL, "battle")


def test_an_error_quotes_the_line_of_each_fault(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(to_toml(changed("x", "turn")).replace("\n", "  # mine\r\n").encode())
    with pytest.raises(BattleError) as caught:
        load(path)
    assert {"turn": 'turn = "x"  # mine'} == caught.value.quotes


def test_an_error_quotes_the_line_that_cannot_be_parsed() -> None:
    with pytest.raises(BattleError) as caught:
        battle_from_text('system = "toys"\nturn = = 3\n[attack]')
    assert {"": 2} == caught.value.lines
    assert {"": "turn = = 3"} == caught.value.quotes


@pytest.mark.parametrize(
    "text",
    [
        to_toml(SMALL),
        "#:schema toys.schema.json\n" + to_toml(SMALL),
        json.dumps(SMALL),
        "\ufeff" + json.dumps(SMALL, indent=1),
    ],
)
def test_a_battle_can_be_read_from_text(text: str) -> None:
    assert battle(SMALL) == battle_from_text(text)
