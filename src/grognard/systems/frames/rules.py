"""The chapter on resolving attacks. Its paragraphs have no numbers: they are known here by their headings."""

from collections.abc import Generator
from functools import lru_cache

from grognard.core.rules import End, Next, Option, Question, Roller, Steps, Then, choose, may, roll, rule
from grognard.readings.mapped import Mapped
from grognard.systems.frames.charts import CHART_1, CHART_2, CHART_3, CHART_4, CHART_5, BehindTerrain
from grognard.systems.frames.loadout import ALIKE, Kind
from grognard.systems.frames.setup import NOBODY, Setup
from grognard.systems.frames.state import WHITE_DIE, State, after_acting
from grognard.systems.frames.table import Range

DAMAGE_ROLL = "Damage roll"
ANYWHERE = 2
"""With so many spotting systems a frame spots anywhere on the field."""


@rule("Does the Attack Strike Home?")
def use_spot(setup: Setup, state: State, attack: int, defense: int, spot: int) -> Steps:
    """The attacker may add the spot on the target, whoever placed it; it is used up then, hit or miss."""
    if spot and (yield from may(setup.attacker, f"Add the spot of {spot} to the attack of {attack}?")):
        attack += spot
        state = state.with_frame(setup.target, state.frames[setup.target]._replace(spot=0))
    return Then(strike_home, state, attack, defense)


@rule("Does the Attack Strike Home?")
def strike_home(setup: Setup, state: State, attack: int, defense: int) -> Next:
    """An attack that does not beat the defense misses. Else there is a damage die for each point beyond it."""
    return Then(choose_chart, state, attack - defense) if attack > defense else Then(resolve, state)


@rule("How Much Damage?")
def choose_chart(setup: Setup, state: State, dice: int) -> Steps:
    """Range and cover choose the chart. Of several covers the target's owner picks one."""
    if setup.target < 0:
        return Then(attack_terrain, state, dice)
    if setup.range is Range.HAND:
        return Then(attack_hand_to_hand, state, dice)
    covers = covers_that_count(setup, state)
    if not covers:
        return Then(attack_in_the_open, state, dice)
    target = setup.frames[setup.target]
    options = [Option(name, name, name) for name in covers]
    cover = yield from choose(target.player, f"Which cover counts for {target.id}?", options)
    if setup.frame(cover) < 0:
        return Then(attack_behind_terrain, state, dice, setup.piece(cover))
    return Then(attack_behind_frame, state, dice, setup.frame(cover))


def covers_that_count(setup: Setup, state: State) -> list[str]:
    """The covers that stand; where terrain and frames both do, a house rule may let only one kind count."""
    covers = standing_covers(setup, state)
    kinds = {setup.frame(name) >= 0 for name in covers}
    if len(kinds) > 1 and setup.rules.both_covers != "owner_picks":
        covers = [name for name in covers if (setup.frame(name) >= 0) == (setup.rules.both_covers == "frame")]
    return covers


def standing_covers(setup: Setup, state: State) -> list[str]:
    """What covers the target and still stands, in the order of `covers`."""
    return [name for name in setup.covers if is_standing(setup, state, name)]


def is_standing(setup: Setup, state: State, name: str) -> bool:
    """Whether a frame is not destroyed, a terrain still high enough to count as cover."""
    place = setup.frame(name)
    return not state.frames[place].is_destroyed if place >= 0 else state.terrain[setup.piece(name)] > 0


def attacking(setup: Setup) -> Roller:
    """Who rolls the damage dice."""
    return Roller(setup.aim.by or NOBODY, setup.attacker)


@rule("Damage chart 1: hand-to-hand attacks")
def attack_hand_to_hand(setup: Setup, state: State, dice: int) -> Steps:
    """Cover does not count: 4 and up hit the target."""
    reading = CHART_1.reading(dice, room(setup, state, setup.target))
    success = CHART_1.success(setup.aim.on)
    (damage,) = yield from roll(reading, attacking(setup), purpose=DAMAGE_ROLL, success=success)
    return Then(damage_frame, state, damage)


@rule("Damage chart 2: ranged attack, no cover")
def attack_in_the_open(setup: Setup, state: State, dice: int) -> Steps:
    """5 and 6 hit the target."""
    reading = CHART_2.reading(dice, room(setup, state, setup.target))
    success = CHART_2.success(setup.aim.on)
    (damage,) = yield from roll(reading, attacking(setup), purpose=DAMAGE_ROLL, success=success)
    return Then(damage_frame, state, damage)


@rule("Damage chart 3: ranged attack, normal cover")
def attack_behind_terrain(setup: Setup, state: State, dice: int, cover: int) -> Steps:
    """Low dice first: 4s and 5s hit the cover while it stands, 6s the target; once it is gone, chart 2 counts."""
    behind = BehindTerrain(state.terrain[cover], room(setup, state, setup.target))
    name, target = setup.terrain[cover].id, setup.aim.on
    success = f"{CHART_3.success(target, name)}; once {name} is no cover any more, 5 damages {target} too"
    reading = Mapped(CHART_3.tally(dice), behind)
    hits, damage = yield from roll(reading, attacking(setup), purpose=DAMAGE_ROLL, success=success)
    return Then(damage_frame, state.with_terrain(cover, hits), damage)


