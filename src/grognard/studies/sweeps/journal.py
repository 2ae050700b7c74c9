"""The journal of a sweep: an SQLite database of its finished chunks, so that an interrupted sweep can continue.

Each chunk has a checksum over the design, the order of work, its number and its content. Chunks with a wrong checksum
are ignored.
"""

import json
import sqlite3
import weakref
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grognard.core.errors import GrognardError
from grognard.studies.sweeps.columns import Floats
from grognard.studies.sweeps.plan import Plan
from grognard.studies.sweeps.work import Packed
from grognard.work.cache import ByteCache

ENDING = ".journal"
CACHED = 64 * 1024**2
"""The size of the cache of chunks in bytes."""
TABLES = """
CREATE TABLE IF NOT EXISTS sweep
    (identity TEXT NOT NULL, chunk INTEGER NOT NULL, symbolic TEXT NOT NULL, checksum BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS chunks
    (number INTEGER PRIMARY KEY, numbers BLOB NOT NULL, texts BLOB NOT NULL, checksum BLOB NOT NULL);
"""
CORRUPT = "SQLITE_CORRUPT"
UNUSABLE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""The errors of SQLite. Python cannot decode its message if that quotes a damaged name."""
ROWS = """
SELECT CAST(number AS INTEGER), CAST(ifnull(numbers, '') AS BLOB), CAST(ifnull(texts, '') AS BLOB), checksum FROM chunks
"""


class JournalError(GrognardError):
    """A journal that cannot be used, or no longer written."""


class KnownRows(NamedTuple):
    """Some rows of the table, in its order: which are done, their cells, and what is wrong with them."""

    is_done: NDArray[np.bool_]
    cells: Floats
    faults: list[str | None]


class Journal:
    """The rows that are done so far. Without a path it is a temporary file."""

    def __init__(self, plan: Plan, path: Path | None, fresh: bool = False) -> None:
        self.path = path
        self.empty = 0
        """The number of empty rows: match-ups that are not legal or too large."""
        self._texts: dict[int, list[str]] = {}
        self._cells: ByteCache[int, Floats] = ByteCache(CACHED)
        self._width = len(plan.design.formulas) + 1
        self._database = self._open(fresh)
        self.close = weakref.finalize(self, self._database.close)  # at the latest when the journal is collected
        try:
            self.plan = self._plan(plan)
            self._is_done = np.zeros(self.plan.chunks, bool)
            self._read()
        except (*UNUSABLE, JournalError) as error:
            self.close()
            raise error if isinstance(error, JournalError) else JournalError(_explain(path, error)) from None

    def _open(self, fresh: bool) -> sqlite3.Connection:
        """A connection with an exclusive lock until it is closed."""
        database: sqlite3.Connection | None = None
        try:
            database = sqlite3.connect(self.path or "", timeout=0, isolation_level=None, check_same_thread=False)
            database.execute("PRAGMA locking_mode = EXCLUSIVE")
            database.execute("PRAGMA synchronous = NORMAL")
            drop = "DROP TABLE IF EXISTS sweep; DROP TABLE IF EXISTS chunks;" if fresh else ""
            database.executescript(f"BEGIN EXCLUSIVE; {drop} {TABLES} COMMIT")
        except UNUSABLE as error:
            if database is not None:
                database.close()
            if fresh and self.path is not None and _name(error) in ("SQLITE_NOTADB", CORRUPT):
                self.path.unlink()
                return self._open(fresh=False)
            raise JournalError(_explain(self.path, error)) from None
        return database

    def _plan(self, plan: Plan) -> Plan:
        """The plan, with the chunks and the order of work of the journal."""
        row = self._database.execute("SELECT identity, chunk, symbolic, checksum FROM sweep").fetchone()
        if row is None:
            row = plan.identity, plan.chunk, json.dumps(plan.rows.symbolic)
            self._database.execute("INSERT INTO sweep VALUES (?, ?, ?, ?)", (*row, _digest(*row)))
            return plan
        if row[0] != plan.identity:
            raise JournalError(
                f"{self.path}: has the rows of another design, or of another version of grognard; "
                "--fresh starts over without them"
            )
        if row[3] != _digest(*row[:3]):
            raise JournalError(f"{self.path}: is damaged; --fresh starts over without it")
        return plan.resume(row[1], json.loads(row[2]))

    def _read(self) -> None:
        """Find the valid chunks; the others are deleted and will be solved again."""
        damaged = []
        for number, numbers, texts, checksum in self._database.execute(ROWS):
            packed = Packed(numbers, texts)
            if number in range(self.plan.chunks) and checksum == self._checksum(number, packed):
                self._note(number, packed)
            else:
                damaged.append((number,))
        self._database.executemany("DELETE FROM chunks WHERE number = ?", damaged)

    def _checksum(self, chunk: int, packed: Packed) -> bytes:
        work = self.plan.identity, self.plan.chunk, self.plan.rows.symbolic
        return _digest(*work, chunk, len(packed.numbers), packed.numbers + packed.texts)

    @property
    def done(self) -> int:
        """The number of rows that are done."""
        return sum(last - first for first, last in map(self.plan.span, np.flatnonzero(self._is_done).tolist()))

    @property
    def example_fault(self) -> str:
        """What is wrong with one of the empty rows."""
        return self._texts[max(self._texts)][0]  # work begins with the last rows

    @property
    def chunks_left(self) -> list[int]:
        """The chunks that are not done yet."""
        return np.flatnonzero(~self._is_done).tolist()

    def add(self, chunk: int, packed: Packed) -> None:
        """Store a chunk atomically, unless it is stored already."""
        if self._is_done[chunk]:
            return
        row = (chunk, *packed, self._checksum(chunk, packed))
        before = self._database.total_changes
        try:
            self._database.execute("INSERT INTO chunks VALUES (?, ?, ?, ?)", row)
        except sqlite3.DatabaseError as error:
            raise JournalError(f"cannot be written: {error}") from None
        except KeyboardInterrupt:  # raised after the statement, when the row is usually written
            if self._database.total_changes > before:
                self._note(chunk, packed)
            raise
        self._note(chunk, packed)

    def _note(self, chunk: int, packed: Packed) -> None:
        """Remember that a chunk is done, and the faults of its rows."""
        self._is_done[chunk] = True
        if packed.texts:
            self._texts[chunk] = json.loads(packed.texts)
            self.empty += int(np.count_nonzero(np.frombuffer(packed.numbers, "<f8")[self._width - 1 :: self._width]))

    def rows(self, first: int, last: int) -> KnownRows:
        """The known cells of some rows, in the order of the table."""
        chunks, within = np.divmod(self.plan.rows.places_in_work(first, last), self.plan.chunk)
        is_done = self._is_done[chunks]
        cells = np.full((last - first, self._width), np.nan)
        for chunk in np.unique(chunks[is_done]).tolist():
            rows = chunks == chunk
            cells[rows] = self._chunk(chunk)[within[rows]]
        faults: list[str | None] = [None] * (last - first)
        for row in np.flatnonzero(is_done & (cells[:, -1] > 0)).tolist():
            faults[row] = self._texts[int(chunks[row])][int(cells[row, -1]) - 1]
        return KnownRows(is_done, cells[:, :-1], faults)

    def _chunk(self, chunk: int) -> Floats:
        cells = self._cells.get(chunk)
        if cells is None:
            numbers = self._numbers(chunk)
            cells = np.frombuffer(numbers, "<f8").reshape(-1, self._width)
            self._cells.put(chunk, cells, len(numbers))
        return cells

    def _numbers(self, chunk: int) -> bytes:
        """The numbers of a chunk that is done. In a damaged file a search may miss what a scan has found."""
        try:
            row = self._database.execute(f"{ROWS} WHERE number = ?", (chunk,)).fetchone()
        except UNUSABLE as error:
            raise JournalError(_explain(self.path, error)) from None
        if row is None or row[3] != self._checksum(chunk, packed := Packed(*row[1:3])):
            raise JournalError(f"{self.path}: is damaged; --fresh starts over without it")
        return packed.numbers

    def delete(self) -> None:
        """Delete the file, once a table has all its rows or if no row is done."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def _digest(*parts: object) -> bytes:
    return sha256(repr(parts).encode()).digest()


def _name(error: Exception) -> str:
    """SQLite's name of an error."""
    return CORRUPT if isinstance(error, UnicodeDecodeError) else getattr(error, "sqlite_errorname", "")


def _explain(path: Path | None, error: Exception) -> str:
    name = _name(error)
    if name == "SQLITE_NOTADB":
        return f"{path}: is not the journal of a sweep; move it away"
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"{path}: another sweep is at work on it"
    if name.startswith(CORRUPT):
        return f"{path}: is damaged; --fresh starts over without it"
    return f"{path or 'the journal'}: cannot be written: {error}"
