"""The defence sequence, 1.0 to 9.0: the defender's dice, the comparison, its consequences, and critical hits."""

from collections.abc import Generator
from functools import cache

from grognard.core.readings import Pool
from grognard.core.rules import Next, Option, Question, Steps, Then, choose, roll
from grognard.readings.symbols import DefenceRoll, Limit, StrongestLeft, Symbols, uncancelled
from grognard.systems.assault.damage import (
    eliminate,
    fallback_end,
    fallback_field,
    fallback_hexes,
    force_back,
    immobilize,
    inflict_damage,
    next_hexes,
    suppress,
)
from grognard.systems.assault.data import dice_of, die, tables, terrain
from grognard.systems.assault.describe import format_symbols
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
    possible_acts,
    symbols_of,
    symbols_to_reroll,
    without,
)
from grognard.systems.assault.facts import profile, weakest_of
from grognard.systems.assault.figures import Areas, Colour, FireRow, PoolName, parse_dice
from grognard.systems.assault.setup import Experience, Fire, Setup
from grognard.systems.assault.state import (
    Applies,
    Condition,
    Origin,
    Sequence,
    State,
    Status,
    always,
    end_attack,
    gain,
    is_by_hand,
    lose_weakest,
    pools,
    rollers,
    rule,
)

SEASONED = (Experience.HARDENED, Experience.VETERAN, Experience.ELITE)
DEFENSE = PoolName.DEFENSE


def go_on(setup: Setup, state: State) -> Next:
    """Continue with the next step of the defence sequence in which something happens."""
    return SEQUENCE.after(setup, state)


@rule("defence 1.0")
def grab_defence_dice(setup: Setup, state: State) -> Next:
    """The defender takes the card's dice for the area that is struck; on a boundary, the weaker ones."""
    if setup.declared.defense is not None:
        hand = state.defense.with_dice(parse_dice(setup.declared.defense), Origin.BY_HAND)
        return go_on(setup, state._replace(defense=hand))
    dice = weakest_of(setup, profile(setup, setup.target).defense, state.known_facts.areas)
    return go_on(setup, gain(setup, state, DEFENSE, dice, Origin.CARD))


def terrain_dice(setup: Setup, state: State) -> str:
    dice: str | Areas = getattr(terrain(setup, state.known_facts.terrain), profile(setup, setup.target).kind)
    return weakest_of(setup, dice, state.known_facts.areas)


@rule("defence 2.0")
def add_terrain_dice(setup: Setup, state: State) -> Next:
    """The terrain adds its dice for this kind of unit. Fire from ambush takes away the weakest of them."""
    dice = parse_dice(terrain_dice(setup, state))
    return go_on(setup, gain(setup, state, DEFENSE, dice[:-1] if setup.attacker.ambush else dice, Origin.TERRAIN))


@rule("defence 3.0")
def add_hindrance_dice(setup: Setup, state: State) -> Next:
    """A hindered line of sight adds dice, except against indirect fire."""
    number = 1 if setup.rules.hindrance_dice == "once" else state.known_facts.hindering
    dice = dice_of(tables(setup).hindered) * number
    return go_on(setup, gain(setup, state, DEFENSE, dice, Origin.HINDERED))


@rule("defence 4.0")
def check_status(setup: Setup, state: State) -> Next:
    """Digging in, dug in, a fast action, suppression and hiding, in this order, add a die or cost the weakest one."""
    unit, aid = setup.target, tables(setup)
    is_vehicle = profile(setup, unit).is_vehicle
    loses = setup.rules.weakest_die_lost == "in_sequence"
    if unit.digging_in and loses:
        state = lose_weakest(setup, state, DEFENSE, 1, keep=1)
    if unit.dug_in:
        state = gain(setup, state, DEFENSE, dice_of(aid.dug_in), Origin.DUG_IN)
    if unit.fast and not is_vehicle and loses:
        state = lose_weakest(setup, state, DEFENSE, 1, keep=1)
    if state.target.status is Status.SUPPRESSED and not is_vehicle:
        state = gain(setup, state, DEFENSE, dice_of(aid.suppressed), Origin.SUPPRESSED)
    if unit.hiding or unit.hidden or unit.ambush:
        state = gain(setup, state, DEFENSE, dice_of(aid.hiding), Origin.HIDING)
    return go_on(setup, state)


