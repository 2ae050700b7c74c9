"""Running a server until it is stopped."""

import socket
import sys
from contextlib import suppress
from dataclasses import replace

import uvicorn

from grognard import __version__
from grognard.server.app import create_app
from grognard.server.connections import BACKLOG, server_options
from grognard.server.monitor import Monitor
from grognard.server.settings import Settings
from grognard.work.worker import reduce_garbage_collection

ALL_INTERFACES = ("0.0.0.0", "::", "")  # noqa: S104  only compared with
LOOPBACK = ("127.0.0.1", "::1", "localhost")
SHUTDOWN_SECONDS = 5
"""How long requests may take to end when the server stops."""


class Server(uvicorn.Server):
    """A uvicorn server that announces its address when it is ready, and ends streams and workers before it stops."""

    def __init__(self, settings: Settings, open_page: bool) -> None:
        self.settings, self.open_page = settings, open_page
        self.app = create_app(settings)
        self.monitor: Monitor = self.app.state.monitor
        options = server_options(settings, self.monitor)
        super().__init__(uvicorn.Config(self.app, timeout_graceful_shutdown=SHUTDOWN_SECONDS, **options))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server and announce its address."""
        await super().startup(sockets)
        reduce_garbage_collection()
        for listening in sockets or ():
            listening.listen(BACKLOG)
        if self.started:
            self.monitor.log("start", url=self.settings.base_url, version=__version__, workers=self.settings.workers)
            announce(self.settings, self.open_page)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop the server: end the streams and the tasks, for which it would wait, and then the rest."""
        self.app.state.live.listeners.close()
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
    """Print the address of the page, with a warning if others can reach it, and perhaps open it."""
    url = replace(settings, host=display_address(settings.host)).base_url
    sys.stdout.write(f"grognard is at {url}/ (Ctrl-C stops it)\n")
    sys.stdout.flush()
    if settings.host not in LOOPBACK:
        sys.stderr.write("everybody who can reach this machine can reach it, and nothing they send is encrypted\n")
    if open_page:
        import webbrowser

        webbrowser.open(f"{url}/")


def display_address(host: str) -> str:
    """The address to show for a host: if it is all interfaces, that of this machine in its network."""
    if host not in ALL_INTERFACES:
        return host
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing, but picks the network interface
        return str(probe.getsockname()[0])
    return "127.0.0.1"
