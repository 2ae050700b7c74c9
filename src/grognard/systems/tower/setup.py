"""What a battle file may say: a board, the units on it, and one attack.

Units are counted as the file lists them, from 0.
"""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from grognard.board.tiles import Size, Tile
from grognard.core.fields import AtLeast, Says
from grognard.core.systems import Json, Role
from grognard.systems.tower.switches import Switches

Direction = Literal["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """How large the board is, and where the sides are at home."""

    size: Annotated[Size, AtLeast(1), Says("columns and rows")]
    capitals: Annotated[dict[str, Tile], Says("the tile of each side's home capital")] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One unit, which the chapter also calls an army: its attributes, its tile, and what it did this turn."""

    id: Annotated[str, Says("its name, which no other unit has")]
    side: Annotated[str, Says("whose it is; every other side is an enemy")]
    attack: Annotated[int, AtLeast(0), Says("attack dice it rolls")]
    defense: Annotated[int, AtLeast(0), Says("what an attack die must meet or exceed")]
    health: Annotated[int, AtLeast(1), Says("damage it can still take")]
    full_health: Annotated[int | None, AtLeast(1), Says("its Health when unhurt, by default what it has now")] = None
    speed: Annotated[int, AtLeast(0), Says("what a counterattack's dice must exceed")]
    range: Annotated[int, AtLeast(0), Says("how many tiles may lie between it and what it reaches")]
    at: Annotated[Tile, Says("the tile it is on")]
    attacked: Annotated[bool, Says("whether it has attacked, or reinforced an attack, this turn")] = False
    defended: Annotated[bool, Says("whether it has defended, or reinforced a defense, this turn")] = False

    @property
    def unhurt(self) -> int:
        """Its full Health."""
        return self.health if self.full_health is None else self.full_health


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """Who attacks whom, and the step by which the attacker came."""

    by: Annotated[str, Says("the primary attacker")]
    on: Annotated[str, Says("the primary defender")]
    direction: Annotated[
        Direction | None, Says("the attacker's movement, by default from attacker to defender along the longer axis")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """One attack and the board it happens on."""

    board: Annotated[Board, Says("the board")]
    units: Annotated[tuple[Unit, ...], Says("all units on the board, one on a tile")]
    attack: Annotated[Attack, Says("the attack")]
    rules: Annotated[Switches, Says("how this table reads the chapter")] = field(default_factory=Switches)

    def number(self, name: str) -> int:
        """The number of the unit with this id."""
        return [unit.id for unit in self.units].index(name)

    @property
    def attacker(self) -> Unit:
        """The primary attacker, as it was before the attack."""
        return self.units[self.number(self.attack.by)]

    @property
    def defender(self) -> Unit:
        """The primary defender, as it was before the attack."""
        return self.units[self.number(self.attack.on)]


def role_of(setup: Setup, side: str) -> Role:
    """The attacker's side decides for the attack, the defender's for the defense."""
    return Role.ATTACKER if side == setup.attacker.side else Role.DEFENDER


EXAMPLE: Json = {
    "system": "tower",
    "board": {"size": [18, 18], "capitals": {"red": [1, 1], "blue": [18, 18]}},
    "units": [
        {"id": "hero", "side": "red", "attack": 3, "defense": 3, "health": 5, "speed": 2, "range": 0, "at": [4, 4]},
        {"id": "squire", "side": "red", "attack": 1, "defense": 2, "health": 3, "speed": 2, "range": 0, "at": [3, 4]},
        {"id": "regular", "side": "blue", "attack": 1, "defense": 2, "health": 3, "speed": 2, "range": 0, "at": [4, 5]},
        {"id": "guard", "side": "blue", "attack": 1, "defense": 2, "health": 3, "speed": 2, "range": 0, "at": [5, 5]},
    ],
    "attack": {"by": "hero", "on": "regular"},
}
