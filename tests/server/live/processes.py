"""What processes of their own do to a database; they are forked from one that has loaded everything."""

import asyncio
import multiprocessing
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier

import alembic.command  # noqa: F401  loaded here, so that no process has to
from starlette.concurrency import run_in_threadpool

from grognard.server import engine
from grognard.server.live import migrations  # noqa: F401
from grognard.server.live.store import Entry, NewEntry, Store
from grognard.tasks import TASKS
from grognard.work.pool import Job, Pool, Reply
from grognard.work.worker import reply_to
from tests.server.live.servers import Server, make_settings

BATTLE = "one"
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([__name__])


def migrate(database: str, all_are_there: Barrier) -> None:
    """Bring a database up to date, at the same time as others."""
    store = Store(database)
    all_are_there.wait()
    store.migrate()


def write(database: str, telling: Connection) -> None:
    """Add entries for ever after those that are there, and tell of each once the store has taken it."""
    store = Store(database)
    number = len(store.entries(BATTLE))
    while True:
        number += 1
        store.append_all([NewEntry(BATTLE, Entry(number, "red", 0, {"choose": f"option {number}"}))])
        telling.send(number)


class InsidePool(Pool):
    """Runs tasks in the server's own process, so that a server starts in no time."""

    def open(self) -> None:
        pass

    def start(self, task: bytes, owner: str = "", affinity: str = "") -> Job:
        job = Job(task, owner, affinity)
        self.loops.append(asyncio.create_task(self._reply_to(job)))
        return job

    async def close(self) -> None:
        pass

    async def _reply_to(self, job: Job) -> None:
        reply = Reply(*await run_in_threadpool(reply_to, TASKS, job.task, lambda count: None))
        if not job.reply.done():
            job.reply.set_result(reply)


def serve(database: str, telling: Connection) -> None:
    """Be a server, and tell where."""
    setattr(engine, "Pool", InsidePool)  # noqa: B010  it is imported there, not exported
    Server(make_settings(database), telling.send).run()
