"""The command report: a battle on one page, to be read, kept and printed."""

import sys

from grognard.cli.options import Attacker, Defender, File, ObjectiveName, Output
from grognard.cli.output import refuse_unwritable
from grognard.cli.working import Working


def report(
    file: File,
    output: Output = None,
    attacker: Attacker = "best",
    defender: Defender = "best",
    objective: ObjectiveName = "swing",
) -> None:
    """Write a page about a battle, to read and to print.

    It has the set-up, the odds, the decisions and the switches that matter, and is one HTML file that loads nothing.
    """
    from grognard.cli.reckoning import sampling_offered
    from grognard.files import load, replace_text
    from grognard.report import page

    refuse_unwritable("--output", output)
    battle = load(file)
    with sampling_offered(file, attacker, defender, objective), Working("positions") as progress:
        text = page(battle, file, attacker, defender, objective, progress=progress)
    if output is None:
        sys.stdout.write(text)
    else:
        replace_text(output, text)
