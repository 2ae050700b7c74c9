"""Where an assistant's questions go: to workers that stop in time, so that no client can hang the server."""

import gzip
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.mcpserver.exceptions import ToolError

from grognard.core.systems import Json
from grognard.server.answering import FOUND
from grognard.server.settings import Limits
from grognard.server.workers import Answer, Busy, Lost, Pool, TooLong

WORKERS = 2


class Desk:
    """Takes questions, and says what is wrong with them in the words of faults."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        start = [sys.executable, "-P", "-m", "grognard.adapters.assistants.worker"]
        start += [str(limits.positions), str(limits.memory)]
        self.pool = Pool(start, WORKERS, limits.seconds, limits.waiting, limits.patience)

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
        question = json.dumps({"ask": ask, "about": about}).encode()
        if len(question) > self.limits.body:
            raise ToolError(f"too large a question: {len(question):,} bytes, and the bound is {self.limits.body:,}")
        try:
            answer = await self.pool.ask(question)
        except Busy:
            raise ToolError("too many questions wait already: try again") from None
        except Lost:
            raise ToolError("the worker was lost: try again") from None
        except TooLong as long:
            raise ToolError(f"{long}: a smaller battle, fixed policies or a sample take less") from None
        told = unpacked(answer)
        if answer.status != FOUND:
            raise ToolError("\n".join(map(in_a_line, told["faults"])))
        return told

    async def source(self, battle: Json | str) -> Json:
        """A battle as data, if it was given as the text of a file."""
        return await self.ask("read", {"text": battle}) if isinstance(battle, str) else battle


def unpacked(answer: Answer) -> Json:
    """What a worker said."""
    told: Json = json.loads(gzip.decompress(answer.body) if answer.is_packed else answer.body)
    return told


def in_a_line(fault: Json) -> str:
    """One fault: its line in a text, its place, what is wrong."""
    line = f"line {fault['line']}" if "line" in fault else ""
    return ": ".join(part for part in (line, fault["place"], fault["message"]) if part)
