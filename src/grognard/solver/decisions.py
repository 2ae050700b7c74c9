"""Decisions: every question that a battle may put to a side, how often it does, and what each answer costs."""

from collections.abc import Iterator
from dataclasses import dataclass

from grognard.core.distributions import Probability
from grognard.core.numbers import size
from grognard.core.systems import Battle, Role
from grognard.solver.assumptions import aims
from grognard.solver.graph import POSITIONS, Decision, Progress, explore
from grognard.solver.induction import best, decide, reach
from grognard.solver.odds import Odds, odds_from


@dataclass(frozen=True, slots=True)
class Offered:
    """An option wherever it is offered: how often it is the best, and what it costs on average to take it."""

    label: str
    best: Probability
    """Of the times that the question is asked."""
    cost: Probability
    """What the side that decides loses by it, against the best; over the times that it is offered."""
    offered: Probability
    """Of the times that the question is asked."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, in whatever positions it is asked in the same words."""

    by: str
    side: Role
    prompt: str
    rule: str
    times: Probability
    """How often it is asked in a battle, on average."""
    options: tuple[Offered, ...]

    @property
    def stake(self) -> Probability:
        """What the worst option costs: how much there is to decide."""
        return max(option.cost for option in self.options)


@dataclass(frozen=True, slots=True)
class Course:
    """The odds of a battle and the questions on the way, those asked most often first."""

    odds: Odds
    asked: tuple[Asked, ...]


def course(
    battle: Battle,
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
    exact: bool = False,
    *,
    bound: int = POSITIONS,
    progress: Progress | None = None,
) -> Course:
    """Explore a battle once, for its odds and for its questions."""
    chosen = aims(battle, attacker, defender, objective)
    graph = explore(battle, exact=exact, bound=bound, progress=progress)
    values, choices = decide(graph, chosen, battle.setup, exact)
    chances = reach(graph, choices, exact)
    positions: dict[tuple[str, ...], list[_Asking]] = {}
    for place in graph.order:
        node = graph.nodes[place]
        if isinstance(node, Decision) and chances[place]:
            key = (node.question.by, node.question.prompt, node.position.rule.paragraph)
            options = [values[child] for child in node.children]
            positions.setdefault(key, []).append(_Asking(node, chances[place], options))
    asked = [_summed_up(askings) for askings in positions.values()]
    asked.sort(key=lambda one: -one.times)
    return Course(odds_from(battle, chosen, graph, chances, values), tuple(asked))


@dataclass(frozen=True, slots=True)
class _Asking:
    """A question at one position."""

    node: Decision
    chance: Probability
    values: list[Probability]

    def options(self) -> Iterator[tuple[str, str, bool, Probability]]:
        """Every option's id, label, whether it is the best, and what it costs."""
        found = best(self.values, self.node.side)
        for number, (option, value) in enumerate(zip(self.node.question.options, self.values, strict=True)):
            yield option.id, option.label, number == found, size(self.values[found] - value)


def _summed_up(askings: list[_Asking]) -> Asked:
    first = askings[0].node
    times = sum(asking.chance for asking in askings)
    labels: dict[str, str] = {}
    offered: dict[str, Probability] = {}
    taken: dict[str, Probability] = {}
    costs: dict[str, Probability] = {}
    for asking in askings:
        for name, label, is_best, cost in asking.options():
            labels[name] = label if labels.get(name, label) == label else name  # a label may tell of the position
            offered[name] = offered.get(name, 0) + asking.chance
            taken[name] = taken.get(name, 0) + asking.chance * is_best
            costs[name] = costs.get(name, 0) + asking.chance * cost
    options = [
        Offered(label, taken[name] / times, costs[name] / offered[name], offered[name] / times)
        for name, label in labels.items()
    ]
    options.sort(key=lambda option: option.cost)
    question = first.question
    return Asked(question.by, first.side, question.prompt, first.position.rule.paragraph, times, tuple(options))
