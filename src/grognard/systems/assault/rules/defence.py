"""The defence sequence, 1.0 to 8.0: the defender's dice, and the comparison roll."""

from dataclasses import replace

from grognard.core.readings import Pool
from grognard.core.rules import Next, Steps, Then, may, roll, rule
from grognard.readings.pool_rolls import Parry, Throw
from grognard.readings.symbols import NO_SYMBOLS, Comparison, SymbolPool, left
from grognard.systems.assault.data import dice_of, find_effect, tables, terrain
from grognard.systems.assault.dice import parse
from grognard.systems.assault.figures import FireRow, PoolName
from grognard.systems.assault.gather import (
    apply,
    can_change,
    gain,
    is_by_hand,
    lose_weakest,
    pools,
    rollers,
    symbol_pool,
)
from grognard.systems.assault.profile import profile, weakest_of
from grognard.systems.assault.rules.outcome import take_damage
from grognard.systems.assault.setup import Experience, Fire, Setup
from grognard.systems.assault.state import Hand, Origin, State, Status
from grognard.systems.assault.tell import invitation

SEASONED = (Experience.HARDENED, Experience.VETERAN, Experience.ELITE)
DEFENSE = PoolName.DEFENSE


@rule("defence 1.0")
def grab_defence_dice(setup: Setup, state: State) -> Next:
    """The card's defence dice, where the shot strikes; on a boundary the weaker ones."""
    if setup.attack.defense is not None:
        state = replace(state, defense=state.defense.gaining(parse(setup.attack.defense), Origin.BY_HAND))
        return Then(add_terrain_dice, state)
    dice = weakest_of(profile(setup, setup.target).defense, state.known.areas)
    return Then(add_terrain_dice, gain(setup, state, DEFENSE, dice, Origin.CARD))


@rule("defence 2.0")
def add_terrain_dice(setup: Setup, state: State) -> Next:
    """The terrain's dice for this kind of unit; fire from ambush takes the weakest of them."""
    if is_by_hand(setup, DEFENSE):
        return Then(add_hindrance_dice, state)
    dice = getattr(terrain(setup, state.known.terrain), profile(setup, setup.target).kind)
    state = gain(setup, state, DEFENSE, weakest_of(dice, state.known.areas), Origin.TERRAIN)
    if setup.attacker.ambush:
        state = lose_weakest(setup, state, DEFENSE, among=Origin.TERRAIN)
    return Then(add_hindrance_dice, state)


@rule("defence 3.0")
def add_hindrance_dice(setup: Setup, state: State) -> Next:
    """A hindered line of sight gives dice, though not against indirect fire."""
    hindering = state.known.hindering
    if setup.attack.fire is Fire.INDIRECT:
        hindering = 0
    elif setup.rules.hindrance_dice == "once":
        hindering = min(1, hindering)
    dice = dice_of(tables(setup).hindered) * hindering
    return Then(check_status, gain(setup, state, DEFENSE, dice, Origin.HINDERED))


@rule("defence 4.0")
def check_status(setup: Setup, state: State) -> Next:
    """Digging in, dug in, a fast action, suppression, hiding: each adds a die or loses the weakest, in this order."""
    unit, aid = setup.target, tables(setup)
    is_vehicle = profile(setup, unit).is_vehicle
    loses = setup.rules.weakest_die_lost == "in_sequence"
    if unit.digging_in and loses:
        state = lose_weakest(setup, state, DEFENSE, keep=1)
    if unit.dug_in:
        state = gain(setup, state, DEFENSE, dice_of(aid.dug_in), Origin.DUG_IN)
    if unit.fast and not is_vehicle and loses:
        state = lose_weakest(setup, state, DEFENSE, keep=1)
    if state.target.status is Status.SUPPRESSED and not is_vehicle:
        state = gain(setup, state, DEFENSE, dice_of(aid.suppressed), Origin.SUPPRESSED)
    if unit.hiding or unit.hidden or unit.ambush:
        state = gain(setup, state, DEFENSE, dice_of(aid.hiding), Origin.HIDING)
    return Then(check_defender_experience, state)


@rule("defence 4.0")
def lose_defence_dice(setup: Setup, state: State) -> Next:
    """The weakest dice are lost when all are gathered, at a table that reads it so."""
    unit = setup.target
    for _ in range(unit.digging_in + (unit.fast and not profile(setup, unit).is_vehicle)):
        state = lose_weakest(setup, state, DEFENSE, keep=1)
    return Then(reroll_attack_dice, state)


@rule("defence 5.0")
def check_defender_experience(setup: Setup, state: State) -> Next:
    """A hardened, veteran or elite defender has one blue die more."""
    if setup.target.experience in SEASONED:
        state = gain(setup, state, DEFENSE, "B", Origin.EXPERIENCE)
    return Then(check_fire_status, state)


@rule("defence 6.0")
def check_fire_status(setup: Setup, state: State) -> Next:
    """Dice for the attacker's fire status, more for a fast vehicle, more again for a target that was not spotted."""
    is_vehicle = profile(setup, setup.target).is_vehicle
    row = fire_row(setup)
    if not state.spotted:
        dice = row.unspotted_vehicle if is_vehicle else row.unspotted
    else:
        dice = row.fast_vehicle if is_vehicle and setup.target.fast else row.normal
    state = gain(setup, state, DEFENSE, dice, Origin.FIRE_STATUS)
    if is_vehicle and setup.attack.fire is Fire.INDIRECT:
        state = gain(setup, state, DEFENSE, dice_of(tables(setup).indirect), Origin.INDIRECT)
    return Then(check_command_cards, state)


