"""Every system as data: its rules, switches and examples, and the fields of its battle files. The page uses it."""

from typing import Any

from grognard import systems
from grognard.core.systems import Json, System
from grognard.files import field_types, fields_of, schema
from grognard.files.examples import examples
from grognard.files.fields import Table, to_plain
from grognard.words import describe


def catalogue() -> list[Json]:
    """Every system, with its rules, switches, forms, ready-made units and examples."""
    return [entry(systems.find(name)) for name in systems.names()]


def entry(system: System[Any]) -> Json:
    return {
        **describe.system_to_dict(system),
        "fields": form_of(system.setup),
        "roster": dict(system.roster()),
        "figures": dict(system.figures()),
        "example": {"system": system.name, **system.example},
        "examples": [
            {"name": example.name, "story": example.story, "battle": example.source}
            for example in examples(system.name)
        ],
    }


def form_of(shape: type[Any]) -> list[Json]:
    """The fields of a table in order; those of nested tables are inside their kinds."""
    return [
        {
            "name": field.name,
            "says": field.description,
            "paragraph": field.paragraph,
            "expects": field.expects,
            "required": field.required,
            "default": to_plain(field.default),
            "kind": kind_tree(field.value_type),
        }
        for field in fields_of(shape)
    ]


def kind_tree(kind: field_types.FieldType) -> Json:
    """One kind of value, with the kinds inside it."""
    match kind:
        case field_types.Real():
            return {"kind": "number", "is_whole": False, "at_least": kind.at_least, "at_most": kind.at_most}
        case field_types.Number():
            return {"kind": "number", "at_least": kind.at_least, "at_most": kind.at_most}
        case field_types.Text():
            return {"kind": "text", "at_least": kind.at_least, "at_most": kind.at_most}
        case field_types.Flag():
            return {"kind": "flag"}
        case field_types.OneOf():
            return {"kind": "one of", "choices": list(kind.choices)}
        case Table():
            return {"kind": "table", "fields": form_of(kind.shape)}
        case field_types.ListOf():
            return {
                "kind": "list",
                "of": [kind_tree(kind.item)],
                "at_least": kind.at_least,
                "at_most": kind.at_most,
            }
        case field_types.FixedList():
            return {"kind": "fixed", "of": [kind_tree(part) for part in kind.types]}
        case field_types.TableOf():
            return {"kind": "named", "of": [kind_tree(kind.item)]}
        case field_types.AnyOf():
            return {"kind": "either", "of": [kind_tree(part) for part in kind.types]}
        case field_types.Nullable():
            return {**kind_tree(kind.item), "nullable": True}
    raise TypeError(f"a form cannot ask for {kind.expects}")


def battle_schema() -> Json:
    """The JSON Schema of a battle: one alternative for each system."""
    return {"title": "Battle", "oneOf": [schema(systems.find(name)) for name in systems.names()]}
