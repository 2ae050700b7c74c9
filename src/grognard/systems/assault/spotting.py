"""Spotting (MR 10.5): whether a roll is needed, and what it must show."""

from grognard.systems.assault.data import tables, terrain
from grognard.systems.assault.facts import Facts
from grognard.systems.assault.figures import Area
from grognard.systems.assault.profile import profile, weakest_of
from grognard.systems.assault.setup import Fire, Setup


def needs_spotting(setup: Setup, facts: Facts) -> bool:
    """Whether the target is not seen at once. The first of these questions that has an answer settles it."""
    target = setup.target
    is_concealed = target.hidden or target.ambush
    if target.fired_this_turn or target.fast or target.delayed:
        return False
    if facts.range == 1 and not is_concealed:
        return False
    if target.hiding or is_concealed or not facts.in_arc:
        return True
    return has_cover(setup, facts)


def has_cover(setup: Setup, facts: Facts) -> bool:
    """Whether the target's hex gives it a die and is not open ground."""
    ground = terrain(setup, facts.terrain)
    dice = getattr(ground, profile(setup, setup.target).kind)
    return bool(weakest_of(dice, facts.areas or (Area.ABOVE,))) and not ground.open


def to_reach(setup: Setup, facts: Facts) -> int:
    """What the d6 must show: the band's number, and what takes from the roll added to it."""
    attacker, target = profile(setup, setup.attacker), profile(setup, setup.target)
    band = next(
        number
        for number, band in enumerate(attacker.bands(target, setup.attack.fire is Fire.INDIRECT))
        if facts.range in band.ranges
    )
    spotting = tables(setup).spotting
    assert spotting
    needed = (spotting.close, spotting.medium, spotting.long)[min(band, 2)]
    return needed - bonus(setup, facts)


def bonus(setup: Setup, facts: Facts) -> int:
    """What is added to the roll: less than nothing for whatever hinders or hides, and special abilities."""
    unit = setup.target
    total = -(facts.hindering > 0) - unit.hiding - 2 * (unit.hidden or unit.ambush)
    for side, when in ((setup.attacker, "attacking"), (unit, "defending")):
        total += sum(ability.spotting for ability in profile(setup, side).abilities if ability.when == when)
    return total
