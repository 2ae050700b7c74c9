"""The units of the game, from the data beside."""

import tomllib
from functools import cache
from importlib.resources import files

from grognard.core.systems import Json, Source


@cache
def _data() -> Json:
    return tomllib.loads(files(__package__).joinpath("data/units.toml").read_text(encoding="utf-8"))


def roster() -> dict[str, Json]:
    """The starting units by name, as a battle file would write them but for id, side and tile."""
    return {name: dict(unit) for name, unit in _data()["units"].items()}


def sources() -> list[Source]:
    """Where the figures of the starting units come from."""
    return [
        Source(name, ", ".join(f"{key} {number}" for key, number in unit.items()), _data()["mark"])
        for name, unit in roster().items()
    ]
