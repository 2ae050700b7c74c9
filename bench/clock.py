"""Timing of the first call after import, in new processes.

It measures processor time, which depends little on what else the machine does, unless the work uses several processes.
"""

import json
import os
import re
import resource
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

FRESH = """
import json, resource, sys, time
{setup}
start = time.{clock}()
{timed}
seconds = time.{clock}() - start
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""The environment, with bytecode caches as after an installation."""


class Measured(NamedTuple):
    """The median of the seconds, and the maximum of the peak memory in megabytes."""

    seconds: float
    megabytes: float


def first_call(setup: str, timed: str, times: int = 5, clock: str = "process_time") -> Measured:
    """Run the set-up and then the timed code once, in a new process each time."""
    code = FRESH.format(setup=setup, timed=timed, clock=clock)
    runs = [json.loads(_output([sys.executable, "-c", code])) for _ in range(times)]
    return Measured(statistics.median(seconds for seconds, _ in runs), max(peak for _, peak in runs))


def whole_commands(commands: Sequence[Sequence[str]], times: int = 15) -> list[float]:
    """The median seconds of whole commands. They run in turn, so that noise affects all of them."""
    runs: list[list[float]] = [[] for _ in commands]
    for _ in range(times):
        for place, command in enumerate(commands):
            start = _used_by_children()
            _output(command)
            runs[place].append(_used_by_children() - start)
    return [statistics.median(seconds) for seconds in runs]


def peak_megabytes(command: Sequence[str]) -> float:
    """The peak memory of a whole command."""
    watch = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)"
    report = "; print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    return float(_output([sys.executable, "-c", watch + report, *command]))


def import_times(command: Sequence[str]) -> Counter[str]:
    """The microseconds that a Python command takes to load each library; the standard library counts as one."""
    command = [sys.executable, "-X", "importtime", *command]
    run = subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT)
    times: Counter[str] = Counter()
    for own, name in re.findall(r"import time: +(\d+) \| +\d+ \| *([^.\s]+)", run.stderr):
        times["Python's own" if name in sys.stdlib_module_names else name] += int(own)
    return times


def _output(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout


def _used_by_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
