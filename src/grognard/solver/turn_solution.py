"""The solution of a whole turn: it offers everything that the solution of a single attack does."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from grognard.core.distributions import Distribution, Probability, cap_at_one, from_probabilities
from grognard.core.errors import TooLarge, WrongAnswer
from grognard.core.numbers import fields_to_json, to_json_number
from grognard.core.positions import Pending, Position
from grognard.core.rules import Choose, End, Option, Question
from grognard.core.systems import Battle, Json, Measure, Result, Role
from grognard.core.turns import END_TURN
from grognard.plays.answers import Chosen, accept, format_question
from grognard.plays.play import Move, Play
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.attack_explorer import NextAttack, check_size, parts_after
from grognard.solver.graph import POSITIONS, Chance, Decision, Progress
from grognard.solver.keys import SETTLED, Key, TurnStates
from grognard.solver.luck import Luck, LuckStep, decision_luck, roll_luck
from grognard.solver.odds import MOST_RESULTS, Odds, Outcome, is_alike, likeliest_first, value_of
from grognard.solver.solution import Advice, DecisionSummary, Solution, rank_options, solve_plainly
from grognard.solver.turn_outcomes import MOST_JOINT, PlayedTurn, TurnOutcomes
from grognard.solver.turns import TurnSolver

MOST_LISTED = 2
"""All attacks that are listed may have this many times as many positions as one of them."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TurnOdds(Odds):
    """The odds of a turn: the distribution of every measure, and the results unless they are too many."""

    distributions: dict[str, Distribution[Any]]
    """The distribution of every measure and of the objective, by name."""
    results: int | None
    """The number of different results; None if they were not counted."""
    list_all: Callable[[], list[Outcome]] = field(compare=False, repr=False)
    """Lists all results, however many."""

    @property
    def is_listed(self) -> bool:
        return self.results is not None and self.results <= MOST_RESULTS

    def distribution(self, measure: Measure) -> Distribution[int | str | bool]:
        return self.distributions[measure.name]

    @property
    def all_outcomes(self) -> list[Outcome]:
        return self.outcomes if self.is_listed else self.list_all()

    def given(self, predicate: Callable[[Result], bool]) -> Odds:
        """The odds given that the predicate holds; an error if it never does."""
        odds = Odds(battle=self.battle, assumptions=self.assumptions, value=self.value, outcomes=self.all_outcomes)
        return odds.given(predicate)

    def is_like(self, other: Odds) -> bool:
        if not isinstance(other, TurnOdds):
            return False
        mine, others = self.distributions.values(), other.distributions.values()
        return Odds.is_like(self, other) and all(
            is_alike(dict(own), dict(another)) for own, another in zip(mine, others, strict=True)
        )

    def to_dict(self) -> Json:
        odds = Odds.to_dict(self)
        if not self.is_listed:
            odds["outcomes"] = None
        measures = {
            name: [[value, to_json_number(p)] for value, p in distribution]
            for name, distribution in self.distributions.items()
            if name in self.measures
        }
        return {**odds, "results": self.results, "measures": measures}


@dataclass(frozen=True, slots=True)
class _TurnPoint:
    """A point of a turn: a choice of the next attack, or a node in the graph of an attack."""

    key: Key
    gained: Probability
    """The value of ending the turn at the choice."""
    settled: tuple[tuple[int, Hashable], ...]
    """The parts that are settled at the choice, with their indices."""
    attack: NextAttack | None = None
    node: int = 0


