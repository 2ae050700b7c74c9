"""Backward induction and reach probabilities for many match-ups at once. They share a graph and have a column each.

Sums are sequential, never blockwise, so that the result of a match-up does not depend on the others.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from grognard.core.distributions import Distribution
from grognard.core.errors import TooLarge
from grognard.core.readings import Reading
from grognard.core.systems import Battle, Role
from grognard.solver.assumptions import Assumptions
from grognard.solver.graph import READING_SIZE, Chance, Decision, Graph, explore, reading_cost
from grognard.solver.induction import NOISE, RELATIVE
from grognard.studies.sweeps.symbolic import SymbolicValue, parts_of, substitute, symbols_in

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
LevelsByFactor = Mapping[int, Integers]
"""For each symbolic factor, the level of each match-up."""
Choices = dict[int, "int | Integers"]
"""The option taken at each decision, in all match-ups or in each; at other decisions all are equally likely."""
KEPT = 4_000_000
"""The most probabilities in the cache of roll tables."""


def sum_rows(terms: Floats) -> Floats:
    """The sum of each column, from the top down."""
    total: Floats = np.add.accumulate(terms, axis=0)[-1]
    return total


@dataclass(frozen=True, slots=True)
class RollTable:
    """The answers of a reading and their probabilities, with a column for each combination of its symbolic values."""

    answers: Distribution[Hashable]
    """For exploring; only the values of this distribution are meaningful."""
    table: Floats
    factors: tuple[int, ...]
    counts: tuple[int, ...]
    """How many values each of these factors has."""

    def probabilities(self, levels: LevelsByFactor, rows: int) -> Floats:
        """A row for each answer, and a column for each match-up."""
        if not self.factors:
            return np.broadcast_to(self.table, (len(self.table), rows))
        column: Integers = np.zeros(rows, np.int64)
        for factor, count in zip(self.factors, self.counts, strict=True):
            column = column * count + levels[factor]
        return self.table[:, column]


class RollTables:
    """A cache of the tables of all readings.

    Tables are computed in whole numbers and rounded once, so that they are the same on every machine. Only rolls with
    too many dice for that are computed in floats.
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, RollTable] = {}
        self._size = 0

    def of(self, reading: Reading[Hashable]) -> RollTable:
        """The table of a reading, which may have symbolic values in it."""
        key = _key(reading)
        table = self._known.get(key)
        if table is None:
            table = _roll_table(reading)
            if self._size + table.table.size > KEPT:
                self._known.clear()
                self._size = 0
            self._known[key] = table
            self._size += table.table.size
        return table


def _key(value: object) -> Hashable:
    """The cache key of a reading; symbolic values are compared by their factor and its values."""
    if type(value) is SymbolicValue:
        return SymbolicValue, value.factor, value.values
    if isinstance(value, tuple):
        return tuple, type(value), tuple(_key(part) for part in value)
    if isinstance(value, Reading):
        return type(value), tuple(map(_key, parts_of(value).values()))
    return type(value), value


def _roll_table(reading: Reading[Hashable]) -> RollTable:
    symbols = {symbol.factor: symbol.values for symbol in symbols_in(reading)}
    columns = [
        _probabilities(substitute(reading, dict(zip(symbols, numbers, strict=True))))
        for numbers in product(*symbols.values())
    ]
    values = tuple(dict.fromkeys(value for column in columns for value in column))
    table = np.array([[column.get(value, 0.0) for column in columns] for value in values])
    answers = Distribution(values, (1 / len(values),) * len(values))
    return RollTable(answers, table, tuple(symbols), tuple(len(numbers) for numbers in symbols.values()))


def _probabilities(reading: Reading[Hashable]) -> dict[Hashable, float]:
    if reading.size > READING_SIZE:
        raise TooLarge("too large a roll for exact odds", reading.size, READING_SIZE)
    if reading_cost(reading, fractions=True) > READING_SIZE:
        odds = reading.odds()
        return {value: float(weight) for value, weight in zip(odds.values, odds.weights, strict=True)}
    odds = reading.odds(fractions=True)
    assert odds.total is not None
    return {value: weight / odds.total for value, weight in zip(odds.values, odds.weights, strict=True)}


