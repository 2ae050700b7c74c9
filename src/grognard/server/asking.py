"""Questions on their way to the workers: known ones are answered at once, equal ones are worked out once."""

import asyncio
import json
from asyncio import Task
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256

from grognard.core.systems import Json
from grognard.server.answering import FOUND, LONG, REFUSED
from grognard.server.settings import Settings
from grognard.server.workers import Answer, Pool, command

QUICK_SECONDS = 5.0
"""Whatever needs no odds must be answered in so many seconds."""


class Cache:
    """Answers by question, up to so many bytes; the one not asked for the longest goes first."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.held = 0
        self.answers: OrderedDict[bytes, Answer] = OrderedDict()

    def get(self, key: bytes) -> Answer | None:
        """The answer, if it is known."""
        if key in self.answers:
            self.answers.move_to_end(key)
        return self.answers.get(key)

    def put(self, key: bytes, answer: Answer) -> None:
        """Keep an answer, if there is room for it at all."""
        if key in self.answers or len(answer.body) > self.size:
            return
        self.answers[key] = answer
        self.held += len(answer.body)
        while self.held > self.size:
            _, dropped = self.answers.popitem(last=False)
            self.held -= len(dropped.body)


@dataclass(slots=True)
class _Work:
    """A question that is being worked out, and how many wait for it."""

    task: "Task[Answer]"
    waiting: int = 0


class Desk:
    """Takes questions. Whatever may be long has its own workers, so that playing goes on beside it."""

    def __init__(self, settings: Settings) -> None:
        limits = settings.limits
        start = command(limits)
        self.long = Pool(start, settings.workers, limits.seconds, limits.waiting, limits.patience)
        self.quick = Pool(start, 1, min(limits.seconds, QUICK_SECONDS), limits.waiting, limits.patience)
        self.cache = Cache(limits.cache)
        self.work: dict[bytes, _Work] = {}

    def open(self) -> None:
        """Start the workers."""
        self.long.open()
        self.quick.open()

    async def close(self) -> None:
        """End the workers."""
        await asyncio.gather(self.long.close(), self.quick.close())

    async def ask(self, ask: str, about: Json) -> Answer:
        """The answer to a question. If nobody waits for it any more, the work on it is stopped."""
        question = {"ask": ask, "about": about}
        key = sha256(_json(question, is_sorted=ask in LONG)).digest()
        known = self.cache.get(key)
        if known is not None:
            return known
        work = self.work.get(key)
        if work is None:
            pool = self.long if ask in LONG or is_decided(about) else self.quick
            work = self.work[key] = _Work(asyncio.create_task(pool.ask(_json(question))))
            work.task.add_done_callback(lambda task: self._keep(key, task))
        work.waiting += 1
        try:
            return await asyncio.shield(work.task)
        finally:
            work.waiting -= 1
            if not work.waiting:
                del self.work[key]
                work.task.cancel()

    def _keep(self, key: bytes, task: "Task[Answer]") -> None:
        if not task.cancelled() and not task.exception() and task.result().status in (FOUND, REFUSED):
            self.cache.put(key, task.result())


def _json(question: Json, is_sorted: bool = False) -> bytes:
    """The question for a worker. Sorted it is the key of equal ones, where the order of keys changes no answer."""
    return json.dumps(question, sort_keys=is_sorted, separators=(",", ":")).encode()


def is_decided(about: Json) -> bool:
    """Whether a play has decisions that the machine takes: it may have to look ahead for them."""
    return any(about.get(side, "ask") != "ask" for side in ("attacker", "defender"))
