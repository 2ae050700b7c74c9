"""A battle for game frameworks: numbered positions, numbered actions, rolls with their odds."""

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from grognard.core.errors import BattleError, Fault
from grognard.core.systems import Battle, Role
from grognard.plays.answers import format_question
from grognard.solver.assumptions import Assumptions, ObjectiveFunction, Policy
from grognard.solver.cycles import Elimination
from grognard.solver.graph import POSITIONS, Chance, Decision, Ending, ReadingCache, endless, explore
from grognard.solver.induction import reach_probabilities, transitions
from grognard.solver.solution import Solution

PLAYERS = (Role.ATTACKER, Role.DEFENDER)
"""In the order in which frameworks number them."""


class Edge(NamedTuple):
    """An answer: its name, its probability (1 for an option), and the number of the next position."""

    name: str
    probability: float
    child: int


class Arena:
    """All positions of a battle by number, with the actions and the player at each of them.

    An action of a player is an option; options with the same id have the same number everywhere. A roll has an outcome
    for each value of its reading. Cycles of rolls without a decision are solved: they lead straight out of the cycle.
    """

    def __init__(self, battle: Battle, bound: int = POSITIONS) -> None:
        odds = ReadingCache(fractions=False)
        self.battle, self.graph = battle, explore(battle, bound=bound, odds=odds)
        self.edges = [self._edges_from(number, odds) for number in range(len(self.graph.nodes))]
        """The answers at every position: the options, or the values of the reading."""
        for cycle in self.graph.cycles:
            if not any(isinstance(self.graph.nodes[member], Decision) for member in cycle):
                self._eliminate_cycle(cycle)
        offered = (edge.name for number in self.graph.order if self.player(number) for edge in self.edges[number])
        self.options = tuple(dict.fromkeys(offered))
        """The ids of all options that are ever offered, in the order of their actions."""
        self._cumulated: dict[int, list[float]] = {}

    def _edges_from(self, number: int, odds: ReadingCache) -> tuple[Edge, ...]:
        node = self.graph.nodes[number]
        if isinstance(node, Decision):
            options = zip(node.question.options, node.children, strict=True)
            return tuple(Edge(option.id, 1.0, child) for option, child in options)
        if isinstance(node, Ending):
            return ()
        answers = zip(node.answers, odds(node.question.reading).weights, node.successors, strict=True)
        edges = [Edge(format_answer(value), float(weight), child) for value, weight, child in answers]
        if number not in node.successors:
            return tuple(edges)
        children = zip(node.children, node.probabilities, strict=True)
        return tuple(Edge(_names_leading_to(child, edges), float(p), child) for child, p in children)

    def _eliminate_cycle(self, cycle: list[int]) -> None:
        """Replace the edges of a cycle of rolls by edges to the positions after it, with their probabilities."""
        elimination = Elimination({member: transitions(self.graph.nodes[member], None, 1.0) for member in cycle})
        for member in cycle:
            _, leaving = elimination.flow({other: float(other == member) for other in cycle})
            edges = self.edges[member]
            self.edges[member] = tuple(
                Edge(_names_leading_to(to, edges), float(p), to) for to, p in leaving.items() if p
            )

    def player(self, number: int) -> Role | None:
        """The role of the side that decides here; None at rolls and at the end."""
        node = self.graph.nodes[number]
        return node.role if isinstance(node, Decision) else None

    def is_over(self, number: int) -> bool:
        """Whether the battle has ended here."""
        return isinstance(self.graph.nodes[number], Ending)

    def is_roll(self, number: int) -> bool:
        """Whether dice are rolled here."""
        return isinstance(self.graph.nodes[number], Chance)

    @cached_property
    def actions(self) -> list[dict[int, int]]:
        """The actions at each position, in order, with the next positions; for rolls, the outcomes."""
        numbers = {name: action for action, name in enumerate(self.options)}
        return [
            dict(sorted((numbers[edge.name], edge.child) for edge in edges))
            if self.player(number)
            else {outcome: edge.child for outcome, edge in enumerate(edges)}
            for number, edges in enumerate(self.edges)
        ]

    def decision(self, number: int) -> Decision:
        """The node of a position where a player decides."""
        node = self.graph.nodes[number]
        assert isinstance(node, Decision)
        return node

    def describe(self, number: int) -> str:
        """A position on one line: its number, and its question or the result."""
        node = self.graph.nodes[number]
        if isinstance(node, Ending):
            return f"{number}: over, {json.dumps(node.result.to_dict(), ensure_ascii=False)}"
        return f"{number}: {format_question(node.question)}"

    def value_at_end(self, number: int, objective: str | ObjectiveFunction) -> float:
        """The value of an ending to the attacker; the defender loses as much."""
        node = self.graph.nodes[number]
        assert isinstance(node, Ending)
        return float(Assumptions(objective=objective).objective_of(self.battle).of(self.battle.setup, node.result))

    def largest_value(self, objective: str | ObjectiveFunction) -> float:
        """The largest absolute value of any ending."""
        return max(abs(self.value_at_end(number, objective)) for number, _ in self.graph.endings)

    def longest(self, kind: type[Chance] | type[Decision]) -> int:
        """The largest number of decisions, or of rolls, in any play; an error if a play need not end."""
        lengths: dict[int, int] = {}
        path: set[int] = set()
        stack = [self.graph.start]
        while stack:
            number = stack[-1]
            children = [edge.child for edge in self.edges[number]]
            missing = [child for child in children if child not in lengths]
            if number in lengths or not missing:
                own = isinstance(self.graph.nodes[number], kind)
                lengths[number] = own + max((lengths[child] for child in children), default=0)
                path.discard(number)
                stack.pop()
                continue
            if number in path:
                node = self.graph.nodes[missing[0]]
                assert not isinstance(node, Ending)
                raise endless(node.position, node.question)
            path.add(number)
            stack += missing
        return lengths[self.graph.start]

    def roll(self, number: int, random: np.random.Generator) -> int:
        """The position after a random roll here, if dice are rolled here, and after all rolls that follow."""
        while self.is_roll(number):
            outcome = bisect_right(self._cumulative(number), random.random())
            number = self.edges[number][outcome].child
        return number

    def _cumulative(self, number: int) -> list[float]:
        """The cumulative probabilities of a roll's outcomes, without the last."""
        known = self._cumulated.get(number)
        if known is None:
            known = self._cumulated[number] = list(accumulate(edge.probability for edge in self.edges[number]))[:-1]
        return known

    def policy(self, role: str, name: str, objective: str | ObjectiveFunction = "swing") -> dict[int, int]:
        """The actions of a policy for a side; at other positions all actions are equally likely.

        `best` plays best against a side that also plays best.
        """
        policies: dict[str, str] = dict.fromkeys(PLAYERS, Policy.BEST) | {role: name}
        assumptions = Assumptions(policies[Role.ATTACKER], policies[Role.DEFENDER], objective)
        assumptions.check(self.battle)
        refuse_greedy_turn(self.battle, policies)
        choices = Solution(self.battle, self.graph, assumptions).induction.choices
        return {
            number: self.options.index(self.edges[number][option].name)
            for number, option in choices.items()
            if self.player(number) == role
        }

    def value(self, actions: Mapping[int, int], objective: str | ObjectiveFunction = "swing") -> float:
        """The value of the battle if these actions are taken; at other positions all options are equally likely."""
        choices = {
            number: [edge.name for edge in self.edges[number]].index(self.options[action])
            for number, action in actions.items()
        }
        reach = reach_probabilities(self.graph, choices.get, 1.0)
        return sum(float(reach[number]) * self.value_at_end(number, objective) for number, _ in self.graph.endings)


