"""Parts of the messages of faults: places, values, known names."""

import re
from collections.abc import Iterable, Mapping

from grognard.core.errors import list_known, suggest

LONGEST = 60
"""A longer value is truncated."""
LONGEST_KEY = 200
"""A longer key is truncated."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def is_bare(key: str) -> bool:
    """Whether a key needs no quotes."""
    return _BARE.fullmatch(key) is not None


def join_key(place: str, key: object) -> str:
    """The place of a key in the table at this place: `attack.on`. The key is quoted if necessary."""
    text = _truncate(key, LONGEST_KEY) if isinstance(key, str) else format_value(key)
    name = text if is_bare(text) else quote(text)
    return f"{place}.{name}" if place else name


def join_index(place: str, index: int) -> str:
    """The place of an entry in the list at this place, counted from 0: `units[0]`."""
    return f"{place}[{index}]"


def printable(text: str) -> str:
    """The text with an escape for every character that a terminal cannot show."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def quote(text: str) -> str:
    """The text in double quotes, on one line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{printable(escaped)}"'


def format_value(value: object) -> str:
    """A value as in a file, truncated if it is long."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value) if abs(value) < 10**LONGEST else "a number far too large"
        case float():
            return repr(value)
        case str():
            return quote(_truncate(value, LONGEST))
        case list() | tuple():
            return _format_list(value)
        case Mapping():
            return "a table"
    return f"a value of type {type(value).__name__}"


def _truncate(text: str, length: int) -> str:
    return text if len(text) <= length else text[:length] + "…"


def _format_list(values: list[object] | tuple[object, ...]) -> str:
    if len(values) <= LONGEST and not any(isinstance(value, list | tuple | Mapping) for value in values):
        shown = f"[{', '.join(format_value(value) for value in values)}]"
        if len(shown) <= LONGEST:
            return shown
    return f"a list of {len(values)}"


def unknown_name(noun: str, name: object, known: Iterable[str]) -> str:
    """The message ``unknown NOUN `NAME` ``, with a suggestion and the known names."""
    names = list(known)
    meant = suggest(name, names)
    question = f", did you mean `{meant}`?" if meant else ";"
    shown = printable(_truncate(name, LONGEST)) if isinstance(name, str) else format_value(name)
    return f"unknown {noun} `{shown}`{question} known: {list_known(names)}"
