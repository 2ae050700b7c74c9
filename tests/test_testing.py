"""The conformance suite finds what it is for."""

from collections.abc import Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from grognard import testing
from grognard.core.distributions import Distribution
from grognard.core.errors import Endless
from grognard.core.rules import End, Rule, Steps, roll, rule
from grognard.core.systems import Battle
from grognard.readings.tally import Tally
from tests import toys


@dataclass(frozen=True, slots=True)
class Lies(Tally):
    """A tally whose odds are not what it reads."""

    def odds(self, fractions: bool = False) -> Distribution[tuple[int, ...]]:
        return Distribution(((0,), (1,)), (1, 1), 2)


@rule("lies")
def trusting(setup: toys.Toy, points: int) -> Steps:
    """Trusts a reading that lies."""
    (hits,) = yield from roll(Lies(1, 6, toys.SIXES), "attacker", **toys.SAYS)
    return End(hits)


ENDS: list[int] = []


@rule("moody")
def moody(setup: toys.Toy, points: int) -> Steps:
    """Ends otherwise every time it is run."""
    yield from roll(Tally(1, 6, toys.SIXES), "attacker", **toys.SAYS)
    ENDS.append(0)
    return End(len(ENDS))


def suite(monkeypatch: pytest.MonkeyPatch, first: Rule[Any, ...]) -> None:
    """All checks over a toy battle."""
    battle: Battle = toys.toy(first)
    monkeypatch.setattr(testing, "battle_from", lambda source: battle)
    monkeypatch.setattr(testing, "check_file", lambda battle: None)
    testing.rules_test(battle.system)


@pytest.mark.parametrize("first", [toys.gamble, toys.first_shoots, toys.until_six])
def test_what_keeps_its_promises_passes(monkeypatch: pytest.MonkeyPatch, first: Rule[Any, ...]) -> None:
    suite(monkeypatch, first)


@pytest.mark.parametrize(
    ("first", "told"), [(trusting, "are wrong"), (moody, "the second time"), (toys.for_ever, "not over after")]
)
def test_a_broken_promise_is_found(monkeypatch: pytest.MonkeyPatch, first: Rule[Any, ...], told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        suite(monkeypatch, first)


def test_rules_that_go_round_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Endless):
        suite(monkeypatch, toys.round_and_round)


def test_a_reading_is_tried_roll_by_roll() -> None:
    reading: Any = Tally(2, 6, toys.SIXES)
    testing.check_reading(reading)
    odds: Distribution[Hashable] = reading.odds(fractions=True)
    assert Fraction(1) == sum(odds.probabilities)
