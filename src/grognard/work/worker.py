"""A worker process: `python -m grognard.work.worker MEMORY COMPRESS_ABOVE NICE MODULE…`.

Each module has a dictionary `TASKS` of functions by name. It may have a generator `warm_up`, whose steps are run until
the first task arrives. The process reads the line `task LENGTH` and a task in JSON, or the line `stop`, which stops the
running task. It writes a line with the status, encoding and length of the reply, and then the reply. Replies longer
than COMPRESS_ABOVE bytes are compressed (0: none). When its input ends, so does the process.
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
COLLECTION_THRESHOLDS = 2_000, 10, 500
"""Arguments of `gc.set_threshold`."""
NICEST = 19
LARGEST_EXACT = 2**53
"""JavaScript reads larger whole numbers inexactly."""

Json = dict[str, Any]
Progress = Callable[[int], None]
Task = Callable[[Json, Progress], Json]
"""A function from JSON to JSON. It calls the second argument now and then, which may raise an error to stop it."""

log = logging.getLogger("grognard.work")


class Status(StrEnum):
    """How a task ended."""

    DONE = "done"
    REFUSED = "refused"
    """The input has faults; the reply lists them."""
    MEMORY = "memory"
    """The worker had too little memory; the same task may succeed in another worker, or later."""
    BROKEN = "broken"
    """There is a bug in this package or in a rule."""
    STOPPED = "stopped"


class Stopped(BaseException):
    """Stops a task whose reply nobody waits for. A `BaseException`, so that no rule catches it by accident."""


def fault(message: str, code: str, place: str = "") -> Json:
    """The body of a response with one fault."""
    return {"faults": [{"place": place, "message": message, "code": code}]}


def run_task(task: Task, about: Json, progress: Progress) -> tuple[Status, Json]:
    """Run a task: its status and its reply. Errors in its input become faults of the reply."""
    from grognard.core.errors import BattleError, GrognardError, TooLarge, WrongAnswer

    try:
        return Status.DONE, task(about, progress)
    except BattleError as error:
        lines = error.lines
        known = [{"line": lines[one.place]} if one.place in lines else {} for one in error.faults]
        return Status.REFUSED, {"faults": [one.to_dict() | line for one, line in zip(error.faults, known, strict=True)]}
    except TooLarge as large:
        size = large.size if large.size < LARGEST_EXACT else None
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
    """Run the task of a request: its status, and its reply in JSON. No exception leaves this function."""
    try:
        message = json.loads(request)
        status, reply = run_task(tasks[message["task"]], message["about"], progress)
        return status, to_json(reply)
    except Stopped:
        return Status.STOPPED, b"{}"
    except MemoryError:
        return Status.MEMORY, to_json(fault("the reply is too large for the memory of one worker", "memory"))
    except BaseException as error:  # a rule may even raise SystemExit
        log.exception("a task failed: %.200r", request)
        reason = f"{type(error).__name__}: {error}"[:200]
        return Status.BROKEN, to_json(fault(f"the rules failed ({reason})", "broken"))


def to_json(reply: Json) -> bytes:
    """A reply in compact JSON. NaN raises an error: JSON does not have it."""
    return json.dumps(reply, separators=(",", ":"), allow_nan=False).encode()


def main(memory: int, compress_above: int, nice: int, modules: list[str]) -> None:
    """Run tasks until the input ends."""
    replies = _reserve_output()
    _limit_memory(memory)
    _lower_priority(nice)
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
    reduce_garbage_collection()
    while True:
        _write(replies, compress_above, *reply_to(tasks, requests.get(), progress))


def _lower_priority(nice: int) -> None:
    """Set the niceness. The nicest also get Linux's idle class, which gives way to every other process at once."""
    if hasattr(os, "nice"):
        os.nice(nice)
    if sys.platform == "linux" and nice == NICEST:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def reduce_garbage_collection() -> None:
    """Exclude all objects made so far from garbage collection, and collect old ones rarely: it causes pauses."""
    gc.freeze()
    gc.set_threshold(*COLLECTION_THRESHOLDS)


def _warm_up(steps: Callable[[], Iterable[object]], is_idle: Callable[[], bool]) -> None:
    """Run the steps that load what the first task needs, until a task arrives."""
    with suppress(Exception):  # the task that needs it will report the error
        for _ in steps():
            if not is_idle():
                return


def _write(replies: BinaryIO, compress_above: int, status: Status, body: bytes) -> None:
    encoding = b"plain"
    if compress_above and len(body) > compress_above:
        encoding, body = b"gzip", gzip.compress(body, 5, mtime=0)
    try:
        replies.write(b"%s %s %d\n" % (status.encode(), encoding, len(body)) + body)
        replies.flush()
    except BrokenPipeError:  # the process that sent the task has ended
        os._exit(1)


def _listen(stream: BinaryIO, requests: "SimpleQueue[bytes]", stop: Event) -> None:
    """Read requests, also while a task runs. When the input ends, end the process."""
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


def _reserve_output() -> BinaryIO:
    """Reserve standard output for replies, and redirect all other output to standard error."""
    sys.stdout.flush()
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return replies


def _limit_memory(memory: int) -> None:
    """Limit the memory of the process, on platforms that can."""
    if memory:
        with suppress(ImportError, OSError, ValueError):
            import resource

            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


if __name__ == "__main__":
    logging.basicConfig(format="%(name)s: %(message)s")
    memory, compress_above, nice = map(int, sys.argv[1:4])
    main(memory, compress_above, nice, sys.argv[4:])
