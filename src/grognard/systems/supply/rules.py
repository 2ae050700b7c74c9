"""The chapter on attacking. Its paragraphs have no numbers: they are known here by what they are about."""

from collections.abc import Generator

from grognard.core.positions import Position
from grognard.core.rules import End, Next, Option, Question, Steps, Then, choose, may, roll, rule
from grognard.readings.matching import Matching
from grognard.readings.ranked_losses import RankedLosses
from grognard.systems.supply.setup import Setup
from grognard.systems.supply.state import Card, Cards
from grognard.systems.supply.tell import invitation, way
from grognard.systems.supply.ways import is_in_range, open_ways

READINGS = {"matching": Matching, "ranked": RankedLosses}


def start(setup: Setup) -> Position:
    """An attack is about to be declared."""
    return Position(declare, (Cards(tuple(Card.of(unit) for unit in setup.units)),))


@rule("call in")
def declare(setup: Setup, cards: Cards) -> Steps:
    """The attacking unit fires itself, or calls in a friendly Indirect Fire unit that also has the target in range."""
    caller = setup.units[setup.attacker]
    options = [Option(*way(setup, firing), firing) for firing in open_ways(setup)]
    firing = yield from choose(caller.side, f"What fires on {setup.attack.on}?", options)
    return Then(pay, cards, firing)


@rule("ammunition")
def pay(setup: Setup, cards: Cards, firing: int) -> Next:
    """The unit that fires pays its Ammunition Cost before any die; it has attacked now, and so has its caller."""
    cards = cards.paying(setup, firing).having_fired(firing)
    if firing != setup.attacker and not setup.rules.caller_keeps_attack:
        cards = cards.having_fired(setup.attacker)
    return Then(attack, cards, firing)


@rule("comparing dice")
def attack(setup: Setup, cards: Cards, firing: int) -> Steps:
    """Both units roll a Battle Die for each point of strength; attack dice that no defence die removes are losses."""
    losses = yield from fire(setup, firing, cards[firing].strength, setup.target, cards)
    return Then(lose_strength, cards, firing, losses)


def fire(setup: Setup, firing: int, dice: int, target: int, cards: Cards) -> Generator[Question, object, int]:
    """Roll so many dice of one unit against all of another."""
    unit, other = setup.units[firing], setup.units[target]
    reading = READINGS[setup.rules.cancelling](dice, unit.die, cards[target].strength, other.die)
    return (yield from roll(reading, unit.id, other.id))


@rule("destroyed")
def lose_strength(setup: Setup, cards: Cards, firing: int, losses: int) -> Next:
    """The attacked unit loses strength; one that has none left is off the board, and so are its card and supplies."""
    cards = cards.losing(setup, setup.target, losses, firing)
    return Then(counterattack, cards) if can_counter(setup, cards, firing) else End(cards)


def can_counter(setup: Setup, cards: Cards, firing: int) -> bool:
    """A unit that survives a direct attack may counter it, if its supplies and its range allow."""
    unit, card, attacker = setup.units[setup.target], cards[setup.target], setup.units[setup.attacker]
    has_means = card.strength > 0 and card.supply >= unit.ammo and is_in_range(setup, unit, attacker)
    is_exposed = firing == setup.attacker and (setup.rules.indirect_can_be_countered or not attacker.indirect)
    return has_means and is_exposed and not is_spent(setup, card)


def is_spent(setup: Setup, card: Card) -> bool:
    """Whether a unit has done this turn what its table lets it do only once."""
    has_had_its_counter = setup.rules.counters_per_turn == "one" and card.countered
    return has_had_its_counter or (setup.rules.counter_counts_as_fired and card.fired)


@rule("counterattack")
def counterattack(setup: Setup, cards: Cards) -> Steps:
    """The defending player may pay and counterattack; that is not the unit's attack of this turn."""
    unit = setup.units[setup.target]
    if not (yield from may(unit.side, invitation(setup, cards, counter_dice(setup, cards)))):
        return End(cards)
    cards = cards.paying(setup, setup.target).having_countered(setup.target)
    if setup.rules.counter_counts_as_fired:
        cards = cards.having_fired(setup.target)
    return Then(counter_fire, cards)


@rule("counterattack")
def counter_fire(setup: Setup, cards: Cards) -> Steps:
    """The unit that was attacked fires, and the one that attacked it defends."""
    losses = yield from fire(setup, setup.target, counter_dice(setup, cards), setup.attacker, cards)
    return Then(counter_losses, cards, losses)


def counter_dice(setup: Setup, cards: Cards) -> int:
    """The dice of a counterattack: what is left of the unit, or all it had where both fire at the same moment."""
    if setup.rules.counter_timing == "simultaneous":
        return setup.units[setup.target].strength
    return cards[setup.target].strength


@rule("counterattack")
def counter_losses(setup: Setup, cards: Cards, losses: int) -> Next:
    """The attacking unit loses strength in its turn. Nothing answers a counterattack."""
    return End(cards.losing(setup, setup.attacker, losses, setup.target))


RULES = (pay, attack, lose_strength, counterattack, counter_fire, counter_losses, declare)

PARAGRAPHS = {
    "range": "A battle whose target is out of range is no legal battle. Squares are counted as the switch `distance` "
    "says, and again from the defender for a counterattack, and from the Indirect Fire unit for calling in.",
}
