"""Real servers for the tests, and what sits at them: players with keys, and ears for live updates."""

import contextlib
import json
import os
import queue
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import httpx
import uvicorn

from grognard.core.systems import Json
from grognard.files.examples import examples
from grognard.server.app import create_app
from grognard.server.live import updates
from grognard.server.running import Server as RealServer
from grognard.server.settings import Limits, Settings
from tests.server.running import PATIENCE, PATIENT


def make_settings(database: str, **limits: Any) -> Settings:
    """A server with one worker for odds, and no limit on requests."""
    updates.HEARTBEAT = 10 * PATIENCE  # changes must be told of, not be found at the next heartbeat
    return Settings(database=database, workers=1, limits=Limits(**{**PATIENT, **limits}))


@dataclass(frozen=True)
class Running:
    """A server that runs."""

    url: str
    database: str

    @cached_property
    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=PATIENCE)

    def open(self, battle: Json, **options: object) -> "Table":
        """Open a battle."""
        opened = self.client.post("/api/battles", json={"battle": battle, **options})
        assert opened.status_code == 201, opened.text
        return Table(self, opened.json()["id"], opened.json()["keys"], opened.json())


@dataclass(frozen=True)
class Table:
    """A battle, with the keys of all seats."""

    server: Running
    id: str
    keys: dict[str, str]
    opened: Json

    def at(self, server: Running) -> "Table":
        """The same table at another server."""
        return Table(server, self.id, self.keys, self.opened)

    @property
    def sides(self) -> list[str]:
        return [side for side in self.keys if side != "spectator"]

    def seat(self, role: str) -> str:
        """The seat of the side with this role, or the seat of this name."""
        if role in self.keys:
            return role
        sides = self.server.client.get(f"/api/battles/{self.id}", params={"key": self.keys["spectator"]}).json()[
            "sides"
        ]
        return next(str(side) for side in sides if sides[side] == role)

    def post(self, role: str, what: str, body: Json) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.keys[self.seat(role)]}"}
        return self.server.client.post(f"/api/battles/{self.id}/{what}", json=body, headers=headers)

    def answer(self, role: str, **answer: object) -> httpx.Response:
        """Answer the question that is due."""
        return self.post(role, "answers", {"number": self.state(role)["number"], **answer})

    def state(self, role: str = "spectator") -> Json:
        return self.get(role, "").json()  # type: ignore[no-any-return]

    def log(self) -> Json:
        return self.get("spectator", "/log").json()  # type: ignore[no-any-return]

    def get(self, role: str, what: str) -> httpx.Response:
        return self.server.client.get(f"/api/battles/{self.id}{what}", params={"key": self.keys[self.seat(role)]})

    def add_numbers(self) -> None:
        for side, number in zip(self.sides, ("twelve", "13", "fourteen", "15"), strict=False):
            assert self.post(side, "numbers", {"number": number}).status_code == 200

    def play(self, until: int | None = None) -> Json:
        """Answer with fair dice and first options up to a question, or to the end."""
        while (state := self.state())["question"] is not None and state["number"] != until:
            question = state["question"]
            is_roll = question["kind"] == "roll"
            role = "attacker" if is_roll else question["side"]
            answer = {"roll": "fair"} if is_roll else {"choose": question["options"][0]["id"]}
            assert self.answer(role, **answer).status_code == 200
        return state


def battle(system: str, name: str) -> Json:
    """An example battle."""
    return next(example.source for example in examples(system) if example.name.startswith(name))


@contextmanager
def serving(database: str, **limits: Any) -> Iterator[Running]:
    """A server in a thread of this process."""
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(make_settings(database, **limits)), port=0, log_level="error", timeout_graceful_shutdown=5
        )
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    running = Running(f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", database)
    try:
        yield running
    finally:
        running.client.close()
        server.should_exit = True
        thread.join()


@contextmanager
def serving_apart(database: str) -> Iterator[tuple[Running, "subprocess.Popen[str]"]]:
    """A server in a process of its own."""
    command = [sys.executable, "-c", "from tests.server.live.servers import main; main()"]
    with subprocess.Popen(
        command, env={**os.environ, "DATABASE": database}, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        running = Running(process.stdout.readline().strip(), database)
        try:
            yield running, process
        finally:
            running.client.close()
            process.kill()


class Server(RealServer):
    """The server on a free port, which tells its address once it is there."""

    def __init__(self, settings: Settings, tell: Callable[[str], object]) -> None:
        super().__init__(settings, open_page=False)
        self.config.port = 0
        self.tell = tell

    async def startup(self, sockets: Any = None) -> None:
        await uvicorn.Server.startup(self, sockets)
        self.tell(f"http://127.0.0.1:{self.servers[0].sockets[0].getsockname()[1]}")


def main() -> None:
    """Serve, and tell where."""
    Server(make_settings(os.environ["DATABASE"]), lambda url: os.write(1, f"{url}\n".encode())).run()


@dataclass(frozen=True)
class Heard:
    """A live event."""

    name: str
    id: int
    state: Json


class Ear:
    """Listens to a battle in a thread; `last` is the id of the last event it knows of."""

    def __init__(
        self, table: Table, role: str = "spectator", last: int | str | None = None, changes: bool = False
    ) -> None:
        self._heard: queue.Queue[Heard | None] = queue.Queue()
        headers = {} if last is None else {"Last-Event-ID": str(last)}
        self._client = httpx.Client(base_url=table.server.url, timeout=httpx.Timeout(PATIENCE, read=None))
        address = f"/api/battles/{table.id}/live"
        params = {"key": table.keys[table.seat(role)], "changes": str(changes).lower()}
        self._stream = self._client.stream("GET", address, params=params, headers=headers)
        self.response = self._stream.__enter__()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        fields: dict[str, str] = {}
        with contextlib.suppress(httpx.HTTPError, httpx.StreamError, OSError):
            for line in self.response.iter_lines():
                if line:
                    name, _, value = line.partition(": ")
                    fields[name] = value
                else:
                    if "data" in fields:
                        self._heard.put(Heard(fields["event"], int(fields["id"]), json.loads(fields["data"])))
                    fields = {}
        self._heard.put(None)

    def hear(self) -> Heard:
        """The next event."""
        heard = self._heard.get(timeout=PATIENCE)
        assert heard is not None, "the stream has ended"
        return heard

    def hear_until(self, entries: int) -> list[Heard]:
        """The events up to the one after so many entries."""
        heard = [self.hear()]
        while heard[-1].id < entries:
            heard.append(self.hear())
        return heard

    def ends(self) -> bool:
        """Whether the stream ends now, with nothing before."""
        return self._heard.get(timeout=PATIENCE) is None

    def close(self) -> None:
        with contextlib.suppress(OSError):  # the other end may have hung up already
            self.response.extensions["network_stream"].get_extra_info("socket").shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._client.close()
