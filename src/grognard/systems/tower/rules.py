"""Combat, steps 1 to 9. The chapter's fourth item is two steps here: 4 says what a hit is, 5 where damage goes."""

from grognard.core.positions import Position
from grognard.core.rules import End, Next, Option, Steps, Then, choose, may, roll, rule
from grognard.readings.tally import Tally
from grognard.systems.tower.defense import highest_defense
from grognard.systems.tower.ground import is_adjacent_attack, reaches
from grognard.systems.tower.push import pushed
from grognard.systems.tower.setup import Setup, Unit
from grognard.systems.tower.state import State, at_first

Units = tuple[int, ...]
"""Units by their numbers, in the file's order."""


def start(setup: Setup) -> Position:
    """The primary attacker and its target are declared."""
    asked = tuple(unit for unit in friends_in_reach(setup, setup.attacker) if not setup.units[unit].attacked)
    return Position(reinforce_attack, (at_first(setup), asked, setup.attacker.attack))


def friends_in_reach(setup: Setup, primary: Unit) -> Units:
    """Units on a primary unit's side that are adjacent to either primary unit, or have it in their own Range."""
    return tuple(
        number
        for number, unit in enumerate(setup.units)
        if unit.side == primary.side and unit is not primary
        if any(reaches(setup, unit, unit.at, either.at) for either in (setup.attacker, setup.defender))
    )


@rule("1")
def reinforce_attack(setup: Setup, state: State, asked: Units, dice: int) -> Steps:
    """Each unit that has neither attacked nor reinforced an attack this turn may, if it reaches either primary unit."""
    if not asked:
        others = tuple(unit for unit in friends_in_reach(setup, setup.defender) if not setup.units[unit].defended)
        return Then(reinforce_defense, state, others, (setup.number(setup.attack.on),), dice)
    unit = setup.units[asked[0]]
    if (yield from may(unit.side, f"Does {unit.id} reinforce the attack?")):
        return Then(reinforce_attack, state.with_reinforcement(asked[0]), asked[1:], dice + unit.attack)
    return Then(reinforce_attack, state, asked[1:], dice)


@rule("2")
def reinforce_defense(setup: Setup, state: State, asked: Units, defending: Units, dice: int) -> Steps:
    """Each unit that has neither defended nor reinforced a defense this turn may, at the same distances."""
    if not asked:
        return Then(roll_attack, state, defending, dice)
    unit = setup.units[asked[0]]
    if (yield from may(unit.side, f"Does {unit.id} reinforce the defense?")):
        joined = state.with_reinforcement(asked[0])
        return Then(reinforce_defense, joined, asked[1:], (*defending, asked[0]), dice)
    return Then(reinforce_defense, state, asked[1:], defending, dice)


@rule("3")
def roll_attack(setup: Setup, state: State, defending: Units, dice: int) -> Steps:
    """One die for each Attack point of the primary attacker and of all that reinforce it."""
    hits = 0
    if dice:
        hit = (highest_defense(setup, state, defending), 6)  # 4: met or exceeded
        (hits,) = yield from roll(Tally(dice, 6, (hit,)), setup.attacker.side)
    return Then(damage_primary, state, defending, hits)


@rule("5")
def damage_primary(setup: Setup, state: State, defending: Units, hits: int) -> Next:
    """Damage goes to the primary defender first, up to its Health; what nobody can take is lost."""
    primary, *reinforcements = defending
    beyond = max(0, hits - state.health[primary])
    room = sum(state.health[unit] for unit in reinforcements)
    return Then(spread_damage, state.damaged(primary, hits), defending, min(beyond, room))


@rule("5")
def spread_damage(setup: Setup, state: State, defending: Units, damage: int) -> Steps:
    """The defender spreads the rest among the reinforcements, point by point, each up to its Health."""
    if not damage:
        return Then(push, state, defending)
    options = [
        Option(setup.units[unit].id, f"{setup.units[unit].id} (Health {state.health[unit]})", unit)
        for unit in state.living(defending)
    ]
    unit = yield from choose(setup.defender.side, "Which reinforcement takes a point of damage?", options)
    return Then(spread_damage, state.damaged(unit, 1), defending, damage - 1)


@rule("6")
def push(setup: Setup, state: State, defending: Units) -> Next:
    """A primary defender that lives, but was hurt and is at half its Health or below, is pushed a tile away."""
    primary = defending[0]
    health, before = state.health[primary], setup.defender.health
    half_of = before if setup.rules.half_of == "health_before_this_attack" else setup.defender.unhurt
    is_hurt = 0 < health < before and 2 * health <= half_of
    if is_hurt and (setup.rules.ranged_push or is_adjacent_attack(setup)):
        state = pushed(setup, state, primary)
    return Then(counterattack, state, defending)


@rule("7")
def counterattack(setup: Setup, state: State, defending: Units) -> Steps:
    """A primary defender that lives and has the attacker in range may roll a die per point of the highest Defense."""
    at = state.at[defending[0]]
    if at is None:
        return Then(advance, state)
    tile = setup.defender.at if setup.rules.counter_range == "before_push" else at
    counting = defending if setup.rules.counter_dice_from == "all_who_defended" else state.living(defending)
    dice = highest_defense(setup, state, counting)
    if not dice or not reaches(setup, setup.defender, tile, setup.attacker.at):
        return Then(advance, state)
    if not (yield from may(setup.defender.side, f"Does {setup.attack.on} counterattack?")):
        return Then(advance, state)
    above = (setup.attacker.speed + 1, 6)  # 8
    (damage,) = yield from roll(Tally(dice, 6, (above,)), setup.defender.side)
    return Then(damage_attacker, state, damage)


@rule("8")
def damage_attacker(setup: Setup, state: State, damage: int) -> Next:
    """The primary attacker takes one damage for each die of the counterattack above its Speed."""
    return Then(advance, state.damaged(setup.number(setup.attack.by), damage))


@rule("9")
def advance(setup: Setup, state: State) -> Steps:
    """A primary attacker that lives may move onto the defender's tile, if the defender was pushed off it or died."""
    attacker, tile = setup.number(setup.attack.by), setup.defender.at
    is_free = state.at[setup.number(setup.attack.on)] != tile
    can_advance = state.health[attacker] > 0 and is_free and (setup.rules.ranged_advance or is_adjacent_attack(setup))
    prompt = f"Does {setup.attack.by} move onto the tile of {setup.attack.on}?"
    if can_advance and (yield from may(setup.attacker.side, prompt)):
        return End(state.moved({attacker: tile}))
    return End(state)


RULES = (
    reinforce_attack,
    reinforce_defense,
    roll_attack,
    damage_primary,
    spread_damage,
    push,
    counterattack,
    damage_attacker,
    advance,
)

PARAGRAPHS = {
    "4": "A hit is a die that meets or exceeds the highest Defense of the defending units. One of them in its home "
    "capital makes that number 2 higher, 6 at most. No rule of its own: the dice of step 3 are read against it.",
}
