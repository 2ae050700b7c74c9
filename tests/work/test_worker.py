"""A worker goes on, whatever happens in a task or while it loads what it will need."""

import gzip
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from grognard import systems
from grognard.work.pool import ONE_THREAD, worker_command
from grognard.work.worker import NICEST
from tests.server.running import PATIENCE, crowd, duel

ROOT = Path(__file__).parents[2]


class RealWorker:
    """A worker process, spoken to as a pool does."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.process, self.requests, self.replies, self.errors = process, process.stdin, process.stdout, process.stderr
        assert self.replies.readline() == b"ready\n"

    def ask(self, task: str, **about: Any) -> None:
        data = json.dumps({"task": task, "about": about}).encode()
        self.requests.write(b"task %d\n" % len(data) + data)
        self.requests.flush()

    def stop(self) -> None:
        self.requests.write(b"stop\n")
        self.requests.flush()

    def reply(self) -> tuple[str, Any]:
        status, encoding, length = self.replies.readline().split()
        body = self.replies.read(int(length))
        return status.decode(), json.loads(gzip.decompress(body) if encoding == b"gzip" else body)


@pytest.mark.parametrize("nice", [7, NICEST])
def test_a_worker_may_leave_the_processor_to_others(nice: int) -> None:
    command = worker_command("grognard.tasks", nice=nice)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        usual = os.getpriority(os.PRIO_PROCESS, 0)
        assert min(usual + nice, NICEST) == os.getpriority(os.PRIO_PROCESS, process.pid)
        if sys.platform == "linux":
            policy = os.SCHED_IDLE if nice == NICEST else os.sched_getscheduler(0)
            assert policy == os.sched_getscheduler(process.pid)
        process.kill()


@contextmanager
def real_worker(module: str = "grognard.tasks", memory: int = 2 * 1024**3, folders: str = "") -> Iterator[RealWorker]:
    command = worker_command(module, memory=memory, compress_above=1_000)
    path = {"PYTHONPATH": os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(ROOT)])}
    pipe, environment = subprocess.PIPE, os.environ | ONE_THREAD | path | {systems.FOLDERS: folders}
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as process:
        try:
            yield RealWorker(process)
        finally:
            process.kill()
            with suppress(BrokenPipeError):
                process.communicate()


@pytest.mark.soak("workers that die, hang or break", faults=1, again=True)
def test_a_worker_drops_its_task_when_told_to_stop_and_goes_on() -> None:
    with real_worker() as worker:
        worker.ask("odds", battle=crowd(20))
        worker.stop()
        assert ("stopped", {}) == worker.reply()
        worker.ask("check", battle=duel())
        assert "done" == worker.reply()[0]


@pytest.mark.soak("workers that die, hang or break", faults=1, again=True)
def test_a_worker_ends_when_its_input_does_even_at_work() -> None:
    with real_worker() as worker:
        worker.ask("odds", battle=crowd(20))
        worker.requests.close()
        assert 0 == worker.process.wait(PATIENCE)
        worker.process.stdin = None


def test_a_worker_keeps_to_the_bound_on_positions() -> None:
    with real_worker() as worker:
        worker.ask("odds", battle=crowd(20), bound=1_000)
        status, reply = worker.reply()
        assert ("refused", 1_000, 1_000) == (status, reply["size"], reply["bound"])
        assert "too_large" == reply["faults"][0]["code"]


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory is Linux's")
@pytest.mark.soak("workers that die, hang or break", faults=1, again=True)
def test_a_worker_keeps_to_its_memory() -> None:
    with real_worker(memory=300 * 1024**2) as worker:
        worker.ask("odds", battle=duel(200, 200))
        status, reply = worker.reply()
        assert ("memory", "memory") == (status, reply["faults"][0]["code"])
        worker.ask("check", battle=duel())
        assert "done" == worker.reply()[0]


RUDE = [
    ("exit", "broken"),
    ("interrupt", "broken"),
    ("large", "memory"),
    ("recurse", "refused"),
    ("not a number", "broken"),
    ("not JSON", "broken"),
    ("many digits", "broken"),
    ("print", "done"),
    ("size", "refused"),
]


@pytest.mark.soak("workers that die, hang or break", faults=1, again=True)
def test_no_task_ends_a_worker_and_what_breaks_is_logged() -> None:
    with real_worker("tests.work.rude_tasks") as worker:
        statuses, processes = [], set()
        for do, _ in RUDE:
            worker.ask("task", do=do)
            statuses.append((do, worker.reply()[0]))
            worker.ask("task", do="nothing")
            processes.add(worker.reply()[1]["process"])
        worker.ask("no such task")
        assert "broken" == worker.reply()[0]
        assert (RUDE, 1) == (statuses, len(processes))
        worker.process.kill()
        logged = worker.errors.read().decode()
        assert 6 == logged.count("a task failed")
        assert all(name in logged for name in ("SystemExit", "KeyboardInterrupt", "not JSON serializable", "KeyError"))


def test_a_size_beyond_counting_is_null() -> None:
    with real_worker("tests.work.rude_tasks") as worker:
        worker.ask("task", do="size")
        status, reply = worker.reply()
        assert ("refused", None, 10) == (status, reply["size"], reply["bound"])


def test_a_legal_battle_with_faces_of_its_own_kills_no_worker() -> None:
    """Its house rules are a table, which the reply must be able to say."""
    faces = {colour: ["D", "", "D", "", "D", ""] for colour in ("red", "yellow", "green", "blue")}
    example = {"system": "assault", **systems.find("assault").example, "rules": {"faces": faces}}
    with real_worker() as worker:
        worker.ask("check", battle=example)
        status, reply = worker.reply()
        assert ("done", {"faces": faces}) == (status, reply.get("rules")), reply


@pytest.mark.soak("workers that die, hang or break", faults=1, again=True)
def test_a_system_that_breaks_breaks_no_worker(tmp_path: Path) -> None:
    shutil.copytree(systems.folders("ranks")[0], tmp_path / "aaa")
    for module in (tmp_path / "aaa").rglob("*.py"):
        module.write_text(module.read_text().replace('"ranks"', '"aaa"').replace("systems.ranks", "systems.aaa"))
    with (tmp_path / "aaa" / "rules.py").open("a") as rules:
        rules.write("\n\ndef start(setup: object) -> None:\n    raise RuntimeError\n")
    with real_worker(folders=str(tmp_path)) as worker:
        time.sleep(1)  # nobody asks, so it looks at the broken one first
        worker.ask("check", battle={"system": "ranks", **systems.find("ranks").example})
        assert "done" == worker.reply()[0]
