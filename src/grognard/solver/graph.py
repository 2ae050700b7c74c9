"""The graph of a battle: every position it can reach, equal ones merged, each after those that lead to it."""

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import NamedTuple

from grognard.core.distributions import Distribution, Probability
from grognard.core.errors import Endless, TooLarge
from grognard.core.positions import Pending, Position, advance_to_question
from grognard.core.readings import Reading
from grognard.core.rules import Choose, End
from grognard.core.systems import Battle, Result, Role
from grognard.solver.cycles import unwind

POSITIONS = 250_000
"""How many positions exact work may visit."""
READING_SIZE = 10_000_000
"""How many numbers the odds of one roll may take."""
REPORT_EVERY = 2_048

Progress = Callable[[int], None]
"""Told now and then how many positions are done; it may raise to cancel."""


class Chance(NamedTuple):
    """Dice: where each reading of them leads, and how likely."""

    probabilities: tuple[Probability, ...]
    children: tuple[int, ...]


class Decision(NamedTuple):
    """A question to a side: where each option leads."""

    position: Position
    side: Role
    question: Choose
    children: tuple[int, ...]


class Ending(NamedTuple):
    """The battle is over."""

    result: Result


Node = Chance | Decision | Ending


class Graph(NamedTuple):
    """All positions of a battle from one on. `order` lists parents before children."""

    nodes: list[Node]
    order: list[int]
    start: int

    @property
    def endings(self) -> Iterable[tuple[int, Result]]:
        """The endings with their places."""
        return ((place, node.result) for place, node in enumerate(self.nodes) if isinstance(node, Ending))


class Walk:
    """One depth-first walk from a position."""

    def __init__(self, battle: Battle, exact: bool, bound: int, progress: Progress | None) -> None:
        self.battle, self.exact, self.bound, self.progress = battle, exact, bound, progress
        self.places: dict[Hashable, int] = {}
        self.waiting: list[Pending | None] = []
        self.nodes: list[Node | None] = []
        self.odds: dict[Reading[Hashable], Distribution[Hashable]] = {}

    def place(self, position: Position) -> int:
        """Where the position that this one settles into stands; a new place if it was not met before."""
        passed: list[Position] = []
        reached = advance_to_question(self.battle.setup, position, self.places, passed)
        place = self.placed(reached)
        for between in passed:
            self.places[between] = place
        return place

    def placed(self, reached: Pending | End | Position) -> int:
        """The place of a position that asks something, of an ending, or of a position that was met before."""
        if isinstance(reached, End):
            result = self.battle.system.result(self.battle.setup, reached.state)
            place = self.places.get(result)
            return self.add(result, Ending(result), None) if place is None else place
        if isinstance(reached, Pending):
            position = self.battle.system.relevant_position(self.battle.setup, reached.position)
            place = self.places.get(position)
            return self.add(position, None, Pending(position, reached.question)) if place is None else place
        return self.places[reached]

    def add(self, key: Hashable, node: Node | None, due: Pending | None) -> int:
        """A new place."""
        place = self.places[key] = len(self.nodes)
        if place >= self.bound:
            raise TooLarge("too many positions for exact odds", place, self.bound)
        self.nodes.append(node)
        self.waiting.append(due)
        return place

    def expand(self, place: int) -> Node:
        """Ask a position's question and find where every answer leads."""
        due = self.waiting[place]
        if due is None:
            raise AssertionError("an ending has nothing to expand")
        self.waiting[place] = None
        question = due.question
        if isinstance(question, Choose):
            children = tuple(self.place(due.position.answered(option.id)) for option in question.options)
            side = self.battle.system.role_of(self.battle.setup, question.by)
            return Decision(due.position, side, question, children)
        distribution = odds_of(question.reading, self.exact, self.odds)
        towards: dict[int, float | int] = {}
        for value, weight in zip(distribution.values, distribution.weights, strict=True):
            child = self.place(due.position.answered(value))
            towards[child] = towards.get(child, 0) + weight
        return without_return(place, towards, distribution.total)

    def run(self, start: Position) -> Graph:
        """Visit everything, children before their parents are finished; the order is that, reversed."""
        first = self.place(start)
        opened: set[int] = set()
        done: set[int] = set()
        finished: list[int] = []
        cyclic = False
        stack = [first]
        while stack:
            place = stack[-1]
            if place in done:
                stack.pop()
                continue
            if place in opened or isinstance(self.nodes[place], Ending):
                stack.pop()
                done.add(place)
                finished.append(place)
                continue
            opened.add(place)
            node = self.nodes[place] = self.expand(place)
            for child in children_of(node):
                if child in opened and child not in done:
                    cyclic = True
                elif child not in done:
                    stack.append(child)
            if self.progress and len(opened) % REPORT_EVERY == 0:
                self.progress(len(opened))
        nodes = [node for node in self.nodes if node is not None]
        finished.reverse()
        graph = Graph(nodes, finished, first)
        return _unwound(graph) if cyclic else graph


def children_of(node: Node) -> tuple[int, ...]:
    """The places that a node leads to."""
    return () if isinstance(node, Ending) else node.children


def odds_of(
    reading: Reading[Hashable], exact: bool, known: dict[Reading[Hashable], Distribution[Hashable]]
) -> Distribution[Hashable]:
    """The odds of a reading, worked out once, unless it is too large."""
    distribution = known.get(reading)
    if distribution is None:
        size = cost(reading, exact)
        if size > READING_SIZE:
            raise TooLarge("too large a roll for exact odds", size, READING_SIZE)
        distribution = known[reading] = reading.odds(exact)
    return distribution


def cost(reading: Reading[Hashable], exact: bool) -> int:
    """About how many machine words the odds of a reading take; whole numbers are as long as all rolls together."""
    if not exact:
        return reading.size
    bits = sum(pool.count * len(pool.die.faces).bit_length() for pool in reading.dice)
    return reading.size * (1 + bits // 64)


def without_return(place: int, towards: dict[int, float | int], total: int | None) -> Chance:
    """Solve a roll that can lead back to itself: it is rolled again until it leads elsewhere."""
    returning = towards.pop(place, 0)
    if not towards:
        raise Endless("a roll that always leads back to itself")
    if total is None:
        scale = sum(towards.values()) if returning else 1.0
        return Chance(tuple(weight / scale for weight in towards.values()), tuple(towards))
    left = total - int(returning)
    return Chance(tuple(Fraction(int(weight), left) for weight in towards.values()), tuple(towards))


def _unwound(graph: Graph) -> Graph:
    """The same graph without circles of rolls; what every ending's chance is stays the same."""
    rolls = {
        place: dict(zip(node.children, node.probabilities, strict=True))
        for place, node in enumerate(graph.nodes)
        if isinstance(node, Chance)
    }
    nodes = list(graph.nodes)
    order = unwind(rolls, [children_of(node) for node in graph.nodes], graph.start)
    for place, towards in rolls.items():
        nodes[place] = Chance(tuple(towards.values()), tuple(towards))
    return Graph(nodes, order, graph.start)


def explore(
    battle: Battle,
    start: Position | None = None,
    exact: bool = False,
    bound: int = POSITIONS,
    progress: Progress | None = None,
) -> Graph:
    """The graph of a battle from its start, or from any of its positions."""
    return Walk(battle, exact, bound, progress).run(start or battle.start())
