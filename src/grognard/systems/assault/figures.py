"""The figures of the game, as data files give them: dice, cards, terrain, tables, faces, command cards.

Each figure has a mark for its source: M the main rules, T a transcription, O our own default. A figure of a user's
file has the mark "yours", unless the file gives another.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from grognard.board.sight import Obstruction
from grognard.core.fields import LARGEST, MOST_ENTRIES, AtLeast, AtMost, Count, Doc, Name, Positive

Names = Annotated[tuple[Name, ...], AtMost(MOST_ENTRIES)]
Signed = Annotated[int, AtLeast(-LARGEST), AtMost(LARGEST)]
DiceText = Annotated[str, AtLeast(0), AtMost(MOST_ENTRIES)]
"""Dice by their letters, such as "RRY"; empty for none."""
Mark = Annotated[Name, Doc("the source of the figure")]
YOURS = "yours"


class Colour(StrEnum):
    """The colours of dice, strong to weak (MR 10.7)."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"

    @property
    def letter(self) -> str:
        return self[0].upper()

    @property
    def weaker(self) -> "Colour":
        """One colour weaker; blue stays."""
        return COLOURS[min(COLOURS.index(self) + 1, len(COLOURS) - 1)]


COLOURS = tuple(Colour)
BY_LETTER = {colour.letter: colour for colour in Colour}


def parse_dice(text: str) -> tuple[Colour, ...]:
    """The dice of a text such as "RRY", strong to weak."""
    return tuple(colour for letter, colour in BY_LETTER.items() for _ in range(text.count(letter)))


def format_dice(dice: Iterable[Colour]) -> str:
    """`2 red, 1 yellow`."""
    listed = list(dice)
    return ", ".join(f"{listed.count(colour)} {colour}" for colour in Colour if colour in listed)


def parse_band(text: str) -> range:
    """The ranges of a band such as "1-3" or "4"."""
    first, _, last = text.replace("–", "-").partition("-")
    return range(int(first), int(last or first) + 1)


class Kind(StrEnum):
    """What a unit is."""

    INFANTRY = "infantry"
    ARTILLERY = "artillery"
    VEHICLE = "vehicle"


class Area(StrEnum):
    """Where a shot strikes (MR 10.9.3)."""

    FRONT = "front"
    FLANK = "flank"
    REAR = "rear"
    ABOVE = "above"


class PoolName(StrEnum):
    """Whose dice."""

    ATTACK = "attack"
    DEFENSE = "defense"


