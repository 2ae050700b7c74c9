"""What all systems with whole turns share."""

from collections.abc import Callable, Iterator
from typing import Any

from grognard.core.errors import Fault, no_such
from grognard.core.rules import Option
from grognard.core.systems import Measure

END_TURN: Option[Any] = Option("end", "end the turn", None)
"""The last option of every choice of the next attack."""


def attack_or_turn_faults(setup: Any, *others: str) -> Iterator[Fault]:
    """A file declares one attack or one turn (or one of the other keys), not several and not none."""
    keys = ("attack", *others, "turn")
    given = [key for key in keys if getattr(setup, key) is not None]
    if not given:
        yield Fault("attack", f"is missing: expected {' or '.join(f'[{key}]' for key in keys)}")
    for key in given[1:]:
        yield Fault(key, f"[{given[0]}] is there already: expected only one of them")


def turn_faults(setup: Any) -> Iterator[Fault]:
    """The side of a turn has units, its target is one of its enemies, and no unit is called as what ends the turn."""
    turn, units = setup.turn, setup.units
    sides = dict.fromkeys(unit.side for unit in units)
    if turn.side not in sides:
        yield Fault("turn.side", no_such("side", turn.side, sides), "unknown_name")
    enemies = [unit.id for unit in units if unit.side != turn.side]
    if turn.target is not None and turn.target not in enemies:
        yield Fault("turn.target", no_such("enemy unit", turn.target, enemies), "unknown_name")


def turn_measures(setup: Any, swing: Callable[[Any, Any], int], destroyed: Callable[[Any, Any], int]) -> list[Measure]:
    """The two measures that every turn adds; a single attack has none of them."""
    if setup.turn is None:
        return []
    return [
        Measure("enemies destroyed", lambda result: destroyed(setup, result), label="Enemies destroyed"),
        Measure("swing", lambda result: swing(setup, result), label="Net losses (swing)"),
    ]
