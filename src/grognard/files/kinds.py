"""What a single value in a battle file may be. Each kind says itself in words, reads a value, gives a sample.

The kinds are plain classes, not dataclasses: making a dataclass takes a millisecond, and every command pays it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from grognard.core.errors import Fault
from grognard.files.words import found, near

Choice = str | int | bool

LARGEST = 1e300
"""A number with a fraction is no larger; what is no number at all is not smaller either."""


class Kind(ABC):
    """One kind of value. `read` returns what the set-up gets, or adds to the faults and returns None."""

    __slots__ = ()

    @property
    @abstractmethod
    def words(self) -> str:
        """What is expected, with its article."""

    @property
    def many(self) -> str:
        """Several of it, after "a list of"."""
        return f"entries, each {self.words}"

    @property
    def choices(self) -> tuple[Choice, ...]:
        """All values there are, if they can be listed."""
        return ()

    @property
    def table(self) -> type[Any] | None:
        """The dataclass of the table or tables in it."""
        return None

    @property
    def is_named(self) -> bool:
        """Whether it is a table whose keys are free."""
        return False

    @abstractmethod
    def fits(self, value: object) -> bool:
        """Whether the value is of the right type, whatever else is wrong with it."""

    @abstractmethod
    def read(self, value: object, place: str, faults: list[Fault]) -> object:
        """What the set-up gets for this value."""

    @abstractmethod
    def sample(self) -> object:
        """A value of this kind, as a file would have it."""

    def refuse(self, value: object, place: str, faults: list[Fault]) -> object:
        """Add the fault that this was found where something else was expected."""
        meant = near(value, self.choices) if self.choices else None
        hint = f"; did you mean {found(meant)}?" if meant else ""
        faults.append(Fault(place, f"found {found(value)}, expected {self.words}{hint}"))
        return None


class Number(Kind):
    """A whole number, perhaps bounded."""

    __slots__ = ("at_least", "at_most")

    def __init__(self, at_least: int | None = None, at_most: int | None = None) -> None:
        self.at_least = at_least
        self.at_most = at_most

    @property
    def words(self) -> str:
        """`a whole number ≥ 1`."""
        return f"a whole number{self._bounds}"

    @property
    def many(self) -> str:
        """`whole numbers ≥ 1`."""
        return f"whole numbers{self._bounds}"

    @property
    def _bounds(self) -> str:
        if self.at_least is None:
            return "" if self.at_most is None else f" ≤ {self.at_most}"
        return f" ≥ {self.at_least}" if self.at_most is None else f" from {self.at_least} to {self.at_most}"

    def fits(self, value: object) -> bool:
        """Neither `true` nor `4.0` is a whole number."""
        return isinstance(value, int) and not isinstance(value, bool)

    def read(self, value: object, place: str, faults: list[Fault]) -> object:
        """The number, if it is within bounds."""
        if isinstance(value, int) and not isinstance(value, bool) and within(value, self.at_least, self.at_most):
            return value
        return self.refuse(value, place, faults)

    def sample(self) -> int:
        """The bound, or 1."""
        return next((bound for bound in (self.at_least, self.at_most) if bound is not None), 1)


class Real(Number):
    """Any number, with a fraction or without, perhaps bounded."""

    __slots__ = ()

    @property
    def words(self) -> str:
        """`a number ≥ 0`."""
        return f"a number{self._bounds}"

    @property
    def many(self) -> str:
        """`numbers ≥ 0`."""
        return f"numbers{self._bounds}"

    def fits(self, value: object) -> bool:
        """`true` is no number."""
        return isinstance(value, int | float) and not isinstance(value, bool)

    def read(self, value: object, place: str, faults: list[Fault]) -> object:
        """The number, if it is finite and within bounds."""
        if not isinstance(value, int | float) or not self.fits(value) or not abs(value) <= LARGEST:
            return self.refuse(value, place, faults)
        return value if within(value, self.at_least, self.at_most) else self.refuse(value, place, faults)

    def sample(self) -> int:
        """1, which is within the bounds of every table."""
        return 1


class Flag(Kind):
    """True or false."""

    __slots__ = ()

    words = "true or false"
    choices = (False, True)

    def fits(self, value: object) -> bool:
        """Only `true` and `false` are."""
        return isinstance(value, bool)

    def read(self, value: object, place: str, faults: list[Fault]) -> object:
        """The flag itself."""
        return value if isinstance(value, bool) else self.refuse(value, place, faults)

    def sample(self) -> bool:
        """True: that is what one would write out."""
        return True


class Text(Kind):
    """Text that is not empty; bounds, if any, are on its length, and AtLeast(0) lets it be empty."""

    __slots__ = ("at_least", "at_most")

    def __init__(self, at_least: int | None = None, at_most: int | None = None) -> None:
        self.at_least = 1 if at_least is None else at_least
        self.at_most = at_most

    @property
    def words(self) -> str:
        """`text`, or `text of at most 4 characters`."""
        least = [f"at least {self.at_least}"] if self.at_least > 1 else []
        most = [f"at most {self.at_most}"] if self.at_most is not None else []
        return f"text of {' and '.join(least + most)} characters" if least or most else "text"

    @property
    def many(self) -> str:
        """The same word."""
        return self.words

    def fits(self, value: object) -> bool:
        """Text is not checked any further here."""
        return isinstance(value, str)

    def read(self, value: object, place: str, faults: list[Fault]) -> object:
        """The text, if it is of the right length and can be written down at all."""
        if not isinstance(value, str):
            return self.refuse(value, place, faults)
        if self.at_least and not value.strip():
            faults.append(Fault(place, f"found {found(value)}, expected {self.words} that is not empty"))
        elif not within(len(value), self.at_least, self.at_most):
            return self.refuse(value, place, faults)
        elif not _is_unicode(value):
            faults.append(Fault(place, f"found {found(value)}, which holds half a character"))
        return value

    def sample(self) -> str:
        """An ellipsis, to be written over."""
        return "…"


class OneOf(Kind):
    """One of a few values, each written as itself in the file."""

    __slots__ = ("_choices", "_meaning")

    def __init__(self, meaning: Mapping[Choice, object]) -> None:
        self._choices = tuple(meaning)
        self._meaning = {(_plain_type(choice), choice): value for choice, value in meaning.items()}

    @property
    def words(self) -> str:
        """`one of "direct", "call in"`."""
        listed = ", ".join(found(choice) for choice in self._choices)
        return f"one of {listed}" if len(self._choices) > 1 else listed

    @property
    def choices(self) -> tuple[Choice, ...]:
        """In the order in which they were declared."""
        return self._choices

    def fits(self, value: object) -> bool:
        """Whether any of the choices is of this type."""
        return isinstance(value, str | int) and any(_plain_type(value) is kind for kind, _ in self._meaning)

    def read(self, value: object, place: str, faults: list[Fault]) -> object:
        """What the choice means; `true` is not 1."""
        if isinstance(value, str | int) and (_plain_type(value), value) in self._meaning:
            return self._meaning[_plain_type(value), value]
        return self.refuse(value, place, faults)

    def sample(self) -> Choice:
        """The first choice."""
        return self._choices[0]


def within(number: float, at_least: int | None, at_most: int | None) -> bool:
    """Whether the number lies between the bounds, where there are any."""
    return (at_least is None or number >= at_least) and (at_most is None or number <= at_most)


def _plain_type(value: str | int) -> type[Choice]:
    """The type by which a choice is known: subclasses of text and numbers count as such, `true` not as 1."""
    return bool if isinstance(value, bool) else int if isinstance(value, int) else str


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
