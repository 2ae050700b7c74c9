"""Luck: what both sides gained by dice, and lost by decisions, in a battle that was played.

The value of a position is what the attacker can expect from there on. A roll changes it by luck, a decision by its
regret: value at the start + luck − regret of the attacker + regret of the defender = value of the result.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial

from grognard.core.distributions import Probability
from grognard.core.errors import WrongAnswer
from grognard.core.lazy import NotebookDisplay
from grognard.core.numbers import absolute_difference, fields_to_json, to_json, to_json_number, zero_like
from grognard.core.positions import Position
from grognard.core.readings import Face, Faces
from grognard.core.rules import Choose, Roll
from grognard.core.systems import Json, Measure, Result, Role
from grognard.plays.answers import Chosen, Rolled, faces_of, format_question
from grognard.plays.play import Move, Play
from grognard.solver.induction import Mixture, best_option
from grognard.solver.odds import Odds
from grognard.solver.solution import Solution


@dataclass(frozen=True, slots=True)
class DieLuck:
    """One die, and what the attacker gained by its face, compared with rolling this die alone again."""

    by: str
    side: str | None
    die: str
    face: Face
    gain: Probability

    def to_dict(self) -> Json:
        """As JSON."""
        return fields_to_json(self, "by", "side", "die", "face", "gain")


@dataclass(frozen=True, slots=True)
class RollLuck:
    """A roll: the value before and after it, and its dice."""

    rule: str
    purpose: str
    before: Probability
    after: Probability
    dice: tuple[DieLuck, ...]

    @property
    def gain(self) -> Probability:
        """What the attacker gained by luck."""
        return self.after - self.before

    def to_dict(self) -> Json:
        """As JSON."""
        return {"kind": "roll", **fields_to_json(self, "rule", "purpose", "before", "after", "gain", "dice")}


@dataclass(frozen=True, slots=True)
class DecisionLuck:
    """A decision: the value before and after it, the option taken and the best one."""

    rule: str
    side: str
    role: Role
    prompt: str
    taken: str
    best: str
    before: Probability
    after: Probability
    regret: Probability
    """What the side that decided lost by not choosing the best option: never below 0."""

    @property
    def gain(self) -> Probability:
        """What the attacker gained, compared with what the policy would have chosen."""
        return self.after - self.before

    def to_dict(self) -> Json:
        """As JSON."""
        return {
            "kind": "choice",
            **fields_to_json(self, "rule", "side", "role", "prompt"),
            "choose": self.taken,
            **fields_to_json(self, "best", "before", "after", "gain", "regret"),
        }


LuckStep = RollLuck | DecisionLuck


@dataclass(frozen=True, slots=True)
class Percentile:
    """The place of a measure of the result in its distribution: the probabilities of less, the same and more."""

    name: str
    label: str
    value: int
    less: Probability
    same: Probability
    more: Probability
    loser: Role | None = None
    """The role of the side whose loss it is; None for the objective, which the attacker maximises."""

    @property
    def percentile(self) -> Probability:
        """The probability of less, plus half the probability of the same: 1/2 is neither lucky nor unlucky."""
        return self.less + self.same / 2

    def luck_of(self, role: Role) -> Probability:
        """The probability of a worse result for a side, plus half the probability of the same."""
        maximises = (role is Role.ATTACKER) == (self.loser is not Role.ATTACKER)
        return self.percentile if maximises else 1 - self.percentile

    def to_dict(self) -> Json:
        """As JSON."""
        return fields_to_json(self, "name", "label", "value", "less", "same", "more", "percentile", "loser")


@dataclass(frozen=True, slots=True)
class Luck(NotebookDisplay):
    """The luck and the regret of both sides in a play that is over."""

    odds: Odds
    """The odds at the start if both sides had decided by the assumptions."""
    chosen_odds: Odds
    """The odds at the start with the decisions that were taken in the play: percentiles refer to these."""
    result: Result
    start: Probability
    steps: tuple[LuckStep, ...]

    @property
    def result_value(self) -> Probability:
        """The value of the result to the attacker."""
        return self.odds.assumptions.objective_of(self.odds.battle).of(self.odds.battle.setup, self.result)

    @property
    def luck(self) -> Probability:
        """What the attacker gained by all rolls together."""
        return sum((step.gain for step in self.steps if isinstance(step, RollLuck)), zero_like(self.start))

    @property
    def decision_gain(self) -> Probability:
        """What the attacker gained by all decisions: under best policies the defender's regret less the attacker's."""
        return sum((step.gain for step in self.steps if isinstance(step, DecisionLuck)), zero_like(self.start))

    def regret(self, role: Role) -> Probability:
        """What a side lost by not choosing the best options."""
        regrets = (step.regret for step in self.steps if isinstance(step, DecisionLuck) and step.role is role)
        return sum(regrets, zero_like(self.start))

    @property
    def left_best_line(self) -> bool:
        """Whether a side chose otherwise than the assumptions say."""
        return not self.odds.is_like(self.chosen_odds)

    @property
    def percentiles(self) -> list[Percentile]:
        """The percentiles of the result in `chosen_odds`: of the objective first, then of the losses of each side."""
        battle, assumptions = self.odds.battle, self.odds.assumptions
        objective = assumptions.objective_of(battle)
        value = Measure(self.odds.objective, lambda result: objective.of(battle.setup, result))
        losses = [measure for measure in battle.system.measures(battle.setup) if measure.role]
        return [
            percentile
            for measure in (value, *losses)
            if (percentile := percentile_of(self.chosen_odds, measure, self.result))
        ]

    @property
    def probability(self) -> Probability:
        """The probability of this result with the decisions that were taken."""
        return self.chosen_odds.probability(lambda other: other == self.result)

    def to_dict(self) -> Json:
        """As JSON; every number is the attacker's unless a side is named."""
        odds = self.odds.to_dict()
        percentiles = self.percentiles
        return {
            **{key: odds[key] for key in ("system", "exact", "objective", "policies")},
            **fields_to_json(self, "result", "probability", "start", "luck"),
            "decisions": to_json_number(self.decision_gain),
            "value": to_json_number(self.result_value),
            "left_best_line": self.left_best_line,
            "roles": {
                str(role): {
                    "luck": to_json_number(self.luck if role is Role.ATTACKER else -self.luck),
                    "regret": to_json_number(self.regret(role)),
                    "percentiles": {
                        percentile.name: to_json_number(percentile.luck_of(role)) for percentile in percentiles
                    },
                }
                for role in Role
            },
            "percentiles": [percentile.to_dict() for percentile in percentiles],
            "steps": to_json(self.steps),
        }


