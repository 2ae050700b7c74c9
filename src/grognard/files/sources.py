"""Reads files from disk or standard input, and parses them as TOML or JSON. Every failure is a BattleError."""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from grognard.core.errors import BattleError, Fault, FaultCode
from grognard.files.messages import unknown_name

ENDINGS = (".toml", ".json")
STANDARD_INPUT = "-"
LARGEST_FILE = 10_000_000
"""In bytes."""
LONGEST_QUOTE = 200
"""The quoted line of a fault is truncated to this many characters."""
COMMANDS = {
    "battle": "`grognard odds FILE`",
    "design": "`grognard sweep FILE`",
    "log": "`grognard replay FILE`",
    "script": "`grognard play BATTLE --script FILE`",
}
"""The command for each kind of file."""

_DEEP_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){50}""")
"""A key such as `a.b.c` of more than 50 parts: the library takes memory for the square of their number."""
_JSON = re.compile(r"\s*(?:\[\s*)?\{")
_AT_LINE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


class Source(NamedTuple):
    """The text of a file, with the data that was parsed from it."""

    text: str
    is_json: bool
    data: object
    repeated: tuple[str, ...] = ()
    """The places of repeated keys, in JSON only: in TOML they are an error."""
    file: str | None = None

    def error(self, faults: Sequence[Fault]) -> BattleError:
        """An error with these faults and their lines."""
        from grognard.files.lines import json_lines, toml_lines  # only when something is wrong

        lines = json_lines(self.text) if self.is_json else toml_lines(self.text)
        numbers = {fault.place: line for fault in faults if (line := lines.find(fault.place)) is not None}
        return BattleError(faults, self.file, numbers, _quotes(self.text, numbers))

    def repeated_faults(self) -> list[Fault]:
        return [Fault(place, "is given more than once", FaultCode.DUPLICATE) for place in self.repeated]


def kind_of_file(data: object) -> str | None:
    """The kind of file that has this data: a key of COMMANDS, or None."""
    if isinstance(data, list):
        is_script = data and all(
            isinstance(entry, Mapping) and ("roll" in entry or "choose" in entry) for entry in data
        )
        return "script" if is_script else None
    if not isinstance(data, Mapping):
        return None
    keys = {"battle": ("system",), "design": ("vary", "base"), "log": ("moves", "seed")}
    return next((kind for kind, marks in keys.items() if any(mark in data for mark in marks)), None)


def wrong_kind_faults(data: object, expected: str) -> list[Fault]:
    """A fault if the data is of another kind of file than expected."""
    kind = kind_of_file(data)
    if kind in (None, expected):
        return []
    return [Fault("", f"is a {kind}, not a {expected}: use {COMMANDS[kind]}", FaultCode.WRONG_FILE)]


def read_source(path: str | Path) -> Source:
    """Read and parse a file, or standard input if the path is `-`."""
    file = str(path)
    ending = Path(file).suffix.lower()
    if ending and ending not in ENDINGS:
        raise _unreadable(unknown_name("file ending", ending, ENDINGS), file)
    return parse_text(_read_text(file), ending == ".json" or (not ending and None), file)


def read_data(path: str | Path, kind: str) -> object:
    """The data in a log or a script; an error if it is another kind of file."""
    file = str(path)
    source = parse_text(_read_text(file), is_json=not file.lower().endswith(".toml"), file=file)
    faults = wrong_kind_faults(source.data, kind)
    if faults:
        raise source.error(faults)
    return source.data


def _read_text(file: str) -> str:
    raw = _read(file)
    if len(raw) > LARGEST_FILE:
        message = f"is too large: expected at most {LARGEST_FILE // 10**6} MB"
        raise BattleError([Fault("", message, FaultCode.TOO_LONG)], file)
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise _unreadable("is not UTF-8 text", file, raw.decode("utf-8", "replace"), line) from None


def _read(file: str) -> bytes:
    """The bytes of a file, up to one more than are allowed."""
    try:
        if file != STANDARD_INPUT:
            with Path(file).open("rb") as opened:
                return opened.read(LARGEST_FILE + 1)
        if sys.stdin is not None:  # a process can have no standard input
            return sys.stdin.buffer.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise _unreadable(f"cannot be read: {reason(error)}", file) from None
    raise _unreadable("cannot be read: there is no standard input", file)


def parse_text(text: str, is_json: bool | None = None, file: str | None = None) -> Source:
    """Parse TOML or JSON. If `is_json` is None, the text is JSON if it begins like JSON."""
    text = text.removeprefix("\ufeff")
    if is_json is None:
        is_json = _JSON.match(text) is not None
    try:
        return _parse_json(text, file) if is_json else _parse_toml(text, file)
    except RecursionError:
        raise _unreadable("is nested too deeply", file) from None
    except BattleError:
        raise
    except ValueError:
        raise _unreadable("holds a number with too many digits", file) from None


def _parse_toml(text: str, file: str | None) -> Source:
    import tomllib

    if _DEEP_KEY.search(text):
        raise RecursionError
    try:
        return Source(text, False, tomllib.loads(text), file=file)
    except tomllib.TOMLDecodeError as error:
        where = _AT_LINE.search(str(error))
        message = f"is not TOML: {_lower_first(_AT_LINE.sub('', str(error)))}"
        if where and where[1]:
            raise _unreadable(f"{message} (column {where[2]})", file, text, int(where[1])) from None
        raise _unreadable(message, file, text, text.rstrip("\n").count("\n") + 1) from None


def _parse_json(text: str, file: str | None) -> Source:
    import json

    has_repeated = False

    def table(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal has_repeated
        by_key = dict(pairs)
        has_repeated = has_repeated or len(by_key) < len(pairs)
        return by_key

    try:
        data: object = json.loads(text, object_pairs_hook=table)
    except json.JSONDecodeError as error:
        message = f"is not JSON: {_lower_first(error.msg)} (column {error.colno})"
        raise _unreadable(message, file, text, error.lineno) from None
    if not has_repeated:
        return Source(text, True, data, file=file)
    from grognard.files.lines import json_lines

    return Source(text, True, data, tuple(dict.fromkeys(json_lines(text).repeated)), file)


def _unreadable(message: str, file: str | None, text: str = "", line: int | None = None) -> BattleError:
    lines = {} if line is None else {"": line}
    return BattleError([Fault("", message, FaultCode.UNREADABLE)], file, lines, _quotes(text, lines))


def _quotes(text: str, lines: Mapping[str, int]) -> dict[str, str]:
    """The text of each of these lines."""
    wanted: Iterable[str] = text.split("\n", max(lines.values(), default=0))
    rows = [row.removesuffix("\r")[:LONGEST_QUOTE] for row in wanted]
    return {place: rows[line - 1] for place, line in lines.items()}


def reason(error: OSError | ValueError) -> str:
    """Why a file could not be read or written."""
    return _lower_first(error.strerror if isinstance(error, OSError) and error.strerror else str(error))


def _lower_first(message: str) -> str:
    return message[:1].lower() + message[1:]
