"""The examples: plays with their faces and choices, positions counted, samples held against exact odds."""

import json
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from grognard import odds
from grognard.files import load
from grognard.plays.answers import answers_from
from grognard.plays.play import start
from grognard.solver.graph import explore
from grognard.solver.simulate import simulate
from tests.systems.playing import sentences

EXAMPLES = Path(__file__).parents[3] / "examples" / "tower"
PLAYS = json.loads((Path(__file__).parent / "plays.json").read_text("utf-8"))

POSITIONS = {
    "01-hero-on-regular": 17,
    "02-who-stands-by-whom": 81,
    "03-storm-the-capital": 36,
    "04-shoulder-to-shoulder": 30,
    "05-long-shot": 12,
    "06-round-the-world": 20,
    "07-hexes": 45,
    "08-pitched-battle": 2034,
}


@pytest.mark.parametrize("stored", PLAYS, ids=lambda stored: stored["example"])
def test_a_play_ends_as_it_did(stored: dict[str, Any]) -> None:
    playing = start(load(EXAMPLES / f"{stored['example']}.toml"))
    for answer in answers_from(stored["answers"]):
        playing = playing.answer(answer)
    assert sentences(playing) == stored["sentences"]
    assert playing.result.to_dict() == stored["result"]


@pytest.mark.parametrize("name", POSITIONS)
def test_the_number_of_positions(name: str) -> None:
    assert len(explore(load(EXAMPLES / f"{name}.toml")).nodes) == POSITIONS[name]


@pytest.mark.parametrize("name", ["02-who-stands-by-whom", "04-shoulder-to-shoulder", "07-hexes", "08-pitched-battle"])
@pytest.mark.parametrize("policies", [("best", "best"), ("random", "random")])
def test_samples_agree_with_the_exact_odds(name: str, policies: tuple[str, str]) -> None:
    battle, walks = load(EXAMPLES / f"{name}.toml"), 20_000
    exact = odds(battle, *policies)
    sampled = simulate(battle, walks, 7, *policies)
    frequencies = {result: p for p, result in sampled.outcomes}
    assert set(frequencies) <= {result for _, result in exact.outcomes}
    for chance, result in exact.outcomes:
        p = float(chance)
        assert abs(float(frequencies.get(result, 0.0)) - p) <= 5 * sqrt(p * (1 - p) / walks) + 1 / walks
    assert abs(float(sampled.value) - float(exact.value)) <= 5 * sampled.value_error
