"""A process that works out one question after the other: `python -m grognard.server.worker POSITIONS MEMORY`.

It reads `ask LENGTH` and a question in JSON, or `stop`, which ends the question it is at; it writes one line with the
HTTP status, the encoding and the length of the answer, and the answer. When its input ends, so does it.
"""

import gzip
import json
import os
import sys
import traceback
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Thread
from typing import BinaryIO

READY = b"ready\n"
STOPPED = 499
BROKEN = 500
WORTH_PACKING = 1_000
"""Answers of more bytes are compressed, here rather than in the server."""


WARM_UP = {"attacker": "best", "defender": "best", "objective": "swing", "fractions": False, "measures": True}
"""How odds are asked for by most."""


class Stopped(Exception):
    """Nobody waits for the answer any more."""


def main(positions: int, memory: int) -> None:
    """Answer questions until there are no more."""
    answers = _own_output()
    _limit_memory(memory)
    questions: SimpleQueue[bytes] = SimpleQueue()
    stop = Event()
    Thread(target=_listen, args=(sys.stdin.buffer, questions, stop), daemon=True).start()
    from grognard import systems
    from grognard.server.answering import answer
    from grognard.server.telling import faults

    found = [systems.find(name) for name in systems.names()]
    answers.write(READY)
    answers.flush()

    def progress(count: int) -> None:
        if stop.is_set():
            raise Stopped

    for system in found:
        if questions.empty():  # nobody waits: have at hand what the first question would have to load
            about = {**WARM_UP, "battle": {"system": system.name, **system.example}}
            with suppress(Exception):  # whoever asks for it will be told
                answer({"ask": "odds", "about": about}, positions, progress)

    while True:
        question = questions.get()
        try:
            status, told = answer(json.loads(question), positions, progress)
        except Stopped:
            status, told = STOPPED, {}
        except Exception:
            traceback.print_exc()
            status, told = BROKEN, faults("something broke while this was worked out")
        _write(answers, status, json.dumps(told, separators=(",", ":")).encode())


def _write(answers: BinaryIO, status: int, body: bytes) -> None:
    encoding = b"plain"
    if len(body) > WORTH_PACKING:
        encoding, body = b"gzip", gzip.compress(body, 5, mtime=0)
    answers.write(b"%d %s %d\n" % (status, encoding, len(body)))
    answers.write(body)
    answers.flush()


def _listen(asked: BinaryIO, questions: "SimpleQueue[bytes]", stop: Event) -> None:
    """Hear what the server says while a question is worked out, and that it has gone."""
    while line := asked.readline():
        if line == b"stop\n":
            stop.set()
        else:
            question = asked.read(int(line.split()[1]))
            stop.clear()
            questions.put(question)
    os._exit(0)


def _own_output() -> BinaryIO:
    """Keep standard output for answers: whatever else is printed goes to standard error."""
    sys.stdout.flush()
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


def _limit_memory(memory: int) -> None:
    """Where the system can: a question that is too large fails here rather than on the whole machine."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
