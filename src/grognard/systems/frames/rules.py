"""The chapter on resolving attacks. Its paragraphs have no numbers: here each is named after its heading.

The chapter begins with the attack of an activated frame. The activation before that, and the whole turn of a player,
are at the end.
"""

from collections.abc import Callable, Generator
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

from grognard.core.positions import Position
from grognard.core.rules import End, Next, Option, Question, Roller, Steps, Then, choose, may, roll, rule
from grognard.core.turns import choose_attack
from grognard.readings.mapped import Mapped
from grognard.systems.frames.charts import CHART_1, CHART_2, CHART_3, CHART_4, CHART_5, BehindTerrain, Chart
from grognard.systems.frames.loadout import ALIKE, Kind
from grognard.systems.frames.pool import Colour, ShownDie, UsableDice, dice_options, pool_of, pool_under_attack
from grognard.systems.frames.setup import NOBODY, NOT_YET, Frame, Setup, ShotSetup
from grognard.systems.frames.shots import is_possible, shots_of_turn
from grognard.systems.frames.state import (
    WHITE_DIE,
    State,
    after_acting,
    after_shot,
    equipment_of,
    first_state,
    setup_of_attack,
    state_before_attack,
    with_shot,
)
from grognard.systems.frames.table import Range

P = ParamSpec("P")
T = TypeVar("T")

DAMAGE_ROLL = "Damage roll"
ANYWHERE = 2
"""With this number of spotting systems a frame spots anywhere on the field."""


