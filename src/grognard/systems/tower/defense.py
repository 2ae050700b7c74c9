"""4, 7: the number that the defending units make: what a die must meet, and the dice of a counterattack."""

from grognard.systems.tower.setup import Setup
from grognard.systems.tower.state import State

CAPITAL = 2
HIGHEST_IN_CAPITAL = 6


def is_in_home_capital(setup: Setup, state: State, unit: int) -> bool:
    """Whether a unit is in the capital of its own side now. One that was pushed out, or is dead, is not."""
    tile = state.at[unit]
    return tile is not None and tile == setup.board.capitals.get(setup.units[unit].side)


def highest_defense(setup: Setup, state: State, units: tuple[int, ...]) -> int:
    """The highest Defense among the units, with the 2 of a home capital."""
    defenses = [setup.units[unit].defense for unit in units]
    at_home = [is_in_home_capital(setup, state, unit) for unit in units]
    if setup.rules.capital_bonus == "to_that_unit":
        return max(in_capital(defense) if home else defense for defense, home in zip(defenses, at_home, strict=True))
    return in_capital(max(defenses)) if any(at_home) else max(defenses)


def in_capital(number: int) -> int:
    """2 higher, but at most 6; the 2 never lowers a number."""
    return max(number, min(number + CAPITAL, HIGHEST_IN_CAPITAL))
