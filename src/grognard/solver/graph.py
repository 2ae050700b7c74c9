"""The graph of a battle: every position that it can reach, with its question and where each answer leads."""

import gc
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, cast

from grognard.core.distributions import Distribution, Probability
from grognard.core.errors import Endless, TooLarge
from grognard.core.lazy import has_library
from grognard.core.positions import Pending, Position, advance_to_question, step
from grognard.core.readings import Reading
from grognard.core.rules import Choose, End, Roll, Rule
from grognard.core.systems import Battle, Result, Role
from grognard.solver.cycles import strongly_connected

POSITIONS = 250_000
"""The number of positions that exact work may visit."""
MOST_ENTRIES = 20_000_000
"""A bound on positions times the entries of the battle's lists: positions of battles with many units are large."""
READING_SIZE = 10_000_000 if has_library("numpy") else 1_000_000
"""The largest size of a reading whose odds are computed. Without NumPy they are integers, which take more memory."""
REPORT_EVERY = 2_048

Progress = Callable[[int], None]
"""Called from time to time with the number of positions done; it may raise an error to cancel."""
ReadingOdds = Callable[[Reading[Hashable]], Distribution[Hashable]]


class Chance(NamedTuple):
    """A roll. `successors` has the node of each of the `answers`, `children` the same nodes without repetition.

    If a roll can lead back to itself, it is rolled again until it leads elsewhere: it is not one of its children.
    """

    position: Position
    question: Roll
    answers: tuple[Hashable, ...]
    successors: tuple[int, ...]
    children: tuple[int, ...]
    probabilities: tuple[Probability, ...]


class Decision(NamedTuple):
    """A question to a player; each option leads to a child."""

    position: Position
    question: Choose
    role: Role
    children: tuple[int, ...]


class Ending(NamedTuple):
    """A terminal node."""

    result: Any
    """The result of the battle; in the graph of one attack of a turn, the state after the attack."""

    @property
    def children(self) -> tuple[int, ...]:
        """No nodes."""
        return ()


Node = Chance | Decision | Ending


@dataclass(frozen=True, slots=True)
class Graph:
    """The positions that can be reached from some start positions; equal positions are one node."""

    nodes: list[Node]
    order: list[int]
    """All nodes by number, parents before children. The nodes of a cycle are adjacent."""
    starts: tuple[int, ...]
    """The start; an attack of a turn may have several."""
    cycles: list[list[int]]
    """The strongly connected components of more than one node."""
    index: dict[Hashable, int]
    """The node of every position, also of those without a question, and of every result."""

    @property
    def start(self) -> int:
        """The first start."""
        return self.starts[0]

    @property
    def endings(self) -> Iterable[tuple[int, Result]]:
        """The endings with their numbers."""
        return ((number, node.result) for number, node in enumerate(self.nodes) if isinstance(node, Ending))

    def number_of(self, battle: Battle, position: Position) -> int:
        """The number of the node that a position advances to."""
        reached = advance_to_question(battle.setup, position, self.index)
        if isinstance(reached, End):
            return self.index[battle.system.result(battle.setup, reached.state)]
        if isinstance(reached, Pending):
            return self.index[battle.system.relevant_position(battle.setup, reached.position)]
        return self.index[reached]


