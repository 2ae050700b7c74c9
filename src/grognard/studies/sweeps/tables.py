"""The table of a sweep: a row for each match-up, with what varies, the measures, and why a row is empty."""

import csv
import io
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np

from grognard.core.errors import GrognardError
from grognard.files.messages import unknown_name
from grognard.studies.sweeps.factors import Cell
from grognard.studies.sweeps.journal import Journal
from grognard.studies.sweeps.rolls import Floats
from grognard.studies.sweeps.rows import Numbers
from grognard.words.tables import needed

if TYPE_CHECKING:
    from pandas import DataFrame
    from pyarrow import Table as ArrowTable

ENDINGS = (".parquet", ".csv", ".json")
BLOCK = 8_192
"""So many rows are in memory at a time."""
SHOWN = 20

Row = tuple[Cell, ...]


class Block(NamedTuple):
    """Some rows, column by column."""

    varying: list[tuple[list[Cell], Numbers]]
    """What varies: the cells that there are, and which of them each row has."""
    measured: Floats
    faults: list[str | None]

    @property
    def rows(self) -> Iterator[Row]:
        """Row by row."""
        varying: list[list[Cell]] = [[cells[pick] for pick in picks.tolist()] for cells, picks in self.varying]
        measured: list[list[Cell]] = [
            [None if cell != cell else cell for cell in column] for column in self.measured.T.tolist()
        ]
        return zip(*varying, *measured, self.faults, strict=True)


class Table:
    """The rows of a sweep that are done, in the order of the design."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.plan = journal.plan
        self.columns = self.plan.columns

    def __len__(self) -> int:
        return self._journal.done

    @property
    def empty(self) -> tuple[int, str]:
        """How many rows are empty, and why one of them is."""
        return self._journal.empty, self._journal.a_fault if self._journal.empty else ""

    def blocks(self) -> Iterator[Block]:
        """All rows, some at a time."""
        rows, factors = self.plan.rows, self.plan.question.factors
        for first in range(0, len(rows), BLOCK):
            last = min(first + BLOCK, len(rows))
            known = self._journal.known(first, last)
            if not known.is_done.any():
                continue
            varying: list[tuple[list[Cell], Numbers]] = []
            for factor, levels in zip(factors, rows.levels(rows.numbered(first, last)[known.is_done]), strict=True):
                found, picks = np.unique(levels, return_inverse=True)
                cells = [factor.levels[level].cells for level in found.tolist()]
                varying += [([cell[place] for cell in cells], picks) for place in range(len(factor.columns))]
            faults = [fault for fault, is_done in zip(known.faults, known.is_done, strict=True) if is_done]
            yield Block(varying, known.cells[known.is_done], faults)

    @property
    def rows(self) -> Iterator[Row]:
        """All rows."""
        return (row for block in self.blocks() for row in block.rows)

    @property
    def records(self) -> Iterator[dict[str, Cell]]:
        """All rows, by the names of their columns."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def to_arrow(self) -> "ArrowTable":
        """The table as Arrow has it."""
        schema = _schema(self)
        return arrow().Table.from_batches([_batch(block, schema) for block in self.blocks()], schema)

    def to_pandas(self) -> "DataFrame":
        """The table as pandas has it."""
        return needed("pandas", "pandas").DataFrame(list(self.rows), columns=self.columns)

    def write(self, path: str | Path) -> None:
        """Write the table as Parquet, CSV or JSON by the file's ending, whole or not at all."""
        write = _WRITERS.get(Path(path).suffix.lower())
        if write is None:
            raise GrognardError(f"cannot write {path}: {unknown_name('file ending', Path(path).suffix, ENDINGS)}")
        target = Path(os.path.realpath(path))
        beside = target.with_name(f".{os.urandom(8).hex()}.new")
        try:
            with beside.open("xb") as file:
                write(self, file)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(target)
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)

    def _repr_html_(self) -> str:
        from grognard.studies.sweeps.pages import page_of

        return page_of(self)

    def forget(self) -> None:
        """Nobody else needs to see what the table is read from."""
        self._journal.forget()

    def close(self) -> None:
        """Let go of what the table is read from."""
        self._journal.close()


def arrow() -> Any:
    """Arrow, or how to get it."""
    return needed("pyarrow", "grognard[tables]")


def _write_csv(table: Table, file: BinaryIO) -> None:
    text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    for block in table.blocks():
        writer.writerows([[_in_csv(cell) for cell in row] for row in block.rows])
    text.detach()


def _in_csv(cell: Cell) -> Cell:
    return {True: "true", False: "false"}[cell] if isinstance(cell, bool) else cell


def _write_json(table: Table, file: BinaryIO) -> None:
    before = "[\n"
    for record in table.records:
        file.write((before + json.dumps(record, ensure_ascii=False)).encode())
        before = ",\n"
    file.write(b"\n]\n" if before != "[\n" else b"[]\n")


def _write_parquet(table: Table, file: BinaryIO) -> None:
    schema = _schema(table)
    with needed("pyarrow.parquet", "grognard[tables]").ParquetWriter(file, schema) as writer:
        for block in table.blocks():
            writer.write_batch(_batch(block, schema))


_WRITERS = {".csv": _write_csv, ".json": _write_json, ".parquet": _write_parquet}


def _schema(table: Table) -> Any:
    """Numbers as such where a column has nothing else; measures are floating point numbers."""
    pa = arrow()
    kinds: list[Any] = []
    for factor in table.plan.question.factors:
        levels = factor.levels if len(factor.levels) <= BLOCK else (factor.levels[0], factor.levels[-1])
        for place in range(len(factor.columns)):
            found = {type(level.cells[place]) for level in levels}
            kinds.append({frozenset([int]): pa.int64(), frozenset([bool]): pa.bool_()}.get(frozenset(found)))
    kinds = [kind or pa.string() for kind in kinds]
    kinds += [pa.float64()] * len(table.plan.question.formulas) + [pa.string()]
    return pa.schema(list(zip(table.columns, kinds, strict=True)))


def _batch(block: Block, schema: Any) -> Any:
    pa = arrow()
    kinds = list(schema.types)
    arrays = []
    for (found, picks), kind in zip(block.varying, kinds, strict=False):
        cells: list[Cell] = found
        if kind == pa.string():
            cells = [cell if cell is None or isinstance(cell, str) else json.dumps(cell) for cell in found]
        arrays.append(pa.array(cells, kind).take(pa.array(picks)))
    arrays += [pa.array(column, pa.float64(), from_pandas=True) for column in block.measured.T]
    return pa.record_batch([*arrays, pa.array(block.faults, pa.string())], schema=schema)
