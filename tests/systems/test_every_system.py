"""What every system must keep, whichever it is."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from grognard import api, systems
from grognard.files import battle, load
from grognard.testing import rules_test

EXAMPLES = Path(__file__).parents[2] / "examples"


def examples(name: str) -> list[Path]:
    return sorted((EXAMPLES / name).glob("*.toml"))


@pytest.mark.parametrize("name", systems.names())
def test_a_system_has_at_least_six_examples_each_with_a_story(name: str) -> None:
    paths = examples(name)
    assert 6 <= len(paths)
    for path in paths:
        story, system = path.read_text().splitlines()[:2]
        assert story.startswith("# "), f"{path.name} tells no story"
        assert story.endswith((".", "?", "!")), f"the story of {path.name} is no sentence"
        assert f'system = "{name}"' in (system, path.read_text().splitlines()[2]), path.name


ALL = [pytest.param(name, path, id=f"{name}/{path.stem}") for name in systems.names() for path in examples(name)]


@pytest.mark.parametrize(("name", "path"), ALL)
def test_conformance(name: str, path: Path) -> None:
    source: dict[str, Any] = load(path).source
    rules_test(systems.find(name), [source])


@pytest.mark.parametrize("name", systems.names())
def test_losses_of_every_unit_can_be_asked_for_by_its_id(name: str) -> None:
    odds = api.odds(battle(systems.find(name).example))
    result = odds.outcomes[0].result.to_dict()
    ids = [unit for kind in ("units", "armies", "frames", "terrain") for unit in result.get(kind, {})]
    assert ids
    for unit in ids:
        assert odds[f"{unit} loses"].at_least(1) >= odds[f"{unit} destroyed"].probability(True)
        assert {f"{unit} loses", f"{unit} destroyed"} <= set(odds.measures)


@pytest.mark.parametrize("name", systems.names())
def test_conformance_of_the_battle_that_new_files_start_from(name: str) -> None:
    rules_test(systems.find(name))


@pytest.mark.parametrize(("name", "path"), ALL)
def test_an_example_is_written_as_the_files_say(name: str, path: Path) -> None:
    assert tomllib.loads(path.read_text())["system"] == name
