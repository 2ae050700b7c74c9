"""What stands before every request: bounds on its size and its rate, and the headers that every answer carries."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Network, ip_address
from math import ceil
from time import monotonic

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grognard.server.settings import Limits
from grognard.work.worker import fault

LIMITED = "/api"
CLIENTS = 10_000
"""So many clients are told apart; the one that was away the longest is forgotten first."""

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",  # links to live battles are secrets
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}


class Rates:
    """A bucket of tokens for each client: every request takes one, and they come back with time."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self.size, self.a_second, self.clock = per_minute, per_minute / 60, clock
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> float:
        """Take a token: 0, or if there is none the seconds until there will be."""
        now = self.clock()
        left, then = self.buckets.pop(client, (float(self.size), now))
        left = min(self.size, left + (now - then) * self.a_second)
        is_let_through = left >= 1
        self.buckets[client] = (left - 1 if is_let_through else left, now)
        if len(self.buckets) > CLIENTS:
            self.buckets.popitem(last=False)
        return 0 if is_let_through else (1 - left) / self.a_second


class Guard:
    """Wraps an application."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app, self.limits = app, limits
        self.rates = Rates(limits.requests_per_minute)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                kept = {"Cache-Control": "no-store"} if scope["path"].startswith(LIMITED) else {}
                for name, value in {**HEADERS, **kept}.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send_with_headers)
        else:
            await self.app(scope, _Body(receive, self.limits).receive, send_with_headers)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        """The answer to a request that is refused at sight."""
        length = Headers(scope=scope).get("content-length", "0")
        if length.isdecimal() and int(length[:20]) > self.limits.body:
            return JSONResponse(fault(too_large(self.limits), "too_large"), 413)
        wait = self.rates.wait(client_of(scope)) if scope["path"].startswith(LIMITED) else 0
        if wait:
            message = f"more than {self.limits.requests_per_minute} requests a minute"
            return JSONResponse(fault(message, "too_many"), 429, {"Retry-After": str(ceil(wait))})
        return None


class _Body:
    """A request's body as it arrives, refused once it is too large or too slow."""

    def __init__(self, receive: Receive, limits: Limits) -> None:
        self.source, self.limits = receive, limits
        self.arrived = 0
        self.is_complete = False
        self.deadline = asyncio.get_running_loop().time() + limits.body_seconds

    async def receive(self) -> Message:
        """The next part; after the last, only that the client has gone."""
        if self.is_complete:
            return await self.source()
        try:
            async with asyncio.timeout_at(self.deadline):
                message = await self.source()
        except TimeoutError:
            raise HTTPException(408, f"the request took more than {self.limits.body_seconds:g} s to arrive") from None
        self.arrived += len(message.get("body", b""))
        self.is_complete = not message.get("more_body", False)
        if self.arrived > self.limits.body:
            raise HTTPException(413, too_large(self.limits))
        return message


def too_large(limits: Limits) -> str:
    """Why a body is refused."""
    return f"the request is larger than {limits.body:,} bytes"


def client_of(scope: Scope) -> str:
    """Who asks: an address, of IPv6 the network that one household has."""
    address = str(scope["client"][0]) if scope.get("client") else ""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv4Address):
        return address
    return str(parsed.ipv4_mapped or IPv6Network((int(parsed), 64), strict=False))
