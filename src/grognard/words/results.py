"""Results as text and tables: what is the same in all of them, and what differs."""

from collections.abc import Mapping, Sequence

from grognard.core.systems import Json
from grognard.words.blocks import Block, Column, Inline, Table, bold, muted, text_columns

Place = tuple[str, ...]
NOTHING = "–"
"""A value that is null or empty, as text."""


def leaves(result: Json, above: Place = ()) -> dict[Place, str]:
    """All values of a result as text, by the keys that lead to them."""
    flat: dict[Place, str] = {}
    for key, value in result.items():
        if isinstance(value, dict) and value:
            flat |= leaves(value, (*above, str(key)))
        else:
            flat[(*above, str(key))] = format_value(value)
    return flat


def format_value(value: object) -> str:
    """A value of a file, a result or a measure: `yes`, `4, 5`, and `–` for nothing."""
    match value:
        case None | []:
            return NOTHING
        case bool():
            return "yes" if value else "no"
        case int():
            return str(value).replace("-", "−")
        case dict():
            return "; ".join(f"{format_key(str(key))}: {format_value(part)}" for key, part in value.items()) or NOTHING
        case list() | tuple():
            return ", ".join(format_value(part) for part in value)
    return str(value)


def format_key(key: str) -> str:
    """A key of a file or a result, with spaces for underscores."""
    return key.replace("_", " ")


def headings(paths: Sequence[Place]) -> dict[Place, str]:
    """A heading for each place in a result, without the name of its table if that is clear."""
    short = {path: " ".join(path[1:] or path) for path in paths}
    heads = list(short.values())
    return {path: format_key(head if heads.count(head) == 1 else " ".join(path)) for path, head in short.items()}


def varying_places(results: Sequence[Mapping[Place, str]]) -> list[Place]:
    """The places at which the results differ."""
    first = results[0]
    return [path for path in first if any(result.get(path) != first[path] for result in results)]


def format_result(result: Mapping[Place, str], paths: Sequence[Place]) -> str:
    """`Red 1 · Blue 3 · possession Blue`."""
    heads = headings(paths)
    return " · ".join(f"{heads[path]} {result.get(path, NOTHING)}" for path in paths)


def result_tables(result: Json) -> list[Block]:
    """The result as a table for each kind of thing in it; then a table of its single values."""
    tables: list[Block] = []
    single: list[tuple[Inline, Inline]] = []
    title: Inline = bold("Result")
    for key, value in result.items():
        if isinstance(value, dict) and value and all(isinstance(entry, dict) for entry in value.values()):
            names = list(dict.fromkeys(name for entry in value.values() for name in entry))
            rows = [(str(name), *(format_value(entry.get(part)) for part in names)) for name, entry in value.items()]
            tables.append(Table([Column(), *text_columns(*map(format_key, names))], rows, title))
            title = ""
        elif isinstance(value, dict):
            single += [(str(name), format_value(entry)) for name, entry in value.items()]
        elif value != []:
            single.append((muted(format_key(key)), format_value(value)))
    return [*tables, Table(text_columns("", ""), single, title)] if single else tables
