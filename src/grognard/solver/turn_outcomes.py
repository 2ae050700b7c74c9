"""The outcomes of a turn: the distribution of every measure, and of all parts together, by a forward pass."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grognard.core.distributions import Probability
from grognard.solver.attack_explorer import NextAttack, check_size
from grognard.solver.attack_graphs import AttackEnd
from grognard.solver.graph import paused_collector
from grognard.solver.keys import SETTLED, Key
from grognard.solver.turns import TurnSolver

MOST_JOINT = 20_000
"""With more combinations of parts the joint distribution is given up."""
WORK_PER_POSITION = 400
"""How many probabilities may be passed on for each position that exact work may visit, on average."""
WORK_OF_EXIT = 50
"""How many probabilities can be passed on in the time in which an exit of an attack is examined."""
Node = tuple[Key, bool]
"""A choice, and whether everything that is settled there is as in the play to compare with."""
Edge = tuple[Node | None, Probability, AttackEnd | None]
"""Where a choice leads (None: the turn ends), how likely, and how the attack ended."""


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """The decisions that were taken in a play."""

    options: Mapping[Key, tuple[int, Mapping[int, int]]]
    """For each choice the option taken, and the options taken in the attack, by node."""
    final: tuple[Hashable, ...]
    """The parts at the end of the play."""


class TurnOutcomes:
    """The outcomes of a turn from a choice on, or from a node of an attack.

    `first` overrides the policy at that choice. `played` overrides the policies at all positions of a play.
    """

    def __init__(
        self,
        solver: TurnSolver,
        key: Key,
        first: int | None = None,
        inside: tuple[NextAttack, int] | None = None,
        played: PlayedTurn | None = None,
        most_joint: int = MOST_JOINT,
    ) -> None:
        self.solver, self.played, self.most_joint = solver, played, most_joint
        self.marginals: list[dict[Hashable, Probability]] = [{} for _ in key]
        """The distribution of each part at the end."""
        self.joint: dict[tuple[Hashable, ...], Probability] | None = {}
        """The distribution of all parts at the end; None if there are too many combinations. A part that was settled
        before is None."""
        measures = solver.battle.system.measures(solver.battle.setup)
        names = [measure.name for measure in measures if measure.part is None]
        self.sums: dict[str, dict[int, Probability]] = {name: {} for name in (*names, solver.states.objective)}
        """The distribution of the objective and of every measure that is a sum over parts, without the parts that were
        settled before."""
        self._work = 0
        self.start = key
        with paused_collector():
            root = self._ends(*inside, solver.one) if inside else self._edges((key, played is not None), first)
            self.root = list(root)
            self._run()

    def _edges(self, node: Node, first: int | None = None) -> Iterator[Edge]:
        key, as_played = node
        solver = self.solver
        attacks = solver.next_attacks(key)
        self._count_work(WORK_OF_EXIT * sum(len(attack.exit_keys) for attack in attacks))
        taken, overrides = first, None
        if as_played and self.played and key in self.played.options:
            taken, overrides = self.played.options[key]
        elif first is None:
            taken = solver.option_taken(attacks)
        chosen = range(len(attacks) + 1) if taken is None else (taken,)
        for option in chosen:
            share = solver.one / len(chosen)
            if option == len(attacks):
                yield None, share, None
            else:
                attack = solver.explorer.next_attack(key, attacks[option].number, own=overrides is not None)
                assert attack is not None
                yield from self._ends(attack, None, share, as_played, overrides)

    def _ends(
        self,
        attack: NextAttack,
        start: int | None,
        share: Probability,
        as_played: bool = False,
        overrides: Mapping[int, int] | None = None,
    ) -> Iterator[Edge]:
        key_of = dict(zip(attack.graph.exits, attack.exit_keys, strict=True))
        for end, probability in attack.graph.end_probabilities(self.solver.exit_values(attack), start, overrides):
            still_as_played = as_played and all(self._is_as_played(*part) for part in end.settled)
            yield (key_of[end.exit], still_as_played), share * probability, end

    def _count_work(self, work: int) -> None:
        self._work += work
        check_size(self._work / WORK_PER_POSITION, self.solver.bound)
        self.solver.report()

    def _is_as_played(self, index: int, part: Hashable) -> bool:
        return self.played is not None and self.played.final[index] == part

    def _parents_first(self) -> dict[Node, list[Edge]]:
        """The edges of every node, in topological order."""
        edges: dict[Node, list[Edge]] = {}
        order: dict[Node, list[Edge]] = {}
        stack = [after for after, _, _ in self.root if after is not None]
        while stack:
            node = stack[-1]
            if node not in edges:
                edges[node] = list(self._edges(node))
                stack += [after for after, _, _ in edges[node] if after is not None and after not in edges]
            else:
                stack.pop()
                order.setdefault(node, edges[node])
        return dict(reversed(order.items()))

    def _run(self) -> None:
        one = self.solver.one
        unsettled: tuple[Hashable, ...] = (None,) * len(self.start)
        begin = _Mass(one, {unsettled: one}, {name: {0: one} for name in self.sums})
        masses: dict[Node, _Mass] = {}
        self._pass_on(self.start, begin, self.root, masses)
        for node, edges in self._parents_first().items():
            self._pass_on(node[0], masses.pop(node), edges, masses)

    def _pass_on(self, key: Key, here: "_Mass", edges: Sequence[Edge], masses: "dict[Node, _Mass]") -> None:
        """Distribute the probability mass of a choice over its edges."""
        states = self.solver.states
        self._count_work(len(edges) * (len(here.joint) + sum(len(sums) for sums in here.sums.values())))
        for after, share, end in edges:
            parts = self._open_parts(key) if end is None else end.settled
            for index, part in parts:
                _add(self.marginals[index], part, here.reach * share)
            mass = None if after is None else masses.setdefault(after, _Mass(0, {}, {name: {} for name in self.sums}))
            if mass is not None:
                mass.reach += here.reach * share
            for name, total in self.sums.items():
                added = sum(states.rules.contribution(states.setup, name, *part) for part in parts)
                for number, probability in here.sums[name].items():
                    _add(total if mass is None else mass.sums[name], number + added, probability * share)
            self._pass_on_joint(here, mass, share, parts)

    def _open_parts(self, key: Key) -> tuple[tuple[int, Hashable], ...]:
        states = self.solver.states
        return tuple((index, states.part(index, number)) for index, number in enumerate(key) if number != SETTLED)

    def _pass_on_joint(
        self, here: "_Mass", mass: "_Mass | None", share: Probability, parts: Sequence[tuple[int, Hashable]]
    ) -> None:
        """Pass on the joint distribution of the settled parts, or give it up if it is too large."""
        if self.joint is None:
            return
        towards = self.joint if mass is None else mass.joint
        for settled, probability in here.joint.items():
            with_parts = list(settled)
            for index, part in parts:
                with_parts[index] = part
            _add(towards, tuple(with_parts), probability * share)
        if len(towards) > self.most_joint:
            self.joint = None


@dataclass(slots=True)
class _Mass:
    """The probability of reaching a choice, also by the parts that were settled on the way."""

    reach: Probability
    joint: dict[tuple[Hashable, ...], Probability]
    """By the settled parts; an open part is None."""
    sums: dict[str, dict[int, Probability]]
    """By the contribution of the settled parts to each measure."""


def _add(sums: dict[Any, Probability], key: Hashable, probability: Probability) -> None:
    sums[key] = sums.get(key, 0) + probability
