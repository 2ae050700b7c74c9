"""Arguments and options that several commands share, and what the shell completes for them."""

from typing import Annotated

import typer

POLICIES = {
    "best": "the best reply to what the other side does",
    "eager": "yes to everything optional, else the first option",
    "cautious": "no to everything optional, else the first option",
    "random": "any option, each as likely",
}


def complete_system(incomplete: str) -> list[str]:
    """The names of the systems."""
    from grognard.systems import names

    return [name for name in names() if name.startswith(incomplete)]


def complete_policy(incomplete: str) -> list[tuple[str, str]]:
    """The policies, with what they do."""
    return [(name, says) for name, says in POLICIES.items() if name.startswith(incomplete)]


def complete_player(incomplete: str) -> list[tuple[str, str]]:
    """Who may decide in a play."""
    return [(name, says) for name, says in [("ask", "people decide"), *POLICIES.items()] if name.startswith(incomplete)]


def complete_objective(incomplete: str) -> list[tuple[str, str]]:
    """The objectives that any system has."""
    from grognard.systems import find, names

    said = {name: aim.says for system in map(find, names()) for name, aim in system.objectives.items()}
    return [(name, says) for name, says in said.items() if name.startswith(incomplete)]


def complete_switch(incomplete: str) -> list[tuple[str, str]]:
    """The switches that any system has."""
    from grognard.systems import find, names
    from grognard.words.describe import switches

    said = {switch.name: switch.says for system in map(find, names()) for switch in switches(system)}
    return [(name, says) for name, says in said.items() if name.startswith(incomplete)]


def complete_dice(incomplete: str) -> list[tuple[str, str]]:
    """Whose dice are rolled."""
    told = {"machine": "the machine rolls", "table": "you roll, and type what fell"}
    return [(name, says) for name, says in told.items() if name.startswith(incomplete)]


SystemName = Annotated[
    str, typer.Argument(metavar="SYSTEM", help="A system: see `grognard systems`.", autocompletion=complete_system)
]
File = Annotated[str, typer.Argument(metavar="FILE", help="A battle file, TOML or JSON; - is standard input.")]
Attacker = Annotated[
    str,
    typer.Option(
        "--attacker",
        metavar="POLICY",
        help="How the attacking side decides: best, eager, cautious, random.",
        autocompletion=complete_policy,
    ),
]
Defender = Annotated[
    str,
    typer.Option(
        "--defender",
        metavar="POLICY",
        help="How the defending side decides: best, eager, cautious, random.",
        autocompletion=complete_policy,
    ),
]
AttackingPlayer = Annotated[
    str,
    typer.Option(
        "--attacker",
        metavar="WHO",
        help="Who decides for the attacking side: ask (people), or a policy: best, eager, cautious, random.",
        autocompletion=complete_player,
    ),
]
DefendingPlayer = Annotated[
    str,
    typer.Option(
        "--defender",
        metavar="WHO",
        help="Who decides for the defending side, likewise.",
        autocompletion=complete_player,
    ),
]
ObjectiveName = Annotated[
    str,
    typer.Option(
        "--objective",
        metavar="NAME",
        help="What the attacking side wants much of: swing, kill, or ground where it applies.",
        autocompletion=complete_objective,
    ),
]
Fractions = Annotated[bool, typer.Option("--fractions", help="Exact fractions for every number.")]
Everything = Annotated[bool, typer.Option("--all", help="List every result and every value, however unlikely.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document for other programs, and nothing else.")]
Script = Annotated[
    str | None,
    typer.Option("--script", metavar="ANSWERS", help="A JSON file of answers in the order asked; - is standard input."),
]
Output = Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="Write to this file instead.")]
