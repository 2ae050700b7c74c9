"""The solution of a battle: its odds, advice at any position, summaries of the decisions, luck."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from grognard.core.distributions import Probability, cap_at_one
from grognard.core.errors import WrongAnswer
from grognard.core.lazy import NotebookDisplay
from grognard.core.numbers import absolute_difference, fields_to_json
from grognard.core.positions import Pending, Position
from grognard.core.rules import Choose, Option
from grognard.core.systems import Battle, Json, Role
from grognard.plays.answers import Chosen, format_question
from grognard.plays.dice import MachineDice
from grognard.plays.play import Play
from grognard.solver.assumptions import Assumptions, ObjectiveFunction, Policy, PolicyFunction
from grognard.solver.graph import POSITIONS, Decision, Ending, Graph, Progress, explore
from grognard.solver.induction import NOISE, Induction, Mixture, best_option, is_better, reach_probabilities
from grognard.solver.odds import Odds, Outcome, likeliest_first

if TYPE_CHECKING:
    from grognard.solver.luck import Luck


@dataclass(frozen=True, slots=True)
class OptionAdvice:
    """One option: its value to the attacker, its regret, and the odds once it is chosen."""

    id: str
    label: str
    value: Probability
    best: bool
    """Whether it is strictly better than all others."""
    regret: Probability
    odds_of: Callable[[], Odds] = field(repr=False, compare=False)
    is_turn: bool = False
    """Whether it is a whole turn: these have too many results to list them for every option."""

    @property
    def odds(self) -> Odds:
        """The odds once it is chosen."""
        return self.odds_of()

    def to_dict(self) -> Json:
        """As JSON."""
        outcomes = None if self.is_turn else self.odds.to_dict()["outcomes"]
        return {**fields_to_json(self, "id", "label", "value", "best", "regret"), "outcomes": outcomes}


@dataclass(frozen=True, slots=True)
class DecisionSummary:
    """A question, over all positions that ask it in the same words."""

    side: str
    role: Role
    prompt: str
    rule: str
    times: Probability
    """The mean number of times that it is asked."""
    options: tuple["OptionSummary", ...]

    @property
    def stake(self) -> Probability:
        """The regret of the worst option."""
        return max(option.regret for option in self.options)

    def to_dict(self) -> Json:
        """As JSON."""
        return fields_to_json(self, "side", "role", "prompt", "rule", "times", "options")


@dataclass(frozen=True, slots=True)
class OptionSummary:
    """An option wherever it is offered."""

    label: str
    best: Probability
    """The share of the times that the question is asked in which no other option is better."""
    regret: Probability
    """The mean regret over the times that it is offered."""
    offered: Probability
    """The share of the times that the question is asked in which it is offered."""

    def to_dict(self) -> Json:
        """As JSON."""
        return fields_to_json(self, "label", "best", "regret", "offered")


@dataclass(frozen=True, slots=True)
class Advice(NotebookDisplay):
    """Advice on the question that is open. A decision has its options, the best first; a roll has none."""

    by: Role | None
    side: str | None
    prompt: str
    rule: str | None
    odds: Odds
    """The odds at this position."""
    options: tuple[OptionAdvice, ...]
    ahead: tuple[DecisionSummary, ...] = ()
    """The decisions that may follow, those asked most often first."""

    @property
    def objective(self) -> str:
        """The name of what the attacker maximises."""
        return self.odds.objective

    @property
    def value(self) -> Probability:
        """The value of the position to the attacker."""
        return self.odds.value

    def to_dict(self) -> Json:
        """As JSON."""
        return fields_to_json(self, "by", "side", "prompt", "rule", "objective", "value", "options", "ahead")


def rank_options(
    options: Sequence[Option[Any]],
    values: Sequence[Probability],
    role: Role,
    odds_of: Sequence[Callable[[], Odds]],
    noise: float = NOISE,
    is_turn: bool = False,
) -> tuple[OptionAdvice, ...]:
    """Advice on every option of a side, the best first."""
    best = values[best_option(values, role, noise)]

    def is_best(option: int) -> bool:
        others = (value for other, value in enumerate(values) if other != option)
        return all(is_better(values[option], value, role, noise) for value in others)

    advice = [
        OptionAdvice(option.id, option.label, value, is_best(number), absolute_difference(best, value), odds, is_turn)
        for number, (option, value, odds) in enumerate(zip(options, values, odds_of, strict=True))
    ]
    return tuple(sorted(advice, key=lambda option: (not option.best, option.regret)))


class Solution(NotebookDisplay):
    """A battle solved under assumptions. For a position of a play, they hold from there on."""

    def __init__(self, battle: Battle, graph: Graph, assumptions: Assumptions) -> None:
        self.battle, self.graph, self.assumptions = battle, graph, assumptions
        self.induction = Induction(battle, graph, assumptions)

    def __repr__(self) -> str:
        return f"<solution of {self.battle.system.name}: {len(self.graph.nodes):,} positions, value {self.value}>"

    def under(self, assumptions: Assumptions) -> "Solution":
        """The same battle solved under other assumptions, without exploring it again."""
        assumptions.check(self.battle)
        graph = self.graph
        if assumptions.fractions != self.assumptions.fractions:
            graph = explore(self.battle, fractions=assumptions.fractions)
        return Solution(self.battle, graph, assumptions)

    @property
    def value(self) -> Probability:
        """The value of the battle to the attacker."""
        return self.induction.values[self.graph.start]

    def number_of(self, play: Play | None) -> int:
        """The number of a play's position in the graph; the start without one."""
        if play is None:
            return self.graph.start
        self.check_battle(play)
        if isinstance(play.pending, Pending):
            return self.number_at(play.pending.position)
        try:
            return self.graph.index[play.result]
        except KeyError:
            raise WrongAnswer("this play began before this solution") from None

    def check_battle(self, play: Play) -> None:
        """Raise an error if a play is of another battle."""
        if play.battle != self.battle:
            raise WrongAnswer("this play is of another battle")

    def number_at(self, position: Position) -> int:
        """The number of the node that a position advances to."""
        try:
            return self.graph.number_of(self.battle, position)
        except KeyError:
            raise WrongAnswer("this play began before this solution") from None

    @cached_property
    def reach(self) -> list[Probability]:
        """The probability of reaching each position; in a cycle, the expected visits."""
        return self._reach_from(self.graph.start)

    def _reach_from(self, number: int, mixtures: dict[int, Mixture] | None = None) -> list[Probability]:
        taken: dict[int, int | Mixture] = {**self.induction.choices, **(mixtures or {})}
        return reach_probabilities(self.graph, taken.get, self.induction.one, number)

    def _odds_from(self, number: int, reach: list[Probability]) -> Odds:
        values = self.induction.values
        endings = [(reach[place], values[place], result) for place, result in self.graph.endings if reach[place]]
        outcomes = [Outcome(cap_at_one(probability), result) for probability, _, result in endings]
        sums: dict[Probability, Probability] = {}
        for probability, value, _ in endings:
            sums[value] = sums.get(value, 0) + probability
        value = sum((value * cap_at_one(probability) for value, probability in sums.items()), 0 * self.induction.one)
        return Odds(battle=self.battle, assumptions=self.assumptions, value=value, outcomes=likeliest_first(outcomes))

    @cached_property
    def odds(self) -> Odds:
        """The odds at the start."""
        return self._odds_from(self.graph.start, self.reach)

    def odds_at(self, play: Play) -> Odds:
        """The odds at the position of a play."""
        return self.odds_from(self.number_of(play))

    def odds_from(self, number: int, mixtures: dict[int, Mixture] | None = None) -> Odds:
        """The odds from a node on; `mixtures` override the policies at some decisions."""
        return self._odds_from(number, self._reach_from(number, mixtures))

    def option_values(self, node: Decision) -> list[Probability]:
        """The value of every option of a decision."""
        return [self.induction.value_of(child) for child in node.children]

    def option_at(self, play: Play) -> str | None:
        """The id of the option that is taken at a play's decision; None if the policy takes any."""
        return self.option_taken(self.number_of(play))

    def option_taken(self, number: int) -> str | None:
        """The id of the option that is taken at a decision; None if the policy takes any."""
        node, taken = self.graph.nodes[number], self.induction.choices.get(number)
        return node.question.options[taken].id if isinstance(node, Decision) and taken is not None else None

    def advice(self, play: Play | None = None) -> Advice:
        """Advice on the question that is open in a play, or at the start."""
        number = self.number_of(play)
        node = self.graph.nodes[number]
        odds = self.odds_from(number)
        if not isinstance(node, Decision):
            if isinstance(node, Ending):
                return Advice(None, None, "the battle is over", None, odds, ())
            rule, ahead = node.position.rule.paragraph, tuple(self.decisions_from(number))
            return Advice(None, None, format_question(node.question), rule, odds, (), ahead)
        values, question = self.option_values(node), node.question
        odds_of = [partial(self.odds_from, child) for child in node.children]
        options = rank_options(question.options, values, node.role, odds_of, self.induction.noise)
        return Advice(node.role, question.by, question.prompt, node.position.rule.paragraph, odds, options)

    @cached_property
    def decisions(self) -> tuple[DecisionSummary, ...]:
        """Every decision that the battle may ask for, those asked most often first."""
        return tuple(self.decisions_from(self.graph.start))

    def decisions_from(self, number: int) -> list[DecisionSummary]:
        """Every decision from a node on, those asked most often first."""
        reach = self.reach if number == self.graph.start else self._reach_from(number)
        groups: dict[tuple[str, str, str], list[tuple[Decision, Probability]]] = {}
        for place in self.graph.order:
            node = self.graph.nodes[place]
            if isinstance(node, Decision) and reach[place]:
                key = (node.question.by, node.question.prompt, node.position.rule.paragraph)
                groups.setdefault(key, []).append((node, reach[place]))
        summaries = [self._summarise(group) for group in groups.values()]
        return sorted(summaries, key=lambda summary: -summary.times)

    def _summarise(self, group: list[tuple[Decision, Probability]]) -> DecisionSummary:
        labels: dict[str, str] = {}
        offered: dict[str, Probability] = {}
        best: dict[str, Probability] = {}
        regrets: dict[str, Probability] = {}
        for node, probability in group:
            for option, (label, is_best, regret) in self._options(node):
                labels[option] = label if labels.get(option, label) == label else option  # labels may name the position
                offered[option] = offered.get(option, 0) + probability
                best[option] = best.get(option, 0) + probability * is_best
                regrets[option] = regrets.get(option, 0) + probability * regret
        times = sum(probability for _, probability in group)
        options = [
            OptionSummary(label, best[option] / times, regrets[option] / offered[option], offered[option] / times)
            for option, label in labels.items()
        ]
        options.sort(key=lambda option: option.regret)
        first = group[0][0]
        return DecisionSummary(
            first.question.by,
            first.role,
            first.question.prompt,
            first.position.rule.paragraph,
            times,
            tuple(options),
        )

    def _options(self, node: Decision) -> Iterator[tuple[str, tuple[str, bool, Probability]]]:
        """The id of every option, with its label, whether no option is better, and its regret."""
        values = self.option_values(node)
        best = values[best_option(values, node.role, self.induction.noise)]
        for option, value in zip(node.question.options, values, strict=True):
            is_best = not is_better(best, value, node.role, self.induction.noise)
            yield option.id, (option.label, is_best, absolute_difference(best, value))

    def luck(self, play: Play) -> "Luck":
        """How lucky both sides were in a play that is over, and what their decisions cost them."""
        from grognard.solver.luck import luck_of

        self.check_battle(play)
        return luck_of(self, play)


