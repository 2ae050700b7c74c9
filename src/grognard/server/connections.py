"""Connections: how many a client may hold, and how long it may take to send the headers of a request."""

import asyncio
import socket
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from grognard.server.guard import Rates, client_address
from grognard.server.monitor import Monitor
from grognard.server.settings import Settings

AT_ONCE = 8
"""How many connections are taken before it is the turn of those that there are."""
WAITING = 2_048
"""How many may wait to be taken."""
DEAD_SECONDS = 60
"""A client that has read nothing of its response for this long is taken to be gone."""


def protocol(settings: Settings, monitor: Monitor) -> type[H11Protocol]:
    """The HTTP protocol of a server with these limits.

    A client that holds too many connections, or opens them too fast, gets no more, and a connection that has not sent
    the headers of a request in time is closed. A proxy, by which many clients come, may hold as many as there are.
    """
    limits = settings.limits
    held: Counter[str] = Counter()
    per_minute = limits.connections_per_minute  # at once, too: or many quick requests end in a reset, not in a 429
    opened = Rates(max(limits.connections_per_client, per_minute), per_minute / 60)

    class Connection(H11Protocol):
        """One connection."""

        _waiting: asyncio.TimerHandle | None = None
        _owner: str | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            """Take the connection, or close it at once."""
            super().connection_made(transport)
            address = self.client[0] if self.client else ""
            owner = client_address(address)
            is_proxy = address in settings.proxies
            is_too_many = held[owner] >= (limits.connections if is_proxy else limits.connections_per_client)
            if is_too_many or held.total() >= limits.connections or (not is_proxy and opened.wait(owner)):
                monitor.refused("connections", owner)
                transport.abort()
                return
            self._owner = owner
            held[owner] += 1
            _close_when_dead(transport.get_extra_info("socket"))
            self._await_headers()

        def connection_lost(self, exc: Exception | None) -> None:
            """Forget the connection."""
            super().connection_lost(exc)
            self._await_nothing()
            if self._owner is not None:
                held[self._owner] -= 1
                if not held[self._owner]:
                    del held[self._owner]

        def data_received(self, data: bytes) -> None:
            """Take what has arrived, and wait for the rest of the headers if they are not complete."""
            super().data_received(data)
            if self.cycle is None or self.cycle.response_complete:
                self._await_headers()
            else:
                self._await_nothing()

        def send_400_response(self, msg: str) -> None:
            """Refuse what is no HTTP; in the middle of a response, hang up."""
            monitor.refused("malformed", self._owner or "")
            if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
                super().send_400_response(msg)
            else:
                self.transport.abort()

        def _await_headers(self) -> None:
            if self._waiting is None:
                self._waiting = self.loop.call_later(limits.header_seconds, self._give_up)

        def _await_nothing(self) -> None:
            if self._waiting is not None:
                self._waiting.cancel()
                self._waiting = None

        def _give_up(self) -> None:
            self._waiting = None
            monitor.refused("headers", self._owner or "")
            self.transport.abort()

    monitor.watch("connections", "Open connections.", held.total)
    return Connection


def _close_when_dead(connected: socket.socket | None) -> None:
    """Have the system close a connection whose other end has vanished, or reads nothing."""
    if connected is None or connected.family == getattr(socket, "AF_UNIX", None):
        return
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_USER_TIMEOUT", 1000 * DEAD_SECONDS)):
        if hasattr(socket, option):
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def server_options(settings: Settings, monitor: Monitor) -> dict[str, Any]:
    """What a uvicorn server is to be configured with."""
    return {
        "http": protocol(settings, monitor),
        "backlog": AT_ONCE,
        "loop": "asyncio",  # others that may be installed cannot start our workers
        "ws": "none",
        "log_level": "error",  # its warnings are about clients, who are many
        "access_log": False,  # links to live battles are secrets
        "server_header": False,
        "proxy_headers": bool(settings.proxies),
        "forwarded_allow_ips": list(settings.proxies),
    }
