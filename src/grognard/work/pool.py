"""A bounded pool of worker processes. A task is cancelled when nobody waits for its reply any more.

A worker is a separate program behind pipes. It ends when its pipe closes, copies no memory of the process that
started it, and can be killed without affecting anything else.
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
from typing import NamedTuple
from zlib import crc32

from grognard.work.worker import Json, Status

STOP_SECONDS = 1.0
"""How long a worker has to stop its task before it is killed."""
START_SECONDS = 60.0
"""How long a worker may take to start."""
PIECE = 256 * 1024
"""The bytes in one piece of a reply."""
GZIP = 31
"""The value of zlib's `wbits` for the gzip format."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""The environment that keeps numeric libraries from starting threads: a worker uses one processor."""


class Reply(NamedTuple):
    """How a task ended, and its result in JSON, perhaps compressed."""

    status: Status
    body: bytes
    is_compressed: bool = False

    def to_dict(self) -> Json:
        """The result."""
        reply: Json = json.loads(b"".join(self.pieces()))
        return reply

    def pieces(self) -> Iterator[bytes]:
        """The JSON in pieces: a small compressed body may be very large once it is decompressed."""
        if not self.is_compressed:
            yield self.body
            return
        decompressor = zlib.decompressobj(GZIP)
        compressed = self.body
        while not decompressor.eof:
            yield decompressor.decompress(compressed, PIECE)
            compressed = decompressor.unconsumed_tail


class Busy(Exception):
    """The queue is full, or a task waited in it for too long."""


