"""Battle files that arrive as text, with the line of each fault. Paths in them mean nothing here: no file is opened."""

import json
import tomllib

from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Battle, Json
from grognard.files import battle
from grognard.files.lines import json_lines, toml_lines


def read(text: str) -> Battle:
    """The battle that a TOML or JSON text says; JSON begins with a brace."""
    is_json = text.lstrip().startswith("{")
    try:
        data: Json = json.loads(text) if is_json else tomllib.loads(text)
    except json.JSONDecodeError as wrong:
        raise BattleError([Fault("", f"is not JSON: {wrong}")], lines={"": wrong.lineno}) from None
    except ValueError as wrong:
        raise BattleError([Fault("", f"is not TOML: {wrong}")]) from None
    lines = (json_lines if is_json else toml_lines)(text)
    if lines.repeated:
        faults = [Fault(place, "is given more than once") for place in lines.repeated]
        raise BattleError(faults, lines={fault.place: lines.of[fault.place] for fault in faults})
    try:
        return battle(data)
    except BattleError as wrong:
        found = {fault.place: lines.find(fault.place) for fault in wrong.faults}
        known = {place: line for place, line in found.items() if line is not None}
        raise BattleError(wrong.faults, lines=known) from None
