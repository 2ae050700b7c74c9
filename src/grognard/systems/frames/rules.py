"""The chapter on resolving attacks. Its paragraphs have no numbers: they are known here by their headings.

The chapter begins where a frame's activation has come to its attack. The activation itself, and the whole turn of a
player, in which frame after frame is activated, are at the end.
"""

from collections.abc import Callable, Generator
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

from grognard.core.positions import Position
from grognard.core.rules import End, Next, Option, Question, Roller, Steps, Then, choose, may, roll, rule
from grognard.core.turns import END_TURN
from grognard.readings.mapped import Mapped
from grognard.systems.frames.charts import CHART_1, CHART_2, CHART_3, CHART_4, CHART_5, BehindTerrain
from grognard.systems.frames.loadout import ALIKE, Kind
from grognard.systems.frames.pool import Colour, Shown, UsableDice, offers, pool_of, pool_under_attack
from grognard.systems.frames.setup import NOBODY, NOT_YET, Frame, Setup, ShotSetup
from grognard.systems.frames.shots import is_possible
from grognard.systems.frames.state import (
    WHITE_DIE,
    State,
    after_acting,
    after_shot,
    aimed,
    before,
    declared,
    first_state,
    fit_of,
)
from grognard.systems.frames.table import Range

P = ParamSpec("P")
T = TypeVar("T")

DAMAGE_ROLL = "Damage roll"
ANYWHERE = 2
"""With this number of spotting systems a frame spots anywhere on the field."""


