"""The server on loopback: the odds of every example, and from its start to the first page."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from bench.report import Row, show, within

GROGNARD = str(Path(sys.executable).with_name("grognard"))
PATIENCE = 60.0
FIRST_CLICK = 2.0
"""Seconds from the start of a server to the first question."""


class Url(str):
    """Where a server is, and which process it is."""

    process: int


@contextmanager
def serving(database: str | None = None) -> Iterator[Url]:
    """Run a server with this database, or else with a new one in SQLite: where it is."""
    with tempfile.TemporaryDirectory() as folder:
        command = [GROGNARD, "serve", "--port", "0", "--database", database or f"sqlite:///{folder}/battles.sqlite3"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            url = Url(process.stdout.readline().split()[3].rstrip("/"))
            url.process = process.pid
            yield url
        finally:
            process.terminate()
            process.wait(PATIENCE)


def processor_time(server: Url) -> float:
    """The seconds that a server and its workers have worked so far."""
    children = Path(f"/proc/{server.process}/task/{server.process}/children").read_text().split()
    stats = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in (server.process, *children)]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")


def examples(url: str) -> dict[tuple[str, str], Any]:
    """Every example, by system and name."""
    systems = httpx.get(f"{url}/api/systems", timeout=PATIENCE).json()
    return {(one["name"], example["name"]): example["battle"] for one in systems for example in one["examples"]}


def odds() -> list[Row]:
    """Every example asked of a new server, so that no answer is remembered, and then again."""
    first: list[float] = []
    again: list[float] = []
    with serving() as url, httpx.Client(base_url=url, timeout=PATIENCE) as client:
        battles = list(examples(url).values())
        time.sleep(FIRST_CLICK)
        for taken in (first, again):
            for battle in battles:
                start = time.perf_counter()
                client.post("/api/odds", json=battle).raise_for_status()
                taken.append(time.perf_counter() - start)
    count = f"of {len(battles)} examples"
    return [
        within(f"odds {count} by HTTP, p95", 1000 * percentile(first, 95), 100, "ms", "each worked out anew"),
        within(f"odds {count} by HTTP again, p95", 1000 * percentile(again, 95), 100, "ms", "from what is remembered"),
    ]


def start() -> list[Row]:
    """From the command to the page."""
    taken = []
    for _ in range(5):
        begun = time.perf_counter()
        with serving() as url:
            httpx.get(f"{url}/", timeout=PATIENCE).raise_for_status()
            taken.append(time.perf_counter() - begun)
    return [within("grognard serve, start to first page", statistics.median(taken), 3, "s")]


def percentile(values: list[float], percent: int) -> float:
    """So many percent of the values are not larger."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def run() -> bool:
    """Everything here; whether all targets are met."""
    return show("The server", [*odds(), *start()])
