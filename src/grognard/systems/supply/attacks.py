"""Which attacks are possible in a state, and why others are illegal."""

from collections.abc import Hashable, Iterator

from grognard.board.squares import diagonal, orthogonal
from grognard.core.errors import Fault, no_such_name
from grognard.core.systems import Mark, PossibleAttack
from grognard.core.turns import attack_or_turn_faults, duplicate_id_faults, turn_faults
from grognard.systems.supply.setup import Card, Declared, Setup, State, Unit, first_state

COUNTED = {"orthogonal": orthogonal, "diagonal": diagonal}


def attacks_of_turn(setup: Setup) -> Iterator[PossibleAttack]:
    """Every attack that the turn's side could ever declare: each of its units on each enemy in its range.

    An attack involves attacker, target, and all units that could ever be called in. A unit that keeps its attack can
    make it once for each of these, and once by itself.
    """
    side, units = setup.side, setup.units
    indirect = [number for number, unit in enumerate(units) if unit.side == side and unit.indirect]
    for by, on in attack_pairs(setup):
        called = [number for number in indirect if number != by and is_in_range(setup, number, on)]
        name, target = units[by].id, units[on].id
        times = 1 + len(called) if setup.rules.caller_keeps_attack else 1
        declared_attack = Declared(by=by, on=on)
        yield PossibleAttack(f"{name} on {target}", name, target, declared_attack, (by, on, *called), times=times)


def attack_pairs(setup: Setup) -> Iterator[tuple[int, int]]:
    """Every unit of the turn's side that has not attacked, with each enemy in its range."""
    units = list(enumerate(setup.units))
    enemies = [number for number, unit in units if unit.side != setup.side]
    for by, unit in units:
        if unit.side == setup.side and not unit.fired:
            yield from ((by, on) for on in enemies if is_in_range(setup, by, on))


def interchangeable(setup: Setup, objective: str) -> list[list[int]]:
    """Units that differ only in their cards, and have the same enemies in range and in theirs.

    Only units that have not fired before the turn can attack or be called in, so the others are not like them.
    """
    enemies: list[list[tuple[int, bool]]] = [[] for _ in setup.units]
    for by, on in attack_pairs(setup):
        can_be_countered = is_in_range(setup, on, by)
        enemies[by].append((on, can_be_countered))
        enemies[on].append((by, can_be_countered))
    groups: dict[Hashable, list[int]] = {}
    for number, unit in enumerate(setup.units):
        is_target = objective == "kill" and number == setup.target
        marks = unit.indirect, unit.fired, is_target
        kind = (unit.side == setup.side, unit.die, unit.ammo, marks, tuple(enemies[number]))
        groups.setdefault(kind, []).append(number)
    return list(groups.values())


def marks(setup: Setup, unit: int, card: Card) -> list[Mark]:
    return [Mark(setup.units[unit].id, "has {} supply", card.supply)]


def is_possible(setup: Setup, state: State, attack: Declared) -> bool:
    stands = state.cards[attack.by].strength and state.cards[attack.on].strength
    return bool(stands) and next(attack_faults(setup, state, attack), None) is None


def is_in_range(setup: Setup, unit: int, other: int) -> bool:
    return distance(setup, unit, other) <= setup.units[unit].range


def distance(setup: Setup, unit: int, other: int) -> int:
    return COUNTED[setup.rules.distance](setup.units[unit].at, setup.units[other].at)


def ways_to_attack(setup: Setup, state: State, attack: Declared) -> list[int]:
    """The units that could fire in this attack: the attacking unit itself first, then those it could call in.

    It is assumed that the attacking unit has the target in range and has not attacked yet.
    """
    is_call_in = attack.how == "call in" or attack.through is not None
    ways = [] if is_call_in else [attack.by]
    if attack.how != "direct":
        ways += [unit for unit in units_to_call(setup, attack) if attack.through in (None, unit)]
    return [unit for unit in ways if not firing_obstacles(setup, state, unit, attack.on)]


def units_to_call(setup: Setup, attack: Declared) -> list[int]:
    """The Indirect Fire units of the attacking side: never the attacking unit itself."""
    side = setup.units[attack.by].side
    return [n for n, unit in enumerate(setup.units) if unit.indirect and unit.side == side and n != attack.by]


def firing_obstacles(setup: Setup, state: State, unit: int, target: int) -> list[str]:
    """Every reason why the unit cannot fire at the target."""
    reasons = (
        fired_obstacle(setup, state, unit),
        range_obstacle(setup, unit, target),
        supply_obstacle(setup, state, unit),
        "" if state.cards[unit].strength else f"{setup.units[unit].id} is destroyed",
    )
    return [reason for reason in reasons if reason]


def fired_obstacle(setup: Setup, state: State, unit: int) -> str:
    """That the unit's attack is used up; empty if it is not."""
    return f"{setup.units[unit].id} has attacked already this turn" if state.cards[unit].fired else ""


