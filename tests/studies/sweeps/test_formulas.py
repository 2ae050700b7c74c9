"""Formulas: the arithmetic they know, and nothing else."""

import ast
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pytest

import grognard
from grognard.studies.sweeps import formulas
from grognard.studies.sweeps.columns import Floats
from grognard.studies.sweeps.formulas import FormulaError, Outcomes, parse

BATTLE = grognard.battle(
    {
        "system": "ranks",
        "defender": {"player": "Blue", "units": 2},
        "arrivals": [{"player": "Red", "side": "attack", "units": 2}],
    }
)
ODDS = grognard.odds(BATTLE)
RESULTS = [result for _, result in ODDS.outcomes]
"""Blue loses nothing with 0.4015, one with 0.33, two with 0.2685; Red what is missing to two."""
OUTCOMES = Outcomes(BATTLE.system, BATTLE.setup, "swing", RESULTS)
OUTCOMES.probabilities = np.array([[float(p), float(p)] for p, _ in ODDS.outcomes])
KNOWN: Mapping[str, Floats] = {"cost": np.array([2.0, 0.0])}


def value(text: str) -> list[float]:
    with np.errstate(all="ignore"):
        numbers = parse("a", text).evaluate(OUTCOMES, KNOWN)
    return [float(number) for number in np.broadcast_to(numbers, 2)]


BLUE, RED = '"defending side loses"', '"attacking side loses"'
WORTH = 0.33 * 0 + 0.2685 * 2 - 0.4015 * 2

WORTHS = [
    ("value", WORTH),
    ("mean(swing)", WORTH),
    (f"mean({BLUE}) - mean({RED})", WORTH),
    (f"mean({BLUE} - {RED})", WORTH),
    (f"chance({BLUE} == 1)", 0.33),
    (f"chance({BLUE} != 1)", 0.67),
    (f"chance({BLUE})", 0.5985),
    (f"chance({BLUE} >= 1 and {RED} >= 1)", 0.33),
    (f"chance({BLUE} > 1 or {RED} > 1)", 0.67),
    (f"chance(not {BLUE})", 0.4015),
    (f"chance(1 <= {BLUE} <= 2)", 0.5985),
    ("chance(kill)", 0.2685),
    ("mean(ground)", 0.2685),
    ('chance("Location held by" == "Red")', 0.2685),
    ('chance("Red" == "Location held by")', 0.2685),
    ('chance("Location held by" != "Red")', 0.7315),
    (f"sd({BLUE})", (0.33 + 0.2685 * 4 - 0.867**2) ** 0.5),
    (f"mean(({BLUE} - mean_of) ** 2)".replace("mean_of", "0.867"), 0.33 + 0.2685 * 4 - 0.867**2),
    (f"quantile({BLUE}, 0.4)", 0),
    (f"quantile({BLUE}, 0.41)", 1),
    (f"quantile({BLUE}, 0.7315)", 1),
    (f"quantile({BLUE}, 1)", 2),
    (f"quantile({BLUE}, 0)", 0),
    (f"median({BLUE})", 1),
    (f"median(-{BLUE})", -1),
    (f"mean(max({BLUE}, {RED}))", 0.33 + 2 * 0.67),
    ("min(3, 1, 2) + max(1, 2) - abs(-4) + sqrt(9)", 2),
    ("2 ** 3 * 2 / 4 - +1", 3),
    ("-2 + True", -1),
    ("1 < 2", 1),
]


@pytest.mark.parametrize(("text", "expected"), WORTHS, ids=[text for text, _ in WORTHS])
def test_what_a_formula_comes_to(text: str, expected: float) -> None:
    assert value(text) == pytest.approx([expected] * 2, abs=1e-12)


def test_columns_are_known_inside_and_outside() -> None:
    assert value(f"mean({BLUE} * cost)") == pytest.approx([2 * 0.867, 0])
    assert value("cost + 1") == [3, 1]
    assert value(f"quantile({BLUE} * cost, 1)") == [4, 0]


def test_what_cannot_be_divided_is_no_number() -> None:
    assert not np.isfinite(value("value / cost")[1])
    assert not np.isfinite(value("0 / 0")).any()


