"""The command `grognard`, also as `python -m grognard`."""

import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command. Ctrl-C ends it without a traceback, even while it is still being loaded."""
    try:
        from grognard.cli.app import run

        run(sys.argv[1:])
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
