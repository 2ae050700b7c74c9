"""Critical hits: for each that is left a green die for the attacker and a blue one for the defender, all at once.

Only the strongest symbol left counts. What the unit was before means: after the attack's own damage and suppression.
"""

from collections.abc import Generator
from dataclasses import replace

from grognard.core.readings import Pool
from grognard.core.rules import End, Question, Steps, roll, rule
from grognard.readings.symbols import Comparison, Strongest, SymbolPool
from grognard.systems.assault.data import die
from grognard.systems.assault.dice import Colour
from grognard.systems.assault.harm import eliminated, fallen_back, suppressed
from grognard.systems.assault.setup import Experience, Setup
from grognard.systems.assault.state import Condition, State


@rule("10.7.5")
def resolve_critical_on_troops(setup: Setup, state: State, criticals: int) -> Steps:
    """Infantry and artillery: a Critical makes it fall back, a Damage or a Suppression suppresses it."""
    symbol = yield from strongest_left(setup, criticals)
    target = state.target
    match symbol:
        case "C":
            target = fallen_back(setup, target)
        case "D" | "X":
            target = suppressed(setup, target)
    return End(replace(state, target=target))


@rule("10.7.6")
def resolve_critical_on_vehicle(setup: Setup, state: State, criticals: int) -> Steps:
    """Vehicles: a Critical immobilises it, or ends it if it was; a Damage makes it fall back; X suppresses it."""
    symbol = yield from strongest_left(setup, criticals)
    target = state.target
    match symbol:
        case "C":
            target = immobilized(setup, target)
        case "D":
            target = fallen_back(setup, target)
        case "X":
            target = suppressed(setup, target)
    return End(replace(state, target=target))


def immobilized(setup: Setup, target: Condition) -> Condition:
    """The vehicle cannot move any more; one that could not already is eliminated."""
    return eliminated(setup, target) if target.immobilized else replace(target, immobilized=True)


def strongest_left(setup: Setup, criticals: int) -> Generator[Question, object, str]:
    """The comparison roll of a critical hit. An elite unit may ignore a Suppression here too."""
    pools = [SymbolPool((Pool(criticals, die(setup, colour)),)) for colour in (Colour.GREEN, Colour.BLUE)]
    symbol = yield from roll(Strongest(Comparison(*pools)), setup.attacker.id, setup.target.id)
    is_deaf = setup.target.experience is Experience.ELITE and setup.rules.elite_ignores_critical_x
    return "" if symbol == "X" and is_deaf else symbol


RULES = (resolve_critical_on_troops, resolve_critical_on_vehicle)
