"""The frame's turn, from the roll of its pool to its attack. The chapter begins where these rules end."""

from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from grognard.core.readings import Die, Pool, d
from grognard.core.rules import Next, Option, Roller, Steps, Then, choose, roll, rule
from grognard.readings.highest import Group, Highest
from grognard.readings.mapped import Mapped
from grognard.systems.frames.loadout import Kind, Loadout, sprints
from grognard.systems.frames.rules import is_in_reach, place_spot, use_spot
from grognard.systems.frames.setup import NOT_YET, Frame, Setup
from grognard.systems.frames.state import State
from grognard.systems.frames.table import Range

# The pool of dice: what is rolled, and which of the dice can be set down for what


class Colour(StrEnum):
    """A die's colour by its letter, as the chapter writes B5 or R3; a rocket's red die is spent."""

    WHITE = "W"
    BLUE = "B"
    GREEN = "G"
    YELLOW = "Y"
    RED = "R"
    ROCKET = "rocket "


class Shown(NamedTuple):
    """A die by its colour and what it shows."""

    colour: Colour
    value: int

    @property
    def option(self) -> "Option[Shown]":
        """The die as an answer."""
        return Option(f"{self.colour}{self.value}", f"{self.colour.name.lower()} {self.value}", self)


NO_DIE = Option("none", "no die", Shown(Colour.WHITE, 0))


class UsableDice(NamedTuple):
    """The white dice, high to low, and the highest die of each colour, 0 where there is none.

    A frame sets down at most one die of a colour, so that the lower ones of a colour never matter.
    """

    white: tuple[int, ...]
    blue: int
    green: int = 0
    yellow: int = 0
    red: int = 0
    rocket: int = 0

    def without(self, die: Shown) -> "UsableDice":
        """A white die that is set down cannot be set down again; of a colour only one die is ever used."""
        if die.colour is not Colour.WHITE or not die.value:
            return self
        left = list(self.white)
        left.remove(die.value)
        return self._replace(white=tuple(left))


def whole(rolled: tuple[tuple[int, ...], ...]) -> UsableDice:
    """The pool from its groups, the last of which is the dice that cannot be used."""
    white, *colours = rolled[:-1]
    return UsableDice(white, *(dice[0] if dice else 0 for dice in colours))


def for_defense(rolled: tuple[tuple[int, ...], ...]) -> UsableDice:
    """Only what can matter to the defense: the blue die, and each different white one that shows more."""
    pool = whole(rolled)
    return UsableDice(tuple(dict.fromkeys(value for value in pool.white if value > pool.blue)), pool.blue)


@lru_cache(maxsize=4096)
def offers(own: Shown, white: tuple[int, ...], rocket: int = 0, *, or_none: bool = False) -> tuple[Option[Shown], ...]:
    """The frame's own die for something, and each other die that shows more, the highest first.

    White dice stand for any colour. A die that shows no more than the frame's own gains nothing.
    """
    others = [Shown(Colour.ROCKET, rocket), *(Shown(Colour.WHITE, value) for value in white)]
    dice = [*([own] if own.value else []), *dict.fromkeys(die for die in others if die.value > own.value)]
    dice.sort(key=lambda die: -die.value)
    return (*(die.option for die in dice), *([NO_DIE] if or_none else []))


@cache
def pool_of(frame: Loadout, at: Range) -> Mapped[tuple[tuple[int, ...], ...], UsableDice]:
    """All dice of a frame, its rockets only at direct range. Weapons of other ranges are rolled and not read."""
    kinds = frame.systems
    rockets = frame.rockets if at is Range.DIRECT else 0
    groups = (
        *_white_and_blue(frame),
        Group(1, _green(kinds)),
        Group(1, _dice(kinds.count(Kind.SPOTTING), "yellow", 6)),
        Group(1, _red(kinds, at)),
        Group(1, _dice(rockets, "red rocket", 8)),
        Group(0, tuple(die for other in Range if other is not at for die in _red(kinds, other))),
    )
    return Mapped(Highest(groups), whole)


@cache
def pool_under_attack(frame: Loadout) -> Mapped[tuple[tuple[int, ...], ...], UsableDice]:
    """All dice of a frame that is attacked before its turn; only those that can be its defense are read."""
    kinds = frame.systems
    others = (
        *_green(kinds),
        *_dice(kinds.count(Kind.SPOTTING), "yellow", 6),
        *(die for other in Range for die in _red(kinds, other)),
    )
    return Mapped(Highest((*_white_and_blue(frame), Group(0, others))), for_defense)


def _white_and_blue(frame: Loadout) -> tuple[Group, Group]:
    blue = frame.systems.count(Kind.DEFENSE)
    return Group(frame.white, _dice(frame.white, "white", 6)), Group(1, _dice(blue, "blue", 6))


def _green(kinds: tuple[Kind, ...]) -> tuple[Pool, ...]:
    return _dice(kinds.count(Kind.MOVEMENT), "green", 6) + _dice(int(sprints(kinds)), "green", 8)


def _red(kinds: tuple[Kind, ...], at: Range) -> tuple[Pool, ...]:
    """Two d6 for one weapon system of a range; two of them add a d8."""
    weapons = kinds.count(Kind(at))
    return _dice(2 * (weapons > 0), f"red {at}", 6) + _dice(int(weapons > 1), f"red {at}", 8)


def _dice(count: int, name: str, faces: int) -> tuple[Pool, ...]:
    return (Pool(count, Die(f"{name} d{faces}", d(faces).faces)),) if count else ()