@rule("Damage chart 4: ranged attack, covered by a mobile frame")
def attack_behind_frame(setup: Setup, state: State, dice: int, cover: int) -> Steps:
    """5s hit the covering frame, 6s the target. With two defensive systems the covering frame takes no damage."""
    most = room(setup, state, setup.target)
    name, target = setup.frames[cover].id, setup.aim.on
    if is_safe(setup, state, cover):
        most_fives = 0
        success = f"{CHART_4.success(target)}; {name} has two defensive systems and takes no damage"
    else:
        most_fives = room(setup, state, cover) + most
        success = f"{CHART_4.success(target, name)}; once {name} is destroyed, 5 damages {target} too"
    reading = CHART_4.reading(dice, most_fives, most)
    fives, sixes = yield from roll(reading, attacking(setup), purpose=DAMAGE_ROLL, success=success)
    return Then(damage_covering_frame, state, cover, fives, sixes)


@rule("Damage chart 4: ranged attack, covered by a mobile frame")
def damage_covering_frame(setup: Setup, state: State, cover: int, fives: int, sixes: int) -> Steps:
    """It takes the 5s before the target takes the 6s. Once it is destroyed, chart 2 counts: 5s left hit the target."""
    if not fives or state.frames[cover].is_destroyed:
        return Then(damage_frame, state, min(fives + sixes, room(setup, state, setup.target)))
    state = yield from take_damage(setup, state, cover)
    return Then(damage_covering_frame, state, cover, fives - 1, sixes)


@rule("Damage chart 5: attacks against terrain")
def attack_terrain(setup: Setup, state: State, dice: int) -> Steps:
    """4 and up hit the terrain."""
    reading = CHART_5.reading(dice, state.terrain[setup.piece(setup.aim.on)])
    success = CHART_5.success(setup.aim.on)
    (damage,) = yield from roll(reading, attacking(setup), purpose=DAMAGE_ROLL, success=success)
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
    if not damage or state.frames[setup.target].is_destroyed:
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
    return Then(place_spot, state) if state.turn else End(after_acting(setup, state))


@rule("The frame's turn: spot")
def place_spot(setup: Setup, state: State) -> Next:
    """The spot goes on the target last of all, in place of a lower one. A destroyed target keeps none."""
    assert state.turn is not None
    spot, state = state.turn.spot, state.with_turn(spot=0)
    if can_spot(setup, state):
        target = state.frames[setup.target]
        state = state.with_frame(setup.target, target._replace(spot=max(spot, target.spot)))
    return End(after_acting(setup, state))


def can_spot(setup: Setup, state: State) -> bool:
    """Whether the frame can spot the target now; behind cover that stands only with a spotting system."""
    if not is_in_reach(setup) or state.frames[setup.target].is_destroyed:
        return False
    return spotting_systems(setup) > 0 or not standing_covers(setup, state)


def is_in_reach(setup: Setup) -> bool:
    """Whether the frame could spot the target at this range: up to direct range, or anywhere with two systems."""
    is_frame = setup.target >= 0
    return is_frame and (setup.range is not Range.ARTILLERY or spotting_systems(setup) >= ANYWHERE)


def spotting_systems(setup: Setup) -> int:
    """How many spotting systems the frame has whose turn it is."""
    return setup.active.fit.systems.count(Kind.SPOTTING)


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
    "How Much Damage?: what counts as cover": "On a table this is measured: terrain of three bricks or more, or a "
    "frame, within one unit of the target and at least partly between it and its attacker. Without a table, or where "
    "the players see it otherwise, the file says what covers the target.",
    "When Terrain Takes Damage: pieces": "Decided at the table: which six pieces go is the attacker's choice with the "
    "bricks in hand, and with it how many damages leave less than three bricks' height: `hits` says so.",
    "When a Mobile Frame Takes Damage: dice already rolled": "Attack, defense and spot are numbers of dice already on "
    "the table: no loss changes them in this attack.",
    "Example Attack": "A golden test and two example files, one by numbers and one on a table.",
    "FAQ": "Close calls go to the attacker for whether an attack can be made and to the defender for cover: on a table "
    "a difference up to 0.05 units counts in that player's favour. Without one both are settled by what the file says.",
    "The frame's turn: move": "Decided at the table: the turn says how far the frame may move, the players move it.",
    "When a Mobile Frame Takes Damage: the lost system": "Decided at the table: where the pieces of a lost system "
    "drop. They are no terrain unless the players write some.",
    "When a Mobile Frame Takes Damage: abandoning": "On a table the frame moves one unit straight away from the "
    "nearest station, without regard to what stands there. Without a table the players move it.",
    "On the table: stations": "A player whose last frame near a station abandons it holds the station no more. Who "
    "takes a station is decided at the table.",
}
