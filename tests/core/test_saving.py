"""Positions that are saved come back equal."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import pytest
from tests import toys

from grognard.core import saving
from grognard.core.errors import GrognardError
from grognard.core.positions import Position


class Colour(StrEnum):
    RED = "red"


class Pair(NamedTuple):
    left: int
    right: str


@dataclass(frozen=True, slots=True)
class Army:
    units: tuple[int, ...]
    colour: Colour
    pair: Pair | None


def test_every_kind_of_value_comes_back() -> None:
    state = Army((1, 2), Colour.RED, Pair(3, "x"))
    position = Position(toys.gamble, (state, None, True, (), ("a", (1,))), (Pair(1, ""), "yes", 4))
    again = saving.load(json.loads(json.dumps(saving.save(position))))
    assert position == again
    assert isinstance(again.args[0], Army)
    assert isinstance(again.args[0].colour, Colour)
    assert isinstance(again.answers[0], Pair)
    assert again.args[2] is True


def test_what_json_cannot_hold_is_refused() -> None:
    with pytest.raises(TypeError, match="cannot be part of a position"):
        saving.save(Position(toys.gamble, (frozenset({1}),)))


@pytest.mark.parametrize(
    "saved",
    [
        None,
        {},
        {"rule": "os:system", "args": [], "answers": []},
        {"rule": "no.such.module:rule", "args": [], "answers": []},
        {"rule": "tests.toys:no_rule", "args": [], "answers": []},
        {"rule": "tests.toys:gamble", "args": [{"type": "os:system", "parts": ["true"]}], "answers": []},
        {"rule": "tests.toys:gamble", "args": [{"type": "tests.toys:Toy", "parts": [1, 2]}], "answers": []},
    ],
)
def test_what_was_not_saved_by_us_is_refused(saved: saving.Plain) -> None:
    with pytest.raises(GrognardError, match="no saved position"):
        saving.load(saved)
