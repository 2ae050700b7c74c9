"""A unit and its card as one: what the unit says itself goes before its card."""

from typing import Literal, NamedTuple, TypeVar

from grognard.systems.assault.data import find_card
from grognard.systems.assault.dice import Colour, is_weaker, parse, parse_band
from grognard.systems.assault.figures import Ability, Area, Areas, Card, Effect, Kind
from grognard.systems.assault.setup import Setup, Unit

T = TypeVar("T")

NO_CARD = Card(kind=Kind.INFANTRY, strength=1)
"""Under a unit that is written out and so gives its kind and strength itself."""


class Band(NamedTuple):
    """A range band of a card: the ranges in it, and the attack dice."""

    ranges: range
    dice: tuple[Colour, ...]


class Profile(NamedTuple):
    """A unit with its card."""

    unit: Unit
    card: Card

    @property
    def kind(self) -> Kind:
        """What it is."""
        return self.unit.kind or self.card.kind

    @property
    def is_vehicle(self) -> bool:
        """Whether it is a vehicle."""
        return self.kind is Kind.VEHICLE

    @property
    def strength(self) -> int:
        """The damage that eliminates it."""
        return self.unit.strength or self.card.strength

    @property
    def is_half_strength(self) -> bool:
        """Whether half of its strength or less is left, or no more than its card says (MR 10.8.1)."""
        left, half = self.strength - self.unit.damage, own(self.unit.half, self.card.half)
        return 2 * left <= self.strength if half is None else left <= half

    @property
    def move(self) -> int | None:
        """Its base move in hexes."""
        return own(self.unit.move, self.card.move)

    @property
    def has_turret(self) -> bool:
        """Whether it may fire out of its arc."""
        return bool(own(self.unit.turret, self.card.turret))

    @property
    def abilities(self) -> tuple[Ability, ...]:
        """Its special abilities."""
        return self.card.abilities if self.unit.abilities is None else self.unit.abilities

    def effects(self, when: Literal["attacking", "defending"]) -> list[Effect]:
        """What its special abilities do to dice and symbols when it attacks, or when it is attacked."""
        return [ability.effect for ability in self.abilities if ability.when == when and ability.effect]

    @property
    def defense(self) -> str | Areas:
        """Its defence dice."""
        return self.card.defense if self.unit.defense is None else self.unit.defense

    @property
    def is_armoured(self) -> bool:
        """Whether it is a vehicle with a green defence die or better, unless its card says otherwise."""
        armoured = own(self.unit.armoured, self.card.armoured)
        if armoured is not None or not self.is_vehicle:
            return bool(armoured) and self.is_vehicle
        return any(colour is not Colour.BLUE for area in Area for colour in dice_in(self.defense, area))

    def row(self, against: "Profile", indirect: bool) -> dict[str, str]:
        """The dice of its card against a target: one row for armour, one for all others, one for indirect fire."""
        if indirect:
            return self.card.v_indirect if self.unit.v_indirect is None else self.unit.v_indirect
        if against.is_armoured:
            return self.card.v_armour if self.unit.v_armour is None else self.unit.v_armour
        return self.card.v_infantry if self.unit.v_infantry is None else self.unit.v_infantry

    def bands(self, against: "Profile", indirect: bool) -> list[Band]:
        """The range bands against a target, the nearest first; close combat, at range 0, is not among them."""
        bands = [Band(parse_band(ranges), parse(dice)) for ranges, dice in self.row(against, indirect).items()]
        return sorted((band for band in bands if band.ranges != range(1)), key=lambda band: band.ranges.start)


def own(said: T | None, on_card: T) -> T:
    """What the unit says itself, or else its card."""
    return on_card if said is None else said


def profile(setup: Setup, unit: Unit) -> Profile:
    """A unit of the battle with its card."""
    return Profile(unit, (unit.card and find_card(setup, unit.card)) or NO_CARD)


def dice_in(dice: str | Areas, area: Area) -> tuple[Colour, ...]:
    """The dice that protect this area."""
    return parse(getattr(dice, area) if isinstance(dice, Areas) else dice)


def weakest_of(dice: str | Areas, areas: tuple[Area, ...]) -> tuple[Colour, ...]:
    """The dice where a shot strikes; on a boundary the weaker ones."""
    found = dice_in(dice, areas[0])
    for area in areas[1:]:
        if is_weaker(dice_in(dice, area), found):
            found = dice_in(dice, area)
    return found
