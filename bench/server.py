"""The server on loopback: 200 live battles at once, the odds of every example, and from its start to the first page."""

import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench.report import Row, milliseconds, show, within

GROGNARD = str(Path(sys.executable).with_name("grognard"))
UNLIMITED = """
import sys
from grognard.cli.serve import listen
from grognard.server.running import run
from grognard.server.settings import Limits, Settings

listening = listen("127.0.0.1", 0)
most = 1_000_000
limits = Limits(
    requests_per_minute=most, in_flight=most, streams_per_client=most, connections_per_client=most, waiting=most
)
run(Settings(port=listening.getsockname()[1], database=sys.argv[1], limits=limits), listening, False)
"""
"""The server as it is, but that all may come from one address."""
TABLES = 200
THINKING = (2.0, 6.0)
"""Seconds that a player takes to answer, at least and at most: much less than people do."""
PATIENCE = 60.0
FIRST_CLICK = 2.0
"""Seconds from the start of a server to the first question."""
LONGEST = 300.0
"""Seconds after which all of it is given up."""
BATTLE = ("tower", "02-who-stands-by-whom")
"""What is played at the tables: about seven questions, to both sides."""


class Url(str):
    """Where a server is, and which process it is."""

    process: int


@contextmanager
def serving(*command: str) -> Iterator[Url]:
    """Run a server with a new database, given last: where it is."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/battles.sqlite3"
        process = subprocess.Popen([*command, database], stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            url = Url(process.stdout.readline().split()[3].rstrip("/"))
            url.process = process.pid
            yield url
        finally:
            process.terminate()
            process.wait(PATIENCE)


def processor_time(server: Url) -> float:
    """The seconds that a server and its workers have worked so far."""
    children = Path(f"/proc/{server.process}/task/{server.process}/children").read_text().split()
    stats = [Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split() for one in (server.process, *children)]
    return sum(int(stat[11]) + int(stat[12]) for stat in stats) / os.sysconf("SC_CLK_TCK")


def examples(url: str) -> dict[tuple[str, str], Any]:
    """Every example, by system and name."""
    systems = httpx.get(f"{url}/api/systems", timeout=PATIENCE).json()
    return {(one["name"], example["name"]): example["battle"] for one in systems for example in one["examples"]}


@dataclass
class Player:
    """Somebody at a table: listens all the time, and answers."""

    client: httpx.AsyncClient
    path: str
    key: str
    state: dict[str, Any] = field(default_factory=dict)
    news: asyncio.Condition = field(default_factory=asyncio.Condition)

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"}

    async def listen(self) -> None:
        """Listen for as long as the battle is played."""
        async with self.client.stream("GET", f"{self.path}/live", headers=self.headers) as stream:
            stream.raise_for_status()
            async for line in stream.aiter_lines():
                if line.startswith("data:"):
                    async with self.news:
                        self.state = json.loads(line.removeprefix("data:"))
                        self.news.notify_all()
        raise ConnectionError("the server hung up")

    async def sees(self, entries: int) -> None:
        """Wait until this player sees a battle with so many entries."""
        async with self.news:
            await self.news.wait_for(lambda: self.state.get("entries", -1) >= entries)

    async def post(self, what: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = await self.client.post(f"{self.path}/{what}", headers=self.headers, json=body)
        state: dict[str, Any] = answer.raise_for_status().json()
        return state


@dataclass
class Latencies:
    """Seconds from an answer to its acknowledgement, and to the moment when the other player sees it."""

    acknowledged: list[float] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)
    before: float = 0
    """What the processor had worked when play began, in seconds."""
    began: float = 0
    rate: float = 0
    """Answers a second."""
    work: float = 0
    """Seconds of the processor for an answer."""


async def play(attacker: Player, defender: Player, taken: Latencies) -> None:
    """Play a battle to its end, each player taking their time; the attacker rolls."""
    await attacker.post("numbers", {"number": "1815"})
    state = await defender.post("numbers", {"number": "1914"})
    while question := state["question"]:
        acting, other = (defender, attacker) if question.get("role") == "defender" else (attacker, defender)
        answer = {"roll": "fair"} if question["kind"] == "roll" else {"choose": question["options"][0]["id"]}
        await asyncio.sleep(random.uniform(*THINKING))
        start = time.perf_counter()
        state = await acting.post("answers", {"number": state["number"], **answer})
        taken.acknowledged.append(time.perf_counter() - start)
        await other.sees(state["entries"])
        taken.seen.append(time.perf_counter() - start)


async def many_tables(url: Url, battle: Any, taken: Latencies) -> None:
    """Open all tables, have both players of each sit down, and then play at all of them at once."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)  # people pause for longer than these last
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, limits=limits) as client:
        all_seated = asyncio.Barrier(TABLES)

        async def table(number: int) -> None:
            units = [*battle["units"][:-1], {**battle["units"][-1], "id": f"page {number}"}]  # no two are the same
            opening = client.post("/api/battles", json={"battle": {**battle, "units": units}})
            opened = (await opening).raise_for_status().json()
            path, keys = f"/api/battles/{opened['id']}", opened["keys"]
            key = {"Authorization": f"Bearer {keys['spectator']}"}
            sides = (await client.get(path, headers=key)).raise_for_status().json()["sides"]
            by_role = {role: Player(client, path, keys[side]) for side, role in sides.items()}
            attacker, defender = by_role["attacker"], by_role["defender"]
            async with asyncio.TaskGroup() as seated:
                listening = [seated.create_task(player.listen()) for player in (attacker, defender)]
                await attacker.sees(0)
                await defender.sees(0)
                if await all_seated.wait() == 0:
                    taken.before, taken.began = processor_time(url), time.perf_counter()
                await play(attacker, defender, taken)
                for task in listening:
                    task.cancel()

        async with asyncio.timeout(LONGEST), asyncio.TaskGroup() as tables:
            for number in range(TABLES):
                tables.create_task(table(number))
    taken.rate = len(taken.acknowledged) / (time.perf_counter() - taken.began)
    taken.work = (processor_time(url) - taken.before) / len(taken.acknowledged)


