"""Every switch changes the odds of some battle."""

from dataclasses import fields

import pytest

from grognard.api import odds
from grognard.core.systems import Json
from grognard.files import battle
from grognard.systems.frames.setup import Switches

from .battles import WALL, activation, attack, frame

WEAK = frame("target", systems=["hand"])
THIN = frame("cover", systems=[], white=1)
ONE = frame("target", systems=[], white=1)
WRECK = frame("gunner", "Red", [], white=1, rockets=1)
UNCLEAR = frame("gunner", "Red", ["defense"], white=1, rockets=1)
BOTH = attack(WEAK, THIN, {"id": "wall", "hits": 3}, cover=["wall", "cover"])
SHOWN: dict[str, tuple[Json, list[object]]] = {
    "both_covers": (BOTH, ["owner_picks", "terrain", "frame"]),
    "abandon_per_attack": (attack(WEAK, near_station=2), ["once", "once_per_station"]),
    "covering_frame_may_abandon": (attack(WEAK, THIN, cover="cover", covering_near_station=1), [True, False]),
    "drop_white_first": (attack(WEAK), [False, True]),
    "rocket_spent": (activation(WRECK, ONE), ["when_assigned", "when_rolled"]),
    "white_with_rocket_only": (activation(UNCLEAR, ONE), [False, True]),
}


def outcomes(source: Json, policy: str, **rules: object) -> dict[str, object]:
    actual = odds(battle({**source, "rules": rules}), policy, policy)
    return {str(result.to_dict()): p for p, result in actual.outcomes}


def test_every_switch_is_shown() -> None:
    assert list(SHOWN) == [switch.name for switch in fields(Switches)]


@pytest.mark.parametrize("name", SHOWN)
def test_a_switch_changes_the_odds_and_its_first_value_is_the_default(name: str) -> None:
    source, values = SHOWN[name]
    outcomes_by_value = [outcomes(source, "random", **{name: value}) for value in values]
    assert outcomes_by_value[0] == outcomes(source, "random")
    assert all(one != other for number, one in enumerate(outcomes_by_value) for other in outcomes_by_value[:number])


def test_switches_of_the_turn_leave_plain_attacks_alone() -> None:
    fight = attack(WEAK, WALL, cover="wall")
    turned = outcomes(fight, "random", rocket_spent="when_rolled", white_with_rocket_only=True)
    assert turned == outcomes(fight, "random")
