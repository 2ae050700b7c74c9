"""What is wrong with a battle as a whole, beside what is wrong with single fields: all faults at once.

A set-up can be asked for its faults only when every field is right. So the wrong ones are mended in two ways, with the
least and with the most that may stand there: what is wrong with both is wrong whatever was meant.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from grognard.core.errors import Fault
from grognard.core.systems import Json, System
from grognard.files.fields import Table, fields_of, read_table
from grognard.files.groups import Maybe, Named, Several
from grognard.files.kinds import Flag, Kind, Number, OneOf

MOST = 100
"""For a number that has no bound."""


class _Lost(Exception):
    """Nobody can tell what was meant here."""


def faults_beyond(system: System[Any], source: Json, known: Sequence[Fault]) -> list[Fault]:
    """The faults of the whole that hold whatever was meant where the known faults are."""
    try:
        least, most = (_whole_faults(system, source, end) for end in (0, -1))
    except _Lost:
        return []
    places = {fault.place for fault in known}
    return [fault for fault in least if fault in most and fault.place not in places]


def _whole_faults(system: System[Any], source: Json, end: int) -> list[Fault]:
    wrong: list[Fault] = []
    setup = read_table(system.setup, _mend_table(Table(system.setup), source, end), "", wrong)
    if setup is None:
        raise _Lost
    return list(system.faults(setup))


def _mend(kind: Kind, value: object, end: int) -> object:
    """The value, with the least (0) or the most (-1) wherever it is wrong."""
    match kind, value:
        case Table(), Mapping():
            return _mend_table(kind, value, end)
        case Several(), list() | tuple():
            return [_mend(kind.kind, part, end) for part in value]
        case Named(), Mapping():
            return {name: _mend(kind.kind, part, end) for name, part in value.items()}
        case Maybe(), _ if value is not None:
            return _mend(kind.kind, value, end)
    wrong: list[Fault] = []
    kind.read(value, "", wrong)
    return _stand_in(kind, end) if wrong else value


def _mend_table(kind: Table, table: Mapping[str, object], end: int) -> Json:
    """Without the keys that nobody knows."""
    mended: Json = {}
    for field in fields_of(kind.shape):
        try:
            if field.name in table:
                mended[field.name] = _mend(field.kind, table[field.name], end)
            elif field.required:
                mended[field.name] = _stand_in(field.kind, end)
        except _Lost:
            if field.required:
                raise
    return mended


def _stand_in(kind: Kind, end: int) -> object:
    match kind:
        case Number():
            return (kind.at_least or 0, MOST if kind.at_most is None else kind.at_most)[end]
        case Flag():
            return (False, True)[end]
        case OneOf():
            return kind.choices[end]
        case Maybe():
            return _stand_in(kind.kind, end)
    raise _Lost
