"""How many positions battles have, and that sampling agrees with what exact work finds in them."""

from pathlib import Path

import pytest

from grognard.api import odds
from grognard.core.systems import Json
from grognard.files import battle, load
from grognard.solver.graph import explore
from grognard.solver.simulate import simulate

from .battles import HMG, MORTAR, RIFLES, TANK, by_hand, fight

EXAMPLES = Path(__file__).parents[3] / "examples" / "assault"

POSITIONS: list[tuple[str, Json, int]] = [
    ("a die against none", by_hand("B", ""), 4),
    ("criticals on infantry", by_hand("RRY", "YG"), 51),
    ("criticals on a vehicle", by_hand("RRY", "YG", TANK), 65),
    ("a spotting roll", fight(terrain="brush"), 88),
    ("indirect fire on a vehicle", fight(MORTAR, TANK, range=3, fire="indirect"), 51),
    ("a command card", {**fight(), "command_cards": [{"side": "ge", "card": "lucky escape"}]}, 94),
    ("a re-roll", {**fight(), "command_cards": [{"side": "us", "card": "second magazine"}]}, 118),
    (
        "re-rolls on both sides",
        {
            **fight(),
            "command_cards": [{"side": "us", "card": "second magazine"}, {"side": "ge", "card": "keep your head down"}],
        },
        290,
    ),
]


@pytest.mark.parametrize(("name", "source", "positions"), POSITIONS, ids=[name for name, _, _ in POSITIONS])
def test_positions(name: str, source: Json, positions: int) -> None:
    assert len(explore(battle(source)).nodes) == positions


def larger() -> Json:
    by = {**RIFLES, "experience": "elite", "v_infantry": {"1-3": "RRRYYG"}}
    on = {**HMG, "experience": "veteran", "strength": 6, "defense": "RYY", "dug_in": True}
    cards = [{"side": "us", "card": "steady aim"}, {"side": "ge", "card": "take cover"}]
    return {**fight(by, on, terrain="light forest", hindering=1), "command_cards": cards}


@pytest.mark.parametrize("policies", [("best", "best"), ("random", "eager")])
def test_sampling_agrees_with_exact_odds(policies: tuple[str, str]) -> None:
    fights = [battle(larger()), load(EXAMPLES / "04-cards-on-both-sides.toml")]
    for fight_ in fights:
        exact, sampled = odds(fight_, *policies), simulate(fight_, 20_000, 7, *policies)
        assert abs(float(exact.value) - float(sampled.value)) < 5 * sampled.value_error
        frequencies = {result: p for p, result in sampled.outcomes}
        for p, result in exact.outcomes:
            assert abs(float(p) - float(frequencies.get(result, 0.0))) <= 5 * sampled.error(float(p)), result.to_dict()
