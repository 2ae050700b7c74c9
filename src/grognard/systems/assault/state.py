"""The state of an attack: its step in the sequence, the dice that both sides gather, and the target's condition.

Between two attacks of a turn: the state of all units, and the command cards and command points that are left.
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
    """The status of a unit."""

    NONE = "none"
    SUPPRESSED = "suppressed"
    FALLBACK = "fallback"
    ELIMINATED = "eliminated"


class Origin(StrEnum):
    """The origin of a die or a Suppression."""

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


class GatheredDice(NamedTuple):
    """Dice of one colour in a pool, with their origin."""

    colour: Colour
    origin: Origin
    number: int


class LooseDice(NamedTuple):
    """Dice on the table that may be rolled again: their colour, the face they show, and their number."""

    colour: Colour
    face: str
    number: int


class Hand(NamedTuple):
    """The dice that one side will roll, and the Suppressions that will be added to its symbols or removed."""

    dice: tuple[GatheredDice, ...] = ()
    x: tuple[tuple[Origin, int], ...] = ()

    @property
    def added_x(self) -> int:
        """The number of Suppressions added in all; below 0, removed."""
        return sum(count for _, count in self.x)

    @property
    def counts(self) -> dict[Colour, int]:
        """The number of dice of each colour, strong to weak."""
        totals = dict.fromkeys(COLOURS, 0)
        for colour, _, count in self.dice:
            totals[colour] += count
        return {colour: count for colour, count in totals.items() if count}

    def with_dice(self, dice: Iterable[Colour], origin: Origin) -> "Hand":
        """The hand with these dice added."""
        gained = Counter(dice)
        more = (GatheredDice(colour, origin, gained[colour]) for colour in COLOURS if gained[colour])
        return self._replace(dice=(*self.dice, *more))

    def without_dice(self, colours: Iterable[Colour]) -> "Hand":
        """The hand without dice of these colours, as far as it has any; the last added are lost first."""
        lost = Counter(colours)
        dice: list[GatheredDice] = []
        for dice_of_colour in reversed(self.dice):
            taken = min(dice_of_colour.number, lost[dice_of_colour.colour])
            lost[dice_of_colour.colour] -= taken
            if dice_of_colour.number > taken:
                dice.append(dice_of_colour._replace(number=dice_of_colour.number - taken))
        return self._replace(dice=tuple(reversed(dice)))

    def without_weakest(self, number: int, keep: int = 0) -> "Hand":
        """The hand without this number of its weakest dice, but with at least `keep` dice."""
        weak_to_strong = [colour for colour, count in reversed(self.counts.items()) for _ in range(count)]
        return self.without_dice(weak_to_strong[: max(0, min(number, len(weak_to_strong) - keep))])

    def with_x(self, origin: Origin, count: int = 1) -> "Hand":
        """The hand with this number of additional Suppressions."""
        return self._replace(x=(*self.x, (origin, count)))

    def limited_to(self, counts: dict[Colour, int]) -> "Hand":
        """The hand with only these numbers of dice of each colour."""
        return self.without_dice(
            colour for colour, count in self.counts.items() for _ in range(count - counts.get(colour, 0))
        )


class Condition(NamedTuple):
    """The damage and status of a unit."""

    damage: int
    status: Status
    immobilized: bool
    at: Tile | None

    @classmethod
    def of(cls, unit: Unit) -> "Condition":
        return cls(unit.damage, Status(unit.status), unit.immobilized, unit.at)

    @property
    def is_eliminated(self) -> bool:
        """Whether the unit is gone."""
        return self.status is Status.ELIMINATED


MARKS = ("digging_in", "dug_in", "hiding", "hidden", "ambush", "activated", "fired_this_turn")
"""The marks of a unit that an attack can set or clear."""


class UnitState(NamedTuple):
    """A unit between two attacks of a turn."""

    condition: Condition
    marks: tuple[str, ...]
    """Those of MARKS that it has."""

    @classmethod
    def of(cls, unit: Unit) -> "UnitState":
        """The state of a unit in the file."""
        return cls(Condition.of(unit), tuple(mark for mark in MARKS if getattr(unit, mark)))


class TurnState(NamedTuple):
    """Everything that a turn can change, between two of its attacks."""

    units: tuple[UnitState, ...]
    """In the file's order."""
    cards: tuple[bool, ...]
    """Whether each command card of the file is still held."""
    points: int | None
    """The command points that the turn's side has left, if it plays with them."""


