"""Measures of a table, as small formulas such as `chance("rifles destroyed") - chance(swing < 0)`.

Inside `mean`, `sd`, `chance`, `quantile` and `median` a text is a measure of the battle, and a name is an objective:
they differ from result to result. Outside are numbers of the whole match-up. Formulas are parsed by Python's parser,
but only the arithmetic below is evaluated.
"""

import ast
import operator
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from grognard.core.errors import GrognardError
from grognard.core.systems import Measure, Objective, Result, System
from grognard.files.messages import quote, unknown_name
from grognard.solver.induction import NOISE
from grognard.studies.sweeps.columns import Floats, sum_rows

LONGEST = 1_000
DEEPEST = 200
VALUE = "value"
"""The value of the match-up to the attacker."""
CLOSE = 1e-12
"""The tolerance when a cumulative probability is compared with a share."""


class Outcomes:
    """The results of match-ups that share a graph; `probabilities` has a row for each result, a column per match-up."""

    def __init__(self, system: System[Any], setup: object, objective: str, results: Sequence[Result]) -> None:
        self.setup, self.main_objective, self.results = setup, objective, results
        self.objectives: Mapping[str, Objective] = system.objectives
        self.measures: Mapping[str, Measure] = {measure.name: measure for measure in system.measures(setup)}
        self.probabilities: Floats = np.zeros((len(results), 0))
        self._numbers: dict[tuple[str, str], NDArray[Any]] = {}

    @property
    def rows(self) -> int:
        return len(self.probabilities[0])

    def measure(self, name: str) -> NDArray[Any]:
        return self._cached(("measure", name), lambda result: self.measures[name].of(result))

    def objective(self, name: str) -> NDArray[Any]:
        return self._cached(("objective", name), lambda result: self.objectives[name].of(self.setup, result))

    def _cached(self, key: tuple[str, str], number_of: Callable[[Any], object]) -> NDArray[Any]:
        if key not in self._numbers:
            values = [number_of(result) for result in self.results]
            has_texts = any(isinstance(value, str) for value in values)
            self._numbers[key] = np.array(values, object if has_texts else np.float64)[:, None]
        return self._numbers[key]

    def mean(self, numbers: Any) -> Floats:
        """The mean of numbers; zero if gains and losses cancel up to rounding."""
        terms = self.probabilities * numbers
        total = sum_rows(terms)
        is_small = (total != 0) & (np.abs(total) < CLOSE)
        if is_small.any():
            total = np.where(is_small & (np.abs(total) < NOISE * sum_rows(np.abs(terms))), 0.0, total)
        return total

    def sd(self, numbers: Any) -> Floats:
        return np.sqrt(self.mean((numbers - self.mean(numbers)) ** 2))

    def probability(self, numbers: Any) -> Floats:
        """The probability that they are not zero."""
        return self.mean(np.not_equal(numbers, 0))

    def quantile(self, numbers: Any, share: Any) -> Floats:
        spread = np.broadcast_to(numbers, self.probabilities.shape)
        order = np.argsort(spread, axis=0, kind="stable")
        probabilities = np.take_along_axis(self.probabilities, order, 0)
        is_reached = np.add.accumulate(probabilities, axis=0) >= share - CLOSE
        first = np.argmax(is_reached & (probabilities > 0), axis=0)
        reached: Floats = np.take_along_axis(np.take_along_axis(spread, order, 0), first[None, :], 0)[0]
        return reached


def is_text(value: object) -> bool:
    """Whether these are texts rather than numbers."""
    return isinstance(value, np.ndarray) and value.dtype == object


def _divide(one: Any, other: Any) -> Any:
    """The quotient; not a number if the divisor is zero, so that its cell stays empty."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.true_divide(one, other)


_ARITHMETIC: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divide,
}
_COMPARISONS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_ON_NUMBERS: Mapping[str, Callable[..., Any]] = {
    "min": lambda *numbers: reduce(np.minimum, numbers),
    "max": lambda *numbers: reduce(np.maximum, numbers),
    "abs": np.abs,
    "sqrt": np.sqrt,
}
_OVER_RESULTS: Mapping[str, Callable[..., Floats]] = {
    "mean": Outcomes.mean,
    "sd": Outcomes.sd,
    "chance": Outcomes.probability,
    "quantile": Outcomes.quantile,
    "median": lambda outcomes, numbers: outcomes.quantile(numbers, 0.5),
}
FUNCTIONS = (*_OVER_RESULTS, *_ON_NUMBERS)


class FormulaError(GrognardError):
    """A formula that cannot be calculated, and the reason."""


class MeasureMissing(FormulaError):
    """A formula with a measure that this match-up does not have, though another may have it."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(unknown_name("measure", name, list(known)))
        self.name = name


