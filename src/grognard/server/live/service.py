"""The running service: the store, those who listen, and how both end."""

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable
from types import FrameType

from starlette.concurrency import run_in_threadpool

from grognard.server.engine import Engine
from grognard.server.live.battles import LiveBattles
from grognard.server.live.store import Store
from grognard.server.live.updates import Updates, relay
from grognard.server.settings import Settings, make_folder


class LiveService:
    """Live battles from start to end of a server process: `app.state.live`."""

    battles: LiveBattles
    updates: Updates

    def __init__(self) -> None:
        self._relay: asyncio.Task[None] | None = None

    async def open(self, settings: Settings, engine: Engine) -> None:
        """Bring the database up to date and begin to listen to it."""
        make_folder(settings.database)
        store = Store(settings.database)
        await run_in_threadpool(store.migrate)
        self.updates = Updates(settings.limits)
        engine.monitor.add_gauge("streams", "Clients that listen to live battles.", self.updates.__len__)
        self.battles = LiveBattles(store, engine, self.updates.changed, settings.limits)
        if not store.is_sqlite:
            self._relay = asyncio.create_task(relay(store, self.updates))
        _before_signals(self.updates.hang_up)

    async def close(self) -> None:
        """Let all streams end, and close the database."""
        self.updates.hang_up()
        if self._relay is not None:
            self._relay.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._relay
        await run_in_threadpool(self.battles.writer.close)
        await run_in_threadpool(self.battles.store.close)


def _before_signals(end: Callable[[], None]) -> None:
    """End the streams as soon as the process is asked to stop: its server waits for them before it closes anything."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        handler = signal.getsignal(number)
        if callable(handler):
            signal.signal(number, _first(lambda: loop.call_soon_threadsafe(end), handler))


def _first(
    end: Callable[[], object], handler: Callable[[int, FrameType | None], object]
) -> Callable[[int, FrameType | None], None]:
    def handle(number: int, frame: FrameType | None) -> None:
        end()
        handler(number, frame)

    return handle