def has_status(setup: Setup, state: State) -> bool:
    """Whether the target's status changes its dice in this step."""
    unit, is_vehicle = setup.target, profile(setup, setup.target).is_vehicle
    loses = unit.digging_in or (unit.fast and not is_vehicle)
    gains = unit.dug_in or unit.hiding or unit.hidden or unit.ambush
    is_suppressed = state.target.status is Status.SUPPRESSED and not is_vehicle
    return (loses and setup.rules.weakest_die_lost == "in_sequence") or gains or is_suppressed


@rule("defence 5.0")
def check_defender_experience(setup: Setup, state: State) -> Next:
    """A hardened, veteran or elite defender has one blue die more."""
    return go_on(setup, gain(setup, state, DEFENSE, "B", Origin.EXPERIENCE))


@rule("defence 6.0")
def check_fire_status(setup: Setup, state: State) -> Next:
    """The attacker's fire status adds dice, better ones for a fast vehicle or a target that was not spotted."""
    state = gain(setup, state, DEFENSE, fire_status_dice(setup, state), Origin.FIRE_STATUS)
    if is_vehicle_under_indirect_fire(setup):
        state = gain(setup, state, DEFENSE, dice_of(tables(setup).indirect), Origin.INDIRECT)
    return go_on(setup, state)


def fire_status_dice(setup: Setup, state: State) -> str:
    """The dice in the table of the attacker's fire status. A unit that fires indirectly stands still."""
    aid, fire, is_vehicle = tables(setup), setup.declared.fire, profile(setup, setup.target).is_vehicle
    row = aid.moving if fire.is_moving else aid.turret_firing if fire is Fire.TURRET_FIRING else aid.firing
    assert isinstance(row, FireRow)
    if state.spotted is False:
        return row.unspotted_vehicle if is_vehicle else row.unspotted
    return row.fast_vehicle if is_vehicle and setup.target.fast else row.normal


def is_vehicle_under_indirect_fire(setup: Setup) -> bool:
    return setup.declared.fire is Fire.INDIRECT and profile(setup, setup.target).is_vehicle


@rule("defence 7.0")
def change_defence_dice(setup: Setup, state: State, start: int = 0) -> Steps:
    """Special abilities and command cards add or remove defence dice. Each player may play one card an attack."""
    act = next_act(setup, state, Moment.DEFENCE_DICE, start)
    if act is None:
        return go_on(setup, lose_last(setup, state, DEFENSE))
    if (yield from is_used(setup, state, act)):
        state = change_dice(setup, after_playing(state, act), act.effect, act.origin)
    return Then(change_defence_dice, state, act.place + 1)


def has_late_changes(setup: Setup, state: State) -> bool:
    """Whether abilities, cards or a house rule change the defence dice once all are gathered."""
    is_lost = lose_last(setup, state, DEFENSE) != state
    return is_lost or next_act(setup, state, Moment.DEFENCE_DICE) is not None


@rule("defence 8.0")
def take_up_defence_dice(setup: Setup, state: State) -> Next:
    """The defender takes the gathered dice. Without any, all attack symbols stay."""
    dice, attack = pools(setup, state.defense.counts), state.attack_symbols
    has_effects = next(possible_acts(setup, state, Moment.DEFENCE_ROLL), None) is not None
    if dice:
        kept = symbols_to_reroll(setup, state, Moment.DEFENCE_ROLL) if has_effects else ()
        reading = DefenceRoll(attack, dice, kept, None if has_effects else limit(setup, state))
        return Then(roll_defence_dice, state, reading)
    return Then(use_defence_roll, state, 0) if has_effects else Then(compare, state.after_comparison(), attack)


@rule("defence 8.0")
def roll_defence_dice(setup: Setup, state: State, reading: DefenceRoll) -> Steps:
    """The defence dice are rolled against the attack symbols on the table."""
    by, success = rollers(setup.target, reading.dice), defence_success(reading.attack)
    rolled = yield from roll(reading, *by, purpose="Defence roll", success=success)
    if reading.limit:
        return Then(compare, state.after_comparison(), rolled.symbols)
    loose = loose_dice(list(state.defense.counts), rolled)
    return Then(use_defence_roll, state._replace(symbols=rolled.symbols, loose=loose), 0)


@cache
def defence_success(attack: Symbols) -> str:
    return f"each symbol cancels one as strong or weaker of the attack's {format_symbols(attack)}"


