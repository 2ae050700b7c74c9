"""Match-ups worked out: exact odds for many at once, summed up in the measures of the table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grognard.core.errors import BattleError, Fault, GrognardError
from grognard.core.systems import Battle, Json, System
from grognard.files.battles import SYSTEM
from grognard.files.fields import parse_table
from grognard.solver.assumptions import Aims, aims
from grognard.solver.odds import odds
from grognard.studies.sweeps.expressions import Formula, NotAsked
from grognard.studies.sweeps.factors import Factor
from grognard.studies.sweeps.outcomes import Outcomes
from grognard.studies.sweeps.reckon import chances_of_endings
from grognard.studies.sweeps.rolls import Floats, Rolls
from grognard.studies.sweeps.rows import Numbers
from grognard.studies.sweeps.shape import Circular, shape_of
from grognard.studies.sweeps.unseen import Looked, Unseen, hidden

Levels = Sequence[Numbers]
"""For each factor, which level each match-up has."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of every match-up of a sweep."""

    system: System[Any]
    battle: Json
    factors: tuple[Factor, ...]
    attacker: str
    defender: str
    objective: str
    formulas: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Solved:
    """Cells, a row for each match-up and a column for each formula; and why some rows are empty."""

    cells: Floats
    faults: dict[int, str]


class Solver:
    """Works out match-ups; what one needs is kept for the next."""

    def __init__(self, question: Question, unseen: Iterable[int] = ()) -> None:
        self.question = question
        self.unseen = frozenset(unseen)
        self.rolls = Rolls()
        self.names = {name for formula in question.formulas for name in formula.names}

    def solve(self, levels: Levels) -> Solved:
        """The cells of these match-ups."""
        shared = [numbers for factor, numbers in enumerate(levels) if factor not in self.unseen]
        groups: dict[tuple[int, ...], list[int]] = {}
        for row in range(len(levels[0])):
            groups.setdefault(tuple(int(numbers[row]) for numbers in shared), []).append(row)
        cells = np.full((len(levels[0]), len(self.question.formulas)), np.nan)
        faults: dict[int, str] = {}
        for rows in groups.values():
            self._fill(np.array(rows), levels, self.unseen, cells, faults)
        return Solved(cells, faults)

    def _fill(
        self, rows: Numbers, levels: Levels, unseen: frozenset[int], cells: Floats, faults: dict[int, str]
    ) -> None:
        """Fill in rows that differ only in what is unseen; take them apart if that shows after all."""
        chosen = [numbers[rows] for numbers in levels]
        try:
            cells[rows] = self.measured(self.outcomes(chosen, unseen), chosen)
        except Exception as error:
            if unseen:  # it may be nothing but a look
                factor = error.factor if isinstance(error, Looked) else min(unseen)
                for level in np.unique(chosen[factor]):
                    self._fill(rows[chosen[factor] == level], levels, unseen - {factor}, cells, faults)
            elif isinstance(error, GrognardError):
                faults.update(dict.fromkeys(rows.tolist(), in_a_line(error)))
            else:
                raise

    def outcomes(self, levels: Levels, unseen: frozenset[int]) -> Outcomes:
        """What match-ups of one shape come to; they may differ only in what is unseen."""
        question = self.question
        battle = self.battle([int(numbers[0]) for numbers in levels])
        chosen = aims(battle, question.attacker, question.defender, question.objective)
        setup = self.setup_of(battle.setup, unseen)
        refuse(question.system.faults(setup))
        try:
            shape = shape_of(question.system, setup, self.rolls)
        except Circular:
            if unseen:
                raise
            return self._in_fractions(battle, chosen, len(levels[0]))
        outcomes = Outcomes(question.system, setup, chosen, [result for _, result in shape.endings])
        digits = {factor: levels[factor] for factor in unseen}
        worth = outcomes.objective(question.objective)
        return outcomes.with_chances(chances_of_endings(shape, chosen, worth, digits, len(levels[0])))

    def battle(self, chosen: Sequence[int]) -> Battle:
        """The match-up with these levels; its fields are right, whatever else is wrong with it."""
        source = self.question.battle
        for factor, level in zip(self.question.factors, chosen, strict=True):
            source = factor.levels[level].into(source)
        faults: list[Fault] = []
        setup = parse_table(self.question.system.setup, source, "", faults, also=(SYSTEM,))
        refuse(faults)
        return Battle(self.question.system, setup, source)

    def setup_of(self, setup: Any, unseen: Iterable[int]) -> Any:
        """The set-up with what is unseen in it."""
        for number in unseen:
            factor = self.question.factors[number]
            for place in factor.places:
                setup = hidden(setup, place, Unseen(number, factor.numbers or ()))
        return setup

    def _in_fractions(self, battle: Battle, chosen: Aims, rows: int) -> Outcomes:
        """One match-up by itself, circles of rolls unwound; in fractions, so that it is the same on every machine."""
        question = self.question
        found = odds(battle, question.attacker, question.defender, question.objective, exact=True)
        chances = np.array([[float(outcome.probability)] * rows for outcome in found.outcomes])
        outcomes = Outcomes(question.system, battle.setup, chosen, [outcome.result for outcome in found.outcomes])
        return outcomes.with_chances(chances)

    def measured(self, outcomes: Outcomes, levels: Levels) -> Floats:
        """The cells of match-ups, a row for each."""
        known = self.numbers(levels)
        cells = np.empty((outcomes.rows, len(self.question.formulas)))
        with np.errstate(all="ignore"):  # what cannot be divided is left empty
            for column, formula in enumerate(self.question.formulas):
                try:
                    known[formula.name] = formula.of(outcomes, known)
                except NotAsked:  # and so is what nobody asks about here
                    known[formula.name] = np.full(outcomes.rows, np.nan)
                cells[:, column] = known[formula.name]
        cells[~np.isfinite(cells)] = np.nan
        return cells + 0.0  # for there is a negative zero

    def numbers(self, levels: Levels) -> dict[str, Floats]:
        """The columns of factors that are numbers, and that formulas use."""
        known: dict[str, Floats] = {}
        for factor, numbers in zip(self.question.factors, levels, strict=True):
            for place in (place for place, name in enumerate(factor.columns) if name in self.names):
                values = [factor.levels[int(number)].cells[place] for number in numbers]
                if all(isinstance(value, int | float) for value in values):
                    known[factor.columns[place]] = np.array(values, np.float64)
        return known


def refuse(faults: Iterable[Fault]) -> None:
    """Raise what is wrong, if anything is."""
    listed = list(faults)
    if listed:
        raise BattleError(listed)


def in_a_line(error: Exception) -> str:
    """What is wrong with a match-up, for its row of the table."""
    return "; ".join(str(error).splitlines())
