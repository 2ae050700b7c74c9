"""The store: battles in SQLite or PostgreSQL. What it has acknowledged survives a crash or a power failure.

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
"""Where PostgreSQL tells other processes which battle has changed."""
MIGRATING = 6_140_815
"""The advisory lock of PostgreSQL that is ours alone: one process migrates, others wait."""
BUSY_SECONDS = 30
KEY_BYTES = 24
ID_BYTES = 12
NOBODY = hashlib.sha256(b"").hexdigest()
"""The hash that a key is compared with if there is no such battle, so that finding out takes as long as for others."""
NAMES = {"ix": "ix_%(column_0_label)s", "fk": "fk_%(table_name)s_%(column_0_name)s", "pk": "pk_%(table_name)s"}
"""Every database is to call its constraints the same, so that migrations can name them."""


class Base(DeclarativeBase):
    """All tables."""

    metadata = MetaData(naming_convention=NAMES)


class BattleRow(Base):
    """A battle as it was opened. Nothing here changes afterwards."""

    __tablename__ = "battles"

    id: Mapped[str] = mapped_column(String(40), primary_key=True)
    opened: Mapped[int] = mapped_column(BigInteger, index=True)
    """In milliseconds since 1970."""
    source: Mapped[str] = mapped_column(Text)
    """The battle file, as JSON."""
    options: Mapped[str] = mapped_column(Text)
    """What its players agreed on, as JSON."""
    secret: Mapped[str | None] = mapped_column(String(64))
    """What the fair dice follow from, in hexadecimal digits. It leaves the server only once the battle is over."""
    table_id: Mapped[str] = mapped_column(String(40), index=True)
    """The id of the first battle at the same table."""


class SeatRow(Base):
    """A seat at a table: it holds a side, in all battles there."""

    __tablename__ = "seats"

    table_id: Mapped[str] = mapped_column(String(40), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    side: Mapped[str] = mapped_column(Text)
    key: Mapped[str] = mapped_column(String(64))
    """The SHA-256 of its key; the key itself is not stored."""


class EntryRow(Base):
    """One thing done in a battle. The primary key decides who was first when two do something at once."""

    __tablename__ = "entries"

    battle: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    """From 1, without gaps."""
    who: Mapped[str] = mapped_column(Text)
    """The side of the seat."""
    done: Mapped[int] = mapped_column(BigInteger)
    """In milliseconds since 1970."""
    what: Mapped[str] = mapped_column(Text)
    """As JSON."""


class SecretRow(Base):
    """The secret of the fair dice of a battle that was removed; it is public."""

    __tablename__ = "secrets"

    battle: Mapped[str] = mapped_column(String(40), primary_key=True)
    secret: Mapped[str] = mapped_column(String(64))


Hashes = Mapping[str, str]
"""The SHA-256 of every seat's key, in hexadecimal digits, by the seat's side."""


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
    """What the fair dice follow from."""
    keys: Hashes = field(repr=False)
    """Of every seat at the table, in order; spectators have the last one of the first battle."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that a side did in a battle.

    `what` is an answer as in scripts (fair dice with the number of draws after them), `{"undo": true}`,
    `{"number": text}` for the fair dice, `{"clock": seconds}`, `{"concede": true}`, `{"flag": side}` of the side whose
    time is up, or `{"next": id}` of the battle that follows.
    """

    number: int
    who: str
    done: int
    """In milliseconds since 1970."""
    what: Json


@dataclass(frozen=True, slots=True)
class Append:
    """An entry that is to be stored."""

    battle: str
    entry: Entry
    key: str | None = None
    """The hash of the key that the seat must still have."""
    opens: Record | None = None
    """The battle that is opened with it."""


APPEND = """
    INSERT INTO entries (battle, number, who, done, what)
    SELECT id, :number, :who, :done, :what FROM battles
    WHERE id = :battle AND (CAST(:key AS TEXT) IS NULL OR EXISTS (
        SELECT 1 FROM seats WHERE seats.table_id = battles.table_id AND side = :who AND key = CAST(:key AS TEXT)))
    ON CONFLICT DO NOTHING
"""
"""Adds nothing if the number is taken, the battle is no more, or the seat has another key by now."""
APPEND_AND_NOTIFY = f"""
    WITH added AS ({APPEND} RETURNING battle)
    SELECT pg_notify('{CHANNEL}', battle || ' ' || CAST(:sender AS TEXT)) FROM added
