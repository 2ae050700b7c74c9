"""Places in a battle file, such as `units[0].strength`: written as faults write them, known by the set-up's types."""

import re
from collections.abc import Mapping
from typing import Any

from grognard.core.systems import Json, System
from grognard.files.fields import SWITCHES, Table, fields_of
from grognard.files.groups import Either, Fixed, Maybe, Named, Several
from grognard.files.kinds import Kind
from grognard.files.words import entry, found, inside, unknown

Place = tuple[str | int, ...]
"""Keys and positions in lists, from the outside in."""

_PART = re.compile(r'(?:^|(?<=.)\.)(?:([A-Za-z0-9_-]+)|"((?:[^"\\]|\\.)*)")|\[(\d{1,9})\]')


class NoSuchPlace(ValueError):
    """A path that leads nowhere, and why."""


def parse_place(text: str) -> Place:
    """The parts of a path."""
    parts: list[str | int] = []
    at = 0
    while at < len(text) and (match := _PART.match(text, at)):
        bare, quoted, position = match.groups()
        parts.append(int(position) if position else bare or re.sub(r"\\(.)", r"\1", quoted))
        at = match.end()
    if at < len(text) or not parts or isinstance(parts[0], int):
        raise NoSuchPlace(f"found {found(text)}, expected a path such as {SWITCHES}.… or …[0].…")
    return tuple(parts)


def written(place: Place) -> str:
    """A place as faults write it."""
    text = ""
    for part in place:
        text = entry(text, part) if isinstance(part, int) else inside(text, part)
    return text


def kind_at(system: System[Any], source: Json, place: Place) -> Kind:
    """What may stand at a place of this battle, or why there is none such."""
    kind: Kind = Table(system.setup)
    value: object = source
    for depth, part in enumerate(place):
        kind, value = _step(kind, value, part, place[:depth])
    return kind


def _step(kind: Kind, value: object, part: str | int, above: Place) -> tuple[Kind, object]:
    """One part further in."""
    kind = _meant(kind, value)
    if isinstance(part, int):
        return _in_list(kind, value, part, above)
    table = value if isinstance(value, Mapping) else {}
    if isinstance(kind, Table):
        known = {field.name: field.kind for field in fields_of(kind.shape)}
        if part not in known:
            noun = "switch" if above == (SWITCHES,) else "key"
            raise NoSuchPlace(f"{_where(above)}{unknown(noun, part, known)}")
        return known[part], table.get(part)
    if isinstance(kind, Named):
        return kind.kind, table.get(part)
    raise NoSuchPlace(f"`{written(above)}` is {kind.words}: it has no `{part}`")


def _in_list(kind: Kind, value: object, part: int, above: Place) -> tuple[Kind, object]:
    entries = value if isinstance(value, list | tuple) else ()
    if isinstance(kind, Fixed) and part < len(kind.kinds) and entries:
        return kind.kinds[part], entries[part]
    if isinstance(kind, Several) and part < len(entries):
        return kind.kind, entries[part]
    if isinstance(kind, Fixed | Several):
        number = f"has {len(entries)}" if isinstance(value, list | tuple) else "is not in this battle"
        raise NoSuchPlace(f"there is no `{written((*above, part))}`: `{written(above)}` {number}, counted from 0")
    raise NoSuchPlace(f"`{written(above)}` is {kind.words}, not a list")


def _meant(kind: Kind, value: object) -> Kind:
    """Which of several kinds the battle has at a place; a table where it has nothing."""
    while isinstance(kind, Maybe | Either):
        if isinstance(kind, Maybe):
            kind = kind.kind
        else:
            fitting = [one for one in kind.kinds if one.fits(value)]
            kind = next(iter([*fitting, *(one for one in kind.kinds if one.table), *kind.kinds]))
    return kind


def _where(above: Place) -> str:
    return f"in `{written(above)}`: " if above else ""


def placed(source: Json, place: Place, value: object) -> Json:
    """The battle with this value at this place; tables on the way that it lacks are made."""
    return _placed(source, place, value)  # type: ignore[no-any-return]


def _placed(around: Any, place: Place, value: object) -> Any:
    if not place:
        return value
    first, rest = place[0], place[1:]
    if isinstance(first, int):
        return [*around[:first], _placed(around[first], rest, value), *around[first + 1 :]]
    table = around if isinstance(around, Mapping) else {}
    return {**table, first: _placed(table.get(first), rest, value)}
