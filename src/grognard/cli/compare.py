"""The command compare: a battle under other rules, or several battles, side by side."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grognard.cli.errors import Refused
from grognard.cli.options import AsJson, Attacker, Defender, Everything, Fractions, ObjectiveName, complete_switch
from grognard.cli.output import open_console, print_json, refuse_unwritable
from grognard.cli.working import Working

if TYPE_CHECKING:
    from grognard.core.systems import Battle
    from grognard.studies.compare import Comparison, Reckon
    from grognard.studies.switches import Switches

PICTURES = (".svg", ".png")


def compare(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Battle files, TOML or JSON.")],
    switch: Annotated[
        str | None,
        typer.Option(
            "--switch",
            metavar="NAME",
            help="Turn this switch to each of its values.",
            autocompletion=complete_switch,
        ),
    ] = None,
    all_switches: Annotated[
        bool, typer.Option("--all-switches", help="Turn every switch, one at a time; so does one FILE without options.")
    ] = False,
    attacker: Attacker = "best",
    defender: Defender = "best",
    objective: ObjectiveName = "swing",
    fractions: Fractions = False,
    everything: Everything = False,
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="PICTURE", help="Draw it too, as .svg or .png (needs grognard[plot])."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare a battle under other rules, or several battles.

    Each stands beside the first, with the change in its value and in the chance of each result, the largest first.
    """
    from grognard.cli.reckoning import sampling_offered
    from grognard.files import load
    from grognard.solver.odds import odds

    refuse_contradictions(files, switch, all_switches)
    prepare_to_draw(plot)
    battles = [load(file) for file in files]
    with sampling_offered(files[0], attacker, defender, objective), Working("positions") as progress:
        reckon = partial(
            odds, attacker=attacker, defender=defender, objective=objective, exact=fractions, progress=progress
        )
        found = compared(files, battles, switch, reckon)
    if plot is not None:
        from grognard.words.plots import save

        save(found.plot(), plot)
    if as_json:
        print_json(found.to_dict())
        return
    from grognard.cli.look import MUTED, ink
    from grognard.cli.show_compare import show

    console = open_console()
    show(console, found, files[0], everything)
    if plot is not None:
        console.print(ink(f"written: {plot}", MUTED), soft_wrap=True)


def refuse_contradictions(files: list[str], switch: str | None, all_switches: bool) -> None:
    """What is to be compared must be clear."""
    if len(files) > 1 and (switch is not None or all_switches):
        raise Refused("a switch is turned in one FILE, but several are given")
    if switch is not None and all_switches:
        raise Refused("--switch: --all-switches turns every switch already")
    if files.count("-") > 1:
        raise Refused("standard input is one battle already")


def prepare_to_draw(plot: str | None) -> None:
    """Find out before the work is done that it could not be drawn."""
    if plot is not None:
        refuse_unwritable("--plot", plot, PICTURES)
        from grognard.words.plots import need_matplotlib

        need_matplotlib()


def compared(
    files: list[str], battles: "list[Battle]", switch: str | None, reckon: "Reckon"
) -> "Comparison | Switches":
    """Several battles, or one with a switch or every switch turned."""
    from grognard.studies import variants
    from grognard.studies.compare import Candidate, compare
    from grognard.studies.switches import compare_switches

    first, *others = battles
    if others:
        return compare([Candidate(name, one) for name, one in zip(names(files), battles, strict=True)], reckon)
    if switch is not None:
        return compare(variants.turned(first, switch), reckon, switch=switch)
    return compare_switches(first, variants.all_turned(first), reckon)


def names(files: list[str]) -> list[str]:
    """Files by their names without ending, or as they were given where that tells two apart."""
    short = ["standard input" if file == "-" else Path(file).stem for file in files]
    return [file if short.count(name) > 1 else name for name, file in zip(short, files, strict=True)]