class TooLong(Exception):
    """A task exceeded its time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not worked out after {seconds:g} seconds")


class Lost(Exception):
    """A worker ended without a reply."""


def worker_command(*modules: str, memory: int = 0, compress_above: int = 0, nice: int = 0) -> list[str]:
    """The command that starts a worker for the tasks of these modules.

    `memory` limits its memory in bytes (0: no limit). Replies of more than `compress_above` bytes are compressed.
    `nice` is the niceness of the process. `-P` keeps the current folder off the import path.
    """
    return [sys.executable, "-P", "-m", "grognard.work.worker", *map(str, (memory, compress_above, nice)), *modules]


def request(task: str, about: Json) -> bytes:
    """The request to run a task, as workers read it."""
    return json.dumps({"task": task, "about": about}, separators=(",", ":")).encode()


class Worker:
    """A process that runs one task at a time. If there is a task `first`, the process runs it when it starts."""

    def __init__(self, command: Sequence[str], first: bytes | None = None) -> None:
        self.command, self.first = command, first
        self.process: Process | None = None

    async def start(self) -> None:
        """Start the process unless it is running, and wait until it is ready."""
        if self.process is not None and self.process.returncode is None:
            return
        await self.kill()
        # Its own process group keeps Ctrl-C at the terminal away from it. It stays in the server's session: where Linux
        # divides the processor by session (autogroup), niceness counts only within a session.
        self.process = await asyncio.create_subprocess_exec(
            *self.command, stdin=PIPE, stdout=PIPE, env=os.environ | ONE_THREAD, process_group=0
        )
        async with asyncio.timeout(START_SECONDS):
            await self._read_line()
            if self.first is not None:
                await self.run(self.first)

    async def run(self, task: bytes) -> Reply:
        """Run a task."""
        await self._write(b"task %d\n" % len(task) + task)
        status, encoding, length = (await self._read_line()).split()
        assert self.process is not None
        assert self.process.stdout is not None
        try:
            body = await self.process.stdout.readexactly(int(length))
        except asyncio.IncompleteReadError:
            raise Lost from None
        return Reply(Status(status.decode()), body, encoding == b"gzip")

    async def stop(self, running: "Task[Reply]") -> None:
        """Stop the task that is running: ask the process to, and kill the process if it does not."""
        with suppress(Lost):
            await self._write(b"stop\n")
        await asyncio.wait({running}, timeout=STOP_SECONDS)
        if not running.done() or running.exception():
            running.cancel()
            await self.kill()

    async def kill(self) -> None:
        """Kill the process, if there is one."""
        process, self.process = self.process, None
        if process is None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()

    async def _read_line(self) -> bytes:
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
    """A task in the queue or at a worker, and the reply that it will have."""

    def __init__(self, task: bytes, owner: str, affinity: str = "") -> None:
        self.task, self.owner, self.affinity = task, owner, affinity
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.waiters = 0
        """How many requests wait for the reply, if they share the job."""
        self.queue_timer: asyncio.TimerHandle | None = None
        """Fails the job if no worker takes it in time."""

    def leave_queue(self) -> None:
        """Stop the timer: a worker has taken the job, or it has ended."""
        if self.queue_timer is not None:
            self.queue_timer.cancel()

    def fail(self, error: Exception) -> None:
        """End the job with an error, unless it has a reply already."""
        self.leave_queue()
        if not self.reply.done():
            self.reply.set_exception(error)


class Queue:
    """A fair queue of jobs: owners take turns, so that one with many jobs does not delay the others."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.jobs: OrderedDict[str, deque[Job]] = OrderedDict()
        self.running: Counter[str] = Counter()
        """How many jobs of each owner are running."""
        self.idle: dict[int, Future[None]] = {}
        """The workers that wait for a job, by number, in the order in which they became idle."""

    def __len__(self) -> int:
        return sum(map(len, self.jobs.values()))

    def put(self, job: Job) -> None:
        """Add a job."""
        self.jobs.setdefault(job.owner, deque()).append(job)
        self._wake_worker(job.affinity)

    def count(self, owner: str) -> int:
        """How many jobs of an owner are in the queue."""
        return len(self.jobs.get(owner, ()))

    def discard(self, job: Job) -> None:
        """Remove a job, if it is in the queue."""
        with suppress(KeyError, ValueError):
            self.jobs[job.owner].remove(job)
            if not self.jobs[job.owner]:
                del self.jobs[job.owner]

    def pop(self, most_per_owner: int | None = None) -> Job | None:
        """The next job of an owner that has fewer jobs running than this limit; None if there is none."""
        for owner, jobs in self.jobs.items():
            if most_per_owner is None or self.running[owner] < most_per_owner:
                job = jobs.popleft()
                del self.jobs[owner]
                if jobs:
                    self.jobs[owner] = jobs  # behind the others
                return job
        return None

    async def get(self, most_per_owner: int | None, worker: int) -> Job:
        """Wait for the next job for this worker. The job counts as running until it is released."""
        while not (job := self.pop(most_per_owner)):
            idle: Future[None] = asyncio.get_running_loop().create_future()
            self.idle[worker] = idle
            await idle
        self.running[job.owner] += 1
        return job

    def release(self, job: Job) -> None:
        """Count a job as running no longer: its owner may have another one run."""
        self.running[job.owner] -= 1
        if not self.running[job.owner]:
            del self.running[job.owner]
        if self.jobs:
            self._wake_worker()

    def _wake_worker(self, affinity: str = "") -> None:
        """Wake the worker to which the affinity is hashed if it is idle, else the one that became idle last."""
        preferred = crc32(affinity.encode()) % self.workers if affinity else None
        while self.idle:
            idle = self.idle.pop(preferred) if preferred in self.idle else self.idle.popitem()[1]
            if not idle.done():
                idle.set_result(None)
                return


