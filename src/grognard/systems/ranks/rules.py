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
    """The first position: the Defender is alone at the Location."""
    units = tuple(army.units for army in setup.armies)
    return Position(next_turn, (Combat(turn=0, units=units),))


def arrives(setup: Setup, combat: Combat) -> Generator[Question, object, bool]:
    """Whether the next army arrives: of an optional one, its player decides."""
    army = setup.arrivals[combat.turn]
    return not army.optional or (yield from may(army.player, arrival_prompt(setup, combat)))


def arrival_prompt(setup: Setup, combat: Combat) -> str:
    """The question to the player of the next army, which is optional."""
    army = setup.arrivals[combat.turn]
    arrived = [other for other in range(1, combat.turn + 1) if other not in combat.held_back]
    attacker = next((setup.player(other) for other in arrived if setup.side(other) == "attack"), None)
    if army.side == "attack" and attacker is None:
        return f"Send {count_of(army.units, 'unit')} to attack {setup.defender.player}?"
    return (
        f"Send {count_of(army.units, 'unit')} to help {attacker if army.side == 'attack' else setup.defender.player}?"
    )


def armies_that_roll(setup: Setup, combat: Combat) -> tuple[int, ...]:
    """The last attacking army that has units; by a house rule, all attacking armies."""
    attacking = at_location(setup, combat, "attack")
    return attacking if setup.rules.who_rolls == "all_attackers" else attacking[-1:]


@rule("1.1.00")
def next_turn(setup: Setup, combat: Combat) -> Next:
    """The combat lasts until every player has had a turn in the round."""
    if combat.turn == len(setup.arrivals):
        return Then(resolution, combat)
    army = combat.turn + 1
    if setup.side(army) == "defend":
        return Then(reinforce_defender, combat)
    return Then(attack if is_attacker(setup, combat, army) else reinforce_attacker, combat)


@rule("1.1.00")
def attack(setup: Setup, combat: Combat) -> Steps:
    """The first army to attack is the Attacker's. It rolls when it arrives."""
    if not (yield from arrives(setup, combat)):
        return Then(next_turn, combat.after_turn(held_back=True))
    return Then(exchange, combat.after_turn(held_back=False), (combat.turn + 1,))


@rule("1.1.01")
def reinforce_attacker(setup: Setup, combat: Combat) -> Steps:
    """An ally of the Attacker rolls when it arrives. Earlier attackers do not roll."""
    if not (yield from arrives(setup, combat)):
        return Then(next_turn, combat.after_turn(held_back=True))
    arrived = combat.after_turn(held_back=False)
    if not at_location(setup, arrived, "defend"):
        return Then(next_turn, with_next_arrivals(setup, arrived, "attack"))
    return Then(exchange, arrived, armies_that_roll(setup, arrived))


def with_next_arrivals(setup: Setup, combat: Combat, side: Faction) -> Combat:
    """The state after the next arrivals of this side too, up to the first optional one, as none of them rolls."""
    coming = setup.arrivals[combat.turn :]
    quiet = takewhile(lambda army: army.side == side and not army.optional, coming)
    return combat._replace(turn=combat.turn + sum(1 for _ in quiet))


@rule("1.1.02")
def reinforce_defender(setup: Setup, combat: Combat) -> Steps:
    """An ally of the Defender joins without a roll, unless a house rule makes attackers roll at any arrival."""
    if not (yield from arrives(setup, combat)):
        return Then(next_turn, combat.after_turn(held_back=True))
    arrived = combat.after_turn(held_back=False)
    if setup.rules.exchange_on == "attacker_arrives":
        return Then(next_turn, with_next_arrivals(setup, arrived, "defend"))
    return Then(exchange, arrived, armies_that_roll(setup, arrived))


@rule("1.1.00")
def exchange(setup: Setup, combat: Combat, rolling: tuple[int, ...]) -> Next:
    """Every unit of the arriving army and of the defending side rolls. Dice are paired from high to low.

    There is no roll if a side has no unit.
    """
    defending, die = at_location(setup, combat, "defend"), setup.rules.die
    if not rolling or not defending:
        return Then(next_turn, combat)
    dice = RankedPairs(combat.total(rolling), combat.total(defending), die, die, setup.rules.ties)
    by = roller(setup, rolling), roller(setup, defending)
    return Roll(dice, by, "Exchange", success_text(dice), then=(exchange_losses, combat, rolling, defending))


@rule("1.1.00")
def exchange_losses(
    setup: Setup, combat: Combat, rolling: tuple[int, ...], defending: tuple[int, ...], lost: Losses
) -> Next:
    """Each lost pair costs its side a unit. The attacking side loses it from the army that rolled."""
    attacker_last = rolling if len(rolling) == 1 else sorted(rolling, key=partial(is_attacker, setup, combat))
    if defending == (DEFENDER,):
        combat = combat.without((lost.attack, attacker_last), (lost.defence, defending))
        return after_exchange(setup, combat, rolling)
    return Then(reinforced_losses, combat.without((lost.attack, attacker_last)), rolling, lost.defence)


def success_text(dice: RankedPairs) -> str:
    """What the dice of an exchange decide, for people."""
    pairs = count_of(min(dice.attack, dice.defence), "pair")
    return f"in each of {pairs}, from high to low, the lower die costs its side a unit; {TIES[dice.ties]}"


def roller(setup: Setup, armies: tuple[int, ...]) -> Roller:
    """The players of these armies, of whom the first rolls."""
    players = [setup.player(army) for army in armies]
    return Roller(", ".join(players), players[0])


@rule("1.1.02")
def reinforced_losses(setup: Setup, combat: Combat, rolling: tuple[int, ...], losses: int) -> Steps:
    """Losses fall on the Defending Reinforcements first. Only the rest falls on the Defender."""
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
    """Each arrival brings one exchange; by a house rule, survivors roll again until one side is gone."""
    if setup.rules.duration == "one_round":
        return Then(next_turn, combat)
    return Then(exchange, combat, tuple([army for army in rolling if combat.units[army]]))


@rule("1.1.03")
def resolution(setup: Setup, combat: Combat) -> Next:
    """A defending army with units holds the Location, and attacking armies return to their launch Locations.

    If no defender is left, the Attacker takes it, or else the first attacking reinforcement with units.
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
    "1.1.00: whose units fall": "Not asked: the units of an army are all alike, so only their number matters.",
    "1.1.02: allies": "Decided at the table: who is allied with whom, and in which order players have their turns. The "
    "file lists the arrivals in that order. The player of an optional army is asked at its turn whether it comes.",
    "1.1.03: launch Locations": "Decided at the table: where returning armies go. The result names them.",
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
