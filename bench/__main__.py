"""`python -m bench [--slow] [--record]`: tables that say met or not met, and why; fails if a target is not met."""

import argparse
import sys

from bench import chapters, foundation, offline, report, server, sweeps


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="bench",
        description="Ratios against peers, in one run: medians of ours, one run of a peer that takes long.",
    )
    parser.add_argument("--slow", action="store_true", help="also measure the peers that take more than a minute")
    parser.add_argument("--record", action="store_true", help="keep the figures for the docs")
    asked = parser.parse_args()
    slow = asked.slow
    fine = foundation.run(slow)
    fine = chapters.run() and fine
    fine = server.run() and fine
    fine = sweeps.run() and fine
    fine = offline.run() and fine
    if asked.record:
        report.record()
    print("\nall targets met" if fine else "\nnot all targets met")
    sys.exit(not fine)


main()
