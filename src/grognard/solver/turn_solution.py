"""The solution of a whole turn, with everything that the solution of a single attack offers."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from grognard.core.distributions import Distribution, Probability, from_probabilities
from grognard.core.errors import WrongAnswer
from grognard.core.numbers import to_json_number
from grognard.core.positions import Pending
from grognard.core.rules import Choose, Option
from grognard.core.systems import Battle, Json, Measure, Result, Role
from grognard.core.turns import END_TURN
from grognard.plays.answers import Chosen, accept, format_question
from grognard.plays.play import Move, Play
from grognard.solver.assumptions import Assumptions
from grognard.solver.graph import POSITIONS, Chance, Decision, Progress
from grognard.solver.luck import Luck, LuckStep, decision_luck, roll_luck
from grognard.solver.odds import MOST_RESULTS, Odds, Outcome, likeliest_first, value_of
from grognard.solver.solution import Advice, DecisionSummary, Solution, rank_options, solve_plainly
from grognard.solver.turns import SETTLED, Key, NextAttack, SingleAttackPolicy, TurnOutcomes, TurnSolver


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class TurnOdds(Odds):
    """The odds of a turn: the distribution of every measure, and the results unless there are too many of them."""

    distributions: dict[str, Distribution[Any]]
    results: int | None
    """How many different results there are; None if they were not counted."""

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
        """Odds that list every result: these, or those of the turn solved position by position."""
        if self.is_listed:
            return Odds(battle=self.battle, assumptions=self.assumptions, value=self.value, outcomes=self.outcomes)
        return solve_plainly(self.battle, self.assumptions).odds

    def to_dict(self) -> Json:
        """As other programs read it; too many results are not listed."""
        odds = Odds.to_dict(self)
        if not self.is_listed:
            odds["outcomes"] = None
        return {**odds, "results": self.results}


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a play is in a turn: at a choice of the next attack, or at a node of one attack's graph."""

    key: Key
    bank: Probability
    """What was settled before."""
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
    ) -> None:
        self.battle, self.assumptions = battle, assumptions
        self.solver = TurnSolver(battle, assumptions, bound, progress)
        if start is None or start.question is not None:
            self.place_of(start)

    def __repr__(self) -> str:
        return f"<solution of a turn of {self.battle.system.name}: {len(self.solver.values):,} choices>"

    def under(self, assumptions: Assumptions) -> Solution:
        """The same turn under other assumptions."""
        assumptions.check(self.battle)
        return TurnSolution(self.battle, assumptions)

    @property
    def value(self) -> Probability:
        """What the attacker can expect of the whole turn."""
        return self.solver.start_bank + self.solver.value(self.solver.start)

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
        place = self._choice(moves[last].pending.position.state)
        return self._walk(place, moves[last], moves[last + 1 :])

    def _is_choice(self, pending: Pending) -> bool:
        return pending.position.rule is self.solver.turn.choice

    def _choice(self, state: Any) -> _Place:
        key, settled, bank = self.solver.key_of(self.solver.turn.parts(state))
        self.solver.value(key)
        return _Place(key, bank, settled)

    def _walk(self, place: _Place, choice: Move, moves: Sequence[Move]) -> _Place:
        """From a choice into the attack that was chosen, along the answers."""
        assert isinstance(choice.answer, Chosen)
        attacks = {one.attack.id: one for one in self.solver.next_attacks(place.key)}
        attack = attacks[choice.answer.option]
        node = attack.graph.graph.start
        for move in moves:
            node = _successor(attack, node, move)
        return replace(place, attack=attack, node=node)

    def _values(self, place: _Place) -> dict[int, Probability]:
        """The value of every node of the attack at a place."""
        assert place.attack is not None
        slots = [self.solver.values[after] for after in place.attack.keys]
        values = place.attack.graph.values(slots, self.solver.policy)
        return {node: place.bank + value for node, value in values.items()}

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

    def _odds(self, place: _Place, first: int | None = None) -> Odds:
        outcomes = TurnOutcomes(self.solver, place.key, first, (place.attack, place.node) if place.attack else None)
        distributions = {
            measure.name: self._distribution(measure, outcomes, place)
            for measure in self.battle.system.measures(self.battle.setup)
        }
        joint = self._results(outcomes, place)
        value = place.bank + self.solver.values[place.key]
        if place.attack is not None:
            value = self._values(place)[place.node]
        elif first is not None:
            value = place.bank + self._option_values(place)[first]
        return TurnOdds(
            battle=self.battle,
            assumptions=self.assumptions,
            value=value,
            outcomes=joint if joint is not None and len(joint) <= MOST_RESULTS else [],
            distributions=distributions,
            results=None if joint is None else len(joint),
        )

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
        return likeliest_first([Outcome(p, result) for result, p in sums.items()])

    def option_at(self, play: Play) -> str | None:
        """The id of the option that is taken at a play's decision; None if the policy takes any."""
        place = self.place_of(play)
        question = play.question
        assert isinstance(question, Choose)
        if place.attack is None:
            attacks = self.solver.next_attacks(place.key)
            options = self.solver.option_values(place.key, attacks)
            taken = self.solver.option_taken(place.key, attacks, options)
        else:
            node = place.attack.graph.graph.nodes[place.node]
            assert isinstance(node, Decision)
            values = self._values(place)
            options = [values[child] for child in node.children]
            taken = self.solver.policy.option(place.attack.graph, place.node, node, options)
        return None if taken is None else question.options[taken].id

    def advice(self, play: Play | None = None) -> Advice:
        """Advice on the question that is open in a play, or at the start."""
        if play is not None and play.question is None:
            return Advice(None, None, "the turn is over", None, self.odds_at(play), ())
        place = self.place_of(play)
        if place.attack is not None:
            return self._advice_in_attack(place)
        attacks = self.solver.next_attacks(place.key)
        options = [*(Option(one.attack.id, one.attack.id, None) for one in attacks), END_TURN]
        odds = self._odds(place)
        if len(options) == 1:
            return Advice(None, None, "nothing is left to attack", None, odds, ())
        values = [place.bank + value for value in self.solver.option_values(place.key, attacks)]
        odds_of = [partial(self._odds, place, option) for option in range(len(options))]
        ranked = rank_options(options, values, Role.ATTACKER, odds_of, is_turn=True)
        rule = self.solver.turn.choice.paragraph
        return Advice(Role.ATTACKER, self.battle.setup.side, "Which attack is next?", rule, odds, ranked)

    def _advice_in_attack(self, place: _Place) -> Advice:
        assert place.attack is not None
        node = place.attack.graph.graph.nodes[place.node]
        if not isinstance(node, Decision):
            assert isinstance(node, Chance)
            rule = node.position.rule.paragraph
            return Advice(None, None, format_question(node.question), rule, self._odds(place), ())
        values, question = self._values(place), node.question
        odds_of = [partial(self._odds, replace(place, node=child)) for child in node.children]
        options = [values[child] for child in node.children]
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
        return Luck(self.odds, self.odds, play.result, self.value, tuple(self._luck_steps(play)))

    def _luck_steps(self, play: Play) -> Iterator[LuckStep]:
        place: _Place | None = None
        for move in play.moves:
            if self._is_choice(move.pending):
                place = self._choice(move.pending.position.state)
                values = [place.bank + value for value in self._option_values(place)]
                yield decision_luck(move, Role.ATTACKER, place.bank + self.solver.values[place.key], values)
                place = self._walk(place, move, ()) if move.answer != Chosen(END_TURN.id) else None
                continue
            assert place is not None
            assert place.attack is not None
            yield self._luck_in_attack(place, move)
            node = _successor(place.attack, place.node, move)
            place = replace(place, node=node)

    def _option_values(self, place: _Place) -> list[Probability]:
        return self.solver.option_values(place.key, self.solver.next_attacks(place.key))

    def _luck_in_attack(self, place: _Place, move: Move) -> LuckStep:
        assert place.attack is not None
        values = self._values(place)
        node = place.attack.graph.graph.nodes[place.node]
        if isinstance(node, Decision):
            return decision_luck(move, node.role, values[place.node], [values[child] for child in node.children])
        assert isinstance(node, Chance)
        after = dict(zip(node.answers, node.successors, strict=True))
        return roll_luck(move, values[place.node], lambda answer: values[after[answer]])


