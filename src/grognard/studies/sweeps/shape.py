"""The shape of a match-up: its positions and where each leads, with rolls whose chances are filled in later.

Match-ups that differ only in numbers that no rule looks at have the same shape, and it is walked once for all of them.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from grognard.core.errors import Endless, TooLarge
from grognard.core.positions import Pending, advance_to_question
from grognard.core.rules import Choose, End
from grognard.core.systems import Result, Role, System
from grognard.solver.graph import POSITIONS
from grognard.studies.sweeps.rolls import Rolled, Rolls


class Circular(Exception):
    """Rolls that lead back to earlier positions: the shape cannot be walked from its end to its start."""


@dataclass(frozen=True, slots=True)
class Chance:
    """Dice: where every value of the reading leads, values of one child next to each other in `rows`."""

    rolled: Rolled
    children: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    """For each child the values that lead to it."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A question to a side: where each option leads."""

    side: Role
    question: Choose
    children: tuple[int, ...]


Node = Chance | Decision | None
"""None: an ending."""


@dataclass(frozen=True, slots=True)
class Shape:
    """All positions, `order` lists parents before children; and the results with their places."""

    nodes: list[Node]
    order: list[int]
    start: int
    endings: list[tuple[int, Result]]


class _Walk:
    """One depth-first walk through all match-ups of a shape."""

    def __init__(self, system: System[Any], setup: object, rolls: Rolls) -> None:
        self.system, self.setup, self.rolls = system, setup, rolls
        self.places: dict[Hashable, int] = {}
        self.due: dict[int, Pending] = {}
        self.nodes: list[Node] = []
        self.endings: list[tuple[int, Result]] = []

    def place(self, position: Any) -> int:
        """Where the position that this one settles into stands."""
        reached = advance_to_question(self.setup, position, self.places)
        if isinstance(reached, End):
            result = self.system.result(self.setup, reached.state)
            known = self.places.get(result)
            if known is not None:
                return known
            self.endings.append((len(self.nodes), result))
            return self.add(result)
        if isinstance(reached, Pending):
            position = self.system.relevant_position(self.setup, reached.position)
            if position in self.places:
                return self.places[position]
            place = self.add(position)
            self.due[place] = Pending(position, reached.question)
            return place
        return self.places[reached]

    def add(self, key: Hashable) -> int:
        """A new place."""
        place = self.places[key] = len(self.nodes)
        if place >= POSITIONS:
            raise TooLarge("too many positions for exact odds", place, POSITIONS)
        self.nodes.append(None)
        return place

    def expand(self, due: Pending) -> Chance | Decision:
        """Ask a position's question and find where every answer leads."""
        question = due.question
        if isinstance(question, Choose):
            children = tuple(self.place(due.position.answered(option.id)) for option in question.options)
            return Decision(self.system.role_of(self.setup, question.by), question, children)
        rolled = self.rolls.of(question.reading)
        towards: dict[int, list[int]] = {}
        for number, value in enumerate(rolled.values):
            towards.setdefault(self.place(due.position.answered(value)), []).append(number)
        return Chance(rolled, tuple(towards), tuple(tuple(numbers) for numbers in towards.values()))

    def run(self) -> Shape:
        """Visit everything, children before their parents are finished; the order is that, reversed."""
        start = self.place(self.system.start(self.setup))
        finished: list[int] = []
        opened: set[int] = set()
        done: set[int] = set()
        stack = [start]
        while stack:
            place = stack[-1]
            if place in opened or place not in self.due:
                stack.pop()
                if place not in done:
                    done.add(place)
                    finished.append(place)
                continue
            opened.add(place)
            node = self.nodes[place] = self.expand(self.due[place])
            if node.children == (place,):
                raise Endless("a roll that always leads back to itself")
            for child in node.children:
                if child in opened and child not in done and (child != place or isinstance(node, Decision)):
                    raise Circular
                if child not in opened:
                    stack.append(child)
        finished.reverse()
        return Shape(self.nodes, finished, start, self.endings)


def shape_of(system: System[Any], setup: object, rolls: Rolls) -> Shape:
    """Walk through all that can happen."""
    return _Walk(system, setup, rolls).run()
