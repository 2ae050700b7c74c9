"""Names groups of results of an attack by as few marks as distinguish them: `rifles lost 2–3`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from typing import Any

from grognard.core.systems import Mark
from grognard.solver.attack_explorer import NextAttack, parts_after
from grognard.solver.attack_graphs import AttackEnd
from grognard.solver.turns import TurnSolver

LOST = "lost {}"
ANYTHING_ELSE = "anything else happens"
MOST_CHARACTERS = 60
"""If the longest condition is longer, `anything else happens` replaces it."""
MOST_COLUMNS = 8
"""Conditions use up to three of the first columns."""
ANY_NUMBER = -1
"""The number of marks that differ in their numbers only, and are listed together."""

Column = tuple[int, int]
"""A part, and which of its marks: 0 is its losses."""
Row = Mapping[Column, Mark]
"""The marks of one result."""


class Conditions:
    """Describes the results of attacks in words."""

    def __init__(self, solver: TurnSolver) -> None:
        self.states = solver.states
        measures = solver.battle.system.measures(solver.battle.setup)
        self.losses = {
            measure.part: measure
            for measure in measures
            if measure.part is not None and measure.name.endswith(" loses")
        }

    def row(self, attack: NextAttack, end: AttackEnd) -> Row:
        parts = parts_after(self.states, attack.graph, end)
        return {
            (index, place): mark
            for index, part in parts.items()
            for place, mark in enumerate(self._marks(index, part))
            if mark is not None
        }

    def _marks(self, index: int, part: Any) -> Iterator[Mark | None]:
        yield self._loss(index, part)
        yield from self.states.rules.marks(self.states.setup, index, part)

    def _loss(self, index: int, part: Any) -> Mark | None:
        if index not in self.losses:
            return None
        measure = self.losses[index]
        lost = measure.of(self.states.result_with({index: part}))
        return Mark(measure.name.removesuffix(" loses"), LOST, int(lost))

    def describe(self, attack: NextAttack, groups: Sequence[Sequence[Row]]) -> list[str]:
        """A condition for each group of results; by the target's losses if no marks distinguish the groups."""
        target = attack.listed.involved[1]
        varying = _varying([row for rows in groups for row in rows], target)
        chosen = next((columns for columns in _combinations(varying) if _are_distinct(groups, columns)), ((target, 0),))
        texts = [_format(rows, chosen) for rows in groups]
        longest = max(texts, key=len)
        is_long = len(groups) > 1 and len(longest) > MOST_CHARACTERS
        return [ANYTHING_ELSE if is_long and text is longest else text for text in texts]


def _varying(rows: Sequence[Row], target: int) -> list[Column]:
    """The columns that are not the same in all rows, the target's first."""
    columns = dict.fromkeys(column for row in rows for column in row)
    varying = [column for column in columns if len({row.get(column) for row in rows}) > 1]
    return sorted(varying, key=lambda column: column[0] != target)[:MOST_COLUMNS]


def _combinations(columns: Sequence[Column]) -> Iterator[tuple[Column, ...]]:
    """One to three columns, few before many."""
    for size in (1, 2, 3):
        yield from combinations(columns, size)


def _are_distinct(groups: Sequence[Sequence[Row]], columns: Sequence[Column]) -> bool:
    """Whether no two groups have the same marks in these columns."""
    marks = [{tuple(row.get(column) for column in columns) for row in rows} for rows in groups]
    return sum(map(len, marks)) == len(set().union(*marks))


Phrases = tuple[tuple[str, str], ...]
"""Pairs of a unit's name and a phrase about it."""


def _format(rows: Iterable[Row], columns: Sequence[Column]) -> str:
    """`breda is suppressed and lost 0–1, or is unmarked and lost 2`."""
    numbers: dict[tuple[Mark, ...], set[int]] = {}
    for row in rows:
        marks = sorted((row[column] for column in columns if column in row), key=_sort_key)
        counted = next((mark for mark in marks if mark.number is not None), None)
        key = tuple(mark._replace(number=ANY_NUMBER) if mark is counted else mark for mark in marks)
        numbers.setdefault(key, set()).update([] if counted is None or counted.number is None else [counted.number])
    phrases = sorted(_phrases(marks, _ranges(sorted(counted))) for marks, counted in numbers.items())
    names = {name for pairs in phrases for name, _ in pairs}
    texts = [_join(pairs) for pairs in phrases]
    if len(names) == 1:
        texts[1:] = [text.removeprefix(*names).lstrip() for text in texts[1:]]
    return (", or " if any(" and " in text for text in texts) else " or ").join(texts)


def _sort_key(mark: Mark) -> tuple[bool, bool]:
    """Words first, then losses, then other numbers."""
    return mark.number is not None, mark.text != LOST


def _phrases(marks: Sequence[Mark], ranges: str) -> Phrases:
    phrases: list[tuple[str, str]] = []
    for mark in marks:
        number = "" if mark.number is None else ranges if mark.number == ANY_NUMBER else str(mark.number)
        phrases.append((mark.of, mark.text.replace("{}", number) if number else mark.text))
    return tuple(phrases)


def _join(phrases: Phrases) -> str:
    """`osprey lost 0, has a spot of 2–6 and has no defense`."""
    by_name: dict[str, list[str]] = {}
    for name, text in phrases:
        by_name.setdefault(name, []).append(text)
    return " and ".join(f"{name} {_listed(texts)}" for name, texts in by_name.items())


def _listed(texts: Sequence[str]) -> str:
    """`is mobile, is suppressed and lost 2`."""
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))


def _ranges(numbers: Sequence[int]) -> str:
    """`0 or 2–4`."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])]
    return " or ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