class TurnSolution(Solution):
    """A turn, solved once: the value of every choice, and from it that of every position of a play.

    With `is_lazy`, nothing is solved in advance.
    """

    def __init__(
        self,
        battle: Battle,
        assumptions: Assumptions,
        start: Play | None = None,
        bound: int = POSITIONS,
        progress: Progress | None = None,
        is_lazy: bool = False,
    ) -> None:
        self.battle, self.assumptions = battle, assumptions
        self.solver = TurnSolver(battle, assumptions, bound, progress, evicts=is_lazy)
        self.states, self.explorer = self.solver.states, self.solver.explorer
        if not is_lazy and (start is None or start.question is not None):
            self.solver.value(self.locate(start).key)

    def __repr__(self) -> str:
        return f"<solution of a turn of {self.battle.system.name}: {len(self.solver.values):,} choices>"

    def under(self, assumptions: Assumptions) -> Solution:
        assumptions.check(self.battle)
        return TurnSolution(self.battle, assumptions)

    @property
    def value(self) -> Probability:
        start = self._choice(self.states.initial)
        return start.gained + self.solver.value(start.key)

    def locate(self, play: Play | None) -> _TurnPoint:
        """The point that a play has reached; the start without one."""
        if play is None:
            return self._choice(self.states.initial)
        self.check_battle(play)
        if isinstance(play.pending, Pending) and self._is_choice(play.pending):
            return self._choice(play.pending.position.state)
        moves = list(play.moves)
        last = next((n for n in reversed(range(len(moves))) if self._is_choice(moves[n].pending)), None)
        if not isinstance(play.pending, Pending) or last is None:
            raise WrongAnswer("the turn is over" if last is not None else "this play is of another battle")
        answers = [accept(move.pending.question, move.answer) for move in moves[last:]]
        return self._inside(self._choice(moves[last].pending.position.state), str(answers[0]), answers[1:])

    def _is_choice(self, pending: Pending) -> bool:
        return pending.position.rule is self.states.rules.choice

    def _choice(self, state: Any) -> _TurnPoint:
        """The choice of the next attack in a state."""
        parts = self.states.rules.parts(state)
        key = self.states.key_of(parts)
        settled = tuple((index, parts[index]) for index, number in enumerate(key) if number == SETTLED)
        return _TurnPoint(key, self.states.value_of(parts), settled)

    def _inside(self, choice: _TurnPoint, attack_id: str, answers: Sequence[Hashable]) -> _TurnPoint:
        """The point inside an attack that these answers lead to."""
        number = [attack.id for attack in self.explorer.attacks].index(attack_id)
        attack = self.explorer.next_attack(choice.key, number, own=True)
        assert attack is not None
        node = attack.graph.start
        for answer in answers:
            node = attack.graph.successor(node, answer)
        return replace(choice, attack=attack, node=node)

    def _values(self, point: _TurnPoint) -> dict[int, Probability]:
        assert point.attack is not None
        values = point.attack.graph.values(self.solver.exit_values(point.attack))
        return {node: point.gained + value for node, value in values.items()}

    @cached_property
    def odds(self) -> Odds:
        return self._odds(self._choice(self.states.initial))

    def odds_at(self, play: Play) -> Odds:
        self.check_battle(play)
        if play.question is None:
            outcome = [Outcome(self.solver.one, play.result)]
            return Odds(
                battle=self.battle,
                assumptions=self.assumptions,
                value=value_of(self.battle, self.assumptions, outcome),
                outcomes=outcome,
            )
        return self._odds(self.locate(play))

    def _odds(self, point: _TurnPoint, first: int | None = None, played: PlayedTurn | None = None) -> Odds:
        """The odds from a point on; `first` and `played` override the policies as in `TurnOutcomes`."""
        outcomes = self._outcomes(point, first, played)
        measures = {measure.name: measure for measure in self.battle.system.measures(self.battle.setup)}
        objective = self.states.objective
        measures.setdefault(objective, Measure(objective, lambda result: 0))
        distributions = {name: self._distribution(measure, outcomes, point) for name, measure in measures.items()}
        joint = self._results(outcomes, point)
        return TurnOdds(
            battle=self.battle,
            assumptions=self.assumptions,
            value=self._value(point, first) if played is None else distributions[objective].mean,
            outcomes=joint if joint is not None and len(joint) <= MOST_RESULTS else [],
            distributions=distributions,
            results=None if joint is None else len(joint),
            list_all=partial(self._all_results, point, first, played),
        )

    def _outcomes(
        self, point: _TurnPoint, first: int | None, played: PlayedTurn | None, most_joint: int = MOST_JOINT
    ) -> TurnOutcomes:
        inside = (point.attack, point.node) if point.attack else None
        return TurnOutcomes(self.solver, point.key, first, inside, played, most_joint)

    def _all_results(self, point: _TurnPoint, first: int | None, played: PlayedTurn | None) -> list[Outcome]:
        """Every result, within the bound of exact work."""
        bound = self.solver.bound
        listed = self._results(self._outcomes(point, first, played, most_joint=bound), point)
        if listed is None:
            raise TooLarge("too many results of a turn to list", bound, bound)
        return listed

    def _value(self, point: _TurnPoint, first: int | None = None) -> Probability:
        """The value at a point; with `first`, of this option of a choice."""
        if point.attack is not None:
            return self._values(point)[point.node]
        if first is not None:
            return self._option_values(point)[first]
        return point.gained + self.solver.value(point.key)

    def _distribution(self, measure: Measure, outcomes: TurnOutcomes, point: _TurnPoint) -> Distribution[Any]:
        setup, rules = self.battle.setup, self.states.rules
        pairs: list[tuple[Any, Probability]]
        if measure.part is None:
            before = sum(rules.contribution(setup, measure.name, *part) for part in point.settled)
            pairs = [(number + before, p) for number, p in outcomes.sums[measure.name].items()]
        else:
            settled = dict(point.settled)
            is_settled = measure.part in settled
            marginal = {settled[measure.part]: self.solver.one} if is_settled else outcomes.marginals[measure.part]
            pairs = [(measure.of(self.states.result_with({measure.part: part})), p) for part, p in marginal.items()]
        sums: dict[Any, Probability] = {}
        for value, p in pairs:
            sums[value] = sums.get(value, 0) + p
        return from_probabilities(sorted(sums.items(), key=lambda item: item[0]))

    def _results(self, outcomes: TurnOutcomes, point: _TurnPoint) -> list[Outcome] | None:
        """The results with their probabilities, if the joint distribution is known."""
        if outcomes.joint is None:
            return None
        sums: dict[Result, Probability] = {}
        for parts, probability in outcomes.joint.items():
            final = {index: part for index, part in enumerate(parts) if part is not None}
            result = self.states.result_with(dict(point.settled) | final)
            sums[result] = sums.get(result, 0) + probability
        return likeliest_first([Outcome(cap_at_one(p), result) for result, p in sums.items()])

    def option_at(self, play: Play) -> str | None:
        """The id of the option that is taken at a play's decision; None if the policy takes any."""
        return self._option(self.locate(play))

    def option_after(self, choice: Position, answers: Sequence[Hashable]) -> str | None:
        """The id of the option that is taken after a choice of the next attack and the answers since."""
        point = self._choice(choice.state)
        return self._option(self._inside(point, str(answers[0]), answers[1:]) if answers else point)

    def _option(self, point: _TurnPoint) -> str | None:
        if point.attack is None:
            attacks = self.solver.next_attacks(point.key)
            ids = [*(attack.listed.id for attack in attacks), END_TURN.id]
            taken = self.solver.option_taken(attacks)
        else:
            graph = point.attack.graph
            node = graph.node(point.node)
            assert isinstance(node, Decision)
            ids = [option.id for option in node.question.options]
            is_best = self.assumptions.policy(node.role) == Policy.BEST
            values = self._values(point) if is_best else {}
            after = [values[child] for child in graph.children(point.node)] if is_best else ()
            taken = graph.option_taken(point.node, node, after)
        return None if taken is None else ids[taken]

    def advice(self, play: Play | None = None) -> Advice:
        """Advice on the question that is open in a play, or at the start."""
        if play is not None and play.question is None:
            return Advice(None, None, "the turn is over", None, self.odds_at(play), ())
        point = self.locate(play)
        if point.attack is not None and play is not None:
            return self._advice_in_attack(point, play)
        attacks = self.solver.next_attacks(point.key)
        options = [*(Option(attack.listed.id, attack.listed.id, None) for attack in attacks), END_TURN]
        odds = self._odds(point)
        if len(options) == 1:
            return Advice(None, None, "nothing is left to attack", None, odds, ())
        values = self._option_values(point)
        odds_of = [partial(self._odds, point, option) for option in range(len(options))]
        ranked = rank_options(options, values, Role.ATTACKER, odds_of, is_turn=True)
        rule = self.states.rules.choice.paragraph
        return Advice(Role.ATTACKER, self.battle.setup.side, "Which attack is next?", rule, odds, ranked)

    def _advice_in_attack(self, point: _TurnPoint, play: Play) -> Advice:
        assert point.attack is not None
        graph = point.attack.graph
        node, children = graph.node(point.node), graph.children(point.node)
        question = play.question
        if not isinstance(node, Decision) or not isinstance(question, Choose):
            assert isinstance(node, Chance)
            rule = node.position.rule.paragraph
            assert question is not None
            return Advice(None, None, format_question(question), rule, self._odds(point), ())
        values = self._values(point)
        odds_of = [partial(self._odds, replace(point, node=child)) for child in children]
        options = [values[child] for child in children]
        ranked = rank_options(question.options, options, node.role, odds_of, is_turn=True)
        rule = node.position.rule.paragraph
        return Advice(node.role, question.by, question.prompt, rule, self._odds(point), ranked)

    @cached_property
    def decisions(self) -> tuple[DecisionSummary, ...]:
        return solve_plainly(self.battle, self.assumptions).decisions

    def luck(self, play: Play) -> Luck:
        """How lucky both sides were in a turn that is over, and what their decisions cost them."""
        self.check_battle(play)
        if play.question is not None:
            raise WrongAnswer(f"the turn is not over: {format_question(play.question)}")
        start, played = self._choice(self.states.initial), self._played(play)
        chosen = self._odds(start, played=played) if played.options else self.odds
        return Luck(self.odds, chosen, play.result, self.value, tuple(self._luck_steps(play)))

    def _played(self, play: Play) -> PlayedTurn:
        """The decisions that were taken in a play that is over."""
        assert isinstance(play.pending, End)
        options: dict[Key, tuple[int, dict[int, int]]] = {}
        for point, move in self._points(play):
            if point.attack is None:
                in_attack: dict[int, int] = {}
                options[point.key] = _option_index(move.pending.question, move), in_attack
            elif isinstance(point.attack.graph.node(point.node), Decision):
                in_attack[point.node] = _option_index(move.pending.question, move)
        return PlayedTurn(options, self.states.rules.parts(play.pending.state))

    def _points(self, play: Play) -> Iterator[tuple[_TurnPoint, Move]]:
        """The point at which each answer of a play was given."""
        point = self._choice(self.states.initial)
        for move in play.moves:
            answer = accept(move.pending.question, move.answer)
            if self._is_choice(move.pending):
                point = self._choice(move.pending.position.state)
                yield point, move
                if answer != END_TURN.id:
                    point = self._inside(point, str(answer), ())
            else:
                yield point, move
                assert point.attack is not None
                point = replace(point, node=point.attack.graph.successor(point.node, answer))

    def _luck_steps(self, play: Play) -> Iterator[LuckStep]:
        for point, move in self._points(play):
            if point.attack is None:
                yield decision_luck(move, Role.ATTACKER, self._value(point), self._option_values(point))
            else:
                yield self._luck_in_attack(point, move)

    def _option_values(self, point: _TurnPoint) -> list[Probability]:
        values = self.solver.option_values(self.solver.next_attacks(point.key))
        return [point.gained + value for value in values]

    def _luck_in_attack(self, point: _TurnPoint, move: Move) -> LuckStep:
        assert point.attack is not None
        values, graph = self._values(point), point.attack.graph
        node = graph.node(point.node)
        if isinstance(node, Decision):
            after_each = [values[child] for child in graph.children(point.node)]
            return decision_luck(move, node.role, values[point.node], after_each)
        assert isinstance(node, Chance)
        after = dict(zip(node.answers, graph.successors(point.node), strict=True))
        return roll_luck(move, values[point.node], lambda answer: values[after[answer]])


