"""Annotations on the fields of a set-up: bounds that the file parser enforces, and text for people.

A set-up is a frozen dataclass of plain types; `Annotated[int, AtLeast(1), Doc("…")]` adds what types cannot say.
"""

from dataclasses import dataclass
from typing import Annotated, Any, NoReturn, TypeVar

K = TypeVar("K")
V = TypeVar("V")

LARGEST = 1_000_000
"""The largest number that a field without a bound of its own takes; its negative is the smallest."""
MOST_ENTRIES = 10_000
"""The longest list or table that a field without a bound of its own takes."""
LONGEST_NAME = 200
"""The longest text that a field without a bound of its own takes."""


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
    """What the field means, in a few words; on a switch also the paragraph it belongs to."""

    text: str
    paragraph: str = ""


@dataclass(frozen=True, slots=True)
class OrPath:
    """A battle file may also give the path of a file that holds the value (`System.expand` reads it)."""


class FrozenDict(dict[K, V]):
    """A dictionary that cannot be changed, so that a set-up that has one can be hashed."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
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
