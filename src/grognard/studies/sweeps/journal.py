"""The journal of a sweep: chunks of rows as they are done, only ever added to, so that nothing done is lost.

A file of 8-byte words: a line of JSON that says whose rows these are, then a record for each chunk. A record that was
cut short, by a crash or a full disk, is not there.
"""

import json
import os
import struct
import tempfile
import weakref
from pathlib import Path
from typing import BinaryIO, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from grognard.core.errors import GrognardError
from grognard.core.systems import Json
from grognard.studies.sweeps.plan import Plan
from grognard.studies.sweeps.rolls import Floats
from grognard.studies.sweeps.work import ALIGNED, Packed

ENDING = ".journal"
_RECORD = struct.Struct("<8sQQQQ")
"""A mark, the chunk, the bytes of its numbers and of its texts, and a checksum of both."""
_MARK = b"a chunk\n"


class JournalError(GrognardError):
    """A journal that cannot be used, or cannot be written any further."""


class Known(NamedTuple):
    """Some rows of the table, in its order: which are done, their cells, and what is wrong with them."""

    is_done: NDArray[np.bool_]
    cells: Floats
    faults: list[str | None]


class Journal:
    """The rows that are done so far. Without a path it is kept in a file that nobody else sees."""

    def __init__(self, plan: Plan, path: Path | None, fresh: bool = False) -> None:
        self.path = path
        self._texts: dict[int, list[str]] = {}
        self.empty = 0
        """How many rows are empty, since they are no battle that can be worked out."""
        self._file = self._open(fresh)
        self.close = weakref.finalize(self, self._file.close)  # at the latest when nobody needs it any more
        try:
            head = self._head(plan)
            self.plan = plan if head is None else plan.goes_on(head["chunk"], head["unseen"])
            self._width = len(plan.question.formulas) + 1
            self._starts = np.full(self.plan.chunks, -1, np.int64)
            self._end = self._begin() if head is None else self._read()
        except BaseException:
            self.close()
            raise

    def _open(self, fresh: bool) -> BinaryIO:
        if self.path is None:
            return tempfile.TemporaryFile(buffering=0)
        file = self.path.open("a+b", buffering=0)
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # a system without such locks
            pass
        except OSError:
            file.close()
            raise JournalError(f"{self.path}: another sweep is at work on it") from None
        if fresh:
            file.truncate(0)
        return file

    def _head(self, plan: Plan) -> Json | None:
        """What the journal says of itself; None if it is new."""
        self._file.seek(0)
        first = self._file.read(100_000).partition(b"\n")
        if not first[1]:
            return None
        try:
            head: Json = json.loads(first[0])
            identity = head["sweep"]
        except (ValueError, KeyError, TypeError):
            raise JournalError(f"{self.path}: is no journal of a sweep; move it away") from None
        if identity != plan.identity:
            raise JournalError(
                f"{self.path}: keeps the rows of another design, or of another version of grognard; "
                "--fresh begins anew without them"
            )
        return head

    def _begin(self) -> int:
        head = {"sweep": self.plan.identity, "chunk": self.plan.chunk, "unseen": self.plan.rows.unseen}
        line = json.dumps(head).encode()
        self._file.truncate(0)
        return self._write(0, line + b" " * (-(len(line) + 1) % ALIGNED) + b"\n")

    def _read(self) -> int:
        """Find the records that are whole; whatever follows them is cut off."""
        self._file.seek(0)
        at = len(self._file.readline())
        while record := self._whole_record(at):
            chunk, packed, end = record
            self._starts[chunk] = at + _RECORD.size
            self._note(chunk, packed)
            at = end
        self._file.truncate(at)
        return at

    def _whole_record(self, at: int) -> tuple[int, Packed, int] | None:
        self._file.seek(at)
        head = self._file.read(_RECORD.size)
        if len(head) < _RECORD.size:
            return None
        mark, chunk, length, said, checksum = _RECORD.unpack(head)
        if mark != _MARK or chunk >= self.plan.chunks or length + said > os.fstat(self._file.fileno()).st_size:
            return None
        numbers, texts = self._file.read(length), self._file.read(said)
        if crc32(numbers + texts) != checksum:
            return None
        return chunk, Packed(numbers, texts), at + _RECORD.size + length + said

    @property
    def done(self) -> int:
        """How many rows are done."""
        return sum(last - first for first, last in map(self.plan.span, np.flatnonzero(self._starts >= 0).tolist()))

    @property
    def a_fault(self) -> str:
        """What is wrong with one of the empty rows."""
        return self._texts[max(self._texts)][0]  # work begins with the last rows

    @property
    def left(self) -> list[int]:
        """The chunks that are not done yet."""
        return np.flatnonzero(self._starts < 0).tolist()

    def add(self, chunk: int, packed: Packed) -> None:
        """Keep a chunk. One that is there already is not kept twice."""
        if self._starts[chunk] >= 0:
            return
        checksum = crc32(packed.numbers + packed.texts)
        record = _RECORD.pack(_MARK, chunk, len(packed.numbers), len(packed.texts), checksum)
        start = self._end + _RECORD.size
        self._end = self._write(self._end, record + packed.numbers + packed.texts)
        self._starts[chunk] = start
        self._note(chunk, packed)

    def _note(self, chunk: int, packed: Packed) -> None:
        """Remember what is wrong with the rows of a chunk."""
        if packed.texts:
            self._texts[chunk] = json.loads(packed.texts)
            self.empty += int(np.count_nonzero(np.frombuffer(packed.numbers, "<f8")[self._width - 1 :: self._width]))

    def _write(self, at: int, content: bytes) -> int:
        """Add to the end, whole or not at all; tells where the end is then."""
        written = 0
        try:
            while written < len(content):
                written += self._file.write(content[written:]) or 0
        except BaseException:
            self._file.truncate(at)
            raise
        return at + len(content)

    def known(self, first: int, last: int) -> Known:
        """What is known of rows, counted in the order of the table."""
        chunks, within = np.divmod(self.plan.rows.turns(first, last), self.plan.chunk)
        starts = self._starts[chunks]
        is_done = starts >= 0
        cells = np.full((last - first, self._width), np.nan)
        if is_done.any():
            words = np.memmap(self._file, "<f8", "r", shape=(self._end // ALIGNED,))
            first_words = starts[is_done] // ALIGNED + within[is_done] * self._width
            cells[is_done] = words[first_words[:, None] + np.arange(self._width)]
        faults: list[str | None] = [None] * (last - first)
        for row in np.flatnonzero(is_done & (cells[:, -1] > 0)).tolist():
            faults[row] = self._texts[int(chunks[row])][int(cells[row, -1]) - 1]
        return Known(is_done, cells[:, :-1], faults)

    def forget(self) -> None:
        """Nobody else needs to see it any more: the table has everything that is in it, or there is nothing."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
