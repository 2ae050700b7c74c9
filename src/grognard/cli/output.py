"""Where a command's words go: JSON for programs, a console for people, files that must not be lost."""

import codecs
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from grognard.cli.errors import Refused

if TYPE_CHECKING:
    from rich.console import Console

PLAINER = {"−": "-", "–": "-", "—": "-", "→": "->", "·": "|", "×": "x", "≤": "<=", "≥": ">=", "±": "+-", "…": "..."}


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody sits at the other end; a process can also be started without the stream."""
    return stream is not None and stream.isatty()


def print_json(data: object) -> None:
    """One JSON document on standard output: readable on a terminal, on one line for programs."""
    sys.stdout.write(json.dumps(data, indent=2 if is_terminal(sys.stdout) else None) + "\n")


def read_json(path: str) -> object:
    """The JSON in a file, or on standard input if the path is `-`."""
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"{path}: is not UTF-8 text") from None
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise Refused(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Refused(f"{path}:{error.lineno}: is not JSON: {error.msg} (column {error.colno})") from None
    except (ValueError, RecursionError) as error:
        raise Refused(f"{path}: is not JSON: {error}") from None


def refuse_unwritable(option: str, path: str | None, endings: Sequence[str] = ()) -> None:
    """Find out before the work is done that its result could not be kept."""
    if path is None:
        return
    file = Path(path)
    if file.is_dir():
        raise Refused(f"{option}: {path} is a folder")
    if endings and file.suffix.lower() not in endings:
        raise Refused(f"{option}: {path} needs one of the endings {', '.join(endings)}")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise Refused(f"{option}: {path} cannot be written")


def in_plain_signs(error: UnicodeError) -> tuple[str, int]:
    """What a terminal shows that lacks a sign: a plainer one, or a question mark."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(PLAINER.get(sign, "?") for sign in lacking), error.end


def open_console() -> "Console":
    """A console on standard output. NO_COLOR means plain text: no colour, no bold, nothing but words."""
    from grognard.cli.look import Paper

    codecs.register_error("in plain signs", in_plain_signs)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="in plain signs")
    plain = os.environ.get("NO_COLOR", "") != ""
    return Paper(color_system=None if plain else "auto", highlight=False, markup=False, emoji=False)
