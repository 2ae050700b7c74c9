"""The store: battles in SQLite or PostgreSQL. Whatever it has acknowledged survives a crash or a power failure.

A battle is stored as it was opened, with an append-only list of entries. Battles that follow one another at the same
table share their seats. The key of a seat gives access to it; only hashes of keys are stored.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import (
    URL,
    BigInteger,
    ColumnElement,
    Connection,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Text,
    create_engine,
    delete,
    event,
    func,
    insert,
    make_url,
    select,
    text,
    update,
)
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, OperationalError, SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.pool import ConnectionPoolEntry

from grognard.core.errors import GrognardError
from grognard.core.systems import Json

DRIVERS = ("sqlite", "sqlite+pysqlite", "postgresql", "postgresql+psycopg")
CHANNEL = "grognard_battles"
"""The PostgreSQL channel that announces which battle has changed."""
MIGRATION_LOCK = 6_140_815
"""The number of the PostgreSQL advisory lock for migrations."""
BUSY_SECONDS = 30
KEY_BYTES = 24
ID_BYTES = 12
NO_KEY = hashlib.sha256(b"").hexdigest()
"""The hash that keys are compared with if there is no such battle, so that the response takes the same time."""
CONSTRAINT_NAMES = {
    "ix": "ix_%(column_0_label)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
"""The same in every database, so that migrations can refer to them."""


class Base(DeclarativeBase):
    """The base class of all tables."""

    metadata = MetaData(naming_convention=CONSTRAINT_NAMES)


class BattleRow(Base):
    """A battle as it was opened. A row never changes."""

    __tablename__ = "battles"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    opened: Mapped[int] = mapped_column(BigInteger, index=True)
    """In milliseconds since 1970."""
    source: Mapped[str] = mapped_column(Text)
    """The battle file, as JSON."""
    options: Mapped[str] = mapped_column(Text)
    """The options that its players agreed on, as JSON."""
    secret: Mapped[str | None] = mapped_column(String(64))
    """The secret of the fair dice in hexadecimal digits. It is published only once the battle is over."""
    table_id: Mapped[str] = mapped_column(String(40), index=True)
    """The id of the first battle at the same table."""


class SeatRow(Base):
    """A seat at a table. It has the same side in all battles there."""

    __tablename__ = "seats"

    table_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    side: Mapped[str] = mapped_column(Text)
    key: Mapped[str] = mapped_column(String(64))
    """The SHA-256 of its key; the key itself is not stored."""


class EntryRow(Base):
    """An action in a battle. The primary key decides which of two concurrent actions comes first."""

    __tablename__ = "entries"

    battle: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    """From 1, without gaps."""
    who: Mapped[str] = mapped_column(Text)
    """The side of the seat."""
    done: Mapped[int] = mapped_column(BigInteger)
    """In milliseconds since 1970."""
    what: Mapped[str] = mapped_column(Text)
    """The action, as JSON."""


class SecretRow(Base):
    """The published secret of the fair dice of a battle that was removed."""

    __tablename__ = "secrets"

    battle: Mapped[str] = mapped_column(String(40), primary_key=True)
    secret: Mapped[str] = mapped_column(String(64))


KeyHashes = Mapping[str, str]
"""The SHA-256 of the key of each seat, in hexadecimal digits, by the side of the seat."""


@dataclass(frozen=True, slots=True)
class Record:
    """A battle as it was opened."""

    id: str
    table: str
    """The id of the first battle at the same table."""
    opened: int
    """In milliseconds since 1970."""
    source: Json
    options: Json
    secret: bytes | None = field(repr=False)
    """The secret of the fair dice; None: the players roll."""
    keys: KeyHashes = field(repr=False)
    """The seats of the table in order. That of the spectators is the last one of the first battle."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An action of a side in a battle.

    `what` is an answer as in scripts (a fair roll also has the number of draws so far, `draws`), `{"undo": true}`,
    `{"number": text}` for the fair dice, `{"clock": seconds}`, `{"concede": true}`, `{"flag": side}` with the side that
    has used up its time, or `{"next": id}` with the battle that follows.
    """

    number: int
    who: str
    done: int
    """In milliseconds since 1970."""
    what: Json


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry to store, and the conditions for it."""

    battle: str
    entry: Entry
    key: str | None = None
    """The hash that the key of the seat must have; None: any."""
    opens: Record | None = None
    """The battle to open in the same transaction."""


