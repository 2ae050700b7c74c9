"""The same sweep on a Dask cluster: a real scheduler, and workers that are processes of their own."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.soak import FACTOR
from tests.studies.sweeps.designs import few, many
from tests.studies.sweeps.processes import in_small_chunks, kill_twice

from grognard.core.errors import GrognardError
from grognard.studies.sweeps import Stopped, cluster, sweep
from grognard.studies.sweeps.cluster import ClusterError, connect

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


class Cluster(NamedTuple):
    """A scheduler and its workers."""

    address: str
    scheduler: "subprocess.Popen[bytes]"
    workers: "list[subprocess.Popen[bytes]]"

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def start(workers: int) -> Cluster:
    address = f"tcp://127.0.0.1:{free_port()}"
    environment = os.environ | {"DASK_DISTRIBUTED__WORKER__DAEMON": "False"}

    def run(*command: str) -> "subprocess.Popen[bytes]":
        quiet = subprocess.DEVNULL
        return subprocess.Popen([sys.executable, "-m", *command], env=environment, stdout=quiet, stderr=quiet)

    scheduler = run("distributed.cli.dask_scheduler", "--host", address, "--no-dashboard")
    options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
    return Cluster(address, scheduler, [run("distributed.cli.dask_worker", address, *options) for _ in range(workers)])


def wait_for(address: str) -> None:
    """Until somebody listens there."""
    host, _, port = address.removeprefix("tcp://").partition(":")
    while True:
        try:
            socket.create_connection((host, int(port)), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return


@pytest.fixture(scope="module" if FACTOR == 1 else "function")
def three_workers() -> Iterator[Cluster]:
    """One cluster for those who kill a worker of it, and then its scheduler; in the long checks one for each."""
    running = start(3)
    try:
        wait_for(running.address)
        yield running
    finally:
        running.close()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine takes long to start three workers."""
    monkeypatch.setattr(cluster, "PATIENCE", 60)
    monkeypatch.setattr(cluster, "WORKERS_WITHIN", 60)


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    (tmp_path / "whole").mkdir()
    sweep(few(), tmp_path / "whole" / "table.parquet", workers=1)
    return (tmp_path / "whole" / "table.parquet").read_bytes()


@pytest.mark.soak("kill -9 of sweeps, on Dask", faults=1, again=True)
@pytest.mark.usefixtures("patient")
def test_the_table_is_the_same_to_the_byte_though_a_worker_is_killed_in_the_middle(
    tmp_path: Path, whole: bytes, three_workers: Cluster
) -> None:
    progress: list[int] = []

    def kill(done: int, earlier: int, total: int) -> None:
        progress.append(done)
        if len(progress) == 10:
            three_workers.workers[0].send_signal(signal.SIGKILL)

    in_small_chunks(few(), tmp_path, 10, "table.parquet")
    client = connect(three_workers.address)
    client.wait_for_workers(3, timeout=60)
    client.close()
    sweep(few(), tmp_path / "table.parquet", on=three_workers.address, progress=kill)
    assert progress == list(range(0, 801, 10))
    assert (tmp_path / "table.parquet").read_bytes() == whole
    assert three_workers.workers[0].poll() == -signal.SIGKILL


@pytest.mark.soak("kill -9 of sweeps, on Dask", faults=1, again=True)
@pytest.mark.usefixtures("patient")
def test_a_scheduler_that_goes_away_leaves_the_rows_that_are_done(
    tmp_path: Path, whole: bytes, three_workers: Cluster
) -> None:
    def kill(done: int, earlier: int, total: int) -> None:
        if done == 50:
            three_workers.scheduler.send_signal(signal.SIGKILL)

    in_small_chunks(few(), tmp_path, 10, "table.parquet")
    with pytest.raises(Stopped, match=r"the scheduler is gone\n.* of 800 match-ups are in .*continues from there"):
        sweep(few(), tmp_path / "table.parquet", on=three_workers.address, progress=kill)
    earlier: list[int] = []
    sweep(few(), tmp_path / "table.parquet", workers=1, progress=lambda done, before, total: earlier.append(before))
    assert 50 <= earlier[0] < 800
    assert (tmp_path / "table.parquet").read_bytes() == whole


@pytest.mark.soak("kill -9 of sweeps, on Dask", faults=2, again=True)
def test_a_sweep_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    running = start(2)
    try:
        wait_for(running.address)
        kill_twice(tmp_path, "--on", running.address)
        sweep(many(), tmp_path / "table.csv", on=running.address)
    finally:
        running.close()
    sweep(many(), tmp_path / "whole.csv", workers=1)
    assert (tmp_path / "whole.csv").read_bytes() == (tmp_path / "table.csv").read_bytes()


def test_a_scheduler_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1)
    address = f"tcp://127.0.0.1:{free_port()}"
    (tmp_path / "table.csv").write_text("an earlier table")
    with pytest.raises(Stopped, match=f"{address}: there is no scheduler"):
        sweep(few(), tmp_path / "table.csv", on=address)
    assert (tmp_path / "table.csv").read_text() == "an earlier table"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("address", ["nowhere", "tcp://", "http://127.0.0.1:1", "", "tcp://127.0.0.1"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(ClusterError, match=r"is not the address of a scheduler, such as tcp://host:8786"):
        connect(address)


def test_a_port_that_is_none() -> None:
    with pytest.raises(ClusterError, match="there is no scheduler"):
        connect("tcp://127.0.0.1:99999")


def test_a_scheduler_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WORKERS_WITHIN", 0.5)
    running = start(0)
    try:
        wait_for(running.address)
        with pytest.raises(ClusterError, match="the scheduler has no worker"):
            connect(running.address)
    finally:
        running.close()


def test_without_dask_one_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(GrognardError, match=r"pip install 'grognard\[cluster\]'"):
        connect("tcp://127.0.0.1:8786")
