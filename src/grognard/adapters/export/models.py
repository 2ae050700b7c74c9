"""A battle's graph for model checkers: states, who decides in them, exact odds, rewards at the end."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from grognard.adapters.arena import refuse_greedy_turn
from grognard.core.errors import BattleError, Fault
from grognard.core.rules import Choose, Roll
from grognard.core.systems import Battle, Result, Role
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.graph import POSITIONS, Decision, Ending, Node, Progress, explore
from grognard.solver.induction import best_option, transitions
from grognard.solver.solution import Solution

OPEN = "open"
"""In place of a policy: the decisions stay in the model."""


class Kind(StrEnum):
    """The kind of model: a Markov chain, a decision process of one side, or a game of both."""

    CHAIN = "dtmc"
    ONE_SIDE = "mdp"
    GAME = "smg"


class Branch(NamedTuple):
    """A state that may come next, and how likely."""

    probability: Fraction
    to: int


@dataclass(frozen=True, slots=True)
class Action:
    """An action in a state: an option, or the roll or policy that decides."""

    branches: tuple[Branch, ...]
    id: str = ""
    label: str = ""
    is_taken: bool = False
    """Whether it is the option of the policy, or of best play."""


@dataclass(frozen=True, slots=True)
class State:
    """A position of the battle with its transitions and its value to the attacker; an open side plays best."""

    node: Node
    actions: tuple[Action, ...]
    value: Fraction

    @property
    def reward(self) -> int:
        """The reward of an ending: the objective of its result, a whole number."""
        return int(self.value)

    @property
    def role(self) -> Role | None:
        """The role of the side that decides, by a policy or not."""
        return self.node.role if isinstance(self.node, Decision) else None

    @property
    def decides(self) -> Role | None:
        """The role of the side whose decision is open; None at rolls, and if a policy decides."""
        return self.role if len(self.actions) > 1 else None

    @property
    def result(self) -> Result | None:
        """The result of an ending."""
        return self.node.result if isinstance(self.node, Ending) else None

    @property
    def question(self) -> Roll | Choose | None:
        """The question of a position that is no ending."""
        return None if isinstance(self.node, Ending) else self.node.question


@dataclass(frozen=True, slots=True)
class Model:
    """All states of a battle, the start first, and how both sides decide for which objective."""

    battle: Battle
    policies: dict[Role, str]
    objective: str
    states: list[State]
    has_cycles: bool = False

    @property
    def value(self) -> Fraction:
        """The value of the battle to the attacker."""
        return self.states[0].value

    @property
    def deciding(self) -> set[Role]:
        """The roles of the sides whose decisions are in the model."""
        return {state.decides for state in self.states if state.decides is not None}

    @property
    def kind(self) -> Kind:
        """What kind of model this is."""
        return (Kind.CHAIN, Kind.ONE_SIDE, Kind.GAME)[len(self.deciding)]

    @property
    def endings(self) -> Iterator[tuple[int, State, Result]]:
        """The endings with their numbers."""
        return ((number, state, state.result) for number, state in enumerate(self.states) if state.result is not None)

    @property
    def offset(self) -> int:
        """The number added to every reward: model checkers need rewards that are not negative and not all 0."""
        rewards = [state.reward for _, state, _ in self.endings]
        raised = max(0, -min(rewards))
        return raised + (max(rewards) + raised == 0)

    @property
    def optimum(self) -> str:
        """The optimum that is the value of a one-sided model: `max` if the attacker is open."""
        if self.kind is not Kind.ONE_SIDE:
            return ""
        return "max" if Role.ATTACKER in self.deciding else "min"

    @property
    def path(self) -> str:
        """The path formula over which rewards are added up.

        Up to the end, a side that can repeat for ever would have infinite rewards; in the cumulative total of an open
        attacker, such play counts as 0.
        """
        return "C" if self.has_cycles and self.optimum == "max" else 'F "over"'


def model_of(
    battle: Battle,
    attacker: str = OPEN,
    defender: str = OPEN,
    objective: str = "swing",
    *,
    bound: int = POSITIONS,
    progress: Progress | None = None,
) -> Model:
    """The model of a battle in which each side is open or follows a policy; `best` also replies to an open side."""
    policies = {Role.ATTACKER: attacker, Role.DEFENDER: defender}
    known = (OPEN, *Policy)
    wrong = [
        Fault(role, f'unknown policy "{policy}": expected one of {", ".join(known)}')
        for role, policy in policies.items()
        if policy not in known
    ]
    if wrong:
        raise BattleError(wrong)
    assumptions = Assumptions(assumed_policy(attacker), assumed_policy(defender), objective, fractions=True)
    assumptions.check(battle)
    refuse_greedy_turn(battle, {str(role): policy for role, policy in policies.items()})
    graph = explore(battle, fractions=True, bound=bound, progress=progress)
    states = _States(Solution(battle, graph, assumptions), policies).states()
    return Model(battle, policies, objective, states, bool(graph.cycles))


def assumed_policy(policy: str) -> str:
    """The policy that a side is assumed to follow: an open side plays best."""
    return Policy.BEST if policy == OPEN else policy


@dataclass(frozen=True, slots=True)
class _States:
    """Converts positions to states with new numbers, without those that the policies never reach."""

    solution: Solution
    policies: dict[Role, str]

    def states(self) -> list[State]:
        """Every state that can be reached; outside cycles, parents come first."""
        graph = self.solution.graph
        reached, stack = {graph.start}, [graph.start]
        while stack:
            new = set(self.successors(stack.pop())) - reached
            reached |= new
            stack += new
        kept = [graph.start, *(number for number in graph.order if number in reached and number != graph.start)]
        numbers = {number: new for new, number in enumerate(kept)}
        return [State(graph.nodes[number], tuple(self.actions(number, numbers)), self.value(number)) for number in kept]

    def value(self, number: int) -> Fraction:
        return Fraction(self.solution.induction.values[number])

    def is_open(self, node: Node) -> bool:
        """Whether a decision is left open."""
        return isinstance(node, Decision) and self.policies[node.role] == OPEN

    def successors(self, number: int) -> tuple[int, ...]:
        node, taken = self.solution.graph.nodes[number], self.solution.induction.choices.get(number)
        return node.children if taken is None or self.is_open(node) else (node.children[taken],)

    def actions(self, number: int, numbers: dict[int, int]) -> Iterator[Action]:
        """The actions on from a node."""
        node, taken = self.solution.graph.nodes[number], self.solution.induction.choices.get(number)
        if isinstance(node, Decision) and (taken is not None or self.is_open(node)):
            best = best_option([self.solution.induction.values[child] for child in node.children], node.role)
            for place, (option, child) in enumerate(zip(node.question.options, node.children, strict=True)):
                if self.is_open(node) or place == taken:
                    is_taken = place == (best if taken is None else taken)
                    yield Action((Branch(Fraction(1), numbers[child]),), option.id, option.label, is_taken)
        elif not isinstance(node, Ending):
            row = transitions(node, None, Fraction(1))
            branches = tuple(Branch(Fraction(p), numbers[child]) for child, p in row.items())
            yield Action(branches, label="any option" if isinstance(node, Decision) else "")