class SharedGraph:
    """The graph of match-ups that differ only in symbolic values of their set-up, with the table of every roll."""

    def __init__(self, battle: Battle, tables: RollTables) -> None:
        by_reading: dict[int, RollTable] = {}

        def answers(reading: Reading[Hashable]) -> Distribution[Hashable]:
            table = by_reading[id(reading)] = tables.of(reading)  # the graph keeps the reading, and so its id
            return table.answers

        self.graph: Graph = explore(battle, odds=answers)
        self.endings = list(self.graph.endings)
        self._tables = by_reading

    def ending_probabilities(
        self, assumptions: Assumptions, values: Floats, levels: LevelsByFactor, rows: int
    ) -> Floats:
        """How likely each ending is: a row for each, and a column for each match-up.

        `values` are those of the endings to the attacker, a row for each.
        """
        rolls = {
            number: self._child_probabilities(number, node, levels, rows)
            for number, node in enumerate(self.graph.nodes)
            if isinstance(node, Chance)
        }
        if any(map(assumptions.looks_ahead, Role)):
            choices = self._backward_induction(assumptions, values, rolls, rows)
        else:
            choices = self._fixed_choices(assumptions)
        reach = self._reach_probabilities(choices, rolls, rows)
        return reach[[number for number, _ in self.endings]]

    def _child_probabilities(self, number: int, node: Chance, levels: LevelsByFactor, rows: int) -> Floats:
        """A row for each child. A roll that leads back to itself is rolled again until it leads elsewhere."""
        probabilities = self._tables[id(node.question.reading)].probabilities(levels, rows)
        if len(node.children) == len(node.successors):
            return probabilities
        answers: dict[int, list[int]] = {}
        for answer, child in enumerate(node.successors):
            answers.setdefault(child, []).append(answer)
        is_repeated = answers.pop(number, None) is not None
        merged = np.array([sum_rows(probabilities[numbers]) for numbers in answers.values()])
        return merged / sum_rows(merged) if is_repeated else merged

    def _backward_induction(
        self, assumptions: Assumptions, endings: Floats, rolls: dict[int, Floats], rows: int
    ) -> Choices:
        """The option taken at each decision if a side looks ahead."""
        values = np.zeros((len(self.graph.nodes), rows))
        values[[number for number, _ in self.endings]] = endings
        noise = NOISE * max(1.0, float(np.abs(endings).max()))
        choices: Choices = {}
        for number in reversed(self.graph.order):
            node = self.graph.nodes[number]
            if isinstance(node, Chance):
                values[number] = sum_rows(rolls[number] * values[list(node.children)])
            elif isinstance(node, Decision):
                options = values[list(node.children)]
                if assumptions.looks_ahead(node.role):
                    choices[number], values[number] = _best_options(options, node.role, noise)
                elif (option := assumptions.fixed_option(node.role, node.question)) is None:
                    values[number] = sum_rows(options) / len(options)
                else:
                    choices[number] = option
                    values[number] = options[option]
        return choices

    def _fixed_choices(self, assumptions: Assumptions) -> Choices:
        """The option taken at each decision if neither side looks ahead."""
        options = (
            (number, assumptions.fixed_option(node.role, node.question))
            for number, node in enumerate(self.graph.nodes)
            if isinstance(node, Decision)
        )
        return {number: option for number, option in options if option is not None}

    def _reach_probabilities(self, choices: Choices, rolls: dict[int, Floats], rows: int) -> Floats:
        """The reach probability of every node: a row for each."""
        reach = np.zeros((len(self.graph.nodes), rows))
        reach[self.graph.start] = 1.0
        for number in self.graph.order:
            node = self.graph.nodes[number]
            if isinstance(node, Chance):
                reach[list(node.children)] += rolls[number] * reach[number]
            elif isinstance(node, Decision):
                taken = choices.get(number)
                for option, child in enumerate(node.children):
                    here = reach[number]
                    reach[child] += here / len(node.children) if taken is None else here * np.equal(taken, option)
        return reach


def _best_options(options: Floats, role: Role, noise: float) -> tuple[Integers, Floats]:
    """The first of the best options in each column, and its value."""
    sign = 1.0 if role is Role.ATTACKER else -1.0
    best = np.zeros(options.shape[1], np.int64)
    value = options[0]
    for option in range(1, len(options)):
        threshold = np.maximum(noise, RELATIVE * np.maximum(np.abs(options[option]), np.abs(value)))
        is_better = sign * (options[option] - value) > threshold
        best = np.where(is_better, option, best)
        value = np.where(is_better, options[option], value)
    return best, value
