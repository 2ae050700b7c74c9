"""The attack sequence, 1.0 to 10.0: the attacker's dice.

The dice themselves are rolled together with the defender's, at defence 8.0. Only where the defence depends on what the
attack shows, in indirect fire on a vehicle, are they rolled here.
"""

from dataclasses import replace

from grognard.core.rules import Next, Steps, Then, may, roll, rule
from grognard.readings.pool_rolls import Throw
from grognard.readings.tally import Tally
from grognard.systems.assault.data import find_effect
from grognard.systems.assault.dice import parse
from grognard.systems.assault.facts import facts, joint_range, joint_sight
from grognard.systems.assault.figures import Area, PoolName
from grognard.systems.assault.gather import add_x, apply, can_change, gain, is_by_hand, lose_weakest, pools, rollers
from grognard.systems.assault.profile import profile
from grognard.systems.assault.rules.defence import grab_defence_dice, reroll_attack_dice
from grognard.systems.assault.setup import Experience, Fire, Setup
from grognard.systems.assault.spotting import needs_spotting, to_reach
from grognard.systems.assault.state import Hand, Origin, State
from grognard.systems.assault.tell import invitation

SEASONED = (Experience.VETERAN, Experience.ELITE)
HITS = ("C", "D")
"""In indirect fire on a vehicle, a die counts if its first roll shows one of these."""


@rule("attack 1.0")
def check_possibility(setup: Setup, state: State) -> Next:
    """Attacker and target, range, and the line of sight between them. What is out of range or sight is no battle."""
    return Then(activate, replace(state, facts=facts(setup)))


@rule("attack 2.0")
def activate(setup: Setup, state: State) -> Next:
    """Who plays with command points flips one."""
    points = setup.command_points.get(setup.attacker.side)
    return Then(mark_fire_status, state if points is None else replace(state, points=points - 1))


@rule("attack 3.0")
def mark_fire_status(setup: Setup, state: State) -> Next:
    """The attacker is marked: firing, its turret firing, move and fire, or fire and move."""
    return Then(spot, replace(state, fire=setup.attack.fire))


@rule("attack 4.0")
def spot(setup: Setup, state: State) -> Steps:
    """A target that is not seen at once must be spotted with a d6. A shot at one that was not is still fired."""
    spotted = setup.attack.spotted
    if is_by_hand(setup, PoolName.DEFENSE):  # spotting bears on the defence dice alone
        spotted = True
    elif spotted == "roll" and needs_spotting(setup, state.known):
        (reached,) = yield from roll(Tally(1, 6, ((to_reach(setup, state.known), 6),)), setup.attacker.id)
        spotted = reached == 1
    return Then(grab_attack_dice, replace(state, spotted=bool(spotted)))


@rule("attack 5.0")
def grab_attack_dice(setup: Setup, state: State) -> Next:
    """The card's dice for this range, from the row for this kind of target."""
    attack = setup.attack
    if attack.dice is not None:
        return Then(join_fire, replace(state, attack=Hand().gaining(parse(attack.dice), Origin.BY_HAND)))
    bands = profile(setup, setup.attacker).bands(profile(setup, setup.target), attack.fire is Fire.INDIRECT)
    dice = next(band.dice for band in bands if state.known.range in band.ranges)
    return Then(join_fire, gain(setup, state, PoolName.ATTACK, dice, Origin.CARD))


@rule("attack 5.0")
def join_fire(setup: Setup, state: State) -> Next:
    """A friend that joins the fire adds its strongest die, a colour weaker if it has attack die −1 or is hindered."""
    if setup.attack.joint is None or is_by_hand(setup, PoolName.ATTACK):
        return Then(check_attacker_experience, state)
    friend = setup.unit(setup.attack.joint)
    bands = profile(setup, friend).bands(profile(setup, setup.target), indirect=False)
    strongest = next(band.dice for band in bands if joint_range(setup, friend) in band.ranges)[:1]
    is_weaker = friend.attack_die_minus > 0 or joint_sight(setup, friend).hindering > 0
    die = [colour.weaker if is_weaker else colour for colour in strongest]
    return Then(check_attacker_experience, gain(setup, state, PoolName.ATTACK, die, Origin.JOINT_FIRE))


@rule("attack 6.0")
def check_attacker_experience(setup: Setup, state: State) -> Next:
    """A veteran or elite attacker has one blue die more."""
    if setup.attacker.experience in SEASONED:
        state = gain(setup, state, PoolName.ATTACK, "B", Origin.EXPERIENCE)
    return Then(check_recruit, state)


