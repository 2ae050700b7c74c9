"""A worker of the web server that also compares: `python -m grognard.adapters.assistants.worker POSITIONS MEMORY`."""

import sys
from functools import partial

from grognard.cli.compare import compared
from grognard.core.systems import Json
from grognard.files import battle
from grognard.server import worker
from grognard.server.answering import LONG
from grognard.solver.graph import Progress
from grognard.solver.odds import odds


def compare(about: Json, bound: int, progress: Progress) -> Json:
    """Several battles side by side, or one under each value of a switch, or of every switch."""
    aims = {key: about[key] for key in ("attacker", "defender", "objective")}
    reckon = partial(odds, **aims, exact=about["fractions"], bound=bound, progress=progress)
    battles = [battle(one) for one in about["battles"]]
    names = [f"battle {number}" for number in range(1, len(battles) + 1)]
    return compared(names, battles, about["switch"], reckon).to_dict()


def main(positions: int, memory: int) -> None:
    """Answer questions until there are no more."""
    LONG["compare"] = compare
    worker.main(positions, memory)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
