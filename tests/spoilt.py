"""Inputs that are wrong somewhere, by the thousand: battles in which something was replaced, left out or added."""

import copy
import json
import random
from typing import Any

from grognard import systems
from grognard.files.examples import examples

BATTLES = [example.source for name in systems.names() for example in examples(name)]
SCALARS: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        1,
        -1,
        7,
        10**6,
        2**63,
        10**40,
        0.5,
        -0.0,
        1e308,
        "",
        "a",
        "hero",
        "red",
        "attacker",
        "yes",
    ),
    *("\0", "é" * 300, "../../etc/passwd", "=1+1", "{{7*7}}", "<script>", "\ud800", "x" * 5_000, "1" * 400),
]
WORDS = ["id", "side", "at", "units", "attack", "rules", "system", "battle", "choose", "roll", "number", "die", "", "é"]


def anything(rng: random.Random, depth: int = 3) -> Any:
    """Any JSON."""
    kind = rng.random()
    if depth and kind < 0.15:
        return [anything(rng, depth - 1) for _ in range(rng.randrange(4))]
    if depth and kind < 0.3:
        return {rng.choice(WORDS): anything(rng, depth - 1) for _ in range(rng.randrange(4))}
    return rng.choice(SCALARS)


def spoilt(rng: random.Random) -> Any:
    """An example with something wrong in it, most of the time."""
    battle = copy.deepcopy(rng.choice(BATTLES))
    here: Any = battle
    while True:
        places = list(here) if isinstance(here, dict) else list(range(len(here)))
        place = rng.choice(places) if places else None
        if place is not None and isinstance(here[place], dict | list) and rng.random() < 0.7:
            here = here[place]
            continue
        way = rng.random()
        if place is not None and way < 0.6:
            here[place] = anything(rng)
        elif place is not None and way < 0.8:
            del here[place]
        elif isinstance(here, dict):
            here[rng.choice(WORDS)] = anything(rng)
        else:
            here.append(anything(rng))
        return battle


def garbled(rng: random.Random, data: Any) -> bytes:
    """Its JSON, perhaps with some bytes that were lost, doubled or changed."""
    text = bytearray(json.dumps(data).encode())
    for _ in range(rng.choice((0, 0, 1, 3))):
        place = rng.randrange(len(text) + 1)
        text[place : place + rng.choice((0, 1, 9))] = rng.choice((b"", b"\xff", b"{", b"]", b'"', b"\\", b"9" * 30))
    return bytes(text)