def solve(
    battle: Battle,
    attacker: str | PolicyFunction = "best",
    defender: str | PolicyFunction = "best",
    objective: str | ObjectiveFunction = "swing",
    fractions: bool = False,
    *,
    start: Play | None = None,
    bound: int = POSITIONS,
    progress: Progress | None = None,
) -> Solution:
    """Solve a battle, from its start or from the position of a play."""
    assumptions = Assumptions(attacker, defender, objective, fractions)
    return solve_under(battle, assumptions, start=start, bound=bound, progress=progress)


def solve_under(
    battle: Battle,
    assumptions: Assumptions,
    *,
    start: Play | None = None,
    bound: int = POSITIONS,
    progress: Progress | None = None,
) -> Solution:
    """Solve a battle under these assumptions, as `solve` does."""
    assumptions.check(battle)
    if battle.is_turn and not assumptions.has_functions:
        from grognard.solver.attack_explorer import CyclicAttack
        from grognard.solver.turn_solution import TurnSolution

        try:
            return TurnSolution(battle, assumptions, start, bound, progress)
        except CyclicAttack:
            pass
    return solve_plainly(battle, assumptions, start=start, bound=bound, progress=progress)


def solve_plainly(
    battle: Battle,
    assumptions: Assumptions,
    *,
    start: Play | None = None,
    bound: int = POSITIONS,
    progress: Progress | None = None,
) -> Solution:
    """Solve a battle position by position, even if it is a whole turn."""
    position = start.pending.position if start and isinstance(start.pending, Pending) else None
    graph = explore(battle, position, fractions=assumptions.fractions, bound=bound, progress=progress)
    return Solution(battle, graph, assumptions)


