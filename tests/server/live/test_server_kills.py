"""Whatever a server acknowledged is there when it comes back, however it or its database ended."""

import random
import secrets
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.process import BaseProcess

import httpx
import pytest

from grognard.core.systems import Json
from tests.postgres import Postgres, new_database
from tests.server.live.processes import FORKS, serve
from tests.server.live.servers import Running, Table, battle
from tests.server.running import PATIENCE
from tests.soak import FACTOR, count, trying

KILLS = 2 if FACTOR == 1 else 50
"""Each time."""
CRASHES = 5
"""PostgreSQL itself ends as well every so many times."""
TABLES = 4
BATTLE = battle("tower", "02")


class Players:
    """Players at one table after the other, and what the server has acknowledged."""

    def __init__(self, server: Running) -> None:
        self.server = server
        self.acknowledged: dict[str, tuple[Table, int]] = {}
        self.answered = threading.Event()

    def play(self) -> None:
        """Act until the server is gone."""
        with suppress(httpx.HTTPError, OSError, AssertionError):
            while True:
                table = self.server.open(BATTLE)
                for side in table.sides:
                    state = self.act(table, side, "numbers", {"number": "7"})
                while question := state["question"]:
                    is_roll = question["kind"] == "roll"
                    answer = {"roll": "fair"} if is_roll else {"choose": question["options"][0]["id"]}
                    side = table.sides[0] if is_roll else question["side"]
                    state = self.act(table, side, "answers", {"number": state["number"], **answer})
                    self.answered.set()

    def act(self, table: Table, side: str, what: str, body: Json) -> Json:
        """Do something, and note that it was acknowledged."""
        state: Json = table.post(side, what, body).raise_for_status().json()
        self.acknowledged[table.id] = table, state["entries"]
        return state


@contextmanager
def serving(database: str) -> Iterator[tuple[Running, BaseProcess]]:
    """A server in a process of its own."""
    told, telling = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=serve, args=(database, telling))
    process.start()
    telling.close()
    with told:
        assert told.poll(PATIENCE), "no server"
        server = Running(told.recv(), database)
    try:
        yield server, process
    finally:
        process.kill()
        process.join()
        server.client.close()


def play_and_kill(server: Running, process: BaseProcess, crash: Postgres | None) -> Players:
    """Have players act, and kill the server in the middle; perhaps its database has just crashed."""
    with ThreadPoolExecutor(TABLES) as threads:
        players = Players(server)
        for _ in range(TABLES):
            threads.submit(players.play)
        assert players.answered.wait(PATIENCE), "no answer was acknowledged"
        time.sleep(random.uniform(0, 0.3))
        if crash is not None:
            crash.crash()
            count(faults=1)
        process.kill()
        count(faults=1)
    return players


def kill_again_and_again(database: str, postgres: Postgres | None = None) -> None:
    """Kill one server after the other; each must know all that the one before it acknowledged."""
    acknowledged: dict[str, tuple[Table, int]] = {}
    for kill in (*trying(range(KILLS)), None):
        with serving(database) as (server, process):
            for table, entries in acknowledged.values():
                # the last need not have been acknowledged
                assert entries <= table.at(server).state()["entries"] <= entries + 1
            if kill is not None:
                crash = None if kill % CRASHES else postgres
                acknowledged = play_and_kill(server, process, crash).acknowledged


@pytest.mark.soak("kill -9 of a server that players play at", again=True)
def test_a_killed_server_has_lost_nothing_that_it_acknowledged(sqlite_database: str) -> None:
    kill_again_and_again(sqlite_database)


@pytest.mark.soak("kill -9 of a server that players play at, and crashes of its PostgreSQL", again=True)
def test_nor_has_a_database_server_that_ends_with_it(postgres: Postgres) -> None:
    kill_again_and_again(new_database(postgres, f"kills_{secrets.token_hex(4)}"), postgres)
