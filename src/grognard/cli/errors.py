"""How a command ends when something is wrong: a message on standard error and an exit status, no traceback."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

from grognard.core.errors import BattleError, GrognardError, WrongAnswer

FAILED = 1
REFUSED = 2
"""A bad file, bad answers, bad options."""
INTERRUPTED = 130
"""As shells have it: 128 and the number of the signal that Ctrl-C sends."""


class Refused(GrognardError):
    """What was given cannot be used; each line of the message is one fault."""


@contextmanager
def told() -> Iterator[None]:
    """Turn errors into messages and exit statuses. A reader that has gone away is no error."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that flushing at exit is silent too
        sys.exit(0)
    except (BattleError, WrongAnswer, Refused) as wrong:
        leave(REFUSED, str(wrong))
    except GrognardError as failed:
        leave(FAILED, str(failed))
    except KeyboardInterrupt:
        leave(INTERRUPTED, "interrupted")
    except MemoryError:
        leave(FAILED, "out of memory")
    except OSError as failed:
        leave(FAILED, f"{failed.filename or 'standard output'}: {failed.strerror or failed}")


def leave(status: int, message: str) -> NoReturn:
    """Say what is wrong and end."""
    sys.stderr.write(message + "\n")
    sys.exit(status)


def command_line(parts: Sequence[str]) -> str:
    """A command as one would type it."""
    from shlex import join

    return join(["grognard", *parts])
