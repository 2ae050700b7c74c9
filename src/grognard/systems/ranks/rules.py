"""Paragraphs 1.1.00 to 1.1.03: combat at a Location."""

from collections.abc import Generator
from functools import partial
from itertools import takewhile

from grognard.core.positions import Position
from grognard.core.rules import End, Next, Option, Question, Roll, Roller, Steps, Then, choose, may, rule
from grognard.core.wording import count_of
from grognard.readings.ranked_pairs import Losses, RankedPairs
from grognard.systems.ranks.setup import DEFENDER, Combat, Faction, Resolved, Setup, at_location, is_attacker

TIES = {
    "defender": "a tie costs the attacking side one",
    "attacker": "a tie costs the defending side one",
    "both": "a tie costs both sides one",
    "neither": "a tie costs nobody anything",
}


def start(setup: Setup) -> Position:
    """The Defender is alone at the Location."""
    units = tuple(army.units for army in setup.armies)
    return Position(next_turn, (Combat(turn=0, units=units),))


def is_sent(setup: Setup, combat: Combat) -> Generator[Question, object, bool]:
    """An army comes at its player's turn; an optional one only if its player wants that."""
    army = setup.arrivals[combat.turn]
    return not army.optional or (yield from may(army.player, invitation(setup, combat)))


def invitation(setup: Setup, combat: Combat) -> str:
    """The question to the player of an optional army, at its turn."""
    army = setup.arrivals[combat.turn]
    arrived = [other for other in range(1, combat.turn + 1) if other not in combat.held_back]
    attacker = next((setup.player(other) for other in arrived if setup.side(other) == "attack"), None)
    if army.side == "attack" and attacker is None:
        return f"Send {count_of(army.units, 'unit')} to attack {setup.defender.player}?"
    return (
        f"Send {count_of(army.units, 'unit')} to help {attacker if army.side == 'attack' else setup.defender.player}?"
    )


def those_who_roll(setup: Setup, combat: Combat) -> tuple[int, ...]:
    """The attacking army that arrived last, of those with units; where the table says so, all of them."""
    attacking = at_location(setup, combat, "attack")
    return attacking if setup.rules.who_rolls == "all_attackers" else attacking[-1:]


@rule("1.1.00")
def next_turn(setup: Setup, combat: Combat) -> Next:
    """The combat lasts until every player has had their turn of the round."""
    if combat.turn == len(setup.arrivals):
        return Then(resolution, combat)
    army = combat.turn + 1
    if setup.side(army) == "defend":
        return Then(reinforce_defender, combat)
    return Then(attack if is_attacker(setup, combat, army) else reinforce_attacker, combat)


@rule("1.1.00")
def attack(setup: Setup, combat: Combat) -> Steps:
    """The first army to attack is the Attacker's, and rolls as it arrives."""
    if not (yield from is_sent(setup, combat)):
        return Then(next_turn, combat.after_turn(held_back=True))
    return Then(exchange, combat.after_turn(held_back=False), (combat.turn + 1,))


@rule("1.1.01")
def reinforce_attacker(setup: Setup, combat: Combat) -> Steps:
    """An ally of the Attacker rolls as it arrives, and earlier attackers sit that out."""
    if not (yield from is_sent(setup, combat)):
        return Then(next_turn, combat.after_turn(held_back=True))
    arrived = combat.after_turn(held_back=False)
    if not at_location(setup, arrived, "defend"):
        return Then(next_turn, and_those_after(setup, arrived, "attack"))
    return Then(exchange, arrived, those_who_roll(setup, arrived))


def and_those_after(setup: Setup, combat: Combat, side: Faction) -> Combat:
    """The next arrivals of this side come too, up to the first that is optional: nobody rolls or decides anything."""
    coming = setup.arrivals[combat.turn :]
    quiet = takewhile(lambda army: army.side == side and not army.optional, coming)
    return combat._replace(turn=combat.turn + sum(1 for _ in quiet))


@rule("1.1.02")
def reinforce_defender(setup: Setup, combat: Combat) -> Steps:
    """An ally of the Defender joins without dice, unless any arrival makes attackers roll."""
    if not (yield from is_sent(setup, combat)):
        return Then(next_turn, combat.after_turn(held_back=True))
    arrived = combat.after_turn(held_back=False)
    if setup.rules.exchange_on == "attacker_arrives":
        return Then(next_turn, and_those_after(setup, arrived, "defend"))
    return Then(exchange, arrived, those_who_roll(setup, arrived))


