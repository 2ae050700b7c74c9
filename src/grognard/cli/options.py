"""Commands with examples in their help, and the arguments and options that several of them share."""

from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from grognard.core.errors import BattleError
from grognard.core.systems import System
from grognard.files.messages import unknown_name
from grognard.solver.assumptions import POLICIES, Assumptions

F = TypeVar("F", bound=Callable[..., Any])

ABOUT = {
    "FILE": "a battle file, TOML or JSON; - is standard input",
    "LOG": "a log of `play --log` or of a live battle; - is standard input",
    "SYSTEM": "a system: see `grognard systems`",
}
"""The help of the arguments."""


class Command(click.Command):
    """A command whose help ends in its arguments, its policies if it has any, and examples."""

    examples: tuple[str, ...] = ()
    notes: Mapping[str, Mapping[str, str]] = {}

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        names = [param.metavar for param in self.params if isinstance(param, click.Argument)]
        about = {str(name): ABOUT[str(name)] for name in names if name in ABOUT}
        has_policies = any(param.name == "attacker" for param in self.params)
        sections = {"Arguments": about, **self.notes, "Policies": POLICIES if has_policies else {}}
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(list(rows.items()))
        with formatter.section("Examples"):
            formatter.write("".join(f"  {line}\n" for line in self.examples))


def command(*examples: str, **notes: Mapping[str, str]) -> Callable[[Callable[..., None]], Command]:
    """A command of the function's name, with examples and tables of notes for its help."""

    def decorate(function: Callable[..., None]) -> Command:
        click_command = click.command(function.__name__.replace("_", "-"), cls=Command)(function)
        click_command.examples, click_command.notes = examples, notes
        return click_command

    return decorate


class KnownWord(click.ParamType[str]):
    """One of the known words, each with its meaning; the error for any other word suggests one of them."""

    name = "word"

    def __init__(self, known: Mapping[str, str], noun: str) -> None:
        self.known, self.noun = known, noun

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.known:
            self.fail(unknown_name(self.noun, value, self.known), param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _items(self.known, incomplete)


def _items(known: Mapping[str, str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name, help=text) for name, text in known.items() if name.startswith(incomplete)]


def _systems(ctx: click.Context) -> Iterable[System[Any]]:
    """The system of the file on the command line, or all systems."""
    from grognard.files import load_draft
    from grognard.systems import find, names

    files = ctx.params.get("files") or [ctx.params.get("file")]
    try:
        return [load_draft(str(files[0]))[0]]
    except BattleError:
        return [find(name) for name in names()]


def complete_system(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from grognard.systems import find, names

    return _items({name: find(name).title for name in names()}, incomplete)


def complete_objective(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return _items(
        {name: aim.description for system in _systems(ctx) for name, aim in system.objectives.items()}, incomplete
    )


def complete_switch(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from grognard.files import switches

    return _items(
        {switch.name: switch.description for system in _systems(ctx) for switch in switches(system)}, incomplete
    )


def policy_option(role: str, known: Mapping[str, str] = POLICIES, default: str = "best") -> Callable[[F], F]:
    """The option of a side's policy."""
    about = f"How the {role} decides: {', '.join(known)}."
    return click.option(
        f"--{role}", type=KnownWord(known, "policy"), default=default, show_default=True, metavar="POLICY", help=about
    )


system_argument = click.argument("system", metavar="SYSTEM", shell_complete=complete_system)
file_argument = click.argument("file", metavar="FILE")
log_argument = click.argument("log", metavar="LOG")
objective_option = click.option(
    "--objective",
    metavar="NAME",
    default="swing",
    show_default=True,
    help="What the attacker maximises: swing, kill, or ground where it applies.",
    shell_complete=complete_objective,
)
fractions_option = click.option("--fractions", is_flag=True, help="Exact fractions for every number.")
all_option = click.option("--all", "everything", is_flag=True, help="List every result and every value.")
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document for other programs.")
script_option = click.option(
    "--script", metavar="ANSWERS", help="A JSON file of answers, in order; - is standard input."
)
output_option = click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of the screen.")


def policy_options(function: Callable[..., None]) -> Callable[..., None]:
    """The policies; the function is called with them and the objective `swing` as `assumptions`."""
    return policy_option("attacker")(policy_option("defender")(_with_assumptions(function)))


def assumptions_options(function: Callable[..., None]) -> Callable[..., None]:
    """The policies and the objective; the function is called with them as `assumptions`."""
    return policy_option("attacker")(policy_option("defender")(objective_option(_with_assumptions(function))))


def _with_assumptions(function: Callable[..., None]) -> Callable[..., None]:
    @wraps(function)
    def call(*, attacker: str, defender: str, objective: str = "swing", fractions: bool = False, **others: Any) -> None:
        function(assumptions=Assumptions(attacker, defender, objective, fractions), **others)

    return call
