"""The solution of a whole turn, with everything that the solution of a single attack offers."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from grognard.core.distributions import Distribution, Probability, cap_at_one, from_probabilities
from grognard.core.errors import TooLarge, WrongAnswer
from grognard.core.numbers import to_json_number
from grognard.core.positions import Pending, Position
from grognard.core.rules import Choose, End, Option, Question
from grognard.core.systems import Battle, Json, Measure, Result, Role
from grognard.core.turns import END_TURN
from grognard.plays.answers import Chosen, accept, format_question
from grognard.plays.play import Move, Play
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.graph import POSITIONS, Chance, Decision, Progress
from grognard.solver.keys import SETTLED, Key
from grognard.solver.luck import Luck, LuckStep, decision_luck, roll_luck
from grognard.solver.odds import MOST_RESULTS, Odds, Outcome, is_alike, likeliest_first, value_of
from grognard.solver.solution import Advice, DecisionSummary, Solution, rank_options, solve_plainly
from grognard.solver.turn_outcomes import MOST_JOINT, PlayedTurn, TurnOutcomes
from grognard.solver.turns import NextAttack, TurnSolver


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TurnOdds(Odds):
    """The odds of a turn: the distribution of every measure, and the results unless there are too many of them."""

    distributions: dict[str, Distribution[Any]]
    """Of every measure and of the objective."""
    results: int | None
    """How many different results there are; None if they were not counted."""
    list_all: Callable[[], list[Outcome]] = field(compare=False, repr=False)
    """Lists all results, however many."""

    @property
    def is_listed(self) -> bool:
        """Whether `outcomes` lists all results."""
        return self.results is not None and self.results <= MOST_RESULTS

    def distribution(self, measure: Measure) -> Distribution[int | str | bool]:
        """The distribution of a measure."""
        return self.distributions[measure.name]

    def probability(self, predicate: Callable[[Result], bool]) -> Probability:
        """How likely a result is of which the predicate holds."""
        return Odds.probability(self._listed, predicate)

    def mean(self, function: Callable[[Result], Probability]) -> Probability:
        """The mean of a number computed from the result."""
        return Odds.mean(self._listed, function)

    def given(self, predicate: Callable[[Result], bool]) -> Odds:
        """The odds on condition that the predicate holds."""
        return Odds.given(self._listed, predicate)

    @property
    def _listed(self) -> Odds:
        """Odds that list every result."""
        outcomes = self.outcomes if self.is_listed else self.list_all()
        return Odds(battle=self.battle, assumptions=self.assumptions, value=self.value, outcomes=outcomes)

    def is_like(self, other: Odds) -> bool:
        """Whether both are the same up to rounding."""
        if not isinstance(other, TurnOdds):
            return False
        mine, others = self.distributions.values(), other.distributions.values()
        return Odds.is_like(self, other) and all(
            is_alike(dict(one), dict(another)) for one, another in zip(mine, others, strict=True)
        )

    def to_dict(self) -> Json:
        """As JSON; too many results are not listed."""
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
class _Place:
    """Where a play is in a turn: at a choice of the next attack, or at a node of one attack's graph."""

    key: Key
    gained: Probability
    """The value of ending the turn at the choice."""
    settled: tuple[tuple[int, Hashable], ...]
    attack: NextAttack | None = None
    node: int = 0


