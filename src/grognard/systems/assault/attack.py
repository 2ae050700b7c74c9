"""The attack sequence, 1.0 to 10.0: the attacker gathers and rolls dice before the defence begins."""

from dataclasses import replace

from grognard.core.readings import Pool, d
from grognard.core.rules import Next, Steps, Then, roll
from grognard.readings.symbols import NO_SYMBOLS, RolledSymbols, SymbolRoll, Symbols
from grognard.readings.tally import Tally
from grognard.systems.assault.defence import grab_defence_dice, is_vehicle_under_indirect_fire
from grognard.systems.assault.effects import (
    Moment,
    after_playing,
    change_dice,
    colours_of,
    count_loose_symbols,
    dice_to_reroll,
    is_used,
    loose_dice,
    lose_last,
    next_act,
    symbols_to_reroll,
    without,
)
from grognard.systems.assault.facts import (
    facts,
    joint_range,
    joint_sight,
    needs_spotting,
    number_to_spot,
    profile,
)
from grognard.systems.assault.figures import Area, PoolName, parse_dice
from grognard.systems.assault.setup import Experience, Fire, Setup
from grognard.systems.assault.state import (
    Hand,
    Origin,
    Sequence,
    State,
    always,
    end_attack,
    gain,
    is_by_hand,
    lose_weakest,
    pools,
    rollers,
    rule,
)

SEASONED = (Experience.VETERAN, Experience.ELITE)
HITS = ("C", "D")
"""In indirect fire on a vehicle, a die counts if its first roll shows one of these."""
ATTACK = PoolName.ATTACK


def go_on(setup: Setup, state: State) -> Next:
    """Continue with the next step of the attack sequence in which something happens."""
    return SEQUENCE.after(setup, state)


@rule("attack 1.0")
def check_possibility(setup: Setup, state: State) -> Next:
    """Attacker, target, range and line of sight are checked. Out of range or out of sight, the battle is not legal."""
    return go_on(setup, state._replace(facts=facts(setup)))


@rule("attack 2.0")
def activate(setup: Setup, state: State) -> Next:
    """A side that plays with command points flips one."""
    return go_on(setup, state._replace(points=setup.command_points[setup.attacker.side] - 1))


@rule("attack 3.0")
def mark_fire_status(setup: Setup, state: State) -> Next:
    """The attacker is marked with its fire status: firing, turret firing, move and fire, or fire and move."""
    return go_on(setup, state._replace(has_fired=True))


@rule("attack 4.0")
def spot(setup: Setup, state: State) -> Steps:
    """A target that is not seen at once must be spotted with a d6. The attack goes on even if it is not spotted."""
    spotted = setup.declared.spotted
    if spotted == "roll":
        number = number_to_spot(setup, state.known_facts)
        reading, by = Tally(1, 6, ((number, 6),)), rollers(setup.attacker, (Pool(1, d(6)),))
        success = f"{number} or more spots {setup.target.id}" if number <= 6 else f"nothing spots {setup.target.id}"
        (reached,) = yield from roll(reading, *by, purpose="Spotting roll", success=success)
        spotted = reached == 1
    return go_on(setup, state._replace(spotted=spotted))


def is_looked_for(setup: Setup, state: State) -> bool:
    """Whether spotting matters: it is needed, or the file decides it, and the defence dice are not gathered by hand."""
    if is_by_hand(setup, PoolName.DEFENSE):
        return False
    return setup.declared.spotted != "roll" or needs_spotting(setup, state.known_facts)


@rule("attack 5.0")
def grab_attack_dice(setup: Setup, state: State) -> Next:
    """The attacker takes the card's dice for this range, from the row for this kind of target."""
    attack = setup.declared
    if attack.dice is not None:
        return go_on(setup, state._replace(attack=Hand().with_dice(parse_dice(attack.dice), Origin.BY_HAND)))
    bands = profile(setup, setup.attacker).bands(profile(setup, setup.target), attack.fire is Fire.INDIRECT)
    dice = next(band.dice for band in bands if state.known_facts.range in band.ranges)
    state = gain(setup, state, ATTACK, dice, Origin.CARD)
    return go_on(setup, state) if attack.joint is None else Then(join_fire, state)


