"""Paths in a battle file, such as `units[0].strength`. The places of faults have the same form."""

import re
from collections.abc import Mapping
from typing import Any

from grognard.core.systems import Json, System
from grognard.files.field_types import AnyOf, FieldType, FixedList, ListOf, Nullable, TableOf
from grognard.files.fields import SWITCHES, Table, fields_of
from grognard.files.messages import format_value, join_index, join_key, unknown_name

FieldPath = tuple[str | int, ...]
"""Keys and list indices, from the outside in."""

_PART = re.compile(r'(?:^|(?<=.)\.)(?:([A-Za-z0-9_-]+)|"((?:[^"\\]|\\.)*)")|\[(\d{1,9})\]')


class PathError(ValueError):
    """A path that does not exist in a battle."""


def parse_path(text: str) -> FieldPath:
    parts: list[str | int] = []
    at = 0
    while at < len(text) and (match := _PART.match(text, at)):
        bare, quoted, position = match.groups()
        parts.append(int(position) if position else bare or re.sub(r"\\(.)", r"\1", quoted))
        at = match.end()
    if at < len(text) or not parts or isinstance(parts[0], int):
        raise PathError(f"found {format_value(text)}, expected a path such as {SWITCHES}.… or …[0].…")
    return tuple(parts)


def format_path(path: FieldPath) -> str:
    text = ""
    for part in path:
        text = join_index(text, part) if isinstance(part, int) else join_key(text, part)
    return text


def field_type_at(system: System[Any], source: Json, path: FieldPath) -> FieldType:
    """The type of the field at a path of this battle; a PathError if there is none."""
    value_type: FieldType = Table(system.setup)
    value: object = source
    for depth, part in enumerate(path):
        value_type, value = _step(_narrow(value_type, value), value, part, path[:depth])
    return value_type


def _step(value_type: FieldType, value: object, part: str | int, above: FieldPath) -> tuple[FieldType, object]:
    """The type and the value at the next part of a path."""
    if isinstance(part, int):
        return _step_into_list(value_type, value, part, above)
    table = value if isinstance(value, Mapping) else {}
    if isinstance(value_type, Table):
        known = {field.name: field.value_type for field in fields_of(value_type.shape)}
        if part not in known:
            where = f"in `{format_path(above)}`: " if above else ""
            raise PathError(where + unknown_name("switch" if above == (SWITCHES,) else "key", part, known))
        return known[part], table.get(part)
    if isinstance(value_type, TableOf):
        return value_type.item, table.get(part)
    raise PathError(f"`{format_path(above)}` is {value_type.expects}: it has no `{part}`")


def _step_into_list(value_type: FieldType, value: object, part: int, above: FieldPath) -> tuple[FieldType, object]:
    entries = value if isinstance(value, list | tuple) else ()
    if isinstance(value_type, FixedList) and part < min(len(value_type.types), len(entries)):
        return value_type.types[part], entries[part]
    if isinstance(value_type, ListOf) and part < len(entries):
        return value_type.item, entries[part]
    if isinstance(value_type, FixedList | ListOf):
        raise PathError(_no_entry(value, part, above))
    raise PathError(f"`{format_path(above)}` is {value_type.expects}, not a list")


def _no_entry(value: object, part: int, above: FieldPath) -> str:
    path = f"`{format_path(above)}`"
    if value is not None and not isinstance(value, list | tuple):
        return f"{path} is {format_value(value)}, not a list"
    number = f"has {len(value)}, counted from 0" if value is not None else "is not in this battle"
    return f"there is no `{format_path((*above, part))}`: {path} {number}"


def _narrow(value_type: FieldType, value: object) -> FieldType:
    """The one of several types that fits the value; a table, if there is no value."""
    while isinstance(value_type, Nullable | AnyOf):
        if isinstance(value_type, Nullable):
            value_type = value_type.item
        else:
            fitting = [option for option in value_type.types if option.has_type(value)]
            value_type = next(
                iter([*fitting, *(option for option in value_type.types if option.table), *value_type.types])
            )
    return value_type


def set_value(source: Json, path: FieldPath, value: object) -> Json:
    """A copy of the battle with this value at this path. Missing tables along the path are added."""
    changed: Json = _set(source, path, value, ())
    return changed


def _set(around: Any, path: FieldPath, value: object, above: FieldPath) -> Any:
    if not path:
        return value
    first, rest = path[0], path[1:]
    if isinstance(first, int):
        if not isinstance(around, list | tuple) or first >= len(around):
            raise PathError(_no_entry(around, first, above))
        return [*around[:first], _set(around[first], rest, value, (*above, first)), *around[first + 1 :]]
    table = around if isinstance(around, Mapping) else {}
    return {**table, first: _set(table.get(first), rest, value, (*above, first))}
