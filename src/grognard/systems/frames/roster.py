"""Sample frames of the game, by their loadouts."""

import tomllib
from functools import cache
from importlib.resources import files

from grognard.core.systems import Json, Source

DATA = files(__package__) / "data" / "frames.toml"
MARK = "sample frame of Mobile Frame Zero: Rapid Attack"


@cache
def roster() -> dict[str, Json]:
    """Frames by name; a battle file adds id and player."""
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


def sources() -> tuple[Source, ...]:
    """Where each loadout is known from."""
    return tuple(Source(name, frame["loadout"], MARK) for name, frame in roster().items())
