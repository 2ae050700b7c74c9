"""Battle files that arrive as text, with the line of each fault. Paths in them mean nothing here: no file is opened."""

import json
import re
import tomllib

from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Battle
from grognard.files import battle
from grognard.files.lines import Lines, json_lines, toml_lines

_AT_LINE = re.compile(r"\(at line (\d+), ")


def read(text: str) -> Battle:
    """The battle that a TOML or JSON text says; JSON begins with a brace."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    data, lines = _json(text) if text.lstrip().startswith("{") else _toml(text)
    try:
        if lines.repeated:
            raise BattleError([Fault(place, "is given more than once") for place in lines.repeated])
        return battle(data)
    except BattleError as wrong:
        found = {fault.place: lines.find(fault.place) for fault in wrong.faults}
        known = {place: line for place, line in found.items() if line is not None}
        raise BattleError(wrong.faults, lines=known) from None


def _json(text: str) -> tuple[dict[str, object], Lines]:
    try:
        return json.loads(text), json_lines(text)
    except json.JSONDecodeError as wrong:
        raise BattleError([Fault("", f"is not JSON: {wrong}")], lines={"": wrong.lineno}) from None
    except ValueError:
        raise BattleError([Fault("", "holds a number with too many digits")]) from None


def _toml(text: str) -> tuple[dict[str, object], Lines]:
    try:
        return tomllib.loads(text), toml_lines(text)
    except tomllib.TOMLDecodeError as wrong:
        where = _AT_LINE.search(str(wrong))
        line = int(where[1]) if where else text.rstrip("\n").count("\n") + 1
        raise BattleError([Fault("", f"is not TOML: {wrong}")], lines={"": line}) from None
    except ValueError:
        raise BattleError([Fault("", "holds a number with too many digits")]) from None
