"""Symbolic values: a number of the set-up that stands for all values of a factor at once.

Match-ups that differ only in numbers that rules pass on to readings have the same graph, which is explored once for all
of them. If a rule needs to know the number behind a symbolic value, `ValueInspected` is raised; the match-ups are then
split by that factor.
"""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, NoReturn, cast

from grognard.core.readings import Reading
from grognard.files.paths import FieldPath


class ValueInspected(Exception):
    """A rule needs to know the value that a symbolic value stands for."""

    def __init__(self, factor: int) -> None:
        super().__init__(factor)
        self.factor = factor


def _comparison(operation: Callable[[Any, Any], bool]) -> Callable[["SymbolicValue", object], bool]:
    def compare(self: "SymbolicValue", other: object) -> bool:
        answers = {operation(value, other) for value in self.values}
        return answers.pop() if len(answers) == 1 else self.inspect()

    return compare


class SymbolicValue:
    """All values of a factor at once. A comparison has an answer if it is the same for all of them."""

    __slots__ = ("factor", "values")

    def __init__(self, factor: int, values: Sequence[int]) -> None:
        self.factor = factor
        self.values = tuple(values)

    def inspect(self, *_: object) -> NoReturn:
        raise ValueInspected(self.factor)

    def __format__(self, spec: str) -> str:
        return "…"  # for texts of questions, which are not used here

    __str__ = __repr__ = lambda self: "…"
    __eq__, __ne__ = _comparison(operator.eq), _comparison(operator.ne)
    __lt__, __le__, __gt__, __ge__ = map(_comparison, (operator.lt, operator.le, operator.gt, operator.ge))

    def __bool__(self) -> bool:
        return self != 0

    __hash__ = __index__ = __int__ = __float__ = __round__ = inspect
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __abs__ = inspect
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = inspect
    __class__ = property(inspect)  # for isinstance()


def insert_symbol(setup: Any, path: FieldPath, symbol: SymbolicValue) -> Any:
    """The set-up with a symbolic value at this path, in place of a number."""
    if not path:
        return symbol if type(setup) is int else symbol.inspect()
    first, rest = path[0], path[1:]
    if is_dataclass(setup) and not isinstance(setup, type) and isinstance(first, str):
        return replace(setup, **{first: insert_symbol(getattr(setup, first), rest, symbol)})
    if isinstance(setup, tuple) and isinstance(first, int):
        return (*setup[:first], insert_symbol(setup[first], rest, symbol), *setup[first + 1 :])
    if isinstance(setup, Mapping):
        return {**setup, first: insert_symbol(setup[first], rest, symbol)}
    raise ValueInspected(symbol.factor)


def parts_of(reading: Reading[Any]) -> dict[str, Any]:
    """The fields of a reading, which is a dataclass, by their names."""
    return {field.name: getattr(reading, field.name) for field in fields(cast("Any", reading))}


def symbols_in(value: object) -> Iterable[SymbolicValue]:
    if type(value) is SymbolicValue:
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from symbols_in(part)
    elif isinstance(value, Reading):
        for part in parts_of(value).values():
            yield from symbols_in(part)


def substitute(value: Any, numbers: Mapping[int, int]) -> Any:
    """A reading with numbers in place of its symbolic values, by their factors."""
    if type(value) is SymbolicValue:
        return numbers[value.factor]
    if type(value) is tuple:
        return tuple(substitute(part, numbers) for part in value)
    if isinstance(value, Reading):
        changed = {name: substitute(part, numbers) for name, part in parts_of(value).items()}
        return replace(cast("Any", value), **changed)
    return value