@rule("attack 5.0")
def join_fire(setup: Setup, state: State) -> Next:
    """A friend that joins the fire adds its strongest die: a colour weaker with attack die −1 or a hindered sight."""
    assert setup.declared.joint
    friend = setup.unit(setup.declared.joint)
    bands = profile(setup, friend).bands(profile(setup, setup.target), indirect=False)
    strongest = next(band.dice for band in bands if joint_range(setup, friend) in band.ranges)[:1]
    is_weaker = friend.attack_die_minus > 0 or joint_sight(setup, friend).hindering > 0
    die = [colour.weaker if is_weaker else colour for colour in strongest]
    return go_on(setup, gain(setup, state, ATTACK, die, Origin.JOINT_FIRE))


@rule("attack 6.0")
def check_attacker_experience(setup: Setup, state: State) -> Next:
    """A veteran or elite attacker has one blue die more."""
    return go_on(setup, gain(setup, state, ATTACK, "B", Origin.EXPERIENCE))


@rule("attack 7.0")
def check_recruit(setup: Setup, state: State) -> Next:
    """Against a recruit, one Suppression is added to the attacker's symbols before the comparison."""
    return go_on(setup, state._replace(attack=state.attack.with_x(Origin.RECRUIT)))


@rule("attack 8.0")
def lose_attack_dice(setup: Setup, state: State) -> Next:
    """Each attack die −1 costs the weakest attack die, even the last one. Fire from ambush adds an X."""
    if setup.rules.weakest_die_lost == "in_sequence":
        state = lose_weakest(setup, state, ATTACK, setup.attacker.attack_die_minus)
    if setup.attacker.ambush:
        state = state._replace(attack=state.attack.with_x(Origin.AMBUSH))
    return Then(sort_attack_dice if needs_sorting(setup) else change_attack_dice, state)


def needs_sorting(setup: Setup) -> bool:
    """Whether the attack dice are rolled twice: in indirect fire on a vehicle, unless they were gathered by hand."""
    return is_vehicle_under_indirect_fire(setup) and not is_by_hand(setup, ATTACK)


@rule("attack 9.0")
def sort_attack_dice(setup: Setup, state: State) -> Steps:
    """Indirect fire on a vehicle: dice that show a blank or an X in the first roll are set aside."""
    dice = pools(setup, state.attack.counts)
    if dice:
        reading, by = SymbolRoll(dice, HITS), rollers(setup.attacker, dice)
        success = "dice that show C or D are rolled again as the attack, the others are set aside"
        rolled = yield from roll(reading, *by, purpose="First roll of indirect fire", success=success)
        hits = colours_of(loose_dice(list(state.attack.counts), rolled))
        state = state._replace(attack=state.attack.limited_to(hits), is_sorted=True)
    return Then(change_attack_dice, state)


@rule("attack 8.0")
def change_attack_dice(setup: Setup, state: State, start: int = 0) -> Steps:
    """Special abilities and command cards change attack dice and X. Each player may play one card an attack."""
    act = next_act(setup, state, Moment.ATTACK_DICE, start)
    if act is None:
        return go_on(setup, lose_last(setup, state, ATTACK))
    if (yield from is_used(setup, state, act)):
        state = change_dice(setup, after_playing(state, act), act.effect, act.origin)
    return Then(change_attack_dice, state, act.place + 1)


def is_modified(setup: Setup, state: State) -> bool:
    """Whether anything changes the attack dice or adds an X at 8.0."""
    unit = setup.attacker
    loses = unit.attack_die_minus > 0 and not is_by_hand(setup, ATTACK)
    return loses or unit.ambush or needs_sorting(setup) or next_act(setup, state, Moment.ATTACK_DICE) is not None


@rule("attack 9.0")
def roll_attack_dice(setup: Setup, state: State) -> Steps:
    """The attack dice are rolled. At half strength, a double success counts only its stronger symbol."""
    if profile(setup, setup.attacker).is_half_strength and not state.stronger_only:
        return Then(roll_attack_dice, state._replace(stronger_only=True))
    dice, rolled = pools(setup, state.attack.counts), RolledSymbols((), NO_SYMBOLS)
    if dice:
        reading = SymbolRoll(dice, symbols_to_reroll(setup, state, Moment.ATTACK_ROLL), state.stronger_only)
        by = rollers(setup.attacker, dice)
        rolled = yield from roll(reading, *by, purpose="Attack roll", success=attack_success(setup, state))
    loose = loose_dice(list(state.attack.counts), rolled)
    hand = Hand(x=state.attack.x)
    return go_on(setup, state._replace(attack=hand, symbols=rolled.symbols, loose=loose))


