"""Templates of battle files: an example with comments on every key, and with all other keys commented out."""

from collections.abc import Mapping
from typing import Any

from grognard.core.systems import System
from grognard.files.field_types import Flag
from grognard.files.fields import SWITCHES, FieldInfo, fields_of, to_plain
from grognard.files.toml import Entry, Section, comment, format_sections, sections_of, toml_value


def template(system: System[Any], example: Mapping[str, object]) -> str:
    """The example as TOML. A comment explains each key where it occurs first; other keys are commented out."""
    explained: set[type[Any]] = set()
    sections = [
        _explain(section, system.setup, explained) for section in sections_of({"system": system.name, **example})
    ]
    for field in fields_of(system.setup):
        if field.name not in example and _is_section(field):
            sections.append(_offer_table(field))
    return comment(f"{system.title}: {system.summary}") + format_sections(sections)


def _explain(section: Section, setup: type[Any], explained: set[type[Any]]) -> Section:
    """The section with notes and with its other keys, unless its table was explained before."""
    header = _field_at(setup, section.path)
    table = setup if header is None else header.table
    if table is None or table in explained or (section.path and (header is None or header.value_type.is_named)):
        return section
    explained.add(table)
    fields = {field.name: field for field in fields_of(table)}
    entries = [
        entry._replace(note=_note(fields[entry.key]), others=_other_choices(fields[entry.key], entry.value))
        if entry.key in fields
        else entry
        for entry in section.entries
    ]
    present = {entry.key for entry in entries}.union(section.inner)
    for field in fields.values():
        if field.name not in present and (section.path or not _is_section(field)):
            entries.append(_offer_key(field))
    return section._replace(entries=entries, note=header.description if header else "")


def _field_at(setup: type[Any], path: tuple[str, ...]) -> FieldInfo | None:
    """The field of the table that a header opens; None at the top, and below tables of free names."""
    table: type[Any] | None = setup
    field: FieldInfo | None = None
    for name in path:
        if table is None or (field and field.value_type.is_named):
            return None
        field = next((candidate for candidate in fields_of(table) if candidate.name == name), None)
        table = field.table if field else None
    return field


def _is_section(field: FieldInfo) -> bool:
    """Whether its value is a table or a list of tables."""
    sample = field.value_type.sample()
    return isinstance(sample, Mapping) or (isinstance(sample, list) and isinstance(sample[0], Mapping))


def _offer_table(field: FieldInfo) -> Section:
    """A missing table, commented out unless it is the table of switches, whose keys are commented out."""
    is_listed = isinstance(field.value_type.sample(), list)
    if field.table and not field.value_type.is_named:
        entries = [_offer_key(inner) for inner in fields_of(field.table)]
    else:
        sample = field.value_type.sample()
        named = sample.items() if isinstance(sample, Mapping) else ()
        entries = [Entry(name, toml_value(value), is_commented_out=True) for name, value in named]
    return Section((field.name,), is_listed, entries, note=field.description, is_commented_out=field.name != SWITCHES)


def _offer_key(field: FieldInfo) -> Entry:
    """A missing key, commented out, with its default or a sample value."""
    value = toml_value(field.value_type.sample() if field.default is None else to_plain(field.default))
    note = f"optional: {_note(field)}" if field.default is None and not field.required else _note(field)
    return Entry(field.name, value, note, _other_choices(field, value), is_commented_out=True)


def _note(field: FieldInfo) -> str:
    """The meaning of a key, and its paragraph."""
    text = field.description or field.expects
    return f"{text} ({field.paragraph})" if field.paragraph else text


def _other_choices(field: FieldInfo, value: str) -> str:
    """The other choices of a key, unless its note lists them or it is `true` or `false`."""
    if not field.description or field.choices == Flag.choices:
        return ""
    others = [toml_value(choice) for choice in field.choices if toml_value(choice) != value]
    return f"or {', '.join(others)}" if others else ""
