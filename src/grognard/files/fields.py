"""The fields of a set-up, from the types of its dataclass: for faults, listings, templates, forms and schemas.

In a set-up `tuple[X, ...]` is a list, `tuple[int, int]` a column and a row, `dict[str, X]` a table of free names.
AtLeast and AtMost are bounds of a number or of each coordinate, or of the length of a list or a text.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from grognard.core.errors import Fault, FaultCode
from grognard.core.fields import AtLeast, AtMost, Doc, FrozenDict, OrPath
from grognard.core.systems import Json, System
from grognard.files.field_types import (
    AnyOf,
    FieldType,
    FixedList,
    Flag,
    ListOf,
    Nullable,
    Number,
    OneOf,
    Real,
    Scalar,
    TableOf,
    Text,
)
from grognard.files.messages import join_key, unknown_name

T = TypeVar("T")

SWITCHES = "rules"
"""The table of a battle file whose keys are switches."""

_FIELDS: "dict[type[Any], dict[str, FieldInfo]]" = {}
"""A cache: resolving the types of a dataclass takes longer than reading a battle."""


class FieldInfo(NamedTuple):
    """One key of a table, with its type and its meaning."""

    name: str
    value_type: FieldType
    required: bool
    default: object
    """The default in the set-up; also None if there is none."""
    description: str
    paragraph: str
    may_be_path: bool = False
    """Whether a file may give the path of another file instead."""

    @property
    def expects(self) -> str:
        """The type in words."""
        return self.value_type.expects

    @property
    def choices(self) -> tuple[Scalar, ...]:
        """All valid values, if there are few."""
        return self.value_type.choices

    @property
    def table(self) -> type[Any] | None:
        """The dataclass of the table or tables in the value."""
        return self.value_type.table


class Table(FieldType):
    """A table with the fields of a dataclass."""

    python_types = (Mapping,)

    def __init__(self, shape: type[Any]) -> None:
        self.table = self.shape = shape

    @property
    def expects(self) -> str:
        return f"a table{self._required}"

    @property
    def plural(self) -> str:
        return f"tables{self._required}"

    @property
    def _required(self) -> str:
        names = [f"`{field.name}`" for field in fields_of(self.shape) if field.required]
        return f" with {', '.join(names)}" if names else ""

    def parse(self, value: Any, place: str, faults: list[Fault]) -> object:
        return (
            parse_table(self.shape, value, place, faults) if self.has_type(value) else self.fault(value, place, faults)
        )

    def sample(self) -> Json:
        return {field.name: field.value_type.sample() for field in fields_of(self.shape) if field.required}


def parse_table(
    shape: type[T], table: Mapping[str, object], place: str, faults: list[Fault], ignored: Sequence[str] = ()
) -> T | None:
    """The dataclass with the values of a table; None if faults were added. Keys in `ignored` are allowed."""
    before = len(faults)
    fields = _by_name(shape)
    for key in table:
        if key not in fields and key not in ignored:
            noun = "switch" if place == SWITCHES else "key"
            message = unknown_name(noun, key, [*ignored, *fields])
            faults.append(Fault(join_key(place, key), message, FaultCode.UNKNOWN_KEY))
    values: dict[str, object] = {}
    for name, field in fields.items():
        if name in table:
            values[name] = field.value_type.parse(table[name], join_key(place, name), faults)
        elif field.required:
            message = f"is missing: expected {field.expects}"
            faults.append(Fault(join_key(place, name), message, FaultCode.MISSING))
        elif isinstance(field.default, FrozenDict):
            values[name] = field.default
    return shape(**values) if len(faults) == before else None


def fields_of(shape: type[Any]) -> tuple[FieldInfo, ...]:
    """The fields of the table that this dataclass describes, in order."""
    return tuple(_by_name(shape).values())


def switches(system: System[Any]) -> tuple[FieldInfo, ...]:
    """The switches of a system: the fields of the table `rules` in its battle files."""
    for field in fields_of(system.setup):
        if field.name == SWITCHES and field.table is not None:
            return fields_of(field.table)
    return ()


def to_plain(value: object) -> Any:
    """A value of a set-up as plain data, as in a battle file."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, list | tuple):
        return [to_plain(part) for part in value]
    if isinstance(value, Mapping):
        return {key: to_plain(part) for key, part in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value) if field.init}
    return value


def _by_name(shape: type[Any]) -> dict[str, FieldInfo]:
    if shape not in _FIELDS:
        hints = get_type_hints(shape, include_extras=True)
        declared = [field for field in dataclasses.fields(shape) if field.init]
        _FIELDS[shape] = {field.name: _info(field, hints[field.name]) for field in declared}
    return _FIELDS[shape]


def _info(field: dataclasses.Field[Any], hint: object) -> FieldInfo:
    marks = list(_marks(hint))
    doc = next((mark for mark in marks if isinstance(mark, Doc)), Doc(""))
    may_be_path = any(isinstance(mark, OrPath) for mark in marks)
    required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    default = None if field.default is dataclasses.MISSING else field.default
    if field.default_factory is not dataclasses.MISSING:
        default = field.default_factory()
    if isinstance(default, dict):
        default = FrozenDict(default)
    return FieldInfo(field.name, field_type(hint), required, default, doc.text, doc.paragraph, may_be_path)


def _marks(hint: object) -> Iterator[object]:
    """The annotations of a type, and of the members of a union."""
    if get_origin(hint) is Annotated:
        yield from get_args(hint)[1:]
    elif get_origin(hint) in (Union, UnionType):
        for member in get_args(hint):
            yield from _marks(member)


def field_type(hint: object, marks: Sequence[object] = ()) -> FieldType:
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return field_type(args[0], (*marks, *args[1:]))
    if origin in (Union, UnionType):
        types = [field_type(member, marks) for member in args if member is not NoneType]
        value_type = types[0] if len(types) == 1 else AnyOf(types)
        return Nullable(value_type) if NoneType in args else value_type
    if origin is Literal:
        return OneOf({choice: choice for choice in args})
    if origin is tuple:
        if args[-1] is Ellipsis:
            return ListOf(field_type(args[0]), *_bounds(marks))
        return FixedList([field_type(arg, marks) for arg in args])
    if origin in (dict, Mapping):
        return TableOf(field_type(args[1]))
    if isinstance(hint, type):
        return _of_class(hint, marks)
    raise TypeError(f"a battle file cannot say {hint}")


def _of_class(hint: type[Any], marks: Iterable[object]) -> FieldType:
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


def _bounds(marks: Iterable[object]) -> tuple[int | None, int | None]:
    """The tightest lower and upper bound among the annotations."""
    at_least = [mark.number for mark in marks if isinstance(mark, AtLeast)]
    at_most = [mark.number for mark in marks if isinstance(mark, AtMost)]
    return max(at_least, default=None), min(at_most, default=None)
