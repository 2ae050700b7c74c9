"""Live updates: listeners get the state of a battle when it changes, in whichever process that happened."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from weakref import WeakSet, WeakValueDictionary

from sqlalchemy.exc import DatabaseError

from grognard.server.engine import Refusal
from grognard.server.errors import RETRY_AFTER, ApiError
from grognard.server.live.battles import LiveBattles
from grognard.server.live.errors import Unknown
from grognard.server.live.state import LivePlay, Seat
from grognard.server.live.store import CHANNEL, Store
from grognard.server.settings import Limits
from grognard.work.pool import Busy, Lost, TooLong

MOST_LISTENERS_OF_A_SEAT = 50
"""To one battle: nobody can keep the other seats from listening."""
LONGEST_PAUSE = 10.0
"""Seconds between two attempts to reach a database that is away."""
KEEP_ALIVE = {"keepalives": "1", "keepalives_idle": "20", "keepalives_interval": "5", "keepalives_count": "3"}
"""So that a broken connection is noticed within half a minute."""


HEARTBEAT = 15.0
"""Seconds of silence after which a comment is sent, so that nothing on the way takes the connection for dead."""
RETRY = 1_000
"""Milliseconds after which a browser comes back."""


class Crowded(ApiError):
    """Too many listen already."""

    status, code, headers = 503, "busy", RETRY_AFTER


class Listener:
    """Somebody who waits for news of a battle."""

    def __init__(self, client: str, side: str, others: "WeakSet[Listener]") -> None:
        self.client, self.side, self.others = client, side, others
        self.must_load = True
        """Whether the news may be such as this process does not know yet."""
        self._is_woken = False
        self._stirred = asyncio.Event()
        """Set when it is woken, and when it has waited for long enough."""

    def wake(self, is_known: bool = False) -> None:
        """There may be news."""
        self.must_load = self.must_load or not is_known
        self._is_woken = True
        self._stirred.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for news since the last time; False if there were none for so long."""
        enough = asyncio.get_running_loop().call_later(seconds, self._stirred.set)
        try:
            await self._stirred.wait()
        finally:
            enough.cancel()
        self._stirred.clear()
        is_woken, self._is_woken = self._is_woken, False
        self.must_load = self.must_load or not is_woken
        return is_woken


class Updates:
    """All who listen in this process."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._listeners: WeakSet[Listener] = WeakSet()  # a stream that never began is forgotten with its listener
        self._by_battle: WeakValueDictionary[str, WeakSet[Listener]] = WeakValueDictionary()
        """Each kept by its listeners."""
        self.is_over = False

    def __len__(self) -> int:
        return len(self._listeners)

    def listen(self, battle: str, side: str, client: str) -> Listener:
        """Let a client listen to a battle at the seat of a side, for as long as the listener is kept."""
        to_it = self._by_battle.setdefault(battle, WeakSet())
        at_seat = sum(listener.side == side for listener in to_it)
        if len(self._listeners) >= self.limits.streams or at_seat >= MOST_LISTENERS_OF_A_SEAT:
            raise Crowded("too many are listening: try again later")
        if sum(listener.client == client for listener in self._listeners) >= self.limits.streams_per_client:
            raise Crowded(f"you are listening {self.limits.streams_per_client} times already")
        listener = Listener(client, side, to_it)
        self._listeners.add(listener)
        to_it.add(listener)
        return listener

    def forget(self, listener: Listener) -> None:
        """A listener has gone."""
        self._listeners.discard(listener)
        listener.others.discard(listener)

    def changed(self, battle: str, is_known: bool = True) -> None:
        """Tell that a battle has changed, by this process; if that is not known, it is loaded."""
        self.wake(battle, is_known)

    def wake(self, battle: str | None = None, is_known: bool = False) -> None:
        """Wake the listeners of a battle, or of all."""
        for listener in list(self._listeners if battle is None else self._by_battle.get(battle, ())):
            listener.wake(is_known)

    def hang_up(self) -> None:
        """Let all streams end."""
        self.is_over = True
        self.wake()


async def relay(store: Store, updates: Updates) -> None:
    """Pass on what PostgreSQL tells of entries that other processes have made, until cancelled.

    A lost connection is made again.
    """
    import psycopg

    url = store.url.set(drivername="postgresql").update_query_dict(KEEP_ALIVE)
    address = url.render_as_string(hide_password=False)
    pause = 0.0
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                updates.wake()  # notices may have been missed
                pause = 0.0
                async for notice in connection.notifies():
                    battle, _, sender = notice.payload.partition(" ")
                    if sender != store.sender:
                        updates.wake(battle)
        except psycopg.Error:
            await asyncio.sleep(pause)
            pause = min(pause + 0.5, LONGEST_PAUSE)


async def stream(
    updates: Updates, listener: Listener, battles: LiveBattles, seat: Seat, seen: int | None, only_changes: bool
) -> AsyncIterator[str | bytes]:
    """The state if it has changed since the entry that was seen last, then every change, as Server-Sent Events.

    An event's id is the number of entries up to it and its data is the whole state, or what has changed since the
    event before: a client that reconnects has missed nothing.
    """
    try:
        yield f"retry: {RETRY}\n\n"
        while not updates.is_over:
            must_load, listener.must_load = listener.must_load, False
            try:
                seat = await battles.renew(seat, must_load)
                if seat.held.history.entries != seen:
                    now = await battles.look(seat.held, seat.record.id, seen if only_changes else None)
                    seen = now.history.entries
                    for piece in _event(seat, now):
                        yield piece
            except (Unknown, Refusal, Busy, Lost, TooLong, DatabaseError):
                return  # pruned, claimed by another player, or busy: the client reconnects
            if not await listener.wait(HEARTBEAT):
                yield ": still here\n\n"
    finally:
        updates.forget(listener)


def _event(seat: Seat, now: LivePlay) -> Iterator[str | bytes]:
    """A state as an event: small ones in one piece, so that they are one write."""
    name = "state" if now.history.next is None else "next"
    start = f"event: {name}\nid: {now.history.entries}\ndata: "
    if now.is_small:
        yield b"".join((start.encode(), *now.pieces(seat), b"\n\n"))
        return
    yield start
    yield from now.pieces(seat)
    yield "\n\n"
