"""Whole plays as they were once seen: the dice, the choices, everything that was told, and the result."""

import json
from pathlib import Path
from typing import Any

import pytest

from grognard.api import play
from grognard.files import battle

PLAYS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("playthroughs.json").read_text("utf-8"))


@pytest.mark.parametrize("golden", PLAYS, ids=[golden["story"] for golden in PLAYS])
def test_a_play_goes_as_it_went_before(golden: dict[str, Any]) -> None:
    again = play(battle(golden["battle"]), golden["answers"])
    sentences = [f"{event.rule} | {event.what}" for event in again.events]
    assert sentences == golden["sentences"]
    assert [move.answer.to_dict() for move in again.moves] == golden["answers"]
    assert again.result.to_dict() == golden["result"]
