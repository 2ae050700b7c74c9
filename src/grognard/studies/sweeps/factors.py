"""Factors: what varies in a sweep, as levels, each of which writes values into the base battle."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

from grognard.core.systems import Json
from grognard.files.paths import FieldPath, format_path, set_value

Cell = int | float | str | bool | None
"""What stands in a table."""
FEW = 16
"""Only factors of so few levels are tried as numbers that no rule looks at."""


class Level(NamedTuple):
    """One of the things that a factor can be: its cells in the table, and what it writes where."""

    cells: tuple[Cell, ...]
    writes: tuple[tuple[FieldPath, Any], ...]

    def into(self, source: Json) -> Json:
        """The battle with this level in it."""
        for place, value in self.writes:
            source = set_value(source, place, value)
        return source


class Numbers(Sequence[Level]):
    """The levels of a range, made when they are asked for: there may be a great many."""

    def __init__(self, numbers: range, places: Sequence[FieldPath]) -> None:
        self.numbers = numbers
        self.places = tuple(places)

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, index: int) -> Level: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Level]: ...
    def __getitem__(self, index: int | slice) -> Level | Sequence[Level]:
        if isinstance(index, slice):
            return Numbers(self.numbers[index], self.places)
        number = self.numbers[index]
        return Level((number,), tuple((place, number) for place in self.places))


@dataclass(frozen=True, slots=True)
class Factor:
    """One thing that varies; of things that move together, each has a column."""

    columns: tuple[str, ...]
    levels: Sequence[Level]
    is_roster: bool = False

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """Its values, if each level is one whole number, in one place or in several, and there are few."""
        if self.is_roster or len(self.levels) > FEW or len(self.columns) > 1:
            return None
        values = [level.writes[0][1] for level in self.levels]
        return tuple(values) if all(type(value) is int for value in values) else None

    @property
    def places(self) -> tuple[FieldPath, ...]:
        """Where its first level writes to."""
        return tuple(place for place, _ in self.levels[0].writes)

    def to_json(self) -> Json:
        """The factor for another process."""
        told: Json = {"columns": self.columns, "is_roster": self.is_roster}
        if isinstance(self.levels, Numbers):
            numbers = self.levels.numbers
            return told | {"range": [numbers.start, numbers.stop, numbers.step], "places": self.levels.places}
        return told | {"levels": self.levels}


def factor_from(told: Json) -> Factor:
    """The factor that another process told of."""
    levels: Sequence[Level]
    if "range" in told:
        levels = Numbers(range(*told["range"]), [tuple(place) for place in told["places"]])
    else:
        levels = [
            Level(tuple(cells), tuple((tuple(place), value) for place, value in writes))
            for cells, writes in told["levels"]
        ]
    return Factor(tuple(told["columns"]), levels, told["is_roster"])


def alike(places: Sequence[FieldPath], values: Sequence[object]) -> list[Level]:
    """Levels that write the same value everywhere."""
    return [Level((cell(value),), tuple((place, value) for place in places)) for value in values]


def together(places: Sequence[FieldPath], rows: Sequence[Sequence[object]]) -> list[Level]:
    """Levels that write one value for each place."""
    return [Level(tuple(cell(value) for value in row), tuple(zip(places, row, strict=True))) for row in rows]


def cards(place: FieldPath, roster: dict[str, Json]) -> list[Level]:
    """Levels that lay a card of a roster over the table at a place."""
    return [
        Level((name,), tuple(((*place, key), value) for key, value in card.items())) for name, card in roster.items()
    ]


def overwritten(factor: Factor, later: Factor) -> str | None:
    """A place that a factor varies in vain, since a later one writes over it."""
    levels = later.levels if later.is_roster else later.levels[:1]
    writes = {place for level in levels for place, _ in level.writes}
    covers = ((place, place[:depth]) for place in factor.places for depth in range(1, len(place) + 1))
    return next((format_path(place) for place, around in covers if around in writes), None)


def cell(value: object) -> Cell:
    """A value as a table shows it: lists and tables as JSON."""
    if value is None or isinstance(value, int | float | str):
        return value
    return json.dumps(value, ensure_ascii=False)