@dataclass(frozen=True, slots=True, kw_only=True)
class Areas:
    """Dice that depend on the area of impact."""

    front: Annotated[DiceText, Doc("dice against shots from the front")]
    flank: Annotated[DiceText, Doc("dice against shots from the flank")]
    rear: Annotated[DiceText, Doc("dice against shots from the rear")]
    above: Annotated[DiceText, Doc("dice against shots from above")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a command card or a special ability does to the dice or the symbols of one side."""

    pool: Annotated[PoolName, Doc("whose dice or symbols it changes")]
    gains: Annotated[DiceText, Doc("dice that are added")] = ""
    loses: Annotated[DiceText, Doc("dice that are taken away, each if there is one of its colour")] = ""
    rerolls: Annotated[
        tuple[Literal["blank", "X", "D", "C"], ...],
        AtMost(MOST_ENTRIES),
        Doc("a die is rolled once more if its strongest symbol is one of these"),
    ] = ()
    x: Annotated[Signed, Doc("Suppressions added to the attack; below 0, taken away")] = 0
    cancels: Annotated[Count, Doc("how many of the strongest attack symbols left are cancelled")] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """A special ability (MR 4.2). It works without a question whenever its unit attacks, or is attacked."""

    name: Annotated[Name, Doc("what it is called")]
    when: Annotated[Literal["attacking", "defending"], Doc("when it works")]
    effect: Annotated[Effect | None, Doc("what it does to dice or symbols")] = None
    spotting: Annotated[Signed, Doc("added to a spotting roll")] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandCard:
    """A command card (MR 8.3)."""

    effect: Annotated[Effect, Doc("what it does")]
    mark: Mark = YOURS


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A unit's card (MR 4.2)."""

    kind: Annotated[Kind, Doc("what it is")]
    strength: Annotated[Positive, Doc("damage that eliminates it")]
    half: Annotated[Count | None, Doc("strength left at which it is at half strength")] = None
    points: Annotated[Count, Doc("what it costs")] = 0
    move: Annotated[Count | None, Doc("its base move in hexes")] = None
    defense: Annotated[DiceText | Areas, Doc("its defence dice, or those of each area of impact")] = ""
    v_infantry: Annotated[
        dict[Name, DiceText], Doc("attack dice by range, against infantry, artillery and unarmoured vehicles")
    ] = field(default_factory=dict, hash=False)
    v_armour: Annotated[dict[Name, DiceText], Doc("attack dice by range, against armoured vehicles")] = field(
        default_factory=dict, hash=False
    )
    v_indirect: Annotated[dict[Name, DiceText], Doc("attack dice by range, in indirect fire")] = field(
        default_factory=dict, hash=False
    )
    turret: Annotated[bool, Doc("whether it may fire out of its arc")] = False
    armoured: Annotated[bool | None, Doc("by default, whether a vehicle has a green defence die or better")] = None
    abilities: Annotated[tuple[Ability, ...], AtMost(MOST_ENTRIES), Doc("its special abilities")] = ()
    mark: Mark = YOURS


@dataclass(frozen=True, slots=True, kw_only=True)
class Terrain:
    """Terrain: the dice it gives to units in it (MR 10.9.1), and its effect on a line of sight (MR 10.3)."""

    infantry: Annotated[DiceText | Areas, Doc("defence dice for infantry")] = ""
    vehicle: Annotated[DiceText | Areas, Doc("defence dice for vehicles")] = ""
    artillery: Annotated[DiceText | Areas, Doc("defence dice for artillery")] = ""
    obstruction: Annotated[Obstruction, Doc("how it affects a line of sight through it")] = Obstruction.NONE
    height: Annotated[Count, Doc("how many levels it rises above its ground")] = 0
    open: Annotated[bool, Doc("whether a unit in it is spotted at once, even if it gives dice")] = False
    impassable: Annotated[bool, Doc("whether no unit can fall back into it")] = False
    also: Annotated[Names, Doc("other names for it")] = ()
    mark: Mark = YOURS
    marks: Annotated[dict[Name, Name], Doc("marks of single figures")] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spotting:
    """The numbers that a spotting roll must reach (MR 10.5)."""

    close: Annotated[Signed, Doc("in the first range band of the card")]
    medium: Annotated[Signed, Doc("in the second")]
    long: Annotated[Signed, Doc("in all others")]
    mark: Mark = YOURS


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceFigure:
    """Dice that a rule adds."""

    dice: DiceText
    mark: Mark = YOURS


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberFigure:
    """A number that a rule needs."""

    number: Count
    mark: Mark = YOURS


@dataclass(frozen=True, slots=True, kw_only=True)
class FireRow:
    """The defence dice for one fire status of the attacker (MR 10.9.4)."""

    normal: Annotated[DiceText, Doc("for any other target")]
    fast_vehicle: Annotated[DiceText, Doc("for a vehicle on a fast action")]
    unspotted: Annotated[DiceText, Doc("for infantry or artillery that was not spotted")]
    unspotted_vehicle: Annotated[DiceText, Doc("for a vehicle that was not spotted")]
    mark: Mark = YOURS
    marks: Annotated[dict[Name, Name], Doc("marks of single figures")] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """The tables of the player's aid. The file overrides the shipped tables that it contains."""

    spotting: Annotated[Spotting | None, Doc("what a spotting roll must reach", "attack 4.0")] = None
    hindered: Annotated[DiceFigure | None, Doc("for each hindering hex", "defence 3.0")] = None
    dug_in: Annotated[DiceFigure | None, Doc("for a unit that is dug in", "defence 4.0")] = None
    suppressed: Annotated[DiceFigure | None, Doc("for suppressed infantry or artillery", "defence 4.0")] = None
    hiding: Annotated[DiceFigure | None, Doc("for a unit that hides, is hidden or in ambush", "defence 4.0")] = None
    firing: Annotated[FireRow | None, Doc("the attacker stands still", "defence 6.0")] = None
    turret_firing: Annotated[FireRow | None, Doc("the attacker fires its turret out of arc", "defence 6.0")] = None
    moving: Annotated[FireRow | None, Doc("the attacker moves and fires, either first", "defence 6.0")] = None
    indirect: Annotated[DiceFigure | None, Doc("for a vehicle under indirect fire", "defence 6.0")] = None
    move: Annotated[NumberFigure | None, Doc("the base move of a unit without one", "defence 9.0")] = None


Symbol = Annotated[str, AtLeast(0), AtMost(2)]
DieFaces = Annotated[tuple[Symbol, ...], AtLeast(1), AtMost(MOST_ENTRIES)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Faces:
    """The faces of the four dice, each a text of one or two of C, D and X, or empty."""

    red: Annotated[DieFaces, Doc("the red die")]
    yellow: Annotated[DieFaces, Doc("the yellow die")]
    green: Annotated[DieFaces, Doc("the green die")]
    blue: Annotated[DieFaces, Doc("the blue die")]
    mark: Mark = YOURS
