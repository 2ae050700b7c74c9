"""Whole turns: which attack is next, and when to stop.

A turn is solved over its choices of the next attack. One attack depends on a few parts of the state only, so that its
graph is explored once for each combination of those parts and used wherever it occurs again. The value of a choice is
what going on gains over stopping there. A part that can no longer change or matter is settled: positions that differ in
it alone are one, and so are positions in which parts that are alike have changed places.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from grognard.core.distributions import Probability
from grognard.core.errors import TooLarge
from grognard.core.positions import Position
from grognard.core.rules import Rule
from grognard.core.systems import Battle, PossibleAttack, Role, TurnRules
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.attack_graphs import SETTLED, AttackEnd, AttackGraph, Key, Stage
from grognard.solver.graph import POSITIONS, Decision, Graph, Progress, ReadingCache, explore
from grognard.solver.induction import best_option

REPORT_EVERY = 512
ATTACKS_PER_CHOICE = 10
"""The number of attacks that may be examined for each position that exact work may visit, on average."""
PARTS_PER_POSITION = 20
"""A position with more parts counts as several."""
MOST_INVOLVED = 2_000_000
"""The largest number of parts on which all attacks of a turn may depend, added up."""
MOST_CLOSED = 2_000
"""If all attacks together depend on more parts, those that no attack depends on any more are kept in the keys."""
MOST_KEYS = 100_000
"""At most this many keys are cached with their merged keys."""


class CyclicAttack(Exception):
    """An attack whose positions come round to themselves: its turn is solved position by position instead."""


class Explored(NamedTuple):
    """The graph of an attack, the parts that it involves, and decisions with the part that each of them needs."""

    graph: Graph
    involved: tuple[int, ...]
    offers: list[tuple[int, int]]
    stage: Stage | None


@dataclass(frozen=True, slots=True)
class NextAttack:
    """An attack that is possible now: its graph, and the key that each of its slots leads to."""

    number: int
    attack: PossibleAttack
    graph: AttackGraph
    keys: tuple[Key, ...]


Line = tuple[AttackGraph, list[Key], int]
"""An attack that a value depends on: its graph, the merged keys it leads to (none if no attack follows it), and how
many attacks are like it."""


class TurnSolver:
    """The value of every choice of the next attack that a turn can reach.

    One that `forgets` is asked for single decisions at most: it does not keep all graphs of attacks.
    """

    def __init__(
        self,
        battle: Battle,
        assumptions: Assumptions,
        bound: int = POSITIONS,
        progress: Progress | None = None,
        forgets: bool = False,
    ) -> None:
        assert battle.system.turn is not None
        self.battle, self.setup, self.assumptions = battle, battle.setup, assumptions
        self.turn: TurnRules[Any] = battle.system.turn
        self.bound, self.progress, self.forgets = bound, progress, forgets
        self.one: Probability = Fraction(1) if assumptions.fractions else 1.0
        self.objective = assumptions.objective_name
        self.attacks = tuple(self._all_attacks())
        self.involved = sum(len(attack.involved) for attack in self.attacks)
        self.graphs: dict[tuple[int, Key, bool], AttackGraph | None] = {}
        self.explored: dict[Hashable, Explored | None] = {}
        self.stages: dict[Hashable, Stage] = {}
        self.reading_odds = ReadingCache(assumptions.fractions)
        self.nodes = 0
        """How many positions the graphs have together."""
        self.looked_at = 0
        """How many attacks were looked at, possible or not."""
        self.values: dict[Key, Probability] = {}
        """What going on gains over stopping, by merged key."""
        self.merged: dict[Key, Key] = {}
        self.closed: dict[frozenset[int], list[int]] = {}
        self.state = battle.start().state
        first = self.turn.parts(self.state)
        # Who takes the first attack of all does not treat parts alike.
        merges = assumptions.attacker in (Policy.BEST, Policy.RANDOM)
        self.alike = [
            group for group in self.turn.interchangeable(self.setup, self.objective) if merges and len(group) > 1
        ]
        self.kind = list(range(len(first)))
        """Parts of the same kind are alike, and numbered together."""
        self.primaries = [attack.involved[:2] for attack in self.attacks]
        self.primary_parts = sorted({index for pair in self.primaries for index in pair})
        self.occurrences = _occurrences(self.primaries)
        """Which attack of its attacker on its target each is."""
        for group in self.alike:
            for index in group:
                self.kind[index] = group[0]
        self.numbers: list[dict[Hashable, int]] = [{} for _ in first]
        self.parts: list[list[Hashable]] = [[] for _ in first]
        self.settled_parts: list[Hashable] = list(first)
        """A part of each kind that is settled, once there is one."""
        self.start, _ = self.key_of(first)
        self.offered = [index for index in self.turn.consumables(self.setup) if self.start[index] != SETTLED]
        self.start_value = self.total(first)

    def _all_attacks(self) -> Iterator[PossibleAttack]:
        size = 0
        for attack in self.turn.attacks(self.setup):
            size += len(attack.involved)
            if size > MOST_INVOLVED:
                raise TooLarge("too many attacks for an exact turn", MOST_INVOLVED, MOST_INVOLVED)
            yield attack

    def number(self, index: int, part: Hashable) -> int:
        """A part by a number, counted from 0 for each kind."""
        kind = self.kind[index]
        known = self.numbers[kind].get(part)
        if known is None:
            known = self.numbers[kind][part] = len(self.parts[kind])
            self.parts[kind].append(part)
        return known

    def part(self, index: int, number: int) -> Hashable:
        """The part of this number."""
        return self.parts[self.kind[index]][number]

    def total(self, parts: Sequence[Hashable]) -> Probability:
        """What all parts add to the objective if they stay as they are."""
        return sum((self.contribution(index, part) for index, part in enumerate(parts)), 0 * self.one)

    def contribution(self, index: int, part: Hashable) -> Probability:
        """What a part adds to the objective if it stays as it is."""
        return self.turn.contribution(self.setup, self.objective, index, part) * self.one

    def key_of(
        self, parts: Sequence[Hashable], indices: Sequence[int] | None = None
    ) -> tuple[Key, tuple[tuple[int, Hashable], ...]]:
        """The key of some parts (all, or those of these indices), and those that are settled."""
        key: list[int] = []
        settled: list[tuple[int, Hashable]] = []
        for index, part in zip(range(len(parts)) if indices is None else indices, parts, strict=True):
            if self.turn.is_settled(self.setup, index, part):
                key.append(SETTLED)
                settled.append((index, part))
                self.settled_parts[self.kind[index]] = part
            else:
                key.append(self.number(index, part))
        return tuple(key), tuple(settled)

    def merge(self, key: Key) -> Key:
        """The key that stands for all that differ in no attack that is left, or in which parts have changed places."""
        if not self.alike and not self.turn.representative and self.involved > MOST_CLOSED:
            return key
        known = self.merged.get(key)
        if known is None:
            sorted_key = list(key)
            for index in self._closed(key):
                sorted_key[index] = SETTLED
            sorted_key = list(self.standing(tuple(sorted_key)))
            for group in self.alike:
                for index, number in zip(group, sorted([sorted_key[index] for index in group]), strict=True):
                    sorted_key[index] = number
            if len(self.merged) >= MOST_KEYS:
                self.merged.clear()
                self.closed.clear()
            known = self.merged[key] = tuple(sorted_key)
        return known

    def _standing_for(self, index: int, number: int) -> int:
        """The number of the part that stands for all that are worth the same."""
        if number == SETTLED or self.turn.representative is None:
            return number
        return self.number(index, self.turn.representative(self.setup, index, self.part(index, number)))

    def _closed(self, key: Key) -> list[int]:
        """The parts on which no attack that is left depends, unless they would be searched for too long."""
        if self.involved > MOST_CLOSED:
            return []
        settled = frozenset([index for index in self.primary_parts if key[index] == SETTLED])
        known = self.closed.get(settled)
        if known is None:
            pairs = zip(self.attacks, self.primaries, strict=True)
            involved = (one.involved for one, (by, on) in pairs if by not in settled and on not in settled)
            known = self.closed[settled] = list(set(range(len(key))).difference(*involved))
        return known

    def state_of(self, key: Key) -> Any:
        """A state with these parts; what is settled may be anything that is."""
        parts = tuple(
            self.settled_parts[self.kind[index]] if number == SETTLED else self.part(index, number)
            for index, number in enumerate(key)
        )
        return self.turn.with_parts(self.state, parts)

    def graph_of(self, number: int, key: Key, is_exact: bool = False) -> AttackGraph | None:
        """The graph of an attack; None if it is not possible now. It depends on the involved parts alone.

        One that is not exact may be that of an attack that is alike, and with decisions at which nobody is asked.
        """
        attack = self.attacks[number]
        is_exact = is_exact or self.turn.cut is not None  # the graph of an attack that has a cut is its own
        local = (number, tuple([key[index] for index in attack.involved]), is_exact)
        if local not in self.graphs:
            self.graphs[local] = self._graph(number, key, local[1], is_exact)
        return self.graphs[local]

    def _graph(self, number: int, key: Key, local: Key, is_exact: bool) -> AttackGraph | None:
        explored = self._explore(number, key) if is_exact else self._explore_alike(number, key)
        if explored is None:
            return None
        involved, graph = self.attacks[number].involved, explored.graph
        ends = {place: self._end(after, explored.involved, involved, local) for place, after in graph.endings}
        closed = [] if is_exact else [node for node, part in explored.offers if local[part] == SETTLED]
        return AttackGraph(graph, ends, self.assumptions, explored.stage, frozenset(closed))

    def _explore_alike(self, number: int, key: Key) -> "Explored | None":
        """The graph of the first attack that is alike, as if everything that was there to be used were still there."""
        attack = self.attacks[number]
        open_key = list(key)
        for index in self.offered:
            open_key[index] = self.start[index]
        by, on = self.primaries[number]
        parts = tuple([open_key[index] for index in attack.involved])
        alike = (self.kind[by], self.kind[on], self.occurrences[number], parts)
        if alike not in self.explored:
            self.explored[alike] = self._explore(number, tuple(open_key))
        return self.explored[alike]

    def _explore(self, number: int, key: Key) -> "Explored | None":
        attack, state = self.attacks[number], self.state_of(key)
        if not self.turn.is_possible(self.setup, state, attack.declaration):
            return None
        begin = self.turn.begin(self.setup, state, attack.declaration)
        stage = self._stage_of(attack, key, begin, self.turn.cut) if self.turn.cut else None
        starts = [self._after_stage(attack, begin, slot) for slot in stage.slots] if stage else [begin]
        graph = self._explore_from(starts, self.turn.choice, len(key))
        return Explored(graph, attack.involved, self._offers(graph, attack.involved), stage)

    def _offers(self, graph: Graph, involved: Sequence[int]) -> list[tuple[int, int]]:
        """The decisions that need a part to be there, each with the place of that part among those involved."""
        decisions = [(number, node) for number, node in enumerate(graph.nodes) if isinstance(node, Decision)]
        needed = ((number, self.turn.consumed_by(self.setup, node.position)) for number, node in decisions)
        return [(number, involved.index(part)) for number, part in needed if part is not None]

    def _explore_from(self, starts: Sequence[Position], until: Rule[Any, ...], parts: int) -> Graph:
        explored = explore(self.battle, *starts, bound=self.bound, odds=self.reading_odds, until=until)
        if explored.cycles:
            raise CyclicAttack
        self._make_room(len(explored.nodes) * (1 + parts // PARTS_PER_POSITION))
        return explored

    def _stage_of(self, attack: PossibleAttack, key: Key, begin: Position, cut: Rule[Any, ...]) -> Stage:
        """What comes before the cut of an attack. It depends on few parts."""
        before = self.turn.parts(begin.state)
        local = (attack.stage, tuple([before[index] for index in attack.before_cut]))
        if local not in self.stages:
            explored = self._explore_from([begin], cut, len(key))
            parts_at: dict[int, tuple[Hashable, ...]] = {}
            for place, end in explored.endings:
                parts = self.turn.parts(end)
                parts_at[place] = tuple([parts[index] for index in attack.before_cut])
            slots = tuple(dict.fromkeys(parts_at.values()))
            slot_of = {parts: slot for slot, parts in enumerate(slots)}
            slot = {place: slot_of[parts] for place, parts in parts_at.items()}
            self.stages[local] = Stage(explored, slot, slots, self.assumptions)
        return self.stages[local]

    def _after_stage(self, attack: PossibleAttack, begin: Position, slot: Sequence[Hashable]) -> Position:
        """The position at the cut: only parts on which the stage depends have changed since the attack began."""
        assert self.turn.cut is not None
        parts = list(self.turn.parts(begin.state))
        for index, part in zip(attack.before_cut, slot, strict=True):
            parts[index] = part
        return Position(self.turn.cut, (self.turn.with_parts(begin.state, tuple(parts)),))

    def _make_room(self, nodes: int) -> None:
        """Count the positions of one more graph; a solver that forgets drops the others if they are too many."""
        self.nodes += nodes
        if self.forgets and self.nodes > self.bound:
            self.graphs.clear()
            self.explored.clear()
            self.stages.clear()
            self.nodes = nodes
        self._check(self.nodes)

    def _check(self, size: float) -> None:
        if size > self.bound:
            raise TooLarge("too many positions for an exact turn", self.bound, self.bound)

    def _end(self, state: Any, explored: Sequence[int], involved: Sequence[int], before: Key) -> AttackEnd:
        """How an attack ended; what was settled before it is not settled again.

        The state is that of an attack that involves the parts `explored`.
        """
        after = self.turn.parts(state)
        parts = {index: after[other] for index, other in zip(involved, explored, strict=True)}
        number_before = {index: number for index, number in zip(involved, before, strict=True) if number != SETTLED}
        key, settled = self.key_of([parts[index] for index in number_before], list(number_before))
        number_of = dict(zip(number_before, key, strict=True))
        gain = sum(
            (
                self.contribution(index, parts[index]) - self.contribution(index, self.part(index, number))
                for index, number in number_before.items()
            ),
            0 * self.one,
        )
        return AttackEnd(tuple(number_of.get(index, SETTLED) for index in involved), settled, gain)

    def standing(self, key: Key) -> Key:
        """The key with the parts that stand for those of this one: the same attacks are worth the same there."""
        if self.turn.representative is None:
            return key
        return tuple([self._standing_for(index, number) for index, number in enumerate(key)])

    def next_attacks(self, key: Key) -> list[NextAttack]:
        """Every attack that is possible now, in the order offered."""
        attacks = (self.next_attack(key, number) for number in range(len(self.attacks)))
        return [one for one in attacks if one is not None]

    def next_attack(self, key: Key, number: int, is_exact: bool = False) -> NextAttack | None:
        """An attack by its number; None if it is not possible now."""
        attack = self.attacks[number]
        by, on = self.primaries[number]
        if key[by] == SETTLED or key[on] == SETTLED:
            return None
        graph = self.graph_of(number, key, is_exact)
        return None if graph is None else NextAttack(number, attack, graph, tuple(self._after(key, attack, graph)))

    def _after(self, key: Key, attack: PossibleAttack, graph: AttackGraph) -> Iterator[Key]:
        """The key that each slot of an attack leads to."""
        after = list(key)
        for slot in graph.slots:
            for index, part in zip(attack.involved, slot, strict=True):
                after[index] = part
            yield tuple(after)

    def value(self, key: Key) -> Probability:
        """The value of a choice: what going on can be expected to gain over ending the turn there."""
        first = self.merge(key)
        stack = [] if first in self.values else [first]
        waiting: dict[Key, list[Line]] = {}
        values = self.values
        while stack:
            here = stack[-1]
            if here in values:
                stack.pop()
                continue
            lines = waiting.get(here)
            if lines is None:
                self._check(len(values) + len(waiting) + 1)
                self.looked_at += len(self.attacks)
                self._check(self.looked_at / ATTACKS_PER_CHOICE)
                lines = waiting[here] = self._lines(here)
                missing = [after for _, keys, _ in lines for after in keys if after not in values]
                if missing:
                    stack += missing
                    continue
            stack.pop()
            del waiting[here]
            values[here] = self._value(lines)
            if self.progress and len(values) % REPORT_EVERY == 0:
                self.progress(len(values))
        return values[first]

    def _lines(self, key: Key) -> list[Line]:
        """The attacks that the value of a choice depends on; of those that are alike the first."""
        if self.assumptions.attacker not in (Policy.BEST, Policy.RANDOM):
            attacks = self.next_attacks(key)
            taken = self.option_taken(attacks)
            return [
                (one.graph, [self.merge(after) for after in one.keys], 1)
                for number, one in enumerate(attacks)
                if number == taken
            ]
        left = [n for n, (by, on) in enumerate(self.primaries) if key[by] != SETTLED and key[on] != SETTLED]
        is_last = len({self.primaries[number][0] for number in left}) == 1
        times: dict[tuple[int, ...], int] = {}
        lines: dict[tuple[int, ...], Line] = {}
        for number in left:
            by, on = self.primaries[number]
            alike = (self.kind[by], key[by], self.kind[on], key[on], self.occurrences[number])
            times[alike] = times.get(alike, 0) + 1
            graph = self.graph_of(number, key) if times[alike] == 1 else None
            if graph is not None:
                nothing_follows = is_last and graph.is_last_of_attacker
                after = () if nothing_follows else self._after(key, self.attacks[number], graph)
                lines[alike] = graph, [self.merge(one) for one in after], 1
        return [(graph, keys, times[alike]) for alike, (graph, keys, _) in lines.items()]

    def _value(self, lines: Sequence[Line]) -> Probability:
        values = self.values
        options = [(graph.value([values[after] for after in keys]), times) for graph, keys, times in lines]
        if self.assumptions.attacker == Policy.BEST:
            return max([0 * self.one, *(value for value, _ in options)])
        if self.assumptions.attacker == Policy.RANDOM:
            return sum((value * times for value, times in options), 0 * self.one) / (1 + sum(n for _, n in options))
        return options[0][0] if options else 0 * self.one

    def slot_values(self, one: NextAttack) -> list[Probability]:
        """The value of the choice that each slot of an attack leads to."""
        return [self.value(after) for after in one.keys]

    def option_values(self, attacks: Sequence[NextAttack]) -> list[Probability]:
        """The value of each attack, and last of ending the turn."""
        return [*(one.graph.value(self.slot_values(one)) for one in attacks), 0 * self.one]

    def option_taken(self, attacks: Sequence[NextAttack]) -> int | None:
        """Which attack is made next, the last option being to end the turn; None: any of them."""
        policy = self.assumptions.attacker
        if policy == Policy.BEST:
            return best_option(self.option_values(attacks), Role.ATTACKER)
        if policy == Policy.GREEDY:
            return best_option([*(one.graph.value_alone for one in attacks), 0 * self.one], Role.ATTACKER)
        return None if policy == Policy.RANDOM else 0


def _occurrences(pairs: Sequence[Hashable]) -> list[int]:
    """How often each has come before."""
    times: dict[Hashable, int] = {}
    before = []
    for pair in pairs:
        before.append(times.get(pair, 0))
        times[pair] = before[-1] + 1
    return before
