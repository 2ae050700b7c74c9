"""The table of a sweep: a row for each match-up, with its levels, its measures, and why it is empty, if it is."""

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
from grognard.core.lazy import NotebookDisplay, Plottable, require_library
from grognard.files.messages import unknown_name
from grognard.studies.sweeps.columns import Floats, Integers
from grognard.studies.sweeps.factors import Cell
from grognard.studies.sweeps.journal import Journal

if TYPE_CHECKING:
    from pandas import DataFrame
    from pyarrow import Table as ArrowTable

ENDINGS = (".parquet", ".csv", ".json")
BLOCK = 8_192
"""The number of rows in memory at a time."""

Row = tuple[Cell, ...]


class Block(NamedTuple):
    """Some rows, column by column."""

    varying: list[tuple[list[Cell], Integers]]
    """For each column of a factor: its distinct cells, and the index of the cell of each row."""
    measures: Floats
    faults: list[str | None]

    @property
    def rows(self) -> Iterator[Row]:
        """Row by row."""
        varying: list[list[Cell]] = [[cells[pick] for pick in picks.tolist()] for cells, picks in self.varying]
        measures: list[list[Cell]] = [
            [None if cell != cell else cell for cell in column] for column in self.measures.T.tolist()
        ]
        return zip(*varying, *measures, self.faults, strict=True)


class Table(NotebookDisplay, Plottable):
    """The finished rows of a sweep, in the order of the design."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self.plan = journal.plan
        self.columns = self.plan.columns

    def __len__(self) -> int:
        return self._journal.done

    @property
    def empty(self) -> tuple[int, str]:
        """The number of empty rows, and the fault of one of them."""
        return self._journal.empty, self._journal.example_fault if self._journal.empty else ""

    def blocks(self) -> Iterator[Block]:
        """All rows, in blocks."""
        rows, factors = self.plan.rows, self.plan.design.factors
        for first in range(0, len(rows), BLOCK):
            last = min(first + BLOCK, len(rows))
            known = self._journal.rows(first, last)
            if not known.is_done.any():
                continue
            varying: list[tuple[list[Cell], Integers]] = []
            for factor, levels in zip(factors, rows.levels(rows.numbers(first, last)[known.is_done]), strict=True):
                different, picks = np.unique(levels, return_inverse=True)
                cells = [factor.levels[level].cells for level in different.tolist()]
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
        """The table as an Arrow table."""
        schema = _schema(self)
        return require_arrow().Table.from_batches([_batch(block, schema) for block in self.blocks()], schema)

    def to_pandas(self) -> "DataFrame":
        """The table as a DataFrame."""
        return require_library("pandas", "pandas").DataFrame(list(self.rows), columns=self.columns)

    def write(self, path: str | Path) -> None:
        """Write the table as Parquet, CSV or JSON by the file's ending, atomically."""
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

    def delete(self) -> None:
        """Delete the journal that the table is read from."""
        self._journal.delete()

    def close(self) -> None:
        """Close the journal that the table is read from."""
        self._journal.close()


def require_arrow() -> Any:
    return require_library("pyarrow", "grognard[tables]")


def _write_csv(table: Table, file: BinaryIO) -> None:
    text = io.TextIOWrapper(file, "utf-8", newline="", write_through=True)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([_csv_cell(column) for column in table.columns])
    for block in table.blocks():
        writer.writerows([[_csv_cell(cell) for cell in row] for row in block.rows])
    text.detach()


def _csv_cell(cell: Cell) -> Cell:
    """A cell for spreadsheets: text that they would run as a formula gets an apostrophe before it."""
    if isinstance(cell, bool):
        return {True: "true", False: "false"}[cell]
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def _write_json(table: Table, file: BinaryIO) -> None:
    before = "[\n"
    for record in table.records:
        file.write((before + json.dumps(record, ensure_ascii=False)).encode())
        before = ",\n"
    file.write(b"\n]\n" if before != "[\n" else b"[]\n")


def _write_parquet(table: Table, file: BinaryIO) -> None:
    schema = _schema(table)
    with require_library("pyarrow.parquet", "grognard[tables]").ParquetWriter(file, schema) as writer:
        for block in table.blocks():
            writer.write_batch(_batch(block, schema))


_WRITERS = {".csv": _write_csv, ".json": _write_json, ".parquet": _write_parquet}


def _schema(table: Table) -> Any:
    """The Arrow schema: factors of whole numbers or truth values have that type, other factors are strings."""
    pa = require_arrow()
    kinds: list[Any] = []
    for factor in table.plan.design.factors:
        levels = factor.levels if len(factor.levels) <= BLOCK else (factor.levels[0], factor.levels[-1])
        for place in range(len(factor.columns)):
            types = frozenset(type(level.cells[place]) for level in levels)
            kinds.append({frozenset([int]): pa.int64(), frozenset([bool]): pa.bool_()}.get(types))
    kinds = [kind or pa.string() for kind in kinds]
    kinds += [pa.float64()] * len(table.plan.design.formulas) + [pa.string()]
    return pa.schema(list(zip(table.columns, kinds, strict=True)))


def _batch(block: Block, schema: Any) -> Any:
    pa = require_arrow()
    kinds = list(schema.types)
    arrays = []
    for (cells, picks), kind in zip(block.varying, kinds, strict=False):
        if kind == pa.string():
            cells = [cell if cell is None or isinstance(cell, str) else json.dumps(cell) for cell in cells]
        arrays.append(pa.array(cells, kind).take(pa.array(picks)))
    arrays += [pa.array(column, pa.float64(), from_pandas=True) for column in block.measures.T]
    return pa.record_batch([*arrays, pa.array(block.faults, pa.string())], schema=schema)