APPEND = """
    INSERT INTO entries (battle, number, who, done, what)
    SELECT id, :number, :who, :done, :what FROM battles
    WHERE id = :battle AND (CAST(:key AS TEXT) IS NULL OR EXISTS (
        SELECT 1 FROM seats WHERE seats.table_id = battles.table_id AND side = :who AND key = CAST(:key AS TEXT)))
    ON CONFLICT DO NOTHING
"""
"""Inserts no row if the number is taken, the battle was removed, or the seat has another key."""
APPEND_AND_NOTIFY = f"""
    WITH added AS ({APPEND} RETURNING battle)
    SELECT pg_notify('{CHANNEL}', battle || ' ' || CAST(:sender AS TEXT)) FROM added
"""  # noqa: S608  made of constants
"""For PostgreSQL: also announces the battle, and the process that changed it."""


class StoreError(GrognardError):
    """A database that cannot be used."""


def new_id() -> str:
    """A unique id for a battle. It is not secret."""
    return secrets.token_urlsafe(ID_BYTES)


def new_keys(sides: Iterable[str]) -> dict[str, str]:
    """A random key for each side's seat."""
    return {side: secrets.token_urlsafe(KEY_BYTES) for side in sides}


def hash_key(key: str) -> str:
    """The hash of a key. Keys are long and random, so a fast hash is safe."""
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()


def side_of_key(key: str, hashes: KeyHashes | None) -> str | None:
    """The side of the seat that a key is for. All hashes are compared, so that the time does not depend on the key."""
    given = hash_key(key)
    matches = [side for side, known in (hashes or {"": NO_KEY}).items() if hmac.compare_digest(given, known)]
    return matches[0] if matches and hashes else None


