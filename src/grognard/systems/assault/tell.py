"""An attack in words for people."""

from collections.abc import Iterator

from grognard.systems.assault.dice import Colour, in_words, parse
from grognard.systems.assault.facts import Facts
from grognard.systems.assault.figures import Effect, PoolName
from grognard.systems.assault.profile import profile
from grognard.systems.assault.setup import Fire, HeldCard, Setup
from grognard.systems.assault.state import Condition, Gathered, Hand, Origin, Stage, State, Status

POOLS = {PoolName.ATTACK: "attack", PoolName.DEFENSE: "defence"}


def invitation(held: HeldCard, effect: Effect) -> str:
    """The question whether to play a command card."""
    return f"Play {held.card or held.name or 'a command card'} ({'; '.join(effect_in_words(effect))})?"


def effect_in_words(effect: Effect) -> Iterator[str]:
    """What a command card does."""
    pool = POOLS[effect.pool]
    if effect.gains:
        yield f"+{_dice(parse(effect.gains), pool)}"
    if effect.loses:
        yield f"−{_dice(parse(effect.loses), pool)}"
    if effect.rerolls:
        yield f"{pool} dice that show {' or '.join(effect.rerolls)} are rolled once more"
    if effect.x:
        yield f"{effect.x:+d} X in the {pool}".replace("-", "−")
    if effect.cancels:
        yield f"{effect.cancels} symbol{'s' * (effect.cancels > 1)} of the {pool} cancelled, the strongest"


def _dice(dice: tuple[Colour, ...], pool: str) -> str:
    return f"{in_words(dice)} {pool} {'die' if len(dice) == 1 else 'dice'}"


def changes(setup: Setup, before: State, after: State) -> Iterator[str]:
    """What a rule changed."""
    if after.facts:
        yield from gathered(setup, before, after)
    if before.target != after.target:
        yield from suffered(setup, before.target, after.target)


def gathered(setup: Setup, before: State, after: State) -> Iterator[str]:
    """The ledger of the dice, and what they depend on."""
    if after.facts and before.facts is None:
        yield facts_in_words(setup, after.facts)
    elif after.facts and before.facts and after.facts.areas != before.facts.areas:
        yield f"{setup.attack.on} is struck: {after.facts.areas[0]}"
    if after.points != before.points:
        yield f"{setup.attacker.side} flips a command point, {after.points} left"
    if after.fire and before.fire is None:
        yield f"{setup.attack.by} is marked: {_words(after.fire)}"
    if before.spotted is None and after.spotted is not None and setup.attack.defense is None:
        yield f"{setup.attack.on} is {'' if after.spotted else 'not '}spotted"
    for pool, name in POOLS.items():
        yield from ledger(setup, name, before.hand(pool), after.hand(pool), after)


def facts_in_words(setup: Setup, facts: Facts) -> str:
    """Range, line of sight and terrain, as far as they matter."""
    sight = f"hindered by {facts.hindering}" if facts.hindering else "clear"
    far = f"at range {facts.range}, " if facts.range else ""
    return f"{setup.attack.by} fires on {setup.attack.on} {far}in {facts.terrain}; line of sight {sight}"


def ledger(setup: Setup, name: str, had: Hand, has: Hand, state: State) -> Iterator[str]:
    """What was added to the dice of one side, or taken away."""
    more, less = _less(has.dice, had.dice), _less(had.dice, has.dice)
    for origin in dict.fromkeys(die.origin for die in more):
        dice = tuple(die.colour for die in more if die.origin is origin)
        yield f"+{_dice(dice, name)} ({_why(setup, name, origin, state)})"
    if has.stage is Stage.GATHERED:
        yield from (f"−1 {_weakest(had, die)}{name} die: {die.colour}" for die in less)
    elif has.stage is not had.stage and has.stage is Stage.SORTED and less:
        yield f"set aside: {in_words(die.colour for die in less)}"
    yield from (f"+1 X for the {name} ({origin})" for origin in has.x[len(had.x) :])
    if has.x_lost > had.x_lost:
        yield f"−{has.x_lost - had.x_lost} X for the {name}, if there is any"
    if has.cancelled > had.cancelled:
        yield f"the strongest symbol of the {name} will be cancelled"
    if has.stronger_only and not had.stronger_only:
        yield f"{setup.attack.by} is at half strength: a double success counts its stronger symbol only"


def _less(dice: tuple[Gathered, ...], others: tuple[Gathered, ...]) -> list[Gathered]:
    """These dice without those."""
    left = list(dice)
    for die in others:
        if die in left:
            left.remove(die)
    return left


def _weakest(hand: Hand, die: Gathered) -> str:
    return "weakest " if all(other.colour.rank <= die.colour.rank for other in hand.dice) else ""


def _why(setup: Setup, name: str, origin: Origin, state: State) -> str:
    """Where dice come from."""
    unit = setup.attacker if name == "attack" else setup.target
    match origin:
        case Origin.CARD:
            areas = "" if name == "attack" or not profile(setup, unit).is_vehicle else f", {_areas(state)}"
            return f"{unit.card or unit.id}{areas}"
        case Origin.EXPERIENCE:
            return unit.experience
        case Origin.TERRAIN:
            return state.known.terrain
        case Origin.FIRE_STATUS:
            fast = ", fast" if state.spotted and setup.target.fast else ""
            return f"{_words(setup.attack.fire)}{fast}{'' if state.spotted else ', not spotted'}"
    return str(origin)


def _areas(state: State) -> str:
    return " or ".join(state.known.areas)


def _words(fire: Fire) -> str:
    return fire.replace("_", " ")


def suffered(setup: Setup, before: Condition, after: Condition) -> Iterator[str]:
    """What befell the target."""
    name, strength = setup.attack.on, profile(setup, setup.target).strength
    if after.is_eliminated:
        yield f"{name} is eliminated"
        return
    if after.damage > before.damage:
        left = strength - after.damage
        yield f"{name} takes {after.damage - before.damage} damage, {left} of {strength} strength left"
    if after.status is not before.status:
        yield f"{name} {'falls back' if after.status is Status.FALLBACK else 'is suppressed'}"
    if after.at is not None and after.at != before.at:
        yield f"{name} moves to {list(after.at)}"
    if after.immobilized and not before.immobilized:
        yield f"{name} is immobilized"
