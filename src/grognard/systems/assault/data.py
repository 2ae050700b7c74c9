"""The figures that come with the program, those of a battle file that override them, and the sources of all."""

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from grognard.board.sight import Obstruction
from grognard.core.errors import BattleError, Fault
from grognard.core.readings import Die
from grognard.core.systems import Json, SourcedFigure
from grognard.systems.assault.figures import (
    Areas,
    Card,
    Colour,
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

BUILDERS: dict[str, Any] = {
    "kind": Kind,
    "obstruction": Obstruction,
    "pool": PoolName,
    "also": tuple,
    "rerolls": tuple,
    "effect": lambda table: _build(Effect, table),
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
"""Constructors for the figures that are not plain values in the data files, by name."""
PATHS = ("cards", "terrain_data", "command_card_data", "tables")
"""The keys of a battle file that may hold the path of a file of figures; the switch `faces` may too."""

LARGEST = 10_000_000
"""The largest size of such a file in bytes."""


def _build(figure: type[T], table: Json) -> T:
    return figure(**{name: BUILDERS[name](value) if name in BUILDERS else value for name, value in table.items()})


@cache
def shipped(name: str) -> Json:
    """A shipped data file."""
    return tomllib.loads(Path(__file__).with_name("data").joinpath(f"{name}.toml").read_text(encoding="utf-8"))


@cache
def shipped_cards() -> dict[str, Card]:
    return {name: _build(Card, table) for name, table in shipped("cards").items()}


@cache
def shipped_terrain() -> dict[str, Terrain]:
    """The kinds of terrain, under all their names."""
    terrain = {name: _build(Terrain, table) for name, table in shipped("terrain").items()}
    return {name: entry for key, entry in terrain.items() for name in (key, *entry.also)}


@cache
def shipped_command_cards() -> dict[str, CommandCard]:
    return {name: _build(CommandCard, table) for name, table in shipped("command_cards").items()}


@cache
def shipped_tables() -> Tables:
    """The tables of the player's aid."""
    return _build(Tables, shipped("tables"))


@cache
def shipped_faces(name: str) -> Faces:
    """The faces of this name, a value of the switch `faces`."""
    return _build(Faces, shipped("faces")[name])


def find_card(setup: Setup, name: str) -> Card | None:
    return setup.cards.get(name) or shipped_cards().get(name)


def find_terrain(setup: Setup, name: str) -> Terrain | None:
    return setup.terrain_by_name.get(name) or shipped_terrain().get(name)


def terrain(setup: Setup, name: str) -> Terrain:
    """The terrain of this name, in a legal battle."""
    entry = find_terrain(setup, name)
    assert entry
    return entry


def find_effect(setup: Setup, held: HeldCard) -> Effect | None:
    """What a command card does."""
    if held.card is None:
        return held.effect
    card = setup.command_card_data.get(held.card) or shipped_command_cards().get(held.card)
    return card.effect if card else None


def tables(setup: Setup) -> Tables:
    """The tables of the player's aid; the file's own override the shipped ones."""
    own = setup.tables
    if own is None:
        return shipped_tables()
    own_tables = {field.name: table for field in fields(own) if (table := getattr(own, field.name)) is not None}
    return replace(shipped_tables(), **own_tables)


def dice_of(figure: DiceFigure | None) -> str:
    """The dice of a figure of the tables, which is never missing."""
    assert figure
    return figure.dice


def die(setup: Setup, colour: Colour) -> Die:
    """The die of a colour, with the faces of the switch `faces`."""
    faces = setup.rules.faces
    return _dice(shipped_faces(faces) if isinstance(faces, str) else faces)[colour]


@lru_cache(maxsize=8)
def _dice(faces: Faces) -> dict[Colour, Die]:
    return {colour: Die(str(colour), getattr(faces, colour)) for colour in Colour}


def names_of(own: Iterable[str], shipped: Iterable[str]) -> Iterator[str]:
    """All names, each once."""
    yield from dict.fromkeys((*own, *shipped))


def roster() -> dict[str, Json]:
    """A unit for each card, as a battle file would write it, without id and side."""
    return {name: {"card": name} for name in shipped("cards")}


def sources() -> tuple[SourcedFigure, ...]:
    """Every figure that is shipped, with its mark."""
    return (
        *_sources_of_faces(),
        *_sources_of_cards(),
        *_sources_of("terrain", "terrain"),
        *_sources_of("tables", "table"),
    )


def _sources_of_faces() -> Iterator[SourcedFigure]:
    for name, faces in shipped("faces").items():
        for colour in Colour:
            shown = " ".join(face or "–" for face in faces[colour])
            yield SourcedFigure(f"{colour} die, {name}", shown, faces["mark"])


def _sources_of_cards() -> Iterator[SourcedFigure]:
    for name, card in shipped("cards").items():
        figures = {key: value for key, value in card.items() if key != "mark"}
        yield SourcedFigure(f"card {name}", _format(figures), card["mark"])
    for name, card in shipped("command_cards").items():
        yield SourcedFigure(f"command card {name}", _format(card["effect"]), card["mark"])


def _sources_of(file: str, noun: str) -> Iterator[SourcedFigure]:
    """The figures of a file's entries; those with a mark of their own are listed separately."""
    for name, entry in shipped(file).items():
        marks: Mapping[str, str] = entry.get("marks", {})
        figures = {key: figure for key, figure in _flat(entry).items() if key not in ("mark", "also")}
        rest = {key: figure for key, figure in figures.items() if key not in marks and not key.startswith("marks.")}
        if rest:
            yield SourcedFigure(f"{noun} {name}", _format(rest), entry["mark"])
        for key, mark in marks.items():
            yield SourcedFigure(f"{noun} {name}, {key}", _format(figures[key]) or "–", mark)


def _flat(entry: Json) -> Json:
    """The entry with the keys of inner tables joined: `infantry.front`."""
    flat: Json = {}
    for name, value in entry.items():
        inner = {f"{name}.{key}": figure for key, figure in value.items()} if isinstance(value, dict) else {name: value}
        flat |= inner
    return flat


def _format(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_format(inner) or '–'}" for key, inner in value.items())
    if isinstance(value, list):
        return " ".join(map(str, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def expand(source: Json, folder: Path) -> Json:
    """The battle file with the contents of the files that it names by path."""
    faults: list[Fault] = []
    expanded = {key: _read(value, folder, key, faults) if key in PATHS else value for key, value in source.items()}
    rules = source.get("rules")
    if isinstance(rules, dict) and rules.get("faces") not in (None, *shipped("faces")):
        expanded["rules"] = {**rules, "faces": _read(rules["faces"], folder, "rules.faces", faults)}
    if faults:
        raise BattleError(faults)
    return expanded


def _read(named: object, folder: Path, place: str, faults: list[Fault]) -> object:
    if not isinstance(named, str):
        return named
    try:
        with (folder / named).open("rb") as file:
            text = file.read(LARGEST + 1).decode("utf-8")
        if len(text) > LARGEST:
            raise ValueError("is too large")
        return json.loads(text) if named.lower().endswith(".json") else tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        faults.append(Fault(place, f'the file "{named}" cannot be read: {why}'))
        return named


def figures() -> dict[str, Json]:
    """The shipped cards, terrain and command cards, under the keys by which a battle file overrides them."""
    return {
        "cards": shipped("cards"),
        "terrain_data": shipped("terrain"),
        "command_card_data": shipped("command_cards"),
    }
