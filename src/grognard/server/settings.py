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


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much one request, one client and one question may take."""

    positions: int = POSITIONS
    """How many positions a battle may have to be solved."""
    seconds: float = 20.0
    """How long a question may take to work out."""
    quick_seconds: float = 5.0
    """How long one may take that needs no odds."""
    waiting: int = 96
    """How many questions may wait for a worker."""
    patience: float = 30.0
    """How many seconds they wait."""
    memory: int = 2 * 1024**3
    """The bytes that a worker may use."""
    body: int = 256 * 1024
    """The bytes of a request."""
    body_seconds: float = 20.0
    """How long a request may take to arrive."""
    requests_per_minute: int = 600
    """How often one client may use the API. A large request counts as several."""
    refusal_seconds: float = 2.0
    """How long a refusal takes, so that nobody gains from asking again at once."""
    overlap_seconds: float = 0.04
    """How long after one another requests of a client begin that it does not send one after the other."""
    in_flight: int = 48
    """How many requests of one client may be under way."""
    streams: int = 1_000
    """How many may listen to live battles."""
    streams_per_client: int = 250
    connections: int = field(default_factory=lambda: most_connections())
    connections_per_client: int = 300
    connections_per_minute: int = 1_200
    """How many one client may open."""
    header_seconds: float = 10.0
    """How long a connection may take to send the headers of a request."""
    stored_per_day: int = 64 * 1024 * 1024
    """The bytes of battles and of answers that one client may store in a day."""
    stored: int = 4 * 1024**3
    """The bytes of the database beyond which no new battle is opened."""
    held: int = 32 * 1024 * 1024
    """The bytes of live battles that need not be loaded anew for each question."""
    cache: int = 64 * 1024 * 1024
    """The bytes of answers that are kept for equal questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One server."""

    host: str = "127.0.0.1"
    port: int = 8000
    """0: any free one."""
    database: str = field(default_factory=lambda: default_database())
    """An SQLAlchemy URL."""
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Processes that work out odds."""
    limits: Limits = field(default_factory=Limits)
    proxies: tuple[str, ...] = ()
    """The addresses of proxies, which are believed about who their clients are."""
    log: str | None = None
    """The file of the operators' log; `-` is standard error."""
    public_url: str | None = None
    """Where people reach the server, if not where it listens: what links to battles begin with."""

    def is_own_host(self, name: str) -> bool:
        """Whether people may reach the server by this name: else a stranger's page could pass for ours (rebinding)."""
        return name.lower() in _own_hosts(self.host, self.public_url) or _is_address(name)

    @property
    def base_url(self) -> str:
        """What links begin with, without a slash at the end."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return (self.public_url or f"http://{host}:{self.port}").rstrip("/")


def most_connections() -> int:
    """How many connections the process can hold, with files to spare for the workers and the database."""
    try:
        import resource
    except ImportError:  # not on this platform
        return 400
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 2_000 if files == resource.RLIM_INFINITY else max(50, min(2_000, files - 200))


def data_folder() -> Path:
    """The folder in which a user's programs keep their data, ours in it."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or ""
        if not Path(base).is_absolute():  # also says the XDG specification: a relative one is ignored
            base = str(Path.home() / ".local" / "share")
    return Path(base) / APPLICATION


@lru_cache(1)
def _own_hosts(host: str, public_url: str | None) -> frozenset[str]:
    """The names by which people may reach a server, in small letters."""
    own = {host, "localhost", socket.gethostname(), f"{socket.gethostname()}.local"}
    if public_url is not None:
        own.add(urlsplit(public_url).hostname or "")
    return frozenset(name.lower() for name in own)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def default_database() -> str:
    """An SQLite file among the user's data."""
    return f"sqlite:///{(data_folder() / 'battles.sqlite3').as_posix()}"


def make_folder(database: str) -> None:
    """Create the folder of an SQLite file if it is missing, readable by its owner only."""
    scheme, _, path = database.partition(":///")
    if scheme.startswith("sqlite") and path and not path.startswith((":memory:", "file:")):
        Path(path.partition("?")[0]).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
