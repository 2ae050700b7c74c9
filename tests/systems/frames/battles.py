"""Small battles to begin a test with."""

from typing import Any

from grognard.core.systems import Json

FULL = ["defense", "movement", "spotting", "direct"]
WALL = {"id": "wall", "hits": 1}


def frame(name: str, player: str = "Blue", systems: Any = FULL, **fields: Any) -> Json:
    return {"id": name, "player": player, "systems": list(systems), **fields}


TARGET = frame("target")
COVER = frame("cover", systems=["hand", "artillery"])
GUNNER = frame("gunner", "Red")


def battle_of(*things: Json, rules: Json | None = None, scores: Json | None = None, **tables: Json) -> Json:
    """Frames and terrain, told apart by what they have, with an attack or an activation."""
    source: Json = {
        "system": "frames",
        "frames": [thing for thing in things if "player" in thing],
        "terrain": [thing for thing in things if "hits" in thing],
        **tables,
    }
    return source | ({"rules": rules} if rules else {}) | ({"scores": scores} if scores else {})


def attack(*things: Json, rules: Json | None = None, scores: Json | None = None, **fields: Any) -> Json:
    """Five damage dice at direct range on the target, unless the fields say otherwise."""
    usual = {"on": "target", "range": "direct", "attack": 5, "defense": 0}
    return battle_of(*things, rules=rules, scores=scores, attack={**usual, **fields})


def activation(*things: Json, rules: Json | None = None, scores: Json | None = None, **fields: Any) -> Json:
    """The gunner's turn at direct range against a target whose defense is 3, unless the fields say otherwise."""
    usual = {"by": "gunner", "on": "target", "range": "direct", "defense": 3}
    return battle_of(*things, rules=rules, scores=scores, activation={**usual, **fields})
