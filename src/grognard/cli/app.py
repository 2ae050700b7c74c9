"""The commands, and how they are started: quickly, and without a traceback at the end."""

import shutil
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from grognard import __version__
from grognard.cli import battles, live, playing, reckoning
from grognard.cli.assistants import mcp
from grognard.cli.compare import compare
from grognard.cli.errors import told
from grognard.cli.export import export
from grognard.cli.luck import luck
from grognard.cli.report import report
from grognard.cli.serve import serve
from grognard.cli.sweep import sweep


class AsTyped:
    """Takes an argument as the text or whole number that it is.

    In the place of typer's own reader, which loads pydantic: that takes longer than most odds.
    """

    def coerce(self, value: object, param: Any, ctx: Any) -> object:
        """The value of a parameter; only numbers are more than text."""
        if isinstance(value, str) and param.type_descriptor.annotation is int:
            try:
                return int(value)
            except ValueError:
                raise typer.BadParameter(f"{value!r} is not a whole number.", ctx=ctx, param=param) from None
        return value


def as_typed(params: list[Any]) -> list[Any]:
    """The parameters, each reading its values as typed."""
    for param in params:
        vars(param).update(_runtime_param=AsTyped())
        if param.param_type_name == "argument":
            vars(param).update(display_type_rich=lambda ctx: "")  # help need not say that FILE is a str
    return params


class Command(TyperCommand):
    """A command that starts quickly."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Its parameters, and those that every command has."""
        return as_typed(super().get_params(ctx))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What follows the command's name, as people write it: FILE, not {FILE}."""
        return [piece.replace("{", "").replace("}", "") for piece in super().collect_usage_pieces(ctx)]


class Commands(TyperGroup):
    """Runs a command, and tells what goes wrong in it."""

    def get_params(self, ctx: Any) -> list[Any]:
        """The parameters before any command."""
        return as_typed(super().get_params(ctx))

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with told():
            return super().invoke(ctx)


EXAMPLES: list[tuple[str, Callable[..., None], list[str]]] = [
    ("systems", battles.systems, ["grognard systems", "grognard systems --json"]),
    ("rules", battles.rules, ["grognard rules SYSTEM", "grognard rules SYSTEM --sources"]),
    ("new", battles.new, ["grognard new SYSTEM > battle.toml", "grognard new SYSTEM -o battle.toml"]),
    ("check", battles.check, ["grognard check battle.toml", "grognard new SYSTEM | grognard check -"]),
    (
        "odds",
        reckoning.odds,
        [
            "grognard odds battle.toml",
            "grognard odds battle.toml --objective kill --fractions",
            "grognard odds battle.toml --defender eager --json",
        ],
    ),
    (
        "advise",
        reckoning.advise,
        ["grognard advise battle.toml", "grognard advise battle.toml --script answers.json --objective kill"],
    ),
    (
        "simulate",
        reckoning.simulate,
        ["grognard simulate battle.toml", "grognard simulate battle.toml -n 1000000 --seed 7 --attacker eager"],
    ),
    (
        "play",
        playing.play,
        [
            "grognard play battle.toml",
            "grognard play battle.toml --dice table",
            "grognard play battle.toml --defender best --seed 7",
            "grognard play battle.toml --script answers.json --json",
            "grognard play battle.toml --log log.json --after next.toml",
        ],
    ),
    ("replay", playing.replay, ["grognard replay log.json"]),
    ("luck", luck, ["grognard luck log.json", "grognard luck log.json --objective kill --fractions"]),
    (
        "compare",
        compare,
        [
            "grognard compare battle.toml --all-switches",
            "grognard compare battle.toml --switch NAME --plot switch.svg",
            "grognard compare battle.toml other.toml",
        ],
    ),
    ("report", report, ["grognard report battle.toml -o battle.html"]),
    (
        "sweep",
        sweep,
        [
            "grognard sweep design.toml",
            "grognard sweep design.toml -o table.parquet --plot map.svg",
            "grognard sweep roster.toml --price --fair",
            "grognard sweep design.toml -o table.csv --on tcp://scheduler:8786",
        ],
    ),
    (
        "export",
        export,
        [
            "grognard export battle.toml -o battle.prism",
            "grognard export battle.toml --format drn --defender eager -o battle.drn",
            "grognard export battle.toml --format dot | dot -Tsvg > battle.svg",
        ],
    ),
    (
        "serve",
        serve,
        [
            "grognard serve --open",
            "grognard serve --host 0.0.0.0",
            "grognard serve --port 0 --database postgresql+psycopg://…",
        ],
    ),
    ("mcp", mcp, ["grognard mcp"]),
    ("verify", live.verify, ["grognard verify log.json", "grognard verify log.json --commitment 9f86d081…"]),
    (
        "prune",
        live.prune,
        [
            "grognard prune --older-than 30d --dry-run",
            "grognard prune --older-than 30d --database postgresql+psycopg://…",
        ],
    ),
    (
        "end-turn",
        battles.end_turn,
        ["grognard end-turn battle.toml -o next.toml", "grognard end-turn battle.toml --in-place"],
    ),
]

app = typer.Typer(
    name="grognard",
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "terminal_width": min(shutil.get_terminal_size().columns, 100) - 1,
    },
)


def print_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        typer.echo(f"grognard {__version__}")
        raise typer.Exit


@app.callback(epilog="`grognard COMMAND --help` has examples of each.")
def about(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version and exit.", callback=print_version, is_eager=True)
    ] = False,
) -> None:
    """Combat in tabletop wargames: play it, and know the exact odds, with both sides' decisions in them."""


for name, function, lines in EXAMPLES:
    app.command(name, cls=Command, epilog="\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines))(function)


def run(arguments: Sequence[str]) -> None:
    """Run one command and leave with its exit status."""
    app(list(arguments), prog_name="grognard")
