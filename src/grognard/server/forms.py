"""What a battle file may say, twice: as a tree from which a page draws forms, and as JSON Schema for programs."""

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import Any

from grognard import systems
from grognard.core.systems import Json
from grognard.files import FieldInfo, fields_of
from grognard.files.fields import Table
from grognard.files.groups import Either, Fixed, Maybe, Named, Several
from grognard.files.kinds import Flag, Kind, Number, OneOf, Real, Text


def form_of(shape: type[Any]) -> list[Json]:
    """The fields of a table in their order; those of the tables in it are inside their kinds."""
    return [
        {
            "name": field.name,
            "says": field.says,
            "paragraph": field.paragraph,
            "expects": field.expects,
            "required": field.required,
            "default": as_written(field.default),
            "kind": kind_tree(field.kind),
        }
        for field in fields_of(shape)
    ]


def kind_tree(kind: Kind) -> Json:
    """One kind of value, with the kinds inside it."""
    match kind:
        case Number():
            return {"kind": "number", "at_least": kind.at_least, "at_most": kind.at_most}
        case Text():
            return {"kind": "text", "at_least": kind.at_least, "at_most": kind.at_most}
        case Flag():
            return {"kind": "flag"}
        case OneOf():
            return {"kind": "one of", "choices": list(kind.choices)}
        case Table():
            return {"kind": "table", "fields": form_of(kind.shape)}
        case Several():
            return {
                "kind": "list",
                "of": [kind_tree(kind.kind)],
                "at_least": kind.at_least,
                "at_most": kind.at_most,
            }
        case Fixed():
            return {"kind": "fixed", "of": [kind_tree(part) for part in kind.kinds]}
        case Named():
            return {"kind": "named", "of": [kind_tree(kind.kind)]}
        case Either():
            return {"kind": "either", "of": [kind_tree(part) for part in kind.kinds]}
        case Maybe():
            return {**kind_tree(kind.kind), "nullable": True}
    raise TypeError(f"a form cannot ask for {kind.words}")


def as_written(value: object) -> Any:
    """A default as a battle file would have it."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [as_written(part) for part in value]
    if isinstance(value, Mapping):
        return {key: as_written(part) for key, part in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_written(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value


def battle_schema() -> Json:
    """The JSON Schema of a battle: one alternative for each system."""
    return {"title": "Battle", "oneOf": [_of_system(name) for name in systems.names()]}


def _of_system(name: str) -> Json:
    system = systems.find(name)
    schema = _table(system.setup)
    schema["title"] = f"Battle of {system.title}"
    schema["properties"] = {"system": {"type": "string", "const": name}, **schema["properties"]}
    schema["required"] = ["system", *schema["required"]]
    return schema


def _table(shape: type[Any]) -> Json:
    fields = fields_of(shape)
    return {
        "type": "object",
        "properties": {field.name: _field(field) for field in fields},
        "required": [field.name for field in fields if field.required],
        "additionalProperties": False,
    }


def _field(field: FieldInfo) -> Json:
    paragraph = f" ({field.paragraph})" if field.paragraph else ""
    said = {"description": f"{field.says}{paragraph}"} if field.says else {}
    return {**_schema(field.kind), **said}


def _schema(kind: Kind) -> Json:
    match kind:
        case Real():
            return {"type": "number", **_bounds("minimum", "maximum", kind)}
        case Number():
            return {"type": "integer", **_bounds("minimum", "maximum", kind)}
        case Text():
            return {"type": "string", **_bounds("minLength", "maxLength", kind)}
        case Flag():
            return {"type": "boolean"}
        case OneOf():
            return {"enum": list(kind.choices)}
        case Table():
            return _table(kind.shape)
        case Several():
            return {"type": "array", "items": _schema(kind.kind), **_bounds("minItems", "maxItems", kind)}
        case Fixed():
            length = len(kind.kinds)
            parts = [_schema(part) for part in kind.kinds]
            return {"type": "array", "prefixItems": parts, "items": False, "minItems": length, "maxItems": length}
        case Named():
            return {"type": "object", "additionalProperties": _schema(kind.kind)}
        case Either():
            return {"anyOf": [_schema(part) for part in kind.kinds]}
        case Maybe():
            return {"anyOf": [_schema(kind.kind), {"type": "null"}]}
    raise TypeError(f"no schema can say {kind.words}")


def _bounds(least: str, most: str, kind: Number | Text | Several) -> Json:
    named = {least: kind.at_least, most: kind.at_most}
    return {name: bound for name, bound in named.items() if bound is not None}
