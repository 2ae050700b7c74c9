"""The facts of an attack before any roll: units with their cards, range, sight, arc, area, spotting.

A fact is given in the file, or else follows from the board. The fields of a unit override its card.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple, TypeVar

from grognard.board.arcs import areas, entry_sides, lies_in_arc
from grognard.board.hexes import distance
from grognard.board.sight import MOST_HINDERING, Ground, Obstruction, Sight, sight
from grognard.board.tiles import Tile
from grognard.systems.assault.data import die, find_card, tables, terrain
from grognard.systems.assault.figures import Ability, Area, Areas, Card, Colour, Effect, Kind, parse_band, parse_dice
from grognard.systems.assault.setup import Fire, Hex, Setup, Unit

T = TypeVar("T")

NO_CARD = Card(kind=Kind.INFANTRY, strength=1)
"""The card of a unit without one, which has its own kind and strength."""
NEVER_SPOTTED = 7
"""A number that no d6 reaches."""


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
        return self.unit.kind or self.card.kind

    @property
    def is_vehicle(self) -> bool:
        return self.kind is Kind.VEHICLE

    @property
    def strength(self) -> int:
        """The damage that eliminates it."""
        return self.unit.strength or self.card.strength

    @property
    def is_half_strength(self) -> bool:
        """Whether at most half of its strength is left, or at most the number on its card (MR 10.8.1)."""
        left, half = self.strength - self.unit.damage, own_or_card(self.unit.half, self.card.half)
        return 2 * left <= self.strength if half is None else left <= half

    @property
    def move(self) -> int | None:
        return own_or_card(self.unit.move, self.card.move)

    @property
    def has_turret(self) -> bool:
        """Whether it may fire out of its arc."""
        return bool(own_or_card(self.unit.turret, self.card.turret))

    @property
    def abilities(self) -> tuple[Ability, ...]:
        return self.card.abilities if self.unit.abilities is None else self.unit.abilities

    def effects(self, when: Literal["attacking", "defending"]) -> list[Effect]:
        """The effects of its special abilities when it attacks, or when it is attacked."""
        return [ability.effect for ability in self.abilities if ability.when == when and ability.effect]

    @property
    def defense(self) -> str | Areas:
        return self.card.defense if self.unit.defense is None else self.unit.defense

    @property
    def is_armoured(self) -> bool:
        """Whether it is an armoured vehicle: by default, one with a green defence die or better."""
        armoured = own_or_card(self.unit.armoured, self.card.armoured)
        if armoured is not None or not self.is_vehicle:
            return bool(armoured) and self.is_vehicle
        return any(colour is not Colour.BLUE for area in Area for colour in parse_dice(dice_in(self.defense, area)))

    def row(self, against: "Profile", indirect: bool) -> dict[str, str]:
        """The dice of its card against a target: one row for armour, one for all others, one for indirect fire."""
        if indirect:
            return self.card.v_indirect if self.unit.v_indirect is None else self.unit.v_indirect
        if against.is_armoured:
            return self.card.v_armour if self.unit.v_armour is None else self.unit.v_armour
        return self.card.v_infantry if self.unit.v_infantry is None else self.unit.v_infantry

    def bands(self, against: "Profile", indirect: bool) -> list[Band]:
        """The range bands against a target, the nearest first; close combat, at range 0, is not among them."""
        bands = [Band(parse_band(ranges), parse_dice(dice)) for ranges, dice in self.row(against, indirect).items()]
        return sorted((band for band in bands if band.ranges != range(1)), key=lambda band: band.ranges.start)


def own_or_card(said: T | None, on_card: T) -> T:
    return on_card if said is None else said


def profile(setup: Setup, unit: Unit) -> Profile:
    """A unit of the battle with its card."""
    key = "unit", unit.id
    known: Profile | None = setup.memo.get(key)
    if known is None or known.unit is not unit:
        known = setup.memo[key] = Profile(unit, (unit.card and find_card(setup, unit.card)) or NO_CARD)
    return known


def dice_in(dice: str | Areas, area: Area) -> str:
    text: str = getattr(dice, area) if isinstance(dice, Areas) else dice
    return text


def weakest_of(setup: Setup, dice: str | Areas, areas: tuple[Area, ...]) -> str:
    """The dice of the area struck; on a boundary, those with the fewest expected symbols, the first of equals."""
    texts = [dice_in(dice, area) for area in areas]
    return texts[0] if len(set(texts)) == 1 else min(texts, key=lambda text: expected_symbols(setup, text))


def expected_symbols(setup: Setup, dice: str) -> Fraction:
    faces = [die(setup, colour).faces for colour in parse_dice(dice)]
    return sum((Fraction(sum(len(str(face)) for face in shown), len(shown)) for shown in faces), Fraction(0))


@dataclass(frozen=True, slots=True)
class Facts:
    """What the dice depend on. A shot on a boundary strikes two areas; none is known until a roll decides it."""

    range: int
    hindering: int
    in_arc: bool
    areas: tuple[Area, ...]
    terrain: str


def facts(setup: Setup) -> Facts:
    """All facts of the attack, in a legal battle."""
    return Facts(
        range_to(setup, setup.attacker, setup.declared.range) or 0,
        sight_to(setup, setup.attacker, setup.declared.hindering).hindering,
        is_in_arc(setup),
        areas_struck(setup),
        terrain_of_target(setup),
    )


def joint_range(setup: Setup, friend: Unit) -> int | None:
    """The range of the friend that joins the fire; by default, that of the attack."""
    hexes = range_to(setup, friend, setup.declared.joint_range)
    return range_to(setup, setup.attacker, setup.declared.range) if hexes is None else hexes


def joint_sight(setup: Setup, friend: Unit) -> Sight:
    """The line of sight of the friend that joins the fire; by default, that of the attack."""
    hindering = setup.declared.joint_hindering
    if hindering is None and not (friend.at and setup.board):
        hindering = setup.declared.hindering
    return sight_to(setup, friend, hindering)


def range_to(setup: Setup, unit: Unit, known: int | None) -> int | None:
    """The range from a unit to the target, given or measured; None if it is unknown."""
    if known is not None:
        return known
    return distance(unit.at, setup.target.at) if setup.board and unit.at and setup.target.at else None


def sight_to(setup: Setup, unit: Unit, hindering: int | None) -> Sight:
    """The line of sight from a unit to the target, given or from the board; clear if it is unknown."""
    if hindering is not None:
        return Sight(hindering, hindering > MOST_HINDERING)
    if not (setup.board and unit.at and setup.target.at):
        return Sight(0, is_blocked=False)
    hexes = setup.hexes_by_tile

    def ground(tile: Tile) -> Ground:
        return ground_of(setup, hexes[tile]) if tile in hexes else Ground()

    return sight(unit.at, setup.target.at, ground, hexes)


def ground_of(setup: Setup, place: Hex) -> Ground:
    """How a hex affects a line of sight. Smoke hinders, and is one level high."""
    of_hex = terrain(setup, place.terrain)
    if place.smoke and of_hex.obstruction is not Obstruction.BLOCKS:
        return Ground(place.elevation, Obstruction.HINDERS, max(1, of_hex.height))
    return Ground(place.elevation, of_hex.obstruction, of_hex.height)


def is_in_arc(setup: Setup) -> bool:
    """Whether the target is in the arc of fire (MR 10.6): always for infantry, or if the facing is not given."""
    attacker, target, attack = setup.attacker, setup.target, setup.declared
    if attack.in_arc is not None:
        return attack.in_arc
    if profile(setup, attacker).kind is Kind.INFANTRY:
        return True
    if setup.board and attacker.at and attacker.facing and target.at:
        return lies_in_arc(attacker.at, attacker.facing, target.at)
    return attack.fire is not Fire.TURRET_FIRING


def areas_struck(setup: Setup) -> tuple[Area, ...]:
    """The areas where the line of sight enters the target's hex; the front if that is unknown."""
    attacker, target = setup.attacker, setup.target
    if setup.declared.area is not None:
        return (setup.declared.area,)
    if setup.declared.fire is Fire.INDIRECT:
        return () if profile(setup, target).is_vehicle else (Area.ABOVE,)
    if setup.board and attacker.at and target.at and target.facing:
        return tuple(Area(area) for area in areas(target.facing, entry_sides(attacker.at, target.at)))
    return (Area.FRONT,)


