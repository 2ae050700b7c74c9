"""Reads the data of a file as a legal battle, or reports all its faults."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from grognard import systems
from grognard.core.errors import BattleError, Fault, FaultCode, limit_suggestions
from grognard.core.fields import LONGEST_NAME
from grognard.core.systems import Battle, Json, System
from grognard.files.field_types import FieldType, FixedList, Flag, ListOf, Nullable, Number, OneOf, TableOf, Text
from grognard.files.fields import Table, fields_of, parse_table, to_plain
from grognard.files.messages import format_value, quote, unknown_name
from grognard.files.paths import PathError, parse_path, set_value
from grognard.files.sources import Source, parse_text, read_source, wrong_kind_faults

T = TypeVar("T")

SYSTEM = "system"
"""The key of the system's name; all other keys depend on the system."""
MOST_FAULTS = 10_000
"""At most this many faults of a file are listed."""


def load(path: str | Path) -> Battle:
    """Read a battle from a `.toml` or `.json` file, or from standard input if the path is `-`.

    Files that it names by path are read from its folder, and become part of the battle.
    """
    return _from_source(_parse_battle, read_source(path), Path(path).parent)


def battle_from_text(text: str) -> Battle:
    """Read a battle from TOML or JSON text. It can name no other files."""
    return _from_source(_parse_battle, parse_text(text))


def battle(data: Mapping[str, object]) -> Battle:
    """Read a battle from a dictionary of the same structure as a battle file. It can name no other files."""
    return _from_data(_parse_battle, data)


def load_draft(path: str | Path) -> tuple[System[Any], Json]:
    """Read a battle file between two attacks: its tables must be valid, but tables at its top may be missing."""
    return _from_source(_parse_draft, read_source(path), Path(path).parent)


def draft(data: Mapping[str, object]) -> tuple[System[Any], Json]:
    """Read a battle between two attacks from a dictionary, as `load_draft` does."""
    return _from_data(_parse_draft, data)


def replace(legal: Battle, path: str, value: object) -> Battle:
    """The battle with another value at a path such as `units[0].strength`."""
    try:
        changed = set_value(legal.source, parse_path(path), value)
    except PathError as error:
        raise BattleError([Fault(path, str(error), FaultCode.UNKNOWN_KEY)]) from None
    return battle(changed)


def system_of(name: object) -> System[Any]:
    """The system of this name; if there is none, a BattleError lists the known ones."""
    faults: list[Fault] = []
    system = _system(name, faults)
    if system is None:
        raise BattleError(faults)
    return system


Parser = Callable[[object, list[Fault], Path | None], T | None]
"""A function that parses data. It adds all faults to the list, and returns None if the data is not valid.

Files that the data names are read from the folder; None: they are not read."""


def _from_source(parse: Parser[T], source: Source, folder: Path | None = None) -> T:
    faults = source.repeated_faults()
    with limit_suggestions():
        parsed = parse(source.data, faults, folder)
    if parsed is None or faults:
        raise source.error(_first(faults))
    return parsed


def _from_data(parse: Parser[T], data: object) -> T:
    faults: list[Fault] = []
    with limit_suggestions():
        parsed = parse(data, faults, None)
    if parsed is None or faults:
        raise BattleError(_first(faults))
    return parsed


def _first(faults: list[Fault]) -> list[Fault]:
    more = len(faults) - MOST_FAULTS
    return [*faults[:MOST_FAULTS], Fault("", f"and {more:,} more faults", FaultCode.TOO_LONG)] if more > 0 else faults


def _parse_battle(data: object, faults: list[Fault], folder: Path | None) -> Battle | None:
    fields = _parse_fields(data, faults, folder)
    if fields is None:
        return None
    if fields.setup is None:
        faults.extend(_faults_of_battle(fields.system, fields.source, faults))
        return None
    faults.extend(fields.system.faults(fields.setup))
    return Battle(fields.system, fields.setup, to_plain(fields.source))


