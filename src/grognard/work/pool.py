"""A pool of worker processes: bounded and cancellable. A task is stopped when nobody waits for its reply any more.

Workers are separate programs behind pipes. A worker ends when its pipe closes, it copies no memory of the process that
started it, and killing it affects nothing else.
"""

import asyncio
import json
import os
import sys
import zlib
from asyncio import FIRST_COMPLETED, Future, Task
from asyncio.subprocess import PIPE, Process
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future as ConcurrentFuture
from contextlib import suppress
from threading import Thread
from typing import Any, NamedTuple
from zlib import crc32

from grognard.work.worker import Json, Status

GRACE = 1.0
"""Seconds that a worker has to stop its task before it is killed."""
START = 60.0
"""Seconds in which a worker must be ready."""
PIECE = 256 * 1024
"""The bytes of one piece of a reply."""
GZIP = 31
"""The format of a compressed reply, as zlib numbers it."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""Numeric libraries start no threads of their own: each worker is to keep one processor busy."""


class Reply(NamedTuple):
    """How a task ended, and what it came to: JSON, perhaps compressed."""

    status: Status
    body: bytes
    is_packed: bool = False

    def to_dict(self) -> Json:
        """What it came to."""
        reply: Json = json.loads(b"".join(self.pieces()))
        return reply

    def pieces(self) -> Iterator[bytes]:
        """The JSON, piece by piece: a small compressed reply may be very large unpacked."""
        if not self.is_packed:
            yield self.body
            return
        unpacker = zlib.decompressobj(GZIP)
        packed = self.body
        while not unpacker.eof:
            yield unpacker.decompress(packed, PIECE)
            packed = unpacker.unconsumed_tail


class Busy(Exception):
    """Too many tasks wait already."""


