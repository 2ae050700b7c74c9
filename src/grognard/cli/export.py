"""The command export: a battle's graph for model checkers and for drawing."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from grognard.cli.errors import Refused
from grognard.cli.options import POLICIES, File, ObjectiveName, Output
from grognard.cli.output import open_console, refuse_unwritable
from grognard.cli.working import Working

if TYPE_CHECKING:
    from grognard.core.systems import Battle

FORMATS = {
    "prism": "PRISM's language, for PRISM, PRISM-games and Storm",
    "drn": "Storm's explicit format, for large battles",
    "dot": "a picture, for Graphviz",
}
OPEN = {"open": "its decisions stay in the graph, for the model checker to take"}


def complete_format(incomplete: str) -> list[tuple[str, str]]:
    """The formats, with what they are for."""
    return [(name, says) for name, says in FORMATS.items() if name.startswith(incomplete)]


def complete_decider(incomplete: str) -> list[tuple[str, str]]:
    """Who may decide in a graph."""
    return [(name, says) for name, says in (OPEN | POLICIES).items() if name.startswith(incomplete)]


def export(
    file: File,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="prism (a program), drn (Storm's explicit format), dot (Graphviz).",
            autocompletion=complete_format,
        ),
    ] = "prism",
    output: Output = None,
    attacker: Annotated[
        str,
        typer.Option(
            "--attacker",
            metavar="POLICY",
            help="open leaves the attacking side's decisions in the graph; best, eager, cautious, random take them.",
            autocompletion=complete_decider,
        ),
    ] = "open",
    defender: Annotated[
        str,
        typer.Option(
            "--defender",
            metavar="POLICY",
            help="Likewise for the defending side.",
            autocompletion=complete_decider,
        ),
    ] = "open",
    objective: ObjectiveName = "swing",
) -> None:
    """Write a battle's graph for other programs.

    Every position is a state, every option a choice, the odds are exact fractions, and each ending carries what it is
    worth. With both sides open it is a game; a policy for one side leaves a decision process, for both a Markov chain.
    """
    from grognard.adapters.export import in_short, model_of, played, written
    from grognard.cli.reckoning import sampling_offered
    from grognard.files import load, replace_text

    if form not in FORMATS:
        raise Refused(f"--format: found {form}, expected {', '.join(FORMATS)}")
    refuse_unwritable("--output", output)
    battle = load(file)
    with sampling_offered(file, played(attacker), played(defender), objective), Working("positions") as progress:
        model = model_of(battle, attacker, defender, objective, progress=progress)
    text = written(model, form)
    if output is None:
        sys.stdout.write(text)
        return
    replace_text(output, text)
    show_written(battle, file, output, *in_short(model))


def show_written(battle: "Battle", file: str, output: str, note: str, answer: str) -> None:
    """What was written, and what to ask of it."""
    from grognard.cli.look import MUTED, ink, title

    console = open_console()
    title(console, battle, file, note)
    console.print(ink(answer), soft_wrap=True)
    console.print(ink(f"written: {output}", MUTED), soft_wrap=True)
