"""The functions of `import grognard`. They take answers also as plain data, and logs also as data or files."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, overload

from grognard.core.errors import BattleError, Fault, FaultCode
from grognard.core.systems import Battle
from grognard.files import battle as battle
from grognard.files import load as load
from grognard.files import read_data
from grognard.plays import logs
from grognard.plays.answers import Answer, Chosen, Rolled, answer_from
from grognard.plays.dice import MachineDice
from grognard.plays.logs import Log
from grognard.plays.play import MachinePlayer, Play, Script, play_to_end, start
from grognard.solver.assumptions import Assumptions, ObjectiveFunction, PolicyFunction
from grognard.solver.odds import Odds
from grognard.solver.solution import Advice, PolicyPlayer, solve

if TYPE_CHECKING:
    from grognard.solver.luck import Luck
    from grognard.solver.turn_solution import AttackValue
    from grognard.studies.compare import Comparison
    from grognard.studies.switches import SwitchEffects

Answers = Iterable[Answer | Mapping[str, object]]
"""Answers in the order asked, such as `{"roll": [6, 4]}` or `{"choose": "yes"}`."""
PolicyLike = str | PolicyFunction
ObjectiveLike = str | ObjectiveFunction


def odds(
    battle: Battle,
    attacker: PolicyLike = "best",
    defender: PolicyLike = "best",
    objective: ObjectiveLike = "swing",
    fractions: bool = False,
) -> Odds:
    """The odds of every result of a battle; with `fractions`, every number is a Fraction."""
    return solve(battle, attacker, defender, objective, fractions).odds


def advise(
    battle: Battle,
    script: Answers = (),
    attacker: PolicyLike = "best",
    defender: PolicyLike = "best",
    objective: ObjectiveLike = "swing",
    fractions: bool = False,
) -> Advice:
    """Advice on the decision that is open, at the start or after the script's answers."""
    play = start(battle)
    for answer in _answers(script):
        play = play.answer(answer)
    return solve(battle, attacker, defender, objective, fractions, start=play).advice(play)


def attacks(
    battle: Battle,
    attacker: PolicyLike = "best",
    defender: PolicyLike = "best",
    fractions: bool = False,
    play: Play | None = None,
) -> "list[AttackValue]":
    """Every attack that is possible now to the side whose turn it is, each evaluated by itself, in option order.

    With a play of the turn, the attacks that are possible at its position.
    """
    from grognard.solver.turn_solution import evaluate_attacks

    return evaluate_attacks(_as_turn(battle), Assumptions(attacker, defender, "swing", fractions), play)


def play(
    battle: Battle,
    script: Answers = (),
    seed: int | str | None = None,
    attacker: PolicyLike = "best",
    defender: PolicyLike = "best",
    objective: ObjectiveLike = "swing",
) -> Play:
    """Play a battle to its end: the script's answers first, then machine dice and the two policies."""
    return play_with_seed(battle, _answers(script), seed, Assumptions(attacker, defender, objective))[0]


def play_with_seed(
    battle: Battle, script: Sequence[Answer], seed: int | str | None, assumptions: Assumptions
) -> tuple[Play, str]:
    """Play a battle to its end as `play` does; returns the play and the seed of the machine dice."""
    dice = MachineDice(seed)
    answer = Script(script, MachinePlayer(dice, PolicyPlayer(battle, assumptions, dice.seed)))
    play = play_to_end(start(battle), answer)
    answer.check_used_up()
    return play, dice.seed


def replay(log: Mapping[str, object] | str | Path) -> Log:
    """Replay a log, given as data or as a file, and check every result that it records."""
    return logs.replay(dict(log) if isinstance(log, Mapping) else read_data(log, "log"), battle)


def luck(
    log: Mapping[str, object] | str | Path | Log | Play,
    attacker: PolicyLike = "best",
    defender: PolicyLike = "best",
    objective: ObjectiveLike = "swing",
    fractions: bool = False,
) -> "Luck":
    """How lucky both sides were in a play that is over, and what their decisions cost them."""
    play = log if isinstance(log, Play) else (log if isinstance(log, Log) else replay(log)).play
    return solve(play.battle, attacker, defender, objective, fractions).luck(play)


@overload
def compare(
    battles: Battle,
    switch: None = None,
    attacker: PolicyLike = "best",
    defender: PolicyLike = "best",
    objective: ObjectiveLike = "swing",
    fractions: bool = False,
) -> "SwitchEffects": ...
@overload
def compare(
    battles: Battle | Sequence[Battle] | Mapping[str, Battle],
    switch: str,
    attacker: PolicyLike = "best",
    defender: PolicyLike = "best",
    objective: ObjectiveLike = "swing",
    fractions: bool = False,
) -> "Comparison": ...
@overload
def compare(
    battles: Sequence[Battle] | Mapping[str, Battle],
    switch: None = None,
    attacker: PolicyLike = "best",
    defender: PolicyLike = "best",
    objective: ObjectiveLike = "swing",
    fractions: bool = False,
) -> "Comparison": ...
def compare(
    battles: Battle | Sequence[Battle] | Mapping[str, Battle],
    switch: str | None = None,
    attacker: PolicyLike = "best",
    defender: PolicyLike = "best",
    objective: ObjectiveLike = "swing",
    fractions: bool = False,
) -> "Comparison | SwitchEffects":
    """Compare a battle under each value of a switch, or of every switch; or several battles, by number or by name.

    A switch can be compared in one battle only.
    """
    from grognard.studies import compare, switches

    odds_of = partial(odds, attacker=attacker, defender=defender, objective=objective, fractions=fractions)
    if isinstance(battles, Battle):
        return switches.compare_battles({"1": battles}, switch, odds_of)
    named = battles if isinstance(battles, Mapping) else {str(n): entry for n, entry in enumerate(battles, 1)}
    if not named:
        raise BattleError([Fault("battles", "there is nothing to compare")])
    if switch is not None:
        return switches.compare_battles(named, switch, odds_of)
    return compare.compare([compare.Candidate(name, entry) for name, entry in named.items()], odds_of)


def _as_turn(attack: Battle) -> Battle:
    """The battle as a whole turn of its attacking side."""
    if attack.is_turn:
        return attack
    if attack.system.turn is None:
        raise BattleError([Fault("turn", f"{attack.system.name} has no turns: its battles are whole rounds already")])
    source = attack.system.turn.as_turn(attack.setup, attack.source)
    if source is None:
        message = "is missing: this file declares one attack; the attacks to compare are listed in [[turn.shots]]"
        raise BattleError([Fault("turn", message, FaultCode.MISSING)])
    return battle(source)


def _answers(script: Answers) -> list[Answer]:
    return [entry if isinstance(entry, Rolled | Chosen) else answer_from(entry) for entry in script]