def _successor(attack: NextAttack, node: int, move: Move) -> int:
    """The node that an answer leads to."""
    here = attack.graph.graph.nodes[node]
    if isinstance(here, Decision):
        assert isinstance(move.answer, Chosen)
        return here.children[here.question.options.index(here.question.pick(move.answer.option))]
    assert isinstance(here, Chance)
    return here.successors[here.answers.index(accept(move.pending.question, move.answer))]


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
        """As other programs read it."""
        numbers = {name: to_json_number(getattr(self, name)) for name in ("swing", "kill", "own_losses")}
        return {"id": self.id, "by": self.by, "on": self.on, **numbers}


def evaluate_attacks(battle: Battle, assumptions: Assumptions) -> list[AttackValue]:
    """Every attack that is possible at the start of a turn, each as if it were the only one, in option order."""
    assumptions.check(battle)
    solver = TurnSolver(battle, assumptions)
    return [_evaluate_attack(solver, one) for one in solver.next_attacks(solver.start)]


def _evaluate_attack(solver: TurnSolver, one: NextAttack) -> AttackValue:
    involved, target = one.attack.involved, one.attack.involved[1]
    before = {index: solver.parts[index][solver.start[index]] for index in involved if solver.start[index] != SETTLED}
    ends = one.graph.end_probabilities(one.graph.stop_values, SingleAttackPolicy(solver.assumptions), solver.one)

    def mean(name: str, indices: Sequence[int]) -> Probability:
        """The mean change of what these parts add to an objective."""
        total = 0 * solver.one
        for end, probability in ends:
            parts = {index: solver.parts[index][n] for index, n in zip(involved, end.open, strict=True) if n != SETTLED}
            parts.update(end.settled)
            total += probability * sum(
                solver.turn.contribution(solver.setup, name, index, parts[index])
                - solver.turn.contribution(solver.setup, name, index, before[index])
                for index in indices
                if index in parts
            )
        return total

    swing, own_losses = mean("swing", involved), mean("attacking side loses", involved)
    return AttackValue(
        one.attack.id, one.attack.by, one.attack.on, swing, mean("enemies destroyed", [target]), own_losses
    )
