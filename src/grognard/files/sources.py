"""Battle files as text: read from disk or standard input and parsed as TOML or JSON."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from grognard.core.errors import BattleError, Fault
from grognard.files.words import unknown

ENDINGS = (".toml", ".json")
STANDARD_INPUT = "-"

_AT_LINE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class Source(NamedTuple):
    """What a file says, before anybody asks what it means."""

    text: str
    is_json: bool
    data: object
    repeated: tuple[str, ...]
    """The places of keys given more than once; in TOML that is no file at all."""

    def lines(self, places: Iterable[str]) -> dict[str, int]:
        """The lines of these places, where they have one."""
        from grognard.files.lines import json_lines, toml_lines  # only when something is wrong

        lines = json_lines(self.text) if self.is_json else toml_lines(self.text)
        found = {place: lines.find(place) for place in places}
        return {place: line for place, line in found.items() if line is not None}


class _NotParsed(Exception):
    """A text that is no TOML or JSON, and the line where that shows."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def read_source(path: str | Path) -> Source:
    """Read and parse a file; whatever prevents it is a BattleError."""
    file = str(path)
    ending = Path(file).suffix.lower()
    if ending and ending not in ENDINGS:
        raise BattleError([Fault("", unknown("file ending", ending, ENDINGS))], file)
    try:
        text = _decode(_read(file))
        is_json = ending == ".json" or (not ending and text.lstrip().startswith("{"))
        data, repeated = _json(text) if is_json else (_toml(text), ())
    except _NotParsed as error:
        lines = {} if error.line is None else {"": error.line}
        raise BattleError([Fault("", str(error))], file, lines) from None
    except RecursionError:
        raise BattleError([Fault("", "is nested too deeply")], file) from None
    return Source(text, is_json, data, repeated)


def _read(file: str) -> bytes:
    try:
        if file != STANDARD_INPUT:
            return Path(file).read_bytes()
        if sys.stdin is not None:  # a process can be started without
            return sys.stdin.buffer.read()
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise _NotParsed(f"cannot be read: {reason(error)}") from None
    raise _NotParsed("cannot be read: there is no standard input")


def _decode(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _NotParsed("is not UTF-8 text", raw.count(b"\n", 0, error.start) + 1) from None


def _toml(text: str) -> object:
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = _AT_LINE.search(str(error))
        said = _AT_LINE.sub("", str(error))
        if where and where[1]:
            raise _NotParsed(f"is not TOML: {_lowered(said)} (column {where[2]})", int(where[1])) from None
        raise _NotParsed(f"is not TOML: {_lowered(said)}", text.rstrip("\n").count("\n") + 1) from None
    except ValueError:
        raise _NotParsed("holds a number with too many digits") from None


def _json(text: str) -> tuple[object, tuple[str, ...]]:
    import json

    has_repeated = False

    def table(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal has_repeated
        made = dict(pairs)
        has_repeated = has_repeated or len(made) < len(pairs)
        return made

    try:
        data: object = json.loads(text, object_pairs_hook=table)
    except json.JSONDecodeError as error:
        raise _NotParsed(f"is not JSON: {_lowered(error.msg)} (column {error.colno})", error.lineno) from None
    except ValueError:
        raise _NotParsed("holds a number with too many digits") from None
    if not has_repeated:
        return data, ()
    from grognard.files.lines import json_lines

    return data, tuple(dict.fromkeys(json_lines(text).repeated))


def reason(error: OSError | ValueError) -> str:
    """Why a file could not be read or written."""
    return _lowered(error.strerror if isinstance(error, OSError) and error.strerror else str(error))


def _lowered(message: str) -> str:
    return message[:1].lower() + message[1:]
