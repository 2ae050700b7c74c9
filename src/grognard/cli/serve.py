"""The command that serves the web table."""

import os
import socket
import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from grognard.cli.errors import Refused

if TYPE_CHECKING:
    from grognard.server.settings import Settings

EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104
LOOPBACK = ("127.0.0.1", "::1", "localhost")
PATIENCE = 5
"""Seconds that requests have to end when the server is told to."""


def serve(
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="N", help="The port; 0 takes any free one.")] = 8000,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="URL",
            help="Where live battles are kept: sqlite:///FILE or postgresql+psycopg://…; else among your own data.",
        ),
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", help="Processes that work out odds; else one a processor.")
    ] = None,
    public_url: Annotated[
        str | None,
        typer.Option(
            "--public-url", metavar="URL", help="What links to battles begin with, if people come by another."
        ),
    ] = None,
    open_page: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = False,
) -> None:
    """Serve the web page, the API and live battles, until Ctrl-C."""
    if workers is not None and workers < 1:
        raise Refused(f"--workers: found {workers}, expected at least 1")
    listening = listen(host, port)
    from grognard.server.settings import Settings

    settings = Settings(host=host, port=listening.getsockname()[1], public_url=public_url)
    if database is not None:
        settings = replace(settings, database=database)
    if workers is not None:
        settings = replace(settings, workers=workers)
    refuse_unusable(settings.database)
    run(settings, listening, open_page)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there, or why there is none."""
    if not 0 <= port <= 65535:
        raise Refused(f"--port: found {port}, expected a number from 0 to 65535")
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except socket.gaierror:
        raise Refused(f"--host: there is no address {host}") from None
    except OSError as error:
        hint = " (--port 0 takes any free one)" if port else ""
        raise Refused(f"cannot listen at {host}, port {port}: {os.strerror(error.errno or 0)}{hint}") from None


def refuse_unusable(database: str) -> None:
    """Find out before the server starts that it could keep no battles."""
    from grognard.server.live.store import Store
    from grognard.server.settings import make_folder

    make_folder(database)
    store = Store(database)
    try:
        store.migrate()
    finally:
        store.close()


def run(settings: "Settings", listening: socket.socket, open_page: bool) -> None:
    """Run the server until it is told to stop."""
    import uvicorn

    from grognard.server.app import create_app

    app = create_app(settings)

    class Server(uvicorn.Server):
        """Says where it is once it is there, and at the end drops what is being worked out."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started:
                announce(settings, open_page)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            await app.state.desk.close()
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,  # links to live battles are secrets
        server_header=False,
        timeout_graceful_shutdown=PATIENCE,
    )
    try:
        Server(config).run([listening])
    except KeyboardInterrupt:
        sys.stderr.write("stopped\n")


def announce(settings: "Settings", open_page: bool) -> None:
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
