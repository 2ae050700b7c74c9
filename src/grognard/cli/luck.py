"""The command luck: how lucky each side was in a battle that was played."""

from typing import Annotated

import typer

from grognard.cli.errors import Refused
from grognard.cli.options import AsJson, Attacker, Defender, Fractions, ObjectiveName
from grognard.cli.output import open_console, print_json, read_json
from grognard.cli.working import Working


def luck(
    log: Annotated[
        str, typer.Argument(metavar="LOG", help="A log of `play --log` or of a live battle; - is standard input.")
    ],
    attacker: Attacker = "best",
    defender: Defender = "best",
    objective: ObjectiveName = "swing",
    fractions: Fractions = False,
    as_json: AsJson = False,
) -> None:
    """Tell luck from decisions in a battle that was played.

    Die by die and decision by decision: both together lead from what the battle was worth at the start to its result.
    What both sides could have done, the policies say: their best, unless told otherwise.
    """
    from grognard.files import battle
    from grognard.plays.logs import LogError, replay
    from grognard.solver.luck import luck as luck_of

    try:
        played = replay(read_json(log), battle).play
    except LogError as wrong:
        raise Refused(f"{log}: {wrong}") from None
    with Working("positions") as progress:
        found = luck_of(played, attacker, defender, objective, fractions, progress=progress)
    if as_json:
        print_json(found.to_dict())
        return
    from grognard.cli.show_luck import show_luck

    show_luck(open_console(), found, log)
