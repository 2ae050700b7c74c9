"""The examples with a whole turn: their values under each way of playing."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

import grognard
from grognard.solver.assumptions import Assumptions
from grognard.solver.conditions import ANYTHING_ELSE
from grognard.solver.plans import Branch, PlanStep, plan_turn
from grognard.words.advice import plan_texts

EXAMPLES = Path(__file__).parents[2] / "examples"


class Worth(NamedTuple):
    swing: float
    kill: float
    greedy: float
    order: float
    first: str
    results: int


WORTH = {
    "assault/10-mortar-first": Worth(2.780186161, 0.574630294, 2.776851541, 2.776851541, "bazooka on panzer", 103),
    "assault/11-out-of-the-olives": Worth(1.676829191, 0.178276842, 1.674707536, 1.669747456, "stuart on breda", 33),
    "supply/08-the-mortar-fires-once": Worth(
        2.662928895, 0.730971307, 1.217396791, 2.512837539, "mortar on rifles", 40
    ),
    "tower/09-two-waves": Worth(3.812757202, 0.999335562, 3.525377229, 3.812757202, "archer on wall", 20),
}


@pytest.mark.parametrize("name", WORTH)
def test_the_values_of_turns_have_not_changed(name: str) -> None:
    battle, expected = grognard.load(EXAMPLES / f"{name}.toml"), WORTH[name]
    solution, kill = grognard.solve(battle), grognard.solve(battle, objective="kill")
    plan = plan_turn(battle, Assumptions("best", "best"))
    values = [float(one) for one in (solution.value, kill.value, plan.greedy_value, plan.order_value)]
    assert values == pytest.approx(expected[:4], rel=1e-8)
    assert (solution.advice().options[0].id, solution.odds.to_dict()["results"]) == expected[4:]


@pytest.mark.parametrize("system", ["assault", "frames", "ranks", "supply", "tower"])
def test_an_attack_by_itself_has_no_plan(system: str) -> None:
    first = min((EXAMPLES / system).glob("*.toml"))
    with pytest.raises(grognard.BattleError, match="turn: is missing: only a turn can be planned"):
        plan_turn(grognard.load(first), Assumptions("best", "best"))


@pytest.mark.parametrize(
    ("likely", "rare", "first", "last"),
    [
        ("wall lost 2", "wall lost 1", "if wall lost 1 (25.00 %): end the turn", "otherwise (75.00 %): end the turn"),
        (ANYTHING_ELSE, "wall lost 1", "if wall lost 1 (25.00 %): end the turn", "otherwise (75.00 %): end the turn"),
        ("wall lost 2", ANYTHING_ELSE, "if wall lost 2 (75.00 %): end the turn", "otherwise (25.00 %): end the turn"),
    ],
)
def test_a_plan_names_some_results_and_then_all_others(likely: str, rare: str, first: str, last: str) -> None:
    plan = plan_turn(grognard.load(EXAMPLES / "tower" / "09-two-waves.toml"), Assumptions("best", "best"))
    branches = Branch((likely,), 0.75, None), Branch((rare,), 0.25, None)
    words = plan_texts(replace(plan, first=PlanStep("archer on wall", "archer", "wall", branches)))
    assert [[0, "Plan: archer on wall"], [1, first], [1, last]] == words["lines"]
    assert ["+3.8128", "+3.8128", "+3.5254", "0"] == [value for _, value, _ in words["values"]]
