"""Whatever was acknowledged survives `kill -9`."""

import random
import sqlite3
import time
from contextlib import closing
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from grognard.server.live.store import Record, Store
from tests.server.live.processes import BATTLE, FORKS, write
from tests.server.running import PATIENCE
from tests.soak import FACTOR, count, trying

KILLS = 10 if FACTOR == 1 else 100 * FACTOR


def last_told(told: Connection) -> int:
    """The last number that was told in full."""
    number = 0
    while True:
        try:
            number = told.recv()
        except (EOFError, OSError):  # OSError: in the middle of one
            return number


@pytest.mark.soak("kill -9 of a writing process")
def test_kills_in_the_middle_of_writes_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    file = tmp_path / "battles.sqlite3"
    store = Store(f"sqlite:///{file}")
    store.migrate()
    store.open_battle(Record(BATTLE, BATTLE, 0, {}, {}, None, {"red": "0" * 64}))
    moments = random.Random(9)
    before = 0
    for _ in trying(range(KILLS)):
        told, telling = FORKS.Pipe(duplex=False)
        process = FORKS.Process(target=write, args=(f"sqlite:///{file}", telling))
        process.start()
        telling.close()
        assert told.poll(PATIENCE), "nothing was written"
        time.sleep(moments.uniform(0, 0.03))
        process.kill()
        count(faults=1)
        process.join()
        with told:
            acknowledged = last_told(told)
        stored = [entry.number for entry in store.entries(BATTLE)]
        assert list(range(1, len(stored) + 1)) == stored
        assert before < acknowledged <= len(stored) <= acknowledged + 1  # the last may be there, and not told yet
        before = acknowledged
    store.close()
    with closing(sqlite3.connect(file)) as connection:
        assert [("ok",)] == connection.execute("PRAGMA integrity_check").fetchall()
