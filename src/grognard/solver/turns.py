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
from grognard.solver.attack_graphs import AttackEnd, AttackGraph, Explored, Stage, evaluate_attacks, reachable
from grognard.solver.graph import POSITIONS, Decision, Ending, Graph, Progress, ReadingCache, explore, paused_collector
from grognard.solver.induction import best_option
from grognard.solver.keys import SETTLED, Code, Key, decode, encode, field, mask

REPORT_EVERY = 512
ATTACKS_PER_CHOICE = 10
"""The number of attacks that may be examined for each position that exact work may visit, on average."""
PARTS_PER_POSITION = 20
"""A position with more parts counts as several."""
MOST_INVOLVED = 2_000_000
"""The largest number of parts on which all attacks of a turn may depend, added up."""
MOST_CLOSED = 2_000
"""If all attacks together depend on more parts, those that no attack depends on any more are kept in the keys."""
MOST_KEYS = 250_000
"""At most this many keys are cached with their merged keys."""


class CyclicAttack(Exception):
    """An attack whose positions come round to themselves: its turn is solved position by position instead."""


@dataclass(frozen=True, slots=True)
class NextAttack:
    """An attack that is possible now: its graph, and the key that each of its slots leads to."""

    number: int
    attack: PossibleAttack
    graph: AttackGraph
    keys: tuple[Key, ...]


Line = tuple[AttackGraph, Sequence[int], int]
"""An attack that a value depends on: its graph, the choices it leads to (none if no attack follows it), and how many
attacks are like it."""


