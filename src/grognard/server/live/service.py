"""The service of live battles: the store, the listeners, and the relay between processes."""

import asyncio
import contextlib

from starlette.concurrency import run_in_threadpool

from grognard.server.engine import Engine
from grognard.server.live.battles import LiveBattles
from grognard.server.live.store import Store
from grognard.server.live.updates import Listeners, relay
from grognard.server.settings import Settings, make_folder


class LiveService:
    """The live battles of a server process, from its start to its end: `app.state.live`."""

    battles: LiveBattles
    listeners: Listeners

    def __init__(self) -> None:
        self._relay: asyncio.Task[None] | None = None

    async def open(self, settings: Settings, engine: Engine) -> None:
        """Migrate the database and start to listen to it."""
        make_folder(settings.database)
        store = Store(settings.database)
        await run_in_threadpool(store.migrate)
        self.listeners = Listeners(settings.limits)
        engine.monitor.add_gauge("streams", "Clients that listen to live battles.", self.listeners.__len__)
        self.battles = LiveBattles(store, engine, self.listeners.wake, settings.limits)
        if not store.is_sqlite:
            self._relay = asyncio.create_task(relay(store, self.listeners))

    async def close(self) -> None:
        """End all streams and close the database."""
        self.listeners.close()
        if self._relay is not None:
            self._relay.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._relay
        await run_in_threadpool(self.battles.writer.close)
        await run_in_threadpool(self.battles.store.close)
