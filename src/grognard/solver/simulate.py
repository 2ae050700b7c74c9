"""Simulation: many random walks through a battle at once, in bounded memory.

Walks at the same position are one count, which is divided among the answers to the question there.
"""

import secrets
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from math import sqrt

from grognard.core.errors import BattleError, Endless, Fault, TooLarge
from grognard.core.positions import Pending, Position, advance_to_question
from grognard.core.readings import Face, Pool, Reading
from grognard.core.rules import Choose, End
from grognard.core.systems import Battle, Json, Result, Role
from grognard.solver.assumptions import Assumptions, ObjectiveFunction, PolicyFunction
from grognard.solver.draws import Draws
from grognard.solver.graph import POSITIONS, READING_SIZE, Progress, ReadingCache
from grognard.solver.odds import Odds, Outcome, likeliest_first
from grognard.solver.solution import Solution, solve_to_decide
from grognard.solver.turn_solution import TurnSolution

WALKS = 10_000
MOST_WALKS = 10**12
MOST_DICE = 100_000_000
"""At most this many dice may be rolled one by one."""
MOST_POSITIONS = 20_000
"""At most this many positions advance together; walks at the others wait."""
REPORT_EVERY = 256
MOST_QUESTIONS = 1_000_000
"""A walk that is not over after this number of questions counts as endless."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SampledOdds(Odds):
    """Odds that were sampled, with their standard errors."""

    walks: int
    seed: int
    value_error: float
    """The standard error of the value."""

    def error(self, probability: float) -> float:
        """The standard error of a sampled probability."""
        return sqrt(probability * (1 - probability) / self.walks)

    def to_dict(self) -> Json:
        """As JSON: like exact odds, with the number of walks, the seed and the errors."""
        sampled = Odds.to_dict(self)
        for outcome in sampled["outcomes"] or ():
            outcome["error"] = self.error(outcome["p"])
        return {**sampled, "exact": False, "n": self.walks, "seed": self.seed, "value_error": self.value_error}


Trail = tuple[Position, tuple[Hashable, ...]]
"""In a turn, the last choice of the next attack, and the answers since then."""
Place = tuple[Position, Trail | None]
"""Where walks are."""


class _Walks:
    """Advances all walks together; the walks at one place are one count."""

    def __init__(
        self, battle: Battle, assumptions: Assumptions, seed: int, bound: int, progress: Progress | None
    ) -> None:
        self.battle, self.assumptions, self.bound, self.progress = battle, assumptions, bound, progress
        self.draws = Draws(seed)
        self.odds = ReadingCache(fractions=False)
        self.reached: dict[Position, Pending | End] = {}
        self.solution: Solution | None = None
        self.results: dict[Result, int] = {}
        is_traced = battle.is_turn and any(map(assumptions.looks_ahead, Role))
        self.choice = battle.system.turn.choice if battle.system.turn and is_traced else None

    def advance(self, position: Position) -> Pending | End:
        """Advance a position to its question, with a cache."""
        reached = self.reached.get(position)
        if reached is None:
            if len(self.reached) >= MOST_POSITIONS:
                self.reached.clear()
            reached = self.reached[position] = advance_to_question(self.battle.setup, position)
        return reached

    def split(self, pending: Pending, trail: Trail | None, walks: int) -> Iterator[tuple[Hashable, int]]:
        """The answers to a question, with the number of walks that get each."""
        question = pending.question
        if isinstance(question, Choose):
            yield from self.split_by_policy(pending, trail, question, walks)
        elif question.reading.size > READING_SIZE:
            yield from self.roll_one_by_one(question.reading, walks)
        else:
            distribution = self.odds(question.reading)
            for place, count in self.draws.multinomial(walks, distribution.weights).items():
                yield distribution.values[place], count

    def split_by_policy(
        self, pending: Pending, trail: Trail | None, question: Choose, walks: int
    ) -> Iterator[tuple[Hashable, int]]:
        """Decide as the side's policy does."""
        role = self.battle.system.role_of(self.battle.setup, question.by)
        if self.assumptions.looks_ahead(role):
            yield self.best_option(pending.position, trail), walks
            return
        taken = self.assumptions.fixed_option(role, question)
        if taken is not None:
            yield question.options[taken].id, walks
            return
        for place, count in self.draws.multinomial(walks, [1.0] * len(question.options)).items():
            yield question.options[place].id, count

    def best_option(self, position: Position, trail: Trail | None) -> str:
        """The best option at a position. The battle is solved when the first one is needed."""
        if self.solution is None:
            try:
                self.solution = solve_to_decide(self.battle, self.assumptions, bound=self.bound)
            except TooLarge as large:
                why = f"sampling the best decisions needs them solved (choose other policies), and it is {large.what}"
                raise TooLarge(why, large.size, large.bound, advice="") from None
        if isinstance(self.solution, TurnSolution):
            assert trail is not None
            option = self.solution.option_after(*trail)
        else:
            option = self.solution.option_taken(self.solution.number_at(position))
        assert option is not None
        return option

    def roll_one_by_one(self, reading: Reading[Hashable], walks: int) -> Iterator[tuple[Hashable, int]]:
        """Roll dice for each walk separately: for a reading whose odds are too large to compute."""
        dice = walks * sum(pool.count for pool in reading.dice)
        if dice > MOST_DICE:
            raise TooLarge("too many dice to roll", dice, MOST_DICE, "; sample fewer walks, or a smaller battle")
        for walk in range(walks):
            if self.progress and walk % REPORT_EVERY == 0:
                self.progress(walk)
            yield reading.read(tuple(self.roll(pool) for pool in reading.dice)), 1

    def roll(self, pool: Pool) -> tuple[Face, ...]:
        """Roll a pool. Only the number of dice with each face is random: readings ignore the order of dice."""
        faces = pool.die.faces
        counts = self.draws.multinomial(pool.count, [1.0] * len(faces))
        return tuple(chain.from_iterable(repeat(faces[place], count) for place, count in counts.items()))

    def run(self, walks: int) -> dict[Result, int]:
        """Walk until every walk is over, and return the number of walks with each result."""
        waiting: list[tuple[int, Iterator[tuple[Place, int]]]] = [(0, iter([((self.battle.start(), None), walks)]))]
        while waiting:
            questions, positions = waiting.pop()
            if questions > MOST_QUESTIONS:
                left = sum(count for _, count in positions)
                raise Endless(f"{left} of {walks} walks are not over after {MOST_QUESTIONS:,} questions")
            onward, is_whole = self.step(positions)
            if self.progress:
                self.progress(sum(self.results.values()))
            if not is_whole:
                waiting.append((questions, positions))
            if onward:
                waiting.append((questions + 1, iter(onward.items())))
        return self.results

    def step(self, positions: Iterator[tuple[Place, int]]) -> tuple[dict[Place, int], bool]:
        """Answer one question at each place, and count the walks that are over.

        Returns the number of walks at each new place, and whether all walks have moved: it stops at too many places.
        """
        onward: dict[Place, int] = {}
        for (position, trail), walks in positions:
            reached = self.advance(position)
            if isinstance(reached, End):
                result = self.battle.system.result(self.battle.setup, reached.state)
                self.results[result] = self.results.get(result, 0) + walks
                continue
            position = self.battle.system.relevant_position(self.battle.setup, reached.position)
            if self.choice is not None and position.rule is self.choice:
                trail = position, ()
            for answer, part in self.split(reached, trail, walks):
                answered = position.answered(answer), trail and (trail[0], (*trail[1], answer))
                onward[answered] = onward.get(answered, 0) + part
            if len(onward) >= MOST_POSITIONS:
                return onward, False
        return onward, True


