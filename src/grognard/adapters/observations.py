"""Observations of positions: rows of numbers from 0 to 1, with the same length everywhere in a battle.

A row begins with the player who decides, if any. Then comes everything that differs between the decisions of the
battle: the rule that asks, every number of its state and arguments, scaled to its range, and a mark for every text.
Different positions have different rows: nothing is hidden.
"""

import json
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cached_property, lru_cache
from inspect import signature

import numpy as np
import numpy.typing as npt

from grognard.adapters.arena import PLAYERS, Arena
from grognard.core.positions import Position
from grognard.core.systems import Battle
from grognard.solver.graph import Decision

Row = npt.NDArray[np.float32]
Leaf = int | str
"""A number, or the text of any other value."""


@dataclass(frozen=True, slots=True)
class ScaledNumber:
    """A number in the position, scaled from its least to its most value; 0 if it is not a number there."""

    path: str
    least: int
    most: int

    @property
    def name(self) -> str:
        """The path of the number, with its bounds."""
        return f"{self.path} ({self.least} to {self.most})"

    def of(self, leaves: dict[str, Leaf]) -> float:
        """The number, scaled from its bounds to 0 and 1."""
        leaf = leaves.get(self.path)
        return (leaf - self.least) / (self.most - self.least) if isinstance(leaf, int) else 0.0


@dataclass(frozen=True, slots=True)
class Indicator:
    """1 if a part of the position is this text, or any number if no text is given."""

    path: str
    text: str | None

    @property
    def name(self) -> str:
        return f"{self.path} is {self.text or 'a number'}"

    def of(self, leaves: dict[str, Leaf]) -> float:
        """1 if the leaf is this text or such a number, else 0."""
        leaf = leaves.get(self.path)
        return float(leaf is not None and (None if isinstance(leaf, int) else leaf) == self.text)


class Observations:
    """The rows of a battle's positions. If no player decides, the rest of the row is 0."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena

    @cached_property
    def features(self) -> tuple[str, ...]:
        """What each number of a row means."""
        return tuple(f"{who} decides" for who in (*PLAYERS, "nobody")) + tuple(part.name for part in self._features)

    @property
    def size(self) -> int:
        """The length of a row."""
        return len(PLAYERS) + 1 + len(self._features)

    def row(self, number: int) -> Row:
        row = np.zeros(self.size, np.float32)
        role = self.arena.player(number)
        row[len(PLAYERS) if role is None else PLAYERS.index(role)] = 1
        if role is not None:
            row[len(PLAYERS) + 1 :] = [part.of(self._leaves[number]) for part in self._features]
        return row

    def mask(self, number: int) -> npt.NDArray[np.int8]:
        """1 for every possible action at a position, or for all actions if no player decides."""
        mask = np.zeros(max(1, len(self.arena.options)), np.int8)
        mask[list(self.arena.actions[number]) if self.arena.player(number) else slice(None)] = 1
        return mask

    @cached_property
    def _leaves(self) -> dict[int, dict[str, Leaf]]:
        nodes = enumerate(self.arena.graph.nodes)
        return {number: dict(leaves_of(node.position)) for number, node in nodes if isinstance(node, Decision)}

    @cached_property
    def _features(self) -> list[ScaledNumber | Indicator]:
        rows = list(self._leaves.values())
        paths = dict.fromkeys(path for row in rows for path in row)
        return [part for path in paths for part in features_of(path, {row.get(path) for row in rows})]


@lru_cache(maxsize=2)
def observations_of(battle: Battle) -> Observations:
    """The observations of a battle; those of the last battles are cached."""
    return Observations(Arena(battle))


def text_of(battle: Battle) -> str:
    """A battle as one line of JSON."""
    return json.dumps(battle.source, ensure_ascii=False, separators=(",", ":"))


def features_of(path: str, leaves: set[Leaf | None]) -> Iterator[ScaledNumber | Indicator]:
    """The features that distinguish the leaves of a path; a leaf of None means that the path is absent."""
    numbers = {leaf for leaf in leaves if isinstance(leaf, int)}
    texts = sorted(leaf for leaf in leaves if isinstance(leaf, str))
    kinds = [*texts, *([None] if numbers else [])]
    if len(numbers) > 1:
        yield ScaledNumber(path, min(numbers), max(numbers))
    if len(kinds) + (None in leaves) > 1:
        yield from (Indicator(path, kind) for kind in kinds)


def leaves_of(position: Position) -> Iterator[tuple[str, Leaf]]:
    """Every number and text of a position, by the path to it: `state.units.0.strength`."""
    yield "rule", position.rule.name
    names = [*signature(position.rule.function).parameters][1:]  # the first is the set-up
    for name, arg in zip(["state", *names[1:]], position.args, strict=False):  # a rule may have default arguments
        yield from _leaves(name, arg)
    yield from _leaves("answers", position.answers)


def _leaves(path: str, value: Hashable) -> Iterator[tuple[str, Leaf]]:
    if isinstance(value, Enum):
        yield path, str(value.value)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _leaves(f"{path}.{field.name}", getattr(value, field.name))
    elif isinstance(value, tuple):
        for name, part in zip(getattr(value, "_fields", range(len(value))), value, strict=True):
            yield from _leaves(f"{path}.{name}", part)
    else:
        yield path, int(value) if isinstance(value, int) else str(value)
