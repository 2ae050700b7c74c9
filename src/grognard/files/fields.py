"""From a dataclass to what a file may say: the one mechanism behind faults, listings, templates and forms.

`tuple[X, ...]` is a list, `tuple[int, int]` a column and a row, `tuple[float, float]` a point, `dict[str, X]` a table
of names. AtLeast and AtMost bound numbers, those of coordinates too; on a list they bound its length, on text the
number of its characters.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from grognard.core.errors import Fault
from grognard.core.fields import AtLeast, AtMost, Says
from grognard.files.groups import Either, Fixed, Maybe, Named, Several
from grognard.files.kinds import Choice, Flag, Kind, Number, OneOf, Real, Text
from grognard.files.words import inside, unknown

T = TypeVar("T")

SWITCHES = "rules"
"""The table of a battle file whose keys are switches."""

_FIELDS: "dict[type[Any], dict[str, FieldInfo]]" = {}
"""Resolving the types of a dataclass takes longer than reading a battle, so each is resolved once."""


class FieldInfo(NamedTuple):
    """One key of a table: what it may be and what it means."""

    name: str
    kind: Kind
    required: bool
    default: object
    """As the set-up has it; None also where a default makes no sense."""
    says: str
    paragraph: str

    @property
    def expects(self) -> str:
        """What it may be, in words."""
        return self.kind.words

    @property
    def choices(self) -> tuple[Choice, ...]:
        """All values there are, if they can be listed."""
        return self.kind.choices

    @property
    def table(self) -> type[Any] | None:
        """The dataclass of the table or tables in it, for `fields_of`."""
        return self.kind.table


class Table(Kind):
    """A table with the fields of a dataclass."""

    __slots__ = ("shape",)

    def __init__(self, shape: type[Any]) -> None:
        self.shape = shape

    @property
    def words(self) -> str:
        """What must be in it."""
        return f"a table{self._required}"

    @property
    def many(self) -> str:
        """Likewise."""
        return f"tables{self._required}"

    @property
    def _required(self) -> str:
        names = [f"`{field.name}`" for field in fields_of(self.shape) if field.required]
        return f" with {', '.join(names)}" if names else ""

    @property
    def table(self) -> type[Any]:
        """The dataclass itself."""
        return self.shape

    def fits(self, value: object) -> bool:
        """Any table does."""
        return isinstance(value, Mapping)

    def read(self, value: object, place: str, faults: list[Fault]) -> object:
        """The dataclass, from all its fields."""
        if not isinstance(value, Mapping):
            return self.refuse(value, place, faults)
        return read_table(self.shape, value, place, faults)

    def sample(self) -> dict[str, object]:
        """What must be in it."""
        return {field.name: field.kind.sample() for field in fields_of(self.shape) if field.required}


def read_table(
    shape: type[T], table: Mapping[str, object], place: str, faults: list[Fault], also: Sequence[str] = ()
) -> T | None:
    """The dataclass that a table says, or None and more faults. Keys in `also` are somebody else's."""
    before = len(faults)
    fields = _by_name(shape)
    for key in table:
        if key not in fields and key not in also:
            noun = "switch" if place == SWITCHES else "key"
            faults.append(Fault(inside(place, key), unknown(noun, key, [*also, *fields])))
    values: dict[str, object] = {}
    for name, field in fields.items():
        if name in table:
            values[name] = field.kind.read(table[name], inside(place, name), faults)
        elif field.required:
            faults.append(Fault(inside(place, name), f"is missing: expected {field.kind.words}"))
    return shape(**values) if len(faults) == before else None


def fields_of(shape: type[Any]) -> tuple[FieldInfo, ...]:
    """What a file may say in the table that this dataclass stands for, in its order."""
    return tuple(_by_name(shape).values())


def _by_name(shape: type[Any]) -> dict[str, FieldInfo]:
    if shape not in _FIELDS:
        hints = get_type_hints(shape, include_extras=True)
        declared = [field for field in dataclasses.fields(shape) if field.init]
        _FIELDS[shape] = {field.name: _info(field, hints[field.name]) for field in declared}
    return _FIELDS[shape]


def _info(field: dataclasses.Field[Any], hint: object) -> FieldInfo:
    says = next((mark for mark in _marks(hint) if isinstance(mark, Says)), Says(""))
    default: object = None
    if field.default is not dataclasses.MISSING:
        default = field.default
    elif field.default_factory is not dataclasses.MISSING:
        default = field.default_factory()
    required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    return FieldInfo(field.name, kind_of(hint), required, default, says.words, says.paragraph)


def _marks(hint: object) -> Iterator[object]:
    """The marks on a type, those on the members of a union too."""
    if get_origin(hint) is Annotated:
        yield from get_args(hint)[1:]
    elif get_origin(hint) in (Union, UnionType):
        for member in get_args(hint):
            yield from _marks(member)


def kind_of(hint: object, marks: Sequence[object] = ()) -> Kind:
    """The kind of value that a type annotation stands for."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return kind_of(args[0], (*marks, *args[1:]))
    if origin in (Union, UnionType):
        return _union(args, marks)
    if origin is Literal:
        return OneOf({choice: choice for choice in args})
    if origin is tuple:
        if args[-1] is Ellipsis:
            return Several(kind_of(args[0]), *_bounds(marks))
        return Fixed([kind_of(arg, marks) for arg in args])
    if origin in (dict, Mapping):
        return Named(kind_of(args[1]))
    if isinstance(hint, type):
        return _of_class(hint, marks)
    raise TypeError(f"a battle file cannot say {hint}")


def _of_class(hint: type[Any], marks: Iterable[object]) -> Kind:
    if hint is bool:
        return Flag()
    if issubclass(hint, Enum):
        return OneOf({member.value: member for member in hint})
    if hint is int:
        return Number(*_bounds(marks))
    if hint is float:
        return Real(*_bounds(marks))
    if hint is str:
        return Text(*_bounds(marks))
    if dataclasses.is_dataclass(hint):
        return Table(hint)
    raise TypeError(f"a battle file cannot say {hint}")


def _union(members: Iterable[object], marks: Sequence[object]) -> Kind:
    listed = list(members)
    kinds = [kind_of(member, marks) for member in listed if member is not NoneType]
    kind = kinds[0] if len(kinds) == 1 else Either(kinds)
    return Maybe(kind) if NoneType in listed else kind


def _bounds(marks: Iterable[object]) -> tuple[int | None, int | None]:
    """The tightest bounds among the marks."""
    at_least = [mark.number for mark in marks if isinstance(mark, AtLeast)]
    at_most = [mark.number for mark in marks if isinstance(mark, AtMost)]
    return max(at_least, default=None), min(at_most, default=None)