"""  # noqa: S608
"""The same in PostgreSQL, which also tells all processes which battle it is and which process did it."""


class StoreError(GrognardError):
    """A database that cannot be used."""


def new_id() -> str:
    """The id of a battle: free of clashes, and no secret."""
    return secrets.token_urlsafe(ID_BYTES)


def new_keys(sides: Iterable[str]) -> dict[str, str]:
    """A key for every seat, beyond guessing."""
    return {side: secrets.token_urlsafe(KEY_BYTES) for side in sides}


def hash_key(key: str) -> str:
    """What is stored of a key. It is random and long: nothing slower is needed to keep it from being guessed."""
    return hashlib.sha256(key.encode(errors="replace")).hexdigest()


def side_of_key(key: str, hashes: Hashes | None) -> str | None:
    """The side of the seat whose key it is; every hash is compared, whether an earlier one fits or not."""
    given = hash_key(key)
    fits = [side for side, kept in (hashes or {"": NOBODY}).items() if hmac.compare_digest(given, kept)]
    return fits[0] if fits and hashes else None


class Store:
    """Battles in a database. Its methods block: call them from threads."""

    def __init__(self, database: str) -> None:
        self.url = _usable(database)
        self.sender = new_id()
        """What it is called when others are told of its entries."""
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
        except ValueError as wrong:  # an option in the address, such as ?timeout=abc
            raise StoreError(f"{self.url.render_as_string()}: {wrong}") from None
        if self.is_sqlite:
            event.listen(self.engine, "connect", _make_durable)
        notifying = str(text(APPEND_AND_NOTIFY).compile(dialect=self.engine.dialect))
        self._append_statement = APPEND if self.is_sqlite else notifying
        self._kept: list[Connection] = []
        """What entries are stored through: to take a connection from the pool takes as long as to store one."""
        self._writing: AbstractContextManager[object] = Lock() if self.is_sqlite else nullcontext()
        """SQLite has one writer at a time, and who finds it writing sleeps; here the next one is called."""

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
        while self._kept:
            self._kept.pop().close()
        self.engine.dispose()

    def open_battle(self, record: Record) -> None:
        """Store a new battle, and the seats of its table that are new."""
        with self._writing, self.engine.begin() as connection:
            _insert(connection, record)

    def append_all(self, appends: Sequence[Append]) -> list[bool]:
        """Store entries, each with the battle that it opens; False for those that cannot be added.

        When this returns, nothing of it can be lost.
        """
        try:
            return self._append_together(appends)
        except IntegrityError:  # a battle was removed at this very moment
            return [False] if len(appends) == 1 else [self.append_all([append])[0] for append in appends]

    def _append_together(self, appends: Sequence[Append]) -> list[bool]:
        try:
            connection, is_kept = self._kept.pop(), True
        except IndexError:
            connection, is_kept = self.engine.connect(), False
        try:
            with self._writing, connection.begin():
                stored = [self._append(connection, append) for append in appends]
                is_kept = False
        except OperationalError:
            connection.close()
            if is_kept:  # it broke while nobody wrote, and nothing of this was stored
                return self._append_together(appends)
            raise
        except BaseException:
            connection.close()
            raise
        self._kept.append(connection)
        return stored

    def _append(self, connection: Connection, append: Append) -> bool:
        entry = append.entry
        row = {"battle": append.battle, "number": entry.number, "who": entry.who, "done": entry.done}
        values = {**row, "what": json.dumps(entry.what), "key": append.key}
        if not self.is_sqlite:
            values["sender"] = self.sender
        if not connection.exec_driver_sql(self._append_statement, values).rowcount:
            return False
        if append.opens is not None:
            _insert(connection, append.opens)
        return True

    def find(self, battle: str) -> Record | None:
        """The battle of this id."""
        with self.engine.connect() as connection:
            row = connection.execute(select(BattleRow.__table__).where(BattleRow.id == battle)).one_or_none()
            if row is None:
                return None
            keys = _keys(connection, row.table_id)
        secret = None if row.secret is None else bytes.fromhex(row.secret)
        return Record(row.id, row.table_id, row.opened, json.loads(row.source), json.loads(row.options), secret, keys)

    def entries(self, battle: str, after: int = 0) -> list[Entry]:
        """What was done in a battle after the entry of this number, in order."""
        with self.engine.connect() as connection:
            return _entries(connection, battle, after)

    def news(self, battle: str, after: int) -> tuple[Hashes, list[Entry]] | None:
        """The keys of a battle's table, and what was done after the entry of this number; None: it is no more."""
        seats = select(SeatRow.side, SeatRow.key).join(BattleRow, BattleRow.table_id == SeatRow.table_id)
        with self.engine.connect() as connection:
            rows = connection.execute(seats.where(BattleRow.id == battle).order_by(SeatRow.number)).all()
            return ({row.side: row.key for row in rows}, _entries(connection, battle, after)) if rows else None

    def replace_key(self, table: str, side: str, former: str, key: str) -> bool:
        """Replace the hash of a seat's key; False if another request was first."""
        seat = (SeatRow.table_id == table) & (SeatRow.side == side) & (SeatRow.key == former)
        with self._writing, self.engine.begin() as connection:
            return connection.execute(update(SeatRow).where(seat).values(key=key)).rowcount == 1

    def secret_of_removed(self, battle: str) -> bytes | None:
        """The secret of the fair dice of a battle that was removed."""
        with self.engine.connect() as connection:
            secret = connection.execute(select(SecretRow.secret).where(SecretRow.battle == battle)).scalar_one_or_none()
        return None if secret is None else bytes.fromhex(secret)

    def size(self) -> int:
        """The bytes of the database."""
        pages = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        query = pages if self.is_sqlite else "SELECT pg_database_size(current_database())"
        with self.engine.connect() as connection:
            return int(connection.exec_driver_sql(query).scalar_one())

    def prune(self, before: int, dry_run: bool = False) -> int:
        """Remove the battles in which nothing was done since then, in milliseconds since 1970; how many they are."""
        with self._writing, self.engine.begin() as connection:
            if dry_run:
                return connection.execute(select(func.count()).select_from(BattleRow).where(_idle(before))).scalar_one()
            removing = delete(BattleRow).where(_idle(before)).returning(BattleRow.id, BattleRow.secret)
            removed = connection.execute(removing).all()  # a battle that is played by now stays, and so does its secret
            published = [{"battle": battle, "secret": secret} for battle, secret in removed if secret is not None]
            if published:
                connection.execute(insert(SecretRow), published)
            connection.execute(delete(SeatRow).where(SeatRow.table_id.not_in(select(BattleRow.table_id))))
            return len(removed)