def _parse_draft(data: object, faults: list[Fault], folder: Path | None) -> tuple[System[Any], Json] | None:
    all_faults: list[Fault] = []
    fields = _parse_fields(data, all_faults, folder)
    if fields is None:
        faults.extend(all_faults)
        return None
    known = {field.name for field in fields_of(fields.system.setup)}
    absent = known - fields.source.keys()
    faults.extend(fault for fault in all_faults if fault.place not in absent)
    return None if faults else (fields.system, to_plain(fields.source))


class _Fields(NamedTuple):
    """A file parsed field by field; the set-up is None if a field is not valid."""

    system: System[Any]
    source: Json
    setup: object


def _parse_fields(data: object, faults: list[Fault], folder: Path | None) -> _Fields | None:
    if other := wrong_kind_faults(data, "battle"):
        faults.extend(other)
        return None
    if not isinstance(data, Mapping):
        message = f"found {format_value(data)}, expected a table with `{SYSTEM}`"
        faults.append(Fault("", message, FaultCode.WRONG_TYPE))
        return None
    system = _system(data[SYSTEM], faults) if SYSTEM in data else None
    if SYSTEM not in data:
        faults.append(Fault(SYSTEM, f"is missing: expected one of {_known()}", FaultCode.MISSING))
    if system is None:
        return None
    expanded, missing = _expand(system, data, folder)
    wrong: list[Fault] = []
    setup = parse_table(system.setup, expanded, "", wrong, ignored=(SYSTEM,))
    places = {fault.place for fault in missing}
    faults.extend([*missing, *(_explain(system, fault) for fault in wrong if fault.place not in places)])
    return _Fields(system, expanded, setup)


def _explain(system: System[Any], fault: Fault) -> Fault:
    """The fault of an unknown key, with the reason if the system gives one."""
    if fault.code != FaultCode.UNKNOWN_KEY or fault.place not in system.refused_keys:
        return fault
    return Fault(fault.place, system.refused_keys[fault.place], fault.code)


def _expand(system: System[Any], data: Mapping[str, object], folder: Path | None) -> tuple[Json, list[Fault]]:
    """The file with the content of every file that it names by path, and the faults of files that are missing."""
    if folder is None:  # a battle from a request must not read files of this machine
        return dict(data), []
    try:
        return system.expand(dict(data), folder), []
    except BattleError as error:
        return dict(data), error.faults


def _system(name: object, faults: list[Fault]) -> System[Any] | None:
    if not isinstance(name, str):
        message = f"found {format_value(name)}, expected one of {_known()}"
        faults.append(Fault(SYSTEM, message, FaultCode.WRONG_TYPE))
    elif name not in systems.names():
        faults.append(Fault(SYSTEM, unknown_name("system", name, systems.names()), FaultCode.UNKNOWN_NAME))
    else:
        return systems.find(name)
    return None


def _known() -> str:
    return ", ".join(quote(name) for name in systems.names())


# A system can check a set-up only if every field is valid. To report its faults beside those of the fields, every
# invalid or missing value is replaced several times: numbers by the lowest and by the highest valid value, names by new
# ones and by each name in the file. A fault that occurs every time does not depend on the values that were meant.

LOWEST, HIGHEST = 0, -1
"""The ends of the valid values, as indices."""
UNBOUNDED_STAND_IN = 100
"""The highest stand-in for a number without an upper bound."""
MOST_CHECKED = 50_000
"""A missing name has no stand-ins if the names of the file, times all its values, are more than these."""


class _NoStandIn(Exception):
    """An invalid value without a stand-in."""


class _StandIns:
    """The valid values of one check: the lowest or the highest, and for every name this one, or each time a new one."""

    def __init__(self, end: int, name: str | None = None) -> None:
        self.end, self.name, self.names = end, name, 0

    def next_name(self) -> str:
        """The stand-in for the next name."""
        self.names += 1
        return self.name or f"\ufffd{self.names}"


