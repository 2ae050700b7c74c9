"""A PostgreSQL server of our own: in a folder of its own, on a socket in that folder, and gone afterwards."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, text

from tests.tools import required

USER = "postgres"


def find_programs() -> Path | None:
    """The folder of Debian's newest PostgreSQL."""
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    return installed[-1].parent if installed else None


@dataclass(frozen=True)
class Postgres:
    """A server that runs: its address, up to the name of a database in it, and what it is started and stopped with."""

    address: str
    control: list[str]
    start: list[str]
    who: dict[str, Any]

    def crash(self) -> None:
        """Have it end without tidying up, and start it again: it recovers from its journal."""
        subprocess.run([*self.control, "-m", "immediate", "stop"], **self.who)
        subprocess.run([*self.control, *self.start], **self.who)


@contextmanager
def running_postgres() -> Iterator[Postgres]:
    """A server of our own."""
    programs = required(find_programs, "postgresql")
    folder = Path(tempfile.mkdtemp(prefix="grognard-postgres-"))
    data = folder / "data"
    who: dict[str, Any] = {"cwd": folder, "check": True, "stdout": subprocess.DEVNULL}
    if os.geteuid() == 0:  # it refuses to be root
        account = pwd.getpwnam(USER)
        os.chown(folder, account.pw_uid, account.pw_gid)
        who |= {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
    control = [str(programs / "pg_ctl"), "-D", str(data), "-w"]
    try:
        subprocess.run([str(programs / "initdb"), "-D", str(data), "-U", USER, "-A", "trust", "--no-sync"], **who)
        options = f"-c listen_addresses= -c unix_socket_directories={folder}"
        start = ["-l", str(folder / "log"), "-o", options, "start"]
        subprocess.run([*control, *start], **who)
        try:
            yield Postgres(f"postgresql+psycopg://{USER}@/{{}}?host={folder}", control, start, who)
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **who)
    finally:
        shutil.rmtree(folder)


def new_database(server: Postgres, name: str) -> str:
    """The address of a new database."""
    engine = create_engine(server.address.format(USER), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return server.address.format(name)
