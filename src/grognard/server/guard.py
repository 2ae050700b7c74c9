"""The outermost middleware: limits on the size and the rate of requests, and headers for every response."""

import asyncio
import re
from collections import Counter, OrderedDict
from collections.abc import Callable
from contextlib import ExitStack
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

RATE_LIMITED = ("/api", "/openapi.json", "/docs", "/metrics")
"""The prefixes of paths with a rate limit."""
API = "/api"
MOST_PAUSES = 10
"""The most that a request with a rate limit waits for an idle server, as a multiple of the pause before it."""
IDLE_DELAY = 0.001
"""The server is idle if one turn of the event loop takes fewer seconds."""
STREAM = b"text/event-stream"
BYTES_PER_TOKEN = 16 * 1024
"""A request costs one more token for each full piece of this size in its body."""
OPENING = re.compile("/api/battles(/[^/]*/next)?/?")
"""The paths at which live battles are opened."""
OPENING_COST = 5
"""Opening a live battle costs more tokens: it takes more work, and storage."""
HOST = re.compile(r"(?:\[([^]]*)\]|([^:]*))(?::[0-9]*)?")
"""A Host header, with the name in brackets if it is an IPv6 address."""
CLIENTS = 10_000
"""How many clients are tracked. The one that was idle the longest is dropped first."""

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


class RateLimiter:
    """A token bucket for each client."""

    def __init__(self, size: int, per_second: float, clock: Callable[[], float] = monotonic) -> None:
        self.size, self.per_second, self.clock = size, per_second, clock
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """How many tokens each client had, and when."""

    def take(self, client: str, cost: int = 1) -> float:
        """Take this number of tokens and return 0; if there are too few, return the seconds until there are enough."""
        now = self.clock()
        tokens, then = self.buckets.pop(client, (float(self.size), now))
        tokens = min(self.size, tokens + (now - then) * self.per_second)
        is_enough = tokens >= cost
        self.buckets[client] = (tokens - cost if is_enough else tokens, now)
        if len(self.buckets) > CLIENTS:
            self.buckets.popitem(last=False)
        return 0 if is_enough else (cost - tokens) / self.per_second


class Guard:
    """Middleware that refuses requests beyond the limits, and adds headers to responses."""

    def __init__(self, app: ASGIApp, settings: Settings, monitor: Monitor) -> None:
        self.app, self.settings, self.limits, self.monitor = app, settings, settings.limits, monitor
        rate = settings.limits.requests_per_minute
        self.rate_limiter = RateLimiter(rate, rate / 60)
        self.in_flight: Counter[str] = Counter()
        self.throttles: dict[tuple[str, bool], Throttle] = {}
        """For each client with a request in flight: one for requests with a rate limit, and one for the others."""
        monitor.add_gauge("requests_in_flight", "Requests that are being answered.", self.in_flight.total)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on to the application, or refuse it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = client_of(scope)
        in_flight, body = ExitStack(), _Body(receive, self.limits)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                body.has_response = True
                self.monitor.count("requests_total", "status", str(message["status"]))
                headers = dict(message["headers"])
                defaults = RAW_API_HEADERS if scope["path"].startswith(API) else RAW_HEADERS
                message["headers"] = [*message["headers"], *(pair for pair in defaults if pair[0] not in headers)]
                if headers.get(b"content-type", b"").startswith(STREAM):
                    in_flight.close()  # streams have a limit of their own
            await send(message)

        error = self._check(scope, client)
        if error is not None:
            await asyncio.sleep(self.limits.refusal_seconds)
            await error(scope, receive, send_with_headers)
            return
        with in_flight:
            self.in_flight[client] += 1
            in_flight.callback(self._count_down, client)
            is_limited, pause = scope["path"].startswith(RATE_LIMITED), self.limits.overlap_seconds
            throttle = self.throttles.setdefault((client, is_limited), Throttle())
            await asyncio.sleep(0)  # others that have arrived at the same time overlap with it
            is_overlapping = self.in_flight[client] > 1
            if is_limited:
                await throttle.wait(pause, MOST_PAUSES * pause, is_overlapping)
            else:  # a page has many files
                await throttle.wait(0, pause, is_overlapping)
            try:
                await self.app(scope, body.receive, send_with_headers)
            except Exception as error:
                if not body.has_response:
                    self.monitor.request_failed(type(error).__name__)
                raise

    def _count_down(self, client: str) -> None:
        """Count a request of a client as in flight no longer."""
        self.in_flight[client] -= 1
        if not self.in_flight[client]:
            del self.in_flight[client]
            for is_limited in (True, False):
                self.throttles.pop((client, is_limited), None)

    def _check(self, scope: Scope, client: str) -> JSONResponse | None:
        """The error response if the headers of a request are reason enough to refuse it, else None."""
        headers = Headers(scope=scope)
        if not self.settings.is_own_host(host_name(headers.get("host", ""))):
            self.monitor.refused("host", client)
            message = "this server does not have that name; start it with --public-url http://NAME to let people use it"
            return JSONResponse(fault(message, "host"), 421)
        length = _content_length(headers, self.limits.body)
        if length > self.limits.body:
            self.monitor.refused("too_large", client)
            return JSONResponse(fault(too_large(self.limits), "too_large"), 413)
        if not scope["path"].startswith(RATE_LIMITED):
            return None
        if self.in_flight[client] >= self.limits.in_flight:
            self.monitor.refused("in_flight", client)
            message = f"{self.limits.in_flight} requests of yours are being answered already"
            return JSONResponse(fault(message, "too_many"), 429, {"Retry-After": "1"})
        is_opening = scope["method"] == "POST" and OPENING.fullmatch(scope["path"])
        cost = length // BYTES_PER_TOKEN + (OPENING_COST if is_opening else 1)
        wait = self.rate_limiter.take(client, min(cost, self.rate_limiter.size))
        if wait:
            self.monitor.refused("rate", client)
            message = f"more than {self.limits.requests_per_minute} requests a minute"
            return JSONResponse(fault(message, "too_many"), 429, {"Retry-After": str(ceil(wait))})
        return None


