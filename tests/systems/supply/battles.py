"""Battles for these tests: red attacks blue."""

from typing import Any

from grognard.core.systems import Json


def unit(name: str, side: str = "red", **fields: Any) -> Json:
    """A unit of two d6 that costs a token to fire, and has three."""
    plain = {"die": 6, "strength": 2, "range": 3, "ammo": 1, "supply": 3, "at": [1, 1]}
    return {"id": name, "side": side, **plain, **fields}


def attack(*units: Json, by: str = "guns", on: str = "rifles", rules: Json | None = None, **fields: str) -> Json:
    """An attack of one of these units on another."""
    source = {"system": "supply", "units": list(units), "attack": {"by": by, "on": on, **fields}}
    return {**source, "rules": rules} if rules else source


GUNS = unit("guns")
RIFLES = unit("rifles", "blue", at=[1, 3])
MORTAR = unit("mortar", die=8, at=[2, 2], indirect=True)
