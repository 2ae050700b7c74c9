"""The ways in which an attack may be made: the unit fires itself, or calls in an Indirect Fire unit."""

from grognard.board.squares import diagonal, orthogonal
from grognard.systems.supply.setup import Setup, Unit

COUNTED = {"orthogonal": orthogonal, "diagonal": diagonal}


def distance(setup: Setup, unit: Unit, other: Unit) -> int:
    """How many squares lie from one unit to another."""
    return COUNTED[setup.rules.distance](unit.at, other.at)


def is_in_range(setup: Setup, unit: Unit, other: Unit) -> bool:
    """Whether the unit's Attack Range reaches the other."""
    return distance(setup, unit, other) <= unit.range


def has_fired(unit: Unit) -> str:
    """Why the unit's attack is used up; empty if it is not."""
    return f"{unit.id} has attacked already this turn" if unit.fired else ""


def is_too_far(setup: Setup, unit: Unit) -> str:
    """Why the unit's range does not reach the target; empty if it does."""
    target = setup.units[setup.target]
    if is_in_range(setup, unit, target):
        return ""
    return f"{target.id} is {distance(setup, unit, target)} squares from {unit.id}, whose range is {unit.range}"


def cannot_pay(unit: Unit) -> str:
    """Why the unit's supplies do not do; empty if they do."""
    if unit.supply >= unit.ammo:
        return ""
    return f"{unit.id} cannot pay: its Ammunition Cost is {unit.ammo}, its supply {unit.supply}"


def bars(setup: Setup, unit: Unit) -> list[str]:
    """All that keeps the unit from firing at the target."""
    return [bar for bar in (has_fired(unit), is_too_far(setup, unit), cannot_pay(unit)) if bar]


def candidates(setup: Setup) -> list[Unit]:
    """The Indirect Fire units of the attacking side: never the attacking unit itself."""
    caller = setup.units[setup.attacker]
    return [unit for unit in setup.units if unit.indirect and unit.side == caller.side and unit is not caller]


def open_ways(setup: Setup) -> list[int]:
    """The units that could fire in this attack: the attacking unit itself first, then those it could call in.

    That the attacking unit has the target in range, and its attack unused, is taken for granted in every way.
    """
    caller, attack = setup.units[setup.attacker], setup.attack
    ways = [] if attack.is_call_in else [caller]
    if attack.how != "direct":
        ways += [unit for unit in candidates(setup) if attack.through in (None, unit.id)]
    return [setup.place(unit.id) for unit in ways if not bars(setup, unit)]
