"""A minimal HTTP client: it shares the processor with the server, so it must be cheap."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any

LARGEST_LINE = 2**24
BUSY = 503
RETRY = 0.2
"""Seconds between two attempts."""
STALE = 3.0
"""A connection that was idle for more seconds is not used again: the server may close it."""


@dataclass
class Client:
    """A client with one connection, at an address of its own."""

    port: int
    address: str = "127.0.0.1"
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None
    last_used: float = 0

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a new connection."""
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0), limit=LARGEST_LINE)

    async def ask(self, verb: str, path: str, key: str = "", body: Any = None) -> tuple[int, bytes]:
        """Send a request; returns the status and the body of the response."""
        now = asyncio.get_running_loop().time()
        if self.writer is None or self.reader is None or now - self.last_used > STALE or self.reader.at_eof():
            self.close()
            self.reader, self.writer = await self.connect()
        try:
            self.writer.write(request(verb, path, key, b"" if body is None else json.dumps(body).encode()))
            status, headers = await head(self.reader)
            response = await rest(self.reader, headers)
        except BaseException:
            self.close()
            raise
        self.last_used = asyncio.get_running_loop().time()
        if headers.get("connection") == "close":
            self.close()
        return status, response

    async def state(self, verb: str, path: str, key: str = "", body: Any = None) -> dict[str, Any]:
        """The response to a request that must not fail. It is repeated while the server is busy."""
        status, response = await self.ask(verb, path, key, body)
        while status == BUSY:
            await asyncio.sleep(RETRY)
            status, response = await self.ask(verb, path, key, body)
        if status >= 300:
            raise ValueError(f"{verb} {path}: {status} {response[:300]!r}")
        answer: dict[str, Any] = json.loads(response)
        return answer

    def close(self) -> None:
        if self.writer is not None:
            self.writer.close()
        self.reader = self.writer = None


def request(verb: str, path: str, key: str, body: bytes) -> bytes:
    """The bytes of a request."""
    lines = f"{verb} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n"
    return f"{lines}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


async def head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    """Read the status and the headers of a response."""
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
    headers = (line.split(": ", 1) for line in lines if line)
    return int(first.split()[1]), dict(headers)


async def rest(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    """Read the body of a response."""
    if "content-length" in headers:
        return await reader.readexactly(int(headers["content-length"]))
    body = b""
    while length := int(await reader.readline(), 16):
        body += (await reader.readexactly(length + 2))[:-2]
    await reader.readline()
    return body