@rule("1.1.00")
def exchange(setup: Setup, combat: Combat, rolling: tuple[int, ...]) -> Next:
    """Every unit of the army that arrived and of the defending side rolls; ranks are paired high to low.

    A side without units rolls nothing.
    """
    defending, die = at_location(setup, combat, "defend"), setup.rules.die
    if not rolling or not defending:
        return Then(next_turn, combat)
    dice = RankedPairs(combat.total(rolling), combat.total(defending), die, die, setup.rules.ties)
    by = roller(setup, rolling), roller(setup, defending)
    return Roll(dice, by, "Exchange", costs(dice), then=(exchange_losses, combat, rolling, defending))


@rule("1.1.00")
def exchange_losses(
    setup: Setup, combat: Combat, rolling: tuple[int, ...], defending: tuple[int, ...], lost: Losses
) -> Next:
    """Each lost pair costs its side a unit, the attacking side from the army that rolled."""
    attacker_last = rolling if len(rolling) == 1 else sorted(rolling, key=partial(is_attacker, setup, combat))
    if defending == (DEFENDER,):
        combat = combat.without((lost.attack, attacker_last), (lost.defence, defending))
        return after_exchange(setup, combat, rolling)
    return Then(reinforced_losses, combat.without((lost.attack, attacker_last)), rolling, lost.defence)


def costs(dice: RankedPairs) -> str:
    """What an exchange costs."""
    pairs = count_of(min(dice.attack, dice.defence), "pair")
    return f"in each of {pairs}, from high to low, the lower die costs its side a unit; {TIES[dice.ties]}"


def roller(setup: Setup, armies: tuple[int, ...]) -> Roller:
    """The players of these armies together; the dice are the first one's to roll."""
    players = [setup.player(army) for army in armies]
    return Roller(", ".join(players), players[0])


@rule("1.1.02")
def reinforced_losses(setup: Setup, combat: Combat, rolling: tuple[int, ...], losses: int) -> Steps:
    """Allies bleed before the Defender does: only what they cannot bear costs the Defender units."""
    defending = at_location(setup, combat, "defend")
    if losses and len(defending) > 1 and setup.rules.defending_losses == "owner_chooses":
        options = [
            Option(setup.player(army), f"{setup.player(army)} ({count_of(combat.units[army], 'unit')} left)", army)
            for army in defending
        ]
        army = yield from choose(setup.defender.player, "Which army loses a unit?", options)
        return Then(reinforced_losses, combat.without((1, [army])), rolling, losses - 1)
    reinforcements = [army for army in defending if army != DEFENDER]
    if setup.rules.defending_losses == "last_arrived":
        reinforcements.reverse()
    return after_exchange(setup, combat.without((losses, [*reinforcements, DEFENDER])), rolling)


def after_exchange(setup: Setup, combat: Combat, rolling: tuple[int, ...]) -> Next:
    """One exchange an arrival; where combat is to the death, the survivors roll again."""
    if setup.rules.duration == "one_round":
        return Then(next_turn, combat)
    return Then(exchange, combat, tuple([army for army in rolling if combat.units[army]]))


@rule("1.1.03")
def resolution(setup: Setup, combat: Combat) -> Next:
    """A defending army with units holds the Location, and attacking armies go back to where they came from.

    Where no defender is left, the Attacker takes it, or else the first attacking reinforcement that has units.
    """
    defending, attacking = (at_location(setup, combat, side) for side in ("defend", "attack"))
    resolved = partial(Resolved, units=combat.units, held_back=combat.held_back)
    if defending:
        return End(resolved(possessor=defending[0], guests=defending[1:], returns=attacking))
    if attacking:
        return End(resolved(possessor=attacking[0], guests=attacking[1:]))
    return End(resolved(possessor=DEFENDER if setup.rules.nobody_left == "defender_keeps" else None))


RULES = (
    next_turn,
    attack,
    exchange,
    exchange_losses,
    reinforce_attacker,
    reinforce_defender,
    reinforced_losses,
    resolution,
)

PARAGRAPHS = {
    "1.1.00: whose units fall": "Not asked: the units of an army are all alike, so that only their number is kept.",
    "1.1.02: allies": "Decided at the table: who is whose ally, and in which order the players have their turns. The "
    "file lists the arrivals so; whether an optional one comes is asked at its turn.",
    "1.1.03: launch Locations": "Decided at the table: where the armies go that return. The result names them.",
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
