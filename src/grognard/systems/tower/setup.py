"""The set-up (a board, the units on it, one attack or a turn), and the state that an attack changes.

Rules refer to a unit by its index in the file.
"""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from grognard.board.tiles import Tile
from grognard.core.fields import Count, Doc, Name, Positive
from grognard.core.systems import Json, SourcedFigure
from grognard.core.turns import Turn
from grognard.core.wording import of_side

Direction = Literal["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]
Coordinate = int
Units = tuple[int, ...]
"""Indices of units, in ascending order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """The house rules. Each default is the chapter's literal interpretation."""

    board: Annotated[
        Literal["squares", "hexes"], Doc("squares, with neighbours along rows and columns, or a later edition's hexes")
    ] = "squares"
    capital_bonus: Annotated[
        Literal["to_the_highest", "to_that_unit"],
        Doc("what a home capital's 2 is added to: the highest Defense, or that of the unit in it", "4, 7"),
    ] = "to_the_highest"
    half_of: Annotated[
        Literal["full_health", "health_before_this_attack"],
        Doc("which Health a primary defender must be at half of, or below, to be pushed", "6"),
    ] = "full_health"
    ranged_push: Annotated[bool, Doc("whether an attacker that is not adjacent pushes too", "6")] = True
    bumped_into_enemy: Annotated[
        Literal["primary_dies", "bumped_unit_dies"],
        Doc("who dies if an enemy stops the line: the unit that is pushed, or the last unit bumped", "6"),
    ] = "primary_dies"
    off_the_board: Annotated[
        Literal["dies", "stays", "wraps"],
        Doc("a push over the edge kills, or moves no unit, or leads to the opposite edge", "6"),
    ] = "dies"
    counter_range: Annotated[
        Literal["after_push", "before_push"],
        Doc("from which tile the primary defender must have the attacker in range to counterattack", "7"),
    ] = "after_push"
    counter_dice_from: Annotated[
        Literal["survivors", "all_who_defended"],
        Doc("whose highest Defense counts in a counterattack: that of survivors, or of all defending units", "7"),
    ] = "survivors"
    ranged_advance: Annotated[
        bool, Doc("whether an attacker that was not adjacent may move onto the tile too", "9")
    ] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """The size of the board, and the sides' home capitals."""

    size: Annotated[tuple[Positive, Positive], Doc("columns and rows")]
    capitals: Annotated[dict[Name, tuple[Coordinate, Coordinate]], Doc("the tile of each side's home capital")] = field(
        default_factory=dict
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit, which the chapter also calls an army: its attributes, its tile, and what it did this turn."""

    id: Annotated[Name, Doc("its name, which no other unit has")]
    side: Annotated[Name, Doc("whose it is; every other side is an enemy")]
    attack: Annotated[Count, Doc("attack dice it rolls")]
    defense: Annotated[Count, Doc("what an attack die must meet or exceed")]
    health: Annotated[Positive, Doc("damage it can still take")]
    full_health: Annotated[Positive | None, Doc("its Health when unhurt, by default what it has now")] = None
    speed: Annotated[Count, Doc("what a counterattack's dice must exceed")]
    range: Annotated[Count, Doc("how many tiles may lie between it and its target")]
    at: Annotated[tuple[Coordinate, Coordinate], Doc("the tile it is on")]
    attacked: Annotated[bool, Doc("whether it has attacked, or reinforced an attack, this turn")] = False
    defended: Annotated[bool, Doc("whether it has defended, or reinforced a defense, this turn")] = False

    @property
    def unhurt(self) -> int:
        """Its full Health."""
        return self.health if self.full_health is None else self.full_health

    def __str__(self) -> str:
        return of_side(self.side, self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """Who attacks whom, and in which direction the attacker moved."""

    by: Annotated[Name, Doc("the primary attacker")]
    on: Annotated[Name, Doc("the primary defender")]
    direction: Annotated[
        Direction | None, Doc("the attacker's movement, by default from attacker to defender along the longer axis")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The board, and one attack or a whole turn."""

    board: Annotated[Board, Doc("the board")]
    units: Annotated[tuple[Unit, ...], Doc("all units on the board, one on a tile")]
    attack: Annotated[Attack | None, Doc("the attack")] = None
    turn: Annotated[Turn | None, Doc("in the place of the attack: a whole turn of one side")] = None
    rules: Annotated[Switches, Doc("the house rules")] = field(default_factory=Switches)

    @property
    def side(self) -> str:
        """The attacking side."""
        return self.turn.side if self.turn else self.units[self.number(self.declared.by)].side

    @property
    def declared(self) -> Attack:
        """The attack of the file."""
        assert self.attack is not None
        return self.attack

    @property
    def target(self) -> int | None:
        """The unit that the objective kill is about; None: all enemies."""
        name = self.turn.target if self.turn else self.declared.on
        return None if name is None else self.number(name)

    def number(self, name: str) -> int:
        """The index of the unit with this id."""
        return [unit.id for unit in self.units].index(name)


class Declared(NamedTuple):
    """An attack that is being resolved."""

    by: int
    on: int
    direction: str | None = None
    """The attacker's movement; None until it is known."""
    tile: Tile | None = None
    """The primary defender's tile when it was attacked."""
    health: int = 0
    """The primary defender's Health when it was attacked."""
    is_countered: bool = False
    """Whether the primary defender counterattacks now."""


class State(NamedTuple):
    """Each unit's Health and tile (the dead have 0 and none), what the units did this turn, and the attack."""

    health: tuple[int, ...]
    at: tuple[Tile | None, ...]
    attacked: Units = ()
    """Who has attacked, or reinforced an attack, this turn."""
    defended: Units = ()
    """Who has defended, or reinforced a defense, this turn."""
    attack: Declared | None = None

    def after_attacking(self, unit: int) -> "State":
        """The state after the unit has attacked, or reinforced an attack."""
        return self._replace(attacked=_insert(self.attacked, unit))

    def after_defending(self, unit: int) -> "State":
        """The state after the unit has defended, or reinforced a defense."""
        return self._replace(defended=_insert(self.defended, unit))

    def after_damage(self, unit: int, damage: int) -> "State":
        """The state after the unit has taken damage, up to its Health. At 0 it is dead and off the board."""
        left = max(0, self.health[unit] - damage)
        health = (*self.health[:unit], left, *self.health[unit + 1 :])
        return self._replace(health=health, at=self.at if left else _replace_tiles(self.at, {unit: None}))

    def after_death(self, unit: int) -> "State":
        return self.after_damage(unit, self.health[unit])

    def after_move(self, to: Mapping[int, Tile]) -> "State":
        """The state after all these units have moved at once."""
        return self._replace(at=_replace_tiles(self.at, to))

    def living(self, units: Iterable[int]) -> Units:
        return tuple(unit for unit in units if self.health[unit])

    def unit_on(self, tile: Tile) -> int | None:
        return self.at.index(tile) if tile in self.at else None


def _insert(units: Units, unit: int) -> Units:
    return units if unit in units else tuple(sorted((*units, unit)))


def _replace_tiles(at: tuple[Tile | None, ...], to: Mapping[int, Tile | None]) -> tuple[Tile | None, ...]:
    return tuple(to.get(unit, tile) for unit, tile in enumerate(at))


def first_state(setup: Setup) -> State:
    """Every unit as the file has it; no attack is declared."""
    return State(
        health=tuple(unit.health for unit in setup.units),
        at=tuple(unit.at for unit in setup.units),
        attacked=tuple(number for number, unit in enumerate(setup.units) if unit.attacked),
        defended=tuple(number for number, unit in enumerate(setup.units) if unit.defended),
    )


@cache
def _data() -> Json:
    return tomllib.loads((Path(__file__).with_name("data") / "units.toml").read_text(encoding="utf-8"))


def roster() -> dict[str, Json]:
    """The starting units by name, as a battle file would write them, without id, side and tile."""
    return {name: dict(unit) for name, unit in _data()["units"].items()}


def sources() -> list[SourcedFigure]:
    """Where the figures of the starting units come from."""
    return [
        SourcedFigure(name, ", ".join(f"{key} {number}" for key, number in unit.items()), _data()["mark"])
        for name, unit in roster().items()
    ]


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
