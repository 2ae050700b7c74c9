"""The defence sequence, 9.0: the result is implemented. Damage first, then Suppression, then critical hits."""

from dataclasses import replace

from grognard.core.rules import End, Next, Then, rule
from grognard.readings.symbols import Symbols
from grognard.systems.assault.harm import hurt, suppressed
from grognard.systems.assault.profile import profile
from grognard.systems.assault.rules.critical import resolve_critical_on_troops, resolve_critical_on_vehicle
from grognard.systems.assault.setup import Experience, Setup
from grognard.systems.assault.state import State


@rule("defence 9.0")
def take_damage(setup: Setup, state: State, left: Symbols) -> Next:
    """Every Damage and every Critical left is one damage. A unit that is gone has nothing more to fear."""
    state = replace(state, target=hurt(setup, state.target, left.damage + left.critical))
    if state.target.is_eliminated:
        return End(state)
    return Then(suffer_suppression, state, left.suppression > 0, left.critical)


@rule("defence 9.0")
def suffer_suppression(setup: Setup, state: State, is_suppressed: bool, criticals: int) -> Next:
    """Suppression, however much is left, counts once. An elite unit ignores it."""
    if is_suppressed and setup.target.experience is not Experience.ELITE:
        state = replace(state, target=suppressed(setup, state.target))
    if state.target.is_eliminated or not criticals:
        return End(state)
    is_vehicle = profile(setup, setup.target).is_vehicle
    return Then(resolve_critical_on_vehicle if is_vehicle else resolve_critical_on_troops, state, criticals)


RULES = (take_damage, suffer_suppression)
