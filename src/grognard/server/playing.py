"""Playing a battle that nobody keeps: every request brings all answers given so far."""

from dataclasses import dataclass

from grognard.core.errors import WrongAnswer
from grognard.core.rules import Choose, Question, Roll
from grognard.core.systems import Battle, Json
from grognard.plays.answers import Answer, Rolled, answers_from
from grognard.plays.dice import MachineDice
from grognard.plays.play import Play, begin
from grognard.plays.resolve import decided, refuse_leftovers, scripted
from grognard.solver.assumptions import Policy, aims

ASK = "ask"
"""In place of a policy: people decide."""


@dataclass(frozen=True, slots=True)
class Table:
    """Who decides for each side and what for, and the seed of the machine's dice, if it rolls."""

    attacker: str = ASK
    defender: str = ASK
    objective: str = "swing"
    seed: str | None = None

    @property
    def aims(self) -> tuple[str, str, str]:
        """As the engines take it; what people do is taken to be their best."""
        attacker, defender = (Policy.BEST if who == ASK else who for who in (self.attacker, self.defender))
        return attacker, defender, self.objective

    def asks(self, side: str) -> bool:
        """Whether people decide for a side."""
        return {"attacker": self.attacker, "defender": self.defender}[side] == ASK


def play(battle: Battle, script: list[Json], table: Table) -> Play:
    """Give the script's answers, let the machine answer what it may, and stop at the first question for people.

    A script leaves out the rolls of the machine's dice: they follow from the seed.
    """
    seat = _Machine(battle, table)
    left = answers_from(script)
    playing = begin(battle)
    while (question := playing.question) is not None:
        answer = scripted(question, left) or seat.answer(playing, question)
        if answer is None and left:
            answer = left.pop(0)  # a decision where dice are due: refused with what is asked
        if answer is None:
            return playing
        try:
            playing = playing.answer(answer)
        except WrongAnswer as wrong:
            raise WrongAnswer(f"answer {len(script) - len(left)}: {wrong}") from None
    refuse_leftovers(left)
    return playing


class _Machine:
    """Rolls if there is a seed, and decides for the sides that have a policy."""

    def __init__(self, battle: Battle, table: Table) -> None:
        self.battle, self.table = battle, table
        self.policies = aims(battle, *table.aims).policies
        self.dice = None if table.seed is None else MachineDice(table.seed)
        self.whims = MachineDice(f"{table.seed} decisions")

    def answer(self, playing: Play, question: Question) -> Answer | None:
        """The machine's answer, or None if people are asked."""
        if isinstance(question, Roll):
            return Rolled(self.dice.roll_all(question.reading), machine=True) if self.dice else None
        side = self.battle.system.role_of(self.battle.setup, question.by)
        return None if self.table.asks(side) else self._decide(playing, question, self.policies[side])

    def _decide(self, playing: Play, question: Choose, policy: Policy) -> Answer:
        return decided(playing, question, policy, self.whims, *self.table.aims)