@rule("defence 8.0")
def use_defence_roll(setup: Setup, state: State, start: int) -> Steps:
    """Special abilities and command cards re-roll defence dice, or cancel the strongest symbol that is left."""
    act = next_act(setup, state, Moment.DEFENCE_ROLL, start)
    if act is None:
        return Then(compare, state.after_comparison(), uncancelled(state.attack_symbols, symbols_of(state.loose)))
    if not (yield from is_used(setup, state, act)):
        state = count_loose_symbols(setup, state, Moment.DEFENCE_ROLL, act.place + 1)
        return Then(use_defence_roll, state, act.place + 1)
    state = after_playing(state, act)
    # a cancelled symbol counts like a Critical of the defence, which cancels the strongest that is left
    left = uncancelled(state.attack_symbols, symbols_of(state.loose))
    kept = uncancelled(left, Symbols(critical=act.effect.cancels))
    state = state._replace(symbols=state.attack_symbols.plus(left, -1).plus(kept))
    again = dice_to_reroll(state, act.effect) if act.effect.pool is DEFENSE else ()
    if again:
        others = without(state.loose, again)
        dice, attack = pools(setup, colours_of(again)), state.attack_symbols
        reading = DefenceRoll(attack, dice, symbols_to_reroll(setup, state, Moment.DEFENCE_ROLL, act.place + 1))
        success = defence_success(uncancelled(attack, symbols_of(others)))
        by = rollers(setup.target, dice)
        rolled = yield from roll(reading, *by, purpose="Re-roll of defence dice", success=success)
        state = state._replace(symbols=rolled.symbols, loose=loose_dice(list(colours_of(again)), rolled, others))
    return Then(use_defence_roll, count_loose_symbols(setup, state, Moment.DEFENCE_ROLL, act.place + 1), act.place + 1)


def limit(setup: Setup, state: State) -> Limit:
    """The most symbols that can matter to the target."""
    points = profile(setup, setup.target).strength - state.target.damage
    return Limit(points, setup.target.experience is not Experience.ELITE)


@rule("10.7.2")
def compare(setup: Setup, state: State, symbols: Symbols) -> Next:
    """Each defending symbol has cancelled an attacking symbol as strong or weaker, strongest first. The rest counts."""
    critical, damage, suppression = limit(setup, state).of(symbols)
    return Then(take_damage, state, critical + damage, suppression > 0, critical)


@rule("defence 9.0")
def take_damage(setup: Setup, state: State, points: int, is_suppressed: bool, criticals: int) -> Next:
    """Every Damage and every Critical left is one damage. If that eliminates the unit, the attack ends."""
    state = state._replace(target=inflict_damage(setup, state.target, points))
    if state.target.is_eliminated:
        return end_attack(state)
    return Then(suffer_suppression, state, is_suppressed, criticals)


@rule("defence 9.0")
def suffer_suppression(setup: Setup, state: State, is_suppressed: bool, criticals: int) -> Next:
    """All Suppression left counts once. An elite unit ignores it."""
    if not is_suppressed:
        return resolve_criticals(setup, state, criticals)
    return then_fall_back(setup, state, suppress(setup, state.target), criticals)


def then_fall_back(setup: Setup, state: State, target: Condition, criticals: int = 0) -> Next:
    """Let a unit that must fall back do so at once; then resolve the critical hits."""
    must_move = target.status is Status.FALLBACK  # not for the second time: that eliminates
    state = state._replace(target=target)
    if must_move and fallback_field(setup):
        return Then(fall_back, state, fallback_hexes(setup), criticals)
    return resolve_criticals(setup, state, criticals)


@rule("defence 9.0")
def fall_back(setup: Setup, state: State, hexes: int, criticals: int) -> Steps:
    """The unit falls back by its base move and one more hex, each farther from the enemy.

    If it cannot go that far, it stops and takes one damage.
    """
    field, target, start = fallback_field(setup), state.target, state.target.at
    assert field
    assert start
    if setup.rules.fallback_way == "straight":
        end, length = fallback_end(field, start, hexes)
        target = inflict_damage(setup, target._replace(at=end), int(length < hexes))
    elif hexes:
        options = [Option(str(way), str(way), tile) for way, tile in next_hexes(field, start, hexes)]
        if options:
            prompt = f"Where does {setup.target.id} fall back to, with {hexes} hexes to go?"
            tile = yield from choose(setup.target.side, prompt, options)
            return Then(fall_back, state._replace(target=target._replace(at=tile)), hexes - 1, criticals)
        target = inflict_damage(setup, target, 1)
    return resolve_criticals(setup, state._replace(target=target), criticals)


