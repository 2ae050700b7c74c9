"""The chapter on attacking. Its paragraphs have no numbers: here each is named after its subject."""

from collections.abc import Generator

from grognard.core.positions import Position
from grognard.core.rules import End, Next, Option, Question, Roller, Steps, Then, choose, may, roll, rule
from grognard.core.turns import choose_attack
from grognard.core.wording import the
from grognard.readings.matching import Matching
from grognard.readings.ranked_pairs import RankedLosses
from grognard.systems.supply.attacks import attacks_of_turn, declared, is_in_range, is_possible, ways_to_attack
from grognard.systems.supply.setup import Card, Declared, Setup, State, first_state

READINGS = {"matching": Matching, "ranked": RankedLosses}
SUCCESS = {
    "matching": "a defence die removes one attack die that it meets or exceeds; each one left costs",
    "ranked": "dice meet high to high; each attack die that is higher, or meets none, costs",
}


def start(setup: Setup) -> Position:
    """The first position: the file's attack is declared, or the turn begins."""
    state = first_state(setup)
    return Position(next_attack, (state,)) if setup.turn else begin_attack(setup, state, declared(setup))


def begin_attack(setup: Setup, state: State, attack: Declared) -> Position:
    return Position(declare, (state._replace(attack=attack),))


@rule("turn")
def next_attack(setup: Setup, state: State) -> Steps:
    """In a whole turn, its side chooses among all attacks that are legal now, or ends the turn."""
    attack = yield from choose_attack(setup, state, attacks_of_turn(setup), is_possible)
    return End(state) if attack is None else Then(declare, state._replace(attack=attack))


def current_attack(state: State) -> Declared:
    """The attack that is being resolved."""
    assert state.attack is not None
    return state.attack


def end_attack(setup: Setup, state: State) -> Next:
    """End the attack; in a turn another may follow."""
    state = state._replace(attack=None)
    return Then(next_attack, state) if setup.turn else End(state)


@rule("call in")
def declare(setup: Setup, state: State) -> Steps:
    """The attacking unit fires itself, or calls in a friendly Indirect Fire unit that also has the target in range."""
    attack = current_attack(state)
    options = [option_to_fire(setup, state, attack, unit) for unit in ways_to_attack(setup, state, attack)]
    prompt = f"What fires on {the(setup.units[attack.on].id)}?"
    firing = yield from choose(setup.units[attack.by].side, prompt, options)
    return Then(pay, state._replace(attack=attack._replace(firing=firing, strength=state.cards[attack.on].strength)))


def option_to_fire(setup: Setup, state: State, attack: Declared, firing: int) -> Option[int]:
    """The option of attacking with this unit."""
    unit = setup.units[firing]
    means = f"{state.cards[firing].strength} d{unit.die}, for {unit.ammo} supply"
    if firing == attack.by:
        return Option("direct", f"{unit.id}, direct ({means})", firing)
    return Option(f"call in {unit.id}", f"{unit.id}, called in ({means})", firing)


@rule("ammunition")
def pay(setup: Setup, state: State) -> Next:
    """The unit that fires pays its Ammunition Cost before the roll. It has attacked now, and so has its caller."""
    caller, firing = current_attack(state).by, firing_unit(state)
    state = state.after_payment(setup, firing).after_firing(firing)
    if firing != caller and not setup.rules.caller_keeps_attack:
        state = state.after_firing(caller)
    return Then(attack, state)


def firing_unit(state: State) -> int:
    """The unit whose dice attack."""
    firing = current_attack(state).firing
    assert firing is not None
    return firing


@rule("comparing dice")
def attack(setup: Setup, state: State) -> Steps:
    """Both units roll a Battle Die for each point of strength. Each attack die that is not removed is a loss."""
    firing, target = firing_unit(state), current_attack(state).on
    losses = yield from fire(setup, state, "Attack roll", firing, state.cards[firing].strength, target)
    return Then(lose_strength, state, losses)


