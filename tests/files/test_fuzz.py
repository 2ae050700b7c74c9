"""Any data in a file gives a legal battle of the declared types, or a BattleError."""

import dataclasses
import json
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.core.errors import BattleError
from grognard.core.systems import Battle, Json
from grognard.files import battle, load, to_toml
from tests.files.toy import LARGE, Setup, changed, without

Path_ = tuple[str | int, ...]
pytestmark = pytest.mark.soak("battle files with anything in any place")


def paths(value: object, path: Path_ = ()) -> Iterator[Path_]:
    """The path of every value in a battle."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield (*path, key)
        yield from paths(part, (*path, key))


PATHS = list(paths(LARGE))
TABLES: list[Path_] = [("attack",), ("units", 0), ("rules",), ("board",), ("scores",), ()]
WORDS = st.sampled_from(["", "roll", "direct", "call in", "defender", "rain", "toys", "kind", "id", "hero", "4"])
SCALARS = st.none() | st.booleans() | st.integers(-2, 20) | st.integers() | st.floats() | WORDS | st.text()
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(), inner, max_size=3)
)


def is_of(value: object, hint: object) -> bool:
    """Whether a value is exactly of an annotated type, bounds aside."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return is_of(value, args[0])
    if origin in (Union, types.UnionType):
        return any(is_of(value, member) for member in args)
    if origin is Literal:
        return any(type(value) is type(choice) and value == choice for choice in args)
    if origin is tuple:
        inner = args[:1] * len(value) if isinstance(value, tuple) and args[-1] is Ellipsis else args
        return isinstance(value, tuple) and len(value) == len(inner) and all(map(is_of, value, inner))
    if origin is dict:
        return isinstance(value, dict) and all(type(key) is str and is_of(part, args[1]) for key, part in value.items())
    if dataclasses.is_dataclass(hint):
        hints = get_type_hints(hint, include_extras=True)
        return type(value) is hint and all(is_of(getattr(value, name), inner) for name, inner in hints.items())
    return type(value) is hint


def written(value: object) -> object:
    """A set-up as plain data, with all defaults."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: written(getattr(value, f.name)) for f in dataclasses.fields(value) if f.init}
    if isinstance(value, tuple):
        return [written(part) for part in value]
    if isinstance(value, dict):
        return {key: written(part) for key, part in value.items()}
    return value


def says_no_more_than(data: object, setup: object) -> bool:
    """Whether everything in a file is in the set-up unchanged."""
    if isinstance(data, dict) and isinstance(setup, dict):
        return all(key in setup and says_no_more_than(part, setup[key]) for key, part in data.items())
    if isinstance(data, list) and isinstance(setup, list):
        return len(data) == len(setup) and all(map(says_no_more_than, data, setup))
    return json.dumps(data) == json.dumps(setup)


def check(data: Any) -> None:
    read = attempt(lambda: battle(data))
    if isinstance(read, BattleError):
        assert read.faults
        assert str(read).encode()
    else:
        assert is_of(read.setup, Setup)
        assert says_no_more_than({key: value for key, value in data.items() if key != "system"}, written(read.setup))


def check_file(path: Path, text: str) -> None:
    read = attempt(lambda: load(path))
    if isinstance(read, BattleError):
        assert str(read).encode()
        assert set(read.lines) <= {fault.place for fault in read.faults}
        assert all(1 <= line <= text.count("\n") + 1 for line in read.lines.values())


def attempt(read: Callable[[], Battle]) -> Battle | BattleError:
    try:
        return read()
    except BattleError as error:
        return error


@given(st.sampled_from(PATHS), ANYTHING)
def test_anything_in_place_of_any_value(path: Path_, value: object) -> None:
    check(changed(value, *path, battle=LARGE))


@given(
    st.sampled_from([("attack",), ("units", 0), ("rules",), ("board",), ("scores",), ()]), WORDS | st.text(), ANYTHING
)
def test_anything_under_any_key(table: Path_, key: str, value: object) -> None:
    check(changed(value, *table, key, battle=LARGE))


@given(ANYTHING)
def test_anything_for_a_battle(value: object) -> None:
    check(value)


@pytest.mark.parametrize("path", PATHS)
def test_leaving_out_any_value(path: Path_) -> None:
    check(without(*path, battle=LARGE))


@given(st.dictionaries(WORDS, ANYTHING), st.sampled_from(PATHS))
def test_faults_in_files_have_lines_that_exist(
    tmp_path_factory: pytest.TempPathFactory, extra: Json, path: Path_
) -> None:
    folder = tmp_path_factory.mktemp("fuzz")
    data = changed(extra, *path, battle=LARGE)
    for name, text in (("a.json", json.dumps(data, indent=1)), ("a.toml", _toml(data))):
        (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        check_file(folder / name, text)


def _toml(data: Json) -> str:
    try:
        return to_toml(data)
    except TypeError:  # null in a list
        return ""


@given(
    st.sampled_from([to_toml(LARGE), json.dumps(LARGE, indent=1)]),
    st.integers(0, 900),
    st.integers(0, 9),
    st.binary(max_size=4),
)
def test_files_with_a_few_bytes_changed(
    tmp_path_factory: pytest.TempPathFactory, text: str, at: int, length: int, new: bytes
) -> None:
    path = tmp_path_factory.mktemp("fuzz") / ("a.json" if text.startswith("{") else "a.toml")
    raw = text.encode()
    path.write_bytes(raw[:at] + new + raw[at + length :])
    check_file(path, path.read_bytes().decode("utf-8", "replace"))
