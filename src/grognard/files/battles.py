"""From what a file says to a legal battle, or to all that is wrong with it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from grognard import systems
from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Battle, Json, System
from grognard.files.fields import fields_of, read_table
from grognard.files.mending import faults_beyond
from grognard.files.sources import read_source
from grognard.files.words import found, quoted, unknown

SYSTEM = "system"
"""The key that names the rules; all others are the system's own."""


def load(path: str | Path) -> Battle:
    """Read a battle from a `.toml` or `.json` file, or from standard input if the path is `-`.

    Files that it names are looked for in its folder, and become part of the battle.
    """
    source = read_source(path)
    faults = [Fault(place, "is given more than once") for place in source.repeated]
    read = _read(source.data, faults, Path(path).parent)
    if read is None or faults:
        raise BattleError(faults, str(path), source.lines(fault.place for fault in faults))
    return read


def battle(data: Mapping[str, object]) -> Battle:
    """Read a battle from a dictionary of the same structure as a battle file. It can name no other files."""
    faults: list[Fault] = []
    read = _read(data, faults)
    if read is None or faults:
        raise BattleError(faults)
    return read


def load_draft(path: str | Path) -> tuple[System[Any], Json]:
    """Read a battle file between two attacks: its tables must be right, but some may still be missing at its top."""
    source = read_source(path)
    faults = [Fault(place, "is given more than once") for place in source.repeated]
    read = _draft(source.data, faults, Path(path).parent)
    if read is None or faults:
        raise BattleError(faults, str(path), source.lines(fault.place for fault in faults))
    return read


def draft(data: Mapping[str, object]) -> tuple[System[Any], Json]:
    """The same from a dictionary."""
    faults: list[Fault] = []
    read = _draft(data, faults)
    if read is None or faults:
        raise BattleError(faults)
    return read


def system_of(name: object) -> System[Any]:
    """The system of this name; a BattleError that lists the known ones if there is none."""
    faults: list[Fault] = []
    system = _system(name, faults)
    if system is None:
        raise BattleError(faults)
    return system


def _read(data: object, faults: list[Fault], folder: Path | None = None) -> Battle | None:
    fields = _fields(data, faults, folder)
    if fields is None:
        return None
    if fields.setup is None:
        faults.extend(faults_beyond(fields.system, fields.source, faults))
        return None
    faults.extend(fields.system.faults(fields.setup))
    return Battle(fields.system, fields.setup, _plain_table(fields.source))


def _draft(data: object, faults: list[Fault], folder: Path | None = None) -> tuple[System[Any], Json] | None:
    wrong: list[Fault] = []
    fields = _fields(data, wrong, folder)
    known = {field.name for field in fields_of(fields.system.setup)} if fields else set()
    there = fields.source if fields else {}
    faults.extend(fault for fault in wrong if fault.place not in known or fault.place in there)
    return (fields.system, _plain_table(fields.source)) if fields else None


class _Fields(NamedTuple):
    """A file read field by field; the set-up is None if one of them is wrong."""

    system: System[Any]
    source: Json
    setup: object


def _fields(data: object, faults: list[Fault], folder: Path | None) -> _Fields | None:
    if not isinstance(data, Mapping):
        faults.append(Fault("", f"found {found(data)}, expected a table with `{SYSTEM}`"))
        return None
    if SYSTEM not in data:
        faults.append(Fault(SYSTEM, f"is missing: expected one of {_known()}"))
        return None
    system = _system(data[SYSTEM], faults)
    if system is None:
        return None
    expanded, missing = _expanded(system, data, folder)
    wrong: list[Fault] = []
    setup = read_table(system.setup, expanded, "", wrong, also=(SYSTEM,))
    places = {fault.place for fault in missing}
    faults.extend([*missing, *(fault for fault in wrong if fault.place not in places)])
    return _Fields(system, expanded, setup)


def _expanded(system: System[Any], data: Mapping[str, object], folder: Path | None) -> tuple[Json, list[Fault]]:
    """The file with all in it that it names by path, and the faults of what is not there."""
    if folder is None:  # whoever sends a battle is not to read the files of the machine that resolves it
        return dict(data), []
    try:
        return system.expand(dict(data), folder), []
    except BattleError as error:
        return dict(data), error.faults


def _system(name: object, faults: list[Fault]) -> System[Any] | None:
    if not isinstance(name, str):
        faults.append(Fault(SYSTEM, f"found {found(name)}, expected one of {_known()}"))
    elif name not in systems.names():
        faults.append(Fault(SYSTEM, unknown("system", name, systems.names())))
    else:
        return systems.find(name)
    return None


def _known() -> str:
    return ", ".join(quoted(name) for name in systems.names())


def _plain_table(table: Mapping[str, object]) -> Json:
    """A copy that is the battle's own, in the types that JSON knows."""
    return {key: _plain(value) for key, value in table.items()}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return _plain_table(value)
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value