class TooLong(Exception):
    """A task that exceeded its time limit in seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not worked out after {seconds:g} seconds")


class Lost(Exception):
    """A worker that ended without a reply."""


def worker_command(*modules: str, memory: int = 0, pack: int = 0, nice: int = 0) -> list[str]:
    """The command that starts a worker for the tasks of these modules, with this limit of memory in bytes (0: none).

    Replies of more than `pack` bytes are compressed, and `nice` workers leave the processor to others. `-P` keeps the
    current folder out of what the worker imports.
    """
    return [sys.executable, "-P", "-m", "grognard.work.worker", *map(str, (memory, pack, nice)), *modules]


def request(task: str, about: Json) -> bytes:
    """A task as workers read it."""
    return json.dumps({"task": task, "about": about}, separators=(",", ":")).encode()


class Worker:
    """One process that runs one task at a time; the task `first`, if there is one, as soon as it has started."""

    def __init__(self, command: Sequence[str], first: bytes | None = None) -> None:
        self.command, self.first = command, first
        self.process: Process | None = None

    async def start(self) -> None:
        """Start the process, if there is none or it has ended, and wait until it is ready."""
        if self.process is not None and self.process.returncode is None:
            return
        await self.kill()
        # In a group of its own, Ctrl-C at the terminal does not reach it. It stays in the server's session: where
        # Linux shares the processor among sessions (autogroup), being nice counts only inside of one.
        self.process = await asyncio.create_subprocess_exec(
            *self.command, stdin=PIPE, stdout=PIPE, env=os.environ | ONE_THREAD, process_group=0
        )
        async with asyncio.timeout(START):
            await self._line()
            if self.first is not None:
                await self.run(self.first)

    async def run(self, task: bytes) -> Reply:
        """Run a task."""
        await self._write(b"task %d\n" % len(task) + task)
        status, encoding, length = (await self._line()).split()
        assert self.process is not None
        assert self.process.stdout is not None
        try:
            body = await self.process.stdout.readexactly(int(length))
        except asyncio.IncompleteReadError:
            raise Lost from None
        return Reply(Status(status.decode()), body, encoding == b"gzip")

    async def stop(self, running: "Task[Reply]") -> None:
        """End a task: by telling the process to, or by ending the process."""
        with suppress(Lost):
            await self._write(b"stop\n")
        await asyncio.wait({running}, timeout=GRACE)
        if not running.done() or running.exception():
            running.cancel()
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
    """A task that waits for a worker, and then for its reply."""

    def __init__(self, task: bytes, owner: str, like: str = "") -> None:
        self.task, self.owner, self.like = task, owner, like
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.waiting = 0
        """How many wait for the reply, if several do."""
        self.patience: asyncio.TimerHandle | None = None
        """What ends the wait for a worker."""

    def begin(self) -> None:
        """A worker is at it, or never will be."""
        if self.patience is not None:
            self.patience.cancel()

    def fail(self, error: Exception) -> None:
        """End the wait for a reply with an error."""
        self.begin()
        if not self.reply.done():
            self.reply.set_exception(error)


class Queue:
    """The jobs that wait. Owners take turns, so that one with many jobs does not delay the others."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.jobs: OrderedDict[str, deque[Job]] = OrderedDict()
        self.running: Counter[str] = Counter()
        """How many jobs of each owner are being run."""
        self.idle: dict[int, Future[None]] = {}
        """Workers that wait for a job, by number; the one that has waited the least comes last."""

    def __len__(self) -> int:
        return sum(map(len, self.jobs.values()))

    def put(self, job: Job) -> None:
        """Add a job."""
        self.jobs.setdefault(job.owner, deque()).append(job)
        self._wake(job.like)

    def of(self, owner: str) -> int:
        """How many jobs of an owner wait."""
        return len(self.jobs.get(owner, ()))

    def discard(self, job: Job) -> None:
        """Remove a job that was cancelled."""
        with suppress(KeyError, ValueError):
            self.jobs[job.owner].remove(job)
            if not self.jobs[job.owner]:
                del self.jobs[job.owner]

    def pop(self, share: int | None = None) -> Job | None:
        """The next job, by turns, of an owner that has fewer than `share` running jobs; None if there is none."""
        for owner, jobs in self.jobs.items():
            if share is None or self.running[owner] < share:
                job = jobs.popleft()
                del self.jobs[owner]
                if jobs:
                    self.jobs[owner] = jobs  # behind the others
                return job
        return None

    async def get(self, share: int | None, worker: int) -> Job:
        """The next job for this worker, once there is one; it counts as being run until its `end`."""
        while not (job := self.pop(share)):  # there is none, or its owner has enough
            idle: Future[None] = asyncio.get_running_loop().create_future()
            self.idle[worker] = idle
            await idle
        self.running[job.owner] += 1
        return job

    def _wake(self, like: str = "") -> None:
        """Wake a worker that is likely to know what the job is about: always the same for the same, or the latest."""
        usual = crc32(like.encode()) % self.workers if like else None
        while self.idle:
            idle = self.idle.pop(usual) if usual in self.idle else self.idle.popitem()[1]
            if not idle.done():
                idle.set_result(None)
                return

    def end(self, job: Job) -> None:
        """A job is done: its owner may have another one run."""
        self.running[job.owner] -= 1
        if not self.running[job.owner]:
            del self.running[job.owner]
        if self.jobs:
            self._wake()


