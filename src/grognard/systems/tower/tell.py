"""An attack in words for people."""

from collections.abc import Iterator

from grognard.systems.tower.setup import Setup
from grognard.systems.tower.state import State


def changes(setup: Setup, before: State, after: State) -> Iterator[str]:
    """Who was hurt, who died, who moved."""
    for number, unit in enumerate(setup.units):
        had, has, tile = before.health[number], after.health[number], after.at[number]
        if has < had and tile is None:
            yield f"{unit.id} dies"
        elif has < had:
            yield f"{unit.id}: Health {had} → {has}"
        elif tile is not None and tile != before.at[number]:
            yield f"{unit.id} moves to {list(tile)}"
