"""One `[[vary]]` of a design: its path or paths, and the levels that it lists."""

from collections.abc import Mapping, Sequence
from typing import Any

from grognard.core.errors import Fault
from grognard.core.systems import Json, System
from grognard.files.field_types import FieldType, Number
from grognard.files.messages import format_value, join_index, join_key, quote, unknown_name
from grognard.files.paths import FieldPath, PathError, field_type_at, format_path, parse_path
from grognard.studies.sweeps.factors import Factor, Level, Numbers, alike, cards, together

WAYS = ("values", "range", "together", "roster")
KEYS = ("name", "path", *WAYS)
ALL = "all"
LONGEST = 100_000
"""A range of a place that takes only some numbers is no longer than this."""


def factor_of(
    table: Mapping[str, object],
    place: str,
    system: System[Any],
    battle: Json,
    roster: Mapping[str, Json],
    faults: list[Fault],
) -> Factor | None:
    """The factor that a table says, or None and more faults."""
    return _Vary(table, place, system, battle, roster, faults).factor()


class _Vary:
    """One table, and the faults that it adds to."""

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
        """Note something that is wrong with a key."""
        self.faults.append(Fault(join_key(self.place, key), message))

    def factor(self) -> Factor | None:
        """Everything about it, if nothing is wrong."""
        before = len(self.faults)
        for key in self.table:
            if key not in KEYS:
                self.fault(key, unknown_name("key", key, KEYS))
        ways = [way for way in WAYS if way in self.table]
        if len(ways) != 1:
            said = f"has {' and '.join(f'`{way}`' for way in ways)}" if ways else "says not how"
            self.faults.append(Fault(self.place, f"{said}: expected one of {', '.join(WAYS)}"))
        paths = self.paths()
        kinds = [self.kind(path) for path in paths]
        if len(self.faults) > before:
            return None
        levels = self.levels(ways[0], paths, [kind for kind in kinds if kind])
        if len(self.faults) > before:
            return None
        if not levels:
            self.fault(ways[0], "an empty grid: there is no value in it")
            return None
        return Factor(self.columns(paths if ways[0] == "together" else paths[:1]), levels, ways[0] == "roster")

    def paths(self) -> list[FieldPath]:
        """One path, or several."""
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

    def kind(self, path: FieldPath) -> FieldType | None:
        """What may stand at a path."""
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

    def levels(self, way: str, paths: list[FieldPath], kinds: list[FieldType]) -> Sequence[Level]:
        """The levels, in the way that the table gives them."""
        given = self.table[way]
        if way == "range":
            return self.of_range(given, paths, kinds)
        if way == "roster":
            return self.of_roster(given, paths, kinds)
        if way == "values" and given == ALL:
            return self.of_all(paths, kinds)
        if not isinstance(given, Sequence) or isinstance(given, str):
            expected = f"a list of values, or {quote(ALL)}" if way == "values" else "a list of lists"
            self.fault(way, f"found {format_value(given)}, expected {expected}")
            return ()
        if way == "values":
            self.check([[value] * len(kinds) for value in given], kinds, "values")
            return alike(paths, given)
        rows = [row for row in given if isinstance(row, Sequence) and not isinstance(row, str)]
        if len(rows) < len(given) or any(len(row) != len(paths) for row in rows):
            self.fault(way, f"expected lists of {len(paths)}: a value for each path")
            return ()
        self.check(rows, kinds, way)
        return together(paths, rows)

    def of_all(self, paths: list[FieldPath], kinds: list[FieldType]) -> list[Level]:
        """Every value that a switch has."""
        if not kinds[0].choices:
            self.fault(
                "values", f"`{format_path(paths[0])}` is {kinds[0].expects}: its values cannot be listed, write them"
            )
        self.check([[value] * len(kinds) for value in kinds[0].choices], kinds, "values")
        return alike(paths, kinds[0].choices)

    def of_range(self, given: object, paths: list[FieldPath], kinds: list[FieldType]) -> Sequence[Level]:
        """First, last and perhaps a step."""
        numbers = given if isinstance(given, Sequence) else ()
        if len(numbers) not in (2, 3) or not all(type(n) is int for n in numbers) or (*numbers, 1)[2] < 1:
            self.fault("range", f"found {format_value(given)}, expected [first, last] or [first, last, step]")
            return ()
        first, last, step = (*numbers, 1)[:3]
        values = range(first, last + 1, step)
        if not values:
            self.fault("range", f"an empty grid: there is no number from {first} to {last}")
        elif all(isinstance(kind, Number) for kind in kinds):
            self.check([[value] * len(kinds) for value in {values[0]: 0, values[-1]: 0}], kinds, "range")
        elif len(values) > LONGEST:
            self.fault("range", f"{len(values):,} numbers, of which not all fit: list the `values` instead")
        else:
            self.check([[value] * len(kinds) for value in values], kinds, "range")
        return Numbers(values, paths)

    def of_roster(self, given: object, paths: list[FieldPath], kinds: list[FieldType]) -> list[Level]:
        """All cards, or those that are named."""
        if len(paths) > 1 or kinds[0].table is None:
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
            if name not in self.roster:
                place = join_index(join_key(self.place, "roster"), number)
                self.faults.append(Fault(place, unknown_name("card", name, self.roster)))
        levels = cards(paths[0], {name: self.roster[name] for name in names if name in self.roster})
        for level in levels:
            self.check_card(level)
        return levels

    def check_card(self, level: Level) -> None:
        """Every key of a card is one that the unit has, and its value fits."""
        for path, value in level.writes:
            wrong: list[Fault] = []
            try:
                field_type_at(self.system, self.battle, path).parse(value, format_path(path), wrong)
            except PathError as error:
                wrong.append(Fault(format_path(path), str(error)))
            for fault in wrong:
                self.fault("roster", f"card {quote(str(level.cells[0]))}: {fault.place}: {fault.message}")

    def check(self, rows: Sequence[Sequence[object]], kinds: list[FieldType], key: str) -> None:
        """Every value may stand where it goes."""
        place = join_key(self.place, key)
        for number, row in enumerate(rows):
            for value, kind in zip(row, kinds, strict=True):
                kind.parse(value, place if key == "range" else join_index(place, number), self.faults)
