"""Loadouts: all dice of a frame as one word such as WWBBYRdRdR8r; the game's sample frames."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

from grognard.core.systems import Json, SourcedFigure


class Kind(StrEnum):
    """The kind of a system. A weapon is named after its range."""

    DEFENSE = "defense"
    MOVEMENT = "movement"
    SPOTTING = "spotting"
    HAND = "hand"
    DIRECT = "direct"
    ARTILLERY = "artillery"


SYSTEMS = 4
"""The largest number of systems on a frame."""
ALIKE = 2
"""The largest number of systems of one kind on a frame."""
ROCKETS = 3
"""The largest number of single-shot rockets on a frame; they do not count as systems."""
WHITE = 2
"""The white dice of a whole frame."""
SINGLE = {"B": Kind.DEFENSE, "G": Kind.MOVEMENT, "Y": Kind.SPOTTING}
"""The systems that are written as one letter."""
WEAPONS = {"h": Kind.HAND, "d": Kind.DIRECT, "a": Kind.ARTILLERY}
"""A weapon system is two red d6; a second one of the same range adds a red d8."""
RANGED = (Kind.DIRECT, Kind.ARTILLERY)
DICE = re.compile("W|B|G8|G|Y|R8[hdar]|R[hda]")
SAMPLES = Path(__file__).with_name("data") / "frames.toml"


class Loadout(NamedTuple):
    """The systems, white dice and rockets of a frame. The sprint die follows from the systems."""

    systems: tuple[Kind, ...]
    white: int
    rockets: int


def has_sprint_die(systems: Iterable[Kind]) -> bool:
    """Whether a frame has the green d8: one that carries no ranged weapon system. A rocket is no system."""
    return not any(kind in RANGED for kind in systems)


def read_loadout(text: str) -> Loadout | tuple[str, ...]:
    """The parsed loadout, or the reasons why it is not legal."""
    dice = DICE.findall(text)
    if "".join(dice) != text:
        return (f'"{text}" is not made of W, B, G, Y, Rh, Rd, Ra, R8h, R8d, R8a, R8r and G8: {_unreadable(text)}',)
    systems = tuple(_systems(dice))
    if len(systems) > SYSTEMS:
        return tuple(too_many(systems))
    counts = Counter(dice)
    reasons = (*_wrong_weapons(counts), *too_many(systems), *_wrong_others(counts, systems))
    return reasons or Loadout(systems, counts["W"], counts["R8r"])


def write_loadout(systems: Iterable[Kind], white: int = WHITE, rockets: int = 0) -> str:
    """The loadout in its usual order: white, blue, green, yellow, the sprint die, red."""
    counts = Counter(systems)
    letters = ["W" * white, *(letter * counts[kind] for letter, kind in SINGLE.items())]
    letters += ["G8"] if has_sprint_die(counts) else []
    for letter, kind in WEAPONS.items():
        letters.append(f"R{letter}" * 2 * (counts[kind] > 0) + f"R8{letter}" * (counts[kind] > 1))
    return "".join([*letters, "R8r" * rockets])


def too_many(systems: Iterable[Kind]) -> Iterator[str]:
    """The reasons why a frame cannot carry these systems: too many in all, or else too many of one kind."""
    counts = Counter(systems)
    if counts.total() > SYSTEMS:
        yield f"{counts.total()} systems, but a frame carries at most {SYSTEMS}"
        return
    for kind, count in counts.items():
        if count > ALIKE:
            yield f"{count} {kind} systems, but a frame carries at most {ALIKE} of a kind"


def _systems(dice: list[str]) -> Iterator[Kind]:
    """The systems in the order of their dice. The first red die of each kind stands for a weapon."""
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
            dice = " and ".join(f"{n} R{die}" for n, die in ((red, letter), (more, f"8{letter}")) if n)
            yield f"{dice}: one {kind} weapon is R{letter}R{letter}, two are R{letter}R{letter}R8{letter}"


def _wrong_others(counts: Counter[str], systems: tuple[Kind, ...]) -> Iterator[str]:
    if not 1 <= counts["W"] <= WHITE:
        yield f"{counts['W']} white dice, but a frame has 1 or {WHITE} (W, WW)"
    if counts["R8r"] > ROCKETS:
        yield f"{counts['R8r']} rockets, but a frame carries at most {ROCKETS}"
    if counts["G8"] > 1:
        yield f"{counts['G8']} sprint dice, but a frame has at most one (G8)"
    if counts["G8"] and not has_sprint_die(systems):
        yield "a sprint die (G8), but a frame with a ranged weapon has none"


def _unreadable(text: str) -> str:
    """The message for the first place at which no die begins."""
    at = 0
    while die := DICE.match(text, at):
        at = die.end()
    return f'no die begins at "{text[at:]}"'


@cache
def roster() -> dict[str, Json]:
    """The sample frames by name; a battle file adds id and player."""
    return tomllib.loads(SAMPLES.read_text(encoding="utf-8"))


def sources() -> tuple[SourcedFigure, ...]:
    """The source of each loadout."""
    mark = "sample frame of Mobile Frame Zero: Rapid Attack"
    return tuple(SourcedFigure(name, frame["loadout"], mark) for name, frame in roster().items())