def attack_success(setup: Setup, state: State) -> str:
    x = state.attack.added_x
    added = f"; {x:+d} X" if x else ""
    halved = "; of two symbols on a die the stronger counts" if state.stronger_only else ""
    return f"each C (critical) or D (damage) that is not cancelled is 1 damage, any X suppresses{halved}{added}"


@rule("attack 10.0")
def use_attack_roll(setup: Setup, state: State, start: int = 0) -> Steps:
    """Special abilities and command cards re-roll attack dice. Each player may play one card an attack."""
    act = next_act(setup, state, Moment.ATTACK_ROLL, start)
    if act is None:
        return Then(read_attack_roll, state)
    if (yield from is_used(setup, state, act)):
        state = after_playing(state, act)
        again = dice_to_reroll(state, act.effect)
        if again:
            dice = pools(setup, colours_of(again))
            kept = symbols_to_reroll(setup, state, Moment.ATTACK_ROLL, act.place + 1)
            reading, by = SymbolRoll(dice, kept, state.stronger_only), rollers(setup.attacker, dice)
            success = attack_success(setup, state)
            rolled = yield from roll(reading, *by, purpose="Re-roll of attack dice", success=success)
            loose = loose_dice(list(colours_of(again)), rolled, without(state.loose, again))
            state = state._replace(symbols=state.attack_symbols.plus(rolled.symbols), loose=loose)
    return Then(use_attack_roll, count_loose_symbols(setup, state, Moment.ATTACK_ROLL, act.place + 1), act.place + 1)


@rule("attack 10.0")
def read_attack_roll(setup: Setup, state: State) -> Next:
    """X are added or removed. Indirect fire strikes a vehicle from above if it shows a Critical, else in the flank.

    Without a symbol, the attack ends here.
    """
    critical, damage, suppression = state.attack_symbols
    symbols = Symbols(critical, damage, max(0, suppression + state.attack.added_x))
    if not any(symbols):
        return end_attack(state.after_comparison())
    known = state.known_facts
    if not known.areas:
        known = replace(known, areas=(Area.ABOVE if critical else Area.FLANK,))
    after = state.after_comparison()._replace(step="defence 1.0", facts=known, spotted=state.spotted, symbols=symbols)
    return Then(grab_defence_dice, after)


PARAGRAPHS = {
    "attack 1.0: close combat": "Range 0 is refused: close combat has rules of its own (MR 11).",
    "attack 2.0: cards for the activation": "Decided at the table: cards that affect an activation rather than dice or "
    "symbols. Cards that change dice or symbols are offered at the step at which they act.",
    "attack 3.0: moving": "Decided at the table: where a unit moves before or after it fires, and how it turns. Range, "
    "sight, arc and area are those when it fires.",
    "attack 8.0: attack die −1": "The main rules say which marks of the attacker cost a die (MR 13.1). The file gives "
    "their number as `attack_die_minus`.",
    "attack 5.0: who joins": "Decided at the table: whether a friend joins the fire. The file names it.",
    "defence 9.0: figures": "Decided at the table: which figures are removed. Their number is the damage.",
    "defence 9.0: falling back": "On a board, enemies and impassable hexes block the way, and friends do not. The "
    "players decide how the unit faces afterwards and, without a board, where it goes.",
}


SEQUENCE = Sequence(
    ("attack 1.0", check_possibility, always),
    ("attack 2.0", activate, lambda setup, state: setup.attacker.side in setup.command_points),
    ("attack 3.0", mark_fire_status, always),
    ("attack 4.0", spot, is_looked_for),
    ("attack 5.0", grab_attack_dice, always),
    (
        "attack 6.0",
        check_attacker_experience,
        lambda setup, state: setup.attacker.experience in SEASONED and not is_by_hand(setup, ATTACK),
    ),
    ("attack 7.0", check_recruit, lambda setup, state: setup.target.experience is Experience.RECRUIT),
    ("attack 8.0", lose_attack_dice, is_modified),
    ("attack 9.0", roll_attack_dice, always),
    ("attack 10.0", use_attack_roll, always),
)
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
    change_attack_dice,
    sort_attack_dice,
    roll_attack_dice,
    use_attack_roll,
    read_attack_roll,
)
