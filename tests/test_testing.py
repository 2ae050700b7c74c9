"""The conformance suite finds what it is for."""

from collections.abc import Hashable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from grognard import testing
from grognard.core.distributions import Distribution
from grognard.core.errors import Endless
from grognard.core.rules import End, Rule, Steps, roll, rule
from grognard.core.systems import Battle, Json
from grognard.readings.tally import Tally
from tests import toys

SHOT = {"purpose": "Shot", "success": "a six hits"}


@dataclass(frozen=True, slots=True)
class Lies(Tally):
    """A tally whose odds are not what it reads."""

    def odds(self, fractions: bool = False) -> Distribution[tuple[int, ...]]:
        return Distribution(((0,), (1,)), (1, 1), 2)


@rule("lies")
def trusting(setup: toys.Toy, points: int) -> Steps:
    """Trusts a reading that lies."""
    (hits,) = yield from roll(Lies(1, 6, toys.SIXES), "attacker", **SHOT)
    return End(hits)


ENDS: list[int] = []


@rule("mute")
def mute(setup: toys.Toy, points: int) -> Steps:
    """Does not say what its roll is for."""
    (hits,) = yield from roll(Tally(1, 6, toys.SIXES), "attacker")
    return End(hits)


@rule("vague")
def vague(setup: toys.Toy, points: int) -> Steps:
    """Does not say what counts."""
    (hits,) = yield from roll(Tally(1, 6, toys.SIXES), "attacker", purpose="Shot")
    return End(hits)


@rule("moody")
def moody(setup: toys.Toy, points: int) -> Steps:
    """Ends otherwise every time it is run."""
    yield from roll(Tally(1, 6, toys.SIXES), "attacker", **SHOT)
    ENDS.append(0)
    return End(len(ENDS))


def suite(monkeypatch: pytest.MonkeyPatch, first: Rule[Any, ...], **changed: Any) -> None:
    """All checks over a toy battle."""
    battle: Battle = toys.toy(first)
    battle = replace(battle, system=replace(battle.system, **changed))
    monkeypatch.setattr(testing, "battle_from", lambda source: battle)
    monkeypatch.setattr(testing, "check_file", lambda battle: None)
    testing.rules_test(battle.system)


@pytest.mark.parametrize("first", [toys.gamble, toys.first_shoots, toys.until_six])
def test_what_keeps_its_promises_passes(monkeypatch: pytest.MonkeyPatch, first: Rule[Any, ...]) -> None:
    suite(monkeypatch, first)


@pytest.mark.parametrize(
    ("first", "message"),
    [
        (trusting, "are wrong"),
        (moody, "the second time"),
        (toys.for_ever, "not over after"),
        (mute, "does not say what it is for"),
        (vague, "does not say what counts"),
    ],
)
def test_a_broken_promise_is_found(monkeypatch: pytest.MonkeyPatch, first: Rule[Any, ...], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        suite(monkeypatch, first)


@pytest.mark.parametrize(
    ("snapshot", "message"),
    [
        (lambda setup, state: {}, "has no snapshot"),
        (lambda setup, state: {"points": state, "at": (1, 2)}, "is not JSON"),
        (lambda setup, state: {"points": state + 1}, r"differ at \['.points'\]"),
        (lambda setup, state: {"units": {"guns": {"points": state}}}, r"differ at \['.points'\]"),
    ],
)
def test_a_snapshot_that_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch, snapshot: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        suite(monkeypatch, toys.gamble, snapshot=snapshot)


@dataclass(frozen=True, slots=True)
class Guns:
    """A result with a unit."""

    points: int

    def to_dict(self) -> Json:
        return {"units": {"guns": {"points": self.points}}}


@pytest.mark.parametrize(
    ("owner", "message"),
    [
        ({}, "has no side and role"),
        ({"side": "attacker"}, "has no side and role"),
        ({"side": "attacker", "role": "defender"}, "has the role defender, its side attacker attacker"),
        ({"side": None, "role": "attacker"}, "has the role attacker, its side None None"),
    ],
)
def test_a_unit_without_its_side_or_role_is_found(monkeypatch: pytest.MonkeyPatch, owner: Json, message: str) -> None:
    def snapshot(setup: toys.Toy, state: int) -> Json:
        return {"units": {"guns": {"points": state, **owner}}}

    with pytest.raises(AssertionError, match=message):
        suite(monkeypatch, toys.gamble, snapshot=snapshot, result=lambda setup, state: Guns(state))


def test_rules_that_go_round_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Endless):
        suite(monkeypatch, toys.round_and_round)


def test_a_reading_is_tried_roll_by_roll() -> None:
    reading: Any = Tally(2, 6, toys.SIXES)
    testing.check_reading(reading)
    odds: Distribution[Hashable] = reading.odds(fractions=True)
    assert Fraction(1) == sum(odds.probabilities)
