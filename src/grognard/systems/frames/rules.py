"""The chapter on resolving attacks. Its paragraphs have no numbers: they are known here by their headings."""

from collections.abc import Generator
from functools import lru_cache

from grognard.core.rules import End, Next, Option, Question, Steps, Then, choose, may, roll, rule
from grognard.readings.mapped import Mapped
from grognard.systems.frames.charts import CHART_1, CHART_2, CHART_3, CHART_4, CHART_5, BehindTerrain
from grognard.systems.frames.kinds import ALIKE, Kind, Range
from grognard.systems.frames.setup import Setup
from grognard.systems.frames.spotting import place_spot, standing_covers
from grognard.systems.frames.state import WHITE_DIE, State


@rule("Does the Attack Strike Home?")
def use_spot(setup: Setup, state: State, attack: int, defense: int) -> Steps:
    """The attacker may add the spot on the target, whoever placed it; it is used up then, hit or miss."""
    spot = setup.aim.spot
    if spot and (yield from may(setup.attacker, f"Add the spot of {spot} to the attack of {attack}?")):
        attack += spot
        state = state.with_turn(on_target=0) if state.turn else state
    return Then(strike_home, state, attack, defense)


@rule("Does the Attack Strike Home?")
def strike_home(setup: Setup, state: State, attack: int, defense: int) -> Next:
    """An attack that does not beat the defense misses. Else there is a damage die for each point beyond it."""
    return Then(choose_chart, state, attack - defense) if attack > defense else Then(resolve, state)


@rule("How Much Damage?")
def choose_chart(setup: Setup, state: State, dice: int) -> Steps:
    """Range and cover choose the chart. Of two covers the target's owner picks one."""
    if setup.target < 0:
        return Then(attack_terrain, state, dice)
    if setup.aim.range is Range.HAND:
        return Then(attack_hand_to_hand, state, dice)
    covers = [Option(name, name, setup.frame(name)) for name in standing_covers(setup, state)]
    if not covers:
        return Then(attack_in_the_open, state, dice)
    if len(covers) > 1 and setup.rules.both_covers != "owner_picks":
        covers = [cover for cover in covers if (cover.value < 0) == (setup.rules.both_covers == "terrain")]
    target = setup.frames[setup.target]
    covering = yield from choose(target.player, f"Which cover counts for {target.id}?", covers)
    return Then(attack_behind_terrain, state, dice) if covering < 0 else Then(attack_behind_frame, state, dice)


@rule("Damage chart 1: hand-to-hand attacks")
def attack_hand_to_hand(setup: Setup, state: State, dice: int) -> Steps:
    """Cover does not count: 4 and up hit the target."""
    reading = CHART_1.reading(dice, room(setup, state, setup.target))
    (damage,) = yield from roll(reading, setup.attacker)
    return Then(damage_frame, state, damage)


@rule("Damage chart 2: ranged attack, no cover")
def attack_in_the_open(setup: Setup, state: State, dice: int) -> Steps:
    """5 and 6 hit the target."""
    reading = CHART_2.reading(dice, room(setup, state, setup.target))
    (damage,) = yield from roll(reading, setup.attacker)
    return Then(damage_frame, state, damage)


@rule("Damage chart 3: ranged attack, normal cover")
def attack_behind_terrain(setup: Setup, state: State, dice: int) -> Steps:
    """Low dice first: 4s and 5s hit the cover while it stands, 6s the target; once it is gone, chart 2 counts."""
    place = next(place for name in setup.covers if (place := setup.piece(name)) >= 0)
    behind = BehindTerrain(state.terrain[place], room(setup, state, setup.target))
    hits, damage = yield from roll(Mapped(CHART_3.tally(dice), behind), setup.attacker)
    return Then(damage_frame, state.with_terrain(place, hits), damage)


@rule("Damage chart 4: ranged attack, covered by a mobile frame")
def attack_behind_frame(setup: Setup, state: State, dice: int) -> Steps:
    """5s hit the covering frame, 6s the target. With two defensive systems the covering frame takes no damage."""
    place = covering_frame(setup)
    target = room(setup, state, setup.target)
    cover = 0 if is_safe(setup, state, place) else room(setup, state, place) + target
    fives, sixes = yield from roll(CHART_4.reading(dice, cover, target), setup.attacker)
    return Then(damage_covering_frame, state, fives, sixes)


