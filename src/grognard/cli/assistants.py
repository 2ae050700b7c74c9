"""The command mcp: battles for assistants."""

import json
import os
import signal
import sys

from grognard.cli.errors import INTERRUPTED
from grognard.cli.output import is_terminal


def mcp() -> None:
    """Serve assistants, by the Model Context Protocol.

    An assistant starts it, and talks to it over standard input and output. It has tools to check a battle, to work out
    its odds, to advise, to tell rules and to compare, and every chapter and example to read. It opens no port, and no
    file that a battle names.
    """
    from grognard.words.tables import needed

    for library in ("mcp", "mcp.server.mcpserver"):  # the second came with version 2
        needed(library, "grognard[mcp]")
    from grognard.adapters.assistants.server import run

    signal.signal(signal.SIGINT, lambda *_: end_at_once())
    if is_terminal(sys.stdin):
        setting = json.dumps({"mcpServers": {"grognard": {"command": "grognard", "args": ["mcp"]}}})
        sys.stderr.write(f"waiting for an assistant (Ctrl-C stops it); its settings may say:\n  {setting}\n")
    run()


def end_at_once() -> None:
    """Ctrl-C: the library would wait for one more line of input first. The workers end when their pipes do."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)
