"""The frame's turn, from the roll of its pool to its attack. The chapter begins where these rules end."""

from grognard.core.rules import Next, Steps, Then, choose, roll, rule
from grognard.systems.frames.kinds import Kind, Range
from grognard.systems.frames.pool import Colour, Shown, UsableDice, offers, pool_of, pool_under_attack
from grognard.systems.frames.rules import use_spot
from grognard.systems.frames.setup import NOT_YET, Setup
from grognard.systems.frames.spotting import is_in_reach, place_spot
from grognard.systems.frames.state import State


@rule("The frame's turn: roll")
def roll_pool(setup: Setup, state: State) -> Steps:
    """Target and range are named; the frame rolls its whole pool. By a switch, rockets that are rolled are spent."""
    frame = setup.active
    reading = pool_of(frame.fit, setup.aim.range)
    pool = yield from roll(reading, *(frame.player for _ in reading.dice))
    if pool.rocket and setup.rules.rocket_spent == "when_rolled":
        state = state.with_turn(rockets=0)
    return Then(set_defense, state, pool)


@rule("The frame's turn: defense")
def set_defense(setup: Setup, state: State, pool: UsableDice) -> Steps:
    """One die is set as defense: a blue one, or a white one that shows more."""
    frame = setup.active
    options = offers(Shown(Colour.BLUE, pool.blue), pool.white)
    die = yield from choose(frame.player, f"Which die is the defense of {frame.id}?", options)
    return Then(assign_attack, state.with_turn(defense=die.value), pool.without(die)._replace(blue=0))


@rule("The frame's turn: assign dice")
def assign_attack(setup: Setup, state: State, pool: UsableDice) -> Steps:
    """At most one die is the attack: a red one of the range, or a rocket or a white die that shows more."""
    frame = setup.active
    white = pool.white if can_attack_with_white(setup) else ()
    options = offers(Shown(Colour.RED, pool.red), white, pool.rocket, or_none=True)
    die = yield from choose(frame.player, f"Which die is the attack of {frame.id}?", options)
    if die.colour is Colour.ROCKET and setup.rules.rocket_spent == "when_assigned":
        state = state.with_turn(rockets=frame.fit.rockets - 1)
    return Then(assign_move, state, die.value, pool.without(die)._replace(red=0, rocket=0))


def can_attack_with_white(setup: Setup) -> bool:
    """Hand to hand always; at any other range only beside a weapon system of it or, by a switch, beside a rocket."""
    frame, at = setup.active.fit, setup.aim.range
    if at is Range.HAND or Kind(at) in frame.systems:
        return True
    return setup.rules.white_with_rocket_only and at is Range.DIRECT and frame.rockets > 0


@rule("The frame's turn: assign dice")
def assign_move(setup: Setup, state: State, attack: int, pool: UsableDice) -> Steps:
    """At most one die is the move: a green one, or a white one that shows more. Where it leads is seen on the table."""
    frame = setup.active
    options = offers(Shown(Colour.GREEN, pool.green), pool.white, or_none=not pool.green)
    die = yield from choose(frame.player, f"Which die is the move of {frame.id}?", options)
    return Then(assign_spot, state.with_turn(move=die.value), attack, pool.without(die)._replace(green=0))


@rule("The frame's turn: assign dice")
def assign_spot(setup: Setup, state: State, attack: int, pool: UsableDice) -> Steps:
    """At most one die is the spot: a yellow one, or a white one that shows more; none if the target is out of reach."""
    if not is_in_reach(setup):
        return Then(attack_target, state, attack)
    frame = setup.active
    options = offers(Shown(Colour.YELLOW, pool.yellow), pool.white, or_none=not pool.yellow)
    die = yield from choose(frame.player, f"Which die is the spot of {frame.id}?", options)
    return Then(attack_target, state.with_turn(spot=die.value), attack)


@rule("The frame's turn: attack")
def attack_target(setup: Setup, state: State, attack: int) -> Next:
    """The attack is resolved as the chapter says; a target that has not had its turn sets its defense first."""
    assert setup.activation is not None
    defense = setup.activation.defense
    if not attack:
        return Then(place_spot, state)
    if defense == NOT_YET:
        return Then(roll_under_attack, state, attack)
    return Then(use_spot, state, attack, int(defense or 0))


@rule("The frame's turn: a target that has not had its own")
def roll_under_attack(setup: Setup, state: State, attack: int) -> Steps:
    """It rolls its pool when it is attacked."""
    frame = setup.frames[setup.target]
    reading = pool_under_attack(frame.fit)
    pool = yield from roll(reading, *(frame.player for _ in reading.dice))
    return Then(set_defense_under_attack, state, attack, pool)


@rule("The frame's turn: a target that has not had its own")
def set_defense_under_attack(setup: Setup, state: State, attack: int, pool: UsableDice) -> Steps:
    """Its owner sets one die as defense: a blue one, or a white one that shows more."""
    frame = setup.frames[setup.target]
    options = offers(Shown(Colour.BLUE, pool.blue), pool.white)
    die = yield from choose(frame.player, f"Which die is the defense of {frame.id}?", options)
    return Then(use_spot, state, attack, die.value)


RULES = (
    roll_pool,
    set_defense,
    assign_attack,
    assign_move,
    assign_spot,
    attack_target,
    roll_under_attack,
    set_defense_under_attack,
    place_spot,
)