class Store:
    """Battles in a database. Its methods block: call them from threads."""

    def __init__(self, database: str) -> None:
        self.url = _parse_url(database)
        self.sender = new_id()
        """Identifies this process in announcements."""
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        arguments: dict[str, Any] = {"pool_pre_ping": True, "pool_size": 10, "max_overflow": 30}
        if self.is_sqlite:
            arguments = {"connect_args": {"timeout": BUSY_SECONDS}}
        try:
            self.engine = create_engine(self.url, **arguments)
        except ModuleNotFoundError as missing:
            raise StoreError(f"this needs {missing.name}: pip install 'grognard[postgres]'") from None
        except NoSuchModuleError:
            raise StoreError(f"{self.url.drivername}: expected sqlite:///FILE or postgresql+psycopg://…") from None
        except ValueError as error:  # an option in the URL, such as ?timeout=abc
            raise StoreError(f"{self.url.render_as_string()}: {error}") from None
        if self.is_sqlite:
            event.listen(self.engine, "connect", _make_durable)
        notifying = str(text(APPEND_AND_NOTIFY).compile(dialect=self.engine.dialect))
        self._append_statement = APPEND if self.is_sqlite else notifying
        self._write_connections: list[Connection] = []
        """Idle connections for entries. Taking one from the engine's pool would take as long as storing an entry."""
        self._write_lock: AbstractContextManager[object] = Lock() if self.is_sqlite else nullcontext()
        """SQLite allows one writer at a time, and the others would poll."""

    def exists(self) -> bool:
        """Whether there is a database: `migrate` creates the file of SQLite."""
        return not self.is_sqlite or Path(self.url.database or "").exists()

    def migrate(self) -> None:
        """Bring the tables up to date. Create the file of SQLite if it is missing."""
        from alembic import command
        from alembic.util import CommandError

        from grognard.server.live.migrations import config_for

        try:
            if self.is_sqlite:
                Path(self.url.database or "").touch(mode=0o600)  # it has secrets
            with self.engine.connect() as connection:
                if self.is_sqlite:
                    connection.exec_driver_sql("BEGIN IMMEDIATE")
                else:
                    connection.execute(select(func.pg_advisory_xact_lock(MIGRATION_LOCK)))
                command.upgrade(config_for(connection), "head")
                connection.commit()
        except (SQLAlchemyError, CommandError, OSError) as failed:
            reason = getattr(failed, "orig", None) or failed  # the message of the database itself
            raise StoreError(f"{self.url.render_as_string()}: {reason}") from failed

    def close(self) -> None:
        """Close all connections."""
        while self._write_connections:
            self._write_connections.pop().close()
        self.engine.dispose()

    def open_battle(self, record: Record) -> None:
        """Store a new battle, and the new seats of its table."""
        with self._write_lock, self.engine.begin() as connection:
            _insert(connection, record)

    def append_all(self, entries: Sequence[NewEntry]) -> list[bool]:
        """Store entries durably, in one transaction; returns for each whether it was stored."""
        try:
            return self._append_together(entries)
        except IntegrityError:  # a battle was removed at the same time
            return [False] if len(entries) == 1 else [self.append_all([entry])[0] for entry in entries]

    def _append_together(self, entries: Sequence[NewEntry]) -> list[bool]:
        try:
            connection, may_retry = self._write_connections.pop(), True
        except IndexError:
            connection, may_retry = self.engine.connect(), False
        try:
            with self._write_lock, connection.begin():
                stored = [self._append(connection, entry) for entry in entries]
                may_retry = False  # the commit may succeed although it raises an error
        except OperationalError:
            connection.close()
            if may_retry:  # the connection was lost while it was idle
                return self._append_together(entries)
            raise
        except BaseException:
            connection.close()
            raise
        self._write_connections.append(connection)
        return stored

    def _append(self, connection: Connection, new: NewEntry) -> bool:
        entry = new.entry
        row = {"battle": new.battle, "number": entry.number, "who": entry.who, "done": entry.done}
        values = {**row, "what": json.dumps(entry.what), "key": new.key}
        if not self.is_sqlite:
            values["sender"] = self.sender
        if not connection.exec_driver_sql(self._append_statement, values).rowcount:
            return False
        if new.opens is not None:
            _insert(connection, new.opens)
        return True

    def find(self, battle: str) -> Record | None:
        """The battle with this id; None if there is none."""
        with self.engine.connect() as connection:
            row = connection.execute(select(BattleRow.__table__).where(BattleRow.id == battle)).one_or_none()
            if row is None:
                return None
            keys = _key_hashes(connection, row.table_id)
        secret = None if row.secret is None else bytes.fromhex(row.secret)
        return Record(row.id, row.table_id, row.opened, json.loads(row.source), json.loads(row.options), secret, keys)

    def entries(self, battle: str, after: int = 0) -> list[Entry]:
        """The entries of a battle after this number, in order."""
        with self.engine.connect() as connection:
            return _entries(connection, battle, after)

    def changes_since(self, battle: str, after: int) -> tuple[KeyHashes, list[Entry]] | None:
        """The current keys of a battle's table and its entries after this number; None if the battle was removed."""
        seats = select(SeatRow.side, SeatRow.key).join(BattleRow, BattleRow.table_id == SeatRow.table_id)
        with self.engine.connect() as connection:
            rows = connection.execute(seats.where(BattleRow.id == battle).order_by(SeatRow.number)).all()
            return ({row.side: row.key for row in rows}, _entries(connection, battle, after)) if rows else None

    def replace_key(self, table: str, side: str, former: str, key: str) -> bool:
        """Replace the hash of a seat's key; False if another request was first."""
        seat = (SeatRow.table_id == table) & (SeatRow.side == side) & (SeatRow.key == former)
        with self._write_lock, self.engine.begin() as connection:
            return connection.execute(update(SeatRow).where(seat).values(key=key)).rowcount == 1

    def secret_of_removed(self, battle: str) -> bytes | None:
        """The secret of the fair dice of a battle that was removed; None if there is none."""
        with self.engine.connect() as connection:
            secret = connection.execute(select(SecretRow.secret).where(SecretRow.battle == battle)).scalar_one_or_none()
        return None if secret is None else bytes.fromhex(secret)

    def size(self) -> int:
        """The size of the database in bytes."""
        pages = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        query = pages if self.is_sqlite else "SELECT pg_database_size(current_database())"
        with self.engine.connect() as connection:
            return int(connection.exec_driver_sql(query).scalar_one())

    def prune(self, before: int, dry_run: bool = False) -> int:
        """Remove the battles without an entry since this time in milliseconds since 1970; returns their number."""
        with self._write_lock, self.engine.begin() as connection:
            if dry_run:
                return connection.execute(select(func.count()).select_from(BattleRow).where(_idle(before))).scalar_one()
            removing = delete(BattleRow).where(_idle(before)).returning(BattleRow.id, BattleRow.secret)
            removed = connection.execute(removing).all()  # only of battles that are still idle
            published = [{"battle": battle, "secret": secret} for battle, secret in removed if secret is not None]
            if published:
                connection.execute(insert(SecretRow), published)
            connection.execute(delete(SeatRow).where(SeatRow.table_id.not_in(select(BattleRow.table_id))))
            return len(removed)