def fire(
    setup: Setup, state: State, purpose: str, firing: int, dice: int, target: int
) -> Generator[Question, object, int]:
    """Roll this number of a unit's dice against all dice of the target; the losses of the target."""
    unit, other, strength = setup.units[firing], setup.units[target], state.cards[target].strength
    reading = READINGS[setup.rules.cancelling](dice, unit.die, strength, other.die)
    success = f"{SUCCESS[setup.rules.cancelling]} {the(other.id)} 1 of {strength} strength"
    rollers = Roller(unit.id, unit.side), Roller(other.id, other.side)
    return (yield from roll(reading, *rollers, purpose=purpose, success=success))


@rule("destroyed")
def lose_strength(setup: Setup, state: State, losses: int) -> Next:
    """The attacked unit loses strength. At 0 it leaves the board, with its card and supplies."""
    state = state.after_losses(setup, current_attack(state).on, losses, firing_unit(state))
    return Then(counterattack, state) if can_counter(setup, state) else end_attack(setup, state)


def can_counter(setup: Setup, state: State) -> bool:
    """Whether the target can counterattack: it survives a direct attack, can pay, and has the attacker in range."""
    by, on = current_attack(state).by, current_attack(state).on
    card = state.cards[on]
    has_means = card.strength > 0 and card.supply >= setup.units[on].ammo and is_in_range(setup, on, by)
    is_exposed = firing_unit(state) == by and (setup.rules.indirect_can_be_countered or not setup.units[by].indirect)
    return has_means and is_exposed and not is_barred_from_countering(setup, card)


def is_barred_from_countering(setup: Setup, card: Card) -> bool:
    """Whether a house rule bars the unit from counterattacking, as it has countered or fired this turn."""
    has_countered = setup.rules.counters_per_turn == "one" and card.countered
    return has_countered or (setup.rules.counter_counts_as_fired and card.fired)


@rule("counterattack")
def counterattack(setup: Setup, state: State) -> Steps:
    """The defending player may pay and counterattack. That does not use up the unit's attack of this turn."""
    by, on = current_attack(state).by, current_attack(state).on
    unit, attacker = setup.units[on], setup.units[by]
    odds = f"{counter_dice(setup, state)} d{unit.die} against {state.cards[by].strength} d{attacker.die}"
    prompt = f"Counterattack {the(attacker.id)} with {the(unit.id)}: {odds}, for {unit.ammo} supply?"
    if not (yield from may(unit.side, prompt)):
        return end_attack(setup, state)
    state = state.after_payment(setup, on)
    state = state.with_card(on, state.cards[on]._replace(countered=True))
    state = state._replace(attack=current_attack(state)._replace(is_countered=True))
    return Then(counter_fire, state.after_firing(on) if setup.rules.counter_counts_as_fired else state)


@rule("counterattack")
def counter_fire(setup: Setup, state: State) -> Steps:
    """The unit that was attacked fires, and the attacking unit defends."""
    by, on = current_attack(state).by, current_attack(state).on
    losses = yield from fire(setup, state, "Counterattack roll", on, counter_dice(setup, state), by)
    return Then(counter_losses, state, losses)


def counter_dice(setup: Setup, state: State) -> int:
    """The dice of a counterattack: the strength that is left, or that before the attack if both fire at once."""
    is_simultaneous = setup.rules.counter_timing == "simultaneous"
    return current_attack(state).strength if is_simultaneous else state.cards[current_attack(state).on].strength


@rule("counterattack")
def counter_losses(setup: Setup, state: State, losses: int) -> Next:
    """The attacking unit loses strength. It cannot answer a counterattack."""
    return end_attack(setup, state.after_losses(setup, current_attack(state).by, losses, current_attack(state).on))


RULES = (next_attack, pay, attack, lose_strength, counterattack, counter_fire, counter_losses, declare)

PARAGRAPHS = {
    "comparing dice: which die removes which": "Not asked: the defender removes as many attack dice as possible, and "
    "each defence die removes one. With the house rule `cancelling` they are paired from high to low instead.",
    "destroyed: the board": "Decided at the table: players remove the mini and the card. The battle file after the "
    "attack no longer has the unit.",
    "before and after": "Decided at the table: how units move and get supplies, which other chapters cover. The file "
    "says where units are and what they hold when they attack.",
    "range": "A battle with its target out of range is not legal. The house rule `distance` says how squares are "
    "counted. A counterattack needs the attacker in the defender's range, and a call in the target in the range of the "
    "Indirect Fire unit too.",
}
