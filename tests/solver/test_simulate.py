"""Sampled odds against exact ones."""

from dataclasses import dataclass
from math import comb
from typing import Any

import pytest
from tests import toys

from grognard.api import odds
from grognard.core.errors import BattleError, TooLarge
from grognard.core.rules import End, Steps, Then, roll, rule
from grognard.readings.tally import Tally
from grognard.solver import graph, simulate


def test_sampled_odds_lie_within_their_errors() -> None:
    battle = toys.toy(toys.first_shoots)
    sampled = simulate.simulate(battle, 100_000, seed=2)
    assert pytest.approx(sampled.value, abs=5 * sampled.value_error) == 6 / 11
    actual = sampled.to_dict()
    assert actual["exact"] is False
    assert {key: actual[key] for key in ("n", "seed")} == {"n": 100_000, "seed": 2}
    assert actual["outcomes"][0]["error"] == pytest.approx((6 / 11 * 5 / 11 / 100_000) ** 0.5, rel=0.01)


@pytest.mark.parametrize("policy", ["best", "eager", "cautious", "random"])
def test_policies_decide_in_simulation_as_they_do_in_exact_odds(policy: str) -> None:
    battle = toys.toy(toys.gamble)
    exact, sampled = odds(battle, policy, policy), simulate.simulate(battle, 40_000, 1, policy, policy)
    assert exact.value == pytest.approx(sampled.value, abs=5 * sampled.value_error + 1e-12)
    assert {result for _, result in exact.outcomes} == {result for _, result in sampled.outcomes}


STORED = [556, 444]


def test_a_seed_always_gives_the_same_sample() -> None:
    counts = [round(p * 1000) for p, _ in simulate.simulate(toys.toy(toys.first_shoots), 1000, seed=1).outcomes]
    assert counts == STORED


def test_without_a_seed_a_new_one_is_reported() -> None:
    battle = toys.toy(toys.first_shoots)
    sampled = simulate.simulate(battle, 1000)
    assert sampled.outcomes == simulate.simulate(battle, 1000, sampled.seed).outcomes


def test_progress_reports_the_number_of_finished_walks() -> None:
    seen: list[int] = []
    simulate.simulate(toys.toy(toys.until_six), 500, 1, progress=seen.append)
    assert seen[-1] == 500


@rule("throw")
def throw(setup: toys.Toy, points: int, throws: int = 1) -> Steps:
    """Adds up three rolls of a die."""
    (number,) = yield from roll(Tally(20, 6, toys.SIXES), "attacker")
    return Then(throw, 21 * points + number, throws + 1) if throws < 3 else End(points)


def test_few_positions_are_held_at_once_however_many_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = toys.toy(throw)
    held: list[int] = []

    def step(walks: simulate._Walks, positions: Any) -> Any:
        onward, is_whole = at_once(walks, positions)
        held.append(len(onward))
        return onward, is_whole

    at_once = simulate._Walks.step
    monkeypatch.setattr(simulate._Walks, "step", step)
    monkeypatch.setattr(simulate, "MOST_POSITIONS", 10)
    sampled = simulate.simulate(battle, 40_000, 1)
    assert 10 + 21 > max(held)  # the answers to one question more, at most
    assert odds(battle).value == pytest.approx(sampled.value, abs=5 * sampled.value_error)


def test_at_least_one_walk() -> None:
    with pytest.raises(BattleError, match="from 1 to"):
        simulate.simulate(toys.toy(toys.until_six), 0)


@dataclass(frozen=True, slots=True)
class Huge(Tally):
    """A tally that pretends to be too large."""

    @property
    def size(self) -> int:
        return graph.READING_SIZE + 1


@rule("huge")
def huge(setup: toys.Toy, points: int) -> Steps:
    """Counts the sixes of four dice."""
    (hits,) = yield from roll(Huge(4, 6, toys.SIXES), "attacker")
    return End(hits)


def test_a_roll_too_large_for_odds_is_rolled_die_by_die() -> None:
    battle = toys.toy(huge)
    with pytest.raises(TooLarge, match="simulate"):
        odds(battle)
    sampled = simulate.simulate(battle, 20_000, 1)
    for p, result in sampled.outcomes:
        hits = result.to_dict()["points"]
        expected = comb(4, hits) * 5 ** (4 - hits) / 6**4
        assert expected == pytest.approx(p, abs=5 * (expected / 20_000) ** 0.5)


def test_best_decisions_of_a_battle_too_large_are_refused_with_advice() -> None:
    with pytest.raises(TooLarge, match="choose other policies"):
        simulate.simulate(toys.toy(toys.gamble), 100, 1, bound=2)
    assert simulate.simulate(toys.toy(toys.gamble), 100, 1, "eager", "eager", bound=2).walks == 100
