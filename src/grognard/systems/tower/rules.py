"""Combat, steps 1 to 9. The chapter's fourth item is two steps here: 4 says what hits, 5 distributes the damage."""

from typing import Literal

from grognard.board.tiles import Tile
from grognard.core.positions import Position
from grognard.core.rules import End, Next, Option, Roller, Steps, Then, choose, may, roll, rule
from grognard.core.turns import choose_attack
from grognard.core.wording import the
from grognard.readings.tally import Tally
from grognard.systems.tower.attacks import (
    attacks_of_turn,
    declared,
    directions_to,
    distance,
    is_possible,
    next_tile,
    reaches,
)
from grognard.systems.tower.setup import Declared, Setup, State, Units, first_state


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


def attacked_tile(state: State) -> Tile:
    """The primary defender's tile when it was attacked."""
    tile = current_attack(state).tile
    assert tile is not None
    return tile


def tile_of(state: State, unit: int) -> Tile:
    """The tile of a living unit."""
    tile = state.at[unit]
    assert tile is not None
    return tile


def end_attack(setup: Setup, state: State) -> Next:
    """End the attack; in a turn another may follow."""
    state = state._replace(attack=None)
    return Then(next_attack, state) if setup.turn else End(state)


def relevant(setup: Setup, state: State) -> State:
    """The state without the units' marks once a single attack is declared; in a turn marks matter to the end."""
    if setup.turn or current_attack(state).tile is None or not (state.attacked or state.defended):
        return state
    return state._replace(attacked=(), defended=())


@rule("1")
def declare(setup: Setup, state: State) -> Steps:
    """The attacker moves towards its target. If two directions are equally good, its player chooses."""
    attack = current_attack(state)
    unit = setup.units[attack.by]
    options = [Option(way, way, way) for way in directions_of(setup, state)]
    direction = yield from choose(unit.side, f"In which direction does {the(unit.id)} attack?", options)
    state = with_direction(state, direction)
    attackers = tuple(other for other in friends_in_reach(setup, state, attack.by) if other not in state.attacked)
    defenders = tuple(other for other in friends_in_reach(setup, state, attack.on) if other not in state.defended)
    state = state.after_attacking(attack.by).after_defending(attack.on)
    return Then(reinforce_attack, state, attackers, defenders, unit.attack)


def directions_of(setup: Setup, state: State) -> list[str]:
    """The directions in which the attacker may move: the one that the file names, or else those towards the target."""
    attack = current_attack(state)
    if attack.direction:
        return [attack.direction]
    return directions_to(setup, tile_of(state, attack.by), tile_of(state, attack.on))


def with_direction(state: State, direction: str) -> State:
    """The state in which the attack begins, in this direction."""
    attack = current_attack(state)
    tile, health = state.at[attack.on], state.health[attack.on]
    return state._replace(attack=attack._replace(direction=direction, tile=tile, health=health))


def friends_in_reach(setup: Setup, state: State, primary: int) -> Units:
    """Units on a primary unit's side that are adjacent to either primary unit, or have either in Range."""
    attack, side = current_attack(state), setup.units[primary].side
    tiles = [tile_of(state, unit) for unit in (attack.by, attack.on)]
    return tuple(
        number
        for number, (unit, at) in enumerate(zip(setup.units, state.at, strict=True))
        if unit.side == side and number != primary and at is not None
        if any(reaches(setup, number, at, tile) for tile in tiles)
    )


@rule("1")
def reinforce_attack(setup: Setup, state: State, attackers: Units, defenders: Units, dice: int) -> Steps:
    """Each unit that has neither attacked nor reinforced an attack this turn may join, if it reaches a primary unit."""
    if not attackers:
        return Then(reinforce_defense, state, defenders, (current_attack(state).on,), dice)
    unit = setup.units[attackers[0]]
    if (yield from may(unit.side, f"Does {the(unit.id)} reinforce the attack?")):
        joined = state.after_attacking(attackers[0])
        return Then(reinforce_attack, joined, attackers[1:], defenders, dice + unit.attack)
    return Then(reinforce_attack, state, attackers[1:], defenders, dice)


@rule("2")
def reinforce_defense(setup: Setup, state: State, defenders: Units, defending: Units, dice: int) -> Steps:
    """Each unit that has neither defended nor reinforced a defense this turn may join, within the same reach."""
    if not defenders:
        return Then(roll_attack, state, defending, dice)
    unit = setup.units[defenders[0]]
    if (yield from may(unit.side, f"Does {the(unit.id)} reinforce the defense?")):
        joined = state.after_defending(defenders[0])
        return Then(reinforce_defense, joined, defenders[1:], (*defending, defenders[0]), dice)
    return Then(reinforce_defense, state, defenders[1:], defending, dice)


