"""Timing in fresh processes, so that "the first call after import" is what is measured."""

import json
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

FRESH = """
import json, resource, sys, time
{setup}
start = time.perf_counter()
{timed}
seconds = time.perf_counter() - start
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


class Measured(NamedTuple):
    """Median seconds and the largest peak memory in megabytes."""

    seconds: float
    megabytes: float


def first_call(setup: str, timed: str, times: int = 5) -> Measured:
    """Run the set-up and then the timed code once, in a new process each time."""
    code = FRESH.format(setup=setup, timed=timed)
    runs = [json.loads(_output([sys.executable, "-c", code])) for _ in range(times)]
    return Measured(statistics.median(seconds for seconds, _ in runs), max(peak for _, peak in runs))


def whole_commands(commands: Sequence[Sequence[str]], times: int = 15) -> list[float]:
    """The median seconds of whole commands, taken in turn so that noise hits all alike."""
    taken: list[list[float]] = [[] for _ in commands]
    for _ in range(times):
        for place, command in enumerate(commands):
            start = time.perf_counter()
            _output(command)
            taken[place].append(time.perf_counter() - start)
    return [statistics.median(seconds) for seconds in taken]


def peak_megabytes(command: Sequence[str]) -> float:
    """The peak memory of a whole command."""
    watch = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)"
    told = "; print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"
    return float(_output([sys.executable, "-c", watch + told, *command]))


def import_times(command: Sequence[str]) -> Counter[str]:
    """The microseconds that a Python command takes to load each library; Python's own are one."""
    run = subprocess.run([sys.executable, "-X", "importtime", *command], check=True, capture_output=True, text=True)
    taken: Counter[str] = Counter()
    for own, name in re.findall(r"import time: +(\d+) \| +\d+ \| *([^.\s]+)", run.stderr):
        taken["Python's own" if name in sys.stdlib_module_names else name] += int(own)
    return taken


def _output(command: Sequence[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