def fire_row(setup: Setup) -> FireRow:
    """The row of the players' aid for the attacker's fire status; who fires indirectly stands still."""
    aid, fire = tables(setup), setup.attack.fire
    row = aid.moving if fire.is_moving else aid.turret_firing if fire is Fire.TURRET_FIRING else aid.firing
    assert row
    return row


@rule("defence 7.0")
def check_command_cards(setup: Setup, state: State) -> Next:
    """What the attacker's command card does to the defence dice."""
    for number in state.played:
        effect = find_effect(setup, setup.command_cards[number])
        if effect and effect.pool is DEFENSE:
            state = apply(setup, state, effect, Origin.COMMAND_CARD)
    return Then(play_defence_card, state, 0)


@rule("defence 7.0")
def play_defence_card(setup: Setup, state: State, number: int) -> Steps:
    """The defender may play one command card."""
    if number == len(setup.command_cards):
        return Then(use_defence_abilities, state)
    held = setup.command_cards[number]
    effect = find_effect(setup, held)
    assert effect
    is_asked = held.side == setup.target.side and can_change(setup, effect)
    if is_asked and (yield from may(held.side, invitation(held, effect))):
        state = apply(setup, replace(state, played=(*state.played, number)), effect, Origin.COMMAND_CARD)
        return Then(use_defence_abilities, state)
    return Then(play_defence_card, state, number + 1)


@rule("defence 8.0")
def use_defence_abilities(setup: Setup, state: State) -> Next:
    """The attacker's special abilities that bear on the defence dice, and all of the defender's."""
    theirs = [effect for effect in profile(setup, setup.attacker).effects("attacking") if effect.pool is DEFENSE]
    for effect in (*theirs, *profile(setup, setup.target).effects("defending")):
        state = apply(setup, state, effect, Origin.ABILITY)
    return Then(lose_defence_dice if setup.rules.weakest_die_lost == "last" else reroll_attack_dice, state)


@rule("attack 9.0")
def reroll_attack_dice(setup: Setup, state: State) -> Steps:
    """If attack dice may be rolled once more, all are rolled now, and those again later; so if the defence parries."""
    hand = state.attack
    while (dice := pools(setup, hand)) and (hand.again or parries(state.defense)):
        thrown = yield from roll(Throw(dice, hand.again, hand.stronger_only), *rollers(setup.attacker, dice))
        hand = hand.rolled(thrown)
    return Then(reroll_defence_dice, replace(state, attack=hand))


def parries(defence: Hand) -> bool:
    """Whether defence dice are rolled twice, each time against what is left of the attack.

    Not if some of their symbols are to be lost: which these are depends on both rolls together.
    """
    return bool(defence.again and defence.dice) and not (defence.x_lost or defence.cancelled)


@rule("defence 8.0")
def reroll_defence_dice(setup: Setup, state: State) -> Steps:
    """If defence dice may be rolled once more, all are rolled now, and those again in the comparison."""
    hand, dice = state.defense, pools(setup, state.defense)
    if parries(hand):
        shown = left(symbol_pool(setup, state.attack).changed(NO_SYMBOLS), hand.added)
        return Then(parry, state.compared(), Parry(shown, Throw(dice, hand.again)))
    if hand.again and dice:
        thrown = yield from roll(Throw(dice, hand.again), *rollers(setup.target, dice))
        state = replace(state, defense=hand.rolled(thrown))
    return Then(roll_defence_dice, state)


@rule("defence 8.0")
def parry(setup: Setup, state: State, first: Parry) -> Steps:
    """The first of two rolls: it cancels what it can, and the dice that may be rolled again go on to the comparison."""
    picked, remaining = yield from roll(first, *rollers(setup.target, first.dice))
    again = tuple(Pool(count, hand.die) for count, hand in zip(picked, first.dice, strict=True) if count)
    return Then(compare, state, Comparison(SymbolPool(added=remaining), SymbolPool(again)))


@rule("defence 8.0")
def roll_defence_dice(setup: Setup, state: State) -> Next:
    """All dice are in hand and go to the comparison, unless the attacker can show nothing at all."""
    comparison = Comparison(symbol_pool(setup, state.attack), symbol_pool(setup, state.defense))
    if not comparison.attack.dice and not any(comparison.attack.added):
        return Then(take_damage, state.compared(), NO_SYMBOLS)
    return Then(compare, state.compared(), comparison)


@rule("10.7.2")
def compare(setup: Setup, state: State, comparison: Comparison) -> Steps:
    """Both sides roll; each defending symbol cancels an attacking one as strong or weaker, the strongest first."""
    if not comparison.dice:
        return Then(take_damage, state, comparison.read(()))
    by = rollers(setup.attacker, comparison.attack.dice) + rollers(setup.target, comparison.defence.dice)
    remaining = yield from roll(comparison, *by)
    return Then(take_damage, state, remaining)


RULES = (
    grab_defence_dice,
    add_terrain_dice,
    add_hindrance_dice,
    check_status,
    lose_defence_dice,
    check_defender_experience,
    check_fire_status,
    check_command_cards,
    play_defence_card,
    use_defence_abilities,
    reroll_defence_dice,
    parry,
    roll_defence_dice,
    compare,
)
