"""`python -m bench.live [--record]`: 200 live battles at once, with and without a hostile client.

A part of `make soak`. Players do what the page does: each listens to the table all the time, and answers on a second
connection. Each has an address of its own (all of 127.0.0.0/8 is this machine), so that the server can run with its
ordinary limits.
"""

import argparse
import asyncio
import json
import random
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from tests.postgres import new_database, running_postgres

from bench.client import RETRY, Client, head, request
from bench.report import LIVE, Row, at_least, at_most, milliseconds, record, show, within
from bench.server import PATIENCE, Url, examples, percentile, processor_time, serving

TABLES = 200
THINKING = (0.4, 2.0)
"""The least and the most seconds that a player takes to answer, much less than people do."""
BATTLES = (
    ("assault", "11-out-of-the-olives"),
    ("frames", "14-spot-then-fire"),
    ("supply", "08-the-mortar-fires-once"),
    ("tower", "08-pitched-battle"),
)
"""The battles at the tables: whole turns, with about twelve questions to both sides."""
RATE = 150
"""The target for answers per second."""
LATENCY = 250
"""The target for the 99th percentile of the milliseconds until the other player sees an answer."""
SLOWDOWN = 2
"""The most by which a hostile client may multiply that."""
ROUNDS = 3
"""How often each measurement is repeated: 1 % of one round is only a dozen answers."""
TIMEOUT = 300.0
"""Of a round, in seconds."""


@dataclass
class Player:
    """A player at a table, who listens all the time and answers."""

    client: Client
    path: str
    key: str
    entries: int = -1
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def listen(self) -> None:
        """Listen until cancelled; reconnect when the stream ends."""
        while True:
            reader, writer = await self.client.connect()
            try:
                writer.write(request("GET", f"{self.path}/live?changes=true", self.key, b""))
                await head(reader)
                while line := await reader.readline():
                    if line.startswith(b"id: "):
                        self.entries = int(line[4:])
                        self.news.set()
            finally:
                writer.close()
            await asyncio.sleep(RETRY)

    async def wait_for(self, entries: int) -> None:
        """Wait until this player has seen this number of entries."""
        while self.entries < entries:
            self.news.clear()
            await self.news.wait()

    async def post(self, what: str, body: dict[str, Any]) -> dict[str, Any]:
        return await self.client.state("POST", f"{self.path}/{what}", self.key, body)


@dataclass
class Latencies:
    """The seconds from an answer to its acknowledgement, and until the other player sees it, during all battles."""

    acknowledged: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    seconds: float = 0
    """How long all battles went on."""
    answers: int = 0
    """The number of answers until the last battle was over."""
    work: float = 0
    """The seconds of processor time for all of them."""

    @property
    def p99(self) -> float:
        """The 99th percentile of the seconds until the other player saw an answer."""
        return percentile(self.seen, 99)

    def add(self, other: "Latencies") -> None:
        """Add the latencies of another round."""
        self.acknowledged += other.acknowledged
        self.seen += other.seen
        self.seconds += other.seconds
        self.answers += other.answers
        self.work += other.work


async def play(state: dict[str, Any], attacker: Player, defender: Player, latencies: Latencies) -> None:
    """Play a battle to its end; the attacker rolls."""
    while question := state["question"]:
        acting, other = (defender, attacker) if question.get("role") == "defender" else (attacker, defender)
        answer = {"roll": "fair"} if question["kind"] == "roll" else {"choose": question["options"][0]["id"]}
        await asyncio.sleep(random.uniform(*THINKING))
        start = time.perf_counter()
        state = await acting.post(f"answers?since={state['entries']}", {"number": state["number"], **answer})
        latencies.acknowledged.append(time.perf_counter() - start)
        await other.wait_for(state["entries"])
        latencies.seen.append(time.perf_counter() - start)


def with_number(number: int, battle: Any) -> Any:
    """The battle with another name for its first side, so that each table has a different one."""
    text = json.dumps(battle)
    side = re.findall('"(?:side|player)": "(.*?)"', text)[0]
    return json.loads(text.replace(f'"{side}"', f'"{side} {number}"'))


