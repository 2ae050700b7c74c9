"""Engines as `import grognard` offers them, where answers may also be plain JSON."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from grognard.core.systems import Battle
from grognard.engines import advice, logs, resolve
from grognard.engines.advice import Advice
from grognard.engines.answers import Answer, Chosen, Rolled, answer_from
from grognard.engines.logs import Log
from grognard.engines.play import Play
from grognard.files import battle

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


def _answers(script: Script) -> list[Answer]:
    return [entry if isinstance(entry, Rolled | Chosen) else answer_from(entry) for entry in script]
