"""What an operator sees of a server: a log of JSON lines, and figures in the text format of Prometheus."""

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from grognard import systems

PREFIX = "grognard"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SLOW = 2.0
"""A question that takes more seconds is logged."""
REFUSALS_A_MINUTE = 60
"""At most this many refused clients are logged in a minute; all are counted."""

COUNTERS = {
    "requests_total": "Responses sent, by status.",
    "refused_total": "Requests and connections refused, by reason.",
    "worker_restarts_total": "Workers started again, by reason.",
    "slow_questions_total": f"Questions that took more than {SLOW:g} seconds, by task.",
    "unlogged_total": "Lines that the log could not take, by event.",
}
"""Every counter and what it counts."""


class Monitor:
    """Counts what happens in one server process, and logs what an operator should know."""

    def __init__(self, log: TextIO | None = None, clock: Callable[[], float] = time.time) -> None:
        self.log_file, self.clock = log, clock
        self.counts: Counter[tuple[str, str, str]] = Counter()
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        self.refusals = (0, 0)
        self.damage: str | None = None
        """What is wrong with the database; it stays until the server is started again."""

    def log(self, event: str, **facts: object) -> None:
        """Write a line, if there is a log: the time, what happened, and the facts."""
        if self.log_file is None:
            return
        now = self.clock()
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now % 1 * 1000):03}Z"
        try:
            self.log_file.write(json.dumps({"time": stamp, "event": event, **facts}) + "\n")
            self.log_file.flush()
        except OSError:  # as when the disk is full: the server goes on
            self.count("unlogged_total", "event", event)

    def count(self, name: str, label: str, value: str) -> None:
        """Count one more."""
        self.counts[name, label, value] += 1

    def refused(self, reason: str, client: str) -> None:
        """A client was refused. A flood of refusals must not become a flood of lines."""
        self.count("refused_total", "reason", reason)
        minute = int(self.clock() // 60)
        logged = self.refusals[1] if self.refusals[0] == minute else 0
        self.refusals = (minute, logged + 1)
        if logged < REFUSALS_A_MINUTE:
            self.log("refused", reason=reason, client=client)

    def broke(self, error: str) -> None:
        """A bug: the response with status 500 is written where nobody counts it."""
        self.count("requests_total", "status", "500")
        self.log("broken", error=error)

    def damaged(self, reason: str) -> None:
        """The database holds something that it cannot hold."""
        if self.damage is None:
            self.damage = reason
            self.log("damaged", reason=reason)
            if self.log_file is None:
                sys.stderr.write(f"the database is damaged: {reason}\n")

    def worker_restarted(self, reason: str) -> None:
        """A worker had to be started again."""
        self.count("worker_restarts_total", "reason", reason)
        self.log("worker_restart", reason=reason)

    def answered(self, task: str, system: object, seconds: float) -> None:
        """Record that a request was answered, after this number of seconds."""
        if seconds > SLOW:
            self.count("slow_questions_total", "task", task)
            known = system if system in systems.names() else None  # else it is any text of the client's
            self.log("slow", task=task, system=known, seconds=round(seconds, 3))

    def watch(self, name: str, about: str, value: Callable[[], float]) -> None:
        """Show a value that goes up and down."""
        self.gauges[name] = about, value

    def metrics(self) -> str:
        """All figures as Prometheus reads them."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        for name, about in COUNTERS.items():
            yield f"# HELP {PREFIX}_{name} {about}"
            yield f"# TYPE {PREFIX}_{name} counter"
            for (counter, label, value), number in sorted(self.counts.items()):
                if counter == name:
                    yield f'{PREFIX}_{name}{{{label}="{value}"}} {number}'
        for name, (about, value_of) in self.gauges.items():
            yield f"# HELP {PREFIX}_{name} {about}"
            yield f"# TYPE {PREFIX}_{name} gauge"
            yield f"{PREFIX}_{name} {value_of()}"


def open_log(path: str) -> TextIO:
    """The file that a log is appended to; `-` is standard error."""
    return sys.stderr if path == "-" else Path(path).open("a", encoding="utf-8")
