"""Annotations on the fields of a set-up: bounds that the file parser enforces, and text for people.

A set-up is a frozen dataclass of plain types; `Annotated[int, AtLeast(1), Doc("…")]` adds what types cannot say.
"""

from dataclasses import dataclass
from typing import Annotated, Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")

LARGEST = 1_000_000
"""The default upper bound of a number; its negative is the default lower bound."""
MOST_ENTRIES = 10_000
"""The default upper bound of the length of a list or table."""
LONGEST_NAME = 200
"""The default upper bound of the length of a text."""


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The smallest number allowed; on a text or a list, its smallest length."""

    number: int


@dataclass(frozen=True, slots=True)
class AtMost:
    """The largest number allowed; on a text or a list, its greatest length."""

    number: int


@dataclass(frozen=True, slots=True)
class Doc:
    """What the field means, in a few words; for a switch also its paragraph."""

    text: str
    paragraph: str = ""


@dataclass(frozen=True, slots=True)
class OrPath:
    """A battle file may also give the path of a file with the value (`System.expand` reads it)."""


class FrozenDict(dict[K, V]):
    """An immutable dictionary, so that a set-up with one is hashable."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]  # dict declares itself unhashable
        return hash(frozenset(self.items()))

    def _refuse(self, *args: object, **kwargs: object) -> NoReturn:
        raise TypeError("the tables of a set-up cannot be changed")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


Name = str
Count = Annotated[int, AtLeast(0)]
Positive = Annotated[int, AtLeast(1)]