@dataclass(frozen=True, slots=True)
class TurnAttack:
    """An attack of a turn that is being resolved."""

    before: TurnState
    attack: Attack
    setup: Setup = field(compare=False, repr=False)
    """The set-up before the attack, with this attack declared."""
    then: Rule[Any, ...] = field(compare=False, repr=False)
    """The rule with which the turn continues."""
    number: int = field(init=False, compare=False, repr=False)
    """Its hash, computed once."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "number", hash(self.before))

    def __hash__(self) -> int:
        return self.number

    def __reduce__(self) -> tuple[object, ...]:
        return TurnAttack, (self.before, self.attack, self.setup, self.then)


class State(NamedTuple):
    """The target, the command cards played, and, until the comparison, everything that was gathered."""

    target: Condition
    step: str = STEPS[0]
    """The step of the player's aid that is next."""
    played: tuple[int, ...] = ()
    """The indices of the command cards that were played."""
    points: int | None = None
    """The command points that the attacking side has left, once it has spent one."""
    has_fired: bool = False
    """Whether the attacker is marked with its fire status."""
    facts: Facts | None = None
    spotted: bool | None = None
    """None: not determined yet."""
    attack: Hand = Hand()
    defense: Hand = Hand()
    is_sorted: bool = False
    """Indirect fire on a vehicle: whether the dice of its first roll are sorted."""
    stronger_only: bool = False
    """Whether a double success of the attack counts its stronger symbol only."""
    symbols: Symbols | None = None
    """The attack symbols on the table; after the defence roll, those that are left."""
    loose: tuple[LooseDice, ...] = ()
    """Dice of the last roll that may still be rolled again, so that their symbols are not counted yet."""
    turn_attack: TurnAttack | None = None
    """In a turn: the attack that is being resolved."""

    @property
    def known_facts(self) -> Facts:
        """The facts, once they are known."""
        assert self.facts
        return self.facts

    @property
    def attack_symbols(self) -> Symbols:
        """The attack symbols on the table, if any."""
        return self.symbols or NO_SYMBOLS

    def hand(self, pool: PoolName) -> Hand:
        """The dice of one side."""
        return self.attack if pool is PoolName.ATTACK else self.defense

    def with_hand(self, pool: PoolName, hand: Hand) -> "State":
        """The state with other dice for one side."""
        return self._replace(attack=hand) if pool is PoolName.ATTACK else self._replace(defense=hand)

    def after_comparison(self) -> "State":
        """The state after the comparison, without dice and the facts behind them."""
        return State(self.target, STEPS[-1], self.played, self.points, has_fired=True, turn_attack=self.turn_attack)


P = ParamSpec("P")


def rule(paragraph: str) -> Callable[[Callable[Concatenate[Setup, State, P], Steps | Next]], Rule[Any, ...]]:
    """Mark a function as a rule of a single attack: in a turn, its set-up is that of the attack."""

    def mark(function: Callable[Concatenate[Setup, State, P], Steps | Next]) -> Rule[Any, ...]:
        @wraps(function)
        def rule_in_attack(setup: Setup, state: State, *args: P.args, **kwargs: P.kwargs) -> Steps | Next:
            return function(state.turn_attack.setup if state.turn_attack else setup, state, *args, **kwargs)

        return core_rule(paragraph)(rule_in_attack)

    return mark


def end_attack(state: State) -> Next:
    return Then(state.turn_attack.then, state) if state.turn_attack else End(state)


def relevant(setup: Setup, state: State | TurnState) -> State | TurnState:
    """The state without the command cards played, once the dice of a single attack are compared."""
    if not isinstance(state, State) or state.turn_attack or not state.played or state.step != STEPS[-1]:
        return state
    return state._replace(played=())


def is_by_hand(setup: Setup, pool: PoolName) -> bool:
    """Whether the players have gathered these dice by hand, so that none is added or lost any more."""
    return (setup.declared.dice if pool is PoolName.ATTACK else setup.declared.defense) is not None


def gain(setup: Setup, state: State, pool: PoolName, dice: str | Iterable[Colour], origin: Origin) -> State:
    """The state with more dice, unless the dice are gathered by hand."""
    if not dice or is_by_hand(setup, pool):
        return state
    colours = parse_dice(dice) if isinstance(dice, str) else dice
    return state.with_hand(pool, state.hand(pool).with_dice(colours, origin))


def lose_weakest(setup: Setup, state: State, pool: PoolName, number: int, keep: int = 0) -> State:
    """The state without this number of the weakest dice, unless the dice are gathered by hand."""
    if is_by_hand(setup, pool):
        return state
    return state.with_hand(pool, state.hand(pool).without_weakest(number, keep))


def pools(setup: Setup, counts: dict[Colour, int]) -> tuple[Pool, ...]:
    """The pools with these numbers of dice of each colour."""
    return tuple(Pool(count, die(setup, colour)) for colour, count in counts.items())


def rollers(unit: Unit, dice: tuple[Pool, ...]) -> tuple[Roller, ...]:
    return (Roller(unit.id, unit.side),) * len(dice)


Applies = Callable[[Setup, State], bool]
"""Whether a step applies in a state."""


def always(setup: Setup, state: State) -> bool:
    """True: for a step that is never skipped."""
    return True


class Sequence:
    """Steps in order, each with its first rule and the condition under which it applies."""

    def __init__(self, *steps: tuple[str, Rule[Any, ...], Applies]) -> None:
        self.steps = steps
        self.rules = tuple(rule for _, rule, _ in steps)
        self.places = {step: place for place, (step, _, _) in enumerate(steps)}

    def after(self, setup: Setup, state: State) -> Then[Any, ...]:
        """Continue with the next step that applies; the last step always does."""
        step, rule, _ = next(step for step in self.steps[self.places[state.step] + 1 :] if step[2](setup, state))
        return Then(rule, state._replace(step=step))
