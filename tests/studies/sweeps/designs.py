"""Designs small enough to be checked row by row against the odds of each match-up."""

import copy
from collections.abc import Iterator
from typing import Any

import grognard
from grognard.core.systems import Battle, Json
from grognard.studies.sweeps.tables import Table

DICE = [4, 6, 8, 10, 12]


def unit(name: str, side: str, row: int, **changed: object) -> Json:
    """A unit that can fire and fire back."""
    card = {"die": 6, "strength": 3, "range": 1, "ammo": 1, "supply": 2, "at": [1, row]}
    return {"id": name, "side": side, **card, **changed}


def duel(**rules: object) -> Json:
    """Red attacks Blue, who may fire back."""
    units = [unit("guns", "red", 1), unit("rifles", "blue", 2)]
    return {"system": "supply", "units": units, "attack": {"by": "guns", "on": "rifles"}, "rules": rules}


def design(*vary: Json, **others: object) -> Json:
    """A design on the duel."""
    return {"battle": duel(), "vary": list(vary), **others}


def strengths(most: int) -> list[Json]:
    """Both strengths from 1 up."""
    return [
        {"name": "attack", "path": "units[0].strength", "range": [1, most]},
        {"name": "defence", "path": "units[1].strength", "range": [1, most]},
    ]


def dice(values: list[int] = DICE) -> list[Json]:
    """Both dice."""
    return [
        {"name": "attack die", "path": "units[0].die", "values": values},
        {"name": "defence die", "path": "units[1].die", "values": values},
    ]


def few() -> Json:
    """Some hundred match-ups."""
    return design(*strengths(4), *dice(), {"path": "rules.cancelling", "values": "all"})


def many() -> Json:
    """Some thousand match-ups, of which few share their shape: they take a second or more."""
    supplies = {"path": "units[1].supply", "range": [1, 5]}
    return design(*strengths(9), *dice([6, 8]), {"path": "rules.cancelling", "values": "all"}, supplies)


MANY = 3240


def match_ups(table: Table) -> Iterator[tuple[Battle, dict[str, Any]]]:
    """Every row, with the match-up as grognard.battle reads it."""
    factors = table.plan.design.factors
    columns = [len(factor.columns) for factor in factors]
    for record in table.records:
        source = copy.deepcopy(table.plan.design.battle)
        cells = tuple(record.values())
        for factor, width in zip(factors, columns, strict=True):
            level = next(level for level in factor.levels if level.cells == cells[:width])
            source, cells = level.apply(source), cells[width:]
        yield grognard.battle(source), record
