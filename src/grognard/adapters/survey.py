"""Walks over a battle's positions that remember what is asked at each, and where every answer leads by name."""

from collections.abc import Hashable, Iterable
from dataclasses import fields, is_dataclass
from typing import NamedTuple

from grognard.core.distributions import Probability
from grognard.core.positions import Pending, Position
from grognard.core.rules import Choose
from grognard.core.systems import Battle
from grognard.solver.graph import Chance, Graph, Node, Progress, Walk, odds_of


class Way(NamedTuple):
    """An answer by its name, how likely it is (of a decision: 1), and the place it leads to."""

    name: str
    chance: float
    child: int


Ways = tuple[Way, ...]


class Asking(Walk):
    """The engine's walk, which also remembers what is asked at each place."""

    def __init__(self, battle: Battle, exact: bool, bound: int, progress: Progress | None = None) -> None:
        super().__init__(battle, exact, bound, progress)
        self.dues: dict[int, Pending] = {}

    def add(self, key: Hashable, node: Node | None, due: Pending | None) -> int:
        """A new place."""
        place = super().add(key, node, due)
        if due is not None:
            self.dues[place] = due
        return place


class Survey(Asking):
    """A walk which also remembers where every answer leads."""

    def __init__(self, battle: Battle, bound: int) -> None:
        super().__init__(battle, exact=False, bound=bound)
        self.ways: dict[int, Ways] = {}
        self._led: list[int] = []

    def place(self, position: Position) -> int:
        """Where the position stands that this one settles into."""
        place = super().place(position)
        self._led.append(place)
        return place

    def expand(self, place: int) -> Node:
        """Ask a position's question and find where every answer leads."""
        self._led = []
        node = super().expand(place)
        answers = self._answers(self.dues[place])
        self.ways[place] = tuple(
            Way(name, chance, child) for (name, chance), child in zip(answers, self._led, strict=True)
        )
        return node

    def run(self, start: Position) -> Graph:
        """Visit everything. Rolls that can come round lead straight out of their circle."""
        graph = super().run(start)
        for place, ways in self.ways.items():
            node = graph.nodes[place]
            if isinstance(node, Chance):
                towards = dict(zip(node.children, node.probabilities, strict=True))
                if towards != merged(ways):
                    self.ways[place] = tuple(Way(leading(ways, to), float(p), to) for to, p in towards.items())
        return graph

    def _answers(self, due: Pending) -> Iterable[tuple[str, float]]:
        if isinstance(due.question, Choose):
            return [(option.id, 1.0) for option in due.question.options]
        odds = odds_of(due.question.reading, self.exact, self.odds)
        return [(in_words(value), weight) for value, weight in zip(odds.values, odds.weights, strict=True)]


def merged(ways: Ways) -> dict[int, Probability]:
    """How likely each place is to be reached, by whatever way."""
    towards: dict[int, Probability] = {}
    for way in ways:
        towards[way.child] = towards.get(way.child, 0) + way.chance
    return towards


def leading(ways: Ways, child: int) -> str:
    """The names of the ways that lead straight to a place, or its number if none does."""
    return " or ".join(way.name for way in ways if way.child == child) or f"to {child}"


def in_words(value: object) -> str:
    """What a reading tells, in a few words: `3`, `1, 0` or `attack 2, defence 1`."""
    if is_dataclass(value):
        return _listed((field.name, getattr(value, field.name)) for field in fields(value))
    if isinstance(value, tuple):
        return _listed(zip(getattr(value, "_fields", ("",) * len(value)), value, strict=True))
    return "nothing" if value == "" else str(value)


def _listed(parts: Iterable[tuple[str, object]]) -> str:
    return ", ".join(
        f"{name} {f'({in_words(value)})' if isinstance(value, tuple) else in_words(value)}".strip()
        for name, value in parts
    )
