"""The set-up: units by card or written out, one attack or a turn, the board, the switches."""

from collections.abc import Hashable
from copy import copy
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Literal

from grognard.board.arcs import Facing
from grognard.board.tiles import Size, Tile
from grognard.core import turns
from grognard.core.fields import LARGEST, MOST_ENTRIES, AtLeast, AtMost, Count, Doc, Name, Positive
from grognard.core.systems import Json
from grognard.systems.assault.figures import (
    Ability,
    Area,
    Areas,
    Card,
    CommandCard,
    DiceText,
    Effect,
    Faces,
    Kind,
    Signed,
    Tables,
    Terrain,
)

Place = Annotated[Tile, AtLeast(-LARGEST), AtMost(LARGEST)]
"""A hex of the board, by column and row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """The house rules. Each default is the chapter's literal interpretation."""

    weakest_die_lost: Annotated[
        Literal["in_sequence", "last"],
        Doc("the weakest dice are lost at their step of the sequence, or when all are gathered", "attack 8.0"),
    ] = "in_sequence"
    elite_ignores_critical_x: Annotated[
        bool, Doc("an elite unit also ignores an X that is the strongest symbol of a critical roll", "10.7.5")
    ] = True
    critical_x_on_immobilised: Annotated[
        Literal["if_it_must_fall_back", "eliminated"],
        Doc("an X of a critical roll eliminates an immobilised vehicle only if it must fall back, or always", "10.7.6"),
    ] = "if_it_must_fall_back"
    fallback_way: Annotated[
        Literal["straight", "owner_chooses"],
        Doc("on a board a unit falls back as straight as it can, or its owner chooses hex by hex", "defence 9.0"),
    ] = "straight"
    hindrance_dice: Annotated[
        Literal["each", "once"],
        Doc("a hindered line of sight adds a die for each hindering hex, or one in all", "defence 3.0"),
    ] = "each"
    faces: Annotated[
        Literal["transcribed", "alternative"] | Faces,
        Doc("the faces of the dice: either of two transcriptions, or a file of your own", "10.7.2"),
    ] = "transcribed"


