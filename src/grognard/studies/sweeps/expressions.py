"""Measures of a table, as small formulas such as `chance("rifles destroyed") - chance(swing < 0)`.

Inside `mean`, `sd`, `chance`, `quantile` and `median` a text is what people ask about in a battle, and a name is an
objective: numbers of one result. Outside are numbers of the whole match-up. Formulas are read by Python's parser, but
only the arithmetic below is ever done with them.
"""

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, NoReturn, cast

import numpy as np

from grognard.core.errors import GrognardError
from grognard.files.messages import quote, unknown_name
from grognard.studies.sweeps.outcomes import Outcomes, is_text
from grognard.studies.sweeps.rolls import Floats

LONGEST = 1_000
VALUE = "value"
"""What the match-up is worth to the attacking side."""

_ARITHMETIC: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_COMPARISONS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_PLAIN: Mapping[str, Callable[..., Any]] = {
    "min": lambda *numbers: reduce(np.minimum, numbers),
    "max": lambda *numbers: reduce(np.maximum, numbers),
    "abs": np.abs,
    "sqrt": np.sqrt,
}
_SUMMED: Mapping[str, Callable[..., Floats]] = {
    "mean": Outcomes.mean,
    "sd": Outcomes.deviation,
    "chance": Outcomes.chance,
    "quantile": Outcomes.quantile,
    "median": lambda outcomes, numbers: outcomes.quantile(numbers, 0.5),
}
FUNCTIONS = (*_SUMMED, *_PLAIN)


class FormulaError(GrognardError):
    """A formula that cannot be worked out, and why."""


class NotAsked(FormulaError):
    """A formula about what nobody asks about in this match-up, though somebody may in another."""

    def __init__(self, name: str, asked: Iterable[str]) -> None:
        super().__init__(unknown_name("measure", name, list(asked)))
        self.name = name


@dataclass(frozen=True, slots=True)
class Formula:
    """A measure of the table: its name and how it is worked out."""

    name: str
    text: str
    tree: ast.expr

    @property
    def even(self) -> float | None:
        """What it comes to if a chance in it is a half, as of `1 - chance(…)` or `100 * chance(…)`; else None."""
        return _even(self.tree)

    @property
    def names(self) -> set[str]:
        """The names in it, functions too."""
        return {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}

    def of(self, outcomes: Outcomes, known: Mapping[str, Floats]) -> Floats:
        """Its value in each match-up, or one for all; `known` are the columns that are known by now, by name."""
        return cast("Floats", _Outside(outcomes, known).value(self.tree))


def parse(name: str, text: str) -> Formula:
    """Read a formula."""
    if len(text) > LONGEST:
        raise FormulaError(f"a formula of more than {LONGEST:,} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        why = f": {error.msg} (column {error.offset})" if isinstance(error, SyntaxError) else ""
        raise FormulaError(f"{quote(text)} is no formula{why}") from None
    return Formula(name, text, tree)


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
    """What may be done with numbers, inside and outside."""

    def __init__(self, outcomes: Outcomes, known: Mapping[str, Floats]) -> None:
        self.outcomes, self.known = outcomes, known

    def value(self, node: ast.expr) -> Any:
        """What a part of a formula comes to."""
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
        """What a part comes to, if that is a number."""
        found = self.value(node)
        if is_text(found):
            raise FormulaError(f"`{ast.unparse(node)}` is no number: compare it with a text, by == or !=")
        return found * 1.0

    def compare(self, nodes: list[ast.expr], ops: Iterable[ast.cmpop]) -> Any:
        """A chain of comparisons."""
        values = self.operands(nodes)
        held: Any = True
        for left, op, right in zip(values, ops, values[1:], strict=False):
            if type(op) not in _COMPARISONS or (is_text(left) and not isinstance(op, ast.Eq | ast.NotEq)):
                raise FormulaError("comparisons are <, <=, >, >=, == and !=; texts know the last two")
            held = np.logical_and(held, _COMPARISONS[type(op)](left, right))
        return held

    def operands(self, nodes: list[ast.expr]) -> list[Any]:
        """What is compared."""
        return [self.number(node) for node in nodes]

    def call(self, name: str, args: list[ast.expr]) -> Any:
        """A function of numbers."""
        if name in _SUMMED:
            raise FormulaError(f"`{name}` cannot stand inside another: it sums up all results")
        if name not in _PLAIN:
            raise FormulaError(unknown_name("function", name, FUNCTIONS))
        if not args or (name in ("abs", "sqrt") and len(args) != 1):
            raise FormulaError(f"`{name}` takes {'one number' if name in ('abs', 'sqrt') else 'numbers'}")
        return _PLAIN[name](*(self.number(arg) for arg in args))

    def text(self, text: str) -> Any:
        """A text in a formula."""
        raise NotImplementedError

    def name(self, name: str) -> Any:
        """A name in a formula."""
        raise NotImplementedError


class _Outside(_Arithmetic):
    """One number for each match-up."""

    def call(self, name: str, args: list[ast.expr]) -> Any:
        """Functions that sum up what happens, beside those of numbers."""
        if name not in _SUMMED:
            return super().call(name, args)
        wanted = 2 if name == "quantile" else 1
        if len(args) != wanted:
            raise FormulaError(f"`{name}` takes {'what is asked about and a share' if wanted == 2 else 'one thing'}")
        inside = _Inside(self.outcomes, self.known).number(args[0])
        shares = [self.number(arg) for arg in args[1:]]
        if any(np.any((share < 0) | (share > 1)) for share in shares):
            raise FormulaError("the share of a `quantile` is a number from 0 to 1")
        return _SUMMED[name](self.outcomes, inside, *shares)

    def text(self, text: str) -> NoReturn:
        """What people ask about has no value by itself."""
        raise FormulaError(f"{quote(text)} differs from result to result: put it into {', '.join(_SUMMED)}")

    def name(self, name: str) -> Any:
        """A column, or the value."""
        if name in self.known:
            return self.known[name]
        if name == VALUE:
            return self.outcomes.mean(self.outcomes.objective(self.outcomes.aims.name))
        if name in self.outcomes.objectives:
            raise FormulaError(f"`{name}` differs from result to result: put it into {', '.join(_SUMMED)}")
        raise FormulaError(unknown_name("name", name, [VALUE, *self.known]))


class _Inside(_Arithmetic):
    """One number for each result, in each match-up."""

    def operands(self, nodes: list[ast.expr]) -> list[Any]:
        """A text that nobody asks about is itself, if a text is compared with it."""
        asked = [node for node in nodes if not self._is_other(node)]
        values = {id(node): self.value(node) for node in asked}
        if not any(is_text(value) for value in values.values()):
            return [self.number(node) for node in nodes]
        return [values[id(node)] if id(node) in values else cast("ast.Constant", node).value for node in nodes]

    def _is_other(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in self.outcomes.asked

    def text(self, text: str) -> Any:
        """What people ask about."""
        if text not in self.outcomes.asked:
            raise NotAsked(text, self.outcomes.asked)
        return self.outcomes.measure(text)

    def name(self, name: str) -> Any:
        """An objective, or a column."""
        if name in self.outcomes.objectives:
            return self.outcomes.objective(name)
        if name in self.known:
            return self.known[name]
        raise FormulaError(unknown_name("name", name, [*self.outcomes.objectives, *self.known]))