def _faults_of_battle(system: System[Any], source: Json, known: Sequence[Fault]) -> list[Fault]:
    """The faults that the system finds whatever valid values replace the invalid ones at the places of known faults."""
    try:
        lowest = _StandIns(LOWEST)
        faults = _faults_with_stand_ins(system, source, lowest)
        others = [_StandIns(HIGHEST)]
        if lowest.names:
            others += [_StandIns(LOWEST, name) for name in _names_in(source)]
        for stand_ins in others if faults else []:
            found = set(_faults_with_stand_ins(system, source, stand_ins))
            faults = [fault for fault in faults if fault in found]
    except _NoStandIn:
        return []
    places = {fault.place for fault in known}
    return [fault for fault in faults if places.isdisjoint(_enclosing(fault.place))]


def _enclosing(place: str) -> list[str]:
    """A place, and the places of the tables and lists around it."""
    return [place, *(place[: mark.start()] for mark in re.finditer(r"[.\[]", place))]


def _names_in(source: Json) -> list[str]:
    """Every text of a file that may be a name, once."""
    names: dict[str, None] = {}
    parts: list[object] = [source]
    for part in parts:
        if isinstance(part, str):
            names[part] = None
        elif isinstance(part, Mapping):
            parts += [*part, *part.values()]
        elif isinstance(part, list | tuple):
            parts += part
        if len(names) * len(parts) > MOST_CHECKED:
            raise _NoStandIn
    return [name for name in names if name.strip() and len(name) <= LONGEST_NAME]


def _faults_with_stand_ins(system: System[Any], source: Json, stand_ins: _StandIns) -> list[Fault]:
    setup = parse_table(system.setup, _repair_table(Table(system.setup), source, stand_ins), "", [])
    if setup is None:
        raise _NoStandIn
    return list(system.faults(setup))


def _repair(value_type: FieldType, value: object, stand_ins: _StandIns) -> object:
    """The value, with a stand-in for every invalid part."""
    match value_type, value:
        case Table(), Mapping():
            return _repair_table(value_type, value, stand_ins)
        case ListOf(), list() | tuple():
            return [_repair(value_type.item, entry, stand_ins) for entry in value]
        case TableOf(), Mapping():
            return {name: _repair(value_type.item, entry, stand_ins) for name, entry in value.items()}
        case Nullable(), _ if value is not None:
            return _repair(value_type.item, value, stand_ins)
    wrong: list[Fault] = []
    value_type.parse(value, "", wrong)
    return _stand_in(value_type, stand_ins) if wrong else value


def _repair_table(table_type: Table, table: Mapping[str, object], stand_ins: _StandIns) -> Json:
    """The repaired table, without unknown keys and without optional values that have no stand-in."""
    repaired: Json = {}
    for field in fields_of(table_type.shape):
        try:
            if field.name in table:
                repaired[field.name] = _repair(field.value_type, table[field.name], stand_ins)
            elif field.required:
                repaired[field.name] = _stand_in(field.value_type, stand_ins)
        except _NoStandIn:
            is_given = table.get(field.name) is not None
            is_table = field.table is not None or field.value_type.is_named
            if field.required or (is_given and is_table):  # without the table the battle would have other faults
                raise
    return repaired


def _stand_in(value_type: FieldType, stand_ins: _StandIns) -> object:
    match value_type:
        case Number():
            most = UNBOUNDED_STAND_IN if value_type.at_most is None else value_type.at_most
            return (value_type.at_least or 0, most)[stand_ins.end]
        case Flag() | OneOf():
            return value_type.choices[stand_ins.end]
        case Text():
            return stand_ins.next_name()
        case Table():
            fields = [field for field in fields_of(value_type.shape) if field.required or field.choices]
            return {field.name: _stand_in(field.value_type, stand_ins) for field in fields}
        case ListOf(item=Table()):
            return [_stand_in(value_type.item, stand_ins)]
        case FixedList(types=(first, *others)):  # the highest column in the lowest row: not on one diagonal
            lowest = _StandIns(LOWEST)
            return [_stand_in(first, stand_ins), *(_stand_in(part, lowest) for part in others)]
        case Nullable():
            return _stand_in(value_type.item, stand_ins)
    raise _NoStandIn
