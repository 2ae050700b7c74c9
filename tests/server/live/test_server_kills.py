"""Whatever a server acknowledged is there when it comes back, however it or its database ended."""

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import httpx
import pytest

from tests.postgres import Postgres, new_database
from tests.server.live.servers import Running, Table, battle, serving_apart
from tests.server.running import PATIENCE
from tests.soak import FACTOR, count, trying

KILLS = 1 if FACTOR == 1 else 50 * FACTOR
"""Of each kind of database."""
CRASHES = 5
"""PostgreSQL itself ends as well every so many times."""
TABLES = 4
BATTLE = battle("tower", "02")


class Players:
    """Players at one table after the other, and what the server has acknowledged."""

    def __init__(self, server: Running) -> None:
        self.server = server
        self.acknowledged: dict[str, tuple[Table, int]] = {}
        self.begun = threading.Event()

    def play(self) -> None:
        """Act until the server is gone."""
        with suppress(httpx.HTTPError, OSError, AssertionError):
            client = self.server.client
            while True:
                table = self.server.open(BATTLE)
                for number in range(30):  # a number may be changed twenty times
                    headers = {"Authorization": f"Bearer {table.keys[table.sides[number % 2]]}"}
                    address, body = f"/api/battles/{table.id}/numbers", {"number": str(number)}
                    entries = client.post(address, headers=headers, json=body).raise_for_status().json()["entries"]
                    self.acknowledged[table.id] = table, entries
                    self.begun.set()


def kill_and_compare(database: str, kill: int, crash: Postgres | None) -> None:
    """Have players act, kill the server in the middle, and see at another one that nothing is lost."""
    with serving_apart(database) as (server, process), ThreadPoolExecutor(TABLES) as threads:
        players = Players(server)
        for _ in range(TABLES):
            threads.submit(players.play)
        assert players.begun.wait(PATIENCE), "nothing was acknowledged"
        time.sleep(random.Random(kill).uniform(0, 0.3))
        process.kill()
        count(faults=1)
    if crash is not None:
        crash.crash()
        count(faults=1)
    with serving_apart(database) as (server, _):
        for table, entries in players.acknowledged.values():
            assert entries <= table.at(server).state()["entries"] <= entries + 1  # the last need not be acknowledged


@pytest.mark.soak("kill -9 of a server that players play at")
def test_a_killed_server_has_lost_nothing_that_it_acknowledged(sqlite_database: str) -> None:
    for kill in trying(range(KILLS)):
        kill_and_compare(sqlite_database, kill, None)


@pytest.mark.soak("kill -9 of a server that players play at")
def test_nor_has_a_database_server_that_ends_with_it(postgres: Postgres) -> None:
    database = new_database(postgres, "kills")
    for kill in trying(range(KILLS)):
        kill_and_compare(database, kill, None if kill % CRASHES else postgres)