def _parse_url(database: str) -> URL:
    """The URL of a database, or an error if the store does not support it."""
    try:
        url = make_url(database)
        backend = url.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError) as error:  # ValueError: half an IPv6 address
        raise StoreError(f"{database}: {error}") from None
    if url.drivername not in DRIVERS:
        raise StoreError(f"{url.drivername}: expected sqlite:///FILE or postgresql+psycopg://…")
    if backend == "sqlite" and url.database in (None, "", ":memory:"):
        raise StoreError("an SQLite database needs a file: sqlite:///FILE")
    return url


def _make_durable(connection: DBAPIConnection, pooled: ConnectionPoolEntry) -> None:
    """Let readers and a writer work side by side, and have every commit on the disk before it returns."""
    cursor = connection.cursor()
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _entries(connection: Connection, battle: str, after: int) -> list[Entry]:
    is_later = (EntryRow.battle == battle) & (EntryRow.number > after)
    query = select(EntryRow.number, EntryRow.who, EntryRow.done, EntryRow.what)
    rows = connection.execute(query.where(is_later).order_by(EntryRow.number)).all()
    return [Entry(number, who, done, json.loads(what)) for number, who, done, what in rows]


def _key_hashes(connection: Connection, table: str) -> dict[str, str]:
    seats = select(SeatRow.side, SeatRow.key).where(SeatRow.table_id == table).order_by(SeatRow.number)
    return {row.side: row.key for row in connection.execute(seats)}


def _insert(connection: Connection, record: Record) -> None:
    row = {
        "id": record.id,
        "opened": record.opened,
        "source": json.dumps(record.source),
        "options": json.dumps(record.options),
        "secret": None if record.secret is None else record.secret.hex(),
        "table_id": record.table,
    }
    connection.execute(insert(BattleRow), row)
    seated = _key_hashes(connection, record.table)
    new = [(side, key) for side, key in record.keys.items() if side not in seated]
    seats = [
        {"table_id": record.table, "number": number, "side": side, "key": key}
        for number, (side, key) in enumerate(new, len(seated))
    ]
    if seats:
        connection.execute(insert(SeatRow), seats)


def _idle(before: int) -> ColumnElement[bool]:
    """The condition that a battle has no entry since this time."""
    newest = select(func.max(EntryRow.done)).where(EntryRow.battle == BattleRow.id).scalar_subquery()
    return (BattleRow.opened < before) & (func.coalesce(newest, BattleRow.opened) < before)
