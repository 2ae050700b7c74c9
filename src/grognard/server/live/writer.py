"""Entries on their way into the store: all that come while one commit is made share the next one."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from grognard.server.live.store import Append, Store


class Writer:
    """Stores entries in the order in which they come, and tells each only when it is durable.

    It has a thread of its own: an answer never waits until others have read something.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._thread = ThreadPoolExecutor(1, "writer")
        self._waiting: list[tuple[Append, asyncio.Future[bool]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def append(self, append: Append) -> bool:
        """Store an entry; False if its number is taken, or the key that it was given with is void."""
        stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((append, stored))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        return await stored

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                appends = [append for append, _ in batch]
                results = await loop.run_in_executor(self._thread, self.store.append_all, appends)
                for (_, stored), result in zip(batch, results, strict=True):
                    if not stored.done():
                        stored.set_result(result)
            except Exception as error:
                for _, stored in batch:
                    if not stored.done():
                        stored.set_exception(error)
        self._writing = None

    def close(self) -> None:
        """Let the thread end."""
        self._thread.shutdown()
