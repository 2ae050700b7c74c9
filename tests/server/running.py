"""A real server in a thread of the tests, and battles to ask it about."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx
import uvicorn
from fastapi import FastAPI

from grognard.server.app import create_app
from grognard.server.connections import server_options
from grognard.server.engine import Engine
from grognard.server.settings import Limits, Settings

PATIENCE = 60.0
"""Seconds after which something that should have happened did not, on the slowest machine."""
MANY = 1_000_000
PATIENT = {
    "requests_per_minute": MANY,
    "connections_per_minute": MANY,
    "refusal_seconds": 0.0,
    "overlap_seconds": 0.0,
    "seconds": PATIENCE,
    "quick_seconds": PATIENCE,
    "queue_seconds": PATIENCE,
}
"""Limits that nothing meets by being slow."""


@dataclass(frozen=True)
class Running:
    """A server that runs."""

    app: FastAPI
    port: int

    @cached_property
    def client(self) -> httpx.Client:
        return httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=PATIENCE)

    def close(self) -> None:
        self.client.close()

    @property
    def engine(self) -> Engine:
        engine: Engine = self.app.state.engine
        return engine


@contextmanager
def running(folder: Path, log: str | None = None, workers: int = 1, **limits: Any) -> Iterator[Running]:
    """Run a server with these limits."""
    bounds = Limits(**{**PATIENT, **limits})
    settings = Settings(database=f"sqlite:///{folder}/battles.sqlite3", workers=workers, limits=bounds, log=log)
    app = create_app(settings)
    options = server_options(settings, app.state.monitor)
    server = uvicorn.Server(uvicorn.Config(app, port=0, timeout_graceful_shutdown=1, **options))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until(lambda: server.started)
        with closing(Running(app, server.servers[0].sockets[0].getsockname()[1])) as found:
            yield found
    finally:
        server.should_exit = True
        thread.join()


def until(is_so: Callable[[], object]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it never came to be"
        time.sleep(0.01)


def duel(attack: int = 1, defence: int = 1, **switches: object) -> dict[str, Any]:
    """Red attacks Blue."""
    return {
        "system": "ranks",
        "defender": {"player": "Blue", "units": defence},
        "arrivals": [{"player": "Red", "side": "attack", "units": attack}],
        "rules": switches,
    }


def crowd(units: int) -> dict[str, Any]:
    """A battle of many armies that may each come or not: hundreds of thousands of positions."""
    armies = [
        {"player": f"P{number}", "side": "defend" if number % 2 else "attack", "units": units, "optional": number > 0}
        for number in range(8)
    ]
    rules = {"defending_losses": "owner_chooses"}
    return {"system": "ranks", "defender": {"player": "Blue", "units": units}, "arrivals": armies, "rules": rules}
