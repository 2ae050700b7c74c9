"""The command line and its commands. A command's module is imported only when the command is used."""

import shutil
from collections.abc import Sequence
from importlib import import_module
from typing import Any, cast

import click

from grognard import __version__
from grognard.cli.errors import exit_on_error

COMMANDS = {
    "systems": "systems",
    "rules": "systems",
    "new": "systems",
    "examples": "systems",
    "check": "systems",
    "schema": "systems",
    "odds": "solve",
    "advise": "solve",
    "attacks": "solve",
    "play": "play",
    "simulate": "solve",
    "compare": "solve",
    "report": "solve",
    "replay": "play",
    "luck": "play",
    "verify": "play",
    "end-turn": "systems",
    "sweep": "sweep",
    "export": "solve",
    "serve": "serve",
    "site": "serve",
    "mcp": "serve",
    "prune": "serve",
}
"""The module of every command, in the order of the help."""


class Commands(click.Group):
    """Loads a command when it is used, and turns its errors into messages."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"grognard.cli.{COMMANDS[cmd_name]}")
        return cast("click.Command", getattr(module, cmd_name.replace("-", "_")))

    def invoke(self, ctx: click.Context) -> Any:
        with exit_on_error():
            return super().invoke(ctx)


@click.group(
    cls=Commands,
    commands=dict.fromkeys(COMMANDS, click.Command(None)),  # their names, for suggestions
    context_settings={
        "help_option_names": ["-h", "--help"],
        "terminal_width": max(20, min(shutil.get_terminal_size().columns, 100)) - 1,
    },
    epilog="`grognard COMMAND --help` has examples of each.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def app() -> None:
    """Combat in tabletop wargames: play it, and know the exact odds, with both sides' decisions in them."""


def run(arguments: Sequence[str]) -> None:
    """Run one command and leave with its exit status."""
    with exit_on_error():  # --help and --version write before a command is invoked
        app(list(arguments), prog_name="grognard")
