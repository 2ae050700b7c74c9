"""Where the figures of the game come from, and the battle file with all its own figures in it."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Json, Source
from grognard.systems.assault.data import shipped
from grognard.systems.assault.dice import Colour

PATHS = ("cards", "terrain_data", "command_card_data", "tables")
"""The keys of a battle file that may name a file of figures; and so may the switch `faces`."""


def roster() -> dict[str, Json]:
    """The units by card, as a battle file would write them but for id and side."""
    return {name: {"card": name} for name in shipped("cards")}


def sources() -> tuple[Source, ...]:
    """Every figure that is shipped, with its mark."""
    return (*_faces(), *_cards(), *_terrain(), *_tables(), *_command_cards())


def _faces() -> Iterator[Source]:
    for name, faces in shipped("faces").items():
        for colour in Colour:
            shown = " ".join(face or "–" for face in faces[colour])
            yield Source(f"{colour} die, {name}", shown, faces["mark"])


def _cards() -> Iterator[Source]:
    for name, card in shipped("cards").items():
        yield Source(
            f"card {name}", _figure({key: value for key, value in card.items() if key != "mark"}), card["mark"]
        )


def _terrain() -> Iterator[Source]:
    for name, entry in shipped("terrain").items():
        yield from _marked(f"terrain {name}", entry)


def _tables() -> Iterator[Source]:
    for name, entry in shipped("tables").items():
        yield from _marked(f"table {name}", entry)


def _command_cards() -> Iterator[Source]:
    for name, card in shipped("command_cards").items():
        yield Source(f"command card {name}", _figure(card["effect"]), card["mark"])


def _marked(what: str, entry: Json) -> Iterator[Source]:
    """All figures of an entry, those with a mark of their own apart."""
    marks: dict[str, str] = entry.get("marks", {})
    figures = {name: figure for name, figure in _flat(entry).items() if name not in ("mark", "also")}
    rest = {name: figure for name, figure in figures.items() if name not in marks and not name.startswith("marks.")}
    if rest:
        yield Source(what, _figure(rest), entry["mark"])
    for name, mark in marks.items():
        yield Source(f"{what}, {name}", _figure(figures[name]) or "–", mark)


def _flat(entry: Json) -> Json:
    """The entry with the keys of inner tables written out: `infantry.front`."""
    flat: Json = {}
    for name, value in entry.items():
        inner = {f"{name}.{key}": figure for key, figure in value.items()} if isinstance(value, dict) else {name: value}
        flat |= inner
    return flat


def _figure(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_figure(inner) or '–'}" for key, inner in value.items())
    if isinstance(value, list):
        return " ".join(map(str, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def expand(source: Json, folder: Path) -> Json:
    """The battle file with the files of figures in it that it names by path."""
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
        text = (folder / named).read_text(encoding="utf-8")
        return json.loads(text) if named.lower().endswith(".json") else tomllib.loads(text)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        faults.append(Fault(place, f'the file "{named}" cannot be read: {why}'))
        return named
