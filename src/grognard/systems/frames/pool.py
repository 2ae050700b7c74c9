"""The pool of dice of a frame: what is rolled, and which dice can be assigned to which task."""

from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from grognard.core.readings import Die, Pool, d
from grognard.core.rules import Option
from grognard.readings.highest import Group, Highest
from grognard.readings.mapped import Mapped
from grognard.systems.frames.loadout import Kind, Loadout, has_sprint_die
from grognard.systems.frames.table import Range


class Colour(StrEnum):
    """A die's colour by its letter, as the chapter writes B5 or R3; a rocket's red die is spent."""

    WHITE = "W"
    BLUE = "B"
    GREEN = "G"
    YELLOW = "Y"
    RED = "R"
    ROCKET = "rocket "


class ShownDie(NamedTuple):
    """A rolled die: its colour and what it shows."""

    colour: Colour
    value: int

    @property
    def option(self) -> "Option[ShownDie]":
        """The die as an answer."""
        return Option(f"{self.colour}{self.value}", f"{self.colour.name.lower()} {self.value}", self)


NO_DIE = Option("none", "no die", ShownDie(Colour.WHITE, 0))


class UsableDice(NamedTuple):
    """The white dice, high to low, and the highest die of each other colour, 0 if there is none.

    A frame assigns at most one die of a colour. Lower dice matter only if more damage dice may be worse: then `lower`
    has the lower dice for the attack, or for the defense of a target.
    """

    white: tuple[int, ...]
    blue: int
    green: int = 0
    yellow: int = 0
    red: int = 0
    rocket: int = 0
    lower: tuple[ShownDie, ...] = ()

    def without(self, die: ShownDie) -> "UsableDice":
        """The dice left once this one is assigned. Only white dice are removed: of a colour only one is ever used."""
        if die.colour is not Colour.WHITE or not die.value:
            return self
        left = list(self.white)
        left.remove(die.value)
        return self._replace(white=tuple(left))


def usable_dice(rolled: tuple[tuple[int, ...], ...]) -> UsableDice:
    """The usable dice of a roll in groups; the last group cannot be used."""
    white, blue, *colours = rolled[:-1]
    green, yellow, red, rocket = (max(dice, default=0) for dice in colours)
    pool = UsableDice(white, max(blue, default=0), green, yellow, red, rocket)
    return pool._replace(rocket=1) if 1 < pool.rocket <= pool.red else pool  # such a rocket is never the attack


def with_lower_attacks(rolled: tuple[tuple[int, ...], ...]) -> UsableDice:
    """The usable dice, with every red die and every rocket."""
    white, blue, green, yellow, red, rocket = rolled[:-1]
    lower = (
        *(ShownDie(Colour.RED, value) for value in red[1:]),
        *(ShownDie(Colour.ROCKET, value) for value in rocket[1:]),
    )
    return usable_dice((white, blue, green, yellow, red, (), ()))._replace(rocket=max(rocket, default=0), lower=lower)


def with_lower_defenses(rolled: tuple[tuple[int, ...], ...]) -> UsableDice:
    """Every different die that can be the defense."""
    white, blue, _ = rolled
    lower = tuple(ShownDie(Colour.BLUE, value) for value in blue[1:])
    return UsableDice(tuple(dict.fromkeys(white)), max(blue, default=0), lower=lower)


def usable_defenses(rolled: tuple[tuple[int, ...], ...]) -> UsableDice:
    """The dice that can matter to the defense: the best blue one, and each different white one that shows more."""
    white, blue, _ = rolled
    best = max(blue, default=0)
    return UsableDice(tuple(dict.fromkeys(value for value in white if value > best)), best)


@lru_cache(maxsize=4096)
def dice_options(
    own: ShownDie,
    white: tuple[int, ...],
    rocket: int = 0,
    *,
    or_none: bool = False,
    lower: tuple[ShownDie, ...] | None = None,
) -> tuple[Option[ShownDie], ...]:
    """The options for one task: the frame's own die of its colour, and each other die that shows more, highest first.

    White dice stand for any colour. A die that shows no more than the frame's own is useless, unless less may be
    better: with `lower` every different die is an option.
    """
    least = own.value if lower is None else 0
    others = [ShownDie(Colour.ROCKET, rocket), *(ShownDie(Colour.WHITE, value) for value in white), *(lower or ())]
    dice = list(dict.fromkeys(die for die in (own, *others) if die.value > least or (die is own and own.value)))
    dice.sort(key=lambda die: -die.value)
    return (*(die.option for die in dice), *([NO_DIE] if or_none else []))


@cache
def pool_of(frame: Loadout, at: Range, lower: bool = False) -> Mapped[tuple[tuple[int, ...], ...], UsableDice]:
    """The roll of all dice of a frame, its rockets only at direct range. Weapons of other ranges are not read.

    With `lower`, every die that may be the attack is read, not only the highest.
    """
    kinds = frame.systems
    red, rockets = _red(kinds, at), _dice(frame.rockets if at is Range.DIRECT else 0, "red rocket", 8)
    groups = (
        *_white_and_blue(frame),
        Group(1, _green(kinds)),
        Group(1, _dice(kinds.count(Kind.SPOTTING), "yellow", 6)),
        *(Group(_number(dice) if lower else 1, dice) for dice in (red, rockets)),
        Group(0, tuple(die for other in Range if other is not at for die in _red(kinds, other))),
    )
    return Mapped(Highest(groups), with_lower_attacks if lower else usable_dice)


@cache
def pool_under_attack(frame: Loadout, lower: bool = False) -> Mapped[tuple[tuple[int, ...], ...], UsableDice]:
    """The roll of all dice of a frame that is attacked before its turn. Only possible defense dice are read.

    With `lower`, each of these is read, not only the highest blue one.
    """
    kinds = frame.systems
    others = (
        *_green(kinds),
        *_dice(kinds.count(Kind.SPOTTING), "yellow", 6),
        *(die for other in Range for die in _red(kinds, other)),
    )
    groups = (*_white_and_blue(frame, lower), Group(0, others))
    return Mapped(Highest(groups), with_lower_defenses if lower else usable_defenses)


def _white_and_blue(frame: Loadout, lower: bool = False) -> tuple[Group, Group]:
    blue = frame.systems.count(Kind.DEFENSE)
    return Group(frame.white, _dice(frame.white, "white", 6)), Group(blue if lower else 1, _dice(blue, "blue", 6))


def _number(dice: tuple[Pool, ...]) -> int:
    return sum(pool.count for pool in dice)


def _green(kinds: tuple[Kind, ...]) -> tuple[Pool, ...]:
    return _dice(kinds.count(Kind.MOVEMENT), "green", 6) + _dice(int(has_sprint_die(kinds)), "green", 8)


def _red(kinds: tuple[Kind, ...], at: Range) -> tuple[Pool, ...]:
    """Two d6 for one weapon system of a range, and a d8 more for two."""
    weapons = kinds.count(Kind(at))
    return _dice(2 * (weapons > 0), f"red {at}", 6) + _dice(int(weapons > 1), f"red {at}", 8)


def _dice(count: int, name: str, faces: int) -> tuple[Pool, ...]:
    return (Pool(count, Die(f"{name} d{faces}", d(faces).faces)),) if count else ()