def _option_index(question: Question, move: Move) -> int:
    assert isinstance(question, Choose)
    assert isinstance(move.answer, Chosen)
    return question.options.index(question.pick(move.answer.option))


@dataclass(frozen=True, slots=True)
class AttackValue:
    """The value of a possible attack by itself."""

    id: str
    by: str
    on: str
    swing: Probability
    """The mean net losses."""
    kill: Probability
    """The probability that the target is destroyed."""
    own_losses: Probability
    """The mean losses of the attacking side."""

    def to_dict(self) -> Json:
        """As JSON."""
        return fields_to_json(self, "id", "by", "on", "swing", "kill", "own_losses")


def evaluate_attacks(
    battle: Battle, assumptions: Assumptions, play: Play | None = None, bound: int = POSITIONS
) -> list[AttackValue]:
    """Every attack that is possible at the start of a turn, or where a play stands, each as if the turn ended with it.

    They are in option order. During an attack, and when the turn is over, none is possible. The bound is that of one
    attack.
    """
    assumptions.check(battle)
    if play is not None and play.question is None:
        return []
    solution = TurnSolution(battle, assumptions, bound=bound, is_lazy=True)
    point, explorer = solution.locate(play), solution.explorer
    if point.attack is not None:
        return []
    values = []
    for number in range(len(explorer.attacks)):  # one at a time: their graphs together may be too large for the memory
        attack = explorer.next_attack(point.key, number)
        check_size(explorer.explored, bound * MOST_LISTED)
        if attack is not None:
            values.append(_evaluate_attack(solution.states, point.key, attack))
    return values


def _evaluate_attack(states: TurnStates, key: Key, attack: NextAttack) -> AttackValue:
    listed, involved = attack.listed, attack.graph.involved
    before = {index: states.part(index, key[index]) for index in involved if key[index] != SETTLED}
    ends = [(parts_after(states, attack.graph, end), p) for end, p in attack.graph.end_probabilities(None)]

    def mean(name: str, indices: Sequence[int]) -> Probability:
        """The mean change of the contributions of these parts to a measure."""
        changes: list[tuple[int, Probability]] = []
        for after, probability in ends:
            change = sum(
                states.rules.contribution(states.setup, name, index, after[index])
                - states.rules.contribution(states.setup, name, index, before[index])
                for index in indices
                if index in after
            )
            changes.append((change, probability))
        return from_probabilities(changes).mean

    swing, kill = mean("swing", involved), mean("enemies destroyed", [involved[1]])
    return AttackValue(listed.id, listed.by, listed.on, swing, kill, mean("attacking side loses", involved))
