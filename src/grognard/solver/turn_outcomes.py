"""What comes of a turn: forwards over its choices, the distribution of every measure and of all parts together."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grognard.core.distributions import Probability
from grognard.solver.attack_graphs import AttackEnd
from grognard.solver.graph import paused_collector
from grognard.solver.keys import SETTLED, Key
from grognard.solver.turns import NextAttack, TurnSolver

MOST_JOINT = 20_000
"""More combinations of parts are not followed: results are then not listed."""
Place = tuple[Key, bool]
"""A choice, and whether what is settled there is as a play came to have it."""
Edge = tuple[Place | None, Probability, AttackEnd | None]
"""Where a choice leads (without a place the turn is over), how likely, and how the attack ended."""


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """The decisions that were taken in a play."""

    options: Mapping[Key, tuple[int, Mapping[int, int]]]
    """At each choice the option, and the options at the decisions inside the attack, by node."""
    final: tuple[Hashable, ...]
    """The parts at the end of the play."""


class TurnOutcomes:
    """What comes of a turn from a choice on, or from a node of an attack, forwards over what the policies lead to.

    `first` is the option taken at that choice, if not the policy's. With `played`, what was decided in a play is
    decided wherever the same position is reached.
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
        """How likely each part is to end as this."""
        self.joint: dict[tuple[Hashable, ...], Probability] | None = {}
        """How likely all parts are to end as these; None if there are too many. What was settled before is None."""
        measures = solver.battle.system.measures(solver.setup)
        names = [one.name for one in measures if one.part is None]
        self.sums: dict[str, dict[int, Probability]] = {name: {} for name in (*names, solver.objective)}
        """The distributions of the objective and of every measure that is a sum over parts, without what was settled
        before."""
        self.start = key
        with paused_collector():
            root = self._ends(*inside, solver.one) if inside else self._edges((key, played is not None), first)
            self.root = list(root)
            self._run()

    def _edges(self, place: Place, first: int | None = None) -> Iterator[Edge]:
        key, as_played = place
        solver = self.solver
        attacks = solver.next_attacks(solver.standing(key))
        taken, decided = first, None
        if as_played and self.played and key in self.played.options:
            taken, decided = self.played.options[key]
        elif first is None:
            taken = solver.option_taken(attacks)
        chosen = range(len(attacks) + 1) if taken is None else (taken,)
        for option in chosen:
            share = solver.one / len(chosen)
            if option == len(attacks):
                yield None, share, None
            else:
                attack = solver.next_attack(key, attacks[option].number, is_exact=decided is not None)
                assert attack is not None
                yield from self._ends(attack, None, share, as_played, decided)

    def _ends(
        self,
        one: NextAttack,
        node: int | None,
        share: Probability,
        as_played: bool = False,
        decided: Mapping[int, int] | None = None,
    ) -> Iterator[Edge]:
        key_of = dict(zip(one.graph.slots, one.keys, strict=True))
        for end, probability in one.graph.end_probabilities(self.solver.slot_values(one), node, decided):
            still = as_played and all(self._is_as_played(*part) for part in end.settled)
            yield (key_of[end.open], still), share * probability, end

    def _is_as_played(self, index: int, part: Hashable) -> bool:
        return self.played is not None and self.played.final[index] == part

    def _parents_first(self) -> dict[Place, list[Edge]]:
        edges: dict[Place, list[Edge]] = {}
        order: dict[Place, list[Edge]] = {}
        stack = [after for after, _, _ in self.root if after is not None]
        while stack:
            place = stack[-1]
            if place not in edges:
                edges[place] = list(self._edges(place))
                stack += [after for after, _, _ in edges[place] if after is not None and after not in edges]
            else:
                stack.pop()
                order.setdefault(place, edges[place])
        return dict(reversed(order.items()))

    def _run(self) -> None:
        one = self.solver.one
        nothing: tuple[Hashable, ...] = (None,) * len(self.start)
        begin = _Mass(one, {nothing: one}, {name: {0: one} for name in self.sums})
        masses: dict[Place, _Mass] = {}
        self._pass_on(self.start, begin, self.root, masses)
        for place, edges in self._parents_first().items():
            self._pass_on(place[0], masses.pop(place), edges, masses)

    def _pass_on(self, key: Key, here: "_Mass", edges: Sequence[Edge], masses: "dict[Place, _Mass]") -> None:
        for after, share, end in edges:
            parts = self._open_parts(key) if end is None else end.settled
            for index, part in parts:
                _add(self.marginals[index], part, here.reach * share)
            mass = None if after is None else masses.setdefault(after, _Mass(0, {}, {name: {} for name in self.sums}))
            if mass is not None:
                mass.reach += here.reach * share
            for name, total in self.sums.items():
                bank = sum(self.solver.turn.contribution(self.solver.setup, name, *part) for part in parts)
                for number, probability in here.sums[name].items():
                    _add(total if mass is None else mass.sums[name], number + bank, probability * share)
            self._pass_on_joint(here, mass, share, parts)

    def _open_parts(self, key: Key) -> tuple[tuple[int, Hashable], ...]:
        return tuple((i, self.solver.part(i, number)) for i, number in enumerate(key) if number != SETTLED)

    def _pass_on_joint(
        self, here: "_Mass", mass: "_Mass | None", share: Probability, parts: Sequence[tuple[int, Hashable]]
    ) -> None:
        """How likely all settled parts together are as they are, unless there are too many combinations."""
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
    """How likely a choice is reached, with the distribution of what was settled on the way."""

    reach: Probability
    joint: dict[tuple[Hashable, ...], Probability]
    sums: dict[str, dict[int, Probability]]


def _add(sums: dict[Any, Probability], key: Hashable, probability: Probability) -> None:
    sums[key] = sums.get(key, 0) + probability
