"""Everything about every system, from which a page can draw a form for every field."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from jsonschema_rs import Draft202012Validator

from grognard import systems
from grognard.files import fields_of
from grognard.files.examples import examples
from grognard.server.responses.systems import SystemInfo
from grognard.words import describe
from grognard.words.catalogue import battle_schema

SCHEMA = Draft202012Validator(battle_schema())


@pytest.fixture
def told(client: httpx.Client) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/api/systems").json()
    return found


def test_every_system_is_told_as_the_command_tells_it(told: list[dict[str, Any]]) -> None:
    assert [system["name"] for system in told] == systems.names()
    for system in told:
        said = describe.system_to_dict(systems.find(system["name"]))
        assert {key: system[key] for key in said} == said


def test_every_system_is_of_the_shape_that_is_documented(told: list[dict[str, Any]]) -> None:
    for system in told:
        shape = SystemInfo.model_validate(system)
        assert shape.model_dump(exclude_unset=True) == system


def test_examples_have_their_story_and_battle(told: list[dict[str, Any]]) -> None:
    for system in told:
        found = examples(system["name"])
        assert [(one["name"], one["story"]) for one in system["examples"]] == [(one.name, one.story) for one in found]
        assert [one["battle"] for one in system["examples"]] == [one.source for one in found]


def keys(fields: list[dict[str, Any]]) -> Iterator[str]:
    """Every key of a form, those of the tables in it too."""
    for field in fields:
        yield field["name"]
        yield from (f"{field['name']}.{key}" for key in inner(field["kind"]))


def inner(kind: dict[str, Any]) -> Iterator[str]:
    yield from keys(kind.get("fields") or [])
    for part in kind.get("of") or []:
        yield from inner(part)


def declared(shape: type[Any]) -> Iterator[str]:
    for field in fields_of(shape):
        yield field.name
        if field.table is not None:
            yield from (f"{field.name}.{key}" for key in declared(field.table))


def test_a_form_has_every_field_that_a_battle_file_may_have(told: list[dict[str, Any]]) -> None:
    for system in told:
        assert set(declared(systems.find(system["name"]).setup)) <= set(keys(system["fields"]))


def test_every_example_is_a_battle_by_the_schema() -> None:
    for name in systems.names():
        for example in examples(name):
            assert [error.message for error in SCHEMA.iter_errors(example.source)] == []


@pytest.mark.parametrize("wrong", [{}, {"system": "chess"}, {"system": systems.names()[0], "x": 1}, [], 1])
def test_what_is_no_battle_is_none_by_the_schema(wrong: object) -> None:
    assert not SCHEMA.is_valid(wrong)


def test_the_list_is_asked_for_once_and_not_sent_again(client: httpx.Client) -> None:
    tag = client.get("/api/systems").headers["ETag"]
    assert client.get("/api/systems", headers={"If-None-Match": tag}).status_code == 304
