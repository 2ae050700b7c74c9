"""What makes the attack itself impossible (attack 1.0 to 5.0), in a file whose units and figures are right."""

from collections.abc import Iterator

from grognard.board.hexes import distance
from grognard.core.errors import Fault
from grognard.systems.assault.facts import facts, is_in_arc, joint_range, joint_sight, range_to, sight_to
from grognard.systems.assault.figures import Kind
from grognard.systems.assault.profile import Band, profile
from grognard.systems.assault.setup import Fire, Setup, Unit
from grognard.systems.assault.spotting import needs_spotting


def attack_faults(setup: Setup) -> Iterator[Fault]:
    """The attack is on an enemy in range and sight, with a fire status that the attacker can have."""
    attacker, target = setup.attacker, setup.target
    if attacker is target:
        yield Fault("attack.on", f"{target.id} cannot fire on itself")
        return
    if attacker.side == target.side:
        yield Fault("attack.on", f"{target.id} is no enemy: both units are {attacker.side}")
    if attacker.activated:
        yield Fault("attack.by", f"{attacker.id} was activated already this turn")
    if setup.command_points.get(attacker.side) == 0:
        yield Fault(f"command_points.{attacker.side}", f"there is none left to activate {attacker.id} with")
    found = list(_range(setup))
    yield from found
    yield from _sight(setup)
    yield from _fire_status(setup)
    if not found:
        yield from _spotting(setup)
        yield from _joint_fire(setup)


def _is_all_by_hand(setup: Setup) -> bool:
    return setup.attack.dice is not None and setup.attack.defense is not None


def _range(setup: Setup) -> Iterator[Fault]:
    """The range is known, and the card has dice for it."""
    attack, attacker = setup.attack, setup.attacker
    hexes = range_to(setup, attacker, attack.range)
    if hexes is None:
        if not _is_all_by_hand(setup):
            yield Fault("attack.range", "is missing: expected the hexes between the two, or both units `at` on a board")
    else:
        yield from _bands(setup, attacker, hexes, "attack.range", needs_dice=attack.dice is None)


def _bands(setup: Setup, unit: Unit, hexes: int, place: str, *, needs_dice: bool) -> Iterator[Fault]:
    """The unit has dice for this target at this range."""
    target, is_indirect = profile(setup, setup.target), setup.attack.fire is Fire.INDIRECT and unit is setup.attacker
    bands = profile(setup, unit).bands(target, is_indirect)
    if not bands and needs_dice:
        what = (
            "in indirect fire" if is_indirect else "against armour" if target.is_armoured else "against such a target"
        )
        row = "v_indirect" if is_indirect else "v_armour" if target.is_armoured else "v_infantry"
        why = f"it needs a card with such dice, or `{row}`, or the attack's `dice` gathered by hand"
        owner = "attack.by" if unit is setup.attacker else place
        yield Fault(owner, f"{unit.id} has no dice {what}: {why}")
    elif bands and not any(hexes in band.ranges for band in bands):
        yield Fault(place, f"{setup.attack.on} is {hexes} hexes from {unit.id}, whose dice reach {_reach(bands)}")


def _reach(bands: list[Band]) -> str:
    ends = [(band.ranges[0], band.ranges[-1]) for band in bands]
    return ", ".join(f"{near}–{far}" if far > near else str(near) for near, far in ends)


def _sight(setup: Setup) -> Iterator[Fault]:
    if setup.attack.fire is Fire.INDIRECT:
        return
    sight = sight_to(setup, setup.attacker, setup.attack.hindering)
    if sight.is_blocked:
        hindered = f": {sight.hindering} hexes hinder it, and 2 are the most" if sight.hindering > 2 else ""
        place = "attack.on" if setup.attack.hindering is None else "attack.hindering"
        yield Fault(place, f"the line of sight from {setup.attack.by} to {setup.attack.on} is blocked{hindered}")


def _fire_status(setup: Setup) -> Iterator[Fault]:
    """What the attacker cannot do: artillery on the move, fire out of arc without a turret."""
    it, fire = profile(setup, setup.attacker), setup.attack.fire
    name, is_inside = setup.attack.by, is_in_arc(setup)
    if it.kind is Kind.ARTILLERY and fire.is_moving:
        yield Fault("attack.fire", f'found "{fire}", but {name} is artillery, which cannot move and fire in one turn')
    if fire is Fire.TURRET_FIRING and not it.has_turret:
        yield Fault("attack.fire", f"{name} has no turret")
    elif fire is Fire.TURRET_FIRING and is_inside:
        yield Fault("attack.fire", f'the target is in the arc of fire: {name} is "firing", its turret is not turned')
    elif not is_inside and it.kind is Kind.INFANTRY:
        yield Fault("attack.in_arc", f"{name} is infantry, which fires all round")
    elif not is_inside and not it.has_turret:
        yield Fault("attack.on", f"{setup.attack.on} is out of the arc of fire, and {name} has no turret")
    elif not is_inside and fire is Fire.FIRING:
        yield Fault("attack.fire", f'the target is out of the arc of fire: expected "{Fire.TURRET_FIRING}"')


def _spotting(setup: Setup) -> Iterator[Fault]:
    """A spotting roll needs the card's range bands."""
    attack = setup.attack
    if attack.spotted != "roll" or attack.dice is None or attack.defense is not None:
        return
    bands = profile(setup, setup.attacker).bands(profile(setup, setup.target), attack.fire is Fire.INDIRECT)
    if not bands and needs_spotting(setup, facts(setup)):
        why = f"{attack.by} has no range bands to tell what a spotting roll must show"
        yield Fault("attack.spotted", f"expected true or false: {why}")


def _joint_fire(setup: Setup) -> Iterator[Fault]:
    """Who joins the fire is a friend, not activated, adjacent, and could fire on the target itself."""
    if setup.attack.joint is None:
        return
    friend, attacker, place = setup.unit(setup.attack.joint), setup.attacker, "attack.joint"
    if friend is attacker or friend.side != attacker.side:
        yield Fault(place, f"{friend.id} is no friend of {attacker.id}: expected another unit of {attacker.side}")
        return
    if setup.attack.fire is Fire.INDIRECT:
        yield Fault(place, "nobody joins indirect fire")
    if friend.activated or friend.fired_this_turn:
        yield Fault(place, f"{friend.id} was activated already this turn")
    if setup.board and friend.at and attacker.at and distance(friend.at, attacker.at) != 1:
        yield Fault(place, f"{friend.id} is not adjacent to {attacker.id}")
    if joint_sight(setup, friend).is_blocked:
        yield Fault(place, f"the line of sight from {friend.id} to {setup.attack.on} is blocked")
    hexes = joint_range(setup, friend)
    if hexes is not None:
        yield from _bands(setup, friend, hexes, place, needs_dice=setup.attack.dice is None)
