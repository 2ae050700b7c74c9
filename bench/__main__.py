"""`python -m bench [--slow] [--record]`: prints tables of measurements and fails if a target is not met."""

import argparse
import sys

from bench import chapters, foundation, offline, report, server, sweeps


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="bench",
        description="Speed compared with that of other programs: medians of ours, a single run of slow peers.",
    )
    parser.add_argument("--slow", action="store_true", help="also measure the peers that take more than a minute")
    parser.add_argument("--record", action="store_true", help="keep the figures for the docs")
    arguments = parser.parse_args()
    is_met = [
        foundation.run(arguments.slow),
        chapters.run(),
        server.run(),
        sweeps.run(),
        offline.run(),
    ]
    if arguments.record:
        report.record()
    print("\nall targets met" if all(is_met) else "\nnot all targets met")
    sys.exit(not all(is_met))


main()