class Known(NamedTuple):
    """The parts that an attack involves, and its graph for each combination of them; None where it is not possible."""

    involved: tuple[int, ...]
    mask: Code
    graphs: dict[Code, AttackGraph | None]
    exact_graphs: dict[Code, AttackGraph | None]


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
        self.known: list[dict[Code, Known]] = [{} for _ in self.attacks]
        """What is known of each attack, by the parts on which it depends which parts are involved."""
        self.same_involved: dict[tuple[int, tuple[int, ...]], Known] = {}
        """The same by attack and involved parts."""
        self.explored: dict[Hashable, Explored | None] = {}
        self.stages: dict[Hashable, Stage] = {}
        self.reading_odds = ReadingCache(assumptions.fractions)
        self.nodes = 0
        """How many positions the graphs have together."""
        self.visited = 0
        """How many choices were visited."""
        self.looked_at = 0
        """How many attacks were looked at, possible or not."""
        self.codes: list[Code] = []
        """The merged key of every choice that was met."""
        self.values: list[Probability | None] = []
        """What going on gains over stopping at each choice; None: not known yet."""
        self.choices: dict[Code, int] = {}
        """The number of every choice, by its merged key."""
        self.merged: dict[Code, int] = {}
        """The number of the choice that stands for a key."""
        self.closed: dict[tuple[bool, ...], list[int]] = {}
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
        self.primary_masks = [(mask((by,)), mask((on,))) for by, on in self.primaries]
        self.decisive_masks = [mask(attack.involvement_depends_on) for attack in self.attacks]
        self.primary_parts = sorted({index for pair in self.primaries for index in pair})
        self.occurrences = _occurrences(self.primaries)
        """Which attack of its attacker on its target each is."""
        for group in self.alike:
            for index in group:
                self.kind[index] = group[0]
        kinds = [(self.kind[by], self.kind[on]) for by, on in self.primaries]
        alike: dict[Hashable, int] = {}
        self.first_alike = [
            alike.setdefault(one, number) for number, one in enumerate(zip(kinds, self.occurrences, strict=True))
        ]
        """For each attack the first of all that are alike if attacker and target are."""
        self.numbers: list[dict[Hashable, int]] = [{} for _ in first]
        """The number of every part that was met, for each kind."""
        self.parts: list[list[Hashable]] = [[] for _ in first]
        """The parts that are not settled, for each kind in the order of their numbers."""
        self.settled_parts: list[Hashable] = list(first)
        """A part of each kind that is settled, once there is one."""
        self.contributions: list[dict[Hashable, Probability]] = [{} for _ in first]
        self.start = self.key_of(first)
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
        """The number of a part, counted from 0 for each kind; SETTLED if it is settled."""
        kind = self.kind[index]
        number = self.numbers[kind].get(part)
        if number is None:
            if self.turn.is_settled(self.setup, index, part):
                number = SETTLED
                self.settled_parts[kind] = part
            else:
                number = len(self.parts[kind])
                self.parts[kind].append(part)
            self.numbers[kind][part] = number
        return number

    def part(self, index: int, number: int) -> Hashable:
        """The part of this number."""
        return self.parts[self.kind[index]][number]

    def total(self, parts: Sequence[Hashable]) -> Probability:
        """What all parts add to the objective if they stay as they are."""
        return sum((self.contribution(index, part) for index, part in enumerate(parts)), 0 * self.one)

    def contribution(self, index: int, part: Hashable) -> Probability:
        """What a part adds to the objective if it stays as it is."""
        known = self.contributions[index].get(part)
        if known is None:
            known = self.turn.contribution(self.setup, self.objective, index, part) * self.one
            self.contributions[index][part] = known
        return known

    def key_of(self, parts: Sequence[Hashable]) -> Key:
        """The key of all parts of a state."""
        return tuple([self.number(index, part) for index, part in enumerate(parts)])

    def choice(self, code: Code) -> int:
        """The number of the choice at a key."""
        number = self.merged.get(code)
        if number is None:
            if len(self.merged) >= MOST_KEYS:
                self.merged.clear()
                self.closed.clear()
            merged = self._merge(code)
            number = self.choices.setdefault(merged, len(self.codes))
            if number == len(self.codes):
                self.codes.append(merged)
                self.values.append(None)
            self.merged[code] = number
        return number

    def _merge(self, code: Code) -> Code:
        """The key that stands for all that differ in no attack that is left, or in which parts have changed places."""
        if not self.alike and not self.turn.representative and self.involved > MOST_CLOSED:
            return code
        key = list(self.standing(decode(code, len(self.start))))
        for group in self.alike:
            for index, number in zip(group, sorted([key[index] for index in group]), strict=True):
                key[index] = number
        for index in self._closed(key):  # last: what is closed depends on which of those that are alike are settled
            key[index] = SETTLED
        return encode(key)

    def _standing_for(self, index: int, number: int) -> int:
        """The number of the part that stands for all that are worth the same."""
        if number == SETTLED or self.turn.representative is None:
            return number
        return self.number(index, self.turn.representative(self.setup, index, self.part(index, number)))

    def _closed(self, key: Sequence[int]) -> list[int]:
        """The parts on which no attack that is left depends, unless they would be searched for too long."""
        if self.involved > MOST_CLOSED:
            return []
        are_settled = tuple([key[index] == SETTLED for index in self.primary_parts])
        closed = self.closed.get(are_settled)
        if closed is None:
            involved = (self.attacks[number].involved for number in self._left(encode(key)))
            closed = self.closed[are_settled] = list(set(range(len(key))).difference(*involved))
        return closed

    def _left(self, code: Code) -> list[int]:
        """The attacks, by number, whose attacker and target are not settled."""
        return [number for number, (by, on) in enumerate(self.primary_masks) if code & by and code & on]

    def state_of(self, key: Key) -> Any:
        """A state with these parts; what is settled may be anything that is."""
        parts = tuple(
            self.settled_parts[self.kind[index]] if number == SETTLED else self.part(index, number)
            for index, number in enumerate(key)
        )
        return self.turn.with_parts(self.state, parts)

    def graph_of(self, number: int, code: Code, is_exact: bool = False) -> AttackGraph | None:
        """The graph of an attack; None if it is not possible now. It depends on the involved parts alone.

        One that is not exact may be that of an attack that is alike, and with decisions at which nobody is asked.
        """
        decisive = code & self.decisive_masks[number]
        known = self.known[number].get(decisive) or self._know(number, code)
        is_exact = is_exact or self.turn.involved_now is not None  # the graph of one that involves few parts is its own
        graphs, local = known.exact_graphs if is_exact else known.graphs, code & known.mask
        if local not in graphs:
            graphs[local] = self._graph(number, decode(code, len(self.start)), known.involved, is_exact)
            self.known[number].setdefault(decisive, known)  # unless room was made for it
        return graphs[local]

    def _know(self, number: int, code: Code) -> Known:
        """The parts that an attack depends on or may change now."""
        attack = self.attacks[number]
        involved = attack.involved
        if self.turn.involved_now is not None:
            state = self.state_of(decode(code, len(self.start)))
            involved = self.turn.involved_now(self.setup, state, attack.declaration)
        known = self.same_involved.setdefault((number, involved), Known(involved, mask(involved), {}, {}))
        return self.known[number].setdefault(code & self.decisive_masks[number], known)

    def _graph(self, number: int, key: Key, involved: tuple[int, ...], is_exact: bool) -> AttackGraph | None:
        explored = self._explore(number, key, involved) if is_exact else self._explore_alike(number, key)
        if explored is None:
            return None
        graph, local = explored.graph, tuple([key[index] for index in involved])
        closed = [] if is_exact else [node for node, part in explored.offers if local[part] == SETTLED]
        order = reachable(graph, closed) if closed else graph.order
        ends = {
            number: self._end(node.result, explored.involved, involved, local)
            for number in order
            if isinstance(node := graph.nodes[number], Ending)
        }
        return AttackGraph(explored, order, ends, involved, frozenset(closed))

    def _explore_alike(self, number: int, key: Key) -> Explored | None:
        """The graph of the first attack that is alike, as if everything that was there to be used were still there."""
        attack = self.attacks[number]
        open_key = list(key)
        for index in self.offered:
            open_key[index] = self.start[index]
        by, on = self.primaries[number]
        parts = tuple([open_key[index] for index in attack.involved])
        alike = (self.kind[by], self.kind[on], self.occurrences[number], parts)
        if alike not in self.explored:
            self.explored[alike] = self._explore(number, tuple(open_key), attack.involved)
        return self.explored[alike]

    def _explore(self, number: int, key: Key, involved: tuple[int, ...]) -> Explored | None:
        attack, state = self.attacks[number], self.state_of(key)
        if not self.turn.is_possible(self.setup, state, attack.declaration):
            return None
        begin = self.turn.begin(self.setup, state, attack.declaration)
        stage = self._stage_of(attack, key, begin, self.turn.checkpoint) if self.turn.checkpoint else None
        starts = [self._after_stage(attack, begin, slot) for slot in stage.slots] if stage else [begin]
        graph = self._explore_from(starts, self.turn.choice, len(key))
        return Explored(graph, involved, self._offers(graph, involved), stage, self.assumptions)

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
        local = (attack.opening, tuple([before[index] for index in attack.before_checkpoint]))
        if local not in self.stages:
            explored = self._explore_from([begin], cut, len(key))
            parts_at: dict[int, tuple[Hashable, ...]] = {}
            for place, end in explored.endings:
                parts = self.turn.parts(end)
                parts_at[place] = tuple([parts[index] for index in attack.before_checkpoint])
            slots = tuple(dict.fromkeys(parts_at.values()))
            slot_of = {parts: slot for slot, parts in enumerate(slots)}
            slot = {place: slot_of[parts] for place, parts in parts_at.items()}
            self.stages[local] = Stage(explored, slot, slots, self.assumptions)
        return self.stages[local]

    def _after_stage(self, attack: PossibleAttack, begin: Position, slot: Sequence[Hashable]) -> Position:
        """The position at the cut: only parts on which the stage depends have changed since the attack began."""
        assert self.turn.checkpoint is not None
        parts = list(self.turn.parts(begin.state))
        for index, part in zip(attack.before_checkpoint, slot, strict=True):
            parts[index] = part
        return Position(self.turn.checkpoint, (self.turn.with_parts(begin.state, tuple(parts)),))

    def _make_room(self, nodes: int) -> None:
        """Count the positions of one more graph; a solver that forgets drops the others if they are too many."""
        self.nodes += nodes
        if self.forgets and self.nodes > self.bound:
            for known in self.known:
                known.clear()
            self.same_involved.clear()
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
        key = list(before)
        settled: list[tuple[int, Hashable]] = []
        gain = 0 * self.one
        for place, (index, other) in enumerate(zip(involved, explored, strict=True)):
            part, number = after[other], before[place]
            if number == SETTLED or number == self.number(index, part):
                continue
            key[place] = self.number(index, part)
            gain += self.contribution(index, part) - self.contribution(index, self.part(index, number))
            if key[place] == SETTLED:
                settled.append((index, part))
        return AttackEnd(tuple(key), tuple(settled), gain)

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
        by, on = self.primaries[number]
        if key[by] == SETTLED or key[on] == SETTLED:
            return None
        graph = self.graph_of(number, encode(key), is_exact)
        return (
            None if graph is None else NextAttack(number, self.attacks[number], graph, tuple(self._after(key, graph)))
        )

    def _after(self, key: Key, graph: AttackGraph) -> Iterator[Key]:
        """The key that each slot of an attack leads to."""
        after = list(key)
        for slot in graph.slots:
            for index, part in zip(graph.involved, slot, strict=True):
                after[index] = part
            yield tuple(after)

    def value(self, key: Key) -> Probability:
        """The value of a choice: what going on can be expected to gain over ending the turn there."""
        number = self.choice(encode(key))
        if self.values[number] is None:
            with paused_collector():
                self._evaluate(self._collect(number))
        return self._known_value(number)

    def _known_value(self, number: int) -> Probability:
        value = self.values[number]
        assert value is not None
        return value

    def _collect(self, first: int) -> list[list[tuple[int, list[Line]]]]:
        """The attacks that the value of a choice depends on, and those of all choices that may follow.

        Each list has the choices that depend on the lists before it. Choices after which nothing follows are valued.
        """
        waiting: dict[int, tuple[list[Line], set[int]]] = {}
        height: dict[int, int] = {}
        layers: list[list[tuple[int, list[Line]]]] = []
        stack = [first]
        while stack:
            here = stack[-1]
            if here in waiting:
                lines, following = waiting.pop(stack.pop())
                place = height[here] = max([height.get(after, -1) for after in following]) + 1
                if place == len(layers):
                    layers.append([])
                layers[place].append((here, lines))
            elif here in height or self.values[here] is not None:
                stack.pop()
            else:
                self.visited += 1
                self._check(self.visited)
                self.looked_at += len(self.attacks)
                self._check(self.looked_at / ATTACKS_PER_CHOICE)
                if self.progress and self.visited % REPORT_EVERY == 0:
                    self.progress(self.visited)
                lines = self._lines(here)
                following = set[int]().union(*[choices for _, choices, _ in lines])
                if following:
                    waiting[here] = lines, following
                    stack += [after for after in following if after not in height]
                else:
                    self.values[here] = self._value([(graph.value_alone, times) for graph, _, times in lines])
        return layers

    def _lines(self, choice: int) -> list[Line]:
        """The attacks that the value of a choice depends on; of those that are alike the first."""
        code = self.codes[choice]
        if self.assumptions.attacker not in (Policy.BEST, Policy.RANDOM):
            attacks = self.next_attacks(decode(code, len(self.start)))
            taken = self.option_taken(attacks)
            chosen = [one.graph for number, one in enumerate(attacks) if number == taken]
            return [(graph, self._choices_after(code, graph), 1) for graph in chosen]
        left = self._left(code)
        is_last = len({self.primaries[number][0] for number in left}) == 1
        times: dict[tuple[int, Code, Code], int] = {}
        lines: dict[tuple[int, Code, Code], tuple[AttackGraph, Sequence[int]]] = {}
        for number in left:
            by, on = self.primaries[number]
            alike = self.first_alike[number], field(code, by), field(code, on)
            times[alike] = times.get(alike, 0) + 1
            graph = self.graph_of(number, code) if times[alike] == 1 else None
            if graph is not None:
                nothing_follows = is_last and graph.is_last_of_attacker
                lines[alike] = graph, () if nothing_follows else self._choices_after(code, graph)
        return [(graph, choices, times[alike]) for alike, (graph, choices) in lines.items()]

    def _choices_after(self, code: Code, graph: AttackGraph) -> list[int]:
        """The choices that the slots of an attack lead to."""
        others, merged = code & ~graph.mask, self.merged
        codes = [others | slot for slot in graph.slot_codes]
        numbers = [merged.get(after, -1) for after in codes]
        return [self.choice(after) if number < 0 else number for number, after in zip(numbers, codes, strict=True)]

    def _evaluate(self, layers: Sequence[Sequence[tuple[int, Sequence[Line]]]]) -> None:
        """The values of all these choices: at once those of a layer."""
        values = self.values
        for layer in layers:
            rows: dict[AttackGraph, list[list[Any]]] = {}
            for _, lines in layer:
                for graph, choices, _ in lines:
                    rows.setdefault(graph, []).append([values[after] for after in choices])
            of_attacks = {graph: iter(of_graph) for graph, of_graph in evaluate_attacks(rows).items()}
            for here, lines in layer:
                values[here] = self._value([(next(of_attacks[graph]), times) for graph, _, times in lines])

    def _value(self, options: Sequence[tuple[Probability, int]]) -> Probability:
        """The value of a choice, from that of each attack and how many are like it."""
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
