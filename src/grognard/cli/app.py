"""The commands, and how they are started: quickly, and without a traceback at the end."""

import shutil
from collections.abc import Mapping, Sequence
from typing import Any

import click

from grognard import __version__
from grognard.cli import play, serve, solve, sweep, systems
from grognard.cli.errors import exit_on_error
from grognard.cli.options import HOW_POLICIES_DECIDE


class Command(click.Command):
    """A command whose help ends in tables of words and in examples."""

    def __init__(self, *args: Any, about: Mapping[str, Mapping[str, str]], examples: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.about, self.examples = about, examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The tables and the examples."""
        for title, rows in self.about.items():
            with formatter.section(title):
                formatter.write_dl(list(rows.items()))
        with formatter.section("Examples"):
            formatter.write("".join(f"  {line}\n" for line in self.examples))


class Commands(click.Group):
    """Runs a command, and tells what goes wrong in it."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        with exit_on_error():
            return super().invoke(ctx)


@click.group(
    cls=Commands,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "terminal_width": min(shutil.get_terminal_size().columns, 100) - 1,
    },
    epilog="`grognard COMMAND --help` has examples of each.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def app() -> None:
    """Combat in tabletop wargames: play it, and know the exact odds, with both sides' decisions in them."""


FILE = {"Arguments": {"FILE": "a battle file, TOML or JSON; - is standard input"}}
LOG = {"Arguments": {"LOG": "a log of `play --log` or of a live battle; - is standard input"}}
SYSTEM = {"Arguments": {"SYSTEM": "a system: see `grognard systems`"}}
POLICIES = {"Policies": HOW_POLICIES_DECIDE}

COMMANDS: list[tuple[Any, Mapping[str, Mapping[str, str]], list[str]]] = [
    (systems.systems, {}, ["grognard systems", "grognard systems --json"]),
    (
        systems.rules,
        SYSTEM,
        ["grognard rules SYSTEM", "grognard rules SYSTEM --cards", "grognard rules SYSTEM --sources"],
    ),
    (systems.new, SYSTEM, ["grognard new SYSTEM > battle.toml", "grognard new SYSTEM -o battle.toml"]),
    (
        systems.examples,
        {"Arguments": {"NAME": "a system, or an example such as SYSTEM/01; without it all are listed"}},
        ["grognard examples", "grognard examples SYSTEM", "grognard examples SYSTEM -o battles"],
    ),
    (systems.check, FILE, ["grognard check battle.toml", "grognard new SYSTEM | grognard check -"]),
    (
        solve.odds,
        FILE | POLICIES,
        [
            "grognard odds battle.toml",
            "grognard odds battle.toml --objective kill --fractions",
            "grognard odds battle.toml --defender eager --json",
        ],
    ),
    (
        solve.advise,
        FILE | POLICIES,
        [
            "grognard advise battle.toml",
            "grognard advise battle.toml --plan",
            "grognard advise battle.toml --script answers.json --objective kill",
        ],
    ),
    (
        solve.simulate,
        FILE | POLICIES,
        ["grognard simulate battle.toml", "grognard simulate battle.toml -n 1000000 --seed 7 --attacker eager"],
    ),
    (
        play.play,
        FILE | {"Script": play.SCRIPT_FORMAT} | POLICIES,
        [
            "grognard play battle.toml",
            "grognard play battle.toml --dice table",
            "grognard play battle.toml --dice machine --dice red=table",
            "grognard play battle.toml --defender best --seed 7",
            "grognard play battle.toml --script answers.json --json",
            "grognard play battle.toml --log log.json --after next.toml",
            "grognard play --resume log.json",
        ],
    ),
    (play.replay, LOG, ["grognard replay log.json"]),
    (play.luck, LOG | POLICIES, ["grognard luck log.json", "grognard luck log.json --objective kill --fractions"]),
    (
        solve.compare,
        FILE | POLICIES,
        [
            "grognard compare battle.toml --all-switches",
            "grognard compare battle.toml --switch NAME --plot switch.svg",
            "grognard compare battle.toml other.toml",
        ],
    ),
    (solve.report, FILE | POLICIES, ["grognard report battle.toml -o battle.html"]),
    (
        sweep.sweep,
        {"Arguments": {"DESIGN": "a design file, TOML or JSON: see docs/sweeps.md"}},
        [
            "grognard sweep design.toml",
            "grognard sweep design.toml -o table.parquet --plot map.svg",
            "grognard sweep roster.toml --price --fair",
            "grognard sweep design.toml -o table.csv --on tcp://scheduler:8786",
        ],
    ),
    (
        solve.export,
        FILE,
        [
            "grognard export battle.toml -o battle.prism",
            "grognard export battle.toml --format drn --defender eager -o battle.drn",
            "grognard export battle.toml --format dot | dot -Tsvg > battle.svg",
        ],
    ),
    (
        serve.serve,
        {},
        [
            "grognard serve --open",
            "grognard serve --host 0.0.0.0",
            "grognard serve --port 0 --database postgresql+psycopg://…",
        ],
    ),
    (serve.mcp, {}, ["grognard mcp"]),
    (play.verify, LOG, ["grognard verify log.json", "grognard verify log.json --commitment 9f86d081…"]),
    (
        serve.prune,
        {},
        [
            "grognard prune --older-than 30d --dry-run",
            "grognard prune --older-than 30d --database postgresql+psycopg://…",
        ],
    ),
    (
        systems.end_turn,
        FILE,
        ["grognard end-turn battle.toml -o next.toml", "grognard end-turn battle.toml --in-place"],
    ),
]

for function, about, lines in COMMANDS:
    name = function.__name__.replace("_", "-")
    app.command(name, cls=Command, about=about, examples=lines)(function)


def run(arguments: Sequence[str]) -> None:
    """Run one command and leave with its exit status."""
    app(list(arguments), prog_name="grognard")
