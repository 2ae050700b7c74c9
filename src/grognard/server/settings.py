"""The settings of a server: where it listens, where it keeps battles, and its limits."""

import os
import socket
import sys
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from grognard.solver.graph import POSITIONS

APPLICATION = "grognard"


def most_connections() -> int:
    """How many connections the process can have open, with file descriptors to spare for workers and database."""
    try:
        import resource
    except ImportError:  # not on this platform
        return 400
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 2_000 if files == resource.RLIM_INFINITY else max(50, min(2_000, files - 200))


def data_folder() -> Path:
    """The folder for our data in the user's home, by the convention of the platform."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or ""
        if not Path(base).is_absolute():  # the XDG specification says to ignore relative paths
            base = str(Path.home() / ".local" / "share")
    return Path(base) / APPLICATION


def default_database() -> str:
    """The URL of an SQLite file in the data folder."""
    return f"sqlite:///{(data_folder() / 'battles.sqlite3').as_posix()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one request, one task and one client may use."""

    positions: int = POSITIONS
    """The most positions of a battle that is solved."""
    seconds: float = 20.0
    """How long a task may run."""
    quick_seconds: float = 5.0
    """How long a task that needs no odds may run."""
    queue: int = 96
    """How many tasks may wait for a worker."""
    queue_seconds: float = 30.0
    """How long a task waits for a worker."""
    memory: int = 2 * 1024**3
    """The bytes of memory that a worker may use."""
    body: int = 256 * 1024
    """The most bytes in the body of a request."""
    body_seconds: float = 20.0
    """How long the body of a request may take to arrive."""
    requests_per_minute: int = 600
    """The rate limit of a client. Large requests count several times."""
    refusal_seconds: float = 2.0
    """The delay before a refusal is sent: it slows down clients that retry at once."""
    overlap_seconds: float = 0.04
    """The time between the starts of requests of one client that overlap."""
    in_flight: int = 48
    """How many requests of one client may overlap."""
    streams: int = 1_000
    """How many streams of live updates may be open."""
    streams_per_client: int = 250
    connections: int = field(default_factory=most_connections)
    connections_per_client: int = 300
    connections_per_minute: int = 1_200
    """The rate limit of new connections of a client."""
    header_seconds: float = 10.0
    """How long the headers of a request may take to arrive."""
    stored_per_day: int = 64 * 1024 * 1024
    """How many bytes of battles and answers one client may store in a day."""
    database_size: int = 4 * 1024**3
    """No battle is opened while the database has more bytes."""
    live_cache: int = 32 * 1024 * 1024
    """The size in bytes of each cache of live battles."""
    reply_cache: int = 64 * 1024 * 1024
    """The size in bytes of the cache of replies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one server."""

    host: str = "127.0.0.1"
    port: int = 8000
    """0: any free port."""
    database: str = field(default_factory=default_database)
    """An SQLAlchemy URL."""
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """How many processes compute odds."""
    limits: Limits = field(default_factory=Limits)
    proxies: tuple[str, ...] = ()
    """The addresses of trusted proxies, whose `X-Forwarded-For` is believed."""
    log: str | None = None
    """The file of the log; `-` is standard error."""
    public_url: str | None = None
    """The address for links to battles, if people do not reach the server where it listens."""

    def is_own_host(self, name: str) -> bool:
        """Whether this is a name of the server. Others are refused, to prevent DNS rebinding."""
        return name.lower() in _own_hosts(self.host, self.public_url) or _is_address(name)

    @property
    def base_url(self) -> str:
        """The address that links begin with, without a slash at the end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.public_url or f"http://{host}:{self.port}").rstrip("/")


@lru_cache(1)
def _own_hosts(host: str, public_url: str | None) -> frozenset[str]:
    """The names of a server, in lower case."""
    own = {host, "localhost", socket.gethostname(), f"{socket.gethostname()}.local"}
    if public_url is not None:
        own.add(urlsplit(public_url).hostname or "")
    return frozenset(name.lower() for name in own if name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def make_folder(database: str) -> None:
    """Create the folder of an SQLite file if it is missing, readable by its owner only."""
    scheme, _, path = database.partition(":///")
    if scheme.startswith("sqlite") and path and not path.startswith((":memory:", "file:")):
        Path(path.partition("?")[0]).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
