"""One chunk of work, wherever it is done: row numbers in, packed cells out."""

import json
from collections.abc import Generator, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from grognard.studies.sweeps.matchups import Solved, Solver
from grognard.studies.sweeps.plan import Plan, solver_from
from grognard.studies.sweeps.rows import Rows

ALIGNED = 8
"""Parts of a journal begin at multiples of so many bytes."""


class Packed(NamedTuple):
    """Cells as numbers, with one more column for the fault; and the texts of these, as JSON."""

    numbers: bytes
    texts: bytes


def pack(solved: Solved) -> Packed:
    """The cells of a chunk as bytes, the same on every machine."""
    texts = list(dict.fromkeys(solved.faults.values()))
    faults = np.zeros((len(solved.cells), 1))
    for row, text in solved.faults.items():
        faults[row] = texts.index(text) + 1
    numbers = np.hstack([solved.cells, faults]).astype("<f8").tobytes()
    said = json.dumps(texts).encode() if texts else b""
    return Packed(numbers, said + b" " * (-len(said) % ALIGNED))


def work_out(told: str, rows: bytes) -> Packed:
    """The cells of these rows of a plan."""
    solver, grid = _solver(told)
    return pack(solver.solve(grid.levels(np.frombuffer(rows, "<i8"))))


@lru_cache(maxsize=2)
def _solver(told: str) -> tuple[Solver, Rows]:
    return solver_from(told)


def task(plan: Plan, chunk: int) -> bytes:
    """The rows of a chunk, for whoever works them out."""
    return plan.rows.work(*plan.span(chunk)).astype("<i8").tobytes()


Results = Generator[tuple[int, Packed], None, None]
"""Chunks as they are done."""


def here(plan: Plan, chunks: Iterator[int]) -> Results:
    """All chunks one after the other, in this process."""
    for chunk in chunks:
        yield chunk, work_out(plan.told, task(plan, chunk))
