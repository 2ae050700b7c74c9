"""Numbers that rules hand on to the dice without looking at them: match-ups that differ in nothing else have one shape.

An `Unseen` stands in the set-up for all values that a factor takes. Whatever a rule would learn of it, beyond what is
true of all those values, ends the attempt with `Looked`; the match-ups are then taken apart by that factor.
"""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, NoReturn

from grognard.core.readings import Reading
from grognard.files.paths import FieldPath

Comparison = Callable[[Any, Any], bool]


class Looked(Exception):
    """A rule looked at a number that was to stay unseen."""

    def __init__(self, factor: int) -> None:
        super().__init__(factor)
        self.factor = factor


def _compare(how: Comparison) -> Callable[["Unseen", object], bool]:
    def compared(self: "Unseen", other: object) -> bool:
        answers = {how(value, other) for value in self.values}
        return answers.pop() if len(answers) == 1 else self.look()

    return compared


class Unseen:
    """All values of a factor at once. Comparisons that come out the same for all of them give nothing away."""

    __slots__ = ("factor", "values")

    def __init__(self, factor: int, values: Sequence[int]) -> None:
        self.factor = factor
        self.values = tuple(values)

    def look(self, *_: object) -> NoReturn:
        """Somebody wants to know."""
        raise Looked(self.factor)

    def __format__(self, spec: str) -> str:
        return "…"  # words are for people, and nobody reads them here

    __str__ = __repr__ = lambda self: "…"
    __eq__, __ne__ = _compare(operator.eq), _compare(operator.ne)
    __lt__, __le__, __gt__, __ge__ = map(_compare, (operator.lt, operator.le, operator.gt, operator.ge))

    def __bool__(self) -> bool:
        return self != 0

    __hash__ = __index__ = __int__ = __float__ = __round__ = look
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __abs__ = look
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = look
    __class__ = property(look)  # isinstance() is a look too


def hidden(setup: Any, place: FieldPath, unseen: Unseen) -> Any:
    """The set-up with an unseen number at this place, if there is a plain number now."""
    if not place:
        return unseen if type(setup) is int else unseen.look()
    first, rest = place[0], place[1:]
    if is_dataclass(setup) and isinstance(first, str):
        return replace(setup, **{first: hidden(getattr(setup, first), rest, unseen)})  # type: ignore[type-var]
    if isinstance(setup, tuple) and isinstance(first, int):
        return (*setup[:first], hidden(setup[first], rest, unseen), *setup[first + 1 :])
    if isinstance(setup, Mapping):
        return {**setup, first: hidden(setup[first], rest, unseen)}
    raise Looked(unseen.factor)


def unseen_in(value: object) -> Iterable[Unseen]:
    """The unseen numbers in a reading."""
    if type(value) is Unseen:
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from unseen_in(part)
    elif isinstance(value, Reading):
        for field in fields(value):  # type: ignore[arg-type]
            yield from unseen_in(getattr(value, field.name))


def filled(value: Any, numbers: Mapping[int, int]) -> Any:
    """A reading with the numbers that its factors have."""
    if type(value) is Unseen:
        return numbers[value.factor]
    if type(value) is tuple:
        return tuple(filled(part, numbers) for part in value)
    if isinstance(value, Reading):
        return replace(value, **{field.name: filled(getattr(value, field.name), numbers) for field in fields(value)})  # type: ignore[type-var,arg-type]
    return value