def solve_to_decide(
    battle: Battle, assumptions: Assumptions, start: Play | None = None, bound: int = POSITIONS
) -> Solution:
    """A solution to take decisions from; greedy decisions in a turn are computed one attack at a time, when needed."""
    policies = (assumptions.attacker, assumptions.defender)
    if battle.is_turn and not assumptions.has_functions and Policy.BEST not in policies:
        from grognard.solver.turn_solution import TurnSolution

        return TurnSolution(battle, assumptions, bound=bound, is_lazy=True)
    return solve_under(battle, assumptions, start=start, bound=bound)


class PolicyPlayer:
    """Decides in a play by the policies. The battle is solved when the first best option is needed."""

    def __init__(self, battle: Battle, assumptions: Assumptions, seed: str, bound: int = POSITIONS) -> None:
        assumptions.check(battle)
        self.battle, self.assumptions, self.bound = battle, assumptions, bound
        self.solution: Solution | None = None
        # policies have dice of their own, so that they do not affect the dice of the battle
        self.random = MachineDice(f"{seed} decisions")

    def __call__(self, play: Play) -> Chosen:
        """The answer to the decision that is open."""
        question = play.question
        assert isinstance(question, Choose)
        role = self.battle.system.role_of(self.battle.setup, question.by)
        if self.assumptions.looks_ahead(role):
            if self.solution is None:
                self.solution = solve_to_decide(self.battle, self.assumptions, play, self.bound)
            option = self.solution.option_at(play)
            assert option is not None
            return Chosen(option)
        taken = self.assumptions.fixed_option(role, question)
        if taken is None:
            taken = self.random.draw_below(len(question.options))
        return Chosen(question.options[taken].id)