class Pool:
    """Some workers, and the jobs that wait for them.

    A task may take this number of `seconds` (None: no limit); at most `waiting` tasks wait, half of them of one
    owner, and each for at most `patience` seconds.
    """

    def __init__(
        self,
        command: Sequence[str],
        size: int,
        seconds: float | None = None,
        waiting: int = 1_000,
        patience: float | None = None,
        first: bytes | None = None,
    ) -> None:
        self.seconds, self.waiting, self.patience = seconds, waiting, patience
        self.queue = Queue(size)
        self.workers = [Worker(command, first) for _ in range(size)]
        self.serving: list[Task[None]] = []
        self.share: int | None = None
        """How many workers one owner may have at once (None: all)."""
        self.restarted: Callable[[str], None] = lambda reason: None
        """Called when a worker has to be started again, with the reason."""

    def open(self) -> None:
        """Start the workers, without waiting for them."""
        self.serving = [asyncio.create_task(self._serve(*numbered)) for numbered in enumerate(self.workers)]

    async def close(self) -> None:
        """End the workers; waiting tasks end with an error."""
        serving, self.serving = self.serving, []
        for task in serving:
            task.cancel()
        await asyncio.gather(*serving, return_exceptions=True)
        while job := self.queue.pop():
            job.fail(Busy())
        for worker in self.workers:
            await worker.kill()

    def start(self, task: bytes, owner: str = "", like: str = "") -> Job:
        """Have a task run. Tasks that are `like` each other go to the same worker, if it is idle."""
        if not self.serving or len(self.queue) >= self.waiting or 2 * self.queue.of(owner) > self.waiting:
            raise Busy
        job = Job(task, owner, like)
        if self.patience is not None:
            job.patience = asyncio.get_running_loop().call_later(self.patience, self._give_up, job)
        self.queue.put(job)
        return job

    def end(self, job: Job) -> None:
        """Nobody waits for a job any more: if it is not done, it is cancelled."""
        job.begin()
        self.queue.discard(job)
        job.reply.cancel()

    def _give_up(self, job: Job) -> None:
        self.queue.discard(job)
        job.fail(Busy())

    async def run(self, task: bytes, owner: str = "") -> Reply:
        """Run a task. If this is cancelled, so is the task."""
        job = self.start(task, owner)
        try:
            return await job.reply
        finally:
            self.end(job)

    async def _serve(self, number: int, worker: Worker) -> None:
        """Run jobs with one worker, for ever."""
        with suppress(OSError, TimeoutError, Lost):
            await worker.start()
        while True:
            job = await self.queue.get(self.share, number)
            try:
                await worker.start()
                await self._run(worker, job)
            except (OSError, TimeoutError, Lost):
                self.restarted("lost")
                await worker.kill()
                job.fail(Lost())
            finally:
                self.queue.end(job)
                job.fail(Busy())  # only if the pool is closed meanwhile

    async def _run(self, worker: Worker, job: Job) -> None:
        job.begin()
        running = asyncio.create_task(worker.run(job.task))
        try:
            await asyncio.wait({running, job.reply}, timeout=self.seconds, return_when=FIRST_COMPLETED)
            if running.done():
                reply = running.result()
                if not job.reply.done():
                    job.reply.set_result(reply)
                if reply.status is Status.MEMORY:  # what it holds from earlier tasks may be the reason
                    self.restarted("memory")
                    await worker.kill()
                    await worker.start()
                return
            job.fail(TooLong(self.seconds or 0))
            await worker.stop(running)
            if worker.process is None:
                self.restarted("stuck")
            await worker.start()
        finally:
            running.cancel()


class BackgroundPool:
    """A pool for code outside of an event loop: it has a loop of its own, in a thread."""

    def __init__(self, command: Sequence[str], size: int, **limits: Any) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self.loop.run_forever, daemon=True)
        self.pool = Pool(command, size, **limits)

    def __enter__(self) -> "BackgroundPool":
        self.thread.start()
        self._wait_for(self._open())
        return self

    def __exit__(self, *error: object) -> None:
        self._wait_for(self.pool.close())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def submit(self, task: bytes) -> "ConcurrentFuture[Reply]":
        """Have a task run."""
        reply: ConcurrentFuture[Reply] = ConcurrentFuture()
        self.loop.call_soon_threadsafe(self._begin, task, reply)  # Ctrl-C here leaves no coroutine that never began
        return reply

    def _begin(self, task: bytes, reply: "ConcurrentFuture[Reply]") -> None:
        """Run a task in the loop, and pass its reply on to the thread that waits for it."""

        def pass_on(done: "Task[Reply]") -> None:
            if done.cancelled():
                reply.cancel()
            elif error := done.exception():
                reply.set_exception(error)
            else:
                reply.set_result(done.result())

        self.loop.create_task(self.pool.run(task)).add_done_callback(pass_on)

    async def _open(self) -> None:
        self.pool.open()

    def _wait_for(self, work: Any) -> None:
        asyncio.run_coroutine_threadsafe(work, self.loop).result()
