"""Arguments and options that several commands share, what they complete to, and the kinds of files."""

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from grognard.cli.console import read_json
from grognard.cli.errors import CommandError
from grognard.core.errors import BattleError

if TYPE_CHECKING:
    from grognard.core.systems import Battle, System

F = TypeVar("F", bound=Callable[..., Any])

POLICIES = {
    "best": "the best reply to what the other side does; among equals the first",
    "eager": "yes to everything optional, else the first option",
    "cautious": "no to everything optional, else the first option",
    "random": "any option, each as likely",
}
PEOPLE = {"ask": "a player is asked at the terminal"}
HOW_POLICIES_DECIDE = {f"--attacker, --defender {name}": says for name, says in POLICIES.items()}
KINDS = {
    "battle": ("a battle", "odds {}"),
    "design": ("the design of a sweep", "sweep {}"),
    "log": ("the log of a play", "replay {}"),
    "script": ("a script of answers", "play BATTLE --script {}"),
}
"""What a file may be, and the command that takes it."""


class Word(click.ParamType):
    """One of a few words, each with what it means; a word that is none of them gets a suggestion."""

    name = "word"

    def __init__(self, known: Mapping[str, str], noun: str) -> None:
        self.known, self.noun = known, noun

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word, if it is known."""
        if value not in self.known:
            from grognard.files.words import unknown

            self.fail(unknown(self.noun, value, self.known), param, ctx)
        return str(value)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The words that begin so."""
        return _items(self.known, incomplete)


def _items(known: Mapping[str, str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name, help=says) for name, says in known.items() if name.startswith(incomplete)]


def _systems(ctx: click.Context) -> "Iterable[System[Any]]":
    """The system of the file on the command line, or all systems."""
    from grognard.files import load_draft
    from grognard.systems import find, names

    files = ctx.params.get("files") or [ctx.params.get("file")]
    try:
        return [load_draft(str(files[0]))[0]]
    except (BattleError, OSError):
        return [find(name) for name in names()]


def complete_system(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The names of the systems."""
    from grognard.systems import find, names

    return _items({name: find(name).title for name in names()}, incomplete)


def complete_objective(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The objectives of the battle's system."""
    objectives = {name: aim.says for system in _systems(ctx) for name, aim in system.objectives.items()}
    return _items(objectives, incomplete)


def complete_switch(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The switches of the battle's system."""
    from grognard.words.describe import switches

    return _items({one.name: one.says for system in _systems(ctx) for one in switches(system)}, incomplete)


def apply(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, in the order of the help."""

    def decorate(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def policy_option(side: str, known: Mapping[str, str] = POLICIES, default: str = "best") -> Callable[[F], F]:
    """How a side decides."""
    words = ", ".join(known)
    about = f"Who decides for the {side}: {words}." if default == "ask" else f"How the {side} decides: {words}."
    return click.option(
        f"--{side}", type=Word(known, "policy"), default=default, show_default=True, metavar="POLICY", help=about
    )


system_argument = click.argument("system", metavar="SYSTEM", shell_complete=complete_system)
file_argument = click.argument("file", metavar="FILE", type=click.Path())
log_argument = click.argument("log", metavar="LOG", type=click.Path())
objective_option = click.option(
    "--objective",
    metavar="NAME",
    default="swing",
    show_default=True,
    help="What the attacker maximises: swing, kill, or ground where it applies.",
    shell_complete=complete_objective,
)
policies = apply(policy_option("attacker"), policy_option("defender"), objective_option)
players = apply(
    policy_option("attacker", PEOPLE | POLICIES, "ask"),
    policy_option("defender", PEOPLE | POLICIES, "ask"),
    objective_option,
)
fractions_option = click.option("--fractions", is_flag=True, help="Exact fractions for every number.")
all_option = click.option("--all", "everything", is_flag=True, help="List every result and every value.")
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document for other programs.")
script_option = click.option(
    "--script",
    metavar="ANSWERS",
    type=click.Path(),
    help="A JSON file of answers in the order asked; - is standard input.",
)
output_option = click.option(
    "-o", "--output", metavar="FILE", type=click.Path(), help="Write to FILE instead of the screen."
)


def load_battle(path: str) -> "Battle":
    """The battle in a file; a file of another kind is refused with the command that takes it."""
    from grognard.files import load

    try:
        return load(path)
    except BattleError:
        refuse_other_kind(path, "battle")
        raise


def read_log(path: str) -> object:
    """The data of a log."""
    try:
        data = read_json(path)
    except CommandError:
        refuse_other_kind(path, "log")
        raise
    if kind_of(data) != "log":
        refuse_other_kind(path, "log")
    return data


def refuse_other_kind(path: str, wanted: str) -> None:
    """Name what a file is, if it is something else than wanted, and the command for it."""
    kind = kind_of_file(path)
    if kind is not None and kind != wanted:
        noun, command = KINDS[kind]
        raise CommandError(f"{path} is {noun}, not {KINDS[wanted][0]}: grognard {command.format(path)}")


def kind_of_file(path: str) -> str | None:
    """What a file is, if it can be told."""
    try:
        text = Path(path).read_text("utf-8-sig")
        return kind_of(json.loads(text) if path.lower().endswith(".json") else tomllib.loads(text))
    except (OSError, ValueError, RecursionError):
        return None


def kind_of(data: object) -> str | None:
    """What data is, by its keys."""
    if isinstance(data, list):
        return "script" if data and all(isinstance(one, dict) and one.keys() & {"roll", "choose"} for one in data) else None
    if not isinstance(data, dict):
        return None
    if "moves" in data:
        return "log"
    if "vary" in data:
        return "design"
    return "battle" if "system" in data else None
