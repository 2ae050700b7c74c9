"""What changes in an attack: the dice that both sides gather, and how the target fares."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from grognard.board.tiles import Tile
from grognard.readings.pool_rolls import Thrown
from grognard.readings.symbols import NO_SYMBOLS, Symbols
from grognard.systems.assault.dice import Colour
from grognard.systems.assault.facts import Facts
from grognard.systems.assault.figures import PoolName
from grognard.systems.assault.setup import Fire, Unit


class Status(StrEnum):
    """How a unit is marked."""

    NONE = "none"
    SUPPRESSED = "suppressed"
    FALLBACK = "fallback"
    ELIMINATED = "eliminated"


class Origin(StrEnum):
    """Where a die or a Suppression comes from."""

    CARD = "card"
    BY_HAND = "gathered by hand"
    JOINT_FIRE = "joint fire"
    EXPERIENCE = "experience"
    RECRUIT = "recruit defender"
    AMBUSH = "fire from ambush"
    ABILITY = "special ability"
    COMMAND_CARD = "command card"
    TERRAIN = "terrain"
    HINDERED = "hindered line of sight"
    DUG_IN = "dug in"
    SUPPRESSED = "suppressed"
    HIDING = "hiding"
    FIRE_STATUS = "fire status"
    INDIRECT = "vehicle under indirect fire"


class Stage(StrEnum):
    """How far the dice of a side have come."""

    GATHERED = "gathered"
    SORTED = "sorted"
    ROLLED = "rolled"


class Gathered(NamedTuple):
    """A die in somebody's hand, and where it comes from."""

    colour: Colour
    origin: Origin


@dataclass(frozen=True, slots=True)
class Hand:
    """What one side is going to roll, and what will bear on its symbols.

    `again`: dice whose strongest symbol is one of these are rolled once more. `shown`: symbols of dice rolled already.
    """

    dice: tuple[Gathered, ...] = ()
    x: tuple[Origin, ...] = ()
    x_lost: int = 0
    cancelled: int = 0
    again: tuple[str, ...] = ()
    stronger_only: bool = False
    shown: Symbols = NO_SYMBOLS
    stage: Stage = Stage.GATHERED

    @property
    def added(self) -> Symbols:
        """Symbols that count whatever the dice still show."""
        return self.shown.plus(Symbols(suppression=len(self.x)))

    def counts(self) -> tuple[tuple[Colour, int], ...]:
        """How many dice of each colour, strong to weak."""
        colours = [die.colour for die in self.dice]
        return tuple((colour, colours.count(colour)) for colour in Colour if colour in colours)

    def gaining(self, dice: Iterable[Colour], origin: Origin) -> "Hand":
        """With these dice more."""
        return replace(self, dice=(*self.dice, *(Gathered(colour, origin) for colour in dice)))

    def losing(self, die: Gathered) -> "Hand":
        """Without this die."""
        dice = list(self.dice)
        dice.remove(die)
        return replace(self, dice=tuple(dice))

    def sorted(self, picked: tuple[int, ...]) -> "Hand":
        """With only so many dice of each colour; the others are set aside."""
        return replace(self, dice=self._kept(picked), stage=Stage.SORTED)

    def rolled(self, thrown: Thrown) -> "Hand":
        """With symbols on the table, and only the picked dice still to be rolled."""
        shown = self.shown.plus(thrown.symbols)
        return replace(self, dice=self._kept(thrown.picked), again=(), shown=shown, stage=Stage.ROLLED)

    def _kept(self, picked: tuple[int, ...]) -> tuple[Gathered, ...]:
        kept = zip(self.counts(), picked, strict=True)
        return tuple(die for (colour, _), n in kept for die in [die for die in self.dice if die.colour is colour][:n])


@dataclass(frozen=True, slots=True)
class Condition:
    """How the target fares."""

    damage: int
    status: Status
    immobilized: bool
    at: Tile | None

    @classmethod
    def of(cls, unit: Unit) -> "Condition":
        """A unit before the attack."""
        return cls(unit.damage, Status(unit.status), unit.immobilized, unit.at)

    @property
    def is_eliminated(self) -> bool:
        """Whether the unit is gone."""
        return self.status is Status.ELIMINATED


@dataclass(frozen=True, slots=True)
class State:
    """The target, the command cards played, and until the dice are compared all that is gathered."""

    target: Condition
    played: tuple[int, ...] = ()
    facts: Facts | None = None
    points: int | None = None
    """Command points that the attacking side has left, if it plays with them."""
    fire: Fire | None = None
    spotted: bool | None = None
    attack: Hand = Hand()
    defense: Hand = Hand()

    @property
    def known(self) -> Facts:
        """The facts, once they are known."""
        assert self.facts
        return self.facts

    def hand(self, pool: PoolName) -> Hand:
        """The dice of one side."""
        return self.attack if pool is PoolName.ATTACK else self.defense

    def with_hand(self, pool: PoolName, hand: Hand) -> "State":
        """Other dice for one side."""
        return replace(self, attack=hand) if pool is PoolName.ATTACK else replace(self, defense=hand)

    def compared(self) -> "State":
        """The dice are off the table, and with them all that they came from."""
        return State(self.target, self.played)
