"""The outermost layer of the server: bounds on the size and the rate of requests, and headers for every response."""

import asyncio
import re
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Network, ip_address
from math import ceil
from time import monotonic

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grognard.server.monitor import Monitor
from grognard.server.settings import Limits, Settings
from grognard.work.worker import fault

LIMITED = ("/api", "/openapi.json", "/docs", "/metrics")
"""Requests to paths that begin so are limited in their rate."""
API = "/api"
MOST_PAUSES = 10
"""For how many pauses a request waits for a calm moment, at most."""
CALM = 0.001
"""Seconds that the event loop takes to come round while the server has nothing to do, at most."""
STREAM = b"text/event-stream"
BYTES_PER_REQUEST = 16 * 1024
"""A request counts once more for each full piece of this size in its body."""
OPENS = re.compile("/api/battles(/[^/]*/next)?/?")
"""Where live battles are opened."""
COST_OF_OPENING = 5
"""Opening a live battle counts as this many requests: it takes as much work, and storage that stays taken."""
CLIENTS = 10_000
"""The number of clients that are tracked; the one that was idle the longest is forgotten first."""

POLICY = {
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",  # the engine in the browser is WebAssembly
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "worker-src": "'self'",
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
RAW_HEADERS = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
RAW_API_HEADERS = [*RAW_HEADERS, (b"cache-control", b"no-store")]


class Rates:
    """A bucket of tokens for each client: every request takes some, and they come back with time."""

    def __init__(self, size: int, per_second: float, clock: Callable[[], float] = monotonic) -> None:
        self.size, self.per_second, self.clock = size, per_second, clock
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str, cost: int = 1) -> float:
        """Take this number of tokens and return 0; if there are too few, return the seconds until there are enough."""
        now = self.clock()
        left, then = self.buckets.pop(client, (float(self.size), now))
        left = min(self.size, left + (now - then) * self.per_second)
        is_let_through = left >= cost
        self.buckets[client] = (left - cost if is_let_through else left, now)
        if len(self.buckets) > CLIENTS:
            self.buckets.popitem(last=False)
        return 0 if is_let_through else (cost - left) / self.per_second


class Guard:
    """Wraps an application."""

    def __init__(self, app: ASGIApp, settings: Settings, monitor: Monitor) -> None:
        self.app, self.settings, self.limits, self.monitor = app, settings, settings.limits, monitor
        rate = settings.limits.requests_per_minute
        self.rates = Rates(rate, rate / 60)
        self.in_flight: Counter[str] = Counter()
        self.lines: dict[str, Line] = {}
        """Of the clients who have requests under way."""
        monitor.watch("requests_in_flight", "Requests that are being answered.", self.in_flight.total)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = client_of(scope)
        request, body = _InFlight(self.in_flight, client), _Body(receive, self.limits)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                body.is_answered = True
                self.monitor.count("requests_total", "status", str(message["status"]))
                given = dict(message["headers"])
                wanted = RAW_API_HEADERS if scope["path"].startswith(API) else RAW_HEADERS
                message["headers"] = [*message["headers"], *(one for one in wanted if one[0] not in given)]
                if given.get(b"content-type", b"").startswith(STREAM):
                    request.end()  # streams have a limit of their own
            await send(message)

        refusal = self._refusal(scope, client)
        if refusal is not None:
            await asyncio.sleep(self.limits.refusal_seconds)
            await refusal(scope, receive, send_with_headers)
            return
        try:
            with request:
                if scope["path"].startswith(LIMITED):
                    line = self.lines.setdefault(client, Line())
                    await line.turn(self.limits.overlap_seconds, self.in_flight[client] > 1)
                await self.app(scope, body.receive, send_with_headers)
        except Exception as error:
            if not body.is_answered:
                self.monitor.broke(type(error).__name__)
            raise
        finally:
            if client not in self.in_flight:
                self.lines.pop(client, None)

    def _refusal(self, scope: Scope, client: str) -> JSONResponse | None:
        """The response to a request that is refused before its body is read; None if it may pass."""
        headers = Headers(scope=scope)
        if not self.settings.is_own_host(host_name(headers.get("host", ""))):
            self.monitor.refused("host", client)
            message = "this server does not have that name; start it with --public-url http://NAME to let people use it"
            return JSONResponse(fault(message, "host"), 421)
        length = _length(headers, self.limits.body)
        if length > self.limits.body:
            self.monitor.refused("too_large", client)
            return JSONResponse(fault(too_large(self.limits), "too_large"), 413)
        if not scope["path"].startswith(LIMITED):
            return None
        if self.in_flight[client] >= self.limits.in_flight:
            self.monitor.refused("in_flight", client)
            message = f"{self.limits.in_flight} requests of yours are being answered already"
            return JSONResponse(fault(message, "too_many"), 429, {"Retry-After": "1"})
        is_opening = scope["method"] == "POST" and OPENS.fullmatch(scope["path"])
        cost = length // BYTES_PER_REQUEST + (COST_OF_OPENING if is_opening else 1)
        wait = self.rates.wait(client, min(cost, self.rates.size))
        if wait:
            self.monitor.refused("rate", client)
            message = f"more than {self.limits.requests_per_minute} requests a minute"
            return JSONResponse(fault(message, "too_many"), 429, {"Retry-After": str(ceil(wait))})
        return None