def refuse_greedy_turn(battle: Battle, policies: Mapping[str, str]) -> None:
    """Raise a fault if a side of a whole turn is greedy, as that is not a policy for single positions."""
    greedy = [role for role, policy in policies.items() if policy == Policy.GREEDY]
    if battle.is_turn and greedy:
        raise BattleError([Fault(greedy[0], "`greedy` cannot play a whole turn here: expected another policy")])


def _names_leading_to(child: int, edges: Iterable[Edge]) -> str:
    """The names of the edges to a position, or its number if there is none."""
    return " or ".join(edge.name for edge in edges if edge.child == child) or f"to {child}"


def format_answer(value: object) -> str:
    """The value of a reading as text: `3`, `1, 0` or `attack 2, defence 1`."""
    if is_dataclass(value):
        return _format_parts((field.name, getattr(value, field.name)) for field in fields(value))
    if isinstance(value, tuple):
        return _format_parts(zip(getattr(value, "_fields", ("",) * len(value)), value, strict=True))
    return "nothing" if value == "" else str(value)


def _format_parts(parts: Iterable[tuple[str, object]]) -> str:
    return ", ".join(
        f"{name} {f'({format_answer(value)})' if isinstance(value, tuple) else format_answer(value)}".strip()
        for name, value in parts
    )
