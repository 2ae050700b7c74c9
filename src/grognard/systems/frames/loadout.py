"""Loadouts: all dice of a frame in one word, such as WWBBYRdRdR8r, read and written."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grognard.systems.frames.kinds import ALIKE, ROCKETS, SYSTEMS, WHITE, Kind

SINGLE = {"B": Kind.DEFENSE, "G": Kind.MOVEMENT, "Y": Kind.SPOTTING}
"""One letter a system."""
WEAPONS = {"h": Kind.HAND, "d": Kind.DIRECT, "a": Kind.ARTILLERY}
"""Two red d6 a weapon system; a second one at the same range adds a red d8 instead."""
RANGED = (Kind.DIRECT, Kind.ARTILLERY)
DICE = re.compile("W|B|G8|G|Y|R8[hdar]|R[hda]")


class Loadout(NamedTuple):
    """What a loadout stands for; the sprint die follows from the systems."""

    systems: tuple[Kind, ...]
    white: int
    rockets: int


def sprints(systems: Iterable[Kind]) -> bool:
    """A frame that carries no ranged weapon system has a green d8. A rocket is no system."""
    return not any(kind in RANGED for kind in systems)


def read_loadout(text: str) -> Loadout | tuple[str, ...]:
    """What the word stands for; or, if it is no legal loadout, all the reasons."""
    dice = DICE.findall(text)
    if "".join(dice) != text:
        return (f'"{text}" is not made of W, B, G, Y, Rh, Rd, Ra, R8h, R8d, R8a, R8r and G8: {_wrong(text)}',)
    systems = tuple(_systems(dice))
    counts = Counter(dice)
    reasons = (*_wrong_weapons(counts), *too_many(systems), *_wrong_others(counts, systems))
    return reasons or Loadout(systems, counts["W"], counts["R8r"])


def write_loadout(systems: Iterable[Kind], white: int = WHITE, rockets: int = 0) -> str:
    """The loadout in its usual order: white, blue, green, yellow, the sprint die, red."""
    counts = Counter(systems)
    letters = ["W" * white, *(letter * counts[kind] for letter, kind in SINGLE.items())]
    letters += ["G8"] if sprints(counts) else []
    for letter, kind in WEAPONS.items():
        letters.append(f"R{letter}" * 2 * (counts[kind] > 0) + f"R8{letter}" * (counts[kind] > 1))
    return "".join([*letters, "R8r" * rockets])


def too_many(systems: Iterable[Kind]) -> Iterator[str]:
    """Why there are more systems than a frame can carry."""
    counts = Counter(systems)
    if counts.total() > SYSTEMS:
        yield f"{counts.total()} systems, but a frame carries at most {SYSTEMS}"
    for kind, count in counts.items():
        if count > ALIKE:
            yield f"{count} {kind} systems, but a frame carries at most {ALIKE} of a kind"


def _systems(dice: list[str]) -> Iterator[Kind]:
    """The systems in the order of their first dice: the first red die of a range stands for the first weapon."""
    seen: set[str] = set()
    for die in dice:
        if die in SINGLE:
            yield SINGLE[die]
        elif die[0] == "R" and die[-1] in WEAPONS and die not in seen:
            seen.add(die)
            yield WEAPONS[die[-1]]


def _wrong_weapons(counts: Counter[str]) -> Iterator[str]:
    for letter, kind in WEAPONS.items():
        red, more = counts[f"R{letter}"], counts[f"R8{letter}"]
        if (red, more) not in ((0, 0), (2, 0), (2, 1)):
            found = " and ".join(f"{n} R{die}" for n, die in ((red, letter), (more, f"8{letter}")) if n)
            yield f"{found}: one {kind} weapon is R{letter}R{letter}, two are R{letter}R{letter}R8{letter}"


def _wrong_others(counts: Counter[str], systems: tuple[Kind, ...]) -> Iterator[str]:
    if not 1 <= counts["W"] <= WHITE:
        yield f"{counts['W']} white dice, but a frame has 1 or {WHITE} (W, WW)"
    if counts["R8r"] > ROCKETS:
        yield f"{counts['R8r']} rockets, but a frame carries at most {ROCKETS}"
    if counts["G8"] > 1:
        yield f"{counts['G8']} sprint dice, but a frame has at most one (G8)"
    if counts["G8"] and not sprints(systems):
        yield "a sprint die (G8), but a frame with a ranged weapon has none"


def _wrong(text: str) -> str:
    """The first place at which no die can be read."""
    at = 0
    while die := DICE.match(text, at):
        at = die.end()
    return f'no die begins at "{text[at:]}"'