class Throttle:
    """Spaces out the requests of one client that overlap: a burst of them would delay all other clients."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.last_start = 0.0

    async def wait(self, pause: float, longest: float, is_overlapping: bool) -> None:
        """Wait until a request may start. One that overlaps with others starts a pause after the one before it.

        It then also waits until the server is idle, but at the longest for so many seconds.
        """
        now = asyncio.get_running_loop().time
        if is_overlapping:
            async with self.lock:
                await asyncio.sleep(max(0, self.last_start + pause - now()))
                deadline = now() + longest
                while now() < deadline and not await _is_idle():
                    await asyncio.sleep(IDLE_DELAY)
                self.last_start = now()
        else:
            self.last_start = now()


async def _is_idle() -> bool:
    """Whether the event loop has nothing else to do."""
    start = asyncio.get_running_loop().time()
    await asyncio.sleep(0)
    return asyncio.get_running_loop().time() - start < IDLE_DELAY


class _Body:
    """The body of a request. It is refused when it turns out to be too large or too slow."""

    def __init__(self, receive: Receive, limits: Limits) -> None:
        self.source, self.limits = receive, limits
        self.size = 0
        self.is_complete = False
        self.has_response = False
        """Whether the response has begun. Then nothing is refused any more."""
        self.deadline = asyncio.get_running_loop().time() + limits.body_seconds

    async def receive(self) -> Message:
        """The next message of the client: a part of the body, or that the client has disconnected."""
        if self.is_complete or self.has_response:
            return await self.source()
        try:
            async with asyncio.timeout_at(self.deadline):
                message = await self.source()
        except TimeoutError:
            self._refuse(408, f"the request took more than {self.limits.body_seconds:g} s to arrive")
            return await self.source()
        self.size += len(message.get("body", b""))
        self.is_complete = not message.get("more_body", False)
        if self.size > self.limits.body:
            self._refuse(413, too_large(self.limits))
        return message

    def _refuse(self, status: int, reason: str) -> None:
        if not self.has_response:
            raise HTTPException(status, reason)


def _content_length(headers: Headers, most: int) -> int:
    """The announced size of a body; the largest size allowed if the client does not say it."""
    length = headers.get("content-length", str(most) if "transfer-encoding" in headers else "0")
    return int(length[:20]) if length.isdecimal() else 0


def too_large(limits: Limits) -> str:
    """The message for a body that is too large."""
    return f"the request is larger than {limits.body:,} bytes"


def host_name(host: str) -> str:
    """The name in a Host header, without its port and the brackets of an IPv6 address; empty if it is no name."""
    match = HOST.fullmatch(host)
    return (match[1] or match[2]) if match else ""


def client_of(scope: Scope) -> str:
    """The client that sent a request, by its address."""
    return client_address(str(scope["client"][0]) if scope.get("client") else "")


@lru_cache(CLIENTS)
def client_address(address: str) -> str:
    """The address that identifies a client: of IPv6, the /64 network that one household has."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv4Address):
        return address
    return str(parsed.ipv4_mapped or IPv6Network((int(parsed), 64), strict=False))
