"""Errors of commands: a message on standard error and an exit status, without a traceback."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

from grognard.core.errors import BattleError, GrognardError, WrongAnswer
from grognard.files.messages import printable

FAILED = 1
REFUSED = 2
"""A bad file, bad answers, bad options."""
INTERRUPTED = 130
"""As in shells: 128 plus the number of the signal that Ctrl-C sends."""


class CommandError(GrognardError):
    """An argument, an option or a file that cannot be used; each line of the message is one fault."""


class UndoRequested(Exception):
    """The person at the terminal takes back their last answer."""


@contextmanager
def exit_on_error() -> Iterator[None]:
    """Turn errors into messages and exit statuses. A closed pipe is not an error."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that flushing at exit is silent too
        sys.exit(0)
    except click.UsageError as error:
        help_line = f"Try: {error.ctx.command_path} --help" if error.ctx else ""
        exit_with_message(REFUSED, "\n".join([error.format_message(), *([help_line] if help_line else [])]))
    except BattleError as error:
        exit_with_message(REFUSED, format_faults(error))
    except (WrongAnswer, CommandError) as error:
        exit_with_message(REFUSED, str(error))
    except GrognardError as error:
        exit_with_message(FAILED, str(error))
    except KeyboardInterrupt:
        write_error("interrupted")
        sys.stderr.flush()
        os._exit(INTERRUPTED)  # Python would end by the signal instead if it came while a module compiled a text
    except UnicodeEncodeError as error:
        sign = error.object[error.start]
        exit_with_message(FAILED, f"standard output: cannot write {sign!a}; PYTHONIOENCODING=utf-8 can")
    except MemoryError:
        exit_with_message(FAILED, "out of memory")
    except OSError as error:
        exit_with_message(FAILED, f"{error.filename or 'standard output'}: {error.strerror or error}")


def format_faults(error: BattleError) -> str:
    """Every fault on a line, and below it the line of the file that it is about."""
    lines = []
    for fault in error.faults:
        lines.append(error.describe(fault))
        if fault.place in error.quotes:
            lines.append(f"  {error.lines[fault.place]:>4} | {error.quotes[fault.place]}")
    return "\n".join(lines)


def exit_with_message(status: int, message: str) -> NoReturn:
    """Write a message to standard error and exit with this status."""
    write_error(message, "red" if status in (FAILED, REFUSED) else "")
    sys.exit(status)


def write_error(message: str, colour: str = "") -> None:
    """Write to standard error; the first line in a colour, if it is a terminal that may have colours.

    What a stranger's file holds cannot command the terminal.
    """
    message = "\n".join(map(printable, message.split("\n")))
    if colour and sys.stderr.isatty() and not os.environ.get("NO_COLOR"):
        first, *others = message.split("\n")
        message = "\n".join([click.style(first, fg=colour), *others])
    sys.stderr.write(message + "\n")


def report_written(*paths: str | None) -> None:
    """Say on standard error which files were written."""
    for path in paths:
        if path is not None:
            write_error(f"written: {path}")