def simulate(
    battle: Battle,
    n: int = WALKS,
    seed: int | None = None,
    attacker: str | PolicyFunction = "best",
    defender: str | PolicyFunction = "best",
    objective: str | ObjectiveFunction = "swing",
    *,
    bound: int = POSITIONS,
    progress: Progress | None = None,
) -> SampledOdds:
    """The odds of a battle by n random walks. `progress` is called with the number of walks that are over.

    Best policies need the battle solved, within `bound` positions.
    """
    if type(n) is not int or not 1 <= n <= MOST_WALKS:
        raise BattleError([Fault("n", f"{n!r} is not a whole number of walks from 1 to {MOST_WALKS:,}")])
    assumptions = Assumptions(attacker, defender, objective)
    assumptions.check(battle)
    seed = secrets.randbits(48) if seed is None else seed
    results = _Walks(battle, assumptions, seed, bound, progress).run(n)
    outcomes = [Outcome(count / n, result) for result, count in results.items()]
    objective_of = assumptions.objective_of(battle).of
    values = [(p, objective_of(battle.setup, result)) for p, result in outcomes]
    value = sum(p * number for p, number in values)
    variance = sum(p * (number - value) ** 2 for p, number in values)
    return SampledOdds(
        battle=battle,
        assumptions=assumptions,
        value=float(value),
        outcomes=likeliest_first(outcomes),
        walks=n,
        seed=seed,
        value_error=sqrt(variance / n),
    )