def _usable(database: str) -> URL:
    """The database's address, if it is one that the store can work with."""
    try:
        url = make_url(database)
        backend = url.get_backend_name()
    except (ArgumentError, NoSuchModuleError, ValueError) as wrong:  # ValueError: half an IPv6 address
        raise StoreError(f"{database}: {wrong}") from None
    if url.drivername not in DRIVERS:
        raise StoreError(f"{url.drivername}: expected sqlite:///FILE or postgresql+psycopg://…")
    if backend == "sqlite" and url.database in (None, "", ":memory:"):
        raise StoreError("an SQLite database needs a file: sqlite:///FILE")
    return url


def _make_durable(connection: DBAPIConnection, pooled: ConnectionPoolEntry) -> None:
    """Readers and a writer side by side, and every commit on the disk before it returns."""
    cursor = connection.cursor()
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _entries(connection: Connection, battle: str, after: int) -> list[Entry]:
    of_it = (EntryRow.battle == battle) & (EntryRow.number > after)
    query = select(EntryRow.number, EntryRow.who, EntryRow.done, EntryRow.what)
    rows = connection.execute(query.where(of_it).order_by(EntryRow.number)).all()
    return [Entry(number, who, done, json.loads(what)) for number, who, done, what in rows]


def _keys(connection: Connection, table: str) -> dict[str, str]:
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
    seated = _keys(connection, record.table)
    new = [(side, key) for side, key in record.keys.items() if side not in seated]
    seats = [
        {"table_id": record.table, "number": number, "side": side, "key": key}
        for number, (side, key) in enumerate(new, len(seated))
    ]
    if seats:
        connection.execute(insert(SeatRow), seats)


def _idle(before: int) -> ColumnElement[bool]:
    newest = select(func.max(EntryRow.done)).where(EntryRow.battle == BattleRow.id).scalar_subquery()
    return (BattleRow.opened < before) & (func.coalesce(newest, BattleRow.opened) < before)