def in_attack(function: Callable[Concatenate[Setup, State, P], T]) -> Callable[Concatenate[Setup, State, P], T]:
    """A rule for one attack: in a turn, its set-up is the file as it stands when the shot began."""

    @wraps(function)
    def rule_in_attack(setup: Setup, state: State, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return function(aimed(setup, state), state, *args, **kwargs)

    return rule_in_attack


@rule("Does the Attack Strike Home?")
@in_attack
def use_spot(setup: Setup, state: State, attack: int, defense: int, spot: int) -> Steps:
    """The attacker may add the spot on the target, whoever placed it; it is used up then, hit or miss."""
    if spot and (yield from may(setup.attacker, f"Add the spot of {spot} to the attack of {attack}?")):
        attack += spot
        state = state.with_frame(setup.target, state.frames[setup.target]._replace(spot=0))
    return Then(strike_home, state, attack, defense)


@rule("Does the Attack Strike Home?")
@in_attack
def strike_home(setup: Setup, state: State, attack: int, defense: int) -> Next:
    """An attack that does not beat the defense misses. Else there is a damage die for each point beyond it."""
    return Then(choose_chart, state, attack - defense) if attack > defense else Then(resolve, state)


@rule("How Much Damage?")
@in_attack
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
    return Roller(setup.aim.by or f"the {NOBODY}", setup.attacker)


@rule("Damage chart 1: hand-to-hand attacks")
@in_attack
def attack_hand_to_hand(setup: Setup, state: State, dice: int) -> Steps:
    """Cover does not count: 4 and up hit the target."""
    reading = CHART_1.reading(dice, damage_capacity(setup, state, setup.target))
    success = CHART_1.success(setup.aim.on)
    (damage,) = yield from roll(reading, attacking(setup), purpose=DAMAGE_ROLL, success=success)
    return Then(damage_frame, state, damage)


@rule("Damage chart 2: ranged attack, no cover")
@in_attack
def attack_in_the_open(setup: Setup, state: State, dice: int) -> Steps:
    """5 and 6 hit the target."""
    reading = CHART_2.reading(dice, damage_capacity(setup, state, setup.target))
    success = CHART_2.success(setup.aim.on)
    (damage,) = yield from roll(reading, attacking(setup), purpose=DAMAGE_ROLL, success=success)
    return Then(damage_frame, state, damage)


@rule("Damage chart 3: ranged attack, normal cover")
@in_attack
def attack_behind_terrain(setup: Setup, state: State, dice: int, cover: int) -> Steps:
    """Low dice first: 4s and 5s hit the cover while it stands, 6s the target; once it is gone, chart 2 counts."""
    behind = BehindTerrain(state.terrain[cover], damage_capacity(setup, state, setup.target))
    name, target = setup.terrain[cover].id, setup.aim.on
    success = f"{CHART_3.success(target, name)}; once {name} is no cover any more, 5 damages {target} too"
    reading = Mapped(CHART_3.tally(dice), behind)
    hits, damage = yield from roll(reading, attacking(setup), purpose=DAMAGE_ROLL, success=success)
    return Then(damage_frame, state.with_terrain(cover, hits), damage)


@rule("Damage chart 4: ranged attack, covered by a mobile frame")
@in_attack
def attack_behind_frame(setup: Setup, state: State, dice: int, cover: int) -> Steps:
    """5s hit the covering frame, 6s the target. With two defensive systems the covering frame takes no damage."""
    most = damage_capacity(setup, state, setup.target)
    name, target = setup.frames[cover].id, setup.aim.on
    if is_safe(setup, state, cover):
        most_fives = 0
        success = f"{CHART_4.success(target)}; {name} has two defensive systems and takes no damage"
    else:
        most_fives = damage_capacity(setup, state, cover) + most
        success = f"{CHART_4.success(target, name)}; once {name} is destroyed, 5 damages {target} too"
    reading = CHART_4.reading(dice, most_fives, most)
    fives, sixes = yield from roll(reading, attacking(setup), purpose=DAMAGE_ROLL, success=success)
    return Then(damage_covering_frame, state, cover, fives, sixes)


@rule("Damage chart 4: ranged attack, covered by a mobile frame")
@in_attack
def damage_covering_frame(setup: Setup, state: State, cover: int, fives: int, sixes: int) -> Steps:
    """It takes the 5s before the target takes the 6s. Once it is destroyed, chart 2 counts: 5s left hit the target."""
    if not fives or state.frames[cover].is_destroyed:
        return Then(damage_frame, state, min(fives + sixes, damage_capacity(setup, state, setup.target)))
    state = yield from take_damage(setup, state, cover)
    return Then(damage_covering_frame, state, cover, fives - 1, sixes)


@rule("Damage chart 5: attacks against terrain")
@in_attack
def attack_terrain(setup: Setup, state: State, dice: int) -> Steps:
    """4 and up hit the terrain."""
    reading = CHART_5.reading(dice, state.terrain[setup.piece(setup.aim.on)])
    success = CHART_5.success(setup.aim.on)
    (damage,) = yield from roll(reading, attacking(setup), purpose=DAMAGE_ROLL, success=success)
    return Then(damage_terrain, state, damage)


@rule("When Terrain Takes Damage")
@in_attack
def damage_terrain(setup: Setup, state: State, damage: int) -> Next:
    """Each damage takes six pieces that the attacker picks; the file says how many damages ruin it for cover."""
    place = setup.piece(setup.aim.on)
    return Then(resolve, state.with_terrain(place, state.terrain[place] - damage))


@rule("When a Mobile Frame Takes Damage")
@in_attack
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
    return Then(place_spot, state) if state.assigned else End(after_acting(setup, state))


def can_spot(setup: Setup, state: State) -> bool:
    """Whether the frame can spot the target now; behind cover that stands only with a spotting system."""
    if not is_in_reach(setup, state) or state.frames[setup.target].is_destroyed:
        return False
    return spotting_systems(setup, state) > 0 or not standing_covers(setup, state)


def is_in_reach(setup: Setup, state: State) -> bool:
    """Whether the frame could spot the target at this range: up to direct range, or anywhere with two systems."""
    is_frame = setup.target >= 0
    return is_frame and (setup.range is not Range.ARTILLERY or spotting_systems(setup, state) >= ANYWHERE)


def spotting_systems(setup: Setup, state: State) -> int:
    """How many spotting systems the frame has whose turn it is."""
    return fit_of(setup, state, setup.by).systems.count(Kind.SPOTTING)


def is_safe(setup: Setup, state: State, place: int) -> bool:
    """Whether a frame has two defensive systems, and so covers without risking damage."""
    return fit_of(setup, state, place).systems.count(Kind.DEFENSE) >= ALIKE


def damage_capacity(setup: Setup, state: State, place: int) -> int:
    """How much damage a frame can take or dodge until it is destroyed: any more is all the same."""
    condition = state.frames[place]
    return condition.strength + setup.abandons[place] - condition.abandoned


# The frame's turn, and the whole turn of its player


@rule("The frame's turn: roll")
@in_attack
def roll_pool(setup: Setup, state: State) -> Steps:
    """Target and range are named; the frame rolls its whole pool. By a switch, rockets that are rolled are spent."""
    frame = setup.active
    assert setup.range is not None  # its absence is a fault
    reading = pool_of(fit_of(setup, state, setup.by), setup.range, setup.risks_own_frame)
    success = "one die is set as defense, and one each may be attack, move and spot"
    pool = yield from roll(reading, *rollers(frame, len(reading.dice)), purpose="Pool roll", success=success)
    if pool.rocket and setup.rules.rocket_spent == "when_rolled":
        state = state.with_frame(setup.by, state.frames[setup.by]._replace(rockets=0))
    return Then(set_defense, state, pool)


def rollers(frame: Frame, pools: int) -> list[Roller]:
    """The frame rolls each of its pools for its player."""
    return [Roller(frame.id, frame.player)] * pools


@rule("The frame's turn: defense")
@in_attack
def set_defense(setup: Setup, state: State, pool: UsableDice) -> Steps:
    """One die is set as defense: a blue one, or a white one that shows more."""
    frame = setup.active
    options = offers(Shown(Colour.BLUE, pool.blue), pool.white)
    die = yield from choose(frame.player, f"Which die is the defense of {frame.id}?", options)
    state = state.with_frame(setup.by, state.frames[setup.by]._replace(defense=die.value))
    return Then(assign_attack, state, pool.without(die)._replace(blue=0))


@rule("The frame's turn: assign dice")
@in_attack
def assign_attack(setup: Setup, state: State, pool: UsableDice) -> Steps:
    """At most one die is the attack: a red one of the range, or a rocket or a white die that shows more.

    A die that shows less is offered too where the attack may hit a frame of its own player.
    """
    frame = setup.active
    white = pool.white if can_attack_with_white(setup, pool) else ()
    lower = pool.lower if setup.risks_own_frame else None
    options = offers(Shown(Colour.RED, pool.red), white, pool.rocket, or_none=True, lower=lower)
    die = yield from choose(frame.player, f"Which die is the attack of {frame.id}?", options)
    if die.colour is Colour.ROCKET and setup.rules.rocket_spent == "when_assigned":
        acting = state.frames[setup.by]
        state = state.with_frame(setup.by, acting._replace(rockets=acting.rockets - 1))
    left = pool.without(die)._replace(red=0, rocket=0, lower=())
    return Then(assign_move, state.with_assigned(attack=die.value), left)


def can_attack_with_white(setup: Setup, pool: UsableDice) -> bool:
    """Hand to hand always; at any other range only beside a weapon system of it or, by a switch, beside a rocket."""
    if setup.range is Range.HAND or pool.red:  # a weapon system of the range has rolled a red die
        return True
    return setup.rules.white_with_rocket_only and pool.rocket > 0


@rule("The frame's turn: assign dice")
@in_attack
def assign_move(setup: Setup, state: State, pool: UsableDice) -> Steps:
    """At most one die is the move: a green one, or a white one that shows more. Where it leads is seen on the table."""
    frame = setup.active
    options = offers(Shown(Colour.GREEN, pool.green), pool.white, or_none=not pool.green)
    die = yield from choose(frame.player, f"Which die is the move of {frame.id}?", options)
    return Then(assign_spot, state.with_assigned(move=die.value), pool.without(die)._replace(green=0))


@rule("The frame's turn: assign dice")
@in_attack
def assign_spot(setup: Setup, state: State, pool: UsableDice) -> Steps:
    """At most one die is the spot: a yellow one, or a white one that shows more; none if the target is out of reach."""
    if not is_in_reach(setup, state):
        return Then(attack_target, state)
    frame = setup.active
    options = offers(Shown(Colour.YELLOW, pool.yellow), pool.white, or_none=not pool.yellow)
    die = yield from choose(frame.player, f"Which die is the spot of {frame.id}?", options)
    return Then(attack_target, state.with_assigned(spot=die.value))


@rule("The frame's turn: attack")
@in_attack
def attack_target(setup: Setup, state: State) -> Next:
    """The attack is resolved as the chapter says; a target that has not had its turn sets its defense first."""
    assert state.assigned is not None
    attack, state = state.assigned.attack, state.with_assigned(attack=0)
    if not attack:
        return Then(place_spot, state)
    if setup.target < 0:
        return Then(use_spot, state, attack, 0, 0)
    defense, spot = dice_on_target(setup, state)
    return Then(roll_under_attack, state, attack) if defense is None else Then(use_spot, state, attack, defense, spot)


def dice_on_target(setup: Setup, state: State) -> tuple[int | None, int]:
    """The defense of the target, None if it has set none yet, and the spot on it."""
    if isinstance(setup, ShotSetup):
        target = state.frames[setup.target]
        return target.defense, target.spot
    return None if setup.defense == NOT_YET else setup.defense, setup.spot or 0


@rule("The frame's turn: a target that has not had its own")
@in_attack
def roll_under_attack(setup: Setup, state: State, attack: int) -> Steps:
    """It rolls its pool when it is attacked."""
    frame = setup.frames[setup.target]
    reading = pool_under_attack(fit_of(setup, state, setup.target), setup.risks_own_frame)
    success = "a blue die, or a white one that shows more, becomes the defense"
    pool = yield from roll(reading, *rollers(frame, len(reading.dice)), purpose="Defense roll", success=success)
    return Then(set_defense_under_attack, state, attack, pool)


@rule("The frame's turn: a target that has not had its own")
@in_attack
def set_defense_under_attack(setup: Setup, state: State, attack: int, pool: UsableDice) -> Steps:
    """Its owner sets one die as defense: a blue one, or a white one that shows more.

    A die that shows less is offered too where the attack may hit a frame of the attacking player.
    """
    frame = setup.frames[setup.target]
    lower = pool.lower if setup.risks_own_frame else None
    options = offers(Shown(Colour.BLUE, pool.blue), pool.white, lower=lower)
    die = yield from choose(frame.player, f"Which die is the defense of {frame.id}?", options)
    state = state.with_frame(setup.target, state.frames[setup.target]._replace(defense=die.value))
    return Then(use_spot, state, attack, die.value, dice_on_target(setup, state)[1])


@rule("The frame's turn: spot")
def place_spot(setup: Setup, state: State) -> Next:
    """The spot goes on the target last of all, in place of a lower one. A destroyed target keeps none."""
    assert state.assigned is not None
    here, spot, state = aimed(setup, state), state.assigned.spot, state.with_assigned(spot=0)
    if can_spot(here, state):
        target = state.frames[here.target]
        state = state.with_frame(here.target, target._replace(spot=max(spot, target.spot)))
    return Then(next_shot, after_shot(setup, state)) if setup.turn else End(after_acting(setup, state))


@rule("A player's turn")
def next_shot(setup: Setup, state: State) -> Steps:
    """In a whole turn, its player chooses among all shots that are legal now, or ends the turn."""
    shots = [number for number in range(len(setup.shot_ids)) if is_possible(setup, state, number)]
    options = [Option(setup.shot_ids[number], setup.shot_ids[number], number) for number in shots]
    shot = yield from choose(setup.side, "Which attack is next?", [*options, END_TURN])
    return End(state) if shot is None else Then(roll_pool, declared(setup, state, shot))


def begin_shot(setup: Setup, state: State, shot: int) -> Position:
    """A shot begins with the roll of its frame's pool."""
    return Position(roll_pool, (declared(setup, state, shot),))


def start(setup: Setup) -> Position:
    """A turn begins with a choice, an activation with a roll, an attack with the spot, its dice on the table."""
    if setup.turn:
        return Position(next_shot, (first_state(setup),))
    state, attack = before(setup), setup.attack
    if attack is None:
        return Position(roll_pool, (state,))
    return Position(use_spot, (state, attack.attack, setup.defense or 0, setup.spot or 0))


RULES = (
    next_shot,
    roll_pool,
    set_defense,
    assign_attack,
    assign_move,
    assign_spot,
    attack_target,
    roll_under_attack,
    set_defense_under_attack,
    place_spot,
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