# The rules


@rule("The frame's turn: roll")
def roll_pool(setup: Setup, state: State) -> Steps:
    """Target and range are named; the frame rolls its whole pool. By a switch, rockets that are rolled are spent."""
    frame = setup.active
    assert setup.range is not None  # its absence is a fault
    reading = pool_of(frame.fit, setup.range)
    success = "one die is set as defense, and one each may be attack, move and spot"
    pool = yield from roll(reading, *rollers(frame, len(reading.dice)), purpose="Pool roll", success=success)
    if pool.rocket and setup.rules.rocket_spent == "when_rolled":
        state = state.with_frame(setup.by, state.frames[setup.by]._replace(rockets=0))
    return Then(set_defense, state, pool)


def rollers(frame: Frame, pools: int) -> list[Roller]:
    """The frame rolls each of its pools for its player."""
    return [Roller(frame.id, frame.player)] * pools


@rule("The frame's turn: defense")
def set_defense(setup: Setup, state: State, pool: UsableDice) -> Steps:
    """One die is set as defense: a blue one, or a white one that shows more."""
    frame = setup.active
    options = offers(Shown(Colour.BLUE, pool.blue), pool.white)
    die = yield from choose(frame.player, f"Which die is the defense of {frame.id}?", options)
    state = state.with_frame(setup.by, state.frames[setup.by]._replace(defense=die.value))
    return Then(assign_attack, state, pool.without(die)._replace(blue=0))


@rule("The frame's turn: assign dice")
def assign_attack(setup: Setup, state: State, pool: UsableDice) -> Steps:
    """At most one die is the attack: a red one of the range, or a rocket or a white die that shows more."""
    frame = setup.active
    white = pool.white if can_attack_with_white(setup) else ()
    options = offers(Shown(Colour.RED, pool.red), white, pool.rocket, or_none=True)
    die = yield from choose(frame.player, f"Which die is the attack of {frame.id}?", options)
    if die.colour is Colour.ROCKET and setup.rules.rocket_spent == "when_assigned":
        state = state.with_frame(setup.by, state.frames[setup.by]._replace(rockets=frame.fit.rockets - 1))
    return Then(assign_move, state, die.value, pool.without(die)._replace(red=0, rocket=0))


def can_attack_with_white(setup: Setup) -> bool:
    """Hand to hand always; at any other range only beside a weapon system of it or, by a switch, beside a rocket."""
    frame, at = setup.active.fit, setup.range
    if at is None or at is Range.HAND or Kind(at) in frame.systems:
        return True
    return setup.rules.white_with_rocket_only and at is Range.DIRECT and frame.rockets > 0


@rule("The frame's turn: assign dice")
def assign_move(setup: Setup, state: State, attack: int, pool: UsableDice) -> Steps:
    """At most one die is the move: a green one, or a white one that shows more. Where it leads is seen on the table."""
    frame = setup.active
    options = offers(Shown(Colour.GREEN, pool.green), pool.white, or_none=not pool.green)
    die = yield from choose(frame.player, f"Which die is the move of {frame.id}?", options)
    return Then(assign_spot, state.with_turn(move=die.value), attack, pool.without(die)._replace(green=0))


@rule("The frame's turn: assign dice")
def assign_spot(setup: Setup, state: State, attack: int, pool: UsableDice) -> Steps:
    """At most one die is the spot: a yellow one, or a white one that shows more; none if the target is out of reach."""
    if not is_in_reach(setup):
        return Then(attack_target, state, attack)
    frame = setup.active
    options = offers(Shown(Colour.YELLOW, pool.yellow), pool.white, or_none=not pool.yellow)
    die = yield from choose(frame.player, f"Which die is the spot of {frame.id}?", options)
    return Then(attack_target, state.with_turn(spot=die.value), attack)


@rule("The frame's turn: attack")
def attack_target(setup: Setup, state: State, attack: int) -> Next:
    """The attack is resolved as the chapter says; a target that has not had its turn sets its defense first."""
    if not attack:
        return Then(place_spot, state)
    if setup.defense == NOT_YET:
        return Then(roll_under_attack, state, attack)
    return Then(use_spot, state, attack, int(setup.defense or 0), setup.spot or 0)


@rule("The frame's turn: a target that has not had its own")
def roll_under_attack(setup: Setup, state: State, attack: int) -> Steps:
    """It rolls its pool when it is attacked."""
    frame = setup.frames[setup.target]
    reading = pool_under_attack(frame.fit)
    success = "a blue die, or a white one that shows more, becomes the defense"
    pool = yield from roll(reading, *rollers(frame, len(reading.dice)), purpose="Defense roll", success=success)
    return Then(set_defense_under_attack, state, attack, pool)


@rule("The frame's turn: a target that has not had its own")
def set_defense_under_attack(setup: Setup, state: State, attack: int, pool: UsableDice) -> Steps:
    """Its owner sets one die as defense: a blue one, or a white one that shows more."""
    frame = setup.frames[setup.target]
    options = offers(Shown(Colour.BLUE, pool.blue), pool.white)
    die = yield from choose(frame.player, f"Which die is the defense of {frame.id}?", options)
    state = state.with_frame(setup.target, state.frames[setup.target]._replace(defense=die.value))
    return Then(use_spot, state, attack, die.value, setup.spot or 0)


RULES = (
    roll_pool,
    set_defense,
    assign_attack,
    assign_move,
    assign_spot,
    attack_target,
    roll_under_attack,
    set_defense_under_attack,
    place_spot,
)