def range_obstacle(setup: Setup, unit: int, target: int) -> str:
    """That the target is out of the unit's range; empty if it is not."""
    if is_in_range(setup, unit, target):
        return ""
    firing, away = setup.units[unit], distance(setup, unit, target)
    return f"{setup.units[target].id} is {away} squares from {firing.id}, whose range is {firing.range}"


def supply_obstacle(setup: Setup, state: State, unit: int) -> str:
    """That the unit cannot pay; empty if it can."""
    ammo, supply = setup.units[unit].ammo, state.cards[unit].supply
    if supply >= ammo:
        return ""
    return f"{setup.units[unit].id} cannot pay: its Ammunition Cost is {ammo}, its supply {supply}"


def faults(setup: Setup) -> Iterator[Fault]:
    """The faults of the units; then of the attack, if the units that it names exist."""
    yield from unit_faults(setup)
    yield from attack_or_turn_faults(setup)
    if setup.turn:
        yield from turn_faults(setup)
    elif setup.attack:
        unknown = list(unknown_ids(setup))
        yield from unknown
        if not unknown:
            yield from attack_faults(setup, first_state(setup), declared(setup))


def declared(setup: Setup) -> Declared:
    attack = setup.declared
    through = None if attack.through is None else setup.number(attack.through)
    return Declared(by=setup.number(attack.by), on=setup.number(attack.on), how=attack.how, through=through)


def unit_faults(setup: Setup) -> Iterator[Fault]:
    """Ids are unique, and so are squares."""
    yield from duplicate_id_faults("units", [unit.id for unit in setup.units])
    squares: dict[tuple[int, int], str] = {}
    for number, unit in enumerate(setup.units):
        if unit.at in squares:
            message = f"{list(unit.at)} is taken by {squares[unit.at]}: one unit on a square"
            yield Fault(f"units[{number}].at", message)
        squares.setdefault(unit.at, unit.id)


def unknown_ids(setup: Setup) -> Iterator[Fault]:
    """Every unit of the attack is one of the file's."""
    ids = [unit.id for unit in setup.units]
    attack = setup.declared
    for place, name in (("by", attack.by), ("on", attack.on), ("through", attack.through)):
        if name is not None and name not in ids:
            yield Fault(f"attack.{place}", no_such_name("unit", name, ids), "unknown_name")


def attack_faults(setup: Setup, state: State, attack: Declared) -> Iterator[Fault]:
    """The attack is on an enemy in range, by a unit that has not attacked, and there is a way to attack."""
    caller, target = setup.units[attack.by], setup.units[attack.on]
    if attack.by == attack.on:
        yield Fault("attack.on", f"{target.id} cannot attack itself")
        return
    if caller.side == target.side:
        yield Fault("attack.on", f"{target.id} is no enemy: both units are {caller.side}")
    if state.cards[attack.by].fired:
        yield Fault("attack.by", fired_obstacle(setup, state, attack.by))
    if too_far := range_obstacle(setup, attack.by, attack.on):
        yield Fault("attack.on", too_far)
    if attack.through is not None:
        if attack.how == "direct":
            yield Fault("attack.through", 'a direct attack goes through nobody: leave it out, or how = "call in"')
        if obstacles := calling_obstacles(setup, state, attack, attack.through):
            yield Fault("attack.through", "; ".join(obstacles))
    elif not (state.cards[attack.by].fired or too_far or ways_to_attack(setup, state, attack)):
        yield no_way_fault(setup, state, attack)


def calling_obstacles(setup: Setup, state: State, attack: Declared, through: int) -> list[str]:
    """Every reason why the attacking unit cannot call in this unit."""
    unit, caller = setup.units[through], setup.units[attack.by]
    if unit is caller:
        return [f"{unit.id} cannot call in itself"]
    is_enemy = unit.side != caller.side
    enemy = [f"{unit.id} is no friend: it is {unit.side}, {caller.id} {caller.side}"] if is_enemy else []
    direct_only = [] if unit.indirect else [f"{unit.id} has no Indirect Fire"]
    return [*enemy, *direct_only, *firing_obstacles(setup, state, through, attack.on)]


def no_way_fault(setup: Setup, state: State, attack: Declared) -> Fault:
    """The fault that there is no way to attack, with the reason for each way."""
    called: list[tuple[Unit, list[str]]] = [
        (setup.units[unit], firing_obstacles(setup, state, unit, attack.on)) for unit in units_to_call(setup, attack)
    ]
    calls = [f"call in {unit.id}: {', '.join(reasons)}" for unit, reasons in called]
    if not calls:
        calls = [f"call in: no other unit of {setup.units[attack.by].side} has Indirect Fire"]
    closed = {"direct": [f"direct: {supply_obstacle(setup, state, attack.by)}"], "call in": calls}
    reasons = closed[attack.how] if attack.how else closed["direct"] + closed["call in"]
    return Fault("attack.how" if attack.how else "attack", f"no way to attack is open. {'; '.join(reasons)}")