KNOWN_MEASURES = (
    "Location held by, attacking side loses, defending side loses, Blue loses, Red loses, Blue destroyed, Red destroyed"
)
DIFFERS = "differs from result to result: put it into mean, sd, chance, quantile, median"
WRONG = [
    ("mean(swng)", "unknown name `swng`, did you mean `swing`? known: swing, kill, ground, cost"),
    ("valeu", "unknown name `valeu`, did you mean `value`? known: value, cost"),
    ('mean("Blue lses")', f"unknown measure `Blue lses`, did you mean `Blue loses`? known: {KNOWN_MEASURES}"),
    ('mean("Location held by")', "`'Location held by'` is not a number: compare it with a text, by == or !="),
    ('chance("Location held by" < "Red")', "comparisons are <, <=, >, >=, == and !=; texts have only the last two"),
    ('chance("Blue loses" == "Red")', f"unknown measure `Red`; known: {KNOWN_MEASURES}"),
    (
        '"Blue loses"',
        '"Blue loses" differs from result to result: put it into mean, sd, chance, quantile, median',
    ),
    ("swing", "`swing` differs from result to result: put it into mean, sd, chance, quantile, median"),
    ("mean(swing, 2)", "`mean` takes one thing"),
    ("quantile(swing)", "`quantile` takes what is asked about and a share"),
    ("quantile(swing, 2)", "the share of a `quantile` is a number from 0 to 1"),
    ("sqrt(1, 2)", "`sqrt` takes one number"),
    ("min()", "`min` takes numbers"),
    ("mean(mean(swing))", "`mean` cannot be inside another function: it covers all results"),
    ("eval('1')", "unknown function `eval`; known: mean, sd, chance, quantile, median, min, max, abs, sqrt"),
    ("().__class__", "`().__class__` is more than the arithmetic of a formula"),
    ("[1][0]", "`[1][0]` is more than the arithmetic of a formula"),
    ("(lambda: 1)()", "`(lambda: 1)()` is more than the arithmetic of a formula"),
    ("mean(swing) ** 99999", "`mean(swing) ** 99999` is more than the arithmetic of a formula"),
    ("1 % 2", "`1 % 2` is more than the arithmetic of a formula"),
    ("1 in 2", "comparisons are <, <=, >, >=, == and !=; texts have only the last two"),
    ("None", "`None` is more than the arithmetic of a formula"),
    ("mean(swing=1)", "`mean(swing=1)` is more than the arithmetic of a formula"),
    ("9" * 400, "holds a number with too many digits"),
    ("9" * 400 + " * chance(kill)", "holds a number with too many digits"),
    ("-" * 900 + "1", "is nested too deeply"),
    ("1" + " + 1" * 240, "is nested too deeply"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[text[:40] for text, _ in WRONG])
def test_what_a_formula_cannot_say(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as refused:
        value(text)
    assert str(refused.value) == message


@pytest.mark.parametrize("text", ["1 +", "mean(swing", "", "a = 1", "1; 2", "\0", "(" * 300, "x" * 1001])
def test_what_is_no_formula_at_all(text: str) -> None:
    with pytest.raises(FormulaError):
        parse("a", text)


def test_comparisons_of_comparisons_are_each_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[ast.expr] = []
    real = formulas._Arithmetic.compare

    def compare(self: Any, nodes: list[ast.expr], ops: Iterable[ast.cmpop]) -> Any:
        made.append(nodes[0])
        return real(self, nodes, ops)

    monkeypatch.setattr(formulas._Arithmetic, "compare", compare)
    value("chance(" + "(" * 12 + "1" + " < 1)" * 12 + ")")
    assert 12 == len(made)


EVEN = [
    ("chance(kill)", 0.5),
    ("1 - chance(kill)", 0.5),
    ("100 * chance(kill)", 50.0),
    ("100 - chance(kill) * 100", 50.0),
    ("chance(swing > 0) + chance(swing == 0) / 2", 0.5),
    ("100 * (chance(swing > 0) + chance(swing == 0) / 2)", 50.0),
    ("chance(kill) - 0.5", 0.0),
    ("chance(kill) / 0", None),
    ("chance(kill) - chance(ground)", None),
    ("value", None),
    ("mean(kill)", None),
]


@pytest.mark.parametrize(("text", "even"), EVEN)
def test_where_a_formula_is_even(text: str, even: float | None) -> None:
    assert parse("a", text).even == even
