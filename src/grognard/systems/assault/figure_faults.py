"""What is wrong with figures that a file gives itself: dice, range bands, faces."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

from grognard.core.errors import Fault
from grognard.readings.symbols import STRONG_TO_WEAK
from grognard.systems.assault.dice import BY_LETTER, Colour, parse_band
from grognard.systems.assault.figures import Areas, Effect, Faces, Kind, Terrain
from grognard.systems.assault.setup import Setup

BAND = re.compile(r"\d{1,3}([-–]\d{1,3})?")
ROWS = ("v_infantry", "v_armour", "v_indirect")
DICE = ("dice", "gains", "loses", "normal", "fast_vehicle", "unspotted", "unspotted_vehicle")
"""The keys, wherever they are, whose text is dice; `defense` and the kinds of units may also be a table of areas."""


def inside(place: str, key: str) -> str:
    """The place of a key; one that is no bare word is quoted."""
    name = key if re.fullmatch("[A-Za-z0-9_-]+", key) else f'"{key}"'
    return f"{place}.{name}" if place else name


def figure_faults(setup: Setup) -> Iterator[Fault]:
    """Everything wrong with dice, bands and faces anywhere in the file."""
    yield from _table(setup, "")


def _table(table: object, place: str) -> Iterator[Fault]:
    """Walk a table and those inside it."""
    if isinstance(table, Faces):
        yield from _faces(table, place)
    elif is_dataclass(table):
        for field in fields(table):
            yield from _value(table, field.name, getattr(table, field.name), inside(place, field.name))


def _value(table: object, name: str, value: object, place: str) -> Iterator[Fault]:
    if isinstance(value, Mapping) and name in ROWS:
        yield from row_faults(value, place)
    elif isinstance(value, str):
        has_dice = name in DICE or name == "defense" or isinstance(table, Areas)
        if has_dice or (isinstance(table, Terrain) and name in set(Kind)):
            yield from dice_faults(value, place)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _table(inner, inside(place, key))
    elif isinstance(value, tuple):
        for number, inner in enumerate(value):
            yield from _table(inner, f"{place}[{number}]")
    else:
        if isinstance(value, Effect) and value == Effect(pool=value.pool):
            yield Fault(place, "does nothing: expected gains, loses, rerolls, x or cancels")
        yield from _table(value, place)


def dice_faults(text: str, place: str) -> Iterator[Fault]:
    """Dice are written as letters."""
    if any(letter not in BY_LETTER for letter in text):
        known = ", ".join(f"{letter} {colour}" for letter, colour in BY_LETTER.items())
        yield Fault(place, f'found "{text}", expected dice by their letters, such as "RRY": {known}')


def row_faults(row: Mapping[str, str], place: str) -> Iterator[Fault]:
    """Bands are ranges that do not overlap."""
    taken: dict[int, str] = {}
    for band, dice in row.items():
        where = inside(place, band)
        yield from dice_faults(dice, where)
        if not BAND.fullmatch(band) or not parse_band(band):
            yield Fault(where, f'found "{band}", expected a range such as "4", or "1-3" from the nearer to the farther')
            continue
        shared = next((taken[hexes] for hexes in parse_band(band) if hexes in taken), None)
        if shared:
            yield Fault(where, f'overlaps with "{shared}"')
        taken |= dict.fromkeys(parse_band(band), band)


def _faces(faces: Faces, place: str) -> Iterator[Fault]:
    for colour in Colour:
        for number, face in enumerate(getattr(faces, colour)):
            if any(symbol not in STRONG_TO_WEAK for symbol in face):
                message = f'found "{face}", expected one or two of {", ".join(STRONG_TO_WEAK)}, or nothing'
                yield Fault(f"{inside(place, colour)}[{number}]", message)
