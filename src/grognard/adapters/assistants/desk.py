"""Where an assistant's questions go: to workers that stop in time, so that no client can hang the server."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.mcpserver.exceptions import ToolError

from grognard.core.systems import Json
from grognard.server.settings import Limits
from grognard.work.pool import Busy, Lost, Pool, TooLong, request, worker_command
from grognard.work.worker import Status

WORKERS = 2


class Desk:
    """Takes questions, and says what is wrong with them in the words of faults."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        command = worker_command("grognard.tasks", memory=limits.memory)
        self.pool = Pool(command, WORKERS, limits.seconds, limits.waiting, limits.patience)

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """With workers, for as long as the server runs."""
        self.pool.open()
        try:
            yield
        finally:
            await self.pool.close()

    async def ask(self, ask: str, about: Json) -> Json:
        """The answer to a question. If it is cancelled, so is the work on it."""
        size = len(json.dumps(about))
        if size > self.limits.body:
            raise ToolError(f"too large a question: {size:,} bytes, and the bound is {self.limits.body:,}")
        try:
            reply = await self.pool.run(request(ask, {**about, "bound": self.limits.positions}))
        except Busy:
            raise ToolError("too many questions wait already: try again") from None
        except Lost:
            raise ToolError("the worker was lost: try again") from None
        except TooLong as long:
            raise ToolError(f"{long}: a smaller battle, fixed policies or a sample take less") from None
        data = reply.to_dict()
        if reply.status is not Status.DONE:
            raise ToolError("\n".join(map(in_a_line, data["faults"])))
        return data

    async def source(self, battle: Json | str) -> Json:
        """A battle as data, if it was given as the text of a file."""
        return await self.ask("read", {"text": battle}) if isinstance(battle, str) else battle


def in_a_line(fault: Json) -> str:
    """One fault: its line in a text, its place, what is wrong."""
    line = f"line {fault['line']}" if "line" in fault else ""
    return ": ".join(part for part in (line, fault["place"], fault["message"]) if part)
