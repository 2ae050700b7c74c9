"""Commands at the table: play, replay."""

import json
import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from grognard.cli.errors import Refused
from grognard.cli.options import (
    AsJson,
    AttackingPlayer,
    DefendingPlayer,
    File,
    ObjectiveName,
    Script,
    complete_dice,
)
from grognard.cli.output import is_terminal, open_console, print_json, read_json, refuse_unwritable

if TYPE_CHECKING:
    from grognard.cli.session import Session

DICE = ("machine", "table")
BATTLE_FILES = (".toml", ".json")


def play(
    file: File,
    seed: Annotated[
        str | None, typer.Option("--seed", metavar="N", help="The machine's dice: the same seed, the same dice.")
    ] = None,
    dice: Annotated[
        str,
        typer.Option(
            "--dice",
            metavar="WHOSE",
            help="machine: it rolls. table: you roll, and type what fell.",
            autocompletion=complete_dice,
        ),
    ] = "machine",
    script: Script = None,
    log: Annotated[str | None, typer.Option("--log", metavar="FILE", help="Write a log that can be replayed.")] = None,
    after: Annotated[
        str | None, typer.Option("--after", metavar="FILE", help="Write the battle as it stands after the attack.")
    ] = None,
    attacker: AttackingPlayer = "ask",
    defender: DefendingPlayer = "ask",
    objective: ObjectiveName = "swing",
    as_json: AsJson = False,
) -> None:
    """Resolve a battle step by step.

    Each step has its paragraph beside it. People are asked for their decisions; at the question ? shows what each
    option is worth, and u takes back the last answer.
    """
    from grognard.cli.scripts import read_script
    from grognard.cli.session import Session, Table, nobody
    from grognard.files import load

    if file == script == "-":
        raise Refused("--script: standard input is the battle already")
    if dice not in DICE:
        raise Refused(f'--dice: unknown "{dice}": expected one of {", ".join(DICE)}')
    if log is not None and after is not None and os.path.realpath(log) == os.path.realpath(after):
        raise Refused(f"--after: {after} is the log already")
    refuse_unwritable("--log", log)
    refuse_unwritable("--after", after, BATTLE_FILES)
    battle = load(file)
    table = Table(attacker, defender, objective, machine_rolls=dice == "machine")
    answers = read_script(script)
    if as_json:
        session = Session(battle, table, answers, seed, nobody)
        session.play()
        keep(session, log, after)
        print_json(session.now.playing.to_dict())
        return
    from grognard.cli.ask import Asker
    from grognard.cli.show_play import Teller

    teller = Teller(open_console(), battle, file)
    session = Session(battle, table, answers, seed, Asker(teller, table) if is_terminal(sys.stdin) else nobody)
    session.play()
    keep(session, log, after)
    teller.end(session, [path for path in (log, after) if path is not None])


def keep(session: "Session", log: str | None, after: str | None) -> None:
    """Write what was asked to be kept."""
    from grognard.core.rules import End
    from grognard.files import replace_text, write
    from grognard.plays.logs import Log

    playing = session.now.playing
    if log is not None:
        replace_text(log, json.dumps(Log(playing, session.seed_used).to_dict(), indent=1) + "\n")
    if after is not None:
        battle, over = playing.battle, playing.due
        assert isinstance(over, End)
        left = battle.system.after(battle.setup, battle.source, over.state)
        write(after, left, {key: table for key, table in battle.source.items() if key not in left})


def replay(
    log: Annotated[str, typer.Argument(metavar="LOG", help="A log that `play --log` wrote; - is standard input.")],
    as_json: AsJson = False,
) -> None:
    """Play a log again and check it.

    Every question, every die of the machine and the result must be as recorded.
    """
    from grognard.files import battle
    from grognard.plays.logs import LogError
    from grognard.plays.logs import replay as play_again

    recorded = read_json(log)
    try:
        again = play_again(recorded, battle)
    except LogError as wrong:
        raise Refused(f"{log}: {wrong}") from None
    if as_json:
        events = [event.to_dict() for event in again.play.events]
        over = again.play.question is None
        checked = {"seed": again.seed, "rolls": again.rolls, "rolls_of_seed": again.rolls_of_seed}
        print_json({"result": again.play.result.to_dict() if over else None, "events": events, **checked})
        return
    from grognard.cli.show_play import Teller

    teller = Teller(open_console(), again.play.battle, log)
    teller.replayed(again)
