"""Monitoring: a log of JSON lines, and metrics in the text format of Prometheus."""

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
"""A task that takes more seconds is logged."""
LOGGED_REFUSALS = 60
"""How many refusals are logged in a minute. All of them are counted."""

COUNTERS = {
    "requests_total": "Responses sent, by status.",
    "refused_total": "Requests and connections refused, by reason.",
    "worker_restarts_total": "Workers started again, by reason.",
    "slow_questions_total": f"Questions that took more than {SLOW:g} seconds, by task.",
    "unlogged_total": "Lines that the log could not take, by event.",
}
"""The help text of each counter."""


class Monitor:
    """The counters, gauges and log of one server process."""

    def __init__(self, log: TextIO | None = None, clock: Callable[[], float] = time.time) -> None:
        self.log_file, self.clock = log, clock
        self.counts: Counter[tuple[str, str, str]] = Counter()
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        self.refusals = (0, 0)
        """The current minute, and how many clients were refused in it."""
        self.database_damage: str | None = None
        """The first error that says that the database is damaged."""

    def log(self, event: str, **fields: object) -> None:
        """Write an event to the log, if there is one."""
        if self.log_file is None:
            return
        now = self.clock()
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(now)) + f".{int(now % 1 * 1000):03}Z"
        try:
            self.log_file.write(json.dumps({"time": stamp, "event": event, **fields}) + "\n")
            self.log_file.flush()
        except OSError:  # for example if the disk is full
            self.count("unlogged_total", "event", event)

    def count(self, name: str, label: str, value: str) -> None:
        self.counts[name, label, value] += 1

    def refused(self, reason: str, client: str) -> None:
        """Count the refusal of a request or connection, and log it unless there are too many."""
        self.count("refused_total", "reason", reason)
        minute = int(self.clock() // 60)
        logged = self.refusals[1] if self.refusals[0] == minute else 0
        self.refusals = (minute, logged + 1)
        if logged < LOGGED_REFUSALS:
            self.log("refused", reason=reason, client=client)

    def request_failed(self, error: str) -> None:
        """Count and log a bug. The response with the status 500 does not pass through our middleware."""
        self.count("requests_total", "status", "500")
        self.log("broken", error=error)

    def database_damaged(self, reason: str) -> None:
        """Log that the database is damaged, or print it if there is no log; only once."""
        if self.database_damage is None:
            self.database_damage = reason
            self.log("damaged", reason=reason)
            if self.log_file is None:
                sys.stderr.write(f"the database is damaged: {reason}\n")

    def worker_restarted(self, reason: str) -> None:
        """Count and log that a worker was started again."""
        self.count("worker_restarts_total", "reason", reason)
        self.log("worker_restart", reason=reason)

    def task_ended(self, task: str, system: object, seconds: float) -> None:
        """Count and log a task if it was slow."""
        if seconds > SLOW:
            self.count("slow_questions_total", "task", task)
            name = system if system in systems.names() else None  # the client may have sent anything
            self.log("slow", task=task, system=name, seconds=round(seconds, 3))

    def add_gauge(self, name: str, description: str, value: Callable[[], float]) -> None:
        """Add a metric whose value is computed when it is read."""
        self.gauges[name] = description, value

    def metrics(self) -> str:
        """All metrics in the text format of Prometheus."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        for name, description in COUNTERS.items():
            yield f"# HELP {PREFIX}_{name} {description}"
            yield f"# TYPE {PREFIX}_{name} counter"
            for (counter, label, value), number in sorted(self.counts.items()):
                if counter == name:
                    yield f'{PREFIX}_{name}{{{label}="{value}"}} {number}'
        for name, (description, read) in self.gauges.items():
            yield f"# HELP {PREFIX}_{name} {description}"
            yield f"# TYPE {PREFIX}_{name} gauge"
            yield f"{PREFIX}_{name} {read()}"


def open_log(path: str) -> TextIO:
    """Open a log to append to; `-` is standard error."""
    return sys.stderr if path == "-" else Path(path).open("a", encoding="utf-8")
