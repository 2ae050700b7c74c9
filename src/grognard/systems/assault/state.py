"""What changes in an attack: where in the sequence it is, the dice that both sides gather, and how the target fares.

Between two attacks of a turn: how all units stand, and the command cards and command points that are left.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec

from grognard.board.tiles import Tile
from grognard.core.readings import Pool
from grognard.core.rules import End, Next, Roller, Rule, Steps, Then
from grognard.core.rules import rule as core_rule
from grognard.readings.symbols import NO_SYMBOLS, Symbols
from grognard.systems.assault.data import die
from grognard.systems.assault.facts import Facts
from grognard.systems.assault.figures import COLOURS, Colour, PoolName, parse_dice
from grognard.systems.assault.setup import Attack, Setup, Unit

STEPS = (*(f"attack {number}.0" for number in range(1, 11)), *(f"defence {number}.0" for number in range(1, 10)))
"""The player's aid: the attack sequence, then the defence sequence."""


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


class Gathered(NamedTuple):
    """Dice of one colour in a pool, and where they come from."""

    colour: Colour
    origin: Origin
    number: int


class Loose(NamedTuple):
    """Dice on the table that may be rolled again: their colour, the face that they show, how many they are."""

    colour: Colour
    face: str
    number: int


class Hand(NamedTuple):
    """What one side is going to roll, and the Suppressions that will be added to its symbols, or taken from them."""

    dice: tuple[Gathered, ...] = ()
    x: tuple[tuple[Origin, int], ...] = ()

    @property
    def added_x(self) -> int:
        """How many Suppressions are added in all; below 0, taken away."""
        return sum(count for _, count in self.x)

    @property
    def counts(self) -> dict[Colour, int]:
        """How many dice of each colour, strong to weak."""
        totals = dict.fromkeys(COLOURS, 0)
        for colour, _, count in self.dice:
            totals[colour] += count
        return {colour: count for colour, count in totals.items() if count}

    def gaining(self, dice: Iterable[Colour], origin: Origin) -> "Hand":
        """With these dice more."""
        gained = Counter(dice)
        more = (Gathered(colour, origin, gained[colour]) for colour in COLOURS if gained[colour])
        return self._replace(dice=(*self.dice, *more))

    def losing(self, colours: Iterable[Colour]) -> "Hand":
        """Without dice of these colours, as far as there are any; those that came last go first."""
        lost = Counter(colours)
        dice: list[Gathered] = []
        for dice_of_colour in reversed(self.dice):
            taken = min(dice_of_colour.number, lost[dice_of_colour.colour])
            lost[dice_of_colour.colour] -= taken
            if dice_of_colour.number > taken:
                dice.append(dice_of_colour._replace(number=dice_of_colour.number - taken))
        return self._replace(dice=tuple(reversed(dice)))

    def losing_weakest(self, number: int, keep: int = 0) -> "Hand":
        """Without this number of the weakest dice, though some must be kept."""
        weak_to_strong = [colour for colour, count in reversed(self.counts.items()) for _ in range(count)]
        return self.losing(weak_to_strong[: max(0, min(number, len(weak_to_strong) - keep))])

    def adding_x(self, origin: Origin, count: int = 1) -> "Hand":
        """With this number of additional Suppressions."""
        return self._replace(x=(*self.x, (origin, count)))

    def keeping(self, counts: dict[Colour, int]) -> "Hand":
        """With only these numbers of dice of each colour."""
        return self.losing(
            colour for colour, count in self.counts.items() for _ in range(count - counts.get(colour, 0))
        )


class Condition(NamedTuple):
    """How a unit fares."""

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


MARKS = ("digging_in", "dug_in", "hiding", "hidden", "ambush", "activated", "fired_this_turn")
"""The marks of a unit that an attack can set or take."""


class Standing(NamedTuple):
    """A unit between two attacks of a turn."""

    condition: Condition
    marks: tuple[str, ...]
    """Those of MARKS that it has."""

    @classmethod
    def of(cls, unit: Unit) -> "Standing":
        """A unit as the file has it."""
        return cls(Condition.of(unit), tuple(mark for mark in MARKS if getattr(unit, mark)))


class Standings(NamedTuple):
    """Everything that a turn can change, between two of its attacks."""

    units: tuple[Standing, ...]
    """In the file's order."""
    cards: tuple[int, ...]
    """The command cards that have not been played yet, by their number in the file."""
    points: int | None
    """Command points that the side whose turn it is has left, if it plays with them."""


