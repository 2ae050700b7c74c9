"""The examples of all systems as values, and against the JSON Schema of their system."""

import copy
import pickle
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from grognard import systems
from grognard.core.fields import FrozenDict
from grognard.files import load, schema

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = [path for name in systems.names() for path in sorted((EXAMPLES / name).glob("*.toml"))]

files = pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")


@pytest.fixture(autouse=True, scope="module")
def _only_toys() -> None:
    """Do not replace the real systems."""


@files
def test_a_battle_is_comparable_hashable_and_picklable_with_a_short_repr(path: Path) -> None:
    battle = load(path)
    for other in (load(path), pickle.loads(pickle.dumps(battle)), copy.deepcopy(battle)):
        assert battle == other
        assert hash(battle) == hash(other)
        assert battle.system is other.system
        assert battle.source == other.source
    assert 200 > len(repr(battle))
    assert battle.system.name in repr(battle)


def test_battles_with_other_set_ups_differ() -> None:
    assert len(FILES) == len({load(path) for path in FILES})


@pytest.mark.parametrize(
    ("method", "arguments"), [("__setitem__", ["x", 1]), ("pop", ["red"]), ("update", [{}]), ("setdefault", ["x", 1])]
)
def test_the_tables_of_a_set_up_cannot_be_changed(method: str, arguments: list[object]) -> None:
    table = FrozenDict({"red": (1, 1)})
    with pytest.raises(TypeError, match="cannot be changed"):
        getattr(table, method)(*arguments)
    assert {"red": (1, 1)} == table


def validator(system: str) -> Any:
    description = schema(systems.find(system))
    jsonschema.Draft202012Validator.check_schema(description)
    return jsonschema.Draft202012Validator(description)


@files
def test_every_example_satisfies_the_schema_of_its_system(path: Path) -> None:
    assert [] == [error.message for error in validator(path.parent.name).iter_errors(tomllib.loads(path.read_text()))]


@pytest.mark.parametrize("path", [path for path in FILES if path.stem.startswith("01")], ids=lambda path: path.stem)
def test_a_mistake_does_not_satisfy_the_schema(path: Path) -> None:
    data = tomllib.loads(path.read_text())
    mistakes = [{**data, "no_such_key": 1}, {**data, "rules": {"no_such_switch": 1}}, {**data, "system": "chess"}, []]
    for key, value in data.items():
        mistakes.append({other: data[other] for other in data if other != key})
        mistakes.append({**data, key: 3 if key != "turn" else "x"})
        if isinstance(value, list):
            mistakes.append({**data, key: [*value, {}]})
    check = validator(path.parent.name)
    required = set(check.schema["required"])
    for mistake in mistakes:
        is_only_shorter = isinstance(mistake, dict) and set(mistake) >= required and data.items() >= mistake.items()
        assert is_only_shorter or not check.is_valid(mistake), mistake


def test_a_schema_has_bounds_choices_defaults_and_descriptions() -> None:
    unit = schema(systems.find("supply"))["properties"]["units"]["items"]["properties"]
    assert {
        "type": "integer",
        "minimum": 1,
        "maximum": 1_000_000,
        "description": "its Troop Strength: health, and how many dice it rolls",
    } == unit["strength"]
    assert [4, 6, 8, 10, 12, 20] == unit["die"]["enum"]
    assert {"type": "boolean", "default": False} == {key: unit["fired"][key] for key in ("type", "default")}


def unbounded(part: Any, place: str = "") -> Iterator[str]:
    """The places in a schema without an upper bound."""
    limit = {"integer": "maximum", "number": "maximum", "string": "maxLength", "array": "maxItems"}.get(
        part.get("type")
    )
    if limit and limit not in part:
        yield place
    if part.get("additionalProperties") and "maxProperties" not in part:
        yield place
    inner = [
        *part.get("properties", {}).items(),
        *enumerate(part.get("anyOf", [])),
        *enumerate(part.get("prefixItems", [])),
    ]
    inner += [(key, part[key]) for key in ("items", "additionalProperties") if part.get(key)]
    for key, value in inner:
        yield from unbounded(value, f"{place}.{key}")


@pytest.mark.parametrize("name", systems.names())
def test_every_number_list_table_and_text_of_a_file_has_an_upper_bound(name: str) -> None:
    assert [] == list(unbounded(schema(systems.find(name))))
