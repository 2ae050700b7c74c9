"""`python -m bench [--slow]`: one table that says met or not met, and why."""

import argparse

from bench import chapters, foundation, server, sweeps


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description="Ratios against peers, in one run, as medians.")
    parser.add_argument("--slow", action="store_true", help="also measure the peers that take more than a minute")
    slow = parser.parse_args().slow
    fine = foundation.run(slow)
    fine = chapters.run() and fine
    fine = server.run() and fine
    fine = sweeps.run() and fine
    print("\nall targets met" if fine else "\nnot all targets met")


main()