class Experience(StrEnum):
    """The experience level of a unit (MR 4.2.3)."""

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
    """A unit with its card, or with the same fields written out, which override the card."""

    id: Annotated[Name, Doc("its name, which no other unit has")]
    side: Annotated[Name, Doc("whose it is; every other side is an enemy")]
    card: Annotated[Name | None, Doc("its card, by name")] = None
    experience: Annotated[Experience, Doc("its experience level")] = Experience.REGULAR
    damage: Annotated[Count, Doc("damage it has taken")] = 0
    status: Annotated[Literal["none", "suppressed", "fallback"], Doc("its status")] = "none"
    immobilized: Annotated[bool, Doc("whether the vehicle cannot move any more")] = False
    digging_in: Annotated[bool, Doc("whether it digs in this turn")] = False
    dug_in: Annotated[bool, Doc("whether it is dug in")] = False
    fast: Annotated[bool, Doc("whether it is on a fast action this turn")] = False
    hiding: Annotated[bool, Doc("whether it is on a hide action this turn")] = False
    hidden: Annotated[bool, Doc("whether it is hidden")] = False
    ambush: Annotated[bool, Doc("whether it lies in ambush")] = False
    delayed: Annotated[bool, Doc("whether it was delayed this turn")] = False
    fired_this_turn: Annotated[bool, Doc("whether it has fired this turn, other than fire and move")] = False
    activated: Annotated[bool, Doc("whether it was activated this turn")] = False
    attack_die_minus: Annotated[Count, Doc("attack dice that it loses")] = 0
    at: Annotated[Place | None, Doc("its hex: column and row")] = None
    facing: Annotated[Facing | None, Doc("the corner between its two front hexes; if left out, it faces the enemy")] = (
        None
    )
    kind: Annotated[Kind | None, Doc("its kind, if it has no card")] = None
    strength: Annotated[Positive | None, Doc("damage that eliminates it, if it has no card")] = None
    half: Annotated[Count | None, Doc("strength left at which it is at half strength")] = None
    move: Annotated[Count | None, Doc("its base move in hexes")] = None
    defense: Annotated[DiceText | Areas | None, Doc("its defence dice, or those of each area of impact")] = None
    v_infantry: Annotated[
        dict[Name, DiceText] | None,
        Doc('attack dice by range, such as { "1-3" = "RRY" }, against all but armoured vehicles'),
    ] = field(default=None, hash=False)
    v_armour: Annotated[dict[Name, DiceText] | None, Doc("attack dice by range, against armoured vehicles")] = field(
        default=None, hash=False
    )
    v_indirect: Annotated[dict[Name, DiceText] | None, Doc("attack dice by range, in indirect fire")] = field(
        default=None, hash=False
    )
    turret: Annotated[bool | None, Doc("whether it may fire out of its arc")] = None
    armoured: Annotated[bool | None, Doc("by default, whether a vehicle has a green defence die or better")] = None
    abilities: Annotated[tuple[Ability, ...] | None, AtMost(MOST_ENTRIES), Doc("its special abilities")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hex:
    """A hex of the board that is not clear ground at elevation 0."""

    at: Annotated[Place, Doc("column and row")]
    terrain: Annotated[Name, Doc("its terrain")] = "clear"
    elevation: Annotated[Signed, Doc("the level of its ground")] = 0
    smoke: Annotated[bool, Doc("whether there is smoke on it")] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A map of hexes, which determines the facts of an attack."""

    size: Annotated[Size, AtLeast(1), AtMost(LARGEST), Doc("columns and rows")]
    hexes: Annotated[tuple[Hex, ...], AtMost(10 * MOST_ENTRIES), Doc("all hexes that are not clear")] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """Who fires at whom. A fact that is not given follows from the board, if there is one."""

    by: Annotated[Name, Doc("the unit that fires")]
    on: Annotated[Name, Doc("the enemy unit that it fires on")]
    range: Annotated[Positive | None, Doc("the hexes from one to the other")] = None
    terrain: Annotated[Name | None, Doc('the terrain of the target, by default "clear"')] = None
    hindering: Annotated[Count | None, Doc("hexes between that hinder the line of sight")] = None
    area: Annotated[Area | None, Doc("the area of impact, by default the front")] = None
    in_arc: Annotated[bool | None, Doc("whether the target is in the firer's arc of fire")] = None
    fire: Annotated[Fire, Doc("the fire status of the unit that fires")] = Fire.FIRING
    spotted: Annotated[
        Literal["roll"] | bool,
        Doc("whether the target was spotted, or a roll if the rules ask for it"),
    ] = "roll"
    joint: Annotated[Name | None, Doc("an adjacent friend that joins the fire")] = None
    joint_range: Annotated[Positive | None, Doc("the friend's range, by default that of the attack")] = None
    joint_hindering: Annotated[Count | None, Doc("hexes that hinder the friend's line of sight")] = None
    dice: Annotated[DiceText | None, Doc('attack dice gathered by hand, such as "RRY"')] = None
    defense: Annotated[DiceText | None, Doc('defence dice gathered by hand, such as "YG"')] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot(Attack):
    """An attack that is possible in a turn."""

    id: Annotated[Name | None, Doc("its name, by default attacker and target")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(turns.Turn):
    """A turn, with the attacks that are possible in it if they are listed."""

    shots: Annotated[
        tuple[Shot, ...],
        AtMost(MOST_ENTRIES),
        Doc("the possible attacks; on a board, if none is listed, those of every unit on every enemy"),
    ] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldCard:
    """A command card in a side's hand: one by name, or an effect written out."""

    side: Annotated[Name, Doc("the side that holds it")]
    card: Annotated[Name | None, Doc("the card, by name")] = None
    name: Annotated[Name | None, Doc("the name of a card that is written out")] = None
    effect: Annotated[Effect | None, Doc("the effect of a card that is written out")] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """One attack or a whole turn, with everything that affects it."""

    units: Annotated[tuple[Unit, ...], AtMost(MOST_ENTRIES), Doc("the units")]
    attack: Annotated[Attack | None, Doc("the attack")] = None
    turn: Annotated[Turn | None, Doc("in the place of the attack: a whole turn of one side")] = None
    board: Annotated[Board | None, Doc("the map")] = None
    command_cards: Annotated[
        tuple[HeldCard, ...], AtMost(MOST_ENTRIES), Doc("the command cards in the sides' hands")
    ] = ()
    command_points: Annotated[dict[Name, Count], Doc("each side's command points, if it plays with them")] = field(
        default_factory=dict, hash=False
    )
    command_points_per_turn: Annotated[
        dict[Name, Count], Doc("the command points that each side has when a turn begins")
    ] = field(default_factory=dict, hash=False)
    cards: Annotated[dict[Name, Card], Doc("your own unit cards, or the path of a file of them")] = field(
        default_factory=dict, hash=False
    )
    terrain_data: Annotated[dict[Name, Terrain], Doc("your own terrain, or the path of a file of it")] = field(
        default_factory=dict, hash=False
    )
    command_card_data: Annotated[
        dict[Name, CommandCard], Doc("your own command cards, or the path of a file of them")
    ] = field(default_factory=dict, hash=False)
    tables: Annotated[Tables | None, Doc("your own tables, or the path of a file of them")] = None
    rules: Annotated[Switches, Doc("the house rules")] = field(default_factory=Switches)
    units_by_id: dict[Name, Unit] = field(init=False, repr=False, compare=False)
    hexes_by_tile: dict[Place, Hex] = field(init=False, repr=False, compare=False)
    terrain_by_name: dict[Name, Terrain] = field(init=False, repr=False, compare=False)
    """The file's own terrain, under all its names."""
    latest_setup: dict[Hashable, "Setup"] = field(init=False, repr=False, compare=False)
    """In a turn: the set-up of the last state that was asked for."""
    memo: dict[Hashable, Any] = field(init=False, repr=False, compare=False)
    """Computed values of this attack."""

    def __post_init__(self) -> None:
        hexes = self.board.hexes if self.board else ()
        own = {name: entry for key, entry in self.terrain_data.items() for name in (key, *entry.also)}
        object.__setattr__(self, "units_by_id", {unit.id: unit for unit in self.units})
        object.__setattr__(self, "hexes_by_tile", {place.at: place for place in hexes})
        object.__setattr__(self, "terrain_by_name", own)
        object.__setattr__(self, "latest_setup", {})
        object.__setattr__(self, "memo", {})

    def changed(self, **changes: Any) -> "Setup":
        """The set-up with other values of these fields, and an empty memo."""
        other = copy(self)
        for name, value in (changes | {"memo": {}}).items():
            object.__setattr__(other, name, value)
        return other

    def unit(self, name: str) -> Unit:
        return self.units_by_id[name]

    @property
    def declared(self) -> Attack:
        assert self.attack is not None
        return self.attack

    @property
    def attacker(self) -> Unit:
        return self.units_by_id[self.declared.by]

    @property
    def target(self) -> Unit:
        return self.units_by_id[self.declared.on]

    @property
    def side(self) -> str:
        return self.turn.side if self.turn else self.attacker.side

    @property
    def objective_target(self) -> str | None:
        """The unit that the objective kill is about; None: all enemies."""
        return self.turn.target if self.turn else self.declared.on


EXAMPLE: Json = {
    "system": "assault",
    "units": [
        {"id": "rifles", "side": "us", "card": "US Rifles 43", "experience": "regular"},
        {"id": "HMG", "side": "ge", "card": "GE HMG 42", "experience": "hardened"},
    ],
    "attack": {"by": "rifles", "on": "HMG", "range": 3, "terrain": "light forest", "hindering": 0, "fire": "firing"},
}
