"""The course of a battle: how it stands after everything that was done in it. A frozen value, made of the entries."""

from dataclasses import dataclass, field, replace

from grognard.core.rules import Choose, Roll
from grognard.core.systems import Battle
from grognard.plays.answers import Chosen, Rolled, answer_from
from grognard.plays.fair import FairDice
from grognard.plays.play import Play, begin
from grognard.server.live.keys import Role
from grognard.server.live.records import Entry


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision that can still be taken back: who made it, and the play before it."""

    who: Role
    before: Play


@dataclass(frozen=True, slots=True)
class Course:
    """How a battle stands."""

    play: Play
    entries: int = 0
    """How many have led here."""
    number: int = 1
    """Of the question that is due. It grows with every answer and every taking back, so that it names one moment."""
    decisions: tuple[Decision, ...] = ()
    """Those since the last die, or since the start."""
    numbers: dict[Role, str] = field(default_factory=dict)
    """What the players added to the fair dice."""
    draws: int = 0
    """How far the fair dice are."""
    next: str | None = None
    """The battle that follows at the same table."""

    @property
    def is_over(self) -> bool:
        """Whether nothing is asked any more."""
        return self.play.question is None

    @property
    def has_rolled(self) -> bool:
        """Whether a die has fallen."""
        return any(isinstance(move.answer, Rolled) for move in self.play.moves)

    def can_answer(self, role: Role) -> bool:
        """Whether the question that is due is theirs to answer. Dice are rolled by either player."""
        question, battle = self.play.question, self.play.battle
        if isinstance(question, Choose):
            return role == battle.system.role_of(battle.setup, question.by).value
        return isinstance(question, Roll) and role is not Role.SPECTATOR

    def can_undo(self, role: Role) -> bool:
        """Whether the last answer was their decision. Once the battle is over, the secret is out and all is final."""
        return not self.is_over and bool(self.decisions) and self.decisions[-1].who is role

    def fair_dice(self, secret: bytes) -> FairDice:
        """The dice that follow from the secret and the players' numbers."""
        attacker, defender = (self.numbers.get(role, "") for role in (Role.ATTACKER, Role.DEFENDER))
        return FairDice(secret, attacker, defender)

    def after(self, entry: Entry) -> "Course":
        """How it stands after one more entry."""
        course = replace(self, entries=entry.number)
        match entry.what:
            case {"number": str(text)}:
                return replace(course, numbers={**self.numbers, entry.who: text})
            case {"next": str(battle)}:
                return replace(course, next=battle)
            case {"undo": True}:
                *earlier, last = self.decisions
                return replace(course, play=last.before, number=self.number + 1, decisions=tuple(earlier))
            case {"roll": [*faces], "draws": int(draws)}:
                rolled = self.play.answer(Rolled(tuple(faces), machine=True))
                return replace(course, play=rolled, number=self.number + 1, decisions=(), draws=draws)
        answer = answer_from(entry.what)
        kept = (*self.decisions, Decision(entry.who, self.play)) if isinstance(answer, Chosen) else ()
        return replace(course, play=self.play.answer(answer), number=self.number + 1, decisions=kept)


def begin_course(battle: Battle) -> Course:
    """A battle in which nothing was done yet."""
    return Course(begin(battle))
