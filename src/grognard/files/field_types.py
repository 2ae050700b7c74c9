"""The types of the fields of a battle file: each parses values, and is described for people.

They are plain classes, not dataclasses: creating a dataclass takes a millisecond at every start of the command.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, ClassVar

from grognard.core.errors import Fault, FaultCode, suggest
from grognard.core.fields import LARGEST, LONGEST_NAME, MOST_ENTRIES, FrozenDict
from grognard.files.messages import format_value, join_index, join_key

Scalar = str | int | bool

_SURROGATE = re.compile("[\ud800-\udfff]")


class FieldType(ABC):
    """The type of a field."""

    choices: tuple[Scalar, ...] = ()
    """All valid values, if there are few."""
    table: type[Any] | None = None
    """The dataclass of the table or tables in the value."""
    is_named = False
    """Whether it is a table whose keys are free names."""
    python_types: tuple[type[Any], ...] = ()
    """The types of a value in the data of a file, unless `has_type` says more."""

    @property
    @abstractmethod
    def expects(self) -> str:
        """The description in faults: `a whole number ≥ 1`."""

    @property
    def plural(self) -> str:
        """The description of several such values, after "a list of"."""
        return f"entries, each {self.expects}"

    def has_type(self, value: object) -> bool:
        """Whether the value is of the right type; it may still be out of bounds."""
        return isinstance(value, self.python_types)

    @abstractmethod
    def parse(self, value: Any, place: str, faults: list[Fault]) -> Any:
        """The value for the set-up. If it is not valid, add faults."""

    @abstractmethod
    def sample(self) -> Any:
        """An example of a value in a file."""

    def fault(self, value: object, place: str, faults: list[Fault], expected: str = "") -> Any:
        """Add the fault that another value is expected, and return None."""
        meant = suggest(value, self.choices) if self.choices else None
        hint = f"; did you mean {format_value(meant)}?" if meant else ""
        message = f"found {format_value(value)}, expected {expected or self.expects}{hint}"
        faults.append(Fault(place, message, self.code(value)))
        return None

    def code(self, value: object) -> FaultCode:
        """The fault code of a value that is not valid."""
        return FaultCode.NOT_ALLOWED if self.has_type(value) else FaultCode.WRONG_TYPE


class Bounded(FieldType):
    """A type with bounds on a number, or on the length of a text, a list or a table.

    If the set-up gives no bound, there is a default one, which only faults mention.
    """

    DEFAULT: ClassVar[tuple[int, int]]

    def __init__(self, at_least: int | None = None, at_most: int | None = None) -> None:
        self.at_least, self.at_most = at_least, at_most
        self.lowest = self.DEFAULT[0] if at_least is None else at_least
        self.highest = self.DEFAULT[1] if at_most is None else at_most

    @property
    def expects(self) -> str:
        return self.describe(self.at_least, self.at_most)

    @abstractmethod
    def describe(self, at_least: int | None, at_most: int | None) -> str:
        """The description with these bounds."""

    def size(self, value: Any) -> Any:
        """The number to which the bounds apply."""
        return len(value)

    def is_in_bounds(self, value: object) -> bool:
        """Whether the value is of the right type, and in bounds."""
        return self.has_type(value) and self.lowest <= self.size(value) <= self.highest

    def fault(self, value: object, place: str, faults: list[Fault], expected: str = "") -> Any:
        is_sized = self.has_type(value)
        if is_sized and self.size(value) > self.highest:
            expected = self.describe(self.at_least, self.highest)
        elif is_sized and self.size(value) < self.lowest:
            expected = expected or self.describe(self.lowest, self.at_most)
        return super().fault(value, place, faults, expected)

    def code(self, value: object) -> FaultCode:
        if not self.has_type(value):
            return FaultCode.WRONG_TYPE
        return FaultCode.TOO_LONG if self.size(value) > self.highest else FaultCode.TOO_SHORT


class Number(Bounded):
    """A whole number; `true` and `4.0` are not."""

    DEFAULT = (-LARGEST, LARGEST)

    def describe(self, at_least: int | None, at_most: int | None) -> str:
        return f"a whole number{_range(at_least, at_most)}"

    @property
    def plural(self) -> str:
        return f"whole numbers{_range(self.at_least, self.at_most)}"

    def has_type(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool)

    def size(self, value: Any) -> Any:
        return value

    def code(self, value: object) -> FaultCode:
        return FaultCode.OUT_OF_RANGE if self.has_type(value) else FaultCode.WRONG_TYPE

    def parse(self, value: Any, place: str, faults: list[Fault]) -> object:
        return value if self.is_in_bounds(value) else self.fault(value, place, faults)

    def sample(self) -> int:
        return next((bound for bound in (self.at_least, self.at_most) if bound is not None), 1)


class Real(Number):
    """A finite number, whole or not; `true` is not."""

    def describe(self, at_least: int | None, at_most: int | None) -> str:
        return f"a number{_range(at_least, at_most)}"

    @property
    def plural(self) -> str:
        return f"numbers{_range(self.at_least, self.at_most)}"

    def has_type(self, value: object) -> bool:
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < inf

    def sample(self) -> int:
        return max(1, self.lowest)


class Text(Bounded):
    """Text; it may be empty only with `AtLeast(0)`."""

    DEFAULT = (1, LONGEST_NAME)
    python_types = (str,)

    def describe(self, at_least: int | None, at_most: int | None) -> str:
        bounds = _between(at_least if at_least and at_least > 1 else None, at_most)
        return f"text of {bounds} characters" if bounds else "text"

    @property
    def plural(self) -> str:
        return self.expects

    def parse(self, value: Any, place: str, faults: list[Fault]) -> object:
        is_blank = self.has_type(value) and len(value) <= self.highest and not value.strip()
        if self.lowest and is_blank:
            return self.fault(value, place, faults, f"{self.expects} that is not empty")
        if not self.is_in_bounds(value):
            return self.fault(value, place, faults)
        if _SURROGATE.search(value):
            message = f"found {format_value(value)}, which holds half a character"
            faults.append(Fault(place, message, FaultCode.NOT_ALLOWED))
        return value

    def sample(self) -> str:
        return "…"


class Flag(FieldType):
    """True or false."""

    expects = "true or false"
    choices = (False, True)
    python_types = (bool,)

    def parse(self, value: Any, place: str, faults: list[Fault]) -> object:
        return value if self.has_type(value) else self.fault(value, place, faults)

    def sample(self) -> bool:
        return True


class OneOf(FieldType):
    """One of a few values; `meaning` has the value that the set-up gets for each."""

    def __init__(self, meaning: Mapping[Scalar, object]) -> None:
        self.choices = tuple(meaning)
        self._meaning = {(_plain_type(choice), choice): value for choice, value in meaning.items()}

    @property
    def expects(self) -> str:
        listed = ", ".join(format_value(choice) for choice in self.choices)
        return f"one of {listed}" if len(self.choices) > 1 else listed

    def has_type(self, value: object) -> bool:
        return any(_plain_type(value) is kind for kind, _ in self._meaning)

    def parse(self, value: Any, place: str, faults: list[Fault]) -> object:
        if self.has_type(value) and (_plain_type(value), value) in self._meaning:
            return self._meaning[_plain_type(value), value]
        return self.fault(value, place, faults)

    def sample(self) -> Scalar:
        return self.choices[0]


class FixedList(FieldType):
    """A list of fixed length with a type for each entry, such as coordinates."""

    python_types = (list, tuple)

    def __init__(self, types: Sequence[FieldType]) -> None:
        self.types = tuple(types)

    @property
    def expects(self) -> str:
        first = self.types[0].expects
        if len(self.types) == 2 and all(isinstance(part, Real) for part in self.types):
            return f"x and y, each {first}"
        if len(self.types) == 2 and all(isinstance(part, Number) for part in self.types):
            return "a column and a row" + (f", each {first}" if first != Number().expects else "")
        return f"a list of {len(self.types)}: {', '.join(part.expects for part in self.types)}"

    def code(self, value: object) -> FaultCode:
        return FaultCode.WRONG_TYPE

    def parse(self, value: Any, place: str, faults: list[Fault]) -> object:
        if not self.has_type(value) or len(value) != len(self.types):
            return self.fault(value, place, faults)
        pairs = zip(self.types, value, strict=True)
        return tuple([part.parse(entry, join_index(place, n), faults) for n, (part, entry) in enumerate(pairs)])

    def sample(self) -> list[Any]:
        return [part.sample() for part in self.types]


class ListOf(Bounded):
    """A list whose entries have one type."""

    DEFAULT = (0, MOST_ENTRIES)
    python_types = (list, tuple)

    def __init__(self, item: FieldType, at_least: int | None = None, at_most: int | None = None) -> None:
        super().__init__(at_least, at_most)
        self.item, self.table = item, item.table

    def describe(self, at_least: int | None, at_most: int | None) -> str:
        bounds = _between(at_least, at_most)
        return f"a list{f', {bounds} long,' if bounds else ''} of {self.item.plural}"

    def parse(self, value: Any, place: str, faults: list[Fault]) -> object:
        if not self.is_in_bounds(value):
            return self.fault(value, place, faults)
        return tuple([self.item.parse(entry, join_index(place, n), faults) for n, entry in enumerate(value)])

    def sample(self) -> list[Any]:
        return [self.item.sample()] * max(1, self.lowest)


class TableOf(Bounded):
    """A table of free names, whose values have one type."""

    DEFAULT = (0, MOST_ENTRIES)
    NAME: ClassVar[Text] = Text()
    is_named = True
    python_types = (Mapping,)

    def __init__(self, item: FieldType) -> None:
        super().__init__()
        self.item, self.table = item, item.table

    def describe(self, at_least: int | None, at_most: int | None) -> str:
        bounds = _between(at_least, at_most)
        return f"a table of {f'{bounds} ' if bounds else ''}names, each with {self.item.expects}"

    def parse(self, value: Any, place: str, faults: list[Fault]) -> object:
        if not self.is_in_bounds(value):
            return self.fault(value, place, faults)
        places = {name: join_key(place, name) for name in value}
        return FrozenDict(
            (self.NAME.parse(name, places[name], faults), self.item.parse(entry, places[name], faults))
            for name, entry in value.items()
        )

    def sample(self) -> dict[str, Any]:
        return {"…": self.item.sample()}


class Nullable(FieldType):
    """A value or null, which in TOML means leaving out the key."""

    def __init__(self, item: FieldType) -> None:
        self.item = item
        self.choices, self.table, self.is_named = item.choices, item.table, item.is_named

    @property
    def expects(self) -> str:
        return self.item.expects

    @property
    def plural(self) -> str:
        return self.item.plural

    def has_type(self, value: object) -> bool:
        return value is None or self.item.has_type(value)

    def parse(self, value: Any, place: str, faults: list[Fault]) -> object:
        return None if value is None else self.item.parse(value, place, faults)

    def sample(self) -> object:
        return self.item.sample()


class AnyOf(FieldType):
    """A value of one of several types."""

    def __init__(self, types: Sequence[FieldType]) -> None:
        self.types = tuple(types)
        self.table = next((part.table for part in types if part.table), None)
        listed = [part.choices for part in types if part.table is None]
        self.choices = tuple(choice for choices in listed for choice in choices) if all(listed) else ()

    @property
    def expects(self) -> str:
        return " or ".join(part.expects for part in self.types)

    def has_type(self, value: object) -> bool:
        return any(part.has_type(value) for part in self.types)

    def code(self, value: object) -> FaultCode:
        fitting = [part.code(value) for part in self.types if part.has_type(value)]
        return fitting[0] if fitting else FaultCode.WRONG_TYPE

    def parse(self, value: Any, place: str, faults: list[Fault]) -> object:
        """Parse by the first type that accepts the value; otherwise report the faults of the most likely type."""
        attempts: list[list[Fault]] = []
        for part in self.types:
            wrong: list[Fault] = []
            parsed = part.parse(value, place, wrong)
            if not wrong:
                return parsed
            if part.has_type(value):
                attempts.append(wrong)
        likeliest = min(attempts, key=len, default=[])
        if not likeliest or any(fault.place == place for fault in likeliest):
            return self.fault(value, place, faults)
        faults.extend(likeliest)
        return None

    def sample(self) -> object:
        return self.types[0].sample()


def _range(at_least: int | None, at_most: int | None) -> str:
    """` ≥ 1`, ` ≤ 6` or ` from 1 to 6`."""
    if at_least is None:
        return "" if at_most is None else f" ≤ {at_most}"
    return f" ≥ {at_least}" if at_most is None else f" from {at_least} to {at_most}"


def _between(at_least: int | None, at_most: int | None) -> str:
    """`at least 1 and at most 6`."""
    least = [f"at least {at_least}"] if at_least else []
    most = [f"at most {at_most}"] if at_most is not None else []
    return " and ".join(least + most)


def _plain_type(value: object) -> type[Scalar] | None:
    """The plain type of a choice: `true` is not 1, but subclasses of text and numbers are the same as these."""
    return next((kind for kind in (bool, int, str) if isinstance(value, kind)), None)