class TurnSolution(Solution):
    """A turn that is solved once: the value of every choice, and from it that of every position of a play."""

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
        self.solver = TurnSolver(battle, assumptions, bound, progress, forgets=is_lazy)
        if not is_lazy and (start is None or start.question is not None):
            self.solver.value(self.place_of(start).key)

    def __repr__(self) -> str:
        return f"<solution of a turn of {self.battle.system.name}: {len(self.solver.values):,} choices>"

    def under(self, assumptions: Assumptions) -> Solution:
        """The same turn under other assumptions."""
        assumptions.check(self.battle)
        return TurnSolution(self.battle, assumptions)

    @property
    def value(self) -> Probability:
        """What the attacker can expect of the whole turn."""
        return self.solver.start_value + self.solver.value(self.solver.start)

    def place_of(self, play: Play | None) -> _Place:
        """Where a play is."""
        solver = self.solver
        if play is None:
            return self._choice(solver.state)
        self.check_battle(play)
        if isinstance(play.pending, Pending) and self._is_choice(play.pending):
            return self._choice(play.pending.position.state)
        moves = list(play.moves)
        last = next((n for n in reversed(range(len(moves))) if self._is_choice(moves[n].pending)), None)
        if not isinstance(play.pending, Pending) or last is None:
            raise WrongAnswer("the turn is over" if last is not None else "this play is of another battle")
        return self._walk(moves[last:])

    def _is_choice(self, pending: Pending) -> bool:
        return pending.position.rule is self.solver.turn.choice

    def _choice(self, state: Any) -> _Place:
        parts = self.solver.turn.parts(state)
        key = self.solver.key_of(parts)
        settled = tuple((index, parts[index]) for index, number in enumerate(key) if number == SETTLED)
        return _Place(key, self.solver.total(parts), settled)

    def _walk(self, moves: Sequence[Move]) -> _Place:
        """From a choice into the attack that was chosen, along the answers."""
        place = self._choice(moves[0].pending.position.state)
        answers = [accept(move.pending.question, move.answer) for move in moves]
        return self._inside(place, str(answers[0]), answers[1:])

    def _inside(self, place: _Place, attack_id: str, answers: Sequence[Hashable]) -> _Place:
        number = [one.id for one in self.solver.attacks].index(attack_id)
        attack = self.solver.next_attack(place.key, number, is_exact=True)
        assert attack is not None
        node = attack.graph.start
        for answer in answers:
            node = attack.graph.successor(node, answer)
        return replace(place, attack=attack, node=node)

    def _values(self, place: _Place) -> dict[int, Probability]:
        """The value of every node of the attack at a place."""
        assert place.attack is not None
        values = place.attack.graph.values(self.solver.slot_values(place.attack))
        return {node: place.gained + value for node, value in values.items()}

    @cached_property
    def odds(self) -> Odds:
        """The odds at the start."""
        return self._odds(self._choice(self.solver.state))

    def odds_at(self, play: Play) -> Odds:
        """The odds at the position of a play."""
        self.check_battle(play)
        if play.question is None:
            outcome = [Outcome(self.solver.one, play.result)]
            return Odds(
                battle=self.battle,
                assumptions=self.assumptions,
                value=value_of(self.battle, self.assumptions, outcome),
                outcomes=outcome,
            )
        return self._odds(self.place_of(play))

    def _odds(self, place: _Place, first: int | None = None, played: PlayedTurn | None = None) -> Odds:
        outcomes = self._outcomes(place, first, played)
        names = [one.name for one in self.battle.system.measures(self.battle.setup)]
        distributions = {
            measure.name: self._distribution(measure, outcomes, place)
            for measure in self.battle.system.measures(self.battle.setup)
        }
        if self.solver.objective not in names:
            objective = Measure(self.solver.objective, lambda result: 0)
            distributions[self.solver.objective] = self._distribution(objective, outcomes, place)
        joint = self._results(outcomes, place)
        return TurnOdds(
            battle=self.battle,
            assumptions=self.assumptions,
            value=self._value(place, first) if played is None else distributions[self.solver.objective].mean,
            outcomes=joint if joint is not None and len(joint) <= MOST_RESULTS else [],
            distributions=distributions,
            results=None if joint is None else len(joint),
            list_all=partial(self._all_results, place, first, played),
        )

    def _outcomes(
        self, place: _Place, first: int | None, played: PlayedTurn | None, most_joint: int = MOST_JOINT
    ) -> TurnOutcomes:
        inside = (place.attack, place.node) if place.attack else None
        return TurnOutcomes(self.solver, place.key, first, inside, played, most_joint)

    def _all_results(self, place: _Place, first: int | None, played: PlayedTurn | None) -> list[Outcome]:
        """Every result, within the bound of exact work."""
        bound = self.solver.bound
        listed = self._results(self._outcomes(place, first, played, most_joint=bound), place)
        if listed is None:
            raise TooLarge("too many results of a turn to list", bound, bound)
        return listed

    def _value(self, place: _Place, first: int | None = None) -> Probability:
        """The value at a place; at a choice, of one of its options."""
        if place.attack is not None:
            return self._values(place)[place.node]
        if first is not None:
            return self._option_values(place)[first]
        return place.gained + self.solver.value(place.key)

    def _distribution(self, measure: Measure, outcomes: TurnOutcomes, place: _Place) -> Distribution[Any]:
        setup, turn = self.battle.setup, self.solver.turn
        if measure.part is None:
            before = sum(turn.contribution(setup, measure.name, *one) for one in place.settled)
            pairs: list[tuple[Any, Probability]] = [
                (number + before, p) for number, p in outcomes.sums[measure.name].items()
            ]
        else:
            settled = dict(place.settled)
            marginal = {settled[measure.part]: self.solver.one} if measure.part in settled else None
            pairs = []
            for part, p in (marginal or outcomes.marginals[measure.part]).items():
                pairs.append((measure.of(self._result({measure.part: part})), p))
        sums: dict[Any, Probability] = {}
        for value, p in pairs:
            sums[value] = sums.get(value, 0) + p
        return from_probabilities(sorted(sums.items(), key=lambda item: item[0]))

    def _result(self, parts: dict[int, Hashable]) -> Result:
        """The result with these parts, and all others as they were at the start."""
        start = self.solver.turn.parts(self.solver.state)
        final = tuple(parts.get(index, part) for index, part in enumerate(start))
        return self.battle.system.result(self.battle.setup, self.solver.turn.with_parts(self.solver.state, final))

    def _results(self, outcomes: TurnOutcomes, place: _Place) -> list[Outcome] | None:
        if outcomes.joint is None:
            return None
        sums: dict[Result, Probability] = {}
        for parts, probability in outcomes.joint.items():
            known = {index: part for index, part in enumerate(parts) if part is not None}
            result = self._result({**dict(place.settled), **known})
            sums[result] = sums.get(result, 0) + probability
        return likeliest_first([Outcome(cap_at_one(p), result) for result, p in sums.items()])

    def option_at(self, play: Play) -> str | None:
        """The id of the option that is taken at a play's decision; None if the policy takes any."""
        return self._option(self.place_of(play))

    def option_after(self, choice: Position, answers: Sequence[Hashable]) -> str | None:
        """The same at a choice of the next attack, or after these answers that were given since."""
        place = self._choice(choice.state)
        return self._option(self._inside(place, str(answers[0]), answers[1:]) if answers else place)

    def _option(self, place: _Place) -> str | None:
        if place.attack is None:
            attacks = self.solver.next_attacks(self.solver.standing(place.key))
            ids = [*(one.attack.id for one in attacks), END_TURN.id]
            taken = self.solver.option_taken(attacks)
        else:
            graph = place.attack.graph
            node = graph.node(place.node)
            assert isinstance(node, Decision)
            ids = [option.id for option in node.question.options]
            is_best = self.assumptions.policy(node.role) == Policy.BEST
            values = self._values(place) if is_best else {}
            after = [values[child] for child in graph.children(place.node)] if is_best else ()
            taken = graph.option(place.node, node, after)
        return None if taken is None else ids[taken]

    def advice(self, play: Play | None = None) -> Advice:
        """Advice on the question that is open in a play, or at the start."""
        if play is not None and play.question is None:
            return Advice(None, None, "the turn is over", None, self.odds_at(play), ())
        place = self.place_of(play)
        if place.attack is not None and play is not None:
            return self._advice_in_attack(place, play)
        attacks = self.solver.next_attacks(self.solver.standing(place.key))
        options = [*(Option(one.attack.id, one.attack.id, None) for one in attacks), END_TURN]
        odds = self._odds(place)
        if len(options) == 1:
            return Advice(None, None, "nothing is left to attack", None, odds, ())
        values = self._option_values(place)
        odds_of = [partial(self._odds, place, option) for option in range(len(options))]
        ranked = rank_options(options, values, Role.ATTACKER, odds_of, is_turn=True)
        rule = self.solver.turn.choice.paragraph
        return Advice(Role.ATTACKER, self.battle.setup.side, "Which attack is next?", rule, odds, ranked)

    def _advice_in_attack(self, place: _Place, play: Play) -> Advice:
        assert place.attack is not None
        graph = place.attack.graph
        node, children = graph.node(place.node), graph.children(place.node)
        question = play.question
        if not isinstance(node, Decision) or not isinstance(question, Choose):
            assert isinstance(node, Chance)
            rule = node.position.rule.paragraph
            assert question is not None
            return Advice(None, None, format_question(question), rule, self._odds(place), ())
        values = self._values(place)
        odds_of = [partial(self._odds, replace(place, node=child)) for child in children]
        options = [values[child] for child in children]
        ranked = rank_options(question.options, options, node.role, odds_of, is_turn=True)
        rule = node.position.rule.paragraph
        return Advice(node.role, question.by, question.prompt, rule, self._odds(place), ranked)

    @cached_property
    def decisions(self) -> tuple[DecisionSummary, ...]:
        """The decisions of a turn, from its plain graph."""
        return solve_plainly(self.battle, self.assumptions).decisions

    def luck(self, play: Play) -> Luck:
        """How lucky both sides were in a turn that is over, and what their decisions cost them."""
        self.check_battle(play)
        if play.question is not None:
            raise WrongAnswer(f"the turn is not over: {format_question(play.question)}")
        start, played = self._choice(self.solver.state), self._played(play)
        chosen = self._odds(start, played=played) if played.options else self.odds
        return Luck(self.odds, chosen, play.result, self.value, tuple(self._luck_steps(play)))

    def _played(self, play: Play) -> PlayedTurn:
        """The decisions that were taken in a play that is over."""
        assert isinstance(play.pending, End)
        options: dict[Key, tuple[int, dict[int, int]]] = {}
        for place, move in self._places(play):
            if place.attack is None:
                question, decided = move.pending.question, dict[int, int]()
                options[place.key] = _option_index(question, move), decided
            elif isinstance(place.attack.graph.node(place.node), Decision):
                decided[place.node] = _option_index(move.pending.question, move)
        return PlayedTurn(options, self.solver.turn.parts(play.pending.state))

    def _places(self, play: Play) -> Iterator[tuple[_Place, Move]]:
        """Where each answer of a play was given."""
        place = self._choice(self.solver.state)
        for move in play.moves:
            answer = accept(move.pending.question, move.answer)
            if self._is_choice(move.pending):
                place = self._choice(move.pending.position.state)
                yield place, move
                if answer != END_TURN.id:
                    place = self._inside(place, str(answer), ())
            else:
                yield place, move
                assert place.attack is not None
                place = replace(place, node=place.attack.graph.successor(place.node, answer))

    def _luck_steps(self, play: Play) -> Iterator[LuckStep]:
        for place, move in self._places(play):
            if place.attack is None:
                yield decision_luck(move, Role.ATTACKER, self._value(place), self._option_values(place))
            else:
                yield self._luck_in_attack(place, move)

    def _option_values(self, place: _Place) -> list[Probability]:
        """The value of every option of a choice."""
        values = self.solver.option_values(self.solver.next_attacks(self.solver.standing(place.key)))
        return [place.gained + value for value in values]

    def _luck_in_attack(self, place: _Place, move: Move) -> LuckStep:
        assert place.attack is not None
        values, graph = self._values(place), place.attack.graph
        node = graph.node(place.node)
        if isinstance(node, Decision):
            after_each = [values[child] for child in graph.children(place.node)]
            return decision_luck(move, node.role, values[place.node], after_each)
        assert isinstance(node, Chance)
        after = dict(zip(node.answers, graph.successors(place.node), strict=True))
        return roll_luck(move, values[place.node], lambda answer: values[after[answer]])


