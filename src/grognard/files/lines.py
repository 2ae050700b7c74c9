"""The line of each place in the text of a file. It is needed only for faults, on text that was parsed before."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple

from grognard.files.messages import join_index, join_key

_BLANK = re.compile(r"(?:\s|#[^\n]*)*")
_REST = re.compile(r"[^\n]*")
_KEY = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)\s*([.=:\]])""")
_SCALAR = re.compile(
    r'''"""(?:[^\\]|\\.)*?"""+|\'\'\'.*?\'\'\'+|"(?:[^"\\]|\\.)*"|'[^']*'|[^\[\]{},"'#\n]+''', re.DOTALL
)
_PART = re.compile(r"""\.?(?:[\w-]+|"(?:[^"\\]|\\.)*")|\[\d+\]""")


class Lines(NamedTuple):
    """The line of each place, and the places of keys that are repeated in one table."""

    by_place: dict[str, int]
    repeated: list[str]

    def find(self, place: str) -> int | None:
        """The line of a place, or else of the innermost table around it whose line is known."""
        line = None
        for part in _PART.finditer(place):
            line = self.by_place.get(place[: part.end()], line)
        return line


def toml_lines(text: str) -> Lines:
    import tomllib

    scanner = _Scanner(text, lambda key: str(tomllib.loads(f"key = {key}")["key"]))
    with suppress(_UnknownSyntax, RecursionError):
        table, at = "", scanner.skip(0)
        while at < len(text):
            if text[at] == "[":
                table, at = scanner.header(at)
            else:
                at = scanner.pair(at, table)[1]
            at = scanner.skip(_end(_REST, text, at))
    return scanner.lines


def json_lines(text: str) -> Lines:
    import json

    scanner = _Scanner(text, json.loads)
    with suppress(_UnknownSyntax, RecursionError):
        scanner.value(scanner.skip(0), "")
    return scanner.lines


class _UnknownSyntax(Exception):
    """Syntax that the scanner does not know, such as that of a later TOML version: it stops there."""


class _Scanner:
    """Scans text that was parsed before, and records the line of each place."""

    def __init__(self, text: str, unquote: Callable[[str], str]) -> None:
        self.text = text
        self.unquote = unquote
        self.lines = Lines({}, [])
        self.ends = [end.start() for end in re.finditer("\n", text)]
        self.last_of: dict[str, int] = {}
        """The index of the latest table of each [[list of tables]]."""

    def note(self, place: str, at: int) -> None:
        self.lines.by_place[place] = bisect_left(self.ends, at) + 1

    def skip(self, at: int) -> int:
        """The index after white space and comments."""
        return _end(_BLANK, self.text, at)

    def header(self, at: int) -> tuple[str, int]:
        """The place of the table that a `[table]` or `[[table]]` opens, and the index after the header."""
        is_entry = self.text.startswith("[[", at)
        parts, end = self.keys(at + 2 if is_entry else at + 1)
        if not is_entry:
            place = self.descend("", parts, at)
        else:
            listed = join_key(self.descend("", parts[:-1], at), parts[-1])
            self.last_of[listed] = self.last_of.get(listed, -1) + 1
            place = self.descend("", parts, at)
        self.note(place, at)
        return place, end

    def keys(self, at: int) -> tuple[list[str], int]:
        """The parts of a dotted key, and the index after it."""
        parts: list[str] = []
        while match := _KEY.match(self.text, at):
            raw, at = match[1], match.end()
            is_quoted = raw[0] in "\"'"
            parts.append(self.unquote(raw) if "\\" in raw else raw[1:-1] if is_quoted else raw)
            if match[2] != ".":
                return parts, at
        raise _UnknownSyntax

    def descend(self, place: str, parts: Iterable[str], at: int) -> str:
        """The place of a dotted key, after recording tables that it mentions for the first time."""
        for part in parts:
            place = join_key(place, part)
            if place not in self.lines.by_place:
                self.note(place, at)
            if place in self.last_of:
                place = join_index(place, self.last_of[place])
        return place

    def pair(self, at: int, table: str) -> tuple[str, int]:
        """The place of the key that begins here, and the index after its value."""
        parts, begin = self.keys(at)
        place = self.descend(table, parts, at)
        self.note(place, at)
        return place, self.value(self.skip(begin), place)

    def value(self, at: int, place: str) -> int:
        """The index after the value that begins here, after recording everything in it."""
        opening = self.text[at : at + 1]
        if opening not in ("[", "{"):
            return _end(_SCALAR, self.text, at)
        seen: set[str] = set()
        count = 0
        at = self.skip(at + 1)
        while not self.text.startswith(("]", "}"), at):
            if opening == "[":
                inner = join_index(place, count)
                self.note(inner, at)
                at = self.value(at, inner)
            else:
                inner, at = self.pair(at, place)
                if inner in seen:
                    self.lines.repeated.append(inner)
                seen.add(inner)
            count += 1
            at = self.skip(at)
            if self.text.startswith(",", at):
                at = self.skip(at + 1)
        return at + 1


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    if match is None:
        raise _UnknownSyntax
    return match.end()