def live() -> None:
    """Latencies at 200 tables."""
    taken = Latencies()
    with serving(sys.executable, "-c", UNLIMITED) as url:
        asyncio.run(many_tables(url, examples(url)[BATTLE], taken))
    print(f"\n{TABLES} live battles at once, {2 * TABLES} players who listen, {len(taken.acknowledged):,} answers")
    for name, seconds in (("acknowledged", taken.acknowledged), ("seen by the other", taken.seen)):
        p50, p99 = percentile(seconds, 50), percentile(seconds, 99)
        print(f"  {name:18} p50 {milliseconds(p50)}   p99 {milliseconds(p99)}")
    print(f"  {taken.rate:.0f} answers a second; an answer takes the server and its workers {milliseconds(taken.work)}")


def odds() -> list[Row]:
    """Every example asked of a new server, so that no answer is remembered, and then again."""
    first: list[float] = []
    again: list[float] = []
    with serving(sys.executable, "-c", UNLIMITED) as url, httpx.Client(base_url=url, timeout=PATIENCE) as client:
        battles = list(examples(url).values())
        time.sleep(FIRST_CLICK)
        for taken in (first, again):
            for battle in battles:
                start = time.perf_counter()
                client.post("/api/odds", json=battle).raise_for_status()
                taken.append(time.perf_counter() - start)
    count = f"of {len(battles)} examples"
    return [
        within(f"odds {count} by HTTP, p95", 1000 * percentile(first, 95), 100, "ms", "each worked out anew"),
        within(f"odds {count} by HTTP again, p95", 1000 * percentile(again, 95), 100, "ms", "from what is remembered"),
    ]


def start() -> list[Row]:
    """From the command to the page."""
    taken = []
    for _ in range(5):
        begun = time.perf_counter()
        with serving(GROGNARD, "serve", "--port", "0", "--database") as url:
            httpx.get(f"{url}/", timeout=PATIENCE).raise_for_status()
            taken.append(time.perf_counter() - begun)
    return [within("grognard serve, start to first page", statistics.median(taken), 3, "s")]


def percentile(values: list[float], percent: int) -> float:
    """So many percent of the values are not larger."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


def run() -> bool:
    """Everything here; whether all targets are met."""
    live()
    return show("The server", [*odds(), *start()])
