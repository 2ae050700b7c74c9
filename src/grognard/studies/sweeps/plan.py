"""The plan of a sweep: its rows in the order of work, its formulas, which factors are symbolic, and the chunks."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import prod
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

from grognard import __version__
from grognard.core.errors import BattleError, Fault, GrognardError
from grognard.core.systems import Json
from grognard.files import system_of
from grognard.files.messages import join_key, unknown_name
from grognard.solver.assumptions import Assumptions
from grognard.studies.sweeps.columns import Floats, Integers
from grognard.studies.sweeps.design import Design
from grognard.studies.sweeps.factors import factor_from_dict
from grognard.studies.sweeps.formulas import (
    FUNCTIONS,
    VALUE,
    Formula,
    FormulaError,
    MeasureMissing,
    Outcomes,
    is_text,
    parse,
)
from grognard.studies.sweeps.matchups import Levels, MatchUpSolver, raise_faults
from grognard.studies.sweeps.symbolic import ValueInspected

TRIED = 1_000
"""The number of first match-ups, and of random others, that are tried to find a legal battle."""
COUNTABLE = 2**62
"""The size of the largest grid, even if the user confirms it."""
CHUNK_SECONDS = 0.25
LARGEST_CHUNK = 2_000
"""A chunk takes about CHUNK_SECONDS, and has at most LARGEST_CHUNK match-ups."""


class TooMany(GrognardError):
    """A grid with too many match-ups; `size` is their number."""

    def __init__(self, design: Design) -> None:
        self.size = design.size
        super().__init__(f"this design has {design.size:,} match-ups, of a grid of {design.sizes}")


@dataclass(frozen=True, eq=False)
class Rows:
    """All match-ups of a grid, or a sample of them. In the table, the last factor changes fastest.

    The order of work begins with the last levels, which often have the largest rolls, so that smaller ones are cached.
    Symbolic factors change fastest in it, so that all match-ups of one graph are next to each other.
    """

    counts: tuple[int, ...]
    """The number of levels of each factor."""
    symbolic: tuple[int, ...] = ()
    sample: Integers | None = None
    """The numbers of the sampled rows in order; None: all."""

    def __len__(self) -> int:
        return prod(self.counts) if self.sample is None else len(self.sample)

    def levels(self, rows: Integers) -> list[Integers]:
        """For each factor, the level of each of these rows."""
        return _digits(rows, self.counts, range(len(self.counts)))

    def numbers(self, first: int, last: int) -> Integers:
        """The numbers of some rows of the table in the grid."""
        return np.arange(first, last) if self.sample is None else self.sample[first:last]

    def in_work_order(self, first: int, last: int) -> Integers:
        """The numbers in the grid of some rows in the order of work."""
        if self.sample is not None:
            return self.sample[self._work_order[first:last]]
        digits = _digits(len(self) - 1 - np.arange(first, last), self.counts, self._slow_to_fast)
        return _from_digits(digits, self.counts, range(len(self.counts)))

    def places_in_work(self, first: int, last: int) -> Integers:
        """The places of some rows of the table in the order of work."""
        if self.sample is not None:
            return self._places_in_work[first:last]
        return len(self) - 1 - self._work_keys(np.arange(first, last))

    @property
    def _slow_to_fast(self) -> list[int]:
        factors = range(len(self.counts))
        return [factor for factor in factors if factor not in self.symbolic] + list(self.symbolic)

    def _work_keys(self, rows: Integers) -> Integers:
        return _from_digits(self.levels(rows), self.counts, self._slow_to_fast)

    @cached_property
    def _work_order(self) -> Integers:
        assert self.sample is not None
        return np.argsort(-self._work_keys(self.sample), kind="stable")

    @cached_property
    def _places_in_work(self) -> Integers:
        return np.argsort(self._work_order, kind="stable")


def _digits(numbers: Integers, counts: Sequence[int], order: Sequence[int]) -> list[Integers]:
    """The digits of numbers with a base for each factor, the last factor of the order being the lowest; by factor."""
    digits = [numbers] * len(counts)
    for factor in reversed(order):
        numbers, digits[factor] = np.divmod(numbers, counts[factor])
    return digits


def _from_digits(digits: Sequence[Integers], counts: Sequence[int], order: Sequence[int]) -> Integers:
    """The numbers that have these digits."""
    numbers = np.zeros_like(digits[0])
    for factor in order:
        numbers = numbers * counts[factor] + digits[factor]
    return numbers


def sample_rows(counts: Sequence[int], sample: int, seed: int) -> Integers | None:
    """A random sample of distinct rows of a grid, all equally likely; None if that is all of them."""
    total = prod(counts)
    if sample >= total:
        return None
    return np.array(sorted(Random(seed).sample(range(total), sample)), np.int64)


@dataclass(frozen=True)
class Plan:
    """A design with its formulas, its rows, and the size of a chunk."""

    design: Design
    rows: Rows
    chunk: int

    @property
    def columns(self) -> list[str]:
        """The columns of the table; the last says why a row is empty."""
        return [*self.design.columns, *(formula.name for formula in self.design.formulas), "fault"]

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        return -(-len(self.rows) // self.chunk)

    def span(self, chunk: int) -> tuple[int, int]:
        """The first match-up of a chunk, in the order of work, and the first of the next chunk."""
        return chunk * self.chunk, min((chunk + 1) * self.chunk, len(self.rows))

    @cached_property
    def as_json(self) -> str:
        """The plan for `solver_from_json` in other processes."""
        return json.dumps(_to_dict(self.design) | {"symbolic": self.rows.symbolic, "counts": self.rows.counts})

    def resume(self, chunk: int, symbolic: Sequence[int]) -> "Plan":
        """The same plan with the chunks and the order of work of an earlier run."""
        return replace(self, chunk=chunk, rows=replace(self.rows, symbolic=tuple(symbolic)))

    @cached_property
    def identity(self) -> str:
        """A digest of everything that determines the rows."""
        sample = None if self.rows.sample is None else [len(self.rows), self.design.seed]
        return hashlib.sha256(json.dumps([_to_dict(self.design), sample], sort_keys=True).encode()).hexdigest()


def _to_dict(design: Design) -> Json:
    return {
        "version": __version__,
        "system": design.system.name,
        "battle": design.battle,
        "factors": [factor.to_dict() for factor in design.factors],
        "assumptions": {**design.assumptions.policy_names, "objective": design.objective},
        "formulas": [[formula.name, formula.text] for formula in design.formulas],
    }


def solver_from_json(text: str) -> tuple[MatchUpSolver, Rows]:
    """The solver and the rows of a plan, from `Plan.as_json`."""
    data: Json = json.loads(text)
    if data["version"] != __version__:
        raise GrognardError(f"the sweep runs in grognard {data['version']}, but the worker has grognard {__version__}")
    design = Design(
        system_of(data["system"]),
        data["battle"],
        tuple(factor_from_dict(factor) for factor in data["factors"]),
        Assumptions(**data["assumptions"]),
        tuple(parse(name, formula) for name, formula in data["formulas"]),
    )
    return MatchUpSolver(design, data["symbolic"]), Rows(tuple(data["counts"]))


def make_plan(design: Design, most: int | None) -> Plan:
    """The plan of a design, after trying it on some match-ups; an error if it has more than `most`."""
    counts = tuple(len(factor.levels) for factor in design.factors)
    if prod(counts) > COUNTABLE:
        raise GrognardError(f"a grid of {design.sizes} match-ups is more than can be counted: vary less")
    if most is not None and design.size > most:
        raise TooMany(design)
    sample = None if design.sample is None else sample_rows(counts, design.sample, design.seed)
    rows = Rows(counts, (), sample)
    levels, outcomes = _first_legal(design, rows)
    formulas = design.formulas or tuple(_default_formulas(design, outcomes))
    _check_formulas(design, formulas, outcomes, levels)
    design = replace(design, formulas=formulas)
    symbolic, seconds = _find_symbolic(design, levels)
    rows = Rows(counts, symbolic, sample)
    for place in (len(rows) * share // 7 for share in (1, 3, 5)):  # as the first match-up is often the smallest
        if seconds < CHUNK_SECONDS:
            seconds = max(seconds, _seconds_at(place, design, rows))
    shared = prod(counts[factor] for factor in symbolic)
    graphs = max(1, int(min(CHUNK_SECONDS / seconds, LARGEST_CHUNK / shared)))
    return Plan(design, rows, min(graphs * shared, LARGEST_CHUNK))


def _first_legal(design: Design, rows: Rows) -> tuple[Levels, Outcomes]:
    """The first match-up that is a legal battle and not too large, with its outcomes."""
    solver = MatchUpSolver(design)
    first: GrognardError | None = None
    for number in _rows_to_try(len(rows)):
        levels = rows.levels(rows.numbers(number, number + 1))
        if number == 0:
            _check_fields(design, solver, [int(level[0]) for level in levels])
        try:
            return levels, solver.outcomes(levels, frozenset())
        except GrognardError as error:
            first = first or error
    tried = "none of the" if len(rows) <= TRIED else f"none of {2 * TRIED:,}"
    message = f"{tried} match-ups is a battle that can be solved. The first: {first}"
    raise design.error([Fault("vary", message)])


def _rows_to_try(rows: int) -> Iterator[int]:
    """The first rows; in a long table, then random ones."""
    yield from range(min(rows, TRIED))
    if rows > TRIED:
        yield from Random(0).sample(range(rows), TRIED)


def _check_fields(design: Design, solver: MatchUpSolver, levels: list[int]) -> None:
    """Raise the faults of a match-up's fields; other match-ups have the same, as what varies has been checked."""
    try:
        solver.battle(levels)
    except BattleError as error:
        raise design.error_of_battle(error.faults) from None


