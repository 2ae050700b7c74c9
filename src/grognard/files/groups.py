"""Values made of values: lists, tables of names, a value or nothing, one kind or another."""

from collections.abc import Mapping, Sequence
from typing import Any

from grognard.core.errors import Fault
from grognard.files.kinds import Choice, Kind, Number, Real, Text, within
from grognard.files.words import entry, inside


class Fixed(Kind):
    """A list of so many values, each of its own kind: coordinates above all."""

    __slots__ = ("kinds",)

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self.kinds = tuple(kinds)

    @property
    def words(self) -> str:
        """Two whole numbers are a column and a row, two others x and y; anything else is spelled out."""
        first = self.kinds[0]
        if len(self.kinds) == 2 and all(isinstance(kind, Real) for kind in self.kinds):
            return f"x and y, each {first.words}"
        if len(self.kinds) == 2 and all(isinstance(kind, Number) for kind in self.kinds):
            return f"a column and a row, each {first.words}" if first.words != Number().words else "a column and a row"
        return f"a list of {len(self.kinds)}: {', '.join(kind.words for kind in self.kinds)}"

    def fits(self, value: object) -> bool:
        """Any list does."""
        return isinstance(value, list | tuple)

    def read(self, value: object, place: str, faults: list[Fault]) -> object:
        """Each value by its own kind."""
        if not isinstance(value, list | tuple) or len(value) != len(self.kinds):
            return self.refuse(value, place, faults)
        pairs = zip(self.kinds, value, strict=True)
        return tuple([kind.read(part, entry(place, n), faults) for n, (kind, part) in enumerate(pairs)])

    def sample(self) -> list[object]:
        """A sample of each."""
        return [kind.sample() for kind in self.kinds]


class Several(Kind):
    """A list of any length, or with bounds on its length."""

    __slots__ = ("at_least", "at_most", "kind")

    def __init__(self, kind: Kind, at_least: int | None = None, at_most: int | None = None) -> None:
        self.kind = kind
        self.at_least = at_least
        self.at_most = at_most

    @property
    def words(self) -> str:
        """`a list, at least 2 long, of whole numbers`."""
        least = [f"at least {self.at_least}"] if self.at_least else []
        most = [f"at most {self.at_most}"] if self.at_most is not None else []
        length = f", {' and '.join(least + most)} long," if least or most else ""
        return f"a list{length} of {self.kind.many}"

    @property
    def table(self) -> type[Any] | None:
        """That of its entries."""
        return self.kind.table

    def fits(self, value: object) -> bool:
        """Any list does."""
        return isinstance(value, list | tuple)

    def read(self, value: object, place: str, faults: list[Fault]) -> object:
        """Every entry by the same kind."""
        if not isinstance(value, list | tuple) or not within(len(value), self.at_least, self.at_most):
            return self.refuse(value, place, faults)
        return tuple([self.kind.read(part, entry(place, n), faults) for n, part in enumerate(value)])

    def sample(self) -> list[object]:
        """As few entries as are allowed, but one."""
        return [self.kind.sample()] * max(1, self.at_least or 0)


class Named(Kind):
    """A table whose keys are free: names, each with a value of the same kind."""

    __slots__ = ("kind",)

    is_named = True

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    @property
    def words(self) -> str:
        """`a table of names, each with a column and a row`."""
        return f"a table of names, each with {self.kind.words}"

    @property
    def table(self) -> type[Any] | None:
        """That of its values."""
        return self.kind.table

    def fits(self, value: object) -> bool:
        """Any table does."""
        return isinstance(value, Mapping)

    def read(self, value: object, place: str, faults: list[Fault]) -> object:
        """Every value by the same kind, under a name that is text."""
        if not isinstance(value, Mapping):
            return self.refuse(value, place, faults)
        named: dict[str, object] = {}
        for name, part in value.items():
            where = inside(place, name)
            named[str(Text().read(name, where, faults))] = self.kind.read(part, where, faults)
        return named

    def sample(self) -> dict[str, object]:
        """One name."""
        return {"…": self.kind.sample()}


class Maybe(Kind):
    """A value, or nothing: the key left out, or null where a file can say so."""

    __slots__ = ("kind",)

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    @property
    def words(self) -> str:
        """What is expected if there is something."""
        return self.kind.words

    @property
    def many(self) -> str:
        """Likewise."""
        return self.kind.many

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Likewise."""
        return self.kind.choices

    @property
    def table(self) -> type[Any] | None:
        """Likewise."""
        return self.kind.table

    @property
    def is_named(self) -> bool:
        """Likewise."""
        return self.kind.is_named

    def fits(self, value: object) -> bool:
        """Null fits too."""
        return value is None or self.kind.fits(value)

    def read(self, value: object, place: str, faults: list[Fault]) -> object:
        """Null is nothing."""
        return None if value is None else self.kind.read(value, place, faults)

    def sample(self) -> object:
        """Something."""
        return self.kind.sample()


class Either(Kind):
    """A value of one of several kinds."""

    __slots__ = ("kinds",)

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self.kinds = tuple(kinds)

    @property
    def words(self) -> str:
        """`text or a list of text`."""
        return " or ".join(kind.words for kind in self.kinds)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """Those of all, if all that are no tables can be listed."""
        listed = [kind.choices for kind in self.kinds if kind.table is None]
        return tuple(choice for choices in listed for choice in choices) if all(listed) else ()

    @property
    def table(self) -> type[Any] | None:
        """The first there is."""
        return next((kind.table for kind in self.kinds if kind.table), None)

    def fits(self, value: object) -> bool:
        """Whether it fits any."""
        return any(kind.fits(value) for kind in self.kinds)

    def read(self, value: object, place: str, faults: list[Fault]) -> object:
        """The first kind that takes it; else the faults of the one that was probably meant."""
        tries: list[list[Fault]] = []
        for kind in self.kinds:
            wrong: list[Fault] = []
            got = kind.read(value, place, wrong)
            if not wrong:
                return got
            if kind.fits(value):
                tries.append(wrong)
        meant = min(tries, key=len, default=[])
        if not meant or any(fault.place == place for fault in meant):
            return self.refuse(value, place, faults)
        faults.extend(meant)
        return None

    def sample(self) -> object:
        """The first kind's."""
        return self.kinds[0].sample()
