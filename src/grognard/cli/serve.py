"""The command that serves the web table."""

import os
import socket
from dataclasses import replace
from typing import Annotated

import typer

from grognard.cli.errors import Refused


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
    if public_url is not None and not public_url.startswith(("http://", "https://")):
        raise Refused(f"--public-url: found {public_url}, expected http://… or https://…")
    listening = listen(host, port)
    from grognard.server.settings import Settings

    settings = Settings(host=host, port=listening.getsockname()[1], public_url=public_url)
    if database is not None:
        settings = replace(settings, database=database)
    if workers is not None:
        settings = replace(settings, workers=workers)
    refuse_unusable(settings.database)
    from grognard.server.running import run

    run(settings, listening, open_page)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there, or why there is none."""
    if not 0 <= port <= 65535:
        raise Refused(f"--port: found {port}, expected a number from 0 to 65535")
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.create_server((host, port), family=family, backlog=2048)
        # asyncio does this only for sockets that name their protocol: else an answer waits 40 ms for its second half
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening
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
