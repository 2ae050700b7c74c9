"""The same battle with a switch turned: one candidate for each value, legal or not, for comparing."""

from typing import Any

from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Battle
from grognard.files import SWITCHES, FieldInfo, battle
from grognard.files.groups import Either
from grognard.files.words import found, unknown
from grognard.studies.compare import Candidate
from grognard.words.describe import in_file, switches


def turned(legal: Battle, name: str) -> list[Candidate]:
    """The battle as it is, and with this switch at each other value there is."""
    known = {switch.name: switch for switch in switches(legal.system)}
    if name not in known:
        raise BattleError([Fault("switch", unknown("switch", name, known))])
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
    kinds = switch.kind.kinds if isinstance(switch.kind, Either) else (switch.kind,)
    return [choice for kind in kinds for choice in kind.choices]


def _candidate(legal: Battle, name: str, value: Any) -> Candidate:
    source = {**legal.source, SWITCHES: {**legal.source.get(SWITCHES, {}), name: value}}
    try:
        return Candidate(_shown(value), battle(source), to=value)
    except BattleError as error:
        return Candidate(_shown(value), None, f"not legal: {'; '.join(str(error).splitlines())}", value)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else found(value)
