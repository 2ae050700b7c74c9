"""A process that runs one task after the other: `python -m grognard.work.worker MEMORY PACK NICE MODULE…`.

Each module has a dictionary `TASKS` of functions by name, and perhaps a generator `warm_up`, run step by step while
nobody waits. The process reads `task LENGTH` and a task in JSON, or `stop`,
which ends the task it is at; it writes one line with status, encoding and length of the reply, and the reply. Replies
longer than PACK bytes are compressed (0: none). When its input ends, so does the process.
"""

import gc
import gzip
import json
import logging
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from enum import StrEnum
from importlib import import_module
from queue import SimpleQueue
from threading import Event, Thread
from typing import Any, BinaryIO

READY = b"ready\n"
COLLECTED = 2_000, 10, 500
"""After how many new objects the youngest are collected, and after how many collections those that are older."""
NICEST = 19
LARGEST_SIZE = 2**53
"""Larger numbers lose digits on their way through JSON."""

Json = dict[str, Any]
Progress = Callable[[int], None]
Task = Callable[[Json, Progress], Json]
"""From plain data to plain data. It calls the second argument now and then, which may end it."""

log = logging.getLogger("grognard.work")


class Status(StrEnum):
    """How a task ended."""

    DONE = "done"
    REFUSED = "refused"
    """Something is wrong with the input: the reply lists the faults."""
    MEMORY = "memory"
    """The worker's memory was not enough: the same task may succeed elsewhere, or later."""
    BROKEN = "broken"
    """A bug, in this package or in a rule."""
    STOPPED = "stopped"


class Stopped(BaseException):
    """Nobody waits for the reply any more. No rule may catch it by accident."""


def fault(message: str, code: str, place: str = "") -> Json:
    """One fault, in the shape of several."""
    return {"faults": [{"place": place, "message": message, "code": code}]}


def run_task(task: Task, about: Json, progress: Progress) -> tuple[Status, Json]:
    """Run a task. Errors in its input become the faults of the reply."""
    from grognard.core.errors import BattleError, GrognardError, TooLarge, WrongAnswer

    try:
        return Status.DONE, task(about, progress)
    except BattleError as error:
        lines = error.lines
        known = [{"line": lines[one.place]} if one.place in lines else {} for one in error.faults]
        return Status.REFUSED, {"faults": [one.to_dict() | line for one, line in zip(error.faults, known, strict=True)]}
    except TooLarge as large:
        size = large.size if large.size < LARGEST_SIZE else None
        return Status.REFUSED, fault(str(large), "too_large") | {"size": size, "bound": large.bound}
    except WrongAnswer as wrong:
        return Status.REFUSED, fault(str(wrong), "answer", getattr(wrong, "place", "answers"))
    except GrognardError as error:
        return Status.REFUSED, fault(str(error), "refused")
    except RecursionError:
        return Status.REFUSED, fault("is nested too deeply", "too_large")
    except MemoryError:
        return Status.MEMORY, fault("too large for the memory of one worker; sample it instead (simulate)", "memory")


def reply_to(tasks: dict[str, Task], request: bytes, progress: Progress) -> tuple[Status, bytes]:
    """Run a requested task: how it ended, and the reply in JSON. No exception leaves this function."""
    try:
        message = json.loads(request)
        status, reply = run_task(tasks[message["task"]], message["about"], progress)
        return status, to_json(reply)
    except Stopped:
        return Status.STOPPED, b"{}"
    except MemoryError:
        return Status.MEMORY, to_json(fault("the reply is too large for the memory of one worker", "memory"))
    except BaseException as error:  # also SystemExit, wherever a rule may have it from
        log.exception("a task failed: %.200r", request)
        reason = f"{type(error).__name__}: {error}"[:200]
        return Status.BROKEN, to_json(fault(f"the rules failed ({reason})", "broken"))


def to_json(reply: Json) -> bytes:
    """A reply in compact JSON. NaN, which JSON does not have, is a bug and raises an error."""
    return json.dumps(reply, separators=(",", ":"), allow_nan=False).encode()


def main(memory: int, pack: int, nice: int, modules: list[str]) -> None:
    """Run tasks until there are no more."""
    replies = _own_output()
    _limit_memory(memory)
    _give_way(nice)
    requests: SimpleQueue[bytes] = SimpleQueue()
    stop = Event()
    Thread(target=_listen, args=(sys.stdin.buffer, requests, stop), daemon=True).start()
    loaded = [import_module(name) for name in modules]
    tasks = {name: task for module in loaded for name, task in module.TASKS.items()}
    replies.write(READY)
    replies.flush()

    def progress(count: int) -> None:
        if stop.is_set():
            raise Stopped

    for module in loaded:
        _warm_up(getattr(module, "warm_up", tuple), requests.empty)
    collect_seldom()
    while True:
        _write(replies, pack, *reply_to(tasks, requests.get(), progress))


def _give_way(nice: int) -> None:
    """Leave the processor to others: the nicest at once, whenever anybody else has something to do."""
    if hasattr(os, "nice"):
        os.nice(nice)
    if sys.platform == "linux" and nice == NICEST:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def collect_seldom() -> None:
    """Leave out of garbage collection what was loaded, and look through old objects seldom: all players wait for it."""
    gc.freeze()
    gc.set_threshold(*COLLECTED)


def _warm_up(steps: Callable[[], Iterable[object]], nobody_waits: Callable[[], bool]) -> None:
    """Load in advance what the first task would have to load, step by step, until a task arrives."""
    with suppress(Exception):  # the task that needs it will report the error
        for _ in steps():
            if not nobody_waits():
                return


def _write(replies: BinaryIO, pack: int, status: Status, body: bytes) -> None:
    encoding = b"plain"
    if pack and len(body) > pack:
        encoding, body = b"gzip", gzip.compress(body, 5, mtime=0)
    try:
        replies.write(b"%s %s %d\n" % (status.encode(), encoding, len(body)) + body)
        replies.flush()
    except BrokenPipeError:  # the process that sent the task has ended
        os._exit(1)


def _listen(stream: BinaryIO, requests: "SimpleQueue[bytes]", stop: Event) -> None:
    """Read requests while a task runs; when there are no more, end the process."""
    try:
        while line := stream.readline():
            if line == b"stop\n":
                stop.set()
            else:
                request = stream.read(int(line.split()[1]))
                stop.clear()
                requests.put(request)
    except BaseException:
        log.exception("a worker cannot go on")
        os._exit(1)
    os._exit(0)


def _own_output() -> BinaryIO:
    """Reserve standard output for replies: all other output goes to standard error."""
    sys.stdout.flush()
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return replies


def _limit_memory(memory: int) -> None:
    """Where the system can: a task that is too large fails here rather than on the whole machine."""
    if memory:
        with suppress(ImportError, OSError, ValueError):
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


if __name__ == "__main__":
    logging.basicConfig(format="%(name)s: %(message)s")
    memory, pack, nice = map(int, sys.argv[1:4])
    main(memory, pack, nice, sys.argv[4:])
