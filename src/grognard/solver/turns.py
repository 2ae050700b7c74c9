"""Whole turns: which attack is next, and when to stop.

A turn is solved by dynamic programming over its choices of the next attack. The value of a choice is what going on is
expected to gain over ending the turn there. Three things keep the memo table small:

- State abstraction (`keys.py`): a choice is a key with a number for each part of the state. A part that can no longer
  change or matter is settled: whatever it is, the key is the same.
- Attacks by the parts they involve (`attack_explorer.py`): an attack depends on a few parts, so its graph is explored
  once for each combination of these. The ways in which it can leave them are its exits, and its value is a function of
  the values of the choices that its exits lead to (`attack_graphs.py`).
- Symmetry: keys that differ only by swapping interchangeable parts, by equivalent parts, or in parts on which no
  remaining attack depends have one canonical key, and are one choice.
"""

from collections.abc import Sequence
from typing import Any

from grognard.core.distributions import Probability
from grognard.core.systems import Battle, Role
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.attack_explorer import AttackExplorer, NextAttack, check_size
from grognard.solver.attack_graphs import AttackGraph, evaluate_graphs
from grognard.solver.graph import POSITIONS, Progress, paused_collector
from grognard.solver.induction import best_option
from grognard.solver.keys import SETTLED, Key, PackedKey, TurnStates, pack_key, part_bits, part_mask, unpack_key

REPORT_EVERY = 64
WORK_PER_POSITION = 60
"""How many attacks and exits may be examined for each position that exact work may visit, on average."""
MOST_INVOLVED_TO_MERGE = 2_000
"""Keys that differ in irrelevant parts are not merged if the attacks involve more parts in total: it takes too long."""
MOST_KEYS = 1_000_000
"""At most this many keys are cached with their choices."""

Candidate = tuple[AttackGraph, Sequence[int], int]
"""An attack that the value of a choice depends on: its graph, the choices that its exits lead to, and the number of
symmetric attacks."""
Layer = list[tuple[int, list[Candidate]]]
"""Choices with their candidates. Their values depend on choices in earlier layers only."""


