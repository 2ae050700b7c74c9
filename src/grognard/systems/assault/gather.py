"""Gathering dice. Dice that players have gathered by hand are left alone: none is added to them or lost any more."""

from collections.abc import Sequence
from dataclasses import replace

from grognard.core.readings import Pool
from grognard.readings.symbols import BLANK, SymbolPool
from grognard.systems.assault.data import die
from grognard.systems.assault.dice import Colour, parse
from grognard.systems.assault.figures import Effect, PoolName
from grognard.systems.assault.setup import Setup, Unit
from grognard.systems.assault.state import Hand, Origin, State


def is_by_hand(setup: Setup, pool: PoolName) -> bool:
    """Whether the players have gathered these dice themselves."""
    return (setup.attack.dice if pool is PoolName.ATTACK else setup.attack.defense) is not None


def gain(setup: Setup, state: State, pool: PoolName, dice: str | Sequence[Colour], origin: Origin) -> State:
    """Add dice, by their letters or their colours."""
    if not dice or is_by_hand(setup, pool):
        return state
    colours = parse(dice) if isinstance(dice, str) else dice
    return state.with_hand(pool, state.hand(pool).gaining(colours, origin))


def lose_weakest(setup: Setup, state: State, pool: PoolName, *, keep: int = 0, among: Origin | None = None) -> State:
    """Take away the weakest die, unless so many must be kept; perhaps only among those of one origin."""
    hand = state.hand(pool)
    dice = [die for die in hand.dice if among in (None, die.origin)]
    if is_by_hand(setup, pool) or len(dice) <= keep:
        return state
    return state.with_hand(pool, hand.losing(max(dice, key=lambda die: die.colour.rank)))


def lose(setup: Setup, state: State, pool: PoolName, dice: str) -> State:
    """Take away dice of these colours, as far as there are any."""
    for colour in () if is_by_hand(setup, pool) else parse(dice):
        hand = state.hand(pool)
        lost = next((die for die in hand.dice if die.colour is colour), None)
        if lost:
            state = state.with_hand(pool, hand.losing(lost))
    return state


def add_x(state: State, origin: Origin) -> State:
    """One Suppression more for the attacker, before comparison."""
    return replace(state, attack=replace(state.attack, x=(*state.attack.x, origin)))


def can_change(setup: Setup, effect: Effect) -> bool:
    """Whether an effect does anything beside adding or taking dice that were gathered by hand."""
    return bool(effect.rerolls or effect.x or effect.cancels) or not is_by_hand(setup, effect.pool)


def apply(setup: Setup, state: State, effect: Effect, origin: Origin) -> State:
    """What a command card or a special ability does."""
    state = lose(setup, gain(setup, state, effect.pool, effect.gains, origin), effect.pool, effect.loses)
    hand = state.hand(effect.pool)
    return state.with_hand(
        effect.pool,
        replace(
            hand,
            x=(*hand.x, *[origin] * effect.x),
            x_lost=hand.x_lost + max(0, -effect.x),
            cancelled=hand.cancelled + effect.cancels,
            again=(*hand.again, *(BLANK if shows == "blank" else shows for shows in effect.rerolls)),
        ),
    )


def pools(setup: Setup, hand: Hand) -> tuple[Pool, ...]:
    """The dice of a hand, strong to weak."""
    return tuple(Pool(count, die(setup, colour)) for colour, count in hand.counts())


def symbol_pool(setup: Setup, hand: Hand) -> SymbolPool:
    """A hand as it is compared."""
    return SymbolPool(pools(setup, hand), hand.stronger_only, hand.added, hand.x_lost, hand.cancelled)


def rollers(unit: Unit, dice: tuple[Pool, ...]) -> tuple[str, ...]:
    """Who rolls each pool."""
    return (unit.id,) * len(dice)