def _default_formulas(design: Design, outcomes: Outcomes) -> Iterator[Formula]:
    """The value, the mean and standard deviation of measures that are numbers, the chance of those that are not."""
    yield parse(design.objective, VALUE)
    for name, measure in outcomes.measures.items():
        if is_text(outcomes.measure(name)):
            continue
        quoted = json.dumps(name, ensure_ascii=False)
        if all(isinstance(measure.of(result), bool) for result in outcomes.results):
            yield parse(name, f"chance({quoted})")
        else:
            yield parse(f"{name}, mean", f"mean({quoted})")
            yield parse(f"{name}, sd", f"sd({quoted})")


def _check_formulas(design: Design, formulas: tuple[Formula, ...], outcomes: Outcomes, levels: Levels) -> None:
    """Raise the faults of formulas that cannot be calculated."""
    solver = MatchUpSolver(design)
    solver.names = set(design.columns)
    known: dict[str, Any] = solver.number_columns(levels)
    faults: list[Fault] = []
    for formula in formulas:
        names = [VALUE, *outcomes.objectives, *known, *FUNCTIONS]
        unknown = sorted(formula.names.difference(names))
        try:
            if unknown:
                raise FormulaError(unknown_name("name", unknown[0], names))
            with np.errstate(all="ignore"):
                known[formula.name] = _try_formula(formula, outcomes, known, solver, levels)
        except FormulaError as error:
            faults.append(Fault(join_key("measures", formula.name), str(error)))
    if faults:
        raise design.error(faults)