def _option_index(question: Question, move: Move) -> int:
    """The number of the option that was chosen."""
    assert isinstance(question, Choose)
    assert isinstance(move.answer, Chosen)
    return question.options.index(question.pick(move.answer.option))


@dataclass(frozen=True, slots=True)
class AttackValue:
    """An attack that is possible now, by itself: expected net losses, the chance to destroy the target, own losses."""

    id: str
    by: str
    on: str
    swing: Probability
    kill: Probability
    own_losses: Probability

    def to_dict(self) -> Json:
        """As JSON."""
        numbers = {name: to_json_number(getattr(self, name)) for name in ("swing", "kill", "own_losses")}
        return {"id": self.id, "by": self.by, "on": self.on, **numbers}


def evaluate_attacks(battle: Battle, assumptions: Assumptions, play: Play | None = None) -> list[AttackValue]:
    """Every attack that is possible at the start of a turn, each as if it were the only one, in option order.

    With a play in which the next attack is to be chosen, those that are possible there; in the middle of an attack, or
    when the turn is over, none is.
    """
    assumptions.check(battle)
    if play is not None and play.question is None:
        return []
    solution = TurnSolution(battle, assumptions, is_lazy=True)
    place, solver = solution.place_of(play), solution.solver
    return [] if place.attack else [_evaluate_attack(solver, place.key, one) for one in solver.next_attacks(place.key)]


def _evaluate_attack(solver: TurnSolver, key: Key, one: NextAttack) -> AttackValue:
    involved, target = one.graph.involved, one.graph.involved[1]
    before = {index: solver.part(index, key[index]) for index in involved if key[index] != SETTLED}
    ends = one.graph.end_probabilities(None)

    def mean(name: str, indices: Sequence[int]) -> Probability:
        """The mean change of what these parts add to an objective."""
        changes: list[tuple[int, Probability]] = []
        for end, probability in ends:
            parts = {index: solver.part(index, n) for index, n in zip(involved, end.open, strict=True) if n != SETTLED}
            parts.update(end.settled)
            change = sum(
                solver.turn.contribution(solver.setup, name, index, parts[index])
                - solver.turn.contribution(solver.setup, name, index, before[index])
                for index in indices
                if index in parts
            )
            changes.append((change, probability))
        return from_probabilities(changes).mean

    swing, own_losses = mean("swing", involved), mean("attacking side loses", involved)
    return AttackValue(
        one.attack.id, one.attack.by, one.attack.on, swing, mean("enemies destroyed", [target]), own_losses
    )
