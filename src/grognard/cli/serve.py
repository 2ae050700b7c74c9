"""Commands that serve: serve, site, mcp, prune."""

import json
import os
import re
import signal
import socket
import sys
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import click

from grognard.cli.console import is_terminal, print_json
from grognard.cli.errors import INTERRUPTED, CommandError
from grognard.cli.options import command, json_option

SECONDS = {"m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
"""Seconds in a minute, an hour, a day, a week."""


@command(
    "grognard serve --open",
    "grognard serve --host 0.0.0.0",
    "grognard serve --port 0 --database postgresql+psycopg://…",
)
@click.option("--host", metavar="ADDRESS", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    default=8000,
    show_default=True,
    help="The port; 0 takes a free one.",
)
@click.option(
    "--database",
    metavar="URL",
    help="Where live battles are kept: sqlite:///FILE or postgresql+psycopg://…; by default in your data folder.",
)
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Worker processes; by default one per processor.")
@click.option("--public-url", metavar="URL", help="The server's public address, for links to battles.")
@click.option(
    "--proxy",
    "proxies",
    metavar="ADDRESS",
    multiple=True,
    help="A trusted proxy in front (its X-Forwarded-For is believed); may be given several times.",
)
@click.option("--log", metavar="FILE", help="Append a log in lines of JSON; - is standard error.")
@click.option("--open/--no-open", "open_page", default=False, help="Open the page in a browser.")
def serve(
    host: str,
    port: int,
    database: str | None,
    workers: int | None,
    public_url: str | None,
    proxies: tuple[str, ...],
    log: str | None,
    open_page: bool,
) -> None:
    """Serve the web page, the API and live battles, until Ctrl-C."""
    if public_url is not None and not is_web_address(public_url):
        raise CommandError(f"--public-url: found {public_url}, expected http://… or https://…")
    for proxy in proxies:
        if not is_address(proxy):
            raise CommandError(f"--proxy: found {proxy}, expected an IP address")
    require_web()
    listening = listen(host, port)
    from grognard.server.settings import Settings

    port = listening.getsockname()[1]
    settings = Settings(host=host, port=port, public_url=public_url, proxies=proxies, log=log)
    if database is not None:
        settings = replace(settings, database=database)
    if workers is not None:
        settings = replace(settings, workers=workers)
    check_database(settings.database)
    from grognard.server.running import run

    run(settings, listening, open_page)


@command("grognard site -o FOLDER")
@click.option(
    "-o",
    "--out",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="FOLDER",
    help="Where to write it.",
)
def site(folder: Path) -> None:
    """Write the web page as static files that need no server.

    The page has the engine inside and works offline.
    """
    from grognard.site import write

    size = write(folder)
    click.echo(f"{folder}: {size / 1e6:.1f} MB to download, for any web server")


def is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:  # half an IPv6 address
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)


def is_address(text: str) -> bool:
    """Whether it is the IP address of one machine, as connections show it."""
    try:
        return str(ip_address(text)) == text
    except ValueError:
        return False


def require_web() -> None:
    """Raise an error that says how to install the server's libraries, unless they are there."""
    from grognard.core.lazy import require_library

    for library in ("fastapi", "uvicorn", "sqlalchemy", "alembic"):
        require_library(library, "grognard[web]")


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on a host and a port; an error says why there is none."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.create_server((host, port), family=family, backlog=2048)
        # asyncio does this only for sockets that name their protocol: else an answer waits 40 ms for its second half
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listening
    except (socket.gaierror, UnicodeError):  # UnicodeError: a name that no machine can have
        raise CommandError(f"--host: there is no address {host}") from None
    except OSError as error:
        hint = " (--port 0 takes any free one)" if port else ""
        raise CommandError(f"cannot listen at {host}, port {port}: {os.strerror(error.errno or 0)}{hint}") from None


def check_database(database: str) -> None:
    """Check before the server starts that it can store battles."""
    from grognard.server.live.store import Store
    from grognard.server.settings import make_folder

    make_folder(database)
    store = Store(database)
    try:
        store.migrate()
    finally:
        store.close()


@command("grognard mcp")
def mcp() -> None:
    """Serve assistants by the Model Context Protocol.

    An assistant starts it and talks to it over standard input and output. It has tools to check a battle, calculate its
    odds, advise, explain rules and compare, and it has every chapter and example to read. It opens no port, and reads
    no file that a battle names.
    """
    from grognard.core.lazy import require_library

    for library in ("mcp", "mcp.server.mcpserver"):  # the second came with version 2
        require_library(library, "grognard[mcp]")
    from grognard.adapters.assistants import run

    signal.signal(signal.SIGINT, lambda *_: end_at_once())
    if is_terminal(sys.stdin):
        setting = json.dumps({"mcpServers": {"grognard": {"command": "grognard", "args": ["mcp"]}}})
        sys.stderr.write(f"waiting for an assistant (Ctrl-C stops it); its settings may say:\n  {setting}\n")
    run()


def end_at_once() -> None:
    """End on Ctrl-C: the library would first wait for a line of input. Workers end when their pipes close."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


@command(
    "grognard prune --older-than 30d --dry-run",
    "grognard prune --older-than 30d --database postgresql+psycopg://…",
)
@click.option(
    "--older-than", required=True, metavar="AGE", help="Remove battles without activity for this long: 30d, 12h, 2w."
)
@click.option("--database", metavar="URL", help="Where the server keeps its battles.")
@click.option("--dry-run", is_flag=True, help="Only show how many would be removed.")
@json_option
def prune(older_than: str, database: str | None, dry_run: bool, as_json: bool) -> None:
    """Remove old live battles from a server's database."""
    require_web()
    import time

    age = _seconds(older_than)
    from grognard.server.live.store import Store
    from grognard.server.settings import default_database

    store = Store(database or default_database())
    try:
        if not store.exists():
            raise CommandError(f"--database: there is no {store.url.database}")
        store.migrate()
        pruned = store.prune(int((time.time() - age) * 1000), dry_run)
    finally:
        store.close()
    if as_json:
        print_json({"older": pruned, "removed": 0 if dry_run else pruned})
        return
    from grognard.words.numbers import count

    battles = f"{count(pruned, 'battle')} older than {older_than}"
    sys.stdout.write(f"{battles}, none removed yet\n" if dry_run else f"{battles} removed\n")


def _seconds(age: str) -> int:
    match = re.fullmatch(r"(\d{1,6})([mhdw])", age)
    if match is None:
        raise CommandError(f"--older-than: {age!r} is no age: expected a number and one of m, h, d, w, such as 30d")
    return int(match[1]) * SECONDS[match[2]]