@rule("Damage chart 4: ranged attack, covered by a mobile frame")
def damage_covering_frame(setup: Setup, state: State, fives: int, sixes: int) -> Steps:
    """It takes the 5s before the target takes the 6s. Once it is destroyed, chart 2 counts: 5s left hit the target."""
    place = covering_frame(setup)
    if not fives or not state.frames[place].white:
        return Then(damage_frame, state, min(fives + sixes, room(setup, state, setup.target)))
    state = yield from take_damage(setup, state, place)
    return Then(damage_covering_frame, state, fives - 1, sixes)


@rule("Damage chart 5: attacks against terrain")
def attack_terrain(setup: Setup, state: State, dice: int) -> Steps:
    """4 and up hit the terrain."""
    reading = CHART_5.reading(dice, state.terrain[setup.piece(setup.aim.on)])
    (damage,) = yield from roll(reading, setup.attacker)
    return Then(damage_terrain, state, damage)


@rule("When Terrain Takes Damage")
def damage_terrain(setup: Setup, state: State, damage: int) -> Next:
    """Each damage takes six pieces that the attacker picks; the file says how many damages ruin it for cover."""
    place = setup.piece(setup.aim.on)
    return Then(resolve, state.with_terrain(place, state.terrain[place] - damage))


@rule("When a Mobile Frame Takes Damage")
def damage_frame(setup: Setup, state: State, damage: int) -> Steps:
    """Each damage costs a system of its owner's choice, or a white die once none is left; the last one destroys it.

    Near a station its owner may ignore one damage by abandoning the position.
    """
    if not damage or not state.frames[setup.target].white:
        return Then(resolve, state)
    state = yield from take_damage(setup, state, setup.target)
    return Then(damage_frame, state, damage - 1)


def take_damage(setup: Setup, state: State, place: int) -> Generator[Question, object, State]:
    """One damage on a frame. To abandon the position changes neither chart nor cover of this attack."""
    frame, condition = setup.frames[place], state.frames[place]
    if condition.abandoned < setup.abandons[place] and (
        yield from may(frame.player, f"Shall {frame.id} ignore one damage and abandon its position?")
    ):
        return state.with_frame(place, condition._replace(abandoned=condition.abandoned + 1))
    options = losses(condition.systems, setup.rules.drop_white_first and condition.white > 1)
    lost = yield from choose(frame.player, f"What does {frame.id} lose?", options)
    return state.with_frame(place, condition.without(lost))


@lru_cache(maxsize=4096)
def losses(systems: tuple[str, ...], or_white: bool) -> tuple[Option[str], ...]:
    """What an owner may give up: a system, equal ones offered once; a white die once there is none, or by a switch."""
    named = [Option(name, name, name) for name in dict.fromkeys(systems)]
    return (*named, *([Option(WHITE_DIE, "a white die", WHITE_DIE)] if or_white or not systems else []))


@rule("When one of your mobile frames is destroyed")
def resolve(setup: Setup, state: State) -> Next:
    """The scores are worked out again with the result, and the frame goes on with its turn."""
    return Then(place_spot, state) if state.turn else End(state)


def covering_frame(setup: Setup) -> int:
    """The frame that covers the target."""
    return next(place for name in setup.covers if (place := setup.frame(name)) >= 0)


def is_safe(setup: Setup, state: State, place: int) -> bool:
    """Whether a frame has two defensive systems, and so covers without risking damage."""
    kinds = dict(zip(setup.frames[place].names, setup.frames[place].fit.systems, strict=True))
    return sum(kinds[name] is Kind.DEFENSE for name in state.frames[place].systems) >= ALIKE


def room(setup: Setup, state: State, place: int) -> int:
    """How much damage a frame can take or dodge until it is destroyed: any more is all the same."""
    condition = state.frames[place]
    return condition.strength + setup.abandons[place] - condition.abandoned


RULES = (
    use_spot,
    strike_home,
    choose_chart,
    attack_hand_to_hand,
    attack_in_the_open,
    attack_behind_terrain,
    attack_behind_frame,
    damage_covering_frame,
    attack_terrain,
    damage_terrain,
    damage_frame,
    resolve,
)

PARAGRAPHS = {
    "How Much Damage?: what counts as cover": "Whether something within hand-to-hand range of the target lies between "
    "it and its attacker is seen on the table: the file says what covers the target.",
    "When Terrain Takes Damage: pieces": "Which six pieces go is the attacker's choice with the bricks in hand, and "
    "with it how many damages leave less than three bricks' height: `hits` says so.",
    "When a Mobile Frame Takes Damage: dice already rolled": "Attack, defense and spot are numbers of dice already on "
    "the table: no loss changes them in this attack.",
    "Example Attack": "A golden test and the first example file.",
    "FAQ": "Close calls go to the attacker for whether an attack can be made and to the defender for cover: both are "
    "settled by what the file says.",
}