async def many_tables(url: Url, battles: list[Any], begin: Callable[[int], None] | None = None) -> Latencies:
    """Open all tables with both players seated, call `begin`, and play at all tables at the same time."""
    latencies, steady = Latencies(), Latencies()
    start = work_before = 0.0
    port = urlsplit(url).port or 80
    all_seated = asyncio.Barrier(TABLES)
    opening = asyncio.Semaphore(8)

    async def table(number: int) -> None:
        nonlocal start, work_before
        clients = [Client(port, f"127.{seat}.{number // 250}.{number % 250 + 1}") for seat in (1, 2)]
        battle = with_number(number, battles[number % len(battles)])
        async with opening:
            opened = await clients[0].state("POST", "/api/battles", body={"battle": battle})
            path, keys = f"/api/battles/{opened['id']}", opened["keys"]
            sides = (await clients[0].state("GET", path, keys["spectator"]))["sides"]
        seats = zip(sides.items(), clients, strict=True)
        by_role = {role: Player(client, path, keys[side]) for (side, role), client in seats}
        players = attacker, defender = by_role["attacker"], by_role["defender"]
        async with asyncio.TaskGroup() as seated:
            async with opening:
                listening = [seated.create_task(player.listen()) for player in players]
                await attacker.post("numbers", {"number": "1815"})
                state = await defender.post("numbers", {"number": "1914"})
                for player in players:
                    await player.wait_for(state["entries"])
            if await all_seated.wait() == 0:
                work_before, start = processor_time(url), time.perf_counter()
                if begin is not None:
                    begin(port)
            await play(state, attacker, defender, latencies)
            if not steady.seen:
                steady.acknowledged, steady.seen = list(latencies.acknowledged), list(latencies.seen)
                steady.seconds = time.perf_counter() - start
            for task in listening:
                task.cancel()
        for client in clients:
            client.close()

    async with asyncio.timeout(TIMEOUT), asyncio.TaskGroup() as tables:
        for number in range(TABLES):
            tables.create_task(table(number))
    steady.answers, steady.work = len(latencies.seen), processor_time(url) - work_before
    return steady


def beside_hostile(url: Url, battles: list[Any], attacks: Counter[str]) -> Latencies:
    """The latencies beside the hostile client. The counts of its attacks are added to `attacks`."""
    started: list[subprocess.Popen[str]] = []

    def begin(port: int) -> None:
        command = [sys.executable, "-m", "bench.hostile", str(port)]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))

    try:
        return asyncio.run(many_tables(url, battles, begin))
    finally:
        for hostile in started:
            hostile.terminate()
            attacks.update(json.loads(hostile.communicate(timeout=PATIENCE)[0]))


def rows(name: str, database: str | None = None) -> list[Row]:
    """The rows for a database: 200 tables by themselves, and beside the hostile client."""
    calm, disturbed = Latencies(), Latencies()
    attacks: Counter[str] = Counter()
    with serving(database) as url:
        known = examples(url)
        battles = [known[battle] for battle in BATTLES]
        for _ in range(ROUNDS):
            calm.add(asyncio.run(many_tables(url, battles)))
            disturbed.add(beside_hostile(url, battles, attacks))
    tables = f"{TABLES} live battles, {name}"
    acknowledged = (milliseconds(percentile(calm.acknowledged, percent)) for percent in (50, 99))
    seen = f"while all play; p50 {milliseconds(percentile(calm.seen, 50))}; "
    seen += "to the acknowledgement p50 {}, p99 {}".format(*acknowledged)
    counts = ", ".join(f"{attack} {times:,} ×" for attack, times in sorted(attacks.items()))
    return [
        at_least(
            f"{tables}: answers a second",
            len(calm.seen) / calm.seconds,
            RATE,
            "",
            f"{len(calm.seen):,} answers, while all play",
        ),
        within(f"{tables}: until the other player sees it, p99", 1000 * calm.p99, LATENCY, "ms", seen),
        Row(
            f"{tables}: processor time for an answer",
            milliseconds(calm.work / calm.answers),
            "",
            "",
            "none",
            True,
            "server, workers",
        ),
        at_most(f"{tables}: beside a hostile client, p99", disturbed.p99, calm.p99, SLOWDOWN, counts),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.live", description="200 live battles at once.")
    parser.add_argument("--record", action="store_true", help="keep the figures for the docs")
    arguments = parser.parse_args()
    table = rows("SQLite")
    with running_postgres() as postgres:
        table += rows("PostgreSQL", new_database(postgres, "live"))
    is_met = show("Live battles", table)
    if arguments.record:
        record(LIVE)
    sys.exit(not is_met)


if __name__ == "__main__":
    main()
