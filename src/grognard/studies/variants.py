"""The same battle with a switch turned: one candidate for each value, legal or not, for comparing."""

from typing import Any

from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Battle
from grognard.files import SWITCHES, FieldInfo, battle
from grognard.files.field_types import AnyOf
from grognard.files.messages import format_value, unknown_name
from grognard.studies.compare import Candidate
from grognard.words.describe import in_file, switches


def turned(legal: Battle, name: str) -> list[Candidate]:
    """The battle as it is, and with this switch at each other value there is."""
    known = {switch.name: switch for switch in switches(legal.system)}
    if name not in known:
        raise BattleError([Fault("switch", unknown_name("switch", name, known))])
    return _turned(legal, known[name])


def all_turned(legal: Battle) -> dict[str, list[Candidate]]:
    """Likewise for every switch."""
    return {switch.name: _turned(legal, switch) for switch in switches(legal.system)}


def _turned(legal: Battle, switch: FieldInfo) -> list[Candidate]:
    now = legal.source.get(SWITCHES, {}).get(switch.name, in_file(switch.default))
    others = [value for value in _values(switch) if value != now]
    return [Candidate(_shown(now), legal, to=now), *(_candidate(legal, switch.name, value) for value in others)]


def _values(switch: FieldInfo) -> list[Any]:
    """All that a switch can be turned to by a word or a number."""
    types = switch.value_type.types if isinstance(switch.value_type, AnyOf) else (switch.value_type,)
    return [choice for one in types for choice in one.choices]


def _candidate(legal: Battle, name: str, value: Any) -> Candidate:
    source = {**legal.source, SWITCHES: {**legal.source.get(SWITCHES, {}), name: value}}
    try:
        return Candidate(_shown(value), battle(source), to=value)
    except BattleError as error:
        return Candidate(_shown(value), None, f"not legal: {'; '.join(str(error).splitlines())}", value)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else format_value(value)
