"""What is stored: battles as they were opened, and the list of what was done in each, which only ever grows."""

from sqlalchemy import BigInteger, ForeignKey, Integer, MetaData, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

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
    attacker_key: Mapped[str] = mapped_column(String(64))
    """The SHA-256 of a key; the keys themselves are not stored."""
    defender_key: Mapped[str] = mapped_column(String(64))
    spectator_key: Mapped[str] = mapped_column(String(64))


class EntryRow(Base):
    """One thing done in a battle. The primary key decides who was first when two do something at once."""

    __tablename__ = "entries"

    battle: Mapped[str] = mapped_column(ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    """From 1, without gaps."""
    who: Mapped[str] = mapped_column(String(10))
    done: Mapped[int] = mapped_column(BigInteger)
    """In milliseconds since 1970."""
    what: Mapped[str] = mapped_column(Text)
    """As JSON."""