@dataclass(frozen=True, slots=True)
class Stage:
    """An attack of a turn that is being resolved."""

    before: Standings
    attack: Attack
    setup: Setup = field(compare=False, repr=False)
    """The file as it stood before the attack, with this attack in it."""
    then: Rule[Any, ...] = field(compare=False, repr=False)
    """The rule with which the turn goes on."""
    number: int = field(init=False, compare=False, repr=False)
    """Its hash, computed once."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", hash(self.before))

    def __hash__(self) -> int:
        return self.number

    def __reduce__(self) -> tuple[object, ...]:
        return Stage, (self.before, self.attack, self.setup, self.then)


class State(NamedTuple):
    """The target, the command cards played, and until the dice are compared all that is gathered."""

    target: Condition
    step: str = STEPS[0]
    """The step of the player's aid that is next."""
    played: tuple[int, ...] = ()
    """The command cards that were played, by their number in the file."""
    points: int | None = None
    """Command points that the attacking side has left, once it has spent one."""
    has_fired: bool = False
    """Whether the attacker is marked with its fire status."""
    facts: Facts | None = None
    spotted: bool | None = None
    """None: it has not been determined yet."""
    attack: Hand = Hand()
    defense: Hand = Hand()
    is_sorted: bool = False
    """Indirect fire on a vehicle: whether the dice of its first roll are sorted."""
    stronger_only: bool = False
    """Whether a double success of the attack counts its stronger symbol only."""
    symbols: Symbols | None = None
    """The attack symbols on the table; once the defence dice are rolled, those that are left."""
    loose: tuple[Loose, ...] = ()
    """Dice of the last roll that may still be rolled again, and so are not counted yet."""
    stage: Stage | None = None
    """In a turn: the attack that is being resolved."""

    @property
    def known(self) -> Facts:
        """The facts, once they are known."""
        assert self.facts
        return self.facts

    @property
    def on_table(self) -> Symbols:
        """The attack symbols on the table, once there are any."""
        return self.symbols or NO_SYMBOLS

    def hand(self, pool: PoolName) -> Hand:
        """The dice of one side."""
        return self.attack if pool is PoolName.ATTACK else self.defense

    def with_hand(self, pool: PoolName, hand: Hand) -> "State":
        """Other dice for one side."""
        return self._replace(attack=hand) if pool is PoolName.ATTACK else self._replace(defense=hand)

    def compared(self) -> "State":
        """The dice are off the table, and with them all that they came from."""
        return State(self.target, STEPS[-1], self.played, self.points, has_fired=True, stage=self.stage)


P = ParamSpec("P")


def rule(paragraph: str) -> Callable[[Callable[Concatenate[Setup, State, P], Steps | Next]], Rule[Any, ...]]:
    """Mark a rule that is about a single attack: in a turn it sees the file as it stands, with that attack in it."""

    def mark(function: Callable[Concatenate[Setup, State, P], Steps | Next]) -> Rule[Any, ...]:
        @wraps(function)
        def seen(setup: Setup, state: State, *args: P.args, **kwargs: P.kwargs) -> Steps | Next:
            return function(state.stage.setup if state.stage else setup, state, *args, **kwargs)

        return core_rule(paragraph)(seen)

    return mark


def end_attack(state: State) -> Next:
    """The attack is over; in a turn another may follow."""
    return Then(state.stage.then, state) if state.stage else End(state)


def is_by_hand(setup: Setup, pool: PoolName) -> bool:
    """Whether the players have gathered these dice themselves: none is added to them or lost any more."""
    return (setup.declared.dice if pool is PoolName.ATTACK else setup.declared.defense) is not None


def gain(setup: Setup, state: State, pool: PoolName, dice: str | Iterable[Colour], origin: Origin) -> State:
    """Add dice, by their letters or their colours, unless these are gathered by hand."""
    if not dice or is_by_hand(setup, pool):
        return state
    colours = parse_dice(dice) if isinstance(dice, str) else dice
    return state.with_hand(pool, state.hand(pool).gaining(colours, origin))


def lose_weakest(setup: Setup, state: State, pool: PoolName, number: int, keep: int = 0) -> State:
    """Take away this number of the weakest dice, unless the dice are gathered by hand."""
    if is_by_hand(setup, pool):
        return state
    return state.with_hand(pool, state.hand(pool).losing_weakest(number, keep))


def pools(setup: Setup, counts: dict[Colour, int]) -> tuple[Pool, ...]:
    """These numbers of dice of each colour, as they are rolled."""
    return tuple(Pool(count, die(setup, colour)) for colour, count in counts.items())


def rollers(unit: Unit, dice: tuple[Pool, ...]) -> tuple[Roller, ...]:
    """Who rolls each pool."""
    return (Roller(unit.id, unit.side),) * len(dice)


Applies = Callable[[Setup, State], bool]
"""Whether something happens in a step."""


class Sequence:
    """Steps in order, each with its first rule."""

    def __init__(self, *steps: tuple[str, Rule[Any, ...], Applies]) -> None:
        self.steps = steps
        self.rules = tuple(rule for _, rule, _ in steps)
        self.places = {step: place for place, (step, _, _) in enumerate(steps)}

    def after(self, setup: Setup, state: State) -> Then[Any, ...]:
        """Go on with the next step in which something happens; the last step always applies."""
        step, rule, _ = next(step for step in self.steps[self.places[state.step] + 1 :] if step[2](setup, state))
        return Then(rule, state._replace(step=step))
