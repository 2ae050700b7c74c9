"""Battle files can express the set-ups of the real systems, and templates work for them."""

import re
import tomllib

import pytest

from grognard import systems
from grognard.core.errors import Fault
from grognard.files import battle, template, to_toml
from grognard.files.fields import parse_table


@pytest.fixture(autouse=True, scope="module")
def _only_toys() -> None:
    """Do not replace the real systems."""


@pytest.mark.parametrize("name", systems.names())
def test_the_template_of_a_system_loads_as_its_example(name: str) -> None:
    system = systems.find(name)
    assert battle(system.example) == battle(tomllib.loads(template(system, system.example)))


@pytest.mark.parametrize("name", systems.names())
def test_every_key_that_the_template_of_a_system_offers_has_the_right_type(name: str) -> None:
    system = systems.find(name)
    text = re.sub(r"^#(?=\S)", "", template(system, system.example), flags=re.MULTILINE)
    faults: list[Fault] = []
    parse_table(system.setup, tomllib.loads(text), "", faults, ignored=["system"])
    assert [] == faults


@pytest.mark.parametrize("name", systems.names())
def test_the_example_of_a_system_is_written_unchanged(name: str) -> None:
    example = systems.find(name).example
    assert example == tomllib.loads(to_toml(example))