class Pool:
    """Some workers, and the queue of jobs for them.

    A task may take this number of `seconds` (None: no limit). The queue holds at most `capacity` jobs, half of them of
    one owner, and each for at most `queue_seconds`.
    """

    def __init__(
        self,
        command: Sequence[str],
        size: int,
        seconds: float | None = None,
        capacity: int = 1_000,
        queue_seconds: float | None = None,
        first: bytes | None = None,
    ) -> None:
        self.seconds, self.capacity, self.queue_seconds = seconds, capacity, queue_seconds
        self.queue = Queue(size)
        self.workers = [Worker(command, first) for _ in range(size)]
        self.loops: list[Task[None]] = []
        """One for each worker; empty while the pool is closed."""
        self.most_per_owner: int | None = None
        """How many workers one owner may use at the same time (None: all)."""
        self.on_restart: Callable[[str], None] = lambda reason: None
        """Called with the reason when a worker has to be started again."""

    def open(self) -> None:
        """Start the workers, without waiting for them."""
        self.loops = [asyncio.create_task(self._run_jobs(*numbered)) for numbered in enumerate(self.workers)]

    async def close(self) -> None:
        """End the workers. All jobs fail."""
        loops, self.loops = self.loops, []
        for task in loops:
            task.cancel()
        await asyncio.gather(*loops, return_exceptions=True)
        while job := self.queue.pop():
            job.fail(Busy())
        for worker in self.workers:
            await worker.kill()

    def start(self, task: bytes, owner: str = "", affinity: str = "") -> Job:
        """Put a task into the queue. Tasks with the same affinity go to the same worker, if it is idle."""
        if not self.loops or len(self.queue) >= self.capacity or 2 * self.queue.count(owner) > self.capacity:
            raise Busy
        job = Job(task, owner, affinity)
        if self.queue_seconds is not None:
            job.queue_timer = asyncio.get_running_loop().call_later(self.queue_seconds, self._expire, job)
        self.queue.put(job)
        return job

    def end(self, job: Job) -> None:
        """Cancel a job, unless it has a reply already."""
        job.leave_queue()
        self.queue.discard(job)
        job.reply.cancel()

    def _expire(self, job: Job) -> None:
        self.queue.discard(job)
        job.fail(Busy())

    async def run(self, task: bytes, owner: str = "") -> Reply:
        """The reply to a task. If this coroutine is cancelled, so is the task."""
        job = self.start(task, owner)
        try:
            return await job.reply
        finally:
            self.end(job)

    async def _run_jobs(self, number: int, worker: Worker) -> None:
        """Run jobs with one worker until cancelled."""
        with suppress(OSError, TimeoutError, Lost):
            await worker.start()
        while True:
            job = await self.queue.get(self.most_per_owner, number)
            try:
                await worker.start()
                await self._run(worker, job)
            except (OSError, TimeoutError, Lost):
                self.on_restart("lost")
                await worker.kill()
                job.fail(Lost())
            finally:
                self.queue.release(job)
                job.fail(Busy())  # has an effect only if the pool is closed

    async def _run(self, worker: Worker, job: Job) -> None:
        job.leave_queue()
        running = asyncio.create_task(worker.run(job.task))
        try:
            await asyncio.wait({running, job.reply}, timeout=self.seconds, return_when=FIRST_COMPLETED)
            if running.done():
                reply = running.result()
                if not job.reply.done():
                    job.reply.set_result(reply)
                if reply.status is Status.MEMORY:  # earlier tasks may have left too much in its caches
                    self.on_restart("memory")
                    await worker.kill()
                    await worker.start()
                return
            job.fail(TooLong(self.seconds or 0))
            await worker.stop(running)
            if worker.process is None:
                self.on_restart("stuck")
            await worker.start()
        finally:
            running.cancel()


class BackgroundPool:
    """A pool for code without an event loop: a thread runs one for it."""

    def __init__(self, command: Sequence[str], size: int, first: bytes | None = None) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = Thread(target=self.loop.run_forever, daemon=True)
        self.pool = Pool(command, size, first=first)

    def __enter__(self) -> "BackgroundPool":
        self.thread.start()
        self.loop.call_soon_threadsafe(self.pool.open)
        return self

    def __exit__(self, *error: object) -> None:
        asyncio.run_coroutine_threadsafe(self.pool.close(), self.loop).result()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()

    def submit(self, task: bytes) -> "ConcurrentFuture[Reply]":
        """Start a task; the future gets its reply."""
        reply: ConcurrentFuture[Reply] = ConcurrentFuture()

        async def run() -> None:
            try:
                reply.set_result(await self.pool.run(task))
            except Exception as error:
                reply.set_exception(error)

        # The coroutine is made in the loop's thread: Ctrl-C in this one cannot leave it unawaited.
        self.loop.call_soon_threadsafe(lambda: self.loop.create_task(run()))
        return reply
