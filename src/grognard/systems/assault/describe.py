"""The changes of an attack as text for people."""

from collections import Counter
from collections.abc import Iterator

from grognard.core.systems import Change
from grognard.core.wording import side_name, tile_name
from grognard.readings.symbols import STRONG_TO_WEAK, Symbols
from grognard.systems.assault.facts import Facts, profile
from grognard.systems.assault.figures import Colour, Effect, PoolName, format_dice, parse_dice
from grognard.systems.assault.setup import HeldCard, Setup
from grognard.systems.assault.state import STEPS, Condition, GatheredDice, Hand, Origin, State, Status, TurnState

POOLS = {PoolName.ATTACK: "attack", PoolName.DEFENSE: "defence"}


def card_prompt(held: HeldCard, effect: Effect) -> str:
    """The question whether to play a command card."""
    return f"Play {held.card or held.name or 'a command card'} ({'; '.join(format_effect(effect))})?"


def format_effect(effect: Effect) -> Iterator[str]:
    pool = POOLS[effect.pool]
    if effect.gains:
        yield f"+{_dice(parse_dice(effect.gains), pool)}"
    if effect.loses:
        yield f"−{_dice(parse_dice(effect.loses), pool)}"
    if effect.rerolls:
        yield f"{pool} dice that show {' or '.join(effect.rerolls)} are rolled once more"
    if effect.x:
        yield f"{effect.x:+d} X in the attack".replace("-", "−")
    if effect.cancels:
        yield f"{effect.cancels} attack symbol{'s' * (effect.cancels > 1)} cancelled, the strongest left"


def format_symbols(symbols: Symbols) -> str:
    """`1 C, 2 D`."""
    shown = zip(symbols, STRONG_TO_WEAK, strict=True)
    return ", ".join(f"{count} {symbol}" for count, symbol in shown if count) or "no symbol"


def _dice(dice: tuple[Colour, ...], pool: str) -> str:
    return f"{format_dice(dice)} {pool} {'die' if len(dice) == 1 else 'dice'}"


def changes(setup: Setup, before: State | TurnState, after: State | TurnState) -> Iterator[Change]:
    """What a rule changed; nothing changes between two attacks of a turn."""
    if isinstance(before, State) and isinstance(after, State):
        yield from _changes(after.turn_attack.setup if after.turn_attack else setup, before, after)


def _changes(setup: Setup, before: State, after: State) -> Iterator[Change]:
    attacker, target = setup.attacker, setup.target
    yield from (Change(what, attacker.side) for what in _preparations(setup, before, after))
    yield from (Change(what, attacker.side) for what in _dice_changes(setup, PoolName.ATTACK, before, after))
    if after.spotted is not None and before.spotted is None:
        yield Change(f"{target.id}: {'' if after.spotted else 'not '}spotted", target.side)
    yield from (Change(what, attacker.side) for what in _roll_changes(setup, before, after))
    yield from (Change(what, target.side) for what in _dice_changes(setup, PoolName.DEFENSE, before, after))
    yield from (Change(what, target.side) for what in _target_changes(setup, before.target, after.target))
    if skipped := _skipped_steps(before, after):
        yield Change(f"nothing happens in {skipped}")


def _preparations(setup: Setup, before: State, after: State) -> Iterator[str]:
    name = setup.declared.by
    if after.facts and before.facts is None:
        yield _format_facts(setup, after.facts)
    if after.points != before.points:
        yield f"{side_name(setup.attacker.side)} flips a command point, {after.points} left"
    if after.has_fired and not before.has_fired:
        yield f"{name}: marked “{setup.declared.fire.replace('_', ' ')}”"
    if after.stronger_only and not before.stronger_only:
        yield f"{name}: at half strength, a double success counts its stronger symbol only"


def _format_facts(setup: Setup, facts: Facts) -> str:
    """Attacker and target, range, terrain and line of sight."""
    sight = f"hindered by {facts.hindering}" if facts.hindering else "clear"
    far = f"range {facts.range}, " if facts.range else ""
    return f"{setup.declared.by} on {setup.declared.on}: {far}terrain {facts.terrain}, line of sight {sight}"


