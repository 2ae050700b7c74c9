"""A rule may return its roll together with the rule that takes the dice."""

import pytest
from tests import toys

import grognard
from grognard.core.rules import End, Next, Roll, Roller, Steps, roll, rule
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
def takes_nothing(setup: toys.Toy, points: int) -> Next:
    """A roll that leads nowhere."""
    return Roll(SIX, ATTACKER)


def test_the_rule_that_takes_the_dice_goes_on_where_the_roll_was_returned() -> None:
    one, two = toys.toy(asks_and_goes_on, 5), toys.toy(asks, 5)
    assert grognard.odds(two).to_dict() == grognard.odds(one).to_dict()
    for face, points in ((6, 7), (5, 5)):
        assert grognard.play(two, [{"roll": [face]}]).result.to_dict() == {"points": points}


def test_a_roll_that_no_rule_takes_is_refused() -> None:
    with pytest.raises(TypeError, match=r"<rule takes_nothing \(shot\)> returns a roll that no rule takes"):
        grognard.odds(toys.toy(takes_nothing))
