"""`python -m bench.hostile PORT`: a hostile client that attacks a server in many ways at the same time.

It uses one address. When it is terminated it prints how often each attack got which response.
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
"""It runs at a lower priority, since a real client would use another machine."""
BODY = 256 * 1024
"""The size of the largest body that the server reads."""
PAUSE = 0.1
"""Seconds after a failed connection. Floods of connections are a task for a firewall."""
DUEL = {
    "system": "ranks",
    "defender": {"player": "Blue", "units": 1},
    "arrivals": [{"player": "Red", "side": "attack", "units": 1, "optional": True}],
}
BAD: tuple[Any, ...] = ({}, [], {"system": "none"}, {**DUEL, "defender": 7}, {"battle": DUEL, "answers": 7}, "x" * 500)

numbers = count()
responses: Counter[str] = Counter()
"""How often each attack got each response."""

Attack = Callable[[Client], Awaitable[object]]


async def ask(attack: str, client: Client, verb: str, path: str, key: str = "", body: Any = None) -> bytes:
    status, response = await client.ask(verb, path, key, body)
    responses[f"{attack}: {status}"] += 1
    return response


async def bad_body(client: Client) -> None:
    """Send bodies that are not battles."""
    number = next(numbers)
    path = ("/api/odds", "/api/battles", "/api/play", "/api/compare")[number % 4]
    await ask("bad body", client, "POST", path, "", BAD[number % len(BAD)])


async def huge_body(client: Client) -> None:
    """Send a body of the largest size with a fault in every entry, and announce an even larger one."""
    units = [{"player": "Red", "side": "attack", "units": "x" * 20}] * (BODY // 80)
    await ask("huge body", client, "POST", "/api/check", "", {**DUEL, "arrivals": units})
    reader, writer = await client.connect()
    writer.write(b"POST /api/odds HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n")
    status, _ = await head(reader)
    responses[f"announced body: {status}"] += 1
    writer.close()


async def half_headers(client: Client) -> None:
    """Send half of the headers."""
    reader, writer = await client.connect()
    writer.write(b"GET /api/systems HTTP/1.1\r\nHost: local")
    await reader.read()
    responses["half a header: closed"] += 1
    writer.close()
    await asyncio.sleep(PAUSE)


def large_battle(number: int) -> Any:
    """A battle with hundreds of thousands of positions, different for each number."""
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


async def expensive_odds(client: Client) -> None:
    """Request odds that take longer than the time limit."""
    number = next(numbers)
    path = ("/api/odds", "/api/advise", "/api/simulate?n=1000000", "/api/report")[number % 4]
    await ask("expensive odds", client, "POST", path, "", large_battle(number))


async def abandoned_odds(client: Client) -> None:
    """Request odds and disconnect."""
    _, writer = await client.connect()
    writer.write(request("POST", "/api/odds", "", json.dumps(large_battle(next(numbers))).encode()))
    await asyncio.sleep(0.05)
    responses["abandoned odds: left"] += 1
    writer.close()


async def open_battle(client: Client) -> tuple[str, dict[str, str]]:
    """Open a battle; returns its path and its keys."""
    battle = json.loads(await ask("open", client, "POST", "/api/battles", "", {"battle": DUEL, "dice": "table"}))
    return f"/api/battles/{battle['id']}", battle["keys"]


async def choose_and_undo(client: Client) -> None:
    """Make a decision and take it back, as fast as possible."""
    path, keys = await open_battle(client)
    number = 1
    while True:
        body = {"number": number, **({"choose": "yes"} if number % 2 else {"undo": True})}
        response = await ask("choose and undo", client, "POST", f"{path}/answers", keys["Red"], body)
        number = json.loads(response).get("number", number)


async def listen(client: Client) -> None:
    """Open fifty streams without reading them."""
    path, keys = await open_battle(client)

    async def one_stream() -> None:
        reader, writer = await client.connect()
        writer.write(request("GET", f"{path}/live", keys["spectator"], b""))
        status, _ = await head(reader)
        responses[f"stream: {status}"] += 1
        if status == 200:
            await asyncio.sleep(3600)
        writer.close()

    await asyncio.gather(*(one_stream() for _ in range(50)))


ATTACKS: dict[Attack, int] = {
    bad_body: 8,
    huge_body: 4,
    half_headers: 60,
    expensive_odds: 8,
    abandoned_odds: 4,
    choose_and_undo: 4,
    listen: 10,
}
"""The attacks, and how many of each run at the same time."""


async def repeat(attack: Attack, port: int) -> None:
    client = Client(port, ADDRESS)
    while True:
        try:
            await attack(client)
        except (OSError, EOFError, ValueError, KeyError) as error:
            responses[f"{attack.__name__}: {type(error).__name__}"] += 1
            await asyncio.sleep(PAUSE)


async def main(port: int) -> None:
    os.nice(NICE)
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    tasks = [asyncio.create_task(repeat(attack, port)) for attack, times in ATTACKS.items() for _ in range(times)]
    await stopped.wait()
    for task in tasks:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*tasks)
    print(json.dumps(dict(sorted(responses.items()))))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
