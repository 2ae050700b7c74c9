"""Explores the attacks of a turn, each once for every combination of the parts that it involves."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from grognard.core.errors import TooLarge
from grognard.core.positions import Position
from grognard.core.rules import Rule
from grognard.core.systems import Battle, PossibleAttack
from grognard.solver.assumptions import Assumptions
from grognard.solver.attack_graphs import AttackEnd, AttackGraph, ExploredAttack, Opening, reachable
from grognard.solver.graph import Decision, Ending, Graph, Progress, ReadingCache, explore
from grognard.solver.keys import SETTLED, Key, PackedKey, TurnStates, pack_key, part_mask, unpack_key

PARTS_PER_POSITION = 20
"""A position with more parts counts as several."""
MOST_INVOLVED = 2_000_000
"""The largest total of the numbers of parts that the attacks of a turn involve."""


class CyclicAttack(Exception):
    """An attack whose graph has a cycle: its turn is solved position by position instead."""


@dataclass(frozen=True, slots=True)
class NextAttack:
    """An attack that is possible at a choice, with its graph there, and the key that each of its exits leads to."""

    number: int
    listed: PossibleAttack
    """The attack as the system lists it."""
    graph: AttackGraph
    exit_keys: tuple[Key, ...]


class GraphTable(NamedTuple):
    """The memo table of one attack for one set of involved parts: its graphs by the numbers of these parts.

    None where the attack is not possible. `own_graphs` share nothing with symmetric attacks and block no decision.
    """

    involved: tuple[int, ...]
    mask: PackedKey
    graphs: dict[PackedKey, AttackGraph | None]
    own_graphs: dict[PackedKey, AttackGraph | None]


class AttackExplorer:
    """The attacks of a turn, and the memo tables of their graphs.

    With `evicts`, all graphs are dropped when they become too many, instead of an error.
    """

    def __init__(
        self,
        battle: Battle,
        states: TurnStates,
        assumptions: Assumptions,
        bound: int,
        progress: Progress,
        evicts: bool = False,
    ) -> None:
        self.battle, self.states, self.assumptions = battle, states, assumptions
        self.setup, self.rules = states.setup, states.rules
        self.bound, self.progress, self.evicts = bound, progress, evicts
        self.attacks = tuple(self._all_attacks())
        self.total_involved = sum(len(attack.involved) for attack in self.attacks)
        self.pairs = [attack.involved[:2] for attack in self.attacks]
        """The parts of the attacker and of the target of each attack."""
        self.first_symmetric = self._first_symmetric()
        """For each attack the first one that is the same if attackers and targets are swapped within their groups."""
        self._pair_masks = [(part_mask(by), part_mask(on)) for by, on in self.pairs]
        self._involvement_masks = [part_mask(*attack.involvement_depends_on) for attack in self.attacks]
        self._consumables = [
            index for index in self.rules.consumables(self.setup) if self.states.start[index] != SETTLED
        ]
        self._tables: list[dict[PackedKey, GraphTable]] = [{} for _ in self.attacks]
        """The table of each attack, by the parts on which the set of involved parts depends."""
        self._tables_by_involved: dict[tuple[int, tuple[int, ...]], GraphTable] = {}
        self._explored: dict[Hashable, ExploredAttack | None] = {}
        """Explored attacks that symmetric attacks share."""
        self._openings: dict[Hashable, Opening] = {}
        self._odds = ReadingCache(assumptions.fractions)
        self._positions = 0
        """The size of all graphs together."""
        self.explored = 0
        """The size of all graphs that were ever explored, also of those that were evicted."""

    def _all_attacks(self) -> Iterator[PossibleAttack]:
        size = 0
        for attack in self.rules.attacks(self.setup):
            size += len(attack.involved)
            if size > MOST_INVOLVED:
                raise TooLarge("too many attacks for an exact turn", MOST_INVOLVED, MOST_INVOLVED)
            yield attack

    def _first_symmetric(self) -> list[int]:
        """The first symmetric attack of each attack. Several attacks on one target correspond by their order."""
        numbering = self.states.numbering
        first: dict[Hashable, int] = {}
        times: dict[Hashable, int] = {}
        symmetric = []
        for number, (by, on) in enumerate(self.pairs):
            times[by, on] = times.get((by, on), 0) + 1
            symmetric.append(first.setdefault((numbering[by], numbering[on], times[by, on]), number))
        return symmetric

    def open_attacks(self, packed: PackedKey) -> list[int]:
        """The attacks, by number, whose attacker and target are not settled."""
        return [number for number, (by, on) in enumerate(self._pair_masks) if packed & by and packed & on]

    def possible_attacks(self, key: Key) -> list[NextAttack]:
        """Every attack that is possible at a choice, in the order offered."""
        attacks = (self.next_attack(key, number) for number in range(len(self.attacks)))
        return [attack for attack in attacks if attack is not None]

    def next_attack(self, key: Key, number: int, own: bool = False) -> NextAttack | None:
        """An attack by its number; None if it is not possible at this choice."""
        by, on = self.pairs[number]
        if key[by] == SETTLED or key[on] == SETTLED:
            return None
        graph = self.graph_of(number, pack_key(key), own)
        if graph is None:
            return None
        return NextAttack(number, self.attacks[number], graph, tuple(_exit_keys(key, graph)))

    def graph_of(self, number: int, packed: PackedKey, own: bool = False) -> AttackGraph | None:
        """The graph of an attack at a choice; None if it is not possible there.

        Unless `own` is set, its nodes may be those of a symmetric attack, some of them blocked.
        """
        own = own or self.rules.involved_now is not None  # then symmetric attacks may involve different parts
        involvement = packed & self._involvement_masks[number]
        table = self._tables[number].get(involvement) or self._new_table(number, packed)
        graphs, local = table.own_graphs if own else table.graphs, packed & table.mask
        if local not in graphs:
            graphs[local] = self._new_graph(number, unpack_key(packed, len(self.states.start)), table.involved, own)
            self._tables[number].setdefault(involvement, table)  # exploring the graph may have evicted it
        return graphs[local]

    def _new_table(self, number: int, packed: PackedKey) -> GraphTable:
        attack = self.attacks[number]
        involved = attack.involved
        if self.rules.involved_now is not None:
            state = self.states.state_of(unpack_key(packed, len(self.states.start)))
            involved = self.rules.involved_now(self.setup, state, attack.declaration)
        table = self._tables_by_involved.setdefault(
            (number, involved), GraphTable(involved, part_mask(*involved), {}, {})
        )
        return self._tables[number].setdefault(packed & self._involvement_masks[number], table)

    def _new_graph(self, number: int, key: Key, involved: tuple[int, ...], own: bool) -> AttackGraph | None:
        explored = self._explore(number, key, involved) if own else self._explore_shared(number, key)
        if explored is None:
            return None
        graph, before = explored.graph, tuple([key[index] for index in involved])
        blocked = [] if own else [node for node, place in explored.consumptions if before[place] == SETTLED]
        order = reachable(graph, blocked) if blocked else graph.order
        ends = {
            number: self._end(node.result, explored.involved, involved, before)
            for number in order
            if isinstance(node := graph.nodes[number], Ending)
        }
        return AttackGraph(explored, order, ends, involved, frozenset(blocked))

    def _explore_shared(self, number: int, key: Key) -> ExploredAttack | None:
        """The first symmetric attack that was explored, with all consumables still available."""
        available = list(key)
        for index in self._consumables:
            available[index] = self.states.start[index]
        involved, numbering = self.attacks[number].involved, self.states.numbering
        # other units than attacker and target may be involved in another order: then the attacks are explored apart
        symmetric = self.first_symmetric[number], tuple([(numbering[index], available[index]) for index in involved])
        if symmetric not in self._explored:
            self._explored[symmetric] = self._explore(number, tuple(available), involved)
        return self._explored[symmetric]

    def _explore(self, number: int, key: Key, involved: tuple[int, ...]) -> ExploredAttack | None:
        attack, state = self.attacks[number], self.states.state_of(key)
        if not self.rules.is_possible(self.setup, state, attack.declaration):
            return None
        begin = self.rules.begin(self.setup, state, attack.declaration)
        opening = self._opening(attack, begin, self.rules.checkpoint) if self.rules.checkpoint else None
        starts = [self._at_checkpoint(attack, begin, parts) for parts in opening.exits] if opening else [begin]
        graph = self._explore_until(self.rules.choice, starts)
        return ExploredAttack(graph, involved, self._consumptions(graph, involved), opening, self.assumptions)

    def _consumptions(self, graph: Graph, involved: Sequence[int]) -> list[tuple[int, int]]:
        """The decisions to use a consumable, each with the place of the consumable among the involved parts."""
        decisions = [(number, node) for number, node in enumerate(graph.nodes) if isinstance(node, Decision)]
        used = ((number, self.rules.consumed_by(self.setup, node.position)) for number, node in decisions)
        return [(number, involved.index(part)) for number, part in used if part is not None]

    def _explore_until(self, rule: Rule[Any, ...], starts: Sequence[Position]) -> Graph:
        graph = explore(self.battle, *starts, bound=self.bound, progress=self.progress, odds=self._odds, until=rule)
        if graph.cycles:
            raise CyclicAttack
        self._count_positions(len(graph.nodes) * (1 + len(self.states.start) // PARTS_PER_POSITION))
        graph.index.clear()  # it would take more memory than the nodes
        return graph

    def _opening(self, attack: PossibleAttack, begin: Position, checkpoint: Rule[Any, ...]) -> Opening:
        before = self.rules.parts(begin.state)
        local = (attack.opening, tuple([before[index] for index in attack.before_checkpoint]))
        if local not in self._openings:
            graph = self._explore_until(checkpoint, [begin])
            parts_at: dict[int, tuple[Hashable, ...]] = {}
            for number, state in graph.endings:
                parts = self.rules.parts(state)
                parts_at[number] = tuple([parts[index] for index in attack.before_checkpoint])
            exits = {parts: number for number, parts in enumerate(dict.fromkeys(parts_at.values()))}
            exit_of = {number: exits[parts] for number, parts in parts_at.items()}
            self._openings[local] = Opening(graph, exit_of, tuple(exits), self.assumptions)
        return self._openings[local]

    def _at_checkpoint(self, attack: PossibleAttack, begin: Position, exit_: Sequence[Hashable]) -> Position:
        """The position at the checkpoint after an exit of the opening."""
        assert self.rules.checkpoint is not None
        parts = list(self.rules.parts(begin.state))
        for index, part in zip(attack.before_checkpoint, exit_, strict=True):
            parts[index] = part
        return Position(self.rules.checkpoint, (self.rules.with_parts(begin.state, tuple(parts)),))

    def _count_positions(self, size: int) -> None:
        """Count the positions of a new graph; if they are too many, evict all graphs or raise an error."""
        self._positions += size
        self.explored += size
        if self.evicts and self._positions > self.bound:
            for tables in self._tables:
                tables.clear()
            self._tables_by_involved.clear()
            self._explored.clear()
            self._openings.clear()
            self._positions = size
        check_size(self._positions, self.bound)

    def _end(self, state: Any, explored: Sequence[int], involved: Sequence[int], before: Key) -> AttackEnd:
        """How an attack ends in a state in which the parts `explored` are those that it involves.

        A part that was settled before, such as a consumable, stays settled.
        """
        states, after = self.states, self.rules.parts(state)
        exit_ = list(before)
        settled: list[tuple[int, Hashable]] = []
        gain = self.assumptions.zero
        for place, (index, other) in enumerate(zip(involved, explored, strict=True)):
            part, number = after[other], before[place]
            if number == SETTLED or number == states.number(index, part):
                continue
            exit_[place] = states.number(index, part)
            gain += states.contribution(index, part) - states.contribution(index, states.part(index, number))
            if exit_[place] == SETTLED:
                settled.append((index, part))
        return AttackEnd(tuple(exit_), tuple(settled), gain)


def _exit_keys(key: Key, graph: AttackGraph) -> Iterator[Key]:
    """The key that each exit of an attack leads to."""
    after = list(key)
    for exit_ in graph.exits:
        for index, number in zip(graph.involved, exit_, strict=True):
            after[index] = number
        yield tuple(after)


def parts_after(states: TurnStates, graph: AttackGraph, end: AttackEnd) -> dict[int, Any]:
    """The involved parts after an attack, by index, without those that were settled before it."""
    numbers = zip(graph.involved, end.exit, strict=True)
    return {index: states.part(index, number) for index, number in numbers if number != SETTLED} | dict(end.settled)


def check_size(size: float, bound: int) -> None:
    """Raise an error if exact work exceeds its bound."""
    if size > bound:
        raise TooLarge("too many positions for an exact turn", bound, bound)
