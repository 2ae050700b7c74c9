"""Larger battles: sampled odds lie within five standard errors of the exact ones."""

import pytest

from grognard.api import odds
from grognard.core.systems import Json
from grognard.files import battle
from grognard.solver.simulate import simulate

from .battles import FULL, WALL, activation, attack, frame

COVERED = attack(
    frame("target", systems=FULL),
    frame("cover", systems=["hand", "direct", "artillery"]),
    WALL,
    attack=8,
    defense=1,
    spot=5,
    cover=["cover", "wall"],
    near_station=1,
    covering_near_station=1,
)
TURN = activation(
    frame("gunner", "Red", ["direct", "direct"], white=1), frame("target", systems=["defense"]), defense="not yet"
)


@pytest.mark.parametrize("source", [COVERED, TURN], ids=["covered", "turn"])
@pytest.mark.parametrize(("attacker", "defender"), [("eager", "random"), ("best", "best")])
def test_sampled_odds_are_near_the_exact_ones(source: Json, attacker: str, defender: str) -> None:
    exact = odds(battle(source), attacker, defender)
    sampled = simulate(battle(source), 20_000, 11, attacker, defender)
    assert abs(float(sampled.value - exact.value)) < 5 * sampled.value_error
    chances = {result: float(p) for p, result in exact.outcomes}
    for p, result in sampled.outcomes:
        assert abs(float(p) - chances[result]) < 5 * max(sampled.error(chances[result]), 1 / 20_000)
