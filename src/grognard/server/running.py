"""Runs a server until it is stopped, and says where it is."""

import socket
import sys
from contextlib import suppress
from dataclasses import replace

import uvicorn

from grognard import __version__
from grognard.server.app import create_app
from grognard.server.connections import WAITING, server_options
from grognard.server.monitor import Monitor
from grognard.server.settings import Settings
from grognard.work.worker import collect_seldom

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104
LOOPBACK = ("127.0.0.1", "::1", "localhost")
PATIENCE = 5
"""Seconds that requests have to end when the server stops."""


class Server(uvicorn.Server):
    """Says where it is once it is there, and at its end drops what is being worked out."""

    def __init__(self, settings: Settings, open_page: bool) -> None:
        self.settings, self.open_page = settings, open_page
        self.app = create_app(settings)
        self.monitor: Monitor = self.app.state.monitor
        options = server_options(settings, self.monitor)
        super().__init__(uvicorn.Config(self.app, timeout_graceful_shutdown=PATIENCE, **options))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, and say where."""
        await super().startup(sockets)
        collect_seldom()
        for listening in sockets or ():
            listening.listen(WAITING)
        if self.started:
            self.monitor.log("start", url=self.settings.base_url, version=__version__, workers=self.settings.workers)
            announce(self.settings, self.open_page)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop; clients that wait for a response get an error."""
        await self.app.state.engine.close()
        await super().shutdown(sockets)
        self.monitor.log("stop")


def run(settings: Settings, listening: socket.socket, open_page: bool) -> None:
    """Run a server on this socket until Ctrl-C."""
    try:
        Server(settings, open_page).run([listening])
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")


def announce(settings: Settings, open_page: bool) -> None:
    """Say where the page is."""
    url = replace(settings, host=address_here(settings.host)).base_url
    sys.stdout.write(f"grognard is at {url}/ (Ctrl-C stops it)\n")
    sys.stdout.flush()
    if settings.host not in LOOPBACK:
        sys.stderr.write("everybody who can reach this machine can reach it, and nothing they send is encrypted\n")
    if open_page:
        import webbrowser

        webbrowser.open(f"{url}/")


def address_here(host: str) -> str:
    """The address under which others in the same network find this machine, if it listens everywhere."""
    if host not in EVERYWHERE:
        return host
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing; picks the address that would be sent from
        return str(probe.getsockname()[0])
    return "127.0.0.1"
