"""Connections: how many a client may have open, and how long it may take to send the headers of a request."""

import asyncio
import socket
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from grognard.server.guard import RateLimiter, client_address
from grognard.server.monitor import Monitor
from grognard.server.settings import Settings

ACCEPTED_AT_ONCE = 8
"""How many connections are accepted before those that are open get a turn."""
BACKLOG = 2_048
"""How many connections may wait to be accepted."""
DEAD_SECONDS = 60
"""A connection whose client acknowledges nothing for this long is closed."""


def protocol(settings: Settings, monitor: Monitor) -> type[H11Protocol]:
    """The HTTP protocol of a server with these limits.

    It closes the connections of a client that has too many or opens them too fast, and connections on which the headers
    of a request do not arrive in time. A proxy may open all connections, since many clients share it.
    """
    limits = settings.limits
    open_connections: Counter[str] = Counter()
    per_minute = limits.connections_per_minute  # may also come in one burst: a client then gets a 429, not a reset
    rate_limiter = RateLimiter(max(limits.connections_per_client, per_minute), per_minute / 60)

    class Connection(H11Protocol):
        """One connection."""

        _header_timer: asyncio.TimerHandle | None = None
        _counted_client: str | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # uvicorn's own type
            """Accept the connection, or close it at once."""
            super().connection_made(transport)
            address = self.client[0] if self.client else ""
            client = client_address(address)
            is_proxy = address in settings.proxies
            most = limits.connections if is_proxy else limits.connections_per_client
            is_too_many = open_connections[client] >= most or open_connections.total() >= limits.connections
            if is_too_many or (not is_proxy and rate_limiter.take(client)):
                monitor.refused("connections", client)
                transport.abort()
                return
            self._counted_client = client
            open_connections[client] += 1
            _close_when_dead(transport.get_extra_info("socket"))
            self._start_timer()

        def connection_lost(self, exc: Exception | None) -> None:
            """Count the connection no longer."""
            super().connection_lost(exc)
            self._stop_timer()
            if self._counted_client is not None:
                open_connections[self._counted_client] -= 1
                if not open_connections[self._counted_client]:
                    del open_connections[self._counted_client]

        def data_received(self, data: bytes) -> None:
            """Read data, and start the timer if the headers of the next request are not complete."""
            super().data_received(data)
            if self.cycle is None or self.cycle.response_complete:
                self._start_timer()
            else:
                self._stop_timer()

        def send_400_response(self, msg: str) -> None:
            """Refuse what is not HTTP. In the middle of a response, close the connection."""
            monitor.refused("malformed", self._counted_client or "")
            if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                super().send_400_response(msg)
            else:
                self.transport.abort()

        def _start_timer(self) -> None:
            if self._header_timer is None:
                self._header_timer = self.loop.call_later(limits.header_seconds, self._close_slow_connection)

        def _stop_timer(self) -> None:
            if self._header_timer is not None:
                self._header_timer.cancel()
                self._header_timer = None

        def _close_slow_connection(self) -> None:
            self._header_timer = None
            monitor.refused("headers", self._counted_client or "")
            self.transport.abort()

    monitor.add_gauge("connections", "Open connections.", open_connections.total)
    return Connection


def _close_when_dead(connection: socket.socket | None) -> None:
    """Have the operating system close a connection whose other end has vanished, or reads nothing."""
    if connection is None or connection.family == getattr(socket, "AF_UNIX", None):
        return
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_USER_TIMEOUT", 1000 * DEAD_SECONDS)):
        if hasattr(socket, option):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def server_options(settings: Settings, monitor: Monitor) -> dict[str, Any]:
    """The keyword arguments for `uvicorn.Config`."""
    return {
        "http": protocol(settings, monitor),
        "backlog": ACCEPTED_AT_ONCE,
        "loop": "asyncio",  # other loops that may be installed cannot start our workers
        "ws": "none",
        "log_level": "error",  # it would warn about each bad client
        "access_log": False,  # links to live battles are secrets
        "server_header": False,
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": list(settings.proxies),
    }