class _Explorer:
    """A depth-first search over positions."""

    def __init__(
        self, battle: Battle, fractions: bool, bound: int, odds: ReadingOdds | None, until: Rule[Any, ...] | None
    ) -> None:
        entries = sum(len(value) for value in battle.source.values() if isinstance(value, list))
        self.battle, self.bound, self.until = battle, min(bound, MOST_ENTRIES // (entries or 1)), until
        self.odds = odds or ReadingCache(fractions)
        self.index: dict[Hashable, int] = {}
        self.pending: list[Pending | None] = []
        self.nodes: list[Node | None] = []

    def find_or_add(self, position: Position) -> int:
        """The number of the node that this position advances to, which is added if it is new."""
        passed: list[Position] = []
        reached = advance_to_question(self.battle.setup, position, self.index, passed, self.until)
        if isinstance(reached, Pending):
            key: Hashable = self.battle.system.relevant_position(self.battle.setup, reached.position)
        elif isinstance(reached, End):
            key = self.battle.system.result(self.battle.setup, reached.state)
        else:
            key = reached
        number = self.index.get(key, -1)
        if number < 0:
            number = self.add_reached(key, reached)
        for between in passed:
            self.index[between] = number
        return number

    def add_reached(self, key: Hashable, reached: Pending | End | Position) -> int:
        """Add a node for a question, the end of the battle, or the end of an attack of a turn."""
        if isinstance(reached, Pending):
            assert isinstance(key, Position)
            question = reached.question
            if isinstance(question, Roll) and question.then and key is not reached.position:
                question = cast("Roll", step(self.battle.setup, key))  # whose `then` has the relevant state
            return self.add(key, None, Pending(key, question))
        return self.add(key, Ending(reached.state if isinstance(reached, Position) else key), None)

    def add(self, key: Hashable, node: Node | None, pending: Pending | None) -> int:
        """Add a node and return its number; a node with a pending question is expanded later."""
        number = self.index[key] = len(self.nodes)
        if number >= self.bound:
            raise TooLarge("too many positions for exact odds", number, self.bound)
        self.nodes.append(node)
        self.pending.append(pending)
        return number

    def expand(self, number: int) -> Node:
        """The node of a pending question, with the numbers of the nodes that its answers lead to."""
        pending = self.pending[number]
        assert pending is not None
        self.pending[number] = None
        position, question = pending.position, pending.question
        if isinstance(question, Choose):
            children = tuple([self.find_or_add(position.answered(option.id)) for option in question.options])
            role = self.battle.system.role_of(self.battle.setup, question.by)
            return Decision(position, question, role, children)
        odds = self.odds(question.reading)
        successors = tuple([self.find_or_add(pending.answered(value)) for value in odds.values])
        weights: dict[int, float | int] = {}
        for child, weight in zip(successors, odds.weights, strict=True):
            weights[child] = weights.get(child, 0) + weight
        repeated = weights.pop(number, 0)
        if not weights:
            raise endless(position, question)
        children = successors if len(weights) == len(successors) else tuple(weights)
        return Chance(
            position, question, odds.values, successors, children, _probabilities(weights, repeated, odds.total)
        )

    def run(self, starts: Iterable[Position], progress: Progress | None) -> Graph:
        """The graph from these starts; its order is the reversed post-order of the search."""
        first = tuple([self.find_or_add(start) for start in starts])
        opened: set[int] = set()
        done: set[int] = set()
        finished: list[int] = []
        is_cyclic = False
        stack = [*first]
        while stack:
            number = stack[-1]
            if number in done:
                stack.pop()
                continue
            if number in opened or isinstance(self.nodes[number], Ending):
                stack.pop()
                done.add(number)
                finished.append(number)
                continue
            opened.add(number)
            node = self.nodes[number] = self.expand(number)
            for child in node.children:
                if child in opened and child not in done:
                    is_cyclic = True
                elif child not in done:
                    stack.append(child)
            if progress and len(opened) % REPORT_EVERY == 0:
                progress(len(opened))
        nodes = [node for node in self.nodes if node is not None]
        finished.reverse()
        graph = Graph(nodes, finished, first, [], self.index)
        return _with_cycles(graph) if is_cyclic else graph


def _probabilities(weights: dict[int, float | int], repeated: float, total: int | None) -> tuple[Probability, ...]:
    """The probabilities of a roll's children, given that it does not lead back to itself."""
    if total is None:
        scale = sum(weights.values()) if repeated else 1.0
        return tuple([weight / scale for weight in weights.values()])
    left = total - int(repeated)
    return tuple([Fraction(int(weight), left) for weight in weights.values()])


def _with_cycles(graph: Graph) -> Graph:
    root = len(graph.nodes)  # leads to all starts
    children = [*(node.children for node in graph.nodes), graph.starts]
    components = [members for members in strongly_connected(children, root) if members != [root]]
    cycles = [members for members in components if len(members) > 1 or members[0] in children[members[0]]]
    return replace(graph, order=[number for members in components for number in members], cycles=cycles)


class ReadingCache:
    """A cache of the odds of readings. A reading that is too large is an error."""

    def __init__(self, fractions: bool) -> None:
        self.fractions = fractions
        self.cache: dict[Reading[Hashable], Distribution[Hashable]] = {}

    def __call__(self, reading: Reading[Hashable]) -> Distribution[Hashable]:
        distribution = self.cache.get(reading)
        if distribution is None:
            size = reading_cost(reading, self.fractions)
            if size > READING_SIZE:
                raise TooLarge("too large a roll for exact odds", size, READING_SIZE)
            distribution = self.cache[reading] = reading.odds(self.fractions)
        return distribution


def reading_cost(reading: Reading[Hashable], fractions: bool) -> int:
    """The approximate number of machine words in the odds of a reading; in fractions, weights are long integers."""
    if not fractions:
        return reading.size
    bits = sum(pool.count * len(pool.die.faces).bit_length() for pool in reading.dice)
    return reading.size * (1 + bits // 64)


def endless(position: Position, question: Roll | Choose) -> Endless:
    """The error for a battle that would return to this question for ever."""
    name = f'"{question.prompt}"' if isinstance(question, Choose) else question.purpose or "a roll"
    return Endless(f"the battle would never end: {name} ({position.rule.paragraph}) is asked for ever")


def explore(
    battle: Battle,
    start: Position | None = None,
    *others: Position,
    fractions: bool = False,
    bound: int = POSITIONS,
    progress: Progress | None = None,
    odds: ReadingOdds | None = None,
    until: Rule[Any, ...] | None = None,
) -> Graph:
    """The graph of a battle from its start, or from the given positions.

    `odds` replaces the default source of the odds of readings. With `until`, positions of that rule are endings.
    """
    with paused_collector():
        return _Explorer(battle, fractions, bound, odds, until).run((start or battle.start(), *others), progress)


@contextmanager
def paused_collector() -> Iterator[None]:
    """Pause garbage collection: it would scan the many objects of a graph, none of which is garbage."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