@dataclass(frozen=True, slots=True)
class Formula:
    """A measure of the table: its name and how it is calculated."""

    name: str
    text: str
    tree: ast.expr

    @property
    def even(self) -> float | None:
        """Its value if a `chance` in it is a half, as of `1 - chance(…)` or `100 * chance(…)`; else None."""
        return _even(self.tree)

    @property
    def names(self) -> set[str]:
        """The names in it, functions too."""
        return {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}

    def evaluate(self, outcomes: Outcomes, known: Mapping[str, Floats]) -> Floats:
        """Its value in each match-up, or one for all; `known` are the columns that are known by now, by name."""
        return cast("Floats", _PerMatchUp(outcomes, known).value(self.tree))


def parse(name: str, text: str) -> Formula:
    if len(text) > LONGEST:
        raise FormulaError(f"a formula of more than {LONGEST:,} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        why = f": {error.msg} (column {error.offset or 1})" if isinstance(error, SyntaxError) else ""
        raise FormulaError(f"{quote(text)} is no formula{why}") from None
    _check_tree(tree)
    return Formula(name, text, tree)


def _check_tree(tree: ast.expr) -> None:
    """Raise an error for numbers that are too large for a float, and for too deep nesting."""
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        if any(isinstance(node, ast.Constant) and _is_too_large(node.value) for node in level):
            raise FormulaError("holds a number with too many digits")
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    if level:
        raise FormulaError("is nested too deeply")


def _is_too_large(number: object) -> bool:
    return isinstance(number, int) and number > sys.float_info.max


def _even(tree: ast.expr) -> float | None:
    match tree:
        case ast.Call(func=ast.Name(id="chance")):
            return 0.5
        case ast.BinOp(left=ast.Constant(value=int() | float() as number), op=ast.Add() | ast.Sub() | ast.Mult() as op):
            even = _even(tree.right)
            return None if even is None else float(_ARITHMETIC[type(op)](number, even))
        case ast.BinOp(op=op, right=ast.Constant(value=int() | float() as number)) if type(op) in _ARITHMETIC:
            even = _even(tree.left)
            return None if even is None or not number else float(_ARITHMETIC[type(op)](even, number))
        case ast.BinOp(left=left, op=ast.Add(), right=right):  # such as a win, and half of a draw
            one, other = _even(left), _even(right)
            return None if one is None or other is None else max(one, other)
    return None


class _Arithmetic:
    """The arithmetic of formulas, inside and outside of functions."""

    def __init__(self, outcomes: Outcomes, known: Mapping[str, Floats]) -> None:
        self.outcomes, self.known = outcomes, known

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return float(number)
            case ast.Constant(value=str() as text):
                return self.text(text)
            case ast.Name(id=name):
                return self.name(name)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=operand):
                return -self.number(operand) if isinstance(op, ast.USub) else self.number(operand)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.number(operand) == 0
            case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)) if 0 <= power <= 9:
                return reduce(operator.mul, [self.number(left)] * power, 1.0)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                return _ARITHMETIC[type(op)](self.number(left), self.number(right))
            case ast.BoolOp(op=op, values=values):
                both = np.logical_and if isinstance(op, ast.And) else np.logical_or
                return reduce(both, [self.number(value) != 0 for value in values])
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self.compare([left, *others], ops)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self.call(name, args)
        raise FormulaError(f"`{ast.unparse(node)}` is more than the arithmetic of a formula")

    def number(self, node: ast.expr) -> Any:
        """The value of a part that must be a number."""
        return self.as_number(node, self.value(node))

    def as_number(self, node: ast.expr, value: Any) -> Any:
        """The value of a part, if it is a number."""
        if is_text(value):
            raise FormulaError(f"`{ast.unparse(node)}` is not a number: compare it with a text, by == or !=")
        return value * 1.0

    def compare(self, nodes: list[ast.expr], ops: Iterable[ast.cmpop]) -> Any:
        """A chain of comparisons."""
        values = self.operands(nodes)
        held: Any = True
        for left, op, right in zip(values, ops, values[1:], strict=False):
            if type(op) not in _COMPARISONS or (is_text(left) and not isinstance(op, ast.Eq | ast.NotEq)):
                raise FormulaError("comparisons are <, <=, >, >=, == and !=; texts have only the last two")
            held = np.logical_and(held, _COMPARISONS[type(op)](left, right))
        return held

    def operands(self, nodes: list[ast.expr]) -> list[Any]:
        return [self.number(node) for node in nodes]

    def call(self, name: str, args: list[ast.expr]) -> Any:
        if name in _OVER_RESULTS:
            raise FormulaError(f"`{name}` cannot be inside another function: it covers all results")
        if name not in _ON_NUMBERS:
            raise FormulaError(unknown_name("function", name, FUNCTIONS))
        if not args or (name in ("abs", "sqrt") and len(args) != 1):
            raise FormulaError(f"`{name}` takes {'one number' if name in ('abs', 'sqrt') else 'numbers'}")
        return _ON_NUMBERS[name](*(self.number(arg) for arg in args))

    def text(self, text: str) -> Any:
        raise NotImplementedError

    def name(self, name: str) -> Any:
        raise NotImplementedError


