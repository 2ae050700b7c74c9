"""Group commit: entries that arrive during a commit share the next one."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from grognard.server.live.store import NewEntry, Store


class Writer:
    """Stores entries in the order in which they arrive.

    It has a thread of its own, so that an answer does not wait for requests that read from the database.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._thread = ThreadPoolExecutor(1, "writer")
        self._queue: list[tuple[NewEntry, asyncio.Future[bool]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def append(self, entry: NewEntry) -> bool:
        """Store an entry durably; False if its number is taken, or its key is void."""
        result: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.append((entry, result))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        return await result

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queue:
            batch, self._queue = self._queue, []
            entries, results = zip(*batch, strict=True)
            try:
                stored = await loop.run_in_executor(self._thread, self.store.append_all, entries)
                for result, is_stored in zip(results, stored, strict=True):
                    if not result.done():
                        result.set_result(is_stored)
            except Exception as error:
                for result in results:
                    if not result.done():
                        result.set_exception(error)
        self._writing = None

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown()
