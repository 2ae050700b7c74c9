"""Battles as numbered positions: cycles of rolls are solved, and every position looks different to a player."""

import sys
from importlib import import_module, reload
from typing import Any

import numpy as np
import pytest
from tests import toys
from tests.adapters.examples import EXAMPLES, ROOT

from grognard.adapters.arena import Arena
from grognard.adapters.observations import Observations
from grognard.api import odds
from grognard.core.errors import BattleError, Endless, GrognardError, TooLarge
from grognard.core.rules import Rule
from grognard.files import load
from grognard.solver.graph import Chance, Decision


def test_a_cycle_of_rolls_leads_straight_out_and_its_plays_are_short() -> None:
    duel = Arena(toys.toy(toys.first_shoots))
    assert duel.value({}) == pytest.approx(6 / 11)
    assert (0, 1) == (duel.longest(Decision), duel.longest(Chance))


def test_a_roll_that_repeats_itself_keeps_the_names_of_what_ends_it() -> None:
    arena = Arena(toys.toy(toys.until_six))
    assert {"0, 0": pytest.approx(4 / 5), "1, 0": pytest.approx(1 / 5)} == {
        edge.name: edge.probability for edge in arena.edges[0]
    }


@pytest.mark.parametrize("endless", [toys.for_ever, toys.dither])
def test_what_need_not_end_has_no_longest_play(endless: Rule[Any, ...]) -> None:
    with pytest.raises(Endless):
        Arena(toys.toy(endless)).longest(Decision)


def test_a_cycle_with_a_decision_is_played_round_by_round() -> None:
    arena = Arena(toys.toy(toys.dither, 7))
    assert {0: 0, 1: 1} == arena.actions[0]
    assert 7 == arena.value({}) == arena.value({0: 1})


def test_a_battle_too_large_says_so() -> None:
    with pytest.raises(TooLarge, match="100"):
        Arena(toys.toy(toys.count_down, 1_000), bound=100)


def test_options_have_one_number_wherever_they_are_offered() -> None:
    arena = Arena(toys.toy(toys.gamble))
    assert ("yes", "no", "keep", "double", "take", "rob") == arena.options
    assert {2, 3, 4, 5} == {
        action for number, edges in enumerate(arena.actions) if number and arena.player(number) for action in edges
    }


def test_policies_decide_for_their_side_alone() -> None:
    arena = Arena(toys.toy(toys.gamble))
    assert {0: 1} == arena.policy("attacker", "best")
    assert {0: 0} == arena.policy("attacker", "eager")
    assert {} == arena.policy("attacker", "random")
    assert {arena.options.index("take")} == set(arena.policy("defender", "best").values())
    with pytest.raises(BattleError, match="unknown policy"):
        arena.policy("defender", "bold")


@pytest.mark.parametrize(("attacker", "defender"), [("best", "best"), ("eager", "cautious"), ("random", "random")])
def test_the_value_of_any_actions_is_exact(attacker: str, defender: str) -> None:
    battle = load(ROOT / "examples/supply/03-call-in.toml")
    arena = Arena(battle)
    actions = arena.policy("attacker", attacker) | arena.policy("defender", defender)
    assert arena.value(actions) == pytest.approx(float(odds(battle, attacker, defender).value), abs=1e-12)


@pytest.mark.parametrize("path", EXAMPLES)
def test_every_decision_looks_different_and_between_0_and_1(path: str) -> None:
    seen = Observations(Arena(load(ROOT / path)))
    numbers = [number for number in seen.arena.graph.order if seen.arena.player(number)]
    rows = [seen.row(number) for number in numbers]
    assert len(numbers) == len({row.tobytes() for row in rows})
    assert all(row.shape == (len(seen.features),) == (seen.size,) for row in rows)
    assert all(((row >= 0) & (row <= 1)).all() for row in rows)


def test_observations_are_named_and_scaled() -> None:
    seen = Observations(Arena(load(ROOT / "examples/supply/02-guns-on-rifles.toml")))
    who = ("attacker decides", "defender decides", "nobody decides")
    assert (*who, "state.cards.1.strength (1 to 5)") == seen.features
    decisions = [place for place in seen.arena.graph.order if seen.arena.player(place)]
    assert {(0, 1, 0, strength / 4) for strength in range(5)} == {tuple(seen.row(place)) for place in decisions}
    assert [0, 0, 1, 0] == seen.row(0).tolist()


def test_dice_fall_as_their_odds_say() -> None:
    arena = Arena(toys.toy(toys.until_six))
    random = np.random.default_rng(1)
    fives = sum(arena.value_at_end(arena.roll(0, random), "swing") for _ in range(20_000))
    assert fives / 20_000 == pytest.approx(1 / 5, abs=4 * (0.16 / 20_000) ** 0.5)


@pytest.mark.parametrize(
    ("adapter", "library"), [("openspiel", "pyspiel"), ("pettingzoo", "pettingzoo"), ("gymnasium", "gymnasium")]
)
def test_without_its_library_an_adapter_says_how_to_install_it(
    adapter: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module(f"grognard.adapters.{adapter}")
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(GrognardError) as refused:
        reload(module)
    (message,) = str(refused.value).splitlines()
    assert f"this needs {library}: pip install 'grognard[ai]'" == message
