"""The server on loopback: the odds of every example, and the time until the first page."""

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
WARM_UP = 2.0
"""Seconds from the start of a server to the first request."""


class Url(str):
    """The address of a server, with the number of its process."""

    process: int


@contextmanager
def serving(database: str | None = None) -> Iterator[Url]:
    """Run a server with this database, or with a new SQLite file."""
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
    """The seconds of processor time that a server and its workers have used."""
    children = Path(f"/proc/{server.process}/task/{server.process}/children").read_text().split()
    processes = (server.process, *children)
    stats = [Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split() for process in processes]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")


def examples(url: str) -> dict[tuple[str, str], Any]:
    """Every example, by system and name."""
    systems = httpx.get(f"{url}/api/systems", timeout=PATIENCE).json()
    return {
        (system["name"], example["name"]): example["battle"] for system in systems for example in system["examples"]
    }


def odds() -> list[Row]:
    """The odds of every example from a new server, and then from its cache."""
    first: list[float] = []
    again: list[float] = []
    with serving() as url, httpx.Client(base_url=url, timeout=PATIENCE) as client:
        battles = list(examples(url).values())
        time.sleep(WARM_UP)
        for seconds in (first, again):
            for battle in battles:
                start = time.perf_counter()
                client.post("/api/odds", json=battle).raise_for_status()
                seconds.append(time.perf_counter() - start)
    count = f"of {len(battles)} examples"
    return [
        within(f"odds {count} by HTTP, p95", 1000 * percentile(first, 95), 100, "ms", "each computed"),
        within(f"odds {count} by HTTP again, p95", 1000 * percentile(again, 95), 100, "ms", "from the cache"),
    ]


def first_page() -> list[Row]:
    """The time from the command to the page."""
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        with serving() as url:
            httpx.get(f"{url}/", timeout=PATIENCE).raise_for_status()
            seconds.append(time.perf_counter() - start)
    return [within("grognard serve, start to first page", statistics.median(seconds), 3, "s")]


def percentile(values: list[float], percent: int) -> float:
    """A percentile of some values."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def run() -> bool:
    """Print all tables; returns whether all targets are met."""
    return show("The server", [*odds(), *first_page()])