def terrain_of_target(setup: Setup) -> str:
    if setup.declared.terrain is not None:
        return setup.declared.terrain
    place = setup.hexes_by_tile.get(setup.target.at) if setup.target.at else None
    return place.terrain if place else "clear"


def needs_spotting(setup: Setup, facts: Facts) -> bool:
    """Whether the target is not seen at once (MR 10.5). The first condition that applies decides."""
    target = setup.target
    is_concealed = target.hidden or target.ambush
    if target.fired_this_turn or target.fast or target.delayed:
        return False
    if facts.range == 1 and not is_concealed:
        return False
    if target.hiding or is_concealed or not facts.in_arc:
        return True
    ground = terrain(setup, facts.terrain)
    dice: str | Areas = getattr(ground, profile(setup, target).kind)
    return bool(weakest_of(setup, dice, facts.areas or (Area.ABOVE,))) and not ground.open


def number_to_spot(setup: Setup, facts: Facts) -> int:
    """The least d6 that spots the target: the number of the range band less the modifiers; 7 if no d6 does."""
    attacker, target = profile(setup, setup.attacker), profile(setup, setup.target)
    bands = attacker.bands(target, setup.declared.fire is Fire.INDIRECT)
    band = next(number for number, band in enumerate(bands) if facts.range in band.ranges)
    spotting = tables(setup).spotting
    assert spotting
    needed = (spotting.close, spotting.medium, spotting.long)[min(band, 2)] - spotting_bonus(setup, facts)
    return min(max(needed, 1), NEVER_SPOTTED)


def spotting_bonus(setup: Setup, facts: Facts) -> int:
    """The modifier of the spotting roll: minus for hindrance and hiding, plus or minus for special abilities."""
    unit = setup.target
    total = -(facts.hindering > 0) - unit.hiding - 2 * (unit.hidden or unit.ambush)
    for side, when in ((setup.attacker, "attacking"), (unit, "defending")):
        total += sum(ability.spotting for ability in profile(setup, side).abilities if ability.when == when)
    return total
