"""A sweep from its design to its table, and on from wherever it was stopped."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tests.studies.sweeps.designs import MANY, design, dice, few, many, strengths
from tests.studies.sweeps.processes import in_small_chunks, kill_twice, rows_kept, started, wait_for_rows

from grognard.core.systems import Json
from grognard.studies.sweeps import Interrupted, Stopped, sweep, work
from grognard.studies.sweeps import plan as plan_module
from grognard.studies.sweeps.design import load_design
from grognard.studies.sweeps.journal import ENDING, Journal
from grognard.studies.sweeps.plan import make_plan
from grognard.work.pool import Pool, request, worker_command


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The table of many match-ups, by one process without a break."""
    return table_of(many(), tmp_path_factory.mktemp("whole"))


@pytest.fixture(scope="module")
def whole_few(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Likewise of a few."""
    return table_of(few(), tmp_path_factory.mktemp("whole"))


def table_of(given: Json, folder: Path) -> bytes:
    sweep(given, folder / "table.csv", workers=1)
    assert [path.name for path in folder.iterdir()] == ["table.csv"]
    return (folder / "table.csv").read_bytes()


class Watched:
    """How many rows are worked out from now on, and what progress tells."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.rows = 0
        self.told: list[tuple[int, int, int]] = []
        real = work.solve_rows

        def solve_rows(plan: str, rows: bytes) -> work.Packed:
            self.rows += len(rows) // 8
            return real(plan, rows)

        monkeypatch.setattr(work, "solve_rows", solve_rows)

    def __call__(self, done: int, earlier: int, total: int) -> None:
        self.told.append((done, earlier, total))


@pytest.mark.soak("kill -9 of sweeps, here", faults=2, again=True)
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_sweep_that_was_killed_goes_on_where_it_was(
    tmp_path: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    kept = kill_twice(tmp_path, "--workers", workers)
    watched = Watched(monkeypatch)
    sweep(many(), tmp_path / "table.csv", workers=1, progress=watched)
    assert watched.rows == MANY - kept
    assert watched.told[0] == (kept, kept, MANY)
    assert watched.told[-1] == (MANY, kept, MANY)
    assert (tmp_path / "table.csv").read_bytes() == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["design.json", "table.csv"]


@pytest.mark.soak("sweeps that are interrupted, or run out of disk", faults=1, again=True)
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_leaves_a_table_that_can_be_read_and_is_status_130(tmp_path: Path, whole: bytes, workers: str) -> None:
    in_small_chunks(many(), tmp_path)
    run = started(many(), tmp_path, "--workers", workers)
    wait_for_rows(tmp_path, run)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate()
    assert (run.returncode, out) == (130, "")
    kept = rows_kept(tmp_path)
    assert err.splitlines() == [
        "interrupted",
        f"{kept:,} of 3,240 match-ups are in table.csv; the same command continues from there",
    ]
    lines = (tmp_path / "table.csv").read_text().splitlines()
    all_lines = whole.decode().splitlines()
    assert 0 < kept < MANY
    assert len(lines) == kept + 1
    assert lines == [line for line in all_lines if line in set(lines)]
    again = started(many(), tmp_path)
    again.communicate()
    assert again.returncode == 0
    assert (tmp_path / "table.csv").read_bytes() == whole


def test_an_interrupt_in_python_is_a_keyboard_interrupt_that_tells_what_is_kept(tmp_path: Path) -> None:
    def stop(done: int, earlier: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="the same command continues from there"):
        sweep(many(), tmp_path / "table.json", workers=1, progress=stop)
    assert len(json.loads((tmp_path / "table.json").read_text())) > 0


@pytest.mark.soak("sweeps that are interrupted, or run out of disk", faults=1, again=True)
def test_a_full_disk_keeps_what_is_done(tmp_path: Path, whole: bytes) -> None:
    in_small_chunks(many(), tmp_path)
    run = started(many(), tmp_path, "--workers", "1", limit=100_000)  # no file may grow beyond that
    out, err = run.communicate()
    kept = rows_kept(tmp_path)
    assert (run.returncode, out) == (1, "")
    assert 0 < kept < MANY
    first, second = err.splitlines()
    assert first == "cannot be written: disk I/O error"
    assert second.startswith(f"{kept:,} of 3,240 match-ups are ")
    assert second.endswith("; the same command continues from there")
    assert not list(tmp_path.glob(".*"))
    sweep(many(), tmp_path / "table.csv", workers=1)
    assert (tmp_path / "table.csv").read_bytes() == whole


@pytest.mark.soak("sweeps that are interrupted, or run out of disk", faults=1, again=True)
def test_a_disk_that_is_full_only_for_the_table_keeps_all_rows(
    tmp_path: Path, whole_few: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.fsync

    def fsync(number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(Stopped, match=r"no space left on device\n800 of 800 .* kept in table.csv.journal"):
        sweep(few(), tmp_path / "table.csv", workers=1)
    monkeypatch.setattr(os, "fsync", real)
    watched = Watched(monkeypatch)
    sweep(few(), tmp_path / "table.csv", workers=1)
    assert watched.rows == 0
    assert (tmp_path / "table.csv").read_bytes() == whole_few


@pytest.mark.soak("kill -9 of sweeps, here", faults=2, again=True)
def test_processes_that_die_are_replaced_and_nothing_is_missing_or_doubled(
    tmp_path: Path, whole_few: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    pools: list[Pool] = []
    real = Pool.__init__

    def remember(self: Pool, *args: Any, **limits: Any) -> None:
        real(self, *args, **limits)
        pools.append(self)

    def kill(done: int, earlier: int, total: int) -> None:
        if pools and len(killed) < 2 and (process := pools[0].workers[len(killed)].process):
            killed.append(process.pid)
            os.kill(killed[-1], signal.SIGKILL)

    killed: list[int] = []
    in_small_chunks(few(), tmp_path)
    monkeypatch.setattr(Pool, "__init__", remember)
    sweep(few(), tmp_path / "table.csv", workers=2, progress=kill)
    assert len(set(killed)) == 2
    assert (tmp_path / "table.csv").read_bytes() == whole_few


def test_a_chunk_on_which_every_process_dies_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "worker_command", lambda module: [sys.executable, "-c", "import no_such_module"])
    in_small_chunks(few(), tmp_path)
    with pytest.raises(Stopped, match="3 processes in a row died"):
        sweep(few(), tmp_path / "table.csv", workers=2)


def test_many_processes_make_the_same_table_as_one(tmp_path: Path, whole_few: bytes) -> None:
    in_small_chunks(few(), tmp_path)
    sweep(few(), tmp_path / "table.csv", workers=3)
    assert (tmp_path / "table.csv").read_bytes() == whole_few


def test_the_size_of_chunks_changes_no_bit(tmp_path: Path, whole_few: bytes) -> None:
    plan = make_plan(load_design(few()), None)
    for chunk, symbolic in ((37, plan.rows.symbolic), (500, ())):
        Journal(plan.resume(chunk, symbolic), tmp_path / f"table.csv{ENDING}").close()
        sweep(few(), tmp_path / "table.csv", workers=1)
        assert (tmp_path / "table.csv").read_bytes() == whole_few


def test_chunks_are_as_long_as_what_is_worked_on_later_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first match-up of a design is often the smallest."""
    monkeypatch.setattr(plan_module, "_measure_seconds", lambda work: work() is None or 0.001)
    monkeypatch.setattr(plan_module, "_seconds_at", lambda place, *_: 0.05 if place == MANY * 3 // 7 else 0.01)
    assert 5 * 4 == make_plan(load_design(many()), None).chunk  # match-ups that differ in the dice share a graph


def test_a_process_that_nobody_listens_to_any_more_ends_quietly() -> None:
    plan = make_plan(load_design(few()), None)
    asked = request("plan", {"plan": plan.as_json})
    pipe = subprocess.PIPE
    with subprocess.Popen(worker_command(work.__name__), stdin=pipe, stdout=pipe, stderr=pipe) as worker:
        assert worker.stdin
        assert worker.stdout
        assert worker.stderr
        assert b"ready\n" == worker.stdout.readline()
        worker.stdout.close()
        worker.stdin.write(b"task %d\n%b" % (len(asked), asked))
        worker.stdin.flush()
        assert b"" == worker.stderr.read()
        assert 1 == worker.wait()
        with suppress(BrokenPipeError):
            worker.stdin.close()


def test_what_was_rolled_before_changes_no_bit(tmp_path: Path) -> None:
    """Larger pools, swept before, must not change the last digits of smaller ones."""
    small = design(*strengths(3), *dice())
    sweep(small, tmp_path / "before.csv", workers=1)
    sweep(design(*strengths(12), *dice()), workers=1)
    sweep(small, tmp_path / "after.csv", workers=1)
    fresh = (
        "from tests.studies.sweeps.designs import *; from grognard import sweep; "
        "sweep(design(*strengths(3), *dice()), {!r})"
    )
    subprocess.run([sys.executable, "-c", fresh.format(str(tmp_path / "fresh.csv"))], check=True)
    tables = [(tmp_path / f"{name}.csv").read_bytes() for name in ("before", "after", "fresh")]
    assert tables[0] == tables[1] == tables[2]
