"""Simulation: many walks through a battle at once, counted position by position."""

import hashlib
import secrets
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from math import sqrt

import numpy as np

from grognard.core.distributions import Distribution
from grognard.core.errors import BattleError, Endless, Fault, TooLarge
from grognard.core.positions import Pending, Position, advance_to_question
from grognard.core.readings import Face, Pool, Reading
from grognard.core.rules import Choose, End
from grognard.core.systems import Battle, Json, Result
from grognard.solver.assumptions import Aims, Policy, aims, habit
from grognard.solver.graph import READING_SIZE, Decision, Progress, explore, odds_of
from grognard.solver.induction import decide
from grognard.solver.odds import Odds, Outcome, likeliest_first

WALKS = 10_000
MOST_WALKS = 10**12
DICE = 100_000_000
"""So many dice may be thrown one by one."""
REPORT_EVERY = 256
STEPS = 1_000_000
"""A walk that is not over after so many questions is taken to be endless."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampled(Odds):
    """Odds that were sampled, with their standard errors."""

    walks: int
    seed: int
    value_error: float

    def error(self, probability: float) -> float:
        """The standard error of a sampled chance."""
        return sqrt(probability * (1 - probability) / self.walks)

    def to_dict(self) -> Json:
        """The shape of exact odds, with how they were sampled."""
        told = Odds.to_dict(self)
        for outcome in told["outcomes"]:
            outcome["error"] = self.error(outcome["p"])
        return {**told, "exact": False, "n": self.walks, "seed": self.seed, "value_error": self.value_error}


class _Walks:
    """All walks, in step with each other: how many stand at each position."""

    def __init__(self, battle: Battle, chosen: Aims, seed: int, progress: Progress | None) -> None:
        self.battle, self.chosen, self.progress = battle, chosen, progress
        # NumPy keeps this older generator's numbers the same in every version.
        self.random = np.random.RandomState(np.frombuffer(hashlib.sha256(str(seed).encode()).digest(), np.uint32))
        self.odds: dict[Reading[Hashable], Distribution[Hashable]] = {}
        self.reached: dict[Position, Pending | End] = {}
        self.best: dict[Position, str] | None = None

    def advance_to_question(self, position: Position) -> Pending | End:
        """Settle a position, once."""
        reached = self.reached.get(position)
        if reached is None:
            reached = self.reached[position] = advance_to_question(self.battle.setup, position)
        return reached

    def part(self, due: Pending, walks: int) -> Iterator[tuple[Hashable, int]]:
        """The answers that so many walks are given, and how many are given each."""
        question = due.question
        if isinstance(question, Choose):
            yield from self.part_deciding(due, question, walks)
        elif question.reading.size > READING_SIZE:
            yield from self.part_throwing(question.reading, walks)
        else:
            distribution = odds_of(question.reading, False, self.odds)
            weights = np.array(distribution.weights)
            counts = self.random.multinomial(walks, weights / weights.sum())
            for place in np.flatnonzero(counts):
                yield distribution.values[place], int(counts[place])

    def part_deciding(self, due: Pending, question: Choose, walks: int) -> Iterator[tuple[Hashable, int]]:
        """Decide as the side's policy does."""
        policy = self.chosen.policies[self.battle.system.role_of(self.battle.setup, question.by)]
        if policy is Policy.BEST:
            yield self.best_at(due.position), walks
            return
        taken = habit(policy, question)
        if taken is not None:
            yield question.options[taken].id, walks
            return
        count = len(question.options)
        parts = self.random.multinomial(walks, [1 / count] * count)
        yield from ((option.id, int(part)) for option, part in zip(question.options, parts, strict=True) if part)

    def part_throwing(self, reading: Reading[Hashable], walks: int) -> Iterator[tuple[Hashable, int]]:
        """Throw for every walk by itself, unless that would take for ever."""
        dice = walks * sum(pool.count for pool in reading.dice)
        if dice > DICE:
            raise TooLarge("too many dice to throw", dice, DICE, "; sample fewer walks, or a smaller battle")
        for walk in range(walks):
            if self.progress and walk % REPORT_EVERY == 0:
                self.progress(walk)
            yield self.throw(reading), 1

    def throw(self, reading: Reading[Hashable]) -> Hashable:
        """Roll real dice: for a roll whose odds would be too large to work out."""
        return reading.read(tuple(self.pool(pool) for pool in reading.dice))

    def pool(self, pool: Pool) -> tuple[Face, ...]:
        """Dice of one kind, by how many show each face: their order is of no account."""
        faces = pool.die.faces
        counts = self.random.multinomial(pool.count, [1 / len(faces)] * len(faces))
        return tuple(chain.from_iterable(repeat(face, int(count)) for face, count in zip(faces, counts, strict=True)))

    def best_at(self, position: Position) -> str:
        """The best option here, which needs the whole battle solved."""
        if self.best is None:
            self.best = _best_everywhere(self.battle, self.chosen)
        return self.best[position]

    def run(self, walks: int) -> dict[Result, int]:
        """Walk until every walk is over; how many ended in each result."""
        ended: dict[Result, int] = {}
        standing: dict[Position, int] = {self.battle.start(): walks}
        for _ in range(STEPS):
            onward: dict[Position, int] = {}
            for position, here in standing.items():
                reached = self.advance_to_question(position)
                if isinstance(reached, End):
                    result = self.battle.system.result(self.battle.setup, reached.state)
                    ended[result] = ended.get(result, 0) + here
                    continue
                due = self.battle.system.relevant_position(self.battle.setup, reached.position)
                for answer, part in self.part(Pending(due, reached.question), here):
                    answered = due.answered(answer)
                    onward[answered] = onward.get(answered, 0) + part
            if self.progress:
                self.progress(sum(ended.values()))
            if not onward:
                return ended
            standing = onward
        raise Endless(f"{sum(standing.values())} of {walks} walks are not over after {STEPS:,} questions")


def simulate(
    battle: Battle,
    n: int = WALKS,
    seed: int | None = None,
    attacker: str = "best",
    defender: str = "best",
    objective: str = "swing",
    *,
    progress: Progress | None = None,
) -> Sampled:
    """Sample n walks through a battle; `progress` is told how many are over."""
    if type(n) is not int or not 1 <= n <= MOST_WALKS:
        raise BattleError(
            [Fault("n", f"found {n!r}, expected a whole number of walks: at least 1, at most {MOST_WALKS:,}")]
        )
    chosen = aims(battle, attacker, defender, objective)
    seed = secrets.randbits(48) if seed is None else seed
    ended = _Walks(battle, chosen, seed, progress).run(n)
    outcomes = [Outcome(count / n, result) for result, count in ended.items()]
    worth = [(p, chosen.objective.of(battle.setup, result)) for p, result in outcomes]
    value = sum(p * number for p, number in worth)
    variance = sum(p * (number - value) ** 2 for p, number in worth)
    return Sampled(
        battle=battle,
        aims=chosen,
        value=float(value),
        outcomes=likeliest_first(outcomes),
        walks=n,
        seed=seed,
        value_error=sqrt(variance / n),
    )


def _best_everywhere(battle: Battle, chosen: Aims) -> dict[Position, str]:
    try:
        graph = explore(battle)
    except TooLarge as large:
        why = f"sampling the best decisions needs them solved (choose other policies), and it is {large.what}"
        raise TooLarge(why, large.size, large.bound, advice="") from None
    _, choices = decide(graph, chosen, battle.setup, exact=False)
    nodes = ((graph.nodes[place], taken) for place, taken in choices.items())
    return {node.position: node.question.options[taken].id for node, taken in nodes if isinstance(node, Decision)}
