"""How faults speak: the place in the file, what was found, what is known, and what was probably meant."""

import re
from collections.abc import Iterable, Mapping

LONGEST = 60
"""What was found is shown in at most so many characters."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def is_bare(key: str) -> bool:
    """Whether a key needs no quotes."""
    return _BARE.fullmatch(key) is not None


def inside(place: str, key: object) -> str:
    """The place of a key in the table at this place; keys that are no bare words are quoted."""
    text = str(key)
    name = text if is_bare(text) else quoted(text)
    return f"{place}.{name}" if place else name


def entry(place: str, index: int) -> str:
    """The place of an entry in the list at this place, counted from 0."""
    return f"{place}[{index}]"


def printable(text: str) -> str:
    """The text with whatever a terminal could not show written as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def quoted(text: str) -> str:
    """The text in double quotes, on one line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{printable(escaped)}"'


def found(value: object) -> str:
    """What was found, as the file might have written it, cut short if it is long."""
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
            return quoted(_cut(value))
        case list() | tuple():
            return _found_list(value)
        case Mapping():
            return "a table"
    return f"a value of type {type(value).__name__}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def _found_list(values: Iterable[object]) -> str:
    listed = list(values)
    if any(isinstance(value, list | tuple | Mapping) for value in listed):
        return f"a list of {len(listed)}"
    shown = f"[{', '.join(found(value) for value in listed[:LONGEST])}]"
    return shown if len(shown) <= LONGEST else f"a list of {len(listed)}"


def near(word: object, known: Iterable[object]) -> str | None:
    """The known word that this one was probably meant to be."""
    if not isinstance(word, str):
        return None
    from difflib import get_close_matches  # only when something is wrong: it is slow to import

    lowered = {text.lower(): text for text in known if isinstance(text, str)}
    close = get_close_matches(word.lower()[:LONGEST], lowered, n=1)
    return lowered[close[0]] if close else None


def unknown(noun: str, word: object, known: Iterable[str]) -> str:
    """The message for a name that nobody knows, with those that are known."""
    names = list(known)
    meant = near(word, names)
    asked = f", did you mean `{meant}`?" if meant else ";"
    return f"unknown {noun} `{printable(_cut(str(word)))}`{asked} known: {', '.join(names) or 'none'}"
