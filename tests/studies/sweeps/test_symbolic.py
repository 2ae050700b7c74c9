"""Symbolic values: what rules may do with them, and what happens when a rule inspects one."""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from tests.toys import SIXES, Points, first_shoots

from grognard.core.positions import Position
from grognard.core.rules import End, Option, Rule, Steps, Then, choose, roll, rule
from grognard.core.systems import Measure, Objective, Role, System
from grognard.readings.tally import Tally
from grognard.studies.sweeps.design import Design
from grognard.studies.sweeps.factors import Factor, same_value_levels
from grognard.studies.sweeps.formulas import parse
from grognard.studies.sweeps.matchups import MatchUpSolver
from grognard.studies.sweeps.symbolic import SymbolicValue, ValueInspected, insert_symbol, substitute

DIE: Any = SymbolicValue(7, [4, 6, 8])


def test_a_comparison_that_is_the_same_for_all_values_is_answered() -> None:
    assert DIE < 9
    assert not DIE < 4
    assert DIE != 5
    assert (DIE == 5) is False
    assert 3 < DIE
    assert DIE
    assert f"d{DIE}" == "d…"


INSPECTIONS: list[Callable[[], object]] = [
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
    lambda: bool(SymbolicValue(7, [0, 1])),
]


@pytest.mark.parametrize("inspect", INSPECTIONS)
def test_anything_else_inspects_the_value(inspect: Callable[[], object]) -> None:
    with pytest.raises(ValueInspected) as inspected:
        inspect()
    assert 7 == inspected.value.factor


def test_numbers_are_substituted_in_a_reading() -> None:
    assert substitute(Tally(DIE, 6, SIXES), {7: 4}) == Tally(4, 6, SIXES)
    assert substitute((1, (2, DIE)), {7: 6}) == (1, (2, 6))


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A toy with a number and a switch."""

    number: int = 1
    looks: bool = False
    parity: tuple[int, int] = (0, 0)


def test_only_a_plain_number_is_replaced_by_a_symbolic_value() -> None:
    assert insert_symbol(Table(parity=(3, 4)), ("parity", 1), DIE).parity[1] is DIE
    with pytest.raises(ValueInspected):
        insert_symbol(Table(), ("looks",), DIE)


@rule("toy")
def roll_dice(setup: Table, points: int) -> Steps:
    """Rolls dice that hit from a number on; a rule inspects that number only if `looks` is set, after a hit."""
    (hits,) = yield from roll(Tally(2, 6, ((setup.number, 6),)), "attacker")
    return Then(add_even, hits) if setup.looks and hits else End(hits)


@rule("toy")
def add_even(setup: Table, points: int) -> End:
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


def solver(first: Rule[Any, ...], symbolic: tuple[int, ...] = ()) -> MatchUpSolver:
    factors = (
        Factor(("number",), same_value_levels([("number",)], [3, 4, 5])),
        Factor(("looks",), same_value_levels([("looks",)], [False, True])),
    )
    formulas = (parse("mean", "mean(swing)"),)
    return MatchUpSolver(Design(toy(first), {"system": "toy"}, factors, formulas=formulas), symbolic)


GRID = [np.array([0, 1, 2, 0, 1, 2]), np.array([0, 0, 0, 1, 1, 1])]


def test_match_ups_are_split_where_a_rule_inspects_the_value() -> None:
    hit = [4 / 6, 3 / 6, 2 / 6]
    plain = [2 * p for p in hit]
    expected = [*plain, plain[0], plain[1] + 1 - (1 - hit[1]) ** 2, plain[2]]
    assert solver(roll_dice, (0,)).solve(GRID).cells[:, 0] == pytest.approx(expected, rel=1e-12)
    apart, together = solver(roll_dice, ()).solve(GRID), solver(roll_dice, (0,)).solve(GRID)
    assert apart.cells.tobytes() == together.cells.tobytes()


@pytest.mark.parametrize("symbolic", [(), (0,)])
def test_match_ups_with_cycles_are_solved_one_by_one(symbolic: tuple[int, ...]) -> None:
    assert solver(first_shoots, symbolic).solve(GRID).cells[:, 0] == pytest.approx([6 / 11] * 6, rel=1e-12)


@rule("toy")
def stop_or_roll(setup: Table, points: int) -> Steps:
    """The attacker stops with the points there are, or rolls for a point and is asked again."""
    options = [Option("stop", "stop", True), Option("roll", "roll", False)]
    if (yield from choose("attacker", "Stop?", options)):
        return End(points)
    (hits,) = yield from roll(Tally(1, 6, ((setup.number, 6),)), "attacker")
    return Then(stop_or_roll, hits)


def test_a_cycle_with_a_decision_is_solved_too() -> None:
    assert [1.0] * 6 == solver(stop_or_roll, (0,)).solve(GRID).cells[:, 0].tolist()
