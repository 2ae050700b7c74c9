"""Live updates: whoever listens to a battle is woken when it changes, in whichever process that was."""

import asyncio
from weakref import WeakSet

from sqlalchemy import URL

from grognard.core.errors import GrognardError
from grognard.server.live.store import CHANNEL

MOST_LISTENERS = 500
"""At once, in one process."""
MOST_LISTENERS_OF_A_BATTLE = 50
LONGEST_PAUSE = 10.0
"""Seconds between two attempts to reach a database that is away."""
KEEP_ALIVE = {"keepalives": "1", "keepalives_idle": "20", "keepalives_interval": "5", "keepalives_count": "3"}
"""So that a connection whose other end has vanished is found out in half a minute."""


class Crowded(GrognardError):
    """Too many listen already."""


class Listener:
    """Somebody who waits for news of a battle."""

    def __init__(self, battle: str) -> None:
        self.battle = battle
        self._news = asyncio.Event()

    def wake(self) -> None:
        """There may be news."""
        self._news.set()

    async def wait(self, seconds: float) -> bool:
        """Wait for news since the last time; False if there were none for so long."""
        try:
            await asyncio.wait_for(self._news.wait(), seconds)
        except TimeoutError:
            return False
        self._news.clear()
        return True


class Updates:
    """All who listen in this process. Its methods are for the event loop's thread, except `changed`."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._listeners: WeakSet[Listener] = WeakSet()  # a stream that never began is forgotten with its listener
        self.is_over = False

    def listen(self, battle: str) -> Listener:
        """Listen to a battle, for as long as the listener is kept."""
        to_it = sum(listener.battle == battle for listener in self._listeners)
        if len(self._listeners) >= MOST_LISTENERS or to_it >= MOST_LISTENERS_OF_A_BATTLE:
            raise Crowded("too many are listening: try again later")
        listener = Listener(battle)
        self._listeners.add(listener)
        return listener

    def changed(self, battle: str) -> None:
        """Tell that a battle has changed, from any thread."""
        self._loop.call_soon_threadsafe(self.wake, battle)

    def wake(self, battle: str | None = None) -> None:
        """Wake the listeners of a battle, or of all."""
        for listener in list(self._listeners):
            if battle is None or listener.battle == battle:
                listener.wake()

    def hang_up(self) -> None:
        """Let all streams end."""
        self.is_over = True
        self.wake()


async def relay(database: URL, updates: Updates) -> None:
    """Pass on what PostgreSQL tells of changes in any process, until cancelled; a lost connection is made again."""
    import psycopg

    url = database.set(drivername="postgresql").update_query_dict(KEEP_ALIVE)
    address = url.render_as_string(hide_password=False)
    pause = 0.0
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                updates.wake()  # whatever was told while nobody heard it
                pause = 0.0
                async for told in connection.notifies():
                    updates.wake(told.payload)
        except psycopg.Error:
            await asyncio.sleep(pause)
            pause = min(pause + 0.5, LONGEST_PAUSE)
