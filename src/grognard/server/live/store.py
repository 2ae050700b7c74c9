"""The store: battles in SQLite or PostgreSQL. What it has taken, it keeps, whatever happens to process or power."""

import json
from pathlib import Path
from typing import Any

from sqlalchemy import URL, ColumnElement, create_engine, delete, event, func, insert, make_url, select
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from grognard.core.errors import GrognardError
from grognard.server.live.keys import Role
from grognard.server.live.models import BattleRow, EntryRow
from grognard.server.live.records import Entry, Options, Record

CHANNEL = "grognard_battles"
"""Where PostgreSQL tells other processes which battle has changed."""
MIGRATING = 6_140_815
"""The advisory lock of PostgreSQL that is ours alone: one process migrates, others wait."""
BUSY_SECONDS = 30


class StoreError(GrognardError):
    """A database that cannot be used."""


class Taken(GrognardError):
    """Somebody else's entry already has this number, or the battle is no more."""


class Store:
    """Battles in a database. Its methods block: call them from threads."""

    def __init__(self, database: str) -> None:
        self.url = _usable(database)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        arguments: dict[str, Any] = {"pool_pre_ping": True, "pool_size": 10, "max_overflow": 30}
        if self.is_sqlite:
            arguments = {"connect_args": {"timeout": BUSY_SECONDS}}
        try:
            self.engine = create_engine(self.url, **arguments)
        except ModuleNotFoundError as missing:
            raise StoreError(f"this needs {missing.name}: pip install 'grognard[postgres]'") from None
        if self.is_sqlite:
            event.listen(self.engine, "connect", _make_durable)

    def exists(self) -> bool:
        """Whether there is a database: an SQLite file is only made by migrating."""
        return not self.is_sqlite or Path(self.url.database or "").exists()

    def migrate(self) -> None:
        """Bring the tables up to date; the database is made if it is an SQLite file."""
        from alembic import command
        from alembic.util import CommandError

        from grognard.server.live.migrations import config_for

        try:
            if self.is_sqlite:
                Path(self.url.database or "").touch(mode=0o600)  # it holds secrets
            with self.engine.connect() as connection:
                if self.is_sqlite:
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
                else:
                    connection.execute(select(func.pg_advisory_xact_lock(MIGRATING)))
                command.upgrade(config_for(connection), "head")
                connection.commit()
        except (SQLAlchemyError, CommandError, OSError) as failed:
            reason = getattr(failed, "orig", None) or failed  # what the database itself says
            raise StoreError(f"{self.url.render_as_string()}: {reason}") from failed

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    def open_battle(self, record: Record) -> None:
        """Store a new battle."""
        with self.engine.begin() as connection:
            connection.execute(insert(BattleRow), _row(record))

    def append(self, battle: str, entry: Entry, opens: Record | None = None) -> None:
        """Store an entry, and with it the battle that it opens. When this returns, neither can be lost."""
        row = {"battle": battle, "number": entry.number, "who": str(entry.who), "done": entry.done}
        try:
            with self.engine.begin() as connection:
                if opens is not None:
                    connection.execute(insert(BattleRow), _row(opens))
                connection.execute(insert(EntryRow), {**row, "what": json.dumps(entry.what)})
                if not self.is_sqlite:
                    connection.execute(select(func.pg_notify(CHANNEL, battle)))
        except IntegrityError as clash:
            raise Taken(f"entry {entry.number} of {battle} cannot be added") from clash

    def find(self, battle: str) -> Record | None:
        """The battle of this id."""
        with self.engine.connect() as connection:
            row = connection.execute(select(BattleRow.__table__).where(BattleRow.id == battle)).one_or_none()
        if row is None:
            return None
        keys = {role: getattr(row, f"{role}_key") for role in Role}
        secret = None if row.secret is None else bytes.fromhex(row.secret)
        options = Options.model_validate_json(row.options)
        return Record(row.id, row.opened, json.loads(row.source), options, secret, keys)

    def entries(self, battle: str, after: int = 0) -> list[Entry]:
        """What was done in a battle after the entry of this number, in order."""
        of_it = (EntryRow.battle == battle) & (EntryRow.number > after)
        query = select(EntryRow.number, EntryRow.who, EntryRow.done, EntryRow.what)
        with self.engine.connect() as connection:
            rows = connection.execute(query.where(of_it).order_by(EntryRow.number)).all()
        return [Entry(number, Role(who), done, json.loads(what)) for number, who, done, what in rows]

    def prune(self, before: int, dry_run: bool = False) -> int:
        """Remove the battles in which nothing was done since then, in milliseconds since 1970; how many they are."""
        with self.engine.begin() as connection:
            if dry_run:
                return connection.execute(select(func.count()).select_from(BattleRow).where(_idle(before))).scalar_one()
            return connection.execute(delete(BattleRow).where(_idle(before))).rowcount


def _usable(database: str) -> URL:
    """The database's address, if it is one that the store can work with."""
    try:
        url = make_url(database)
        backend = url.get_backend_name()
    except (ArgumentError, NoSuchModuleError) as wrong:
        raise StoreError(f"{database}: {wrong}") from None
    if backend not in ("sqlite", "postgresql"):
        raise StoreError(f"{backend}: expected sqlite:///FILE or postgresql+psycopg://…")
    if backend == "sqlite" and url.database in (None, "", ":memory:"):
        raise StoreError("an SQLite database needs a file: sqlite:///FILE")
    return url


def _make_durable(connection: DBAPIConnection, pooled: ConnectionPoolEntry) -> None:
    """Readers and a writer side by side, and every commit on the disk before it returns."""
    cursor = connection.cursor()
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _row(record: Record) -> dict[str, Any]:
    return {
        "id": record.id,
        "opened": record.opened,
        "source": json.dumps(record.source),
        "options": record.options.model_dump_json(),
        "secret": None if record.secret is None else record.secret.hex(),
        **{f"{role}_key": record.keys[role] for role in Role},
    }


def _idle(before: int) -> ColumnElement[bool]:
    newest = select(func.max(EntryRow.done)).where(EntryRow.battle == BattleRow.id).scalar_subquery()
    return (BattleRow.opened < before) & (func.coalesce(newest, BattleRow.opened) < before)
