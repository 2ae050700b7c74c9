"""`python -m bench.hostile PORT`: one client that does everything wrong at once, until it is told to stop.

It has one address, and prints what it was answered.
"""

import asyncio
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count
from typing import Any

from bench.client import Client, head, request

ADDRESS = "127.66.6.6"
NICE = 10
"""What it takes itself of the processor, a stranger's machine would do."""
BODY = 256 * 1024
"""The largest request that is read."""
PAUSE = 0.1
"""Seconds after a connection failed or was closed: floods of connections are for a firewall."""
DUEL = {
    "system": "ranks",
    "defender": {"player": "Blue", "units": 1},
    "arrivals": [{"player": "Red", "side": "attack", "units": 1, "optional": True}],
}
BAD: tuple[Any, ...] = ({}, [], {"system": "none"}, {**DUEL, "defender": 7}, {"battle": DUEL, "answers": 7}, "x" * 500)

numbers = count()
answered: Counter[str] = Counter()
"""How often each deed was answered with each status."""

Deed = Callable[[Client], Awaitable[object]]


async def ask(deed: str, client: Client, verb: str, path: str, key: str = "", body: Any = None) -> bytes:
    status, response = await client.ask(verb, path, key, body)
    answered[f"{deed}: {status}"] += 1
    return response


async def bad_body(client: Client) -> None:
    """Send what is no battle, and what is no JSON."""
    number = next(numbers)
    path = ("/api/odds", "/api/battles", "/api/play", "/api/compare")[number % 4]
    await ask("bad body", client, "POST", path, "", BAD[number % len(BAD)])


async def huge_body(client: Client) -> None:
    """Send as much as is read, which is then all wrong; and announce far more."""
    units = [{"player": "Red", "side": "attack", "units": "x" * 20}] * (BODY // 80)
    await ask("huge body", client, "POST", "/api/check", "", {**DUEL, "arrivals": units})
    reader, writer = await client.connect()
    writer.write(b"POST /api/odds HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n")
    status, _ = await head(reader)
    answered[f"announced body: {status}"] += 1
    writer.close()


async def half_headers(client: Client) -> None:
    """Begin a request, and never end it."""
    reader, writer = await client.connect()
    writer.write(b"GET /api/systems HTTP/1.1\r\nHost: local")
    await reader.read()
    answered["half a header: closed"] += 1
    writer.close()
    await asyncio.sleep(PAUSE)


def dear(number: int) -> Any:
    """A battle with hundreds of thousands of positions, each time another."""
    armies = [
        {
            "player": f"P{army}",
            "side": "defend" if army % 2 else "attack",
            "units": 3 + number % 5,
            "optional": army > 0,
        }
        for army in range(8)
    ]
    return {**DUEL, "defender": {"player": f"Blue {number}", "units": 4}, "arrivals": armies}


async def dear_odds(client: Client) -> None:
    """Ask for odds that take as long as they may."""
    number = next(numbers)
    path = ("/api/odds", "/api/advise", "/api/simulate?n=1000000", "/api/report")[number % 4]
    await ask("dear odds", client, "POST", path, "", dear(number))


async def dear_odds_for_nobody(client: Client) -> None:
    """Ask for them, and leave."""
    _, writer = await client.connect()
    writer.write(request("POST", "/api/odds", "", json.dumps(dear(next(numbers))).encode()))
    await asyncio.sleep(0.05)
    answered["odds for nobody: left"] += 1
    writer.close()


async def opened(client: Client) -> tuple[str, dict[str, str]]:
    """A battle of its own."""
    battle = json.loads(await ask("open", client, "POST", "/api/battles", "", {"battle": DUEL, "dice": "table"}))
    return f"/api/battles/{battle['id']}", battle["keys"]


async def choose_and_undo(client: Client) -> None:
    """Decide and take back, as fast as can be."""
    path, keys = await opened(client)
    number = 1
    while True:
        body = {"number": number, **({"choose": "yes"} if number % 2 else {"undo": True})}
        response = await ask("choose and undo", client, "POST", f"{path}/answers", keys["Red"], body)
        number = json.loads(response).get("number", number)


async def listen(client: Client) -> None:
    """Listen without reading, at a table with all the others."""
    path, keys = await opened(client)

    async def one() -> None:
        reader, writer = await client.connect()
        writer.write(request("GET", f"{path}/live", keys["spectator"], b""))
        status, _ = await head(reader)
        answered[f"stream: {status}"] += 1
        if status == 200:
            await asyncio.sleep(3600)
        writer.close()

    await asyncio.gather(*(one() for _ in range(50)))


DEEDS: dict[Deed, int] = {
    bad_body: 8,
    huge_body: 4,
    half_headers: 60,
    dear_odds: 8,
    dear_odds_for_nobody: 4,
    choose_and_undo: 4,
    listen: 10,
}
"""What it does, and how many times at once."""


async def again_and_again(deed: Deed, port: int) -> None:
    client = Client(port, ADDRESS)
    while True:
        try:
            await deed(client)
        except (OSError, EOFError, ValueError, KeyError) as error:
            answered[f"{deed.__name__}: {type(error).__name__}"] += 1
            await asyncio.sleep(PAUSE)


async def main(port: int) -> None:
    os.nice(NICE)
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    tasks = [asyncio.create_task(again_and_again(deed, port)) for deed, times in DEEDS.items() for _ in range(times)]
    await stopped.wait()
    for task in tasks:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks)
    print(json.dumps(dict(sorted(answered.items()))))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
