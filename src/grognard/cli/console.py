"""Output of commands: JSON for programs, blocks for people, and a line with the progress of a computation."""

import codecs
import io
import json
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Timer
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

from grognard.cli.errors import CommandError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from grognard.words.blocks import Block

SUBSTITUTES = {"−": "-", "–": "-", "—": "-", "→": "->", "·": "|", "×": "x", "≤": "<=", "≥": ">=", "±": "+-", "…": "..."}
SUBSTITUTES |= {"✓": "+", "✗": "x", "’": "'"} | dict.fromkeys("█▉▊▋▌▍▎▏", "#")
PROGRESS_DELAY = 1.0
"""Seconds before a computation shows its progress."""


def is_terminal(stream: TextIO | None) -> bool:
    """Whether the stream is a terminal; it is None in a process without that stream."""
    return stream is not None and stream.isatty()


def print_json(data: object) -> None:
    """One JSON document on standard output: readable on a terminal, on one line for programs."""
    sys.stdout.write(json.dumps(data, indent=2 if is_terminal(sys.stdout) else None) + "\n")


def check_writable(option: str, path: str | None, endings: Sequence[str] = ()) -> None:
    """Check before the work begins that its result can be written."""
    if path is None:
        return
    file = Path(path)
    if file.is_dir():
        raise CommandError(f"{option}: {path} is a folder")
    if endings and file.suffix.lower() not in endings:
        raise CommandError(f"{option}: {path} needs one of the endings {', '.join(endings)}")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise CommandError(f"{option}: {path} cannot be written")


class TrailingSpaceStripper(io.TextIOBase):
    """Passes text on without trailing spaces."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    @property
    def encoding(self) -> str:  # type: ignore[override]  # the library has it as an attribute
        """The encoding of what it writes to."""
        return self.stream.encoding

    def write(self, text: str) -> int:
        """Write whole lines."""
        return self.stream.write(re.sub(r" +(?=\n)", "", text))

    def flush(self) -> None:
        """Pass on all there is."""
        self.stream.flush()


def substitute_unencodable(error: UnicodeError) -> tuple[str, int]:
    """A plainer sign, or a question mark, for signs that the terminal cannot show; a codec error handler."""
    assert isinstance(error, UnicodeEncodeError)
    lacking = error.object[error.start : error.end]
    return "".join(SUBSTITUTES.get(sign, "?") for sign in lacking), error.end


def substitute_signs() -> None:
    """From now on, replace signs that standard output cannot encode by plainer ones."""
    codecs.register_error("plainer signs", substitute_unencodable)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="plainer signs")


def open_console() -> "Console":
    """A console on standard output. NO_COLOR means plain text, without colour and bold."""
    from grognard.cli.drawing import PipeConsole

    substitute_signs()
    plain = os.environ.get("NO_COLOR", "") != ""
    options: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}
    if not is_terminal(sys.stdout):
        options["file"] = TrailingSpaceStripper(sys.stdout)
    return PipeConsole(color_system=None if plain else "auto", **options)


def show(blocks: "Sequence[Block]") -> None:
    from grognard.cli.drawing import draw

    draw(open_console(), blocks)


class ProgressLine:
    """Shows the progress of a computation on a terminal, from a second after its start until it is done.

    `with ProgressLine("positions") as progress` gives the solver its callback.
    """

    def __init__(self, counted: str) -> None:
        self.counted = counted
        self.count = 0
        self.began = monotonic()
        self.live: Live | None = None
        self.timer = Timer(PROGRESS_DELAY, self._show)
        self.timer.daemon = True

    def __call__(self, count: int) -> None:
        """Remember how many are done."""
        self.count = count

    def __enter__(self) -> Self:
        if is_terminal(sys.stderr):
            self.timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.timer.cancel()
        if self.timer.ident is not None:
            self.timer.join()
        if self.live:
            self.live.stop()

    def _show(self) -> None:
        from rich.console import Console
        from rich.live import Live

        self.live = Live(console=Console(stderr=True), get_renderable=self._line, refresh_per_second=4, transient=True)
        self.live.start()

    def _line(self) -> "Text":
        from rich.text import Text

        done = f"{self.count:,} {self.counted}, " if self.count else ""
        return Text(f"working: {done}{monotonic() - self.began:.0f} s (Ctrl-C stops)", style="dim")
