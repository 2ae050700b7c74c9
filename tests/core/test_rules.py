"""A rule may return its roll together with the rule that takes the dice."""

from typing import Any

import pytest
from tests import toys

import grognard
from grognard.core.rules import End, Next, Roll, Roller, Rule, Steps, may, roll, rule
from grognard.readings.tally import Tally

SIX = Tally(1, 6, toys.SIXES)
ATTACKER = (Roller("attacker", "attacker"),)


@rule("shot")
def asks_and_goes_on(setup: toys.Toy, points: int) -> Steps:
    """Two points more for a six."""
    (hits,) = yield from roll(SIX, "attacker")
    return End(points + 2 * hits)


@rule("shot")
def asks(setup: toys.Toy, points: int) -> Next:
    """The same, in two rules."""
    return Roll(SIX, ATTACKER, then=(takes, points))


@rule("shot")
def takes(setup: toys.Toy, points: int, counted: tuple[int, ...]) -> Next:
    """Two points more for a six."""
    return End(points + 2 * counted[0])


@rule("shot")
def decides_and_asks(setup: toys.Toy, points: int) -> Steps:
    """The same as an option."""
    if (yield from may("attacker", "Shoot?")):
        return Roll(SIX, ATTACKER, then=(takes, points))
    return End(points)


@rule("shot")
def asks_twice(setup: toys.Toy, points: int) -> Steps:
    """A roll that another rule takes."""
    yield Roll(SIX, ATTACKER, then=(takes, points))
    return End(points)


@rule("shot")
def takes_nothing(setup: toys.Toy, points: int) -> Next:
    """A roll that no rule takes."""
    return Roll(SIX, ATTACKER)


def test_the_rule_that_takes_the_dice_continues_where_the_roll_was_returned() -> None:
    one, two = toys.toy(asks_and_goes_on, 5), toys.toy(asks, 5)
    assert grognard.odds(two).to_dict() == grognard.odds(one).to_dict()
    for face, points in ((6, 7), (5, 5)):
        assert grognard.play(two, [{"roll": [face]}]).result.to_dict() == {"points": points}


def test_a_rule_may_decide_first_and_then_return_its_roll() -> None:
    battle = toys.toy(decides_and_asks, 5)
    assert grognard.odds(battle)["points"] == grognard.odds(toys.toy(asks, 5))["points"]
    assert grognard.play(battle, [{"choose": "yes"}, {"roll": [6]}]).result.to_dict() == {"points": 7}
    assert grognard.play(battle, [{"choose": "no"}]).result.to_dict() == {"points": 5}
    assert {5, 7} == {outcome.result.to_dict()["points"] for outcome in grognard.simulate(battle, 100, seed=1).outcomes}


@pytest.mark.parametrize(
    ("first", "why"),
    [
        (takes_nothing, r"<rule takes_nothing \(shot\)> returns a roll that no rule takes"),
        (asks_twice, r"<rule asks_twice \(shot\)> asks for a roll that another rule takes"),
    ],
)
def test_a_roll_that_no_rule_or_two_rules_take_is_refused(first: Rule[Any, ...], why: str) -> None:
    with pytest.raises(TypeError, match=why):
        grognard.odds(toys.toy(first))