class TurnSolver:
    """The value of every choice of the next attack that a turn can reach.

    With `evicts`, attack graphs are dropped when they become too many: for a solver that is asked about single choices.
    """

    def __init__(
        self,
        battle: Battle,
        assumptions: Assumptions,
        bound: int = POSITIONS,
        progress: Progress | None = None,
        evicts: bool = False,
    ) -> None:
        self.battle, self.assumptions, self.bound, self.progress = battle, assumptions, bound, progress
        self.one, self.zero = assumptions.one, assumptions.zero
        self.states = TurnStates(battle, assumptions)
        self.explorer = AttackExplorer(battle, self.states, assumptions, bound, self.report, evicts)
        self.canonical_keys: list[PackedKey] = []
        """The canonical key of each choice. The other tables name a choice by its number in this list."""
        self.values: list[Probability | None] = []
        """The memo table: the value of each choice; None: not known yet."""
        self._choice_of_canonical: dict[PackedKey, int] = {}
        self._choice_of: dict[PackedKey, int] = {}
        """A cache of the choice of any key."""
        self._irrelevant: dict[tuple[bool, ...], list[int]] = {}
        """A cache of the parts that no remaining attack involves, by which attackers and targets are settled."""
        self._attackers_mask = part_mask(*{by for by, _ in self.explorer.pairs})
        self._attacks_of_last: dict[PackedKey, list[tuple[int, PackedKey]]] = {}
        """By the parts of all attackers: the attacks of the last one, or none if others can follow."""
        self._attackers_and_targets = sorted({index for pair in self.explorer.pairs for index in pair})
        self._merges_irrelevant = self.explorer.total_involved <= MOST_INVOLVED_TO_MERGE
        self._visited = 0
        """The number of choices that were visited."""
        self._work = 0
        """The number of attacks that were examined, possible or not, and of exits that were followed."""

    def value(self, key: Key) -> Probability:
        """The value of a choice: what going on is expected to gain over ending the turn there."""
        choice = self._choice(pack_key(key))
        if self.values[choice] is None:
            with paused_collector():
                self._evaluate(self._collect_layers(choice))
        value = self.values[choice]
        assert value is not None
        return value

    def next_attacks(self, key: Key) -> list[NextAttack]:
        """Every attack that is possible at a choice, in the order offered; their graphs are of equivalent parts."""
        return self.explorer.possible_attacks(self.states.representative_key(key))

    def exit_values(self, attack: NextAttack) -> list[Probability]:
        """The value of the choice that each exit of an attack leads to."""
        return [self.value(key) for key in attack.exit_keys]

    def option_values(self, attacks: Sequence[NextAttack]) -> list[Probability]:
        """The value of each attack, and last of ending the turn."""
        return [*(attack.graph.value(self.exit_values(attack)) for attack in attacks), self.zero]

    def option_taken(self, attacks: Sequence[NextAttack]) -> int | None:
        """The option that the policy takes, where the last one is to end the turn; None: any of them."""
        policy = self.assumptions.attacker
        if policy == Policy.BEST:
            return best_option(self.option_values(attacks), Role.ATTACKER)
        if policy == Policy.GREEDY:
            return best_option([*(attack.graph.value_alone for attack in attacks), self.zero], Role.ATTACKER)
        return None if policy == Policy.RANDOM else 0

    def _choice(self, packed: PackedKey) -> int:
        """The number of the choice with a key."""
        choice = self._choice_of.get(packed)
        if choice is None:
            if len(self._choice_of) >= MOST_KEYS:
                self._choice_of.clear()
                self._irrelevant.clear()
            canonical = self._canonical_key(packed)
            choice = self._choice_of_canonical.setdefault(canonical, len(self.canonical_keys))
            if choice == len(self.canonical_keys):
                self.canonical_keys.append(canonical)
                self.values.append(self._value_of_last(canonical))
            self._choice_of[packed] = choice
        return choice

    def _value_of_last(self, packed: PackedKey) -> Probability | None:
        """The value of a choice of the last attacker, if that can attack only once; else None.

        Most choices are of this kind.
        """
        attackers = packed & self._attackers_mask
        attacks = self._attacks_of_last.get(attackers)
        if attacks is None:
            attacks = self._attacks_of_last[attackers] = self._attacks_if_last(attackers)
        if not attacks:
            return None
        self._count_work(len(attacks))
        options: list[tuple[Probability, int]] = []
        for number, target in attacks:
            graph = self.explorer.graph_of(number, packed) if packed & target else None
            if graph is not None:
                if not graph.settles_attacker:
                    return None
                options.append((graph.value_alone, 1))
        return self._value_of_options(options)

    def _attacks_if_last(self, attackers: PackedKey) -> list[tuple[int, PackedKey]]:
        """The attacks of the only attacker that is not settled, with the masks of their targets; none if others are."""
        if self.assumptions.attacker not in (Policy.BEST, Policy.RANDOM):
            return []
        pairs = [pair for pair in enumerate(self.explorer.pairs) if part_bits(attackers, pair[1][0])]
        return [(number, part_mask(on)) for number, (_, on) in pairs] if len({by for _, (by, _) in pairs}) == 1 else []

    def _canonical_key(self, packed: PackedKey) -> PackedKey:
        """The one key that stands for all keys of equal value by symmetry, equivalence or irrelevance of parts."""
        groups = self.states.symmetric_groups
        if not groups and not self.states.rules.representative and not self._merges_irrelevant:
            return packed
        key = list(self.states.representative_key(unpack_key(packed, len(self.states.start))))
        for group in groups:
            for index, number in zip(group, sorted([key[index] for index in group]), strict=True):
                key[index] = number
        for index in self._irrelevant_parts(key):  # last: it depends on which parts of the sorted groups are settled
            key[index] = SETTLED
        return pack_key(key)

    def _irrelevant_parts(self, key: Sequence[int]) -> list[int]:
        """The parts that no remaining attack involves."""
        if not self._merges_irrelevant:
            return []
        are_settled = tuple([key[index] == SETTLED for index in self._attackers_and_targets])
        irrelevant = self._irrelevant.get(are_settled)
        if irrelevant is None:
            remaining = self.explorer.open_attacks(pack_key(key))
            involved = (self.explorer.attacks[number].involved for number in remaining)
            irrelevant = self._irrelevant[are_settled] = list(set(range(len(key))).difference(*involved))
        return irrelevant

    def _collect_layers(self, first: int) -> list[Layer]:
        """The choices without a value that the value of a choice depends on, by depth-first search."""
        open_choices: dict[int, tuple[list[Candidate], set[int]]] = {}
        layer_of: dict[int, int] = {}
        layers: list[Layer] = []
        stack = [first]
        while stack:
            choice = stack[-1]
            if choice in open_choices:
                candidates, following = open_choices.pop(stack.pop())
                layer = layer_of[choice] = max([layer_of.get(after, -1) for after in following], default=-1) + 1
                if layer == len(layers):
                    layers.append([])
                layers[layer].append((choice, candidates))
            elif choice in layer_of or self.values[choice] is not None:
                stack.pop()
            else:
                self._count_visit()
                candidates = self._candidates(choice)
                following = set[int]().union(*[choices for _, choices, _ in candidates])
                open_choices[choice] = candidates, following
                stack += [after for after in following if after not in layer_of]
        return layers

    def _count_visit(self) -> None:
        self._visited += 1
        check_size(self._visited, self.bound)
        self._count_work(len(self.explorer.attacks))
        if self._visited % REPORT_EVERY == 0:
            self.report()

    def _count_work(self, work: int) -> None:
        """Count attacks and exits that are examined: a turn may have few choices, but attacks with many exits."""
        self._work += work
        check_size(self._work / WORK_PER_POSITION, self.bound)

    def report(self, positions: int = 0) -> None:
        """Report the choices that were visited, also while the positions of one attack are explored."""
        if self.progress:
            self.progress(self._visited)

    def _candidates(self, choice: int) -> list[Candidate]:
        """The attacks that the value of a choice depends on: those the policy may take, of symmetric ones the first."""
        packed = self.canonical_keys[choice]
        if self.assumptions.attacker not in (Policy.BEST, Policy.RANDOM):
            attacks = self.explorer.possible_attacks(unpack_key(packed, len(self.states.start)))
            taken = self.option_taken(attacks)
            return [
                (attack.graph, self._choices_after(packed, attack.graph), 1)
                for option, attack in enumerate(attacks)
                if option == taken
            ]
        explorer = self.explorer
        remaining = explorer.open_attacks(packed)
        times: dict[tuple[int, int, int], int] = {}
        firsts: dict[tuple[int, int, int], tuple[AttackGraph, Sequence[int]]] = {}
        for number in remaining:
            by, on = explorer.pairs[number]
            symmetric = explorer.first_symmetric[number], part_bits(packed, by), part_bits(packed, on)
            times[symmetric] = times.get(symmetric, 0) + 1
            graph = explorer.graph_of(number, packed) if times[symmetric] == 1 else None
            if graph is not None:
                firsts[symmetric] = graph, self._choices_after(packed, graph)
        return [(graph, choices, times[symmetric]) for symmetric, (graph, choices) in firsts.items()]

    def _choices_after(self, packed: PackedKey, graph: AttackGraph) -> list[int]:
        """The choice that each exit of an attack leads to."""
        others, known = packed & ~graph.mask, self._choice_of
        self._count_work(len(graph.packed_exits))
        keys = [others | exit_ for exit_ in graph.packed_exits]
        choices = [known.get(after, -1) for after in keys]
        return [self._choice(after) if choice < 0 else choice for choice, after in zip(choices, keys, strict=True)]

    def _evaluate(self, layers: Sequence[Layer]) -> None:
        """Compute the values of these choices. Attacks with the same graph are evaluated together, layer by layer."""
        values = self.values
        for layer in layers:
            self.report()
            rows: dict[AttackGraph, list[list[Any]]] = {}
            for _, candidates in layer:
                for graph, choices, _ in candidates:
                    rows.setdefault(graph, []).append([values[after] for after in choices])
            of_graphs = {graph: iter(of_graph) for graph, of_graph in evaluate_graphs(rows).items()}
            for choice, candidates in layer:
                options = [(next(of_graphs[graph]), times) for graph, _, times in candidates]
                values[choice] = self._value_of_options(options)

    def _value_of_options(self, options: Sequence[tuple[Probability, int]]) -> Probability:
        """The value of a choice, from the values of its candidates and how many attacks each stands for."""
        if self.assumptions.attacker == Policy.BEST:
            return max([self.zero, *(value for value, _ in options)])
        if self.assumptions.attacker == Policy.RANDOM:
            total = sum((value * times for value, times in options), self.zero)
            return total / (1 + sum(times for _, times in options))
        return options[0][0] if options else self.zero