def _roll_changes(setup: Setup, before: State, after: State) -> Iterator[str]:
    """The symbols of the attack roll, and the area struck."""
    if before.step == STEPS[9] and after.step == STEPS[-1]:
        yield "no attack symbol is left: there is nothing to defend against"
    if before.step == STEPS[9] and after.step == STEPS[10]:
        yield f"the attack comes to {format_symbols(after.attack_symbols)}"
        if not before.known_facts.areas:
            yield f"{setup.declared.on}, area struck: {after.known_facts.areas[0]}"


def _dice_changes(setup: Setup, pool: PoolName, before: State, after: State) -> Iterator[str]:
    """The dice and Suppressions that one side gains or loses before its roll."""
    name, had, has = POOLS[pool], before.hand(pool), after.hand(pool)
    is_gone = after.step == STEPS[-1] or (pool is PoolName.ATTACK and after.symbols is not None)
    if had is has or is_gone:
        return
    more, less = _difference(has.dice, had.dice), _difference(had.dice, has.dice)
    for origin in dict.fromkeys(origin for (_, origin) in more):
        dice = tuple(colour for (colour, its), count in more.items() if its is origin for _ in range(count))
        yield f"+{_dice(dice, name)} ({_describe_origin(setup, pool, origin, after)})"
    if less and after.is_sorted and not before.is_sorted:
        yield f"set aside: {format_dice(colour for (colour, _), count in less.items() for _ in range(count))}"
    else:
        for (colour, _), count in less.items():
            yield f"−{count} {_weakest(had, colour)}{name} {'die' if count == 1 else 'dice'}: {colour}"
    for origin, count in has.x[len(had.x) :]:
        yield f"{count:+d} X for the {name} ({origin})".replace("-", "−")


def _difference(dice: tuple[GatheredDice, ...], others: tuple[GatheredDice, ...]) -> Counter[tuple[Colour, Origin]]:
    """These dice without those, by colour and origin."""
    counts: Counter[tuple[Colour, Origin]] = Counter()
    for sign, hand in ((1, dice), (-1, others)):
        for colour, origin, count in hand:
            counts[colour, origin] += sign * count
    return +counts


def _weakest(hand: Hand, colour: Colour) -> str:
    return "weakest " if list(hand.counts)[-1] is colour else ""


def _describe_origin(setup: Setup, pool: PoolName, origin: Origin, state: State) -> str:
    """The origin of dice, as text."""
    unit = setup.attacker if pool is PoolName.ATTACK else setup.target
    match origin:
        case Origin.CARD:
            is_struck = pool is PoolName.DEFENSE and profile(setup, unit).is_vehicle
            areas = f", {' or '.join(state.known_facts.areas)}" if is_struck else ""
            return f"{unit.card or unit.id}{areas}"
        case Origin.EXPERIENCE:
            return unit.experience
        case Origin.TERRAIN:
            ambush = ", less the weakest die: fire from ambush" if setup.attacker.ambush else ""
            return f"{state.known_facts.terrain}{ambush}"
        case Origin.FIRE_STATUS:
            is_spotted = state.spotted is not False
            fast = ", fast" if is_spotted and setup.target.fast else ""
            return f"{setup.declared.fire.replace('_', ' ')}{fast}{'' if is_spotted else ', not spotted'}"
    return str(origin)


def _target_changes(setup: Setup, before: Condition, after: Condition) -> Iterator[str]:
    """What happened to the target."""
    if before == after:
        return
    name, strength = setup.declared.on, profile(setup, setup.target).strength
    if after.is_eliminated:
        yield f"{name}: eliminated"
        return
    if after.status is not before.status:
        yield f"{name}: {'falling back' if after.status is Status.FALLBACK else 'suppressed'}"
    if after.at is not None and after.at != before.at:
        yield f"{name}: to {tile_name(after.at)}"
    if after.damage > before.damage:
        left = strength - after.damage
        yield f"{name}: {after.damage - before.damage} damage, {left} of {strength} strength left"
    if after.immobilized and not before.immobilized:
        yield f"{name}: immobilized"


def _skipped_steps(before: State, after: State) -> str:
    """The steps of the player's aid that were skipped: `attack 6.0 to 8.0`."""
    first, last = STEPS.index(before.step) + 1, STEPS.index(after.step) - 1
    if last < first or (after.symbols is None and after.step == STEPS[-1]):
        return ""
    return STEPS[first] if first == last else f"{STEPS[first]} to {STEPS[last].split()[1]}"
