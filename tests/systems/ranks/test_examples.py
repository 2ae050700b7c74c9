"""The chapter's worked examples, from their dice."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from grognard.core.positions import Pending, Position, advance_to_question
from grognard.core.rules import Roll
from grognard.files import battle
from grognard.systems.ranks import SYSTEM
from grognard.systems.ranks.rules import next_turn
from grognard.systems.ranks.setup import Combat

EXAMPLES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("examples.toml").read_text("utf-8"))["example"]


@pytest.mark.parametrize("example", EXAMPLES, ids=[example["paragraph"] for example in EXAMPLES])
def test_a_worked_example_ends_as_its_rows_say(example: dict[str, Any]) -> None:
    setup = battle(example["battle"]).setup
    units = tuple(army.units for army in setup.armies)
    reached = advance_to_question(setup, Position(next_turn, (Combat(turn=example["turn"] - 1, units=units),)))
    for faces in example["rolls"]:
        assert isinstance(reached, Pending)
        assert isinstance(reached.question, Roll)
        reading = reached.question.reading
        reached = advance_to_question(setup, reached.position.answered(reading.read(reading.split(faces))))
    assert not isinstance(reached, Pending)
    assert SYSTEM.result(setup, reached.state).to_dict() == {
        "armies": example["expect"],
        "possession": example["possession"],
        "returns": example["returns"],
    }


@pytest.mark.parametrize("example", EXAMPLES, ids=[example["paragraph"] for example in EXAMPLES])
def test_an_example_has_an_erratum_where_it_contradicts_its_rows(example: dict[str, Any]) -> None:
    assert ("erratum" in example) == (example["printed"] != example["expect"])
