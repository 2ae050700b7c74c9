"""A worker of the web server that also compares: `python -m grognard.adapters.assistants.worker POSITIONS MEMORY`."""

import sys

from grognard.core.systems import Json
from grognard.files import battle
from grognard.server import worker
from grognard.server.answering import LONG
from grognard.solver.assumptions import Assumptions
from grognard.solver.graph import Progress
from grognard.solver.solution import solve_under
from grognard.studies.switches import compare_battles


def compare(about: Json, bound: int, progress: Progress) -> Json:
    """Several battles side by side, or one under each value of a switch, or of every switch."""
    assumptions = Assumptions(about["attacker"], about["defender"], about["objective"], about["fractions"])
    named = {f"battle {number}": battle(one) for number, one in enumerate(about["battles"], 1)}
    return compare_battles(
        named, about["switch"], lambda one: solve_under(one, assumptions, bound=bound, progress=progress).odds
    ).to_dict()


def main(positions: int, memory: int) -> None:
    """Answer questions until there are no more."""
    LONG["compare"] = compare
    worker.main(positions, memory)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
