"""Workers answer, and are stopped, killed and replaced; nothing they do takes the server with it."""

import asyncio
import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from grognard.server.settings import Limits
from grognard.server.worker import STOPPED
from grognard.server.workers import ONE_THREAD, Answer, Busy, Lost, Pool, TooLong, command
from tests.server.running import PATIENCE, crowd, duel

STUB = [sys.executable, str(Path(__file__).with_name("stub_worker.py"))]
AIMS = {"attacker": "best", "defender": "best", "objective": "swing", "fractions": False, "measures": False}


@asynccontextmanager
async def pool(size: int = 1, waiting: int = 8, start: list[str] = STUB) -> AsyncIterator[Pool]:
    found = Pool(start, size, PATIENCE, waiting, PATIENCE)
    found.open()
    try:
        yield found
    finally:
        await found.close()


async def until(is_so: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.01)


async def put_to_work(workers: Pool, question: bytes) -> "asyncio.Task[Answer]":
    """Ask, and wait until a worker is at it."""
    asking = asyncio.create_task(workers.ask(question))
    await asyncio.sleep(0)  # it has asked
    await until(lambda: workers.jobs.empty())
    return asking


async def answering_process(workers: Pool) -> int:
    return int((await workers.ask(b"who are you?")).body)


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def run(test: Awaitable[None]) -> None:
    async def in_loop() -> None:
        await test

    asyncio.run(in_loop())


def test_one_worker_answers_one_question_after_the_other() -> None:
    async def check() -> None:
        async with pool() as workers:
            assert await answering_process(workers) == await answering_process(workers)

    run(check())


def test_several_workers_answer_side_by_side() -> None:
    async def check() -> None:
        async with pool(size=2) as workers:
            sleeping = await put_to_work(workers, b"sleep")
            await answering_process(workers)
            assert not sleeping.done()
            sleeping.cancel()

    run(check())


def test_a_question_that_takes_too_long_is_killed_and_the_next_is_answered() -> None:
    async def check() -> None:
        async with pool() as workers:
            first = await answering_process(workers)
            workers.seconds = 0.1
            with pytest.raises(TooLong):
                await workers.ask(b"sleep")
            workers.seconds = PATIENCE
            assert first != await answering_process(workers)
            assert not is_running(first)

    run(check())


@pytest.mark.parametrize("question", [b"die", b"die half way"])
def test_a_worker_that_dies_is_replaced(question: bytes) -> None:
    async def check() -> None:
        async with pool() as workers:
            first = await answering_process(workers)
            with pytest.raises(Lost):
                await workers.ask(question)
            assert first != await answering_process(workers)

    run(check())


def test_a_worker_that_ended_while_nobody_asked_is_replaced_before_anybody_notices() -> None:
    async def check() -> None:
        async with pool() as workers:
            first = await answering_process(workers)
            os.kill(first, signal.SIGKILL)
            await until(lambda: not is_running(first))
            assert first != await answering_process(workers)

    run(check())


def test_a_worker_that_never_gets_ready_is_told_for_every_question() -> None:
    async def check() -> None:
        async with pool(start=[*STUB, "stillborn"]) as workers:
            for _ in range(2):
                with pytest.raises(Lost):
                    await workers.ask(b"who are you?")

    run(check())


def test_cancelling_a_question_frees_its_worker() -> None:
    async def check() -> None:
        async with pool() as workers:
            first = await answering_process(workers)
            asking = await put_to_work(workers, b"sleep")
            asking.cancel()
            assert first != await answering_process(workers)
            assert not is_running(first)

    run(check())


def test_a_question_cancelled_while_it_waits_is_never_worked_out() -> None:
    async def check() -> None:
        async with pool() as workers:
            await answering_process(workers)
            sleeping = await put_to_work(workers, b"sleep")
            waiting = asyncio.create_task(workers.ask(b"die"))
            await until(lambda: workers.jobs.qsize() == 1)
            waiting.cancel()
            sleeping.cancel()
            assert await answering_process(workers)

    run(check())


def test_questions_beyond_those_that_may_wait_are_refused() -> None:
    async def check() -> None:
        async with pool(waiting=1) as workers:
            sleeping = await put_to_work(workers, b"sleep")
            waiting = asyncio.create_task(workers.ask(b"who are you?"))
            await until(lambda: workers.jobs.qsize() == 1)
            with pytest.raises(Busy):
                await workers.ask(b"who are you?")
            sleeping.cancel()
            assert (await waiting).status == 200

    run(check())


def test_a_question_that_waits_for_too_long_is_refused() -> None:
    async def check() -> None:
        async with pool() as workers:
            await answering_process(workers)
            sleeping = await put_to_work(workers, b"sleep")
            workers.patience = 0.05
            with pytest.raises(Busy):
                await workers.ask(b"who are you?")
            sleeping.cancel()

    run(check())


def test_no_worker_outlives_its_pool() -> None:
    async def check() -> None:
        async with pool() as workers:
            process = await answering_process(workers)
            assert is_running(process)
        assert not is_running(process)

    run(check())


class RealWorker:
    """A worker process, spoken to as the server does."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self.asked, self.answers = process, process.stdin, process.stdout
        assert self.answers.readline() == b"ready\n"

    def ask(self, ask: str, **about: Any) -> None:
        data = json.dumps({"ask": ask, "about": about}).encode()
        self.asked.write(b"ask %d\n" % len(data) + data)
        self.asked.flush()

    def stop(self) -> None:
        self.asked.write(b"stop\n")
        self.asked.flush()

    def answer(self) -> tuple[int, Any]:
        status, encoding, length = self.answers.readline().split()
        body = self.answers.read(int(length))
        return int(status), json.loads(gzip.decompress(body) if encoding == b"gzip" else body)


@contextmanager
def real_worker(**limits: Any) -> Iterator[RealWorker]:
    pipe, environment = subprocess.PIPE, os.environ | ONE_THREAD
    with subprocess.Popen(command(Limits(**limits)), stdin=pipe, stdout=pipe, env=environment) as process:
        yield RealWorker(process)


def test_a_real_worker_drops_its_question_when_told_to_stop_and_goes_on() -> None:
    with real_worker() as worker:
        worker.ask("odds", battle=crowd(20), **AIMS)
        worker.stop()
        assert worker.answer() == (STOPPED, {})
        worker.ask("check", battle=duel())
        assert worker.answer()[0] == 200


def test_a_real_worker_ends_when_its_input_does_even_at_work() -> None:
    with real_worker() as worker:
        worker.ask("odds", battle=crowd(20), **AIMS)
        worker.asked.close()
        assert worker.process.wait(PATIENCE) == 0


def test_a_real_worker_keeps_to_its_positions() -> None:
    with real_worker(positions=1_000) as worker:
        worker.ask("odds", battle=crowd(20), **AIMS)
        status, told = worker.answer()
        assert (status, told["size"], told["bound"]) == (422, 1_000, 1_000)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit on memory is Linux's")
def test_a_real_worker_keeps_to_its_memory() -> None:
    with real_worker(memory=300 * 1024**2) as worker:
        worker.ask("odds", battle=duel(200, 200), **AIMS)
        status, told = worker.answer()
        assert status == 422
        assert told["faults"][0]["message"].startswith("too large for the memory")
        worker.ask("check", battle=duel())
        assert worker.answer()[0] == 200
