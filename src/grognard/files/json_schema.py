"""JSON Schemas of battle files, for editors and other programs, from the types of the set-ups.

Many editors find the schema of a TOML file by a comment in its first line: `#:schema battle.schema.json`.
"""

from typing import Any

from grognard.core.systems import Json, System
from grognard.files import field_types
from grognard.files.fields import FieldInfo, Table, fields_of, to_plain

DIALECT = "https://json-schema.org/draft/2020-12/schema"
LONGEST_PATH = 4_096


def schema(system: System[Any]) -> Json:
    table = _table(system.setup)
    return {
        "$schema": DIALECT,
        "title": f"Battle of {system.title}",
        "description": system.summary,
        **table,
        "properties": {"system": {"const": system.name, "description": "the rules"}, **table["properties"]},
        "required": ["system", *table["required"]],
    }


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
    description = {"description": f"{field.description}{paragraph}"} if field.description else {}
    default = {} if field.default is None else {"default": to_plain(field.default)}
    value = _value(field.value_type)
    return {
        **({"anyOf": [value, {"type": "string", "maxLength": LONGEST_PATH}]} if field.may_be_path else value),
        **description,
        **default,
    }


def _value(value_type: field_types.FieldType) -> Json:
    match value_type:
        case field_types.Real():
            return {"type": "number", **_bounds("minimum", "maximum", value_type)}
        case field_types.Number():
            return {"type": "integer", **_bounds("minimum", "maximum", value_type)}
        case field_types.Text():
            empty = {} if value_type.lowest == 0 else {"pattern": r"\S"}
            return {"type": "string", **_bounds("minLength", "maxLength", value_type), **empty}
        case field_types.Flag():
            return {"type": "boolean"}
        case field_types.OneOf():
            return {"enum": list(value_type.choices)}
        case Table():
            return _table(value_type.shape)
        case field_types.ListOf():
            return {"type": "array", "items": _value(value_type.item), **_bounds("minItems", "maxItems", value_type)}
        case field_types.FixedList():
            length = len(value_type.types)
            entries = [_value(part) for part in value_type.types]
            return {"type": "array", "prefixItems": entries, "items": False, "minItems": length, "maxItems": length}
        case field_types.TableOf():
            bounds = _bounds("minProperties", "maxProperties", value_type)
            return {"type": "object", "additionalProperties": _value(value_type.item), **bounds}
        case field_types.AnyOf():
            return {"anyOf": [_value(part) for part in value_type.types]}
        case field_types.Nullable():
            return {"anyOf": [_value(value_type.item), {"type": "null"}]}
    raise TypeError(f"a schema cannot say {value_type.expects}")


def _bounds(least: str, most: str, value_type: field_types.Bounded) -> Json:
    return {least: value_type.lowest, most: value_type.highest}
