"""Sweeps in processes of their own, which can be killed."""

import json
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.studies.sweeps.designs import MANY, many

from grognard.core.systems import Json
from grognard.studies.sweeps.design import load_design
from grognard.studies.sweeps.journal import ENDING, Journal
from grognard.studies.sweeps.plan import make_plan

CHUNK = 32


def in_small_chunks(given: Json, folder: Path, chunk: int = CHUNK, table: str = "table.csv") -> None:
    """Begin a journal, so that the run that goes on with it works in chunks of this size."""
    plan = make_plan(load_design(given), None)
    Journal(plan.resume(chunk, plan.rows.symbolic), folder / f"{table}{ENDING}").close()


def started(given: Json, folder: Path, *options: str, limit: int | None = None) -> "subprocess.Popen[str]":
    """`grognard sweep` as a process of its own."""
    (folder / "design.json").write_text(json.dumps(given))
    command = [sys.executable, "-m", "grognard", "sweep", "design.json", "-o", "table.csv", *options]

    def bounded() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=folder, text=True, preexec_fn=bounded, stdout=pipe, stderr=pipe)


def wait_for_rows(folder: Path, run: "subprocess.Popen[str]") -> None:
    """Until the journal has a few more chunks in it, how many is left to chance."""
    path = folder / f"table.csv{ENDING}"
    wanted = path.stat().st_size + random.randrange(10_000, 60_000)
    while path.stat().st_size < wanted:
        assert run.poll() is None, run.communicate()
        time.sleep(0.002)


def rows_kept(folder: Path) -> int:
    """How many match-ups the journal has."""
    return Journal(make_plan(load_design(many()), None), folder / f"table.csv{ENDING}").done


def kill_twice(folder: Path, *options: str) -> int:
    """Begin a sweep of many match-ups, kill it, go on with it, kill it again: how many it has kept."""
    in_small_chunks(many(), folder)
    kept = 0
    for _ in range(2):
        run = started(many(), folder, *options)
        wait_for_rows(folder, run)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        assert -signal.SIGKILL == run.returncode
        before, kept = kept, rows_kept(folder)
        assert before < kept < MANY
    return kept
