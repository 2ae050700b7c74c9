"""Engines as `import grognard` offers them, where answers may also be plain JSON."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, overload

from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Battle
from grognard.files import battle
from grognard.plays import logs, resolve
from grognard.plays.answers import Answer, Chosen, Rolled, answer_from
from grognard.plays.logs import Log
from grognard.plays.play import Play
from grognard.solver import advice
from grognard.solver.advice import Advice
from grognard.solver.odds import odds

if TYPE_CHECKING:
    from grognard.solver.luck import Luck
    from grognard.studies.compare import Comparison
    from grognard.studies.switches import Switches

Script = Iterable[Answer | Mapping[str, object]]
"""Answers in the order asked, such as `{"roll": [6, 4]}` or `{"choose": "yes"}`."""


def advise(
    battle: Battle,
    script: Script = (),
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
    exact: bool = False,
) -> Advice:
    """Advice on the decision that is due, at the start or after the script's answers."""
    return advice.advise(battle, _answers(script), attacker, defender, objective, exact)


def play(
    battle: Battle,
    script: Script = (),
    seed: int | str | None = None,
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
) -> Play:
    """Play a battle to its end: the script's answers first, then machine dice and the two policies."""
    return resolve.play(battle, _answers(script), seed, attacker, defender, objective)


def replay(log: Mapping[str, object] | str | Path) -> Log:
    """Play a log again, from its data or its file, and check that everything comes out as recorded."""
    if isinstance(log, Mapping):
        return logs.replay(dict(log), battle)
    import json

    return logs.replay(json.loads(Path(log).read_text("utf-8")), battle)


@overload
def compare(
    battles: Battle,
    switch: None = None,
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
    exact: bool = False,
) -> "Switches": ...
@overload
def compare(
    battles: Battle,
    switch: str,
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
    exact: bool = False,
) -> "Comparison": ...
@overload
def compare(
    battles: Sequence[Battle] | Mapping[str, Battle],
    switch: None = None,
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
    exact: bool = False,
) -> "Comparison": ...
def compare(
    battles: Battle | Sequence[Battle] | Mapping[str, Battle],
    switch: str | None = None,
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
    exact: bool = False,
) -> "Comparison | Switches":
    """A battle under each value of a switch, or of every switch; or several battles, by number or by name."""
    from grognard.studies import compare, switches, variants

    reckon = partial(odds, attacker=attacker, defender=defender, objective=objective, exact=exact)
    if isinstance(battles, Battle):
        if switch is None:
            return switches.compare_switches(battles, variants.all_turned(battles), reckon)
        return compare.compare(variants.turned(battles, switch), reckon, switch=switch)
    named = battles if isinstance(battles, Mapping) else {str(n): one for n, one in enumerate(battles, 1)}
    if not named:
        raise BattleError([Fault("battles", "there is nothing to compare")])
    return compare.compare([compare.Candidate(name, one) for name, one in named.items()], reckon)


def luck(
    log: Mapping[str, object] | str | Path | Log | Play,
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
    exact: bool = False,
) -> "Luck":
    """How lucky both sides were in a battle that is over, and what their decisions lost them."""
    from grognard.solver import luck

    played = log if isinstance(log, Play) else (log if isinstance(log, Log) else replay(log)).play
    return luck.luck(played, attacker, defender, objective, exact)


def _answers(script: Script) -> list[Answer]:
    return [entry if isinstance(entry, Rolled | Chosen) else answer_from(entry) for entry in script]
