"""The engine runs tasks in worker processes. Equal tasks are run once, and replies are cached."""

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
QUICK_NICE, NICE = 5, NICEST
"""All workers leave the processor to the server itself, and those that work out odds to those who play."""
PACK, QUICK_PACK = 1_000, 20_000
"""Replies of more bytes are compressed, in the worker rather than in the server; not what a click leads to."""
TASKS = "grognard.tasks"
STATUS = {Status.DONE: 200, Status.REFUSED: 422, Status.MEMORY: 422, Status.BROKEN: 500, Status.STOPPED: 499}
"""What HTTP calls it."""
LASTING = (Status.DONE, Status.REFUSED)
"""The statuses that the same task would end with again: such replies are cached."""


class Refusal(ApiError):
    """A task that came to nothing: with the faults of the worker's reply."""

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.status, self.body = STATUS[reply.status], reply.to_dict()
        super().__init__(self.body["faults"][0]["message"] if "faults" in self.body else "stopped")


class Engine:
    """Runs tasks. Those that may take long have their own workers, so that they do not delay plays."""

    def __init__(self, settings: Settings, monitor: Monitor) -> None:
        self.monitor = monitor
        limits = settings.limits
        command = worker_command(TASKS, memory=limits.memory, pack=QUICK_PACK, nice=QUICK_NICE)
        patient = worker_command(TASKS, memory=limits.memory, pack=PACK, nice=NICE)
        self.bound = limits.positions
        self.long = Pool(patient, settings.workers, limits.seconds, limits.waiting, limits.patience)
        self.long.share = max(1, settings.workers - 1)  # nor the long questions of one client all of those
        self.long.restarted = monitor.worker_restarted
        seconds = min(limits.seconds, limits.quick_seconds)
        self.quick = Pool(command, QUICK_WORKERS, seconds, limits.waiting, limits.patience)
        self.quick.share = 1  # the slow requests of one client cannot take all of these workers
        self.quick.restarted = monitor.worker_restarted
        self.cache: ByteCache[bytes, Reply] = ByteCache(limits.cache)
        self.running: dict[bytes, Job] = {}
        """Tasks that are being run, or wait for a worker."""
        monitor.watch("waiting_questions", "Questions that wait for a worker.", self._waiting)
        monitor.watch("cache_bytes", "Bytes of answers that are kept.", lambda: self.cache.held)

    def _waiting(self) -> int:
        return len(self.long.queue) + len(self.quick.queue)

    def open(self) -> None:
        """Start the workers."""
        self.long.open()
        self.quick.open()

    async def close(self) -> None:
        """End the workers."""
        await asyncio.gather(self.long.close(), self.quick.close())

    async def run(self, task: str, about: Json, owner: str = "", like: str = "") -> Reply:
        """The reply to a task. If nobody waits for it any more, it is stopped. Owners take turns at the workers.

        Tasks that are `like` each other go to the same worker, which may remember something of the earlier ones.
        """
        is_slow = is_long(task, about)
        message = request(task, {**about, "bound": self.bound} if is_slow else about)
        # the order of keys changes no odds, but it does change files
        key = sha256(json.dumps([task, about], sort_keys=True).encode() if task in LONG else message).digest()
        known = self.cache.get(key)
        if known is not None:
            return known
        pool = self.long if is_slow else self.quick
        job = self.running.get(key)
        if job is None:
            job = self.running[key] = pool.start(message, owner, like)
            job.reply.add_done_callback(partial(self._keep, key))
        job.waiting += 1
        began = monotonic()
        try:
            return await asyncio.shield(job.reply)
        finally:
            self.monitor.answered(task, _system_of(about), monotonic() - began)
            job.waiting -= 1
            if not job.waiting:
                del self.running[key]
                pool.end(job)

    async def reply(self, task: str, about: Json, owner: str = "", like: str = "") -> Reply:
        """The reply to a task; if there is none, a `Refusal` says why."""
        reply = await self.run(task, about, owner, like)
        if reply.status is not Status.DONE:
            raise Refusal(reply)
        return reply

    async def result(self, task: str, about: Json, owner: str = "") -> Json:
        """The same as data: not for replies that may be large, which the server only passes on."""
        return (await self.reply(task, about, owner)).to_dict()

    def _keep(self, key: bytes, reply: asyncio.Future[Reply]) -> None:
        if not reply.cancelled() and not reply.exception() and reply.result().status in LASTING:
            self.cache.put(key, reply.result(), len(reply.result().body) + len(key))


def _system_of(about: Json) -> object:
    battle = about.get("battle")
    return battle.get("system") if isinstance(battle, dict) else None