def resolve_criticals(setup: Setup, state: State, criticals: int) -> Next:
    """Continue with the critical roll, if a Critical is left and the unit survives."""
    if state.target.is_eliminated or not criticals:
        return end_attack(state)
    is_vehicle = profile(setup, setup.target).is_vehicle
    return Then(resolve_critical_on_vehicle if is_vehicle else resolve_critical_on_troops, state, criticals)


def strongest_left(setup: Setup, criticals: int) -> Generator[Question, object, str]:
    """Roll a green die for the attacker and a blue one for the defender for each Critical; the strongest symbol left.

    An elite unit ignores a Suppression here too, unless a house rule says otherwise.
    """
    attack, defence = ((Pool(criticals, die(setup, colour)),) for colour in (Colour.GREEN, Colour.BLUE))
    by = (*rollers(setup.attacker, attack), *rollers(setup.target, defence))
    success = "the strongest green symbol that no blue one cancels is the only one that counts"
    symbol = yield from roll(StrongestLeft(attack, defence), *by, purpose="Critical hit roll", success=success)
    is_deaf = setup.target.experience is Experience.ELITE and setup.rules.elite_ignores_critical_x
    return "" if symbol == "X" and is_deaf else symbol


@rule("10.7.5")
def resolve_critical_on_troops(setup: Setup, state: State, criticals: int) -> Steps:
    """Infantry and artillery: a Critical makes the unit fall back; a Damage or a Suppression suppresses it."""
    symbol = yield from strongest_left(setup, criticals)
    match symbol:
        case "C":
            return then_fall_back(setup, state, force_back(setup, state.target))
        case "D" | "X":
            return then_fall_back(setup, state, suppress(setup, state.target))
    return end_attack(state)


@rule("10.7.6")
def resolve_critical_on_vehicle(setup: Setup, state: State, criticals: int) -> Steps:
    """Vehicles: a Critical immobilises, or eliminates if immobilised; a Damage causes a fallback; an X suppresses."""
    symbol = yield from strongest_left(setup, criticals)
    target = state.target
    match symbol:
        case "C":
            return end_attack(state._replace(target=immobilize(setup, target)))
        case "D":
            return then_fall_back(setup, state, force_back(setup, target))
        case "X" if target.immobilized and setup.rules.critical_x_on_immobilised == "eliminated":
            return end_attack(state._replace(target=eliminate(setup, target)))
        case "X":
            return then_fall_back(setup, state, suppress(setup, target))
    return end_attack(state)


def unless_by_hand(applies: Applies) -> Applies:
    """The condition of a step that does not apply either if the dice are gathered by hand."""
    return lambda setup, state: not is_by_hand(setup, DEFENSE) and applies(setup, state)


def is_hindered(setup: Setup, state: State) -> bool:
    """Whether a hindered line of sight adds dice."""
    return state.known_facts.hindering > 0 and setup.declared.fire is not Fire.INDIRECT


def has_fire_status_dice(setup: Setup, state: State) -> bool:
    """Whether the attacker's fire status adds dice."""
    return bool(fire_status_dice(setup, state)) or is_vehicle_under_indirect_fire(setup)


SEQUENCE = Sequence(
    ("defence 1.0", grab_defence_dice, always),
    ("defence 2.0", add_terrain_dice, unless_by_hand(lambda setup, state: bool(terrain_dice(setup, state)))),
    ("defence 3.0", add_hindrance_dice, unless_by_hand(is_hindered)),
    ("defence 4.0", check_status, unless_by_hand(has_status)),
    (
        "defence 5.0",
        check_defender_experience,
        unless_by_hand(lambda setup, state: setup.target.experience in SEASONED),
    ),
    ("defence 6.0", check_fire_status, unless_by_hand(has_fire_status_dice)),
    ("defence 7.0", change_defence_dice, has_late_changes),
    ("defence 8.0", take_up_defence_dice, always),
)
RULES = (
    *SEQUENCE.rules,
    roll_defence_dice,
    use_defence_roll,
    take_damage,
    suffer_suppression,
    fall_back,
    compare,
    resolve_critical_on_troops,
    resolve_critical_on_vehicle,
)
