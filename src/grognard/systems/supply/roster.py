"""A small roster of our own: the chapter names no unit types."""

import tomllib
from functools import cache
from importlib.resources import files

from grognard.core.systems import Json, Source

DATA = files(__package__) / "data" / "roster.toml"


@cache
def roster() -> dict[str, Json]:
    """Unit types by name; a battle file adds id, side and square."""
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


def sources() -> tuple[Source, ...]:
    """Every figure in the roster is ours."""
    return tuple(Source(name, _figures(unit), "ours") for name, unit in roster().items())


def _figures(unit: Json) -> str:
    figures = (f"{key} {value}" for key, value in unit.items() if key != "indirect")
    return ", ".join([*figures, *(["Indirect Fire"] if unit.get("indirect") else [])])
