"""Many processes on this machine, each with a chunk at a time; one that dies is replaced, and its chunk done again."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from queue import Queue
from threading import Lock, Thread

from grognard.core.errors import GrognardError
from grognard.studies.sweeps.plan import Plan
from grognard.studies.sweeps.work import Packed, Results, task

WORKER = "grognard.studies.sweeps.worker"
TRIES = 3
"""A chunk on which so many processes die is given up."""


class Died(Exception):
    """The process is gone."""


class Worker:
    """One process."""

    def __init__(self, told: str) -> None:
        quiet = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # the processes are all the threads there need be
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | quiet,
            start_new_session=True,  # Ctrl-C is for us to handle
        )
        self._told = told.encode()

    def work_out(self, rows: bytes) -> Packed:
        """Ask for a chunk, and wait for it."""
        assert self.process.stdin
        assert self.process.stdout
        try:
            if self._told:
                self.process.stdin.write(b"%d\n%b" % (len(self._told), self._told))
                self._told = b""
            self.process.stdin.write(b"%d\n%b" % (len(rows), rows))
            self.process.stdin.flush()
        except OSError as error:
            raise Died from error
        lengths = [int(length) for length in self.process.stdout.readline().split()]
        parts = [self.process.stdout.read(length) for length in lengths if length >= 0]
        if not lengths or sum(map(len, parts)) < sum(length for length in lengths if length >= 0):
            raise Died
        if lengths[0] < 0:
            raise GrognardError(f"a worker broke: {parts[0].decode().strip()}")
        return Packed(*parts)

    def end(self) -> None:
        """End the process, whatever it is at."""
        self.process.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with suppress(OSError):  # it may still hold part of a question
                    pipe.close()
        self.process.wait()


class Pool:
    """The processes, and a thread for each that asks and waits."""

    def __init__(self, plan: Plan, chunks: Iterator[int], workers: int) -> None:
        self.plan, self.chunks = plan, chunks
        self.answers: Queue[tuple[int, Packed] | Exception | None] = Queue(maxsize=2 * workers)
        self.died: Counter[int] = Counter()
        self.lock = Lock()
        self.is_ended = False
        self.workers = [Worker(plan.told) for _ in range(workers)]
        self.threads = [Thread(target=self._ask, args=(number,), daemon=True) for number in range(workers)]

    def results(self) -> Results:
        """The chunks as they are done."""
        try:
            for thread in self.threads:
                thread.start()
            running = len(self.threads)
            while running:
                answer = self.answers.get()
                if isinstance(answer, Exception):
                    raise answer
                if answer is None:
                    running -= 1
                else:
                    yield answer
        finally:
            self.end()

    def end(self) -> None:
        """Stop at once."""
        self.is_ended = True
        with self.lock:
            for worker in self.workers:
                worker.process.kill()
        while any(thread.is_alive() for thread in self.threads):
            while not self.answers.empty():
                self.answers.get_nowait()
            for thread in self.threads:
                if thread.is_alive():
                    thread.join(0.01)
        for worker in self.workers:
            worker.end()

    def _ask(self, number: int) -> None:
        """Ask one process for one chunk after the other."""
        try:
            while not self.is_ended and (chunk := self._next()) is not None:
                self.answers.put((chunk, self._surely(number, chunk)))
            self.answers.put(None)
        except Exception as error:
            if not self.is_ended:
                self.answers.put(error)

    def _next(self) -> int | None:
        with self.lock:
            return next(self.chunks, None)

    def _surely(self, number: int, chunk: int) -> Packed:
        """A chunk, from as many processes as it takes."""
        rows = task(self.plan, chunk)
        while True:
            try:
                return self.workers[number].work_out(rows)
            except Died:
                self._replace(number, chunk)

    def _replace(self, number: int, chunk: int) -> None:
        with self.lock:
            if self.is_ended:
                raise Died
            self.workers[number].end()
            self.died[chunk] += 1
            if self.died[chunk] >= TRIES:
                raise GrognardError(
                    f"{TRIES} processes died one after the other on the same {self.plan.chunk} match-ups"
                )
            self.workers[number] = Worker(self.plan.told)


def in_processes(plan: Plan, chunks: Iterator[int], workers: int) -> Results:
    """All chunks, by so many processes."""
    return Pool(plan, chunks, workers).results()