@rule("3")
def roll_attack(setup: Setup, state: State, defending: Units, dice: int) -> Steps:
    """The attacker rolls a die for each Attack point of the primary attacker and its reinforcements."""
    hits = 0
    if dice:
        needed = highest_defense(setup, state, defending)  # 4: met or exceeded
        attacker = setup.units[current_attack(state).by]
        (hits,) = yield from roll(
            Tally(dice, 6, ((needed, 6),)),
            Roller(attacker.id, attacker.side),
            purpose="Attack roll",
            success=f"each {needed} or more is a hit on {the(setup.units[current_attack(state).on].id)}",
        )
    return Then(damage_primary, state, defending, hits)


def highest_defense(setup: Setup, state: State, units: Units) -> int:
    """Steps 4 and 7: the highest Defense among the units, 2 higher in a home capital."""
    defenses = [setup.units[unit].defense for unit in units]
    at_home = [is_in_home_capital(setup, state, unit) for unit in units]
    if setup.rules.capital_bonus == "to_that_unit":
        return max(
            with_capital_bonus(defense) if home else defense for defense, home in zip(defenses, at_home, strict=True)
        )
    return with_capital_bonus(max(defenses)) if any(at_home) else max(defenses)


def is_in_home_capital(setup: Setup, state: State, unit: int) -> bool:
    tile = state.at[unit]
    return tile is not None and tile == setup.board.capitals.get(setup.units[unit].side)


def with_capital_bonus(number: int) -> int:
    """The number plus 2, at most 6. A number above 6 stays as it is."""
    return max(number, min(number + 2, 6))


@rule("5")
def damage_primary(setup: Setup, state: State, defending: Units, hits: int) -> Next:
    """Damage goes to the primary defender first, up to its Health. Damage that no unit can take is lost."""
    primary, *reinforcements = defending
    beyond = max(0, hits - state.health[primary])
    room = sum(state.health[unit] for unit in reinforcements)
    return Then(spread_damage, state.after_damage(primary, hits), defending, min(beyond, room))


@rule("5")
def spread_damage(setup: Setup, state: State, defending: Units, damage: int) -> Steps:
    """The defender distributes the rest among the reinforcements, point by point, each up to its Health."""
    if not damage:
        return Then(push, state, defending)
    living = state.living(defending)
    if len(living) == 1:
        return Then(push, state.after_damage(living[0], damage), defending)
    options = [
        Option(setup.units[unit].id, f"{setup.units[unit].id} (Health {state.health[unit]})", unit) for unit in living
    ]
    player = setup.units[current_attack(state).on].side
    unit = yield from choose(player, "Which reinforcement takes a point of damage?", options)
    return Then(spread_damage, state.after_damage(unit, 1), defending, damage - 1)


@rule("6")
def push(setup: Setup, state: State, defending: Units) -> Next:
    """A primary defender that survives damage with half its Health or less is pushed one tile away."""
    primary = defending[0]
    health, before = state.health[primary], current_attack(state).health
    half_of = before if setup.rules.half_of == "health_before_this_attack" else setup.units[primary].unhurt
    is_hurt = 0 < health < before and 2 * health <= half_of
    if is_hurt and (setup.rules.ranged_push or is_adjacent_attack(setup, state)):
        state = after_push(setup, state, primary)
    return Then(counterattack, state, defending)


def is_adjacent_attack(setup: Setup, state: State) -> bool:
    """Whether the primary units were adjacent when the attack began, while the attacker lives."""
    return distance(setup, tile_of(state, current_attack(state).by), attacked_tile(state)) == 1


Ahead = Literal["free", "enemy", "edge", "start"]
"""What is ahead of a line of units: a free tile, an enemy, the edge of the board, or the tile where the line starts."""


def after_push(setup: Setup, state: State, primary: int) -> State:
    """The state after the primary defender was pushed, and friends in its way were bumped."""
    line, tiles, ahead = push_line(setup, state, primary)
    match ahead:
        case "free":
            return state.after_move(dict(zip(line, tiles, strict=True)))
        case "enemy" if setup.rules.bumped_into_enemy == "bumped_unit_dies":  # alone in line, the primary is the last
            return state.after_death(line[-1]).after_move(dict(zip(line[:-1], tiles, strict=True)))
        case "enemy":
            return state.after_death(primary)
        case "edge" if setup.rules.off_the_board == "dies":
            return state.after_death(primary)
        case _:
            return state  # nobody can move


