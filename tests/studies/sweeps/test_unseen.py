"""Numbers that no rule looks at: what may be done with them, and what happens when a rule looks after all."""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.toys import SIXES, Points, first_shoots

from grognard.core.positions import Position
from grognard.core.rules import End, Rule, Steps, Then, roll, rule
from grognard.core.systems import Measure, Objective, Role, System
from grognard.readings.tally import Tally
from grognard.studies.sweeps.expressions import parse
from grognard.studies.sweeps.factors import Factor, alike
from grognard.studies.sweeps.matchups import Question, Solver
from grognard.studies.sweeps.unseen import Looked, Unseen, filled, hidden

DIE: Any = Unseen(7, [4, 6, 8])


def test_what_is_true_of_all_values_gives_nothing_away() -> None:
    assert DIE < 9
    assert not DIE < 4
    assert DIE != 5
    assert (DIE == 5) is False
    assert 3 < DIE
    assert DIE
    assert f"d{DIE}" == "d…"


LOOKS: list[Callable[[], object]] = [
    lambda: DIE < 6,
    lambda: DIE == 6,
    lambda: DIE + 1,
    lambda: 2 * DIE,
    lambda: -DIE,
    lambda: hash(DIE),
    lambda: {DIE: 1},
    lambda: range(DIE),
    lambda: [1] * DIE,
    lambda: int(DIE),
    lambda: isinstance(DIE, int),
    lambda: "abc"[DIE],
    lambda: np.arange(DIE),
    lambda: operator.index(DIE),
    lambda: sum([DIE]),
    lambda: max(DIE, 5),
    lambda: bool(Unseen(7, [0, 1])),
]


@pytest.mark.parametrize("look", LOOKS)
def test_anything_else_is_a_look(look: Callable[[], object]) -> None:
    with pytest.raises(Looked) as looked:
        look()
    assert looked.value.factor == 7


def test_a_reading_is_filled_in_later() -> None:
    assert filled(Tally(DIE, 6, SIXES), {7: 4}) == Tally(4, 6, SIXES)
    assert filled((1, (2, DIE)), {7: 6}) == (1, (2, 6))


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A toy with a number and a switch."""

    number: int = 1
    looks: bool = False
    parity: tuple[int, int] = (0, 0)


def test_only_plain_numbers_are_hidden() -> None:
    assert hidden(Table(parity=(3, 4)), ("parity", 1), DIE).parity[1] is DIE
    with pytest.raises(Looked):
        hidden(Table(), ("looks",), DIE)


@rule("toy")
def roll_dice(setup: Table, points: int) -> Steps:
    """Rolls as many dice as the set-up says; looks at the number only if it is told to, once a six has fallen."""
    (hits,) = yield from roll(Tally(2, 6, ((setup.number, 6),)), "attacker")
    return Then(look, hits) if setup.looks and hits else End(hits)


@rule("toy")
def look(setup: Table, points: int) -> End:
    """A point more for an even number."""
    return End(points + (setup.number % 2 == 0))


def toy(first: Rule[Any, ...]) -> System[Table]:
    return System(
        name="toy",
        title="A toy",
        summary="a toy",
        setup=Table,
        faults=lambda setup: (),
        start=lambda setup: Position(first, (0,)),
        result=lambda setup, state: Points(state),
        role_of=lambda setup, by: Role(by),
        objectives={"swing": Objective("points", lambda setup, result: result.points)},
        measures=lambda setup: [Measure("points", lambda result: int(result.points))],
        changes=lambda setup, before, after: [],
        rules=(first,),
        after=lambda setup, source, state: source,
        end_turn=lambda source: source,
        example={"system": "toy"},
    )


def solver(first: Rule[Any, ...], unseen: tuple[int, ...]) -> Solver:
    factors = (
        Factor(("number",), alike([("number",)], [3, 4, 5])),
        Factor(("looks",), alike([("looks",)], [False, True])),
    )
    formulas = (parse("mean", "mean(swing)"),)
    question = Question(toy(first), {"system": "toy"}, factors, "best", "best", "swing", formulas)
    return Solver(question, unseen)


GRID = [np.array([0, 1, 2, 0, 1, 2]), np.array([0, 0, 0, 1, 1, 1])]


def test_match_ups_are_taken_apart_where_a_rule_looks_after_all() -> None:
    hit = [4 / 6, 3 / 6, 2 / 6]
    plain = [2 * p for p in hit]
    expected = [*plain, plain[0], plain[1] + 1 - (1 - hit[1]) ** 2, plain[2]]
    assert solver(roll_dice, (0,)).solve(GRID).cells[:, 0] == pytest.approx(expected, rel=1e-12)
    apart, together = solver(roll_dice, ()).solve(GRID), solver(roll_dice, (0,)).solve(GRID)
    assert apart.cells.tobytes() == together.cells.tobytes()


def test_rolls_that_go_round_in_circles_are_unwound() -> None:
    assert solver(first_shoots, ()).solve(GRID).cells[:, 0] == pytest.approx([6 / 11] * 6, rel=1e-12)
