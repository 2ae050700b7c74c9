"""Worker processes for whatever may take long. One whose answer is not wanted any more is stopped, or else killed.

They are programs of their own behind pipes: a pipe that closes tells a worker that the server has gone, nothing of the
server is copied into it, and killing it harms nobody else.
"""

import asyncio
import os
import sys
from asyncio import FIRST_COMPLETED, Future, Queue, Task
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from grognard.server.settings import Limits

GRACE = 1.0
"""Seconds in which a worker that is told to stop must have done so."""
START = 60.0
"""Seconds in which a worker must be ready."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Answer(NamedTuple):
    """An HTTP status and a body in JSON, perhaps compressed."""

    status: int
    body: bytes
    is_packed: bool


class Busy(Exception):
    """Too many questions wait already."""


class TooLong(Exception):
    """A question that took longer than it may: so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not worked out after {seconds:g} seconds")


class Lost(Exception):
    """A worker that ended without an answer."""


def command(limits: Limits) -> list[str]:
    """What starts a worker; `-P` keeps the folder that the server was started in out of it."""
    return [sys.executable, "-P", "-m", "grognard.server.worker", str(limits.positions), str(limits.memory)]


class Worker:
    """One process that answers one question at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
        self.process: Process | None = None

    async def start(self) -> None:
        """Start the process, if there is none or it has ended, and wait until it is ready."""
        if self.process is not None and self.process.returncode is None:
            return
        await self.kill()
        # in a session of its own, Ctrl-C at the server's terminal does not reach it
        self.process = await asyncio.create_subprocess_exec(
            *self.command, stdin=PIPE, stdout=PIPE, env=os.environ | ONE_THREAD, start_new_session=True
        )
        async with asyncio.timeout(START):
            await self._line()

    async def ask(self, question: bytes) -> Answer:
        """Have a question answered."""
        await self._write(b"ask %d\n" % len(question) + question)
        status, encoding, length = (await self._line()).split()
        assert self.process is not None
        assert self.process.stdout is not None
        try:
            body = await self.process.stdout.readexactly(int(length))
        except asyncio.IncompleteReadError:
            raise Lost from None
        return Answer(int(status), body, encoding == b"gzip")

    async def stop(self, working: "Task[Answer]") -> None:
        """Have a question dropped: by asking, or by ending the process."""
        with suppress(Lost):
            await self._write(b"stop\n")
        await asyncio.wait({working}, timeout=GRACE)
        if not working.done() or working.exception():
            working.cancel()
            await self.kill()

    async def kill(self) -> None:
        """End the process, whatever it is doing."""
        process, self.process = self.process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()

    async def _line(self) -> bytes:
        assert self.process is not None
        assert self.process.stdout is not None
        line = await self.process.stdout.readline()
        if not line:
            raise Lost
        return line

    async def _write(self, data: bytes) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(data)
            await self.process.stdin.drain()
        except OSError:
            raise Lost from None


class Job:
    """A question that waits for a worker, and then for its answer."""

    def __init__(self, question: bytes) -> None:
        loop = asyncio.get_running_loop()
        self.question = question
        self.begun: Future[None] = loop.create_future()
        self.answer: Future[Answer] = loop.create_future()

    def begin(self) -> None:
        """A worker has been found for it."""
        if not self.begun.done():
            self.begun.set_result(None)

    def fail(self, error: Exception) -> None:
        """Tell whoever still waits that there will be no answer."""
        self.begin()
        if not self.answer.done():
            self.answer.set_exception(error)


class Pool:
    """Some workers, and the questions that wait for them."""

    def __init__(self, command: Sequence[str], size: int, seconds: float, waiting: int, patience: float) -> None:
        self.seconds, self.waiting, self.patience = seconds, waiting, patience
        self.jobs: Queue[Job] = Queue()
        self.workers = [Worker(command) for _ in range(size)]
        self.serving: list[Task[None]] = []

    def open(self) -> None:
        """Start the workers, without waiting for them."""
        self.serving = [asyncio.create_task(self._serve(worker)) for worker in self.workers]

    async def close(self) -> None:
        """End the workers; whoever still waits for an answer is told so."""
        serving, self.serving = self.serving, []
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        while not self.jobs.empty():
            self.jobs.get_nowait().fail(Busy())
        for worker in self.workers:
            await worker.kill()

    async def ask(self, question: bytes) -> Answer:
        """Have a question answered. If this is cancelled, so is the work on it."""
        if not self.serving or self.jobs.qsize() >= self.waiting:
            raise Busy
        job = Job(question)
        self.jobs.put_nowait(job)
        try:
            await asyncio.wait({job.begun}, timeout=self.patience)
            if not job.begun.done():
                raise Busy
            return await job.answer
        finally:
            job.answer.cancel()

    async def _serve(self, worker: Worker) -> None:
        """Answer questions with one worker, for ever."""
        with suppress(OSError, TimeoutError, Lost):
            await worker.start()
        while True:
            job = await self.jobs.get()
            if job.answer.done():  # nobody waits for it any more
                continue
            try:
                await worker.start()
                await self._answer(worker, job)
            except (OSError, TimeoutError, Lost):
                await worker.kill()
                job.fail(Lost())
            finally:
                job.fail(Busy())  # only if the pool is closed meanwhile

    async def _answer(self, worker: Worker, job: Job) -> None:
        job.begin()
        working = asyncio.create_task(worker.ask(job.question))
        try:
            await asyncio.wait({working, job.answer}, timeout=self.seconds, return_when=FIRST_COMPLETED)
            if working.done():
                found = working.result()
                if not job.answer.done():
                    job.answer.set_result(found)
                return
            job.fail(TooLong(self.seconds))
            await worker.stop(working)
            await worker.start()
        finally:
            working.cancel()