def push_line(setup: Setup, state: State, primary: int) -> tuple[list[int], list[Tile], Ahead]:
    """The primary defender and the friends in its way, the tiles they would move to, and what is ahead of the last.

    Unless the tile ahead is free, the last unit has no tile to move to.
    """
    direction, side, first = current_attack(state).direction or "", setup.units[primary].side, attacked_tile(state)
    line, tiles = [primary], list[Tile]()
    tile = next_tile(setup, direction, first)
    while tile is not None and tile != first:
        unit = state.unit_on(tile)
        if unit is None:
            return line, [*tiles, tile], "free"
        if setup.units[unit].side != side:
            return line, tiles, "enemy"
        line.append(unit)
        tiles.append(tile)
        tile = next_tile(setup, direction, tile)
    return line, tiles, "edge" if tile is None else "start"


def units_in_line(setup: Setup, state: State, primary: int) -> list[int]:
    """The primary defender, the friends in its way, and the enemy ahead of the last, if there is one."""
    line, _, ahead = push_line(setup, state, primary)
    tile = next_tile(setup, current_attack(state).direction or "", tile_of(state, line[-1]))
    enemy = state.unit_on(tile) if tile is not None and ahead == "enemy" else None
    return line if enemy is None else [*line, enemy]


@rule("7")
def counterattack(setup: Setup, state: State, defending: Units) -> Steps:
    """A surviving primary defender with the attacker in range may roll a die for each point of the highest Defense."""
    primary, by = defending[0], current_attack(state).by
    at = state.at[primary]
    if at is None:
        return Then(advance, state)
    tile = attacked_tile(state) if setup.rules.counter_range == "before_push" else at
    counting = defending if setup.rules.counter_dice_from == "all_who_defended" else state.living(defending)
    dice = highest_defense(setup, state, counting)
    if not dice or not reaches(setup, primary, tile, tile_of(state, by)):
        return Then(advance, state)
    unit = setup.units[primary]
    if not (yield from may(unit.side, f"Does {the(unit.id)} counterattack?")):
        return Then(advance, state)
    return Then(strike_back, state._replace(attack=current_attack(state)._replace(is_countered=True)), dice)


@rule("7")
def strike_back(setup: Setup, state: State, dice: int) -> Steps:
    """The defender rolls its counterattack."""
    by, on = current_attack(state).by, current_attack(state).on
    unit, attacker = setup.units[on], setup.units[by]
    (damage,) = yield from roll(
        Tally(dice, 6, ((attacker.speed + 1, 6),)),  # 8
        Roller(unit.id, unit.side),
        purpose="Counterattack roll",
        success=f"each die above {attacker.speed} costs {the(attacker.id)} 1 of {state.health[by]} Health",
    )
    return Then(damage_attacker, state._replace(attack=current_attack(state)._replace(is_countered=False)), damage)


@rule("8")
def damage_attacker(setup: Setup, state: State, damage: int) -> Next:
    """The primary attacker takes one damage for each counterattack die above its Speed."""
    return Then(advance, state.after_damage(current_attack(state).by, damage))


@rule("9")
def advance(setup: Setup, state: State) -> Steps:
    """A surviving primary attacker may move onto the defender's tile, if the defender was pushed off it or died."""
    attack, tile = current_attack(state), attacked_tile(state)
    unit = setup.units[attack.by]
    is_free = state.health[attack.by] > 0 and state.at[attack.on] != tile
    can_advance = is_free and (setup.rules.ranged_advance or is_adjacent_attack(setup, state))
    if can_advance and (yield from may(unit.side, f"Does {the(unit.id)} advance?")):
        state = state.after_move({attack.by: tile})
    return end_attack(setup, state)


RULES = (
    next_attack,
    declare,
    reinforce_attack,
    reinforce_defense,
    roll_attack,
    damage_primary,
    spread_damage,
    push,
    counterattack,
    strike_back,
    damage_attacker,
    advance,
)

PARAGRAPHS = {
    "4": "A die that meets or exceeds the highest Defense of the defending units is a hit. If one of them is in its "
    "home capital, that number is 2 higher, 6 at most. The roll of step 3 uses it.",
    "1: movement": "Decided at the table: how the attacker moves before it attacks. With `direction` the file says in "
    "which direction it came; without it the push goes from attacker to defender, along the longer axis.",
    "4: the capital's 2": "Not asked, here and in a counterattack: the 2 is always added.",
    "6: bumping": "Not asked: friends in the way are always bumped, the whole line at once.",
}