class Line:
    """Where the requests of one client wait that overlap: all that it sends at once would delay everybody."""

    def __init__(self) -> None:
        self.first = asyncio.Lock()
        """Held by the request that begins next."""
        self.begun = 0.0
        """When the latest began."""

    async def turn(self, pause: float, is_overlapping: bool) -> None:
        """Wait, if a request overlaps with others, until a pause after the one before it, and then for a calm moment.

        If the server is never calm, it begins nevertheless.
        """
        now = asyncio.get_running_loop().time
        if is_overlapping:
            async with self.first:
                await asyncio.sleep(max(0, self.begun + pause - now()))
                latest = now() + MOST_PAUSES * pause
                while now() < latest and not await _is_calm():
                    await asyncio.sleep(CALM)
                self.begun = now()
        else:
            self.begun = now()


async def _is_calm() -> bool:
    """Whether the server has nothing else to do."""
    start = asyncio.get_running_loop().time()
    await asyncio.sleep(0)
    return asyncio.get_running_loop().time() - start < CALM


class _InFlight:
    """Counts a request of a client for as long as it is being answered."""

    def __init__(self, counts: Counter[str], client: str) -> None:
        self.counts, self.client, self.is_counted = counts, client, False

    def __enter__(self) -> None:
        self.counts[self.client] += 1
        self.is_counted = True

    def __exit__(self, *error: object) -> None:
        self.end()

    def end(self) -> None:
        """Count it no more."""
        if self.is_counted:
            self.is_counted = False
            self.counts[self.client] -= 1
            if not self.counts[self.client]:
                del self.counts[self.client]


class _Body:
    """A request's body as it arrives, refused once it is too large or too slow."""

    def __init__(self, receive: Receive, limits: Limits) -> None:
        self.source, self.limits = receive, limits
        self.arrived = 0
        self.is_complete = False
        self.is_answered = False
        """Whether the response has begun: then the rest of the request matters to nobody."""
        self.deadline = asyncio.get_running_loop().time() + limits.body_seconds

    async def receive(self) -> Message:
        """The next part; after the last, and once the response has begun, only that the client has gone matters."""
        if self.is_complete or self.is_answered:
            return await self.source()
        try:
            async with asyncio.timeout_at(self.deadline):
                message = await self.source()
        except TimeoutError:
            self._refuse(408, f"the request took more than {self.limits.body_seconds:g} s to arrive")
            return await self.source()
        self.arrived += len(message.get("body", b""))
        self.is_complete = not message.get("more_body", False)
        if self.arrived > self.limits.body:
            self._refuse(413, too_large(self.limits))
        return message

    def _refuse(self, status: int, why: str) -> None:
        if not self.is_answered:
            raise HTTPException(status, why)


def _length(headers: Headers, most: int) -> int:
    """The bytes that a request will have; if it does not say so, as many as it may."""
    length = headers.get("content-length", str(most) if "transfer-encoding" in headers else "0")
    return int(length[:20]) if length.isdecimal() else 0


def too_large(limits: Limits) -> str:
    """Why a body is refused."""
    return f"the request is larger than {limits.body:,} bytes"


def host_name(host: str) -> str:
    """The name in a Host header, without its port and the brackets of an IPv6 address."""
    return host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]


def client_of(scope: Scope) -> str:
    """The address by which a client is known: that of the connection's other end."""
    return client_address(str(scope["client"][0]) if scope.get("client") else "")


@lru_cache(CLIENTS)
def client_address(address: str) -> str:
    """A client's address; of IPv6 the network that one household has."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv4Address):
        return address
    return str(parsed.ipv4_mapped or IPv6Network((int(parsed), 64), strict=False))
