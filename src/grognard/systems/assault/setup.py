"""What a battle file may say: units by card or written out, one attack, and if you like the board under it."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal

from grognard.board.arcs import Facing
from grognard.board.tiles import Size, Tile
from grognard.core.fields import AtLeast, Says
from grognard.core.systems import Json, Role
from grognard.systems.assault.figures import (
    Ability,
    Area,
    Areas,
    Card,
    CommandCard,
    DiceText,
    Effect,
    Kind,
    Tables,
    Terrain,
)
from grognard.systems.assault.switches import Switches


class Experience(StrEnum):
    """How experienced a unit is (MR 4.2.3)."""

    RECRUIT = "recruit"
    REGULAR = "regular"
    HARDENED = "hardened"
    VETERAN = "veteran"
    ELITE = "elite"


class Fire(StrEnum):
    """The attacking unit's fire status."""

    FIRING = "firing"
    TURRET_FIRING = "turret_firing"
    MOVE_AND_FIRE = "move_and_fire"
    FIRE_AND_MOVE = "fire_and_move"
    INDIRECT = "indirect"

    @property
    def is_moving(self) -> bool:
        """Whether the unit also moves."""
        return self in (Fire.MOVE_AND_FIRE, Fire.FIRE_AND_MOVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit: its card, or the same written out; what it says itself goes before its card."""

    id: Annotated[str, Says("its name, which no other unit has")]
    side: Annotated[str, Says("whose it is; every other side is an enemy")]
    card: Annotated[str | None, Says("its card, by name")] = None
    experience: Annotated[Experience, Says("its experience level")] = Experience.REGULAR
    damage: Annotated[int, AtLeast(0), Says("damage it has taken")] = 0
    status: Annotated[Literal["none", "suppressed", "fallback"], Says("how it is marked")] = "none"
    immobilized: Annotated[bool, Says("whether the vehicle cannot move any more")] = False
    digging_in: Annotated[bool, Says("whether it digs in this turn")] = False
    dug_in: Annotated[bool, Says("whether it is dug in")] = False
    fast: Annotated[bool, Says("whether it is on a fast action this turn")] = False
    hiding: Annotated[bool, Says("whether it takes a hide action this turn")] = False
    hidden: Annotated[bool, Says("whether it is hidden")] = False
    ambush: Annotated[bool, Says("whether it lies in ambush")] = False
    delayed: Annotated[bool, Says("whether it was delayed this turn")] = False
    fired_this_turn: Annotated[bool, Says("whether it has fired this turn, other than fire and move")] = False
    activated: Annotated[bool, Says("whether it was activated this turn")] = False
    attack_die_minus: Annotated[int, AtLeast(0), Says("attack dice that it loses")] = 0
    at: Annotated[Tile | None, Says("its hex: column and row")] = None
    facing: Annotated[Facing | None, Says("the corner between its two front hexes; unsaid, it faces the enemy")] = None
    kind: Annotated[Kind | None, Says("what it is, if it has no card")] = None
    strength: Annotated[int | None, AtLeast(1), Says("damage that eliminates it, if it has no card")] = None
    half: Annotated[int | None, AtLeast(0), Says("strength left at which it is at half strength")] = None
    move: Annotated[int | None, AtLeast(0), Says("its base move in hexes")] = None
    defense: Annotated[DiceText | Areas | None, Says("its defence dice, or those of each area of impact")] = None
    v_infantry: Annotated[
        dict[str, DiceText] | None,
        Says('attack dice by range, such as { "1-3" = "RRY" }, against all but armoured vehicles'),
    ] = None
    v_armour: Annotated[dict[str, DiceText] | None, Says("attack dice by range, against armoured vehicles")] = None
    v_indirect: Annotated[dict[str, DiceText] | None, Says("attack dice by range, in indirect fire")] = None
    turret: Annotated[bool | None, Says("whether it may fire out of its arc")] = None
    armoured: Annotated[bool | None, Says("by default, whether a vehicle has a green defence die or better")] = None
    abilities: Annotated[tuple[Ability, ...] | None, Says("its special abilities")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hex:
    """A hex of the board that is not clear ground at elevation 0."""

    at: Annotated[Tile, Says("column and row")]
    terrain: Annotated[str, Says("what stands on it")] = "clear"
    elevation: Annotated[int, Says("the level of its ground")] = 0
    smoke: Annotated[bool, Says("whether smoke lies on it")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A map of hexes, from which the facts of the attack follow."""

    size: Annotated[Size, AtLeast(1), Says("columns and rows")]
    hexes: Annotated[tuple[Hex, ...], Says("all hexes that are not clear")] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """Who fires at whom. A fact that is not given follows from the board, if there is one."""

    by: Annotated[str, Says("the unit that fires")]
    on: Annotated[str, Says("the enemy unit that it fires on")]
    range: Annotated[int | None, AtLeast(1), Says("the hexes from one to the other")] = None
    terrain: Annotated[str | None, Says('the terrain of the target, by default "clear"')] = None
    hindering: Annotated[int | None, AtLeast(0), Says("hexes between that hinder the line of sight")] = None
    area: Annotated[Area | None, Says("where the shot strikes, by default the front")] = None
    in_arc: Annotated[bool | None, Says("whether the target is in the firer's arc of fire")] = None
    fire: Annotated[Fire, Says("the fire status of the unit that fires")] = Fire.FIRING
    spotted: Annotated[
        Literal["roll"] | bool,
        Says("roll where the rules ask for it, or true or false: whether the target was spotted"),
    ] = "roll"
    joint: Annotated[str | None, Says("an adjacent friend that joins the fire")] = None
    joint_range: Annotated[int | None, AtLeast(1), Says("its range, by default that of the attack")] = None
    joint_hindering: Annotated[int | None, AtLeast(0), Says("hexes that hinder its line of sight")] = None
    dice: Annotated[DiceText | None, Says('attack dice gathered by hand, such as "RRY"')] = None
    defense: Annotated[DiceText | None, Says('defence dice gathered by hand, such as "YG"')] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldCard:
    """A command card in a side's hand: one by name, or an effect written out."""

    side: Annotated[str, Says("who holds it")]
    card: Annotated[str | None, Says("the card, by name")] = None
    name: Annotated[str | None, Says("what a card that is written out is called")] = None
    effect: Annotated[Effect | None, Says("what a card that is written out does")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """One attack, and all that bears on it."""

    units: Annotated[tuple[Unit, ...], Says("the units")]
    attack: Annotated[Attack, Says("the attack")]
    board: Annotated[Board | None, Says("the map")] = None
    command_cards: Annotated[tuple[HeldCard, ...], Says("the command cards that the sides hold")] = ()
    command_points: Annotated[
        dict[str, Annotated[int, AtLeast(0)]], Says("each side's command points, if you play with them")
    ] = field(default_factory=dict)
    cards: Annotated[dict[str, Card], Says("unit cards of your own, or the path of a file of them")] = field(
        default_factory=dict
    )
    terrain_data: Annotated[dict[str, Terrain], Says("terrain of your own, or the path of a file of it")] = field(
        default_factory=dict
    )
    command_card_data: Annotated[
        dict[str, CommandCard], Says("command cards of your own, or the path of a file of them")
    ] = field(default_factory=dict)
    tables: Annotated[Tables | None, Says("tables of your own, or the path of a file of them")] = None
    rules: Annotated[Switches, Says("how this table reads the chapter")] = field(default_factory=Switches)

    def unit(self, name: str) -> Unit:
        """The unit of this id."""
        return next(unit for unit in self.units if unit.id == name)

    @property
    def attacker(self) -> Unit:
        """The unit that fires, as it was before the attack."""
        return self.unit(self.attack.by)

    @property
    def target(self) -> Unit:
        """The unit that is fired on, as it was before the attack."""
        return self.unit(self.attack.on)


def role_of(setup: Setup, side: str) -> Role:
    """The side of the unit that fires attacks; any other defends."""
    return Role.ATTACKER if side == setup.attacker.side else Role.DEFENDER


EXAMPLE: Json = {
    "system": "assault",
    "units": [
        {"id": "rifles", "side": "us", "card": "US Rifles 43", "experience": "regular"},
        {"id": "hmg", "side": "ge", "card": "GE HMG 42", "experience": "hardened"},
    ],
    "attack": {"by": "rifles", "on": "hmg", "range": 3, "terrain": "light forest", "hindering": 0, "fire": "firing"},
}