class _PerMatchUp(_Arithmetic):
    """One number for each match-up."""

    def call(self, name: str, args: list[ast.expr]) -> Any:
        """A function over all results, or one of numbers."""
        if name not in _OVER_RESULTS:
            return super().call(name, args)
        wanted = 2 if name == "quantile" else 1
        if len(args) != wanted:
            raise FormulaError(f"`{name}` takes {'what is asked about and a share' if wanted == 2 else 'one thing'}")
        inside = _PerResult(self.outcomes, self.known).number(args[0])
        shares = [self.number(arg) for arg in args[1:]]
        if any(np.any((share < 0) | (share > 1)) for share in shares):
            raise FormulaError("the share of a `quantile` is a number from 0 to 1")
        return _OVER_RESULTS[name](self.outcomes, inside, *shares)

    def text(self, text: str) -> NoReturn:
        """A measure has no value outside of a function."""
        raise FormulaError(f"{quote(text)} differs from result to result: put it into {', '.join(_OVER_RESULTS)}")

    def name(self, name: str) -> Any:
        """A column, or the value."""
        if name in self.known:
            return self.known[name]
        if name == VALUE:
            return self.outcomes.mean(self.outcomes.objective(self.outcomes.main_objective))
        if name in self.outcomes.objectives:
            raise FormulaError(f"`{name}` differs from result to result: put it into {', '.join(_OVER_RESULTS)}")
        raise FormulaError(unknown_name("name", name, [VALUE, *self.known]))


class _PerResult(_Arithmetic):
    """One number for each result, in each match-up."""

    def operands(self, nodes: list[ast.expr]) -> list[Any]:
        """The values to compare; a text that is not a measure is a plain text if it is compared with a text."""
        values = [None if self._is_plain_text(node) else self.value(node) for node in nodes]
        if any(map(is_text, values)):
            return [cast("ast.Constant", n).value if v is None else v for n, v in zip(nodes, values, strict=True)]
        return [self.number(n) if v is None else self.as_number(n, v) for n, v in zip(nodes, values, strict=True)]

    def _is_plain_text(self, node: ast.expr) -> bool:
        is_text_constant = isinstance(node, ast.Constant) and isinstance(node.value, str)
        return is_text_constant and cast("ast.Constant", node).value not in self.outcomes.measures

    def text(self, text: str) -> Any:
        if text not in self.outcomes.measures:
            raise MeasureMissing(text, self.outcomes.measures)
        return self.outcomes.measure(text)

    def name(self, name: str) -> Any:
        if name in self.outcomes.objectives:
            return self.outcomes.objective(name)
        if name in self.known:
            return self.known[name]
        raise FormulaError(unknown_name("name", name, [*self.outcomes.objectives, *self.known]))
