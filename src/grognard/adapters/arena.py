"""A battle as game frameworks see it: numbered positions, numbered actions, rolls with their odds."""

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


class Way(NamedTuple):
    """An answer by its name, its probability (1 of an option), and the number of the position that it leads to."""

    name: str
    probability: float
    child: int


class Arena:
    """All positions of a battle by their numbers from 0 on, where each action leads, and who acts.

    An action of a player is an option; it has the same number wherever an option of that id is offered. A roll has an
    outcome for each value that its reading tells apart. Rolls that can come round to themselves without a decision are
    solved: they lead straight out of their cycle.
    """

    def __init__(self, battle: Battle, bound: int = POSITIONS) -> None:
        odds = ReadingCache(fractions=False)
        self.battle, self.graph = battle, explore(battle, bound=bound, odds=odds)
        self.ways = [self._ways(number, odds) for number in range(len(self.graph.nodes))]
        """The answers at every position: the options, or what can be read of the dice."""
        for cycle in self.graph.cycles:
            if not any(isinstance(self.graph.nodes[member], Decision) for member in cycle):
                self._lead_out_of(cycle)
        offered = (way.name for number in self.graph.order if self.player(number) for way in self.ways[number])
        self.options = tuple(dict.fromkeys(offered))
        """The ids of all options that are ever offered, in the order of their actions."""
        self._sums: dict[int, list[float]] = {}

    def _ways(self, number: int, odds: ReadingCache) -> tuple[Way, ...]:
        node = self.graph.nodes[number]
        if isinstance(node, Decision):
            options = zip(node.question.options, node.children, strict=True)
            return tuple(Way(option.id, 1.0, child) for option, child in options)
        if isinstance(node, Ending):
            return ()
        answers = zip(node.answers, odds(node.question.reading).weights, node.successors, strict=True)
        ways = [Way(format_answer(value), float(weight), child) for value, weight, child in answers]
        if number not in node.successors:
            return tuple(ways)
        children = zip(node.children, node.probabilities, strict=True)
        return tuple(Way(_names_leading_to(child, ways), float(p), child) for child, p in children)

    def _lead_out_of(self, cycle: list[int]) -> None:
        """Let the rolls of a cycle lead to the positions after it, by the probability that these come next."""
        elimination = Elimination({member: transitions(self.graph.nodes[member], None, 1.0) for member in cycle})
        for member in cycle:
            _, leaving = elimination.flow({other: float(other == member) for other in cycle})
            ways = self.ways[member]
            self.ways[member] = tuple(Way(_names_leading_to(to, ways), float(p), to) for to, p in leaving.items() if p)

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
        """The actions that can be taken at each position, in order, and where they lead; of rolls, the outcomes."""
        numbers = {name: action for action, name in enumerate(self.options)}
        return [
            dict(sorted((numbers[way.name], way.child) for way in ways))
            if self.player(number)
            else {outcome: way.child for outcome, way in enumerate(ways)}
            for number, ways in enumerate(self.ways)
        ]

    def decision(self, number: int) -> Decision:
        """The node of a position where a player decides."""
        node = self.graph.nodes[number]
        assert isinstance(node, Decision)
        return node

    def describe(self, number: int) -> str:
        """A position in a line: its number, and its question or the result."""
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
        """The most that either side can win or lose."""
        return max(abs(self.value_at_end(number, objective)) for number, _ in self.graph.endings)

    def longest(self, kind: type[Chance] | type[Decision]) -> int:
        """The largest number of decisions, or of rolls, in any play; an error if some play never ends."""
        lengths: dict[int, int] = {}
        path: set[int] = set()
        stack = [self.graph.start]
        while stack:
            number = stack[-1]
            children = [way.child for way in self.ways[number]]
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
        """Roll the dice here, if any, and those that follow; the position after them."""
        while self.is_roll(number):
            outcome = bisect_right(self._cumulative(number), random.random())
            number = self.ways[number][outcome].child
        return number

    def _cumulative(self, number: int) -> list[float]:
        """The probabilities of a roll's outcomes but the last, added up."""
        known = self._sums.get(number)
        if known is None:
            known = self._sums[number] = list(accumulate(way.probability for way in self.ways[number]))[:-1]
        return known

    def policy(self, role: str, name: str, objective: str | ObjectiveFunction = "swing") -> dict[int, int]:
        """The actions that a policy takes for a side; at positions not listed it takes any.

        `best` plays best against a side that does so too.
        """
        policies: dict[str, str] = dict.fromkeys(PLAYERS, Policy.BEST) | {role: name}
        assumptions = Assumptions(policies[Role.ATTACKER], policies[Role.DEFENDER], objective)
        assumptions.check(self.battle)
        refuse_greedy_turn(self.battle, policies)
        choices = Solution(self.battle, self.graph, assumptions).induction.choices
        return {
            number: self.options.index(self.ways[number][option].name)
            for number, option in choices.items()
            if self.player(number) == role
        }

    def value(self, actions: Mapping[int, int], objective: str | ObjectiveFunction = "swing") -> float:
        """The value of the battle if these actions are taken; at positions not listed each option is as likely."""
        choices = {
            number: [way.name for way in self.ways[number]].index(self.options[action])
            for number, action in actions.items()
        }
        reach = reach_probabilities(self.graph, choices.get, 1.0)
        return sum(float(reach[number]) * self.value_at_end(number, objective) for number, _ in self.graph.endings)


def refuse_greedy_turn(battle: Battle, policies: Mapping[str, str]) -> None:
    """Raise the fault that a whole turn is not solved position by position for a greedy side."""
    greedy = [role for role, policy in policies.items() if policy == Policy.GREEDY]
    if battle.is_turn and greedy:
        raise BattleError([Fault(greedy[0], "`greedy` cannot play a whole turn here: expected another policy")])


def _names_leading_to(child: int, ways: Iterable[Way]) -> str:
    """The names of the ways that lead straight to a position, or its number if none does."""
    return " or ".join(way.name for way in ways if way.child == child) or f"to {child}"


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
