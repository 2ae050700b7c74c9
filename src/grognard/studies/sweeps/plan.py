"""A design made ready: tried on one match-up, with its measures settled and an order of work."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from random import Random
from time import perf_counter
from typing import Any

import numpy as np

import grognard
from grognard.core.errors import BattleError, Fault, GrognardError
from grognard.core.systems import Json
from grognard.files import system_of
from grognard.files.messages import join_key, unknown_name
from grognard.studies.sweeps.design import Design
from grognard.studies.sweeps.expressions import FUNCTIONS, VALUE, Formula, FormulaError, NotAsked, parse
from grognard.studies.sweeps.factors import factor_from
from grognard.studies.sweeps.matchups import Levels, Question, Solver, refuse
from grognard.studies.sweeps.outcomes import Outcomes, is_text
from grognard.studies.sweeps.rolls import Floats
from grognard.studies.sweeps.rows import Rows, drawn
from grognard.studies.sweeps.unseen import Looked

TRIED = 1_000
"""If none of the first so many match-ups is a legal battle, and none of as many others, the design is wrong."""
COUNTABLE = 2**62
"""No grid is larger than this, whoever insists."""
CHUNK_SECONDS = 0.25
LARGEST_CHUNK = 2_000
"""Work is handed out and kept in chunks of about so many seconds, and of at most so many match-ups."""


class TooMany(GrognardError):
    """A grid of more match-ups than anybody can have meant; `size` is how many."""

    def __init__(self, design: Design) -> None:
        self.size = design.size
        super().__init__(f"this design has {design.size:,} match-ups, of a grid of {design.sizes}")


@dataclass(frozen=True)
class Plan:
    """What is asked, of which match-ups, in chunks of which size."""

    design: Design
    question: Question
    rows: Rows
    chunk: int

    @property
    def columns(self) -> list[str]:
        """The columns of the table; the last tells why a row is empty."""
        return [*self.design.columns, *(formula.name for formula in self.question.formulas), "fault"]

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return -(-len(self.rows) // self.chunk)

    def span(self, chunk: int) -> tuple[int, int]:
        """The first of a chunk's match-ups, in the order of work, and the first of the next one's."""
        return chunk * self.chunk, min((chunk + 1) * self.chunk, len(self.rows))

    @cached_property
    def told(self) -> str:
        """The question for other processes, as JSON."""
        return json.dumps(_told(self.question) | {"unseen": self.rows.unseen, "counts": self.rows.counts})

    def goes_on(self, chunk: int, unseen: Sequence[int]) -> "Plan":
        """The same plan in the chunks and the order of work of an earlier run."""
        return replace(self, chunk=chunk, rows=replace(self.rows, unseen=tuple(unseen)))

    @cached_property
    def identity(self) -> str:
        """By this one knows whose rows a journal keeps."""
        drawn = None if self.rows.sample is None else [len(self.rows), self.design.seed]
        said = json.dumps([_told(self.question), drawn], sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()


def _told(question: Question) -> Json:
    return {
        "version": grognard.__version__,
        "system": question.system.name,
        "battle": question.battle,
        "factors": [factor.to_json() for factor in question.factors],
        "aims": {side: getattr(question, side) for side in ("attacker", "defender", "objective")},
        "formulas": [[formula.name, formula.text] for formula in question.formulas],
    }


def solver_from(told: str) -> tuple[Solver, Rows]:
    """What a process needs to work out match-ups of a plan that it was told of."""
    plan: Json = json.loads(told)
    if plan["version"] != grognard.__version__:
        raise GrognardError(f"grognard {plan['version']} asks, but the worker has grognard {grognard.__version__}")
    question = Question(
        system_of(plan["system"]),
        plan["battle"],
        tuple(factor_from(factor) for factor in plan["factors"]),
        **plan["aims"],
        formulas=tuple(parse(name, text) for name, text in plan["formulas"]),
    )
    return Solver(question, plan["unseen"]), Rows(tuple(plan["counts"]))


def make_plan(design: Design, most: int | None) -> Plan:
    """Try a design and make it ready; refuse one of more than `most` match-ups."""
    counts = tuple(len(factor.levels) for factor in design.factors)
    if prod(counts) > COUNTABLE:
        raise GrognardError(f"a grid of {design.sizes} match-ups is more than can be counted: vary less")
    if most is not None and design.size > most:
        raise TooMany(design)
    sample = None if design.sample is None else drawn(counts, design.sample, design.seed)
    rows = Rows(counts, (), sample)
    question = Question(
        design.system, design.battle, design.factors, design.attacker, design.defender, design.objective, ()
    )
    levels, outcomes = _first_legal(design, Solver(question), rows)
    formulas = design.formulas or tuple(_usual(design, outcomes))
    _check_formulas(design, formulas, outcomes, levels)
    question = replace(question, formulas=formulas)
    unseen, seconds = _try_unseen(question, levels)
    rows = Rows(counts, unseen, sample)
    for turn in (len(rows) * share // 7 for share in (1, 3, 5)):  # the first match-up is often the smallest
        if seconds < CHUNK_SECONDS:
            seconds = max(seconds, _seconds_at(turn, Solver(question, unseen), rows))
    shape = prod(counts[factor] for factor in unseen)
    shapes = max(1, int(min(CHUNK_SECONDS / seconds, LARGEST_CHUNK / shape)))
    return Plan(design, question, rows, min(shapes * shape, LARGEST_CHUNK))


def _first_legal(design: Design, solver: Solver, rows: Rows) -> tuple[Levels, Outcomes]:
    """The first match-up found that is a legal battle and not too large."""
    first: GrognardError | None = None
    for number in _to_try(len(rows)):
        levels = rows.levels(rows.numbered(number, number + 1))
        if number == 0:
            _refuse_fields(design, solver, [int(level[0]) for level in levels])
        try:
            return levels, solver.outcomes(levels, frozenset())
        except GrognardError as error:
            first = first or error
    tried = "none of the" if len(rows) <= TRIED else f"none of {2 * TRIED:,}"
    message = f"{tried} match-ups is a battle that can be worked out. The first: {first}"
    raise design.refusal([Fault("vary", message)])


def _to_try(rows: int) -> Iterator[int]:
    """The first rows; of a long table then some from anywhere in it."""
    yield from range(min(rows, TRIED))
    if rows > TRIED:
        yield from Random(0).sample(range(rows), TRIED)


def _refuse_fields(design: Design, solver: Solver, chosen: list[int]) -> None:
    """The fields of a match-up are right in all if they are right in one: what varies has been checked."""
    try:
        solver.battle(chosen)
    except BattleError as error:
        raise design.refusal_of_battle(error.faults) from None


def _usual(design: Design, outcomes: Outcomes) -> Iterator[Formula]:
    """What people ask about: the value, means and spread of numbers, chances of what is or is not so."""
    yield parse(design.objective, VALUE)
    for name in outcomes.asked:
        values = [measure.of(result) for measure in [outcomes.asked[name]] for result in outcomes.results]
        if is_text(outcomes.measure(name)):
            continue
        asked = json.dumps(name, ensure_ascii=False)
        if all(isinstance(value, bool) for value in values):
            yield parse(name, f"chance({asked})")
        else:
            yield parse(f"{name}, mean", f"mean({asked})")
            yield parse(f"{name}, sd", f"sd({asked})")


def _check_formulas(design: Design, formulas: tuple[Formula, ...], outcomes: Outcomes, levels: Levels) -> None:
    """Every formula can be worked out, at least in this match-up."""
    solver = Solver(
        Question(design.system, design.battle, design.factors, design.attacker, design.defender, design.objective, ())
    )
    solver.names = set(design.columns)
    known: dict[str, Any] = solver.numbers(levels)
    faults: list[Fault] = []
    for formula in formulas:
        names = [VALUE, *outcomes.objectives, *known, *FUNCTIONS]
        place = join_key("measures", formula.name)
        strange = sorted(formula.names.difference(names))
        try:
            if strange:
                raise FormulaError(unknown_name("name", strange[0], names))
            with np.errstate(all="ignore"):
                known[formula.name] = _tried(formula, outcomes, known, solver, levels)
        except FormulaError as error:
            faults.append(Fault(place, str(error)))
    if faults:
        raise design.refusal(faults)


def _tried(formula: Formula, outcomes: Outcomes, known: Mapping[str, Floats], solver: Solver, levels: Levels) -> Floats:
    """What a formula comes to in this match-up, or in another if only there anybody asks about what it needs."""
    try:
        return formula.of(outcomes, known)
    except NotAsked as unasked:
        elsewhere = _where_asked(unasked.name, solver, levels)
        if elsewhere is None:
            raise
        return formula.of(elsewhere, known)


def _where_asked(name: str, solver: Solver, levels: Levels) -> Outcomes | None:
    """A match-up in which people ask about this, of those that differ from the first in one factor."""
    for place, factor in enumerate(solver.question.factors):
        for level in range(min(len(factor.levels), TRIED)):
            other = [np.array([level]) if number == place else now for number, now in enumerate(levels)]
            with suppress(GrognardError):
                setup = solver.battle([int(numbers[0]) for numbers in other]).setup
                refuse(solver.question.system.faults(setup))
                if any(measure.name == name for measure in solver.question.system.measures(setup)):
                    return solver.outcomes(other, frozenset())
    return None


def _try_unseen(question: Question, levels: Levels) -> tuple[tuple[int, ...], float]:
    """Which factors no rule looks at, at least in this match-up; and about how many seconds one shape takes."""
    unseen = {number for number, factor in enumerate(question.factors) if factor.numbers and len(factor.levels) > 1}
    while True:
        try:
            return tuple(sorted(unseen)), _seconds(Solver(question, unseen), levels)
        except Looked as looked:
            unseen.discard(looked.factor)
        except Exception:  # what goes wrong with unseen numbers must not go wrong with real ones
            if not unseen:
                raise
            unseen.clear()


def _seconds(solver: Solver, levels: Levels) -> float:
    """How long a shape takes whose rolls are known."""
    return _timed(lambda: solver.measured(solver.outcomes(levels, solver.unseen), levels))


def _seconds_at(turn: int, solver: Solver, rows: Rows) -> float:
    """Likewise for a shape that is worked on later."""
    levels = rows.levels(rows.work(turn, turn + 1))
    return _timed(lambda: solver.solve(levels))


def _timed(work: Callable[[], object]) -> float:
    """How long some work takes the second time, or if it is long the first time."""
    seconds = 0.0
    for _ in range(2):
        began = perf_counter()
        work()
        seconds = perf_counter() - began
        if seconds > CHUNK_SECONDS:
            break
    return seconds