@rule("attack 7.0")
def check_recruit(setup: Setup, state: State) -> Next:
    """Against a recruit one Suppression is added to the attacker's symbols, before comparison."""
    if setup.target.experience is Experience.RECRUIT:
        state = add_x(state, Origin.RECRUIT)
    return Then(lose_attack_dice if setup.rules.weakest_die_lost == "in_sequence" else use_attack_abilities, state)


@rule("attack 8.0")
def lose_attack_dice(setup: Setup, state: State) -> Next:
    """For each attack die −1 the weakest attack die is lost, to none if need be."""
    for _ in range(setup.attacker.attack_die_minus):
        state = lose_weakest(setup, state, PoolName.ATTACK)
    return Then(use_attack_abilities if setup.rules.weakest_die_lost == "in_sequence" else roll_attack_dice, state)


@rule("attack 8.0")
def use_attack_abilities(setup: Setup, state: State) -> Next:
    """Fire from ambush adds a Suppression; then the attacker's special abilities that bear on its own dice."""
    if setup.attacker.ambush:
        state = add_x(state, Origin.AMBUSH)
    for effect in profile(setup, setup.attacker).effects("attacking"):
        if effect.pool is PoolName.ATTACK:
            state = apply(setup, state, effect, Origin.ABILITY)
    return Then(play_attack_card, state, 0)


@rule("attack 8.0")
def play_attack_card(setup: Setup, state: State, number: int) -> Steps:
    """The attacker may play one command card. What it does to the defence waits until those dice are gathered."""
    if number == len(setup.command_cards):
        is_last = setup.rules.weakest_die_lost == "last"
        return Then(lose_attack_dice if is_last else roll_attack_dice, state)
    held = setup.command_cards[number]
    effect = find_effect(setup, held)
    assert effect
    is_asked = held.side == setup.attacker.side and can_change(setup, effect)
    if is_asked and (yield from may(held.side, invitation(held, effect))):
        state = replace(state, played=(number,))
        if effect.pool is PoolName.ATTACK:
            state = apply(setup, state, effect, Origin.COMMAND_CARD)
        return Then(play_attack_card, state, len(setup.command_cards))
    return Then(play_attack_card, state, number + 1)


@rule("attack 9.0")
def roll_attack_dice(setup: Setup, state: State) -> Steps:
    """At half strength a double success counts its stronger symbol only. Indirect fire on a vehicle is sorted first."""
    state = replace(state, attack=replace(state.attack, stronger_only=profile(setup, setup.attacker).is_half_strength))
    is_sorted = setup.attack.fire is Fire.INDIRECT and profile(setup, setup.target).is_vehicle
    dice = pools(setup, state.attack)
    if is_sorted and dice and not is_by_hand(setup, PoolName.ATTACK):
        hits, _ = yield from roll(Throw(dice, HITS), *rollers(setup.attacker, dice))
        state = replace(state, attack=state.attack.sorted(hits))
    depends = not state.known.areas and not is_by_hand(setup, PoolName.DEFENSE)
    return Then(throw_attack_dice if depends else read_attack_roll, state)


@rule("attack 9.0")
def throw_attack_dice(setup: Setup, state: State) -> Steps:
    """The attack is rolled before the defence, for where it strikes depends on what it shows."""
    hand = state.attack
    while dice := pools(setup, hand):  # a second time if a card lets dice be rolled once more
        thrown = yield from roll(Throw(dice, hand.again, hand.stronger_only), *rollers(setup.attacker, dice))
        hand = hand.rolled(thrown)
    return Then(read_attack_roll, replace(state, attack=hand))


@rule("attack 10.0")
def read_attack_roll(setup: Setup, state: State) -> Next:
    """Indirect fire that shows a Critical strikes a vehicle from above, any other its flank."""
    if not state.known.areas:
        area = Area.ABOVE if state.attack.shown.critical else Area.FLANK
        state = replace(state, facts=replace(state.known, areas=(area,)))
    return Then(grab_defence_dice, state)


RULES = (
    check_possibility,
    activate,
    mark_fire_status,
    spot,
    grab_attack_dice,
    join_fire,
    check_attacker_experience,
    check_recruit,
    lose_attack_dice,
    use_attack_abilities,
    play_attack_card,
    roll_attack_dice,
    throw_attack_dice,
    reroll_attack_dice,
    read_attack_roll,
)
