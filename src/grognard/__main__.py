"""The command `grognard`, also as `python -m grognard`."""

import os
import sys

INTERRUPTED = 130


def open_closed_streams() -> None:
    """Open the standard streams that were closed when the process started, which Python sets to None."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def main() -> None:
    """Run the command. Ctrl-C ends it without a traceback, even while it is still being loaded."""
    try:
        open_closed_streams()
        from grognard.cli.app import run

        run(sys.argv[1:])
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.stderr.flush()
        os._exit(INTERRUPTED)  # a plain exit may end by the signal instead, if it came during the import of a module


if __name__ == "__main__":
    main()
