"""Paragraphs 1.1.00 to 1.1.03: combat at a Location."""

from grognard.core.positions import Position
from grognard.core.rules import End, Next, Option, Steps, Then, choose, may, roll, rule
from grognard.readings.ranked_pairs import RankedPairs
from grognard.systems.ranks.setup import Setup
from grognard.systems.ranks.state import Combat, Resolved, at_location, is_attacker
from grognard.systems.ranks.tell import invitation, names, of


def start(setup: Setup) -> Position:
    """The Defender is alone at the Location."""
    units = tuple(army.units for army in setup.armies)
    return Position(next_turn, (Combat(turn=0, units=units),))


@rule("1.1.00")
def next_turn(setup: Setup, combat: Combat) -> Next:
    """The combat lasts until every player has had their turn of the round."""
    if combat.turn == len(setup.arrivals):
        return Then(resolution, combat)
    return Then(arrival, combat)


@rule("1.1.00")
def arrival(setup: Setup, combat: Combat) -> Steps:
    """An army arrives at its player's turn; an optional one is sent only if its player wants that."""
    army = setup.arrivals[combat.turn]
    if army.optional and not (yield from may(army.player, invitation(setup, combat))):
        return Then(next_turn, combat.after_turn(held_back=True))
    return Then(join, combat.after_turn(held_back=False))


@rule("1.1.01")
def join(setup: Setup, combat: Combat) -> Next:
    """An attacking army rolls as it arrives, earlier attackers sit that out; a defending ally joins without dice."""
    if setup.side(combat.turn) == "defend" and setup.rules.exchange_on == "attacker_arrives":
        return Then(next_turn, combat)
    attacking = at_location(setup, combat, "attack")
    return Then(exchange, combat, attacking if setup.rules.who_rolls == "all_attackers" else attacking[-1:])


@rule("1.1.00")
def exchange(setup: Setup, combat: Combat, rolling: tuple[int, ...]) -> Steps:
    """Every unit of the army that arrived and of the defending side rolls; ranks are paired high to low.

    Each lost pair costs its side a unit, the attacking side from the army that rolled. A side without units rolls
    nothing.
    """
    defending = at_location(setup, combat, "defend")
    if not rolling or not defending:
        return Then(next_turn, combat)
    attack, defence = (sum(combat.units[army] for army in armies) for armies in (rolling, defending))
    reading = RankedPairs(attack, defence, setup.rules.die, setup.rules.die, setup.rules.ties)
    lost = yield from roll(reading, names(setup, rolling), names(setup, defending))
    attacker_last = sorted(rolling, key=lambda army: is_attacker(setup, combat, army))
    return Then(defending_losses, combat.without(lost.attack, attacker_last), rolling, lost.defence)


@rule("1.1.02")
def defending_losses(setup: Setup, combat: Combat, rolling: tuple[int, ...], losses: int) -> Steps:
    """Allies bleed before the Defender does: only what they cannot bear costs the Defender units."""
    defending = at_location(setup, combat, "defend")
    if losses and setup.rules.defending_losses == "owner_chooses":
        options = [Option(setup.player(army), of(setup, combat, army), army) for army in defending]
        army = yield from choose(setup.defender.player, "Which army loses a unit?", options)
        return Then(defending_losses, combat.without(1, [army]), rolling, losses - 1)
    reinforcements = [army for army in defending if army]
    if setup.rules.defending_losses == "last_arrived":
        reinforcements.reverse()
    return Then(end_exchange, combat.without(losses, [*reinforcements, 0]), rolling)


@rule("1.1.00")
def end_exchange(setup: Setup, combat: Combat, rolling: tuple[int, ...]) -> Next:
    """One exchange an arrival; where combat is to the death, the survivors roll again."""
    if setup.rules.duration == "one_round":
        return Then(next_turn, combat)
    return Then(exchange, combat, tuple(army for army in rolling if combat.units[army]))


@rule("1.1.03")
def resolution(setup: Setup, combat: Combat) -> Next:
    """A defending army with units holds the Location, and attacking armies go back to where they came from.

    Where no defender is left, the Attacker takes it, or else the first attacking reinforcement that has units.
    """
    defending, attacking = (at_location(setup, combat, side) for side in ("defend", "attack"))
    if defending:
        return End(Resolved(units=combat.units, possessor=defending[0], guests=defending[1:], returns=attacking))
    if attacking:
        return End(Resolved(units=combat.units, possessor=attacking[0], guests=attacking[1:]))
    return End(Resolved(units=combat.units, possessor=0 if setup.rules.nobody_left == "defender_keeps" else None))


RULES = (next_turn, arrival, exchange, end_exchange, join, defending_losses, resolution)

PARAGRAPHS = {
    "1.1.00 example": "Three attack four. The rows cost the Attacker 2 units and the Defender 1, as the heading says: "
    "3 → 1 and 4 → 3. The end table's 3 → 2 and 4 → 2 is a slip.",
    "1.1.01 example": "Three units reinforce an attack on two. The rows and the end table cost each side 1 unit. The "
    "heading's 2 for the Defender is a slip.",
    "1.1.02 example": "Four attack a reinforced Defender. Four defence dice need four units, so the Defender has 2 "
    "beside the ally's 2, as in the example of 1.1.03, and 1 of them is left. The end table's 1 → 0 is a slip.",
    "1.1.03 example": "A whole round. The first end table's 4 → 2 for the Defender is a slip, the rows give 4 → 3. So "
    "a fifth defence die is rolled in the second exchange, and discarded: the Defender ends with 2, where the table "
    "has 1. The Location is held, and both attacking armies go home.",
}
