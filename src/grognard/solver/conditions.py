"""Classes of results of an attack in words: `rifles lost 2–3`, by as few marks as tell them apart."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from typing import Any

from grognard.core.systems import Mark
from grognard.solver.attack_graphs import AttackEnd
from grognard.solver.keys import SETTLED
from grognard.solver.turns import NextAttack, TurnSolver

LOST = "lost {}"
BESIDE_OTHERS = {LOST: "with {} lost"}
"""How a mark is worded after another one of the same unit."""
ANYTHING_ELSE = "anything else happens"
MOST_CHARACTERS = 60
"""The longest words of all groups are left out if they are longer."""
MOST_COLUMNS = 8
"""At most this many kinds of marks are tried to distinguish results, up to three of them together."""
COUNTED = -1
"""Stands for all numbers that are counted together."""

Column = tuple[int, int]
"""A part, and which of its marks: 0 is what it has lost."""
Row = Mapping[Column, Mark]


class Conditions:
    """Words for the results of attacks."""

    def __init__(self, solver: TurnSolver) -> None:
        self.solver = solver
        measures = solver.battle.system.measures(solver.setup)
        self.losses = {one.part: one for one in measures if one.part is not None and one.name.endswith(" loses")}

    def row(self, one: NextAttack, end: AttackEnd) -> Row:
        """All marks of the parts that an attack involved, as it ended."""
        numbered = zip(one.graph.involved, end.open, strict=True)
        parts = {index: self.solver.part(index, number) for index, number in numbered if number != SETTLED}
        parts.update(end.settled)
        return {
            (index, place): mark
            for index, part in parts.items()
            for place, mark in enumerate(self._marks(index, part))
            if mark is not None
        }

    def _marks(self, index: int, part: Any) -> Iterator[Mark | None]:
        yield self._loss(index, part)
        yield from self.solver.turn.marks(self.solver.setup, index, part)

    def _loss(self, index: int, part: Any) -> Mark | None:
        if index not in self.losses:
            return None
        solver, measure = self.solver, self.losses[index]
        start = solver.turn.parts(solver.state)
        final = tuple(part if place == index else other for place, other in enumerate(start))
        result = solver.battle.system.result(solver.setup, solver.turn.with_parts(solver.state, final))
        return Mark(measure.name.removesuffix(" loses"), LOST, int(measure.of(result)))

    def words(self, one: NextAttack, groups: Sequence[Sequence[Row]]) -> list[str]:
        """Each group of results in words; the target's losses alone where nothing tells the groups apart."""
        target = one.attack.involved[1]
        varying = _varying([row for rows in groups for row in rows], target)
        chosen = next((some for some in _combinations(varying) if _tells_apart(groups, some)), ((target, 0),))
        texts = [_format(rows, chosen) for rows in groups]
        longest = max(texts, key=len)
        is_long = len(groups) > 1 and len(longest) > MOST_CHARACTERS
        return [ANYTHING_ELSE if is_long and text is longest else text for text in texts]


def _varying(rows: Sequence[Row], target: int) -> list[Column]:
    """The marks that are not the same in all results, the target's first."""
    columns = dict.fromkeys(column for row in rows for column in row)
    varying = [column for column in columns if len({row.get(column) for row in rows}) > 1]
    return sorted(varying, key=lambda column: column[0] != target)[:MOST_COLUMNS]


def _combinations(columns: Sequence[Column]) -> Iterator[tuple[Column, ...]]:
    """Few before many."""
    for size in (1, 2, 3):
        yield from combinations(columns, size)


def _tells_apart(groups: Sequence[Sequence[Row]], columns: Sequence[Column]) -> bool:
    """Whether no two groups have the same marks in these columns."""
    marks = [{tuple(row.get(column) for column in columns) for row in rows} for rows in groups]
    return sum(map(len, marks)) == len(set().union(*marks))


Phrases = tuple[tuple[str, str], ...]
"""Names, each with a phrase about it."""


def _format(rows: Iterable[Row], columns: Sequence[Column]) -> str:
    """`breda suppressed with 0–1 lost or unmarked with 2 lost`."""
    numbers: dict[tuple[Mark, ...], set[int]] = {}
    for row in rows:
        marks = sorted((row[column] for column in columns if column in row), key=_position)
        counted = next((mark for mark in marks if mark.number is not None), None)
        key = tuple(mark._replace(number=COUNTED) if mark is counted else mark for mark in marks)
        numbers.setdefault(key, set()).update([] if counted is None or counted.number is None else [counted.number])
    phrases = sorted(_phrases(marks, _ranges(sorted(counted))) for marks, counted in numbers.items())
    names = {name for one in phrases for name, _ in one}
    texts = [_join(one) for one in phrases]
    if len(names) == 1:
        texts[1:] = [text.removeprefix(*names).lstrip() for text in texts[1:]]
    return " or ".join(texts)


def _position(mark: Mark) -> tuple[bool, bool]:
    """Words first, then losses, then other numbers."""
    return mark.number is not None, mark.text != LOST


def _phrases(marks: Sequence[Mark], ranges: str) -> Phrases:
    phrases: list[tuple[str, str]] = []
    for mark in marks:
        is_first = mark.of not in {name for name, _ in phrases}
        text = mark.text if is_first else BESIDE_OTHERS.get(mark.text, mark.text)
        number = "" if mark.number is None else ranges if mark.number == COUNTED else str(mark.number)
        phrases.append((mark.of, text.replace("{}", number) if number else text))
    return tuple(phrases)


def _join(phrases: Phrases) -> str:
    """`osprey lost 0 with a spot of 2–6 and wall with 1 hits left`."""
    said: dict[str, list[str]] = {}
    for name, text in phrases:
        said.setdefault(name, [name]).append(text)
    return " and ".join(" ".join(words) for words in said.values())


def _ranges(numbers: Sequence[int]) -> str:
    """`0 or 2–4`."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])]
    return " or ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
