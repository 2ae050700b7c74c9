"""The engine runs tasks in worker processes. Requests for the same task share one run, and replies are cached."""

import asyncio
import json
from functools import partial
from hashlib import sha256
from time import monotonic

from grognard.core.systems import Json
from grognard.server.errors import ApiError
from grognard.server.monitor import Monitor
from grognard.server.settings import Settings
from grognard.tasks import LONG, is_long
from grognard.work.cache import ByteCache
from grognard.work.pool import Job, Pool, Reply, request, worker_command
from grognard.work.worker import NICEST, Status

QUICK_WORKERS = 3
QUICK_NICE, LONG_NICE = 5, NICEST
"""Workers run at a lower priority than the server, and those for long tasks at a lower one than those for plays."""
QUICK_COMPRESS_ABOVE, LONG_COMPRESS_ABOVE = 20_000, 1_000
"""Workers compress replies of more bytes. Compression would delay the small replies that a click waits for."""
STATUS = {Status.DONE: 200, Status.REFUSED: 422, Status.MEMORY: 422, Status.BROKEN: 500, Status.STOPPED: 499}
"""The HTTP status of a response to a task."""
CACHEABLE = (Status.DONE, Status.REFUSED)
"""A task that ended with one of these would end in the same way again."""


class TaskFailed(ApiError):
    """A task ended without a result. The response lists the faults of the worker's reply."""

    def __init__(self, reply: Reply) -> None:
        self.status, self.body = STATUS[reply.status], reply.to_dict()
        super().__init__(self.body["faults"][0]["message"] if "faults" in self.body else "stopped")


class Engine:
    """Runs tasks. Long ones have their own workers, so that they do not delay plays."""

    def __init__(self, settings: Settings, monitor: Monitor) -> None:
        self.monitor = monitor
        limits = settings.limits
        self.bound = limits.positions
        self.long = Pool(
            worker_command("grognard.tasks", memory=limits.memory, compress_above=LONG_COMPRESS_ABOVE, nice=LONG_NICE),
            settings.workers,
            limits.seconds,
            limits.queue,
            limits.queue_seconds,
        )
        self.quick = Pool(
            worker_command(
                "grognard.tasks", memory=limits.memory, compress_above=QUICK_COMPRESS_ABOVE, nice=QUICK_NICE
            ),
            QUICK_WORKERS,
            min(limits.seconds, limits.quick_seconds),
            limits.queue,
            limits.queue_seconds,
        )
        # no client can occupy all workers of a pool
        self.long.most_per_owner = max(1, settings.workers - 1)
        self.quick.most_per_owner = 1
        self.long.on_restart = self.quick.on_restart = monitor.worker_restarted
        self.cache: ByteCache[bytes, Reply] = ByteCache(limits.reply_cache)
        self.jobs: dict[bytes, Job] = {}
        """The jobs that are queued or running, by cache key."""
        monitor.add_gauge(
            "waiting_questions",
            "Questions that wait for a worker.",
            lambda: len(self.long.queue) + len(self.quick.queue),
        )
        monitor.add_gauge("cache_bytes", "Bytes of answers that are kept.", lambda: self.cache.used)

    def open(self) -> None:
        self.long.open()
        self.quick.open()

    async def close(self) -> None:
        await asyncio.gather(self.long.close(), self.quick.close())

    async def run(self, task: str, about: Json, owner: str = "", affinity: str = "") -> Reply:
        """The reply to a task. The task is cancelled once nobody waits for it. Owners take turns at the workers.

        Tasks with the same affinity go to the same worker, which may have cached some of the work.
        """
        is_slow = is_long(task, about)
        message = request(task, {**about, "bound": self.bound} if is_slow else about)
        # the order of keys changes no odds, but it changes files
        key = sha256(json.dumps([task, about], sort_keys=True).encode() if task in LONG else message).digest()
        cached = self.cache.get(key)
        if cached is not None:
            return cached
        pool = self.long if is_slow else self.quick
        job = self.jobs.get(key)
        if job is None:
            job = self.jobs[key] = pool.start(message, owner, affinity)
            job.reply.add_done_callback(partial(self._cache_reply, key))
        job.waiters += 1
        start = monotonic()
        try:
            return await asyncio.shield(job.reply)
        finally:
            self.monitor.task_ended(task, _system_of(about), monotonic() - start)
            job.waiters -= 1
            if not job.waiters:
                del self.jobs[key]
                pool.end(job)

    async def reply(self, task: str, about: Json, owner: str = "", affinity: str = "") -> Reply:
        """The reply to a task that succeeds; else raises `TaskFailed`."""
        reply = await self.run(task, about, owner, affinity)
        if reply.status is not Status.DONE:
            raise TaskFailed(reply)
        return reply

    async def result(self, task: str, about: Json, owner: str = "") -> Json:
        """The result of a task that succeeds. Use `reply` for results that may be large."""
        return (await self.reply(task, about, owner)).to_dict()

    def _cache_reply(self, key: bytes, reply: asyncio.Future[Reply]) -> None:
        if not reply.cancelled() and not reply.exception() and reply.result().status in CACHEABLE:
            self.cache.put(key, reply.result(), len(reply.result().body) + len(key))


def _system_of(about: Json) -> object:
    battle = about.get("battle")
    return battle.get("system") if isinstance(battle, dict) else None