def percentile_of(odds: Odds, measure: Measure, result: Result) -> Percentile | None:
    """The percentile of a measure of a result; None if it is not a whole number."""
    value = measure.of(result)
    if type(value) is not int:
        return None
    less = more = same = zero_like(odds.value)
    for other, probability in odds.distribution(measure):
        assert isinstance(other, int)
        less += probability if other < value else 0
        more += probability if other > value else 0
        same += probability if other == value else 0
    return Percentile(measure.name, measure.label, value, less, same, more, measure.role)


def luck_of(solution: Solution, play: Play) -> Luck:
    """The luck in a play that is over, by a solution of its battle."""
    if play.question is not None:
        raise WrongAnswer(f"the battle is not over: {format_question(play.question)}")
    start = solution.number_of(None)
    chosen = solution.odds_from(start, _options_taken(solution, play))
    return Luck(solution.odds, chosen, play.result, solution.value, tuple(_steps(solution, play)))


def _options_taken(solution: Solution, play: Play) -> dict[int, Mixture]:
    """The options taken at each decision of a play; different options at one position are a mixture."""
    taken: dict[int, Counter[int]] = {}
    for move in play.moves:
        question = move.pending.question
        if isinstance(question, Choose) and isinstance(move.answer, Chosen):
            number = solution.number_at(move.pending.position)
            taken.setdefault(number, Counter())[question.options.index(question.pick(move.answer.option))] += 1
    one = solution.induction.one
    return {
        number: {option: one * Fraction(times, counts.total()) for option, times in counts.items()}
        for number, counts in taken.items()
    }


def _steps(solution: Solution, play: Play) -> Iterator[LuckStep]:
    value_of = solution.induction.value_of
    for move in play.moves:
        position, question = move.pending.position, move.pending.question
        before = value_of(solution.number_at(position))
        if isinstance(question, Roll):
            yield roll_luck(move, before, partial(_value_after, solution, position))
        else:
            options = [value_of(solution.number_at(position.answered(option.id))) for option in question.options]
            role = solution.battle.system.role_of(solution.battle.setup, question.by)
            yield decision_luck(move, role, before, options)


def _value_after(solution: Solution, position: Position, answer: Hashable) -> Probability:
    return solution.induction.value_of(solution.number_at(position.answered(answer)))


def decision_luck(move: Move, role: Role, before: Probability, values: Sequence[Probability]) -> DecisionLuck:
    """A decision of a play, from the value before it and the values of its options."""
    question = move.pending.question
    assert isinstance(question, Choose)
    assert isinstance(move.answer, Chosen)
    taken = question.options.index(question.pick(move.answer.option))
    best = best_option(values, role)
    return DecisionLuck(
        rule=move.rule,
        side=question.by,
        role=role,
        prompt=question.prompt,
        taken=question.options[taken].id,
        best=question.options[best].id,
        before=before,
        after=values[taken],
        regret=absolute_difference(values[best], values[taken]),
    )


def roll_luck(move: Move, before: Probability, value_of_answer: Callable[[Hashable], Probability]) -> RollLuck:
    """A roll of a play, from the value before it and the value after each answer to it."""
    question = move.pending.question
    assert isinstance(question, Roll)
    assert isinstance(move.answer, Rolled)
    value_of_cached_answer = cache(value_of_answer)

    def value_of(faces: Faces) -> Probability:
        return value_of_cached_answer(question.reading.read(faces))

    faces = faces_of(question, move.answer)
    after = value_of(faces)
    rollers = question.by or (None,) * len(faces)
    dice = []
    for number, (roller, pool, shown) in enumerate(zip(rollers, question.reading.dice, faces, strict=True)):
        for place, face in enumerate(shown):
            rerolled = [value_of(_with_face(faces, number, place, other)) for other in pool.die.faces]
            gain = after - sum(rerolled) / len(rerolled)
            dice.append(DieLuck(str(roller or ""), roller.side if roller else None, pool.die.name, face, gain))
    return RollLuck(move.rule, question.purpose, before, after, tuple(dice))


def _with_face(faces: Faces, pool: int, place: int, face: Face) -> Faces:
    shown = faces[pool]
    return (*faces[:pool], (*shown[:place], face, *shown[place + 1 :]), *faces[pool + 1 :])
