"""Sweeps over many match-ups: against a loop over the odds of each, on one core and two, and on a Dask cluster."""

import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.clock import Measured, first_call
from bench.report import Row, at_most, faster, milliseconds, show, within
from grognard.studies.sweeps.cluster import ClusterError, connect

LOOPED = 1_000
"""The size of the sample of match-ups on which the loop is timed."""
WALL = "perf_counter"
"""Work in several processes is timed by the wall clock."""


def unit(name: str, side: str, row: int) -> dict[str, object]:
    card = {"die": 4, "strength": 1, "range": 1, "ammo": 1, "supply": 2}
    return {"id": name, "side": side, "at": [1, row], **card}


BATTLE = {
    "system": "supply",
    "units": [unit("a", "red", 1), unit("b", "blue", 2)],
    "attack": {"by": "a", "on": "b"},
}
BOTH = [
    {"path": "units[0].strength", "range": [1, 10]},
    {"path": "units[0].die", "values": [4, 6, 8, 10, 12]},
    {"path": "units[1].strength", "range": [1, 10]},
    {"path": "units[1].die", "values": [4, 6, 8, 10, 12]},
]
SWITCHES = [
    {"path": f"rules.{name}", "values": "all"} for name in ("cancelling", "counter_timing", "destroyed_supplies")
]
LARGE = {"battle": BATTLE, "vary": [*BOTH, {"path": "units[1].supply", "range": [1, 5]}, *SWITCHES]}
"""100,000 match-ups, all different, each with a decision about a counterattack."""
SMALL = {"battle": BATTLE, "vary": [*BOTH, {"path": "units[1].supply", "range": [1, 2]}, *SWITCHES[:1]]}
"""10,000 match-ups."""

RUN = "grognard.sweep(design, {output!r}, {how})"
SETUP = "import grognard, grognard.studies.sweeps, json\ndesign = json.loads({design!r})"
CLUSTER = "\nimport distributed"
LOOP = """
import grognard, json
battles = [json.loads(line) for line in open({path!r})]
for source in battles[:50]:
    grognard.odds(grognard.battle(source))
"""


def sweep(design: object, folder: Path, how: str, more: str = "", times: int = 3) -> Measured:
    """A whole sweep into a Parquet table, as the first call after import."""
    setup = SETUP.format(design=json.dumps(design)) + more
    return first_call(setup, RUN.format(output=str(folder / "table.parquet"), how=how), times, WALL)


def time_of_loop(folder: Path) -> float:
    """The seconds of `grognard.odds(grognard.battle(…))`: the mean over a random sample of match-ups."""
    from grognard.studies.sweeps.design import load_design
    from grognard.studies.sweeps.plan import Rows

    design = load_design(LARGE)
    rows = Rows(tuple(len(factor.levels) for factor in design.factors))
    chosen = random.Random(1).sample(range(len(rows)), LOOPED)
    path = folder / "battles.jsonl"
    with path.open("w") as file:
        for row in chosen:
            source = design.battle
            for factor, level in zip(design.factors, rows.levels(rows.numbers(row, row + 1)), strict=True):
                source = factor.levels[int(level[0])].apply(source)
            file.write(json.dumps(source) + "\n")
    timed = "for source in battles:\n    grognard.odds(grognard.battle(source))"
    return first_call(LOOP.format(path=str(path)), timed, times=3, clock=WALL).seconds / LOOPED


def median(runs: Sequence[Measured]) -> Measured:
    """The run in the middle."""
    return sorted(runs)[len(runs) // 2]


def connect_patiently(address: str) -> Any:
    """A client of a scheduler that may still be starting."""
    for _ in range(300):
        try:
            return connect(address)
        except ClusterError:
            time.sleep(0.1)
    return connect(address)


@contextmanager
def cluster(workers: int) -> Iterator[str]:
    """A scheduler and its workers on this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    commands = [["distributed.cli.dask_scheduler", "--host", address, "--no-dashboard"]]
    commands += [["distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"]] * workers
    null = subprocess.DEVNULL
    running = [
        subprocess.Popen([sys.executable, "-m", *command], env=environment, stdout=null, stderr=null)
        for command in commands
    ]
    try:
        client = connect_patiently(address)
        client.wait_for_workers(workers, timeout=60)
        client.close()
        yield address
    finally:
        for process in running:
            process.kill()
            process.wait()


def large_sweep(folder: Path) -> list[Row]:
    """A sweep of 100,000 match-ups on this machine."""
    runs = [[sweep(LARGE, folder, f"workers={workers}", times=1) for workers in (2, 1)] for _ in range(3)]
    two, one = (median(column) for column in zip(*runs, strict=True))  # they ran in turn, so that noise affects both
    small = sweep(SMALL, folder, "workers=2")
    loop = time_of_loop(folder) * 100_000
    print(f"\n  a sweep of 100,000 match-ups on two cores: {100_000 / two.seconds:,.0f} a second")
    note = f"for … in …: grognard.odds(grognard.battle(…)), extrapolated from a random sample of {LOOPED:,}"
    return [
        faster("sweep of 100,000 match-ups, two workers", two.seconds, loop, 20, note),
        faster("two workers against one", two.seconds, one.seconds, 1.7, "workers=1"),
        within(
            "peak memory at 100,000 against 10,000",
            two.megabytes / small.megabytes,
            1.25,
            "times",
            f"{two.megabytes:.0f} MB against {small.megabytes:.0f} MB",
        ),
    ]


def cluster_sweep(folder: Path) -> list[Row]:
    """10,000 match-ups on a cluster of two workers."""
    with cluster(2) as address:
        sweep(SMALL, folder, f"on={address!r}", CLUSTER, times=1)  # a warm-up
        mine = sweep(SMALL, folder, f"on={address!r}", CLUSTER, times=5)
    pool = sweep(SMALL, folder, "workers=2", times=5)
    note = f"the pool of two processes: {milliseconds(pool.seconds)}"
    return [at_most("10,000 match-ups on Dask, against the pool", mine.seconds, pool.seconds, 1.3, note)]


def run() -> bool:
    """Print all tables; returns whether all targets are met."""
    with tempfile.TemporaryDirectory() as folder:
        is_met = show("Sweeps", large_sweep(Path(folder)))
        return show("Sweeps on a cluster", cluster_sweep(Path(folder))) and is_met
