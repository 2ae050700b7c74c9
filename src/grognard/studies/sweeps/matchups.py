"""The solver of match-ups: exact odds for many at once, evaluated by the formulas of the table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grognard.core.errors import BattleError, Fault, GrognardError
from grognard.core.systems import Battle
from grognard.files.battles import SYSTEM
from grognard.files.fields import parse_table
from grognard.solver.solution import solve_plainly, solve_under
from grognard.studies.sweeps.columns import Floats, Integers, RollTables, SharedGraph
from grognard.studies.sweeps.design import Design
from grognard.studies.sweeps.formulas import MeasureMissing, Outcomes
from grognard.studies.sweeps.symbolic import SymbolicValue, ValueInspected, insert_symbol

Levels = Sequence[Integers]
"""For each factor, which level each match-up has."""


class NotShared(Exception):
    """Match-ups that cannot share a graph: whole turns, and graphs with cycles."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of match-ups, a row for each and a column for each formula; and why some rows are empty."""

    cells: Floats
    faults: dict[int, str]


class MatchUpSolver:
    """Solves match-ups of a design, and caches the tables of their rolls.

    The numbers of `symbolic` factors are inserted into the set-up as symbolic values.
    """

    def __init__(self, design: Design, symbolic: Iterable[int] = ()) -> None:
        self.design = design
        self.symbolic = frozenset(symbolic)
        self.tables = RollTables()
        self.names = {name for formula in design.formulas for name in formula.names}

    def solve(self, levels: Levels) -> Cells:
        plain = [numbers for factor, numbers in enumerate(levels) if factor not in self.symbolic]
        groups: dict[tuple[int, ...], list[int]] = {}
        for row in range(len(levels[0])):
            groups.setdefault(tuple(int(numbers[row]) for numbers in plain), []).append(row)
        cells = np.full((len(levels[0]), len(self.design.formulas)), np.nan)
        faults: dict[int, str] = {}
        for rows in groups.values():
            self._fill(np.array(rows), levels, self.symbolic, cells, faults)
        return Cells(cells, faults)

    def _fill(
        self, rows: Integers, levels: Levels, symbolic: frozenset[int], cells: Floats, faults: dict[int, str]
    ) -> None:
        """Fill rows that differ only in symbolic factors; split them by a factor if they cannot share a graph."""
        chosen = [numbers[rows] for numbers in levels]
        try:
            cells[rows] = self.measure(self.outcomes(chosen, symbolic), chosen)
        except Exception as error:
            if symbolic:  # the error may be due to the symbolic values
                factor = error.factor if isinstance(error, ValueInspected) else min(symbolic)
                for level in np.unique(chosen[factor]):
                    self._fill(rows[chosen[factor] == level], levels, symbolic - {factor}, cells, faults)
            elif isinstance(error, GrognardError):
                faults.update(dict.fromkeys(rows.tolist(), "; ".join(str(error).splitlines())))
            else:
                raise

    def outcomes(self, levels: Levels, symbolic: frozenset[int]) -> Outcomes:
        """The outcomes of match-ups that differ only in symbolic factors."""
        design, rows = self.design, len(levels[0])
        battle = self.battle([int(numbers[0]) for numbers in levels])
        setup = self.setup_with_symbols(battle.setup, symbolic)
        raise_faults(design.system.faults(setup))
        graph = None if battle.is_turn else SharedGraph(Battle(design.system, setup, battle.source), self.tables)
        if graph is None or graph.graph.cycles:
            if symbolic:
                raise NotShared
            return self._solve_alone(battle, rows)
        outcomes = Outcomes(design.system, setup, design.objective, [result for _, result in graph.endings])
        values = outcomes.objective(design.objective)
        symbolic_levels = {factor: levels[factor] for factor in symbolic}
        outcomes.probabilities = graph.ending_probabilities(design.assumptions, values, symbolic_levels, rows)
        return outcomes

    def battle(self, levels: Sequence[int]) -> Battle:
        """The match-up at these levels. Its fields are right, but it need not be legal."""
        source = self.design.battle
        for factor, level in zip(self.design.factors, levels, strict=True):
            source = factor.levels[level].apply(source)
        faults: list[Fault] = []
        setup = parse_table(self.design.system.setup, source, "", faults, ignored=(SYSTEM,))
        raise_faults(faults)
        return Battle(self.design.system, setup, source)

    def setup_with_symbols(self, setup: Any, symbolic: Iterable[int]) -> Any:
        """The set-up with symbolic values for these factors."""
        for number in symbolic:
            factor = self.design.factors[number]
            for path in factor.paths:
                setup = insert_symbol(setup, path, SymbolicValue(number, factor.numbers or ()))
        return setup

    def _solve_alone(self, battle: Battle, rows: int) -> Outcomes:
        """One match-up by itself; a single attack in fractions, so that it comes out the same on every machine."""
        design = self.design
        assumptions = replace(design.assumptions, fractions=not battle.is_turn)
        odds = solve_under(battle, assumptions).odds
        if not odds.is_listed:
            odds = solve_plainly(battle, assumptions).odds
        outcomes = Outcomes(design.system, battle.setup, design.objective, [result for _, result in odds.outcomes])
        outcomes.probabilities = np.array([[float(p)] * rows for p, _ in odds.outcomes])
        return outcomes

    def measure(self, outcomes: Outcomes, levels: Levels) -> Floats:
        """The cells of match-ups, a row for each."""
        known = self.number_columns(levels)
        cells = np.empty((outcomes.rows, len(self.design.formulas)))
        with np.errstate(all="ignore"):  # a cell that cannot be calculated is left empty
            for column, formula in enumerate(self.design.formulas):
                try:
                    known[formula.name] = formula.evaluate(outcomes, known)
                except MeasureMissing:
                    known[formula.name] = np.full(outcomes.rows, np.nan)
                cells[:, column] = known[formula.name]
        cells[~np.isfinite(cells)] = np.nan
        return cells + 0.0  # so that no zero is negative

    def number_columns(self, levels: Levels) -> dict[str, Floats]:
        """The columns of factors that are numbers and that formulas use, by name."""
        known: dict[str, Floats] = {}
        for factor, numbers in zip(self.design.factors, levels, strict=True):
            for place in (place for place, name in enumerate(factor.columns) if name in self.names):
                values = [factor.levels[int(number)].cells[place] for number in numbers]
                if all(isinstance(value, int | float) for value in values):
                    known[factor.columns[place]] = np.array(values, np.float64)
        return known


def raise_faults(faults: Iterable[Fault]) -> None:
    listed = list(faults)
    if listed:
        raise BattleError(listed)
