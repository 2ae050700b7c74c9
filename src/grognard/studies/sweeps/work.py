"""Chunks of work, from row numbers to packed cells, in this process or in worker processes."""

import json
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from functools import lru_cache
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

import numpy as np

from grognard.core.errors import GrognardError
from grognard.core.systems import Json
from grognard.studies.sweeps.matchups import Cells, MatchUpSolver
from grognard.studies.sweeps.plan import Plan, Rows, solver_from_json
from grognard.work.pool import BackgroundPool, Lost, Reply, request, worker_command
from grognard.work.worker import Progress, Status

TRIES = 3
"""The number of tries for a chunk whose process dies."""
AHEAD = 2
"""The number of chunks submitted for each process, so that it never has to wait."""


class Packed(NamedTuple):
    """Cells as bytes of numbers, with one more column for the index of the fault, and the faults as JSON."""

    numbers: bytes
    texts: bytes


Results = Generator[tuple[int, Packed], None, None]
"""Chunks with their packed cells, in the order in which they are done."""


def pack(solved: Cells) -> Packed:
    """The cells of a chunk as bytes, the same on every machine."""
    texts = list(dict.fromkeys(solved.faults.values()))
    faults = np.zeros((len(solved.cells), 1))
    for row, text in solved.faults.items():
        faults[row] = texts.index(text) + 1
    numbers = np.hstack([solved.cells, faults]).astype("<f8").tobytes()
    return Packed(numbers, json.dumps(texts).encode() if texts else b"")


def solve_rows(plan: str, rows: bytes) -> Packed:
    """The cells of these rows of a plan."""
    solver, grid = _solver(plan)
    return pack(solver.solve(grid.levels(np.frombuffer(rows, "<i8"))))


@lru_cache(maxsize=2)
def _solver(plan: str) -> tuple[MatchUpSolver, Rows]:
    return solver_from_json(plan)


def task(plan: Plan, chunk: int) -> bytes:
    """The numbers of the rows of a chunk, packed for the process that solves them."""
    return plan.rows.in_work_order(*plan.span(chunk)).astype("<i8").tobytes()


def solve_in_process(plan: Plan, chunks: Iterator[int]) -> Results:
    for chunk in chunks:
        yield chunk, solve_rows(plan.as_json, task(plan, chunk))


_plans: dict[str, str] = {}
"""In a worker: the plans that it has received, by their digests."""


def _receive_plan(about: Json, progress: Progress) -> Json:
    digest = sha256(about["plan"].encode()).hexdigest()
    _plans[digest] = about["plan"]
    return {"plan": digest}


def _solve_chunk(about: Json, progress: Progress) -> Json:
    numbers, texts = solve_rows(_plans[about["plan"]], b64decode(about["rows"]))
    return {"numbers": b64encode(numbers).decode(), "texts": texts.decode()}


TASKS = {"plan": _receive_plan, "chunk": _solve_chunk}


def solve_in_workers(plan: Plan, chunks: Iterator[int], workers: int) -> Results:
    """All chunks, solved by this number of processes. A process that dies is replaced, and its chunk solved again."""
    first = request("plan", {"plan": plan.as_json})
    digest = sha256(plan.as_json.encode()).hexdigest()
    deaths: Counter[int] = Counter()
    with BackgroundPool(worker_command(__name__), workers, first=first) as pool:
        running: dict[Future[Reply], int] = {}

        def submit(chunk: int) -> None:
            rows = b64encode(task(plan, chunk)).decode()
            running[pool.submit(request("chunk", {"plan": digest, "rows": rows}))] = chunk

        for chunk in islice(chunks, AHEAD * workers):
            submit(chunk)
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                chunk = running.pop(future)
                if isinstance(future.exception(), Lost):
                    deaths[chunk] += 1
                    if deaths[chunk] >= TRIES:
                        message = f"{TRIES} processes in a row died on the same {plan.chunk} match-ups"
                        raise GrognardError(message)
                    submit(chunk)
                    continue
                yield chunk, _packed(future.result())
                for further in islice(chunks, 1):
                    submit(further)


def _packed(reply: Reply) -> Packed:
    data = reply.to_dict()
    if reply.status is not Status.DONE:
        raise GrognardError(f"a worker broke: {data['faults'][0]['message']}")
    return Packed(b64decode(data["numbers"]), data["texts"].encode())
