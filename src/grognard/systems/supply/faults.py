"""What makes an attack illegal, though each field of the file is right."""

from collections.abc import Iterator

from grognard.core.errors import Fault, no_such
from grognard.systems.supply.setup import Setup, Unit
from grognard.systems.supply.ways import bars, candidates, cannot_pay, has_fired, is_too_far, open_ways


def faults(setup: Setup) -> Iterator[Fault]:
    """All that is wrong with the units; then, if the attack names units of this file, with the attack."""
    yield from unit_faults(setup)
    unknown = list(unknown_ids(setup))
    yield from unknown
    if not unknown:
        yield from attack_faults(setup)


def unit_faults(setup: Setup) -> Iterator[Fault]:
    """Ids are unique, and so are squares."""
    ids: dict[str, int] = {}
    squares: dict[tuple[int, int], str] = {}
    for number, unit in enumerate(setup.units):
        if unit.id in ids:
            yield Fault(f"units[{number}].id", f'"{unit.id}" is already the id of units[{ids[unit.id]}]')
        if unit.at in squares:
            message = f"{list(unit.at)} is taken by {squares[unit.at]}: one unit on a square"
            yield Fault(f"units[{number}].at", message)
        ids.setdefault(unit.id, number)
        squares.setdefault(unit.at, unit.id)


def unknown_ids(setup: Setup) -> Iterator[Fault]:
    """Every unit of the attack is one of the file's."""
    ids = [unit.id for unit in setup.units]
    attack = setup.attack
    for place, name in (("by", attack.by), ("on", attack.on), ("through", attack.through)):
        if name is not None and name not in ids:
            yield Fault(f"attack.{place}", no_such("unit", name, ids))


def attack_faults(setup: Setup) -> Iterator[Fault]:
    """The attack is on an enemy in range, by a unit that has not attacked, and at least one way is open."""
    caller, target, attack = setup.units[setup.attacker], setup.units[setup.target], setup.attack
    if caller is target:
        yield Fault("attack.on", f"{target.id} cannot attack itself")
        return
    if caller.side == target.side:
        yield Fault("attack.on", f"{target.id} is no enemy: both units are {caller.side}")
    if caller.fired:
        yield Fault("attack.by", has_fired(caller))
    if too_far := is_too_far(setup, caller):
        yield Fault("attack.on", too_far)
    if attack.through is not None:
        if attack.how == "direct":
            yield Fault("attack.through", 'a direct attack goes through nobody: leave it out, or how = "call in"')
        if because := "; ".join(bars_to_calling(setup, setup.units[setup.place(attack.through)])):
            yield Fault("attack.through", because)
    elif not (caller.fired or too_far or open_ways(setup)):
        yield no_way_open(setup)


def bars_to_calling(setup: Setup, unit: Unit) -> list[str]:
    """All that keeps the attacking unit from calling in this one."""
    caller = setup.units[setup.attacker]
    if unit is caller:
        return [f"{unit.id} cannot call in itself"]
    enemy = (
        [] if unit.side == caller.side else [f"{unit.id} is no friend: it is {unit.side}, {caller.id} {caller.side}"]
    )
    return [*enemy, *([] if unit.indirect else [f"{unit.id} has no Indirect Fire"]), *bars(setup, unit)]


def no_way_open(setup: Setup) -> Fault:
    """Why each way of attacking is closed."""
    caller, how = setup.units[setup.attacker], setup.attack.how
    calls = [f"call in {unit.id}: {', '.join(bars(setup, unit))}" for unit in candidates(setup)]
    if not calls:
        calls = [f"call in: no other unit of {caller.side} has Indirect Fire"]
    closed = {"direct": [f"direct: {cannot_pay(caller)}"], "call in": calls}
    reasons = closed[how] if how else closed["direct"] + closed["call in"]
    return Fault("attack.how" if how else "attack", f"no way to attack is open. {'; '.join(reasons)}")
