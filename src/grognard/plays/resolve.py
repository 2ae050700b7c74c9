"""Resolving a battle without asking anybody: a script, machine dice, policies."""

from collections.abc import Sequence

from grognard.core.errors import WrongAnswer
from grognard.core.rules import Choose, Question, Roll
from grognard.core.systems import Battle
from grognard.plays.answers import Answer, Chosen, Rolled
from grognard.plays.dice import MachineDice
from grognard.plays.play import Play, begin
from grognard.solver.advice import advise_on
from grognard.solver.assumptions import Policy, aims, habit


def play(
    battle: Battle,
    script: Sequence[Answer] = (),
    seed: int | str | None = None,
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
) -> Play:
    """Play a battle to its end: the script's answers first, then machine dice and the two policies."""
    chosen = aims(battle, attacker, defender, objective)
    dice = MachineDice(seed)
    whims = MachineDice(f"{dice.seed} decisions")  # so that the dice are the same whoever decides
    left = list(script)
    playing = begin(battle)
    while (question := playing.question) is not None:
        answer = scripted(question, left)
        if answer is None and isinstance(question, Roll):
            answer = Rolled(dice.roll_all(question.reading), machine=True)
        elif answer is None and isinstance(question, Choose):
            policy = chosen.policies[battle.system.role_of(battle.setup, question.by)]
            answer = decided(playing, question, policy, whims, attacker, defender, objective)
        assert answer is not None
        playing = playing.answer(answer)
    refuse_leftovers(left)
    return playing


def scripted(question: Question, left: list[Answer]) -> Answer | None:
    """Take the script's next answer. A script may leave out rolls: dice are then rolled."""
    if not left or (isinstance(question, Roll) and isinstance(left[0], Chosen)):
        return None
    return left.pop(0)


def refuse_leftovers(left: Sequence[Answer]) -> None:
    """A script that goes on after the end is a mistake worth knowing of."""
    if left:
        raise WrongAnswer(f"the battle is over, but the script has {len(left)} more: {left[0].to_dict()}")


def decided(
    playing: Play, question: Choose, policy: Policy, whims: MachineDice, attacker: str, defender: str, objective: str
) -> Chosen:
    """What a policy answers; one that decides at random draws from `whims`."""
    if policy is Policy.BEST:
        return Chosen(advise_on(playing, attacker, defender, objective).options[0].id)
    taken = habit(policy, question)
    if taken is not None:
        return Chosen(question.options[taken].id)
    return Chosen(question.options[whims.draw_below(len(question.options))].id)