def in_attack(function: Callable[Concatenate[Setup, State, P], T]) -> Callable[Concatenate[Setup, State, P], T]:
    """A rule for one attack: in a turn, its set-up is that of the shot."""

    @wraps(function)
    def rule_in_attack(setup: Setup, state: State, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return function(setup_of_attack(setup, state), state, *args, **kwargs)

    return rule_in_attack


@rule("Does the Attack Strike Home?")
@in_attack
def use_spot(setup: Setup, state: State, attack: int, defense: int, spot: int) -> Steps:
    """The attacker may add the spot on the target, no matter who placed it. The spot is then used up, hit or miss."""
    if spot and (yield from may(setup.side, f"Add the spot of {spot} to the attack of {attack}?")):
        attack += spot
        state = state.with_frame(setup.target, state.frames[setup.target]._replace(spot=0))
    return Then(strike_home, state, attack, defense)


@rule("Does the Attack Strike Home?")
@in_attack
def strike_home(setup: Setup, state: State, attack: int, defense: int) -> Next:
    """An attack that does not beat the defense misses. Otherwise there is a damage die for each point above it."""
    return Then(choose_chart, state, attack - defense) if attack > defense else Then(resolve, state)


@rule("How Much Damage?")
@in_attack
def choose_chart(setup: Setup, state: State, dice: int) -> Steps:
    """Range and cover determine the chart. If there are several covers, the target's owner picks one."""
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
    """The covers that still stand. If terrain and frames both do, a house rule may let only one kind count."""
    covers = standing_covers(setup, state)
    kinds = {setup.frame(name) >= 0 for name in covers}
    if len(kinds) > 1 and setup.rules.both_covers != "owner_picks":
        covers = [name for name in covers if (setup.frame(name) >= 0) == (setup.rules.both_covers == "frame")]
    return covers


def standing_covers(setup: Setup, state: State) -> list[str]:
    """The covers of the target that still stand, in the order of `covers`."""
    return [name for name in setup.covers if is_standing(setup, state, name)]


def is_standing(setup: Setup, state: State, name: str) -> bool:
    """Whether a cover still counts: a frame is not destroyed, terrain is high enough."""
    place = setup.frame(name)
    return not state.frames[place].is_destroyed if place >= 0 else state.terrain[setup.piece(name)] > 0


def damage_roller(setup: Setup) -> Roller:
    """Who rolls the damage dice."""
    return Roller(setup.declared.by or f"the {NOBODY}", setup.side)


def roll_damage(setup: Setup, chart: Chart, dice: int, most: int) -> Generator[Question, object, int]:
    """Roll the damage dice on a chart without cover; the damage, up to the most that matters."""
    success = chart.success(setup.declared.on)
    (damage,) = yield from roll(chart.reading(dice, most), damage_roller(setup), purpose=DAMAGE_ROLL, success=success)
    return damage


@rule("Damage chart 1: hand-to-hand attacks")
@in_attack
def attack_hand_to_hand(setup: Setup, state: State, dice: int) -> Steps:
    """Cover does not count. 4 to 6 hit the target."""
    damage = yield from roll_damage(setup, CHART_1, dice, damage_capacity(setup, state, setup.target))
    return Then(damage_frame, state, damage)


@rule("Damage chart 2: ranged attack, no cover")
@in_attack
def attack_in_the_open(setup: Setup, state: State, dice: int) -> Steps:
    """5 and 6 hit the target."""
    damage = yield from roll_damage(setup, CHART_2, dice, damage_capacity(setup, state, setup.target))
    return Then(damage_frame, state, damage)


@rule("Damage chart 3: ranged attack, normal cover")
@in_attack
def attack_behind_terrain(setup: Setup, state: State, dice: int, cover: int) -> Steps:
    """Low dice come first. 4s and 5s hit the cover while it stands, 6s the target. Without cover, chart 2 counts."""
    behind = BehindTerrain(state.terrain[cover], damage_capacity(setup, state, setup.target))
    name, target = setup.terrain[cover].id, setup.declared.on
    success = f"{CHART_3.success(target, name)}; once {name} is no cover any more, a 5 damages {target} too"
    reading = Mapped(CHART_3.tally(dice), behind)
    hits, damage = yield from roll(reading, damage_roller(setup), purpose=DAMAGE_ROLL, success=success)
    return Then(damage_frame, state.with_terrain(cover, hits), damage)


@rule("Damage chart 4: ranged attack, covered by a mobile frame")
@in_attack
def attack_behind_frame(setup: Setup, state: State, dice: int, cover: int) -> Steps:
    """5s hit the covering frame, 6s the target. A covering frame with two defensive systems takes no damage."""
    most = damage_capacity(setup, state, setup.target)
    name, target = setup.frames[cover].id, setup.declared.on
    if is_safe(setup, state, cover):
        most_fives = 0
        success = f"{CHART_4.success(target)}; {name} has two defensive systems and takes no damage"
    else:
        most_fives = damage_capacity(setup, state, cover) + most
        success = f"{CHART_4.success(target, name)}; once {name} is destroyed, a 5 damages {target} too"
    reading = CHART_4.reading(dice, most_fives, most)
    fives, sixes = yield from roll(reading, damage_roller(setup), purpose=DAMAGE_ROLL, success=success)
    return Then(damage_covering_frame, state, cover, fives, sixes)


@rule("Damage chart 4: ranged attack, covered by a mobile frame")
@in_attack
def damage_covering_frame(setup: Setup, state: State, cover: int, fives: int, sixes: int) -> Steps:
    """The covering frame takes the 5s before the target takes the 6s. Once it is destroyed, 5s left hit the target."""
    if not fives or state.frames[cover].is_destroyed:
        return Then(damage_frame, state, min(fives + sixes, damage_capacity(setup, state, setup.target)))
    state = yield from take_damage(setup, state, cover)
    return Then(damage_covering_frame, state, cover, fives - 1, sixes)


@rule("Damage chart 5: attacks against terrain")
@in_attack
def attack_terrain(setup: Setup, state: State, dice: int) -> Steps:
    """4 to 6 hit the terrain."""
    damage = yield from roll_damage(setup, CHART_5, dice, state.terrain[setup.piece(setup.declared.on)])
    return Then(damage_terrain, state, damage)


@rule("When Terrain Takes Damage")
@in_attack
def damage_terrain(setup: Setup, state: State, damage: int) -> Next:
    """Each damage costs six pieces of the attacker's choice. The file says how many damages ruin it as cover."""
    place = setup.piece(setup.declared.on)
    return Then(resolve, state.with_terrain(place, state.terrain[place] - damage))


@rule("When a Mobile Frame Takes Damage")
@in_attack
def damage_frame(setup: Setup, state: State, damage: int) -> Steps:
    """Each damage costs a system of its owner's choice, or a white die if no system is left.

    A frame that loses its last white die is destroyed. Near a station, the owner may ignore one damage by abandoning
    the position.
    """
    if not damage or state.frames[setup.target].is_destroyed:
        return Then(resolve, state)
    state = yield from take_damage(setup, state, setup.target)
    return Then(damage_frame, state, damage - 1)


def take_damage(setup: Setup, state: State, place: int) -> Generator[Question, object, State]:
    """Apply one damage to a frame. Abandoning the position changes neither chart nor cover of this attack."""
    frame, condition = setup.frames[place], state.frames[place]
    if condition.abandoned < setup.abandons[place] and (
        yield from may(frame.player, f"Shall {frame.id} ignore one damage and abandon its position?")
    ):
        return state.with_frame(place, condition._replace(abandoned=condition.abandoned + 1))
    options = loss_options(condition.systems, setup.rules.drop_white_first and condition.white > 1)
    lost = yield from choose(frame.player, f"What does {frame.id} lose?", options)
    return state.with_frame(place, condition.without(lost))


@lru_cache(maxsize=4096)
def loss_options(systems: tuple[str, ...], or_white: bool) -> tuple[Option[str], ...]:
    """What an owner may lose: any system, and if none is left, or by a house rule, a white die."""
    named = [Option(name, name, name) for name in dict.fromkeys(systems)]
    return (*named, *([Option(WHITE_DIE, "a white die", WHITE_DIE)] if or_white or not systems else []))


@rule("When one of your mobile frames is destroyed")
def resolve(setup: Setup, state: State) -> Next:
    """The scores are calculated again with the result, and the frame continues its turn."""
    return Then(place_spot, state) if state.assigned else End(after_acting(setup, state))


def can_spot(setup: Setup, state: State) -> bool:
    """Whether the frame can spot the target now. A target in cover needs a spotting system."""
    if not is_in_reach(setup, state) or state.frames[setup.target].is_destroyed:
        return False
    return spotting_systems(setup, state) > 0 or not standing_covers(setup, state)


def is_in_reach(setup: Setup, state: State) -> bool:
    """Whether the target is a frame within spotting range: up to direct range, or anywhere with two systems."""
    is_frame = setup.target >= 0
    return is_frame and (setup.range is not Range.ARTILLERY or spotting_systems(setup, state) >= ANYWHERE)


def spotting_systems(setup: Setup, state: State) -> int:
    return equipment_of(setup, state, setup.by).systems.count(Kind.SPOTTING)


def is_safe(setup: Setup, state: State, place: int) -> bool:
    """Whether a frame has two defensive systems, so that covering another does not risk damage."""
    return equipment_of(setup, state, place).systems.count(Kind.DEFENSE) >= ALIKE


def damage_capacity(setup: Setup, state: State, place: int) -> int:
    """The damage that a frame can take or ignore until it is destroyed. More makes no difference."""
    condition = state.frames[place]
    return condition.strength + setup.abandons[place] - condition.abandoned


# The frame's turn, and the whole turn of its player


@rule("The frame's turn: roll")
@in_attack
def roll_pool(setup: Setup, state: State) -> Steps:
    """Target and range are named, and the frame rolls its whole pool. By a house rule, rolled rockets are spent."""
    frame = setup.active
    assert setup.range is not None  # its absence is a fault
    reading = pool_of(equipment_of(setup, state, setup.by), setup.range, setup.risks_own_frame)
    success = "one die is set as defense, and one each may be attack, move and spot"
    pool = yield from roll(reading, *rollers(frame, len(reading.dice)), purpose="Pool roll", success=success)
    if pool.rocket and setup.rules.rocket_spent == "when_rolled":
        state = state.with_frame(setup.by, state.frames[setup.by]._replace(rockets=0))
    return Then(set_defense, state, pool)


def rollers(frame: Frame, pools: int) -> list[Roller]:
    return [Roller(frame.id, frame.player)] * pools


@rule("The frame's turn: defense")
@in_attack
def set_defense(setup: Setup, state: State, pool: UsableDice) -> Steps:
    """One die is set as defense: a blue one, or a white one that shows more."""
    frame = setup.active
    options = dice_options(ShownDie(Colour.BLUE, pool.blue), pool.white)
    die = yield from choose(frame.player, f"Which die is the defense of {frame.id}?", options)
    state = state.with_frame(setup.by, state.frames[setup.by]._replace(defense=die.value))
    return Then(assign_attack, state, pool.without(die)._replace(blue=0))


@rule("The frame's turn: assign dice")
@in_attack
def assign_attack(setup: Setup, state: State, pool: UsableDice) -> Steps:
    """At most one die is the attack: a red one of the range, or a rocket or a white die that shows more.

    A die that shows less is an option too if the attack may hit a frame of the attacking player.
    """
    frame = setup.active
    white = pool.white if can_attack_with_white(setup, pool) else ()
    lower = pool.lower if setup.risks_own_frame else None
    options = dice_options(ShownDie(Colour.RED, pool.red), white, pool.rocket, or_none=True, lower=lower)
    die = yield from choose(frame.player, f"Which die is the attack of {frame.id}?", options)
    if die.colour is Colour.ROCKET and setup.rules.rocket_spent == "when_assigned":
        acting = state.frames[setup.by]
        state = state.with_frame(setup.by, acting._replace(rockets=acting.rockets - 1))
    left = pool.without(die)._replace(red=0, rocket=0, lower=())
    return Then(assign_move, state.with_assigned(attack=die.value), left)


def can_attack_with_white(setup: Setup, pool: UsableDice) -> bool:
    """Whether a white die may be the attack: hand to hand, with a weapon, or by a house rule with a rocket."""
    if setup.range is Range.HAND or pool.red:  # a weapon system of the range has rolled a red die
        return True
    return setup.rules.white_with_rocket_only and pool.rocket > 0


@rule("The frame's turn: assign dice")
@in_attack
def assign_move(setup: Setup, state: State, pool: UsableDice) -> Steps:
    """At most one die is the move: a green one, or a white one that shows more. The players move the frame."""
    frame = setup.active
    options = dice_options(ShownDie(Colour.GREEN, pool.green), pool.white, or_none=not pool.green)
    die = yield from choose(frame.player, f"Which die is the move of {frame.id}?", options)
    return Then(assign_spot, state.with_assigned(move=die.value), pool.without(die)._replace(green=0))


@rule("The frame's turn: assign dice")
@in_attack
def assign_spot(setup: Setup, state: State, pool: UsableDice) -> Steps:
    """At most one die is the spot: a yellow one, or a white one that shows more. The target must be within reach."""
    if not is_in_reach(setup, state):
        return Then(attack_target, state)
    frame = setup.active
    options = dice_options(ShownDie(Colour.YELLOW, pool.yellow), pool.white, or_none=not pool.yellow)
    die = yield from choose(frame.player, f"Which die is the spot of {frame.id}?", options)
    return Then(attack_target, state.with_assigned(spot=die.value))


@rule("The frame's turn: attack")
@in_attack
def attack_target(setup: Setup, state: State) -> Next:
    """The attack is resolved as the chapter says. A target that has not had its turn sets its defense first."""
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
    """Such a target rolls its pool when it is attacked."""
    frame = setup.frames[setup.target]
    reading = pool_under_attack(equipment_of(setup, state, setup.target), setup.risks_own_frame)
    success = "a blue die, or a white one that shows more, becomes the defense"
    pool = yield from roll(reading, *rollers(frame, len(reading.dice)), purpose="Defense roll", success=success)
    return Then(set_defense_under_attack, state, attack, pool)


@rule("The frame's turn: a target that has not had its own")
@in_attack
def set_defense_under_attack(setup: Setup, state: State, attack: int, pool: UsableDice) -> Steps:
    """Its owner sets one die as defense: a blue one, or a white one that shows more.

    A die that shows less is an option too if the attack may hit a frame of the attacking player.
    """
    frame = setup.frames[setup.target]
    lower = pool.lower if setup.risks_own_frame else None
    options = dice_options(ShownDie(Colour.BLUE, pool.blue), pool.white, lower=lower)
    die = yield from choose(frame.player, f"Which die is the defense of {frame.id}?", options)
    state = state.with_frame(setup.target, state.frames[setup.target]._replace(defense=die.value))
    return Then(use_spot, state, attack, die.value, dice_on_target(setup, state)[1])


@rule("The frame's turn: spot")
def place_spot(setup: Setup, state: State) -> Next:
    """Last of all, the spot is placed on the target, where it replaces a lower one. A destroyed target gets none."""
    assert state.assigned is not None
    here, spot, state = setup_of_attack(setup, state), state.assigned.spot, state.with_assigned(spot=0)
    if can_spot(here, state):
        target = state.frames[here.target]
        state = state.with_frame(here.target, target._replace(spot=max(spot, target.spot)))
    return Then(next_shot, after_shot(setup, state)) if setup.turn else End(after_acting(setup, state))


@rule("A player's turn")
def next_shot(setup: Setup, state: State) -> Steps:
    """In a whole turn, its player chooses among all shots that are legal now, or ends the turn."""
    shot = yield from choose_attack(setup, state, shots_of_turn(setup), is_possible)
    return End(state) if shot is None else Then(roll_pool, with_shot(setup, state, shot))


def begin_shot(setup: Setup, state: State, shot: int) -> Position:
    """The position in which a shot begins: with the roll of its frame's pool."""
    return Position(roll_pool, (with_shot(setup, state, shot),))


def start(setup: Setup) -> Position:
    """The first position: the choice of a shot, the roll of an activation, or the spot of a single attack."""
    if setup.turn:
        return Position(next_shot, (first_state(setup),))
    state, attack = state_before_attack(setup), setup.attack
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
    "How Much Damage?: what counts as cover": "Measured on a table: terrain of three bricks or more, or a frame, "
    "within one unit of the target and at least partly between it and its attacker. Without a table, or if the players "
    "see it differently, the file says what covers the target.",
    "When Terrain Takes Damage: pieces": "Decided at the table: the attacker chooses which six pieces go. That decides "
    "after how many damages less than three bricks' height is left: the file gives it as `hits`.",
    "When a Mobile Frame Takes Damage: dice already rolled": "Attack, defense and spot are numbers of dice already on "
    "the table: no loss changes them in this attack.",
    "Example Attack": "Covered by a test and two example files, one by numbers and one on a table.",
    "FAQ": "Close calls go to the attacker for whether an attack can be made and to the defender for cover: on a table "
    "a difference up to 0.05 units counts in that player's favour. Without a table the file decides both.",
    "The frame's turn: move": "Decided at the table: the die says how far the frame may move, and the players move it.",
    "When a Mobile Frame Takes Damage: the lost system": "Decided at the table: where the pieces of a lost system "
    "drop. They are not terrain unless the players add terrain to the file.",
    "When a Mobile Frame Takes Damage: abandoning": "On a table the frame moves one unit straight away from the "
    "nearest station, even if something stands there. Without a table the players move it.",
    "On the table: stations": "A player whose last frame near a station abandons it no longer holds the station. Who "
    "takes a station is decided at the table.",
}
