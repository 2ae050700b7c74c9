"""Playthroughs that store faces and choices: the same answers lead to the same events and the same result."""

import json
from pathlib import Path

import pytest

from grognard.files import load
from grognard.plays.answers import answers_from
from grognard.plays.play import start

from .playthroughs import FOLDER, SEEDS, examples

STORED = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", STORED, ids=[path.stem for path in STORED])
def test_a_playthrough_plays_as_it_is_stored(path: Path) -> None:
    stored = json.loads(path.read_text("utf-8"))
    example = next(example for example in examples() if path.stem.startswith(example.stem))
    play = start(load(example))
    for answer in answers_from(stored["answers"]):
        play = play.answer(answer)
    assert [f"{event.rule}: {event.what}" for event in play.events] == stored["events"]
    assert play.result.to_dict() == stored["result"]


def test_every_example_is_stored() -> None:
    assert [path.stem for path in STORED] == sorted(f"{path.stem}-{seed}" for path in examples() for seed in SEEDS)
