"""`python -m bench.live [--record]`: 200 live battles at once, without and with a client that does everything wrong.

A part of `make soak`. Players do what the page does: each listens to what changes at the table all the time, and
answers on a connection that is kept. They come from addresses of their own (all of 127.0.0.0/8 is this machine), so
that the server runs with the limits that it always has.
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

from bench.client import AGAIN, Client, head, request
from bench.report import LIVE, Row, at_least, at_most, milliseconds, record, show, within
from bench.server import PATIENCE, Url, examples, percentile, processor_time, serving

TABLES = 200
THINKING = (0.4, 2.0)
"""Seconds that a player takes to answer, at least and at most: much less than people do."""
BATTLES = (
    ("assault", "11-out-of-the-olives"),
    ("frames", "14-spot-then-fire"),
    ("supply", "08-the-mortar-fires-once"),
    ("tower", "08-pitched-battle"),
)
"""What is played at the tables: whole turns, with about twelve questions to both sides."""
RATE = 150
"""Answers a second that are to be reached."""
LATEST = 250
"""The milliseconds within which 99 % of them are to be acknowledged, and seen by the other player."""
HARM = 2
"""The factor by which a hostile client may change that."""
ROUNDS = 3
"""How often it is played without and with the hostile client, by turns: 1 % of one round is a dozen answers."""
LONGEST = 300.0
"""Seconds after which all of it is given up."""


@dataclass
class Player:
    """Somebody at a table: listens all the time, and answers."""

    client: Client
    path: str
    key: str
    entries: int = -1
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def listen(self) -> None:
        """Listen for as long as the battle is played; whoever is hung up on comes back."""
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
            await asyncio.sleep(AGAIN)

    async def sees(self, entries: int) -> None:
        """Wait until this player has been told of so many entries."""
        while self.entries < entries:
            self.news.clear()
            await self.news.wait()

    async def post(self, what: str, body: dict[str, Any]) -> dict[str, Any]:
        return await self.client.state("POST", f"{self.path}/{what}", self.key, body)


@dataclass
class Latencies:
    """Seconds from an answer to its acknowledgement, and to the moment when the other player sees it.

    For as long as all battles are going on.
    """

    acknowledged: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    seconds: float = 0
    """How long they were all going on."""
    answers: int = 0
    """How many there were until the last battle was over."""
    work: float = 0
    """Seconds of the processor for all of them."""

    @property
    def p99(self) -> float:
        """The seconds within which 99 % of the answers were seen by the other player."""
        return percentile(self.seen, 99)

    def add(self, other: "Latencies") -> None:
        """Add those of another round."""
        self.acknowledged += other.acknowledged
        self.seen += other.seen
        self.seconds += other.seconds
        self.answers += other.answers
        self.work += other.work


async def play(state: dict[str, Any], attacker: Player, defender: Player, taken: Latencies) -> None:
    """Play a battle to its end, each player taking their time; the attacker rolls."""
    while question := state["question"]:
        acting, other = (defender, attacker) if question.get("role") == "defender" else (attacker, defender)
        answer = {"roll": "fair"} if question["kind"] == "roll" else {"choose": question["options"][0]["id"]}
        await asyncio.sleep(random.uniform(*THINKING))
        start = time.perf_counter()
        state = await acting.post(f"answers?since={state['entries']}", {"number": state["number"], **answer})
        taken.acknowledged.append(time.perf_counter() - start)
        await other.sees(state["entries"])
        taken.seen.append(time.perf_counter() - start)


def at_table(number: int, battle: Any) -> Any:
    """A battle with another name for its first side, so that no two tables have the same."""
    text = json.dumps(battle)
    side = re.findall('"(?:side|player)": "(.*?)"', text)[0]
    return json.loads(text.replace(f'"{side}"', f'"{side} {number}"'))


async def many_tables(url: Url, battles: list[Any], begin: Callable[[int], None] | None = None) -> Latencies:
    """Open all tables, have both players of each sit down, and then `begin` and play at all of them at once."""
    taken, steady = Latencies(), Latencies()
    began = before = 0.0
    port = urlsplit(url).port or 80
    all_seated = asyncio.Barrier(TABLES)
    opening = asyncio.Semaphore(8)

    async def table(number: int) -> None:
        nonlocal began, before
        clients = [Client(port, f"127.{seat}.{number // 250}.{number % 250 + 1}") for seat in (1, 2)]
        battle = at_table(number, battles[number % len(battles)])
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
                    await player.sees(state["entries"])
            if await all_seated.wait() == 0:
                before, began = processor_time(url), time.perf_counter()
                if begin is not None:
                    begin(port)
            await play(state, attacker, defender, taken)
            if not steady.seen:
                steady.acknowledged, steady.seen = list(taken.acknowledged), list(taken.seen)
                steady.seconds = time.perf_counter() - began
            for task in listening:
                task.cancel()
        for client in clients:
            client.close()

    async with asyncio.timeout(LONGEST), asyncio.TaskGroup() as tables:
        for number in range(TABLES):
            tables.create_task(table(number))
    steady.answers, steady.work = len(taken.seen), processor_time(url) - before
    return steady


def beside_hostile(url: Url, battles: list[Any], done: Counter[str]) -> Latencies:
    """The same beside the hostile client; how often each of its deeds was done is added to what was `done`."""
    started: list[subprocess.Popen[str]] = []

    def begin(port: int) -> None:
        command = [sys.executable, "-m", "bench.hostile", str(port)]
        started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))

    try:
        return asyncio.run(many_tables(url, battles, begin))
    finally:
        for hostile in started:
            hostile.terminate()
            done.update(json.loads(hostile.communicate(timeout=PATIENCE)[0]))


def rows(name: str, database: str | None = None) -> list[Row]:
    """What players at 200 tables see with this database, by themselves and beside the hostile client."""
    calm, beset = Latencies(), Latencies()
    done: Counter[str] = Counter()
    with serving(database) as url:
        known = examples(url)
        battles = [known[battle] for battle in BATTLES]
        for _ in range(ROUNDS):
            calm.add(asyncio.run(many_tables(url, battles)))
            beset.add(beside_hostile(url, battles, done))
    tables = f"{TABLES} live battles, {name}"
    acknowledged = (milliseconds(percentile(calm.acknowledged, percent)) for percent in (50, 99))
    seen = f"while all play; p50 {milliseconds(percentile(calm.seen, 50))}; "
    seen += "to the acknowledgement p50 {}, p99 {}".format(*acknowledged)
    deeds = ", ".join(f"{deed} {times:,} ×" for deed, times in sorted(done.items()))
    return [
        at_least(
            f"{tables}: answers a second",
            len(calm.seen) / calm.seconds,
            RATE,
            "",
            f"{len(calm.seen):,} answers, while all play",
        ),
        within(f"{tables}: until the other player sees it, p99", 1000 * calm.p99, LATEST, "ms", seen),
        Row(
            f"{tables}: processor time for an answer",
            milliseconds(calm.work / calm.answers),
            "",
            "",
            "none",
            True,
            "server, workers",
        ),
        at_most(f"{tables}: beside a client that does everything wrong, p99", beset.p99, calm.p99, HARM, deeds),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.live", description="200 live battles at once.")
    parser.add_argument("--record", action="store_true", help="keep the figures for the docs")
    asked = parser.parse_args()
    found = rows("SQLite")
    with running_postgres() as postgres:
        found += rows("PostgreSQL", new_database(postgres, "live"))
    is_met = show("Live battles", found)
    if asked.record:
        record(LIVE)
    sys.exit(not is_met)


if __name__ == "__main__":
    main()
