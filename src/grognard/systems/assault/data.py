"""The shipped figures, and those of a battle file that go before them."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache
from importlib.resources import files
from typing import Any, TypeVar

from grognard.board.sight import Obstruction
from grognard.core.readings import Die
from grognard.core.systems import Json
from grognard.systems.assault.dice import Colour
from grognard.systems.assault.figures import (
    Areas,
    Card,
    CommandCard,
    DiceFigure,
    Effect,
    Faces,
    FireRow,
    Kind,
    NumberFigure,
    PoolName,
    Spotting,
    Tables,
    Terrain,
)
from grognard.systems.assault.setup import HeldCard, Setup

T = TypeVar("T")

MAKERS: dict[str, Any] = {
    "kind": Kind,
    "obstruction": Obstruction,
    "pool": PoolName,
    "also": tuple,
    "rerolls": tuple,
    "effect": lambda table: _made(Effect, table),
    "spotting": lambda table: Spotting(**table),
    "move": lambda table: NumberFigure(**table) if isinstance(table, dict) else table,
    **dict.fromkeys(("firing", "turret_firing", "moving"), lambda table: FireRow(**table)),
    **dict.fromkeys(("hindered", "dug_in", "suppressed", "hiding", "indirect"), lambda table: DiceFigure(**table)),
    **dict.fromkeys(
        ("defense", "infantry", "vehicle", "artillery"),
        lambda dice: Areas(**dice) if isinstance(dice, dict) else dice,
    ),
    **dict.fromkeys(Colour, tuple),
}
"""How a figure of this name is made of what the shipped files say, where it is not simply that."""


def _made(figure: type[T], table: Json) -> T:
    return figure(**{name: MAKERS[name](value) if name in MAKERS else value for name, value in table.items()})


@cache
def shipped(name: str) -> Json:
    """What a shipped data file says."""
    return tomllib.loads(files(__package__).joinpath(f"data/{name}.toml").read_text(encoding="utf-8"))


@cache
def shipped_cards() -> dict[str, Card]:
    """The unit cards."""
    return {name: _made(Card, table) for name, table in shipped("cards").items()}


@cache
def shipped_terrain() -> dict[str, Terrain]:
    """The kinds of terrain, under all their names."""
    return _under_all_names({name: _made(Terrain, table) for name, table in shipped("terrain").items()})


@cache
def shipped_command_cards() -> dict[str, CommandCard]:
    """The command cards."""
    return {name: _made(CommandCard, table) for name, table in shipped("command_cards").items()}


@cache
def shipped_tables() -> Tables:
    """The tables of the player's aid, all of them."""
    return _made(Tables, shipped("tables"))


@cache
def shipped_faces(name: str) -> Faces:
    """The faces that a switch names."""
    return _made(Faces, shipped("faces")[name])


def _under_all_names(terrain: Mapping[str, Terrain]) -> dict[str, Terrain]:
    return {name: entry for key, entry in terrain.items() for name in (key, *entry.also)}


def find_card(setup: Setup, name: str) -> Card | None:
    """The unit card of this name."""
    return setup.cards.get(name) or shipped_cards().get(name)


def find_terrain(setup: Setup, name: str) -> Terrain | None:
    """The terrain of this name."""
    own = _under_all_names(setup.terrain_data) if setup.terrain_data else {}
    return own.get(name) or shipped_terrain().get(name)


def terrain(setup: Setup, name: str) -> Terrain:
    """The terrain of this name, in a battle that was found to be legal."""
    found = find_terrain(setup, name)
    assert found
    return found


def find_effect(setup: Setup, held: HeldCard) -> Effect | None:
    """What a command card does."""
    if held.card is None:
        return held.effect
    found = setup.command_card_data.get(held.card) or shipped_command_cards().get(held.card)
    return found.effect if found else None


def tables(setup: Setup) -> Tables:
    """The tables of the player's aid, all of them."""
    own = setup.tables
    if own is None:
        return shipped_tables()
    given = {field.name: table for field in fields(own) if (table := getattr(own, field.name)) is not None}
    return replace(shipped_tables(), **given)


def dice_of(figure: DiceFigure | None) -> str:
    """The dice of a figure of the tables, which are never without it."""
    assert figure
    return figure.dice


def die(setup: Setup, colour: Colour) -> Die:
    """The die of a colour, with the faces that the switch says."""
    faces = setup.rules.faces
    return _dice(shipped_faces(faces) if isinstance(faces, str) else faces)[colour]


@cache
def _dice(faces: Faces) -> dict[Colour, Die]:
    return {colour: Die(str(colour), getattr(faces, colour)) for colour in Colour}


def names_of(own: Iterable[str], shipped: Iterable[str]) -> Iterator[str]:
    """All names there are, each once."""
    yield from dict.fromkeys((*own, *shipped))


def figures() -> dict[str, Json]:
    """The shipped cards, terrain and command cards, under the keys of a battle file that go before them."""
    return {
        "cards": shipped("cards"),
        "terrain_data": shipped("terrain"),
        "command_card_data": shipped("command_cards"),
    }
