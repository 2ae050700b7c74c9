"""Factors: what varies in a sweep. Each level of a factor sets values in the base battle; `[[vary]]` lists them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

from grognard.core.errors import Fault
from grognard.core.systems import Json, System
from grognard.files.field_types import FieldType, Number
from grognard.files.messages import format_value, join_index, join_key, quote, unknown_name
from grognard.files.paths import FieldPath, PathError, field_type_at, format_path, parse_path, set_value

Cell = int | float | str | bool | None
"""One cell of a table."""
MOST_SYMBOLIC = 16
"""Only the numbers of factors with so few levels are tried as symbolic values."""
WAYS = ("values", "range", "together", "roster")
KEYS = ("name", "path", *WAYS)
ALL = "all"
LONGEST = 100_000
"""A range of a field that takes only some numbers is no longer than this."""


class Level(NamedTuple):
    """One level of a factor: its cells in the table, and the values that it sets in the battle."""

    cells: tuple[Cell, ...]
    values: tuple[tuple[FieldPath, Any], ...]

    def apply(self, source: Json) -> Json:
        """The battle at this level."""
        for path, value in self.values:
            source = set_value(source, path, value)
        return source


class RangeLevels(Sequence[Level]):
    """The levels of a range, created on demand, as there may be very many."""

    def __init__(self, numbers: range, paths: Sequence[FieldPath]) -> None:
        self.numbers = numbers
        self.paths = tuple(paths)

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, index: int) -> Level: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Level]: ...
    def __getitem__(self, index: int | slice) -> Level | Sequence[Level]:
        if isinstance(index, slice):
            return RangeLevels(self.numbers[index], self.paths)
        number = self.numbers[index]
        return Level((number,), tuple((path, number) for path in self.paths))


@dataclass(frozen=True, slots=True)
class Factor:
    """One thing that varies. It has a column for each of the paths that vary together."""

    columns: tuple[str, ...]
    levels: Sequence[Level]
    is_roster: bool = False

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """Its values, if each level is one whole number, at one path or at several, and there are few."""
        if self.is_roster or len(self.levels) > MOST_SYMBOLIC or len(self.columns) > 1:
            return None
        values = [level.values[0][1] for level in self.levels]
        return tuple(values) if all(type(value) is int for value in values) else None

    @property
    def paths(self) -> tuple[FieldPath, ...]:
        """The paths that its first level sets."""
        return tuple(path for path, _ in self.levels[0].values)

    def to_dict(self) -> Json:
        """The factor for another process."""
        data: Json = {"columns": self.columns, "is_roster": self.is_roster}
        if isinstance(self.levels, RangeLevels):
            numbers = self.levels.numbers
            return data | {"range": [numbers.start, numbers.stop, numbers.step], "paths": self.levels.paths}
        return data | {"levels": self.levels}


def factor_from_dict(data: Json) -> Factor:
    levels: Sequence[Level]
    if "range" in data:
        levels = RangeLevels(range(*data["range"]), [tuple(path) for path in data["paths"]])
    else:
        levels = [
            Level(tuple(cells), tuple((tuple(path), value) for path, value in values))
            for cells, values in data["levels"]
        ]
    return Factor(tuple(data["columns"]), levels, data["is_roster"])


def same_value_levels(paths: Sequence[FieldPath], values: Sequence[object]) -> list[Level]:
    return [Level((_cell(value),), tuple((path, value) for path in paths)) for value in values]


def _cell(value: object) -> Cell:
    """A value as a table shows it: lists and tables as JSON."""
    if value is None or isinstance(value, int | float | str):
        return value
    return json.dumps(value, ensure_ascii=False)


def find_overwritten(factor: Factor, later: Factor) -> str | None:
    """The first path that a factor varies and a later factor overwrites; None if there is none."""
    levels = later.levels if later.is_roster else later.levels[:1]
    again = {path for level in levels for path, _ in level.values}
    covers = ((path, path[:depth]) for path in factor.paths for depth in range(1, len(path) + 1))
    return next((format_path(path) for path, around in covers if around in again), None)


class VaryTable:
    """One `[[vary]]` of a design; what is wrong with it is added to the faults."""

    def __init__(
        self,
        table: Mapping[str, object],
        place: str,
        system: System[Any],
        battle: Json,
        roster: Mapping[str, Json],
        faults: list[Fault],
    ) -> None:
        self.table, self.place, self.system, self.battle, self.roster = table, place, system, battle, roster
        self.faults = faults

    def fault(self, key: str, message: str) -> None:
        self.faults.append(Fault(join_key(self.place, key), message))

    def factor(self) -> Factor | None:
        """The factor; None if anything is wrong."""
        before = len(self.faults)
        for key in self.table:
            if key not in KEYS:
                self.fault(key, unknown_name("key", key, KEYS))
        ways = [way for way in WAYS if way in self.table]
        if len(ways) != 1:
            given = f"has {' and '.join(f'`{way}`' for way in ways)}" if ways else "does not say how it varies"
            self.faults.append(Fault(self.place, f"{given}: expected one of {', '.join(WAYS)}"))
        paths = self.paths()
        types = [self.type_at(path) for path in paths]
        if len(self.faults) > before:
            return None
        levels = self.levels(ways[0], paths, [one for one in types if one])
        if len(self.faults) > before:
            return None
        if not levels:
            self.fault(ways[0], "an empty grid: there is no value in it")
            return None
        return Factor(self.columns(paths if ways[0] == "together" else paths[:1]), levels, ways[0] == "roster")

    def paths(self) -> list[FieldPath]:
        given = self.table.get("path")
        texts = [given] if isinstance(given, str) else given
        if not isinstance(texts, Sequence) or not texts or not all(isinstance(text, str) for text in texts):
            self.fault(
                "path", f"found {format_value(given)}, expected a path or a list of them" if given else "is missing"
            )
            return []
        paths = []
        for text in texts:
            try:
                paths.append(parse_path(text))
            except PathError as error:
                self.fault("path", str(error))
        return paths

    def type_at(self, path: FieldPath) -> FieldType | None:
        """The type of the field at a path."""
        try:
            return field_type_at(self.system, self.battle, path)
        except PathError as error:
            self.fault("path", str(error))
            return None

    def columns(self, paths: Sequence[FieldPath]) -> tuple[str, ...]:
        """The names of its columns: its own, or its paths."""
        given = self.table.get("name")
        names = [format_path(path) for path in paths] if given is None else [given] if isinstance(given, str) else given
        if not isinstance(names, Sequence) or len(names) != len(paths) or not all(isinstance(n, str) for n in names):
            self.fault(
                "name", f"found {format_value(given)}, expected {len(paths)} name{'s' if len(paths) > 1 else ''}"
            )
            return tuple(format_path(path) for path in paths)
        return tuple(names)

    def levels(self, way: str, paths: list[FieldPath], types: list[FieldType]) -> Sequence[Level]:
        """The levels, in the way that the table gives them."""
        given = self.table[way]
        if way == "range":
            return self.range_levels(given, paths, types)
        if way == "roster":
            return self.roster_levels(given, paths, types)
        if way == "values" and given == ALL:
            return self.all_levels(paths, types)
        if not isinstance(given, Sequence) or isinstance(given, str):
            expected = f"a list of values, or {quote(ALL)}" if way == "values" else "a list of lists"
            self.fault(way, f"found {format_value(given)}, expected {expected}")
            return ()
        if way == "values":
            self.check([[value] * len(types) for value in given], types, "values")
            return same_value_levels(paths, given)
        rows = [row for row in given if isinstance(row, Sequence) and not isinstance(row, str)]
        if len(rows) < len(given) or any(len(row) != len(paths) for row in rows):
            self.fault(way, f"expected lists of {len(paths)}: a value for each path")
            return ()
        self.check(rows, types, way)
        return [Level(tuple(map(_cell, row)), tuple(zip(paths, row, strict=True))) for row in rows]

    def all_levels(self, paths: list[FieldPath], types: list[FieldType]) -> list[Level]:
        """Every value that a switch has."""
        if not types[0].choices:
            self.fault(
                "values", f"`{format_path(paths[0])}` is {types[0].expects}: its values cannot be listed, write them"
            )
        self.check([[value] * len(types) for value in types[0].choices], types, "values")
        return same_value_levels(paths, types[0].choices)

    def range_levels(self, given: object, paths: list[FieldPath], types: list[FieldType]) -> Sequence[Level]:
        numbers = given if isinstance(given, Sequence) else ()
        if len(numbers) not in (2, 3) or not all(type(n) is int for n in numbers) or (*numbers, 1)[2] < 1:
            self.fault("range", f"found {format_value(given)}, expected [first, last] or [first, last, step]")
            return ()
        first, last, step = (*numbers, 1)[:3]
        values = range(first, last + 1, step)
        if not values:
            self.fault("range", f"an empty grid: there is no number from {first} to {last}")
        elif all(isinstance(one, Number) for one in types):
            self.check([[value] * len(types) for value in {values[0]: 0, values[-1]: 0}], types, "range")
        elif len(values) > LONGEST:
            self.fault("range", f"{len(values):,} numbers, of which not all fit: list the `values` instead")
        else:
            self.check([[value] * len(types) for value in values], types, "range")
        return RangeLevels(values, paths)

    def roster_levels(self, given: object, paths: list[FieldPath], types: list[FieldType]) -> list[Level]:
        """All cards, or those that are named."""
        if len(paths) > 1 or types[0].table is None:
            self.fault("path", "a roster needs one path, to a unit: a table on which a card is laid")
            return []
        if not self.roster:
            self.fault("roster", f"{self.system.name} has no roster: write your own cards as [roster.NAME]")
            return []
        names = list(self.roster) if given is True else given
        if not isinstance(names, Sequence) or isinstance(names, str):
            self.fault("roster", f"found {format_value(given)}, expected true or a list of names")
            return []
        for number, name in enumerate(names):
            if not isinstance(name, str) or name not in self.roster:
                place = join_index(join_key(self.place, "roster"), number)
                self.faults.append(Fault(place, unknown_name("card", name, self.roster)))
        cards = {name: self.roster[name] for name in names if isinstance(name, str) and name in self.roster}
        levels = [
            Level((name,), tuple(((*paths[0], key), value) for key, value in card.items()))
            for name, card in cards.items()
        ]
        for level in levels:
            self.check_card(level)
        return levels

    def check_card(self, level: Level) -> None:
        """Add a fault for each key of a card that the unit does not have, or whose value does not fit."""
        for path, value in level.values:
            wrong: list[Fault] = []
            try:
                field_type_at(self.system, self.battle, path).parse(value, format_path(path), wrong)
            except PathError as error:
                wrong.append(Fault(format_path(path), str(error)))
            for fault in wrong:
                self.fault("roster", f"card {quote(str(level.cells[0]))}: {fault.place}: {fault.message}")

    def check(self, rows: Sequence[Sequence[object]], types: list[FieldType], key: str) -> None:
        """Add a fault for each value that does not fit its field."""
        place = join_key(self.place, key)
        for number, row in enumerate(rows):
            for value, one in zip(row, types, strict=True):
                one.parse(value, place if key == "range" else join_index(place, number), self.faults)
