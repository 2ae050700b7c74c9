"""Small made-up systems, for testing the engines on battles whose answers are known by hand."""

from dataclasses import dataclass
from typing import Any

from grognard.core.positions import Position
from grognard.core.rules import End, Next, Option, Rule, Steps, Then, choose, may, roll, rule
from grognard.core.systems import Battle, Json, Measure, Objective, Role, System
from grognard.readings.tally import Tally


@dataclass(frozen=True, slots=True)
class Toy:
    """What a toy battle starts with."""

    number: int = 0


@dataclass(frozen=True, slots=True)
class Points:
    """What a toy battle ends with."""

    points: int

    def to_dict(self) -> Json:
        return {"points": self.points}


def toy(first: Rule[Any, ...], number: int = 0) -> Battle:
    """A battle that begins with a rule on a number; the final state is the number of points."""
    system = System(
        name="toy",
        title="A toy",
        summary="a toy",
        setup=Toy,
        faults=lambda setup: (),
        start=lambda setup: Position(first, (setup.number,)),
        result=lambda setup, state: Points(state),
        role_of=lambda setup, by: Role(by),
        objectives={
            "swing": Objective("points", lambda setup, result: result.points),
            "kill": Objective("any point", lambda setup, result: int(result.points > 0)),
        },
        measures=lambda setup: [Measure("points", lambda result: int(result.points))],
        snapshot=lambda setup, state: {"points": state},
        changes=lambda setup, before, after: [f"{before} → {after}"] if before != after else [],
        rules=(first,),
        after=lambda setup, source, state: source,
        end_turn=lambda source: source,
        example={"system": "toy"},
    )
    return Battle(system, Toy(number), {"system": "toy", "number": number})


SIXES = ((6, 6),)


@rule("duel")
def first_shoots(setup: Toy, points: int) -> Steps:
    """The first of two duellists shoots: a six ends it."""
    (hits,) = yield from roll(Tally(1, 6, SIXES), "attacker", purpose="Shot", success="a six hits")
    return End(1) if hits else Then(second_shoots, points)


@rule("duel")
def second_shoots(setup: Toy, points: int) -> Steps:
    """The second shoots back, and then it is the first one's turn again."""
    (hits,) = yield from roll(Tally(1, 6, SIXES), "defender", purpose="Shot", success="a six hits")
    return End(0) if hits else Then(first_shoots, points)


@rule("again")
def until_six(setup: Toy, points: int) -> Steps:
    """A die is rolled until it is no six; it counts one if it is a five."""
    fives, sixes = yield from roll(
        Tally(1, 6, ((5, 5), (6, 6))), "attacker", purpose="Roll", success="a five counts one"
    )
    return Then(until_six, points) if sixes else End(fives)


@rule("for ever")
def for_ever(setup: Toy, points: int) -> Steps:
    """A die is rolled for ever."""
    yield from roll(Tally(1, 6, SIXES), "attacker", purpose="Shot", success="a six hits")
    return Then(for_ever, points)


@rule("round and round")
def round_and_round(setup: Toy, points: int) -> Next:
    """Nothing is asked, and nothing ends."""
    return Then(round_and_round, points)


@rule("dither")
def dither(setup: Toy, points: int) -> Steps:
    """The attacker may put it off for ever."""
    return Then(dither, points) if (yield from may("attacker", "Wait?")) else End(points)


@rule("gamble")
def gamble(setup: Toy, points: int) -> Steps:
    """The attacker may roll for three points on a six instead of taking one for sure; the defender may then halve."""
    if not (yield from may("attacker", "Roll for three?")):
        return Then(divide, points + 1)
    (hits,) = yield from roll(Tally(1, 6, SIXES), "attacker", purpose="Shot", success="a six hits")
    return Then(divide, points + 3 * hits)


@rule("divide")
def divide(setup: Toy, points: int) -> Steps:
    """The defender chooses what becomes of the points: kept, doubled, or one taken away twice over."""
    options = [
        Option("keep", "keep them", points),
        Option("double", "double them", 2 * points),
        Option("take", "take one", points - 1),
        Option("rob", "take one, differently", points - 1),
    ]
    return End((yield from choose("defender", "What of the points?", options)))


@rule("count")
def count_down(setup: Toy, left: int) -> Steps:
    """Rolls one die after the other, to make many positions."""
    if not left:
        return End(0)
    yield from roll(Tally(1, 6, SIXES), "attacker", purpose="Shot", success="a six hits")
    return Then(count_down, left - 1)
