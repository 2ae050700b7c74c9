"""Live updates: listeners get the state of a battle whenever it changes, in this process or in another one."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from weakref import WeakSet, WeakValueDictionary

from sqlalchemy.exc import DatabaseError

from grognard.server.engine import TaskFailed
from grognard.server.errors import RETRY_AFTER, ApiError
from grognard.server.live.battles import LiveBattles
from grognard.server.live.errors import UnknownBattle
from grognard.server.live.state import LivePlay, Seat
from grognard.server.live.store import CHANNEL, Store
from grognard.server.settings import Limits
from grognard.work.pool import Busy, Lost, TooLong

MOST_LISTENERS_PER_SEAT = 50
"""To one battle. It keeps the listeners of one seat from crowding out those of the others."""
LONGEST_PAUSE = 10.0
"""The most seconds between two attempts to connect to the database."""
KEEP_ALIVE = {"keepalives": "1", "keepalives_idle": "20", "keepalives_interval": "5", "keepalives_count": "3"}
"""Connection options with which a broken connection is noticed within half a minute."""
HEARTBEAT = 15.0
"""After this many seconds without an event a comment is sent, so that no proxy closes the connection."""
RETRY = 1_000
"""The milliseconds after which a browser reconnects."""


class TooManyListeners(ApiError):
    """No more listeners are allowed."""

    status, code, headers = 503, "busy", RETRY_AFTER


class Listener:
    """Waits for changes of a battle."""

    def __init__(self, client: str, side: str, listeners_of_battle: "WeakSet[Listener]") -> None:
        self.client, self.side = client, side
        self.listeners_of_battle = listeners_of_battle
        """With this listener; they keep the set alive."""
        self.must_load = True
        """Whether the database may have entries that are not in the memory of this process."""
        self._event = asyncio.Event()

    def wake(self, is_cached: bool = False) -> None:
        """End the wait; `is_cached` says whether this process has the latest entry in memory."""
        self.must_load = self.must_load or not is_cached
        self._event.set()

    async def wait(self, seconds: float) -> bool:
        """Wait until the listener has been woken since the last time; False if this takes too long."""
        try:
            async with asyncio.timeout(seconds):
                await self._event.wait()
        except TimeoutError:
            self.must_load = True
            return False
        self._event.clear()
        return True


class Listeners:
    """All listeners of this process."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._all: WeakSet[Listener] = WeakSet()  # a listener is forgotten with its stream, even if that never starts
        self._by_battle: WeakValueDictionary[str, WeakSet[Listener]] = WeakValueDictionary()
        self.is_closed = False

    def __len__(self) -> int:
        return len(self._all)

    def add(self, battle: str, side: str, client: str) -> Listener:
        """Let a client listen to a battle from the seat of a side, as long as it keeps a reference to the listener."""
        of_battle = self._by_battle.setdefault(battle, WeakSet())
        at_seat = sum(listener.side == side for listener in of_battle)
        if len(self._all) >= self.limits.streams or at_seat >= MOST_LISTENERS_PER_SEAT:
            raise TooManyListeners("too many are listening: try again later")
        if sum(listener.client == client for listener in self._all) >= self.limits.streams_per_client:
            raise TooManyListeners(f"you are listening {self.limits.streams_per_client} times already")
        listener = Listener(client, side, of_battle)
        self._all.add(listener)
        of_battle.add(listener)
        return listener

    def remove(self, listener: Listener) -> None:
        """Remove a listener."""
        self._all.discard(listener)
        listener.listeners_of_battle.discard(listener)

    def wake(self, battle: str | None = None, is_cached: bool = False) -> None:
        """Wake the listeners of a battle, or all listeners."""
        for listener in list(self._all if battle is None else self._by_battle.get(battle, ())):
            listener.wake(is_cached)

    def close(self) -> None:
        """End all streams."""
        self.is_closed = True
        self.wake()


async def relay(store: Store, listeners: Listeners) -> None:
    """Wake listeners when PostgreSQL announces an entry of another process; reconnect after errors."""
    import psycopg

    url = store.url.set(drivername="postgresql").update_query_dict(KEEP_ALIVE)
    address = url.render_as_string(hide_password=False)
    pause = 0.0
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                listeners.wake()  # announcements may have been missed
                pause = 0.0
                async for notice in connection.notifies():
                    battle, _, sender = notice.payload.partition(" ")
                    if sender != store.sender:
                        listeners.wake(battle)
        except psycopg.Error:
            await asyncio.sleep(pause)
            pause = min(pause + 0.5, LONGEST_PAUSE)


async def stream(
    listeners: Listeners, listener: Listener, battles: LiveBattles, seat: Seat, last_id: int | None, only_changes: bool
) -> AsyncIterator[str | bytes]:
    """Server-Sent Events: the state, unless its id is `last_id`, and again after every change.

    The id of an event is the number of entries. Its data is the whole state, or what has changed since the last event,
    so a client that reconnects misses nothing.
    """
    try:
        yield f"retry: {RETRY}\n\n"
        while not listeners.is_closed:
            must_load, listener.must_load = listener.must_load, False
            try:
                seat = await battles.refresh(seat, must_load)
                if seat.battle.history.entries != last_id:
                    play = await battles.play(seat.battle, listener.client, last_id if only_changes else None)
                    last_id = play.history.entries
                    for piece in _event(seat, play):
                        yield piece
            except (UnknownBattle, TaskFailed, Busy, Lost, TooLong, DatabaseError):
                return  # the client reconnects, and gets an error if the battle or the key is gone
            if not await listener.wait(HEARTBEAT):
                yield ": still here\n\n"
    finally:
        listeners.remove(listener)


def _event(seat: Seat, play: LivePlay) -> Iterator[str | bytes]:
    """The state as an event: a small one in one piece, which is one write to the socket."""
    name = "state" if play.history.next is None else "next"
    start = f"event: {name}\nid: {play.history.entries}\ndata: "
    if play.is_small:
        yield b"".join((start.encode(), *play.pieces(seat), b"\n\n"))
        return
    yield start
    yield from play.pieces(seat)
    yield "\n\n"
