"""Files that can be read, and files that cannot: every failure is a BattleError."""

import io
import json
import sys
from pathlib import Path

import pytest

from grognard.core.errors import BattleError
from grognard.files import battle, load, to_toml
from tests.files.toy import LARGE, SMALL, changed


def error_of(path: str | Path) -> BattleError:
    with pytest.raises(BattleError) as caught:
        load(path)
    return caught.value


def saved(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    assert battle(LARGE) == load(saved(tmp_path, "battle.toml", to_toml(LARGE)))
    assert battle(LARGE) == load(str(saved(tmp_path, "battle.JSON", json.dumps(LARGE))))


def test_without_an_ending_a_brace_means_json(tmp_path: Path) -> None:
    assert battle(SMALL) == load(saved(tmp_path, "toml", to_toml(SMALL)))
    assert battle(SMALL) == load(saved(tmp_path, "json", "\n " + json.dumps(SMALL)))


@pytest.mark.parametrize("text", [to_toml(SMALL), json.dumps(SMALL)])
def test_a_dash_is_standard_input(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert battle(SMALL) == load("-")


def test_faults_of_standard_input_have_lines_too(monkeypatch: pytest.MonkeyPatch) -> None:
    text = to_toml(changed("x", "turn"))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert '-:2: turn: found "x", expected a whole number' == str(error_of("-"))


def test_no_standard_input_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert "-: cannot be read: there is no standard input" == str(error_of("-"))


def test_byte_order_marks_and_windows_line_ends_are_accepted(tmp_path: Path) -> None:
    text = to_toml(changed(-1, "units", 1, "range")).replace("\n", "\r\n")
    path = saved(tmp_path, "battle.toml", b"\xef\xbb\xbf" + text.encode())
    assert {"units[1].range": 12} == error_of(path).lines


@pytest.mark.parametrize(
    ("name", "content", "line", "message"),
    [
        ("a.toml", 'system = "toys"\nunits = \n', 2, "is not TOML: invalid value (column 9)"),
        ("a.toml", 'system = "toys"\nattack = [1', 2, "is not TOML: unclosed array"),
        ("a.toml", "turn = 1\nturn = 2\n", 2, "is not TOML: cannot overwrite a value (column 9)"),
        ("a.json", '{"system": "toys",\n"units" []}', 2, "is not JSON: expecting ':' delimiter (column 9)"),
        ("a.json", "", 1, "is not JSON: expecting value (column 1)"),
        ("a.toml", b"# fine\nid = '\xff'", 2, "is not UTF-8 text"),
        ("a.toml", "turn = " + "9" * 5000, None, "holds a number with too many digits"),
        ("a.json", '{"turn": ' + "9" * 5000 + "}", None, "holds a number with too many digits"),
        ("a.toml", "turn = " + "[" * 100_000, None, "is nested too deeply"),
        ("a.json", '{"turn": ' + "[" * 100_000, None, "is nested too deeply"),
        ("a.toml", "turn." * 50_000 + "turn = 1", None, "is nested too deeply"),
        ("a.toml", "[" + "turn . 'a' . " * 25_000 + "turn]", None, "is nested too deeply"),
        ("a.txt", to_toml(SMALL), None, "unknown file ending `.txt`; known: .toml, .json"),
        ("a.jsn", to_toml(SMALL), None, "unknown file ending `.jsn`, did you mean `.json`? known: .toml, .json"),
        ("a.json", "[1, 2]", None, "found [1, 2], expected a table with `system`"),
    ],
)
def test_a_file_that_cannot_be_parsed_is_reported_with_the_line(
    tmp_path: Path, name: str, content: str | bytes, line: int | None, message: str
) -> None:
    error = error_of(saved(tmp_path, name, content))
    assert [("", message)] == error.faults
    assert ({} if line is None else {"": line}) == error.lines
    assert str(tmp_path / name) == error.file


def test_files_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    assert f"{tmp_path}/none.toml: cannot be read: no such file or directory" == str(error_of(tmp_path / "none.toml"))
    assert f"{tmp_path}: cannot be read: is a directory" == str(error_of(tmp_path))
    assert "a\0b.toml: cannot be read: embedded null byte" == str(error_of("a\0b.toml"))


def test_keys_given_twice_in_json_are_faults_beside_all_others(tmp_path: Path) -> None:
    text = """{"system": "toys",
    "units": [{"id": "hero", "die": 6,
               "range": 1, "at": [1, 1],
               "range": "far"}],
    "attack": {"by": "hero", "on": "hero"},
    "attack": {"by": "hero", "on": "hero", "by": "hero"}
}"""
    error = error_of(saved(tmp_path, "a.json", text))
    assert [
        ("units[0].range", "is given more than once"),
        ("attack.by", "is given more than once"),
        ("attack", "is given more than once"),
        ("units[0].range", 'found "far", expected a whole number ≥ 0'),
    ] == error.faults
    assert {"units[0].range": 4, "attack.by": 6, "attack": 6} == error.lines


@pytest.mark.parametrize("number", ["NaN", "Infinity", "1e999", "4.0"])
def test_json_numbers_that_are_not_whole_are_faults(tmp_path: Path, number: str) -> None:
    text = json.dumps(changed(0, "turn"), indent=1).replace('"turn": 0', f'"turn": {number}')
    path = saved(tmp_path, "a.json", text)
    assert [("turn", f"found {float(number)}, expected a whole number")] == error_of(path).faults


def test_a_file_named_in_a_file_is_found_beside_it_and_becomes_part_of_the_battle(tmp_path: Path) -> None:
    saved(tmp_path, "points.json", '{"Joshua": {"frames": 4}}')
    read = load(saved(tmp_path, "battle.toml", to_toml(changed("points.json", "scores"))))
    whole = changed({"Joshua": {"frames": 4}}, "scores")
    assert battle(whole) == read
    assert whole == read.source


def test_a_named_file_that_is_missing_is_reported_once_beside_all_other_faults(tmp_path: Path) -> None:
    text = to_toml(changed("none.json", "scores", battle=changed("x", "turn")))
    error = error_of(saved(tmp_path, "battle.toml", text))
    assert [("scores", "no file none.json"), ("turn", 'found "x", expected a whole number')] == error.faults
    assert {"scores": 3, "turn": 2} == error.lines


def test_a_battle_that_is_not_a_file_can_name_no_files(tmp_path: Path) -> None:
    path = saved(tmp_path, "points.json", "{}")
    with pytest.raises(BattleError, match=r"scores: found .*, expected a table of names"):
        battle(changed(str(path), "scores"))
