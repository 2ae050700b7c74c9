"""A line that says how far a long computation is: only after a second, only on a terminal, gone when it is done."""

import sys
from threading import Timer
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Self

from grognard.cli.output import is_terminal

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

PATIENCE = 1.0
"""Seconds before anything is shown."""


class Working:
    """Watches a computation: `with Working("positions") as progress` gives the engines their callback."""

    def __init__(self, counted: str) -> None:
        self.counted = counted
        self.count = 0
        self.began = monotonic()
        self.live: Live | None = None
        self.timer = Timer(PATIENCE, self._show)
        self.timer.daemon = True

    def __call__(self, count: int) -> None:
        """Take note of how many are done."""
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
