"""A battle's graph as model checkers think of it: states, who decides in them, exact odds, rewards at the end."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from grognard.adapters.survey import Asking
from grognard.core.distributions import Probability
from grognard.core.positions import Pending
from grognard.core.rules import Choose
from grognard.core.systems import Battle, Result, Role
from grognard.solver.assumptions import Policy, aims
from grognard.solver.graph import POSITIONS, Chance, Decision, Ending, Graph, Progress, children_of
from grognard.solver.induction import Choices, best, decide

OPEN = "open"
"""In the place of a policy: the decisions stay in the graph, for its reader to take."""


class Kind(StrEnum):
    """What is left to decide: nothing, one side's decisions, or both sides'."""

    CHAIN = "dtmc"
    ONE_SIDE = "mdp"
    GAME = "smg"


class Branch(NamedTuple):
    """Where it may go on, and how likely."""

    probability: Fraction
    to: int


@dataclass(frozen=True, slots=True)
class Way:
    """One way on from a state: an option, or what the dice or a policy make of it."""

    branches: tuple[Branch, ...]
    id: str = ""
    label: str = ""
    taken: bool = False
    """Whether it is the option that the policy takes, or that is taken under best play."""


@dataclass(frozen=True, slots=True)
class State:
    """A position of the battle: dice, a question to a side, or the end."""

    due: Pending | None
    ways: tuple[Way, ...]
    value: Fraction
    """To the attacking side; whoever is open plays the best."""
    side: Role | None = None
    """Who is asked."""
    result: Result | None = None

    @property
    def worth(self) -> int:
        """What an ending is worth: the objective of its result, a whole number."""
        return int(self.value)

    @property
    def decides(self) -> Role | None:
        """Whose decision is left to the reader: not where there are dice, nor where a policy decides."""
        return self.side if len(self.ways) > 1 else None

    @property
    def question(self) -> Choose | None:
        """What a side is asked."""
        question = self.due.question if self.due else None
        return question if isinstance(question, Choose) else None


@dataclass(frozen=True, slots=True)
class Model:
    """All states of a battle, the first one first; what both sides do in it and what for."""

    battle: Battle
    policies: dict[Role, str]
    objective: str
    states: list[State]

    @property
    def value(self) -> Fraction:
        """What the battle is worth to the attacking side."""
        return self.states[0].value

    @property
    def deciding(self) -> set[Role]:
        """The sides whose decisions are in the graph."""
        return {state.decides for state in self.states if state.decides is not None}

    @property
    def kind(self) -> Kind:
        """What kind of model this is."""
        return (Kind.CHAIN, Kind.ONE_SIDE, Kind.GAME)[len(self.deciding)]

    @property
    def endings(self) -> Iterator[tuple[int, State, Result]]:
        """The endings, each with its place."""
        return ((place, state, state.result) for place, state in enumerate(self.states) if state.result is not None)

    @property
    def offset(self) -> int:
        """How much every reward is raised: the programs want none below 0, and some above."""
        worths = [state.worth for _, state, _ in self.endings]
        return -min(worths) if min(worths) < 0 else int(max(worths) == 0)

    @property
    def optimum(self) -> str:
        """Which optimum of a one-sided model is the battle's: the attacking side's is the largest."""
        if self.kind is not Kind.ONE_SIDE:
            return ""
        return "max" if Role.ATTACKER in self.deciding else "min"


def model_of(
    battle: Battle,
    attacker: str = OPEN,
    defender: str = OPEN,
    objective: str = "swing",
    *,
    bound: int = POSITIONS,
    progress: Progress | None = None,
) -> Model:
    """The model of a battle in which each side is open or follows a policy; `best` replies to whoever is open too."""
    policies = {Role.ATTACKER: attacker, Role.DEFENDER: defender}
    chosen = aims(battle, played(attacker), played(defender), objective, (OPEN, *Policy))
    walk = Asking(battle, True, bound, progress)
    graph = walk.run(battle.start())
    values, choices = decide(graph, chosen, battle.setup, exact=True)
    maker = _Maker(graph, walk.dues, values, choices, policies)
    return Model(battle, {side: str(name) for side, name in policies.items()}, objective, maker.states())


def played(policy: str) -> str:
    """How a side is assumed to decide: whoever is open plays the best."""
    return Policy.BEST if policy == OPEN else policy


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes states of positions, numbered anew: those that the policies never reach are left out."""

    graph: Graph
    asked: dict[int, Pending]
    values: list[Probability]
    choices: Choices
    policies: dict[Role, str]

    def states(self) -> list[State]:
        """Every state that can be reached, parents first."""
        reached = {self.graph.start}
        for place in self.graph.order:
            if place in reached:
                reached.update(self.taken(place))
        kept = [place for place in self.graph.order if place in reached]
        numbers = {place: number for number, place in enumerate(kept)}
        return [self.state(place, numbers) for place in kept]

    def is_open(self, node: Decision) -> bool:
        """Whether the reader of the model decides here."""
        return self.policies[node.side] == OPEN

    def taken(self, place: int) -> tuple[int, ...]:
        """Where it can go on from here."""
        node = self.graph.nodes[place]
        if isinstance(node, Decision) and not self.is_open(node) and place in self.choices:
            return (node.children[self.choices[place]],)
        return children_of(node)

    def state(self, place: int, numbers: dict[int, int]) -> State:
        """One state."""
        node, due, value = self.graph.nodes[place], self.asked.get(place), Fraction(self.values[place])
        if isinstance(node, Ending):
            return State(None, (), value, result=node.result)
        if isinstance(node, Chance):
            branches = zip(node.probabilities, node.children, strict=True)
            return State(due, (Way(tuple(Branch(Fraction(p), numbers[child]) for p, child in branches)),), value)
        if self.is_open(node):
            return State(due, tuple(self.options(node, numbers)), value, node.side)
        if place in self.choices:
            return State(due, (_option(node, self.choices[place], numbers, True),), value, node.side)
        return State(due, (_any_of(node, numbers),), value, node.side)

    def options(self, node: Decision, numbers: dict[int, int]) -> Iterator[Way]:
        """Every option of a decision."""
        first = best([self.values[child] for child in node.children], node.side)
        for number in range(len(node.children)):
            yield _option(node, number, numbers, number == first)


def _option(node: Decision, number: int, numbers: dict[int, int], taken: bool) -> Way:
    option = node.question.options[number]
    return Way((Branch(Fraction(1), numbers[node.children[number]]),), option.id, option.label, taken)


def _any_of(node: Decision, numbers: dict[int, int]) -> Way:
    """Each option as likely; those that lead to the same position are one branch."""
    share = Fraction(1, len(node.children))
    towards: dict[int, Fraction] = {}
    for child in node.children:
        towards[numbers[child]] = towards.get(numbers[child], Fraction(0)) + share
    return Way(tuple(Branch(chance, to) for to, chance in towards.items()), label="any option")