def _try_formula(
    formula: Formula, outcomes: Outcomes, known: Mapping[str, Floats], solver: MatchUpSolver, levels: Levels
) -> Floats:
    """The value of a formula in this match-up, or in another one that has the measures of the formula."""
    try:
        return formula.evaluate(outcomes, known)
    except MeasureMissing as missing:
        elsewhere = _outcomes_with(missing.name, solver, levels)
        if elsewhere is None:
            raise
        return formula.evaluate(elsewhere, known)


def _outcomes_with(measure: str, solver: MatchUpSolver, levels: Levels) -> Outcomes | None:
    """The outcomes of a match-up with this measure that differs from these levels in one factor."""
    system = solver.design.system
    for place, factor in enumerate(solver.design.factors):
        for level in range(min(len(factor.levels), TRIED)):
            other = [np.array([level]) if number == place else now for number, now in enumerate(levels)]
            with suppress(GrognardError):
                setup = solver.battle([int(numbers[0]) for numbers in other]).setup
                raise_faults(system.faults(setup))
                if any(one.name == measure for one in system.measures(setup)):
                    return solver.outcomes(other, frozenset())
    return None


def _find_symbolic(design: Design, levels: Levels) -> tuple[tuple[int, ...], float]:
    """The factors whose numbers no rule inspects, judging by this match-up; and about how many seconds it takes."""
    symbolic = {number for number, factor in enumerate(design.factors) if factor.numbers and len(factor.levels) > 1}
    while True:
        try:
            return tuple(sorted(symbolic)), _measure_seconds(
                partial(_measure_symbols, MatchUpSolver(design, symbolic), levels)
            )
        except ValueInspected as inspected:
            symbolic.discard(inspected.factor)
        except Exception:  # an error that symbolic values cause may not occur with numbers
            if not symbolic:
                raise
            symbolic.clear()


def _measure_symbols(solver: MatchUpSolver, levels: Levels) -> object:
    return solver.measure(solver.outcomes(levels, solver.symbolic), levels)


def _seconds_at(place: int, design: Design, rows: Rows) -> float:
    """About how many seconds the match-ups at a place in the order of work take."""
    solver, levels = MatchUpSolver(design, rows.symbolic), rows.levels(rows.in_work_order(place, place + 1))
    return _measure_seconds(lambda: solver.solve(levels))


def _measure_seconds(work: Callable[[], object]) -> float:
    """The seconds that some work takes the second time, or the first time if that is long."""
    seconds = 0.0
    for _ in range(2):
        began = perf_counter()
        work()
        seconds = perf_counter() - began
        if seconds > CHUNK_SECONDS:
            break
    return seconds
