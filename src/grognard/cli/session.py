"""One battle being played: who answers what, and the way back."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from grognard.cli.errors import Refused
from grognard.cli.scripts import ScriptFile
from grognard.cli.working import Working
from grognard.core.rules import Choose, Roll
from grognard.core.systems import Battle, Role
from grognard.plays.answers import Rolled, asked
from grognard.plays.dice import MachineDice
from grognard.plays.play import Play, begin
from grognard.plays.resolve import decided
from grognard.solver.assumptions import Policy, aims

ASK = "ask"
"""In place of a policy: people decide."""

Person = Callable[[Play, bool], Play | None]
"""Asks a person what is due, who may take back an answer or not: the play after the answer, or None to take back."""


@dataclass(frozen=True, slots=True)
class Table:
    """Who decides for each side and what for, and whose dice are rolled."""

    attacker: str
    defender: str
    objective: str
    machine_rolls: bool

    @property
    def aims(self) -> tuple[str, str, str]:
        """How both sides decide and what for, as the engines take it; what people do is taken to be their best."""
        attacker, defender = ("best" if who == ASK else who for who in (self.attacker, self.defender))
        return attacker, defender, self.objective

    def asks(self, side: Role) -> bool:
        """Whether people decide for a side."""
        return (self.attacker if side is Role.ATTACKER else self.defender) == ASK


@dataclass(frozen=True, slots=True)
class Moment:
    """How far the battle, the script, the machine's dice and its whims are."""

    playing: Play
    script: ScriptFile
    draws: int = 0
    whims: int = 0


class Session:
    """Plays a battle: the script answers first, then the machine where it may, else a person."""

    def __init__(self, battle: Battle, table: Table, script: ScriptFile, seed: str | None, person: Person) -> None:
        self.battle, self.table, self.person = battle, table, person
        self.policies = aims(battle, *table.aims, deciders=(ASK, *Policy)).policies
        self.seed = MachineDice(seed).seed
        self.now = Moment(begin(battle), script)
        self.before: list[Moment] = []

    def play(self) -> Play:
        """Play to the end; what the script has left then is refused."""
        while (question := self.now.playing.question) is not None:
            answer, script = self.now.script.next_for(question)
            if answer is not None:
                self.now = replace(self.now, playing=script.answer(self.now.playing, answer), script=script)
            elif isinstance(question, Roll) and self.table.machine_rolls:
                self.now = self._rolled(question)
            elif isinstance(question, Choose) and not self.table.asks(self._side(question)):
                self.now = self._decided(question)
            else:
                self.now = self._asked()
        self.now.script.refuse_leftovers()
        return self.now.playing

    @property
    def seed_used(self) -> str | None:
        """The seed, if the machine has rolled any dice."""
        return self.seed if self.now.draws else None

    def _side(self, question: Choose) -> Role:
        return self.battle.system.role_of(self.battle.setup, question.by)

    def _rolled(self, question: Roll) -> Moment:
        dice = MachineDice(self.seed, self.now.draws)
        fell = Rolled(dice.roll_all(question.reading), machine=True)
        return replace(self.now, playing=self.now.playing.answer(fell), draws=dice.draws)

    def _decided(self, question: Choose) -> Moment:
        whims = MachineDice(f"{self.seed} decisions", self.now.whims)
        policy = self.policies[self._side(question)]
        with Working("positions"):
            taken = decided(self.now.playing, question, policy, whims, *self.table.aims)
        return replace(self.now, playing=self.now.playing.answer(taken), whims=whims.draws)

    def _asked(self) -> Moment:
        """Ask a person. Taking back goes to the last question that a person answered, dice and all."""
        answered = self.person(self.now.playing, bool(self.before))
        if answered is None:
            return self.before.pop()
        self.before.append(self.now)
        return replace(self.now, playing=answered)


def nobody(playing: Play, can_take_back: bool) -> Play | None:
    """In place of a person when there is no terminal to ask on: an answer that is missing is refused."""
    question = playing.question
    assert question is not None
    machine = "roll (--dice machine)" if isinstance(question, Roll) else "decide (--attacker best --defender best)"
    raise Refused(f"no answer: {asked(question)}. Give it with --script, or let the machine {machine}")
