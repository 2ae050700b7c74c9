"""Commands that reckon: odds, advise, simulate."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from grognard.cli.errors import FAILED, Refused, command_line, leave
from grognard.cli.options import (
    AsJson,
    Attacker,
    Defender,
    Everything,
    File,
    Fractions,
    ObjectiveName,
    Script,
)
from grognard.cli.output import open_console, print_json
from grognard.cli.working import Working

WALKS = 10_000


def odds(
    file: File,
    attacker: Attacker = "best",
    defender: Defender = "best",
    objective: ObjectiveName = "swing",
    fractions: Fractions = False,
    everything: Everything = False,
    as_json: AsJson = False,
) -> None:
    """Work out the exact odds of every result.

    Both sides' decisions are in them: each side decides by a policy, and the attacking side wants much of the
    objective, the defending side little.
    """
    from grognard.files import load
    from grognard.solver.odds import odds as odds_of

    battle = load(file)
    with sampling_offered(file, attacker, defender, objective), Working("positions") as progress:
        found = odds_of(battle, attacker, defender, objective, fractions, progress=progress)
    if as_json:
        print_json(found.to_dict())
        return
    from grognard.cli.show_odds import show_odds

    show_odds(open_console(), found, file, everything)


def advise(
    file: File,
    script: Script = None,
    attacker: Attacker = "best",
    defender: Defender = "best",
    objective: ObjectiveName = "swing",
    fractions: Fractions = False,
    as_json: AsJson = False,
) -> None:
    """Show what each option is worth, the best first.

    That is for the decision that is due: at the start of the battle, or after the answers of a script.
    """
    from grognard.cli.scripts import read_script
    from grognard.files import load
    from grognard.solver.advice import advise_on

    if file == script == "-":
        raise Refused("--script: standard input is the battle already")
    battle = load(file)
    begun = read_script(script).play_all(battle)
    with sampling_offered(file, attacker, defender, objective), Working("positions") as progress:
        advice = advise_on(begun, attacker, defender, objective, fractions, progress=progress)
    if as_json:
        print_json(advice.to_dict())
        return
    from grognard.cli.show_advice import show_advice

    show_advice(open_console(), battle, advice, file)


def simulate(
    file: File,
    walks: Annotated[int, typer.Option("-n", "--walks", metavar="N", help="How many battles to sample.")] = WALKS,
    seed: Annotated[int | None, typer.Option("--seed", metavar="S", help="The same seed, the same sample.")] = None,
    attacker: Attacker = "best",
    defender: Defender = "best",
    objective: ObjectiveName = "swing",
    everything: Everything = False,
    as_json: AsJson = False,
) -> None:
    """Sample the odds of a battle too large to work out.

    Every number comes with how far off it may be: its standard error.
    """
    from grognard.files import load
    from grognard.solver.simulate import simulate as sample

    battle = load(file)
    with sampling_offered(file, attacker, defender, objective), Working("battles over") as progress:
        found = sample(battle, walks, seed, attacker, defender, objective, progress=progress)
    if as_json:
        print_json(found.to_dict())
        return
    from grognard.cli.show_odds import show_odds

    show_odds(open_console(), found, file, everything)


@contextmanager
def sampling_offered(file: str, attacker: str, defender: str, objective: str) -> Iterator[None]:
    """If a battle is too large, say how large, and with which command it can be sampled."""
    from grognard.core.errors import TooLarge

    try:
        yield
    except TooLarge as large:  # sampling best decisions would need them solved, which is what was too large
        attacker, defender = ("eager" if policy == "best" else policy for policy in (attacker, defender))
        aims = ["--attacker", attacker, "--defender", defender]
        aims += ["--objective", objective] if objective != "swing" else []
        leave(FAILED, f"{file}: {large}:\n  {command_line(['simulate', file, '-n', str(WALKS), *aims])}")
