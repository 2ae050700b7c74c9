"""Special abilities and command cards: when their effects act, whether they change anything, and what they change.

There are four moments. At each, the attacker's abilities act first, then the defender's. Then each player may play a
card, the attacker first, but only one in an attack. A card with several effects is played at the earliest of their
moments; its later effects act at theirs without a question.
"""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from grognard.core.rules import Question, may
from grognard.readings.symbols import BLANK, NO_SYMBOLS, RolledSymbols, Symbols, face_symbols, strongest, uncancelled
from grognard.systems.assault.data import find_effect
from grognard.systems.assault.describe import card_prompt
from grognard.systems.assault.facts import profile
from grognard.systems.assault.figures import Colour, Effect, PoolName, parse_dice
from grognard.systems.assault.setup import Setup
from grognard.systems.assault.state import Hand, LooseDice, Origin, State, is_by_hand


class Moment(StrEnum):
    """When effects act."""

    ATTACK_DICE = "attack 8.0"
    """Attack dice and Suppressions are added or removed."""
    ATTACK_ROLL = "attack 10.0"
    """Attack dice are rolled again."""
    DEFENCE_DICE = "defence 7.0"
    """Defence dice are added or removed."""
    DEFENCE_ROLL = "defence 8.0"
    """Defence dice are rolled again, or symbols are cancelled."""

    @property
    def pool(self) -> PoolName:
        """Whose dice lie on the table or are about to be rolled."""
        return PoolName.ATTACK if self.startswith("attack") else PoolName.DEFENSE


class Act(NamedTuple):
    """An effect that may act at a moment: of an ability, or of a command card by its index in the file."""

    place: int
    """Its place in the order of all effects of the attack."""
    effect: Effect
    card: int | None

    @property
    def origin(self) -> Origin:
        """The origin of its dice."""
        return Origin.ABILITY if self.card is None else Origin.COMMAND_CARD


def moments(effect: Effect) -> tuple[Moment, ...]:
    """The moments at which an effect acts, the earliest first."""
    is_attack, changes_dice = effect.pool is PoolName.ATTACK, bool(effect.gains or effect.loses)
    acts = {
        Moment.ATTACK_DICE: bool(effect.x) or (is_attack and changes_dice),
        Moment.ATTACK_ROLL: is_attack and bool(effect.rerolls),
        Moment.DEFENCE_DICE: not is_attack and changes_dice,
        Moment.DEFENCE_ROLL: bool(effect.cancels) or (not is_attack and bool(effect.rerolls)),
    }
    return tuple(moment for moment, is_used in acts.items() if is_used)


class ScheduledAct(NamedTuple):
    """An effect that acts at a moment, and the side that holds its card, if it has one."""

    act: Act
    side: str
    is_first: bool
    """Whether the effect does not act at an earlier moment."""


def effects_at(setup: Setup, moment: Moment) -> tuple[ScheduledAct, ...]:
    """All effects that act at a moment, in order: abilities, then cards, the attacker's first."""
    known: tuple[ScheduledAct, ...] | None = setup.memo.get(moment)
    if known is None:
        known = setup.memo[moment] = tuple(_entries(setup, moment))
    return known


def _entries(setup: Setup, moment: Moment) -> Iterator[ScheduledAct]:
    abilities = profile(setup, setup.attacker).effects("attacking") + profile(setup, setup.target).effects("defending")
    for place, effect in enumerate(abilities):
        if moment in moments(effect):
            yield ScheduledAct(Act(place, effect, None), "", is_first=True)
    held = setup.command_cards
    for turn, side in enumerate((setup.attacker.side, setup.target.side)):
        for number, card in enumerate(held):
            effect_of_card = find_effect(setup, card)
            if card.side == side and effect_of_card and moment in (when := moments(effect_of_card)):
                place = len(abilities) + turn * len(held) + number
                yield ScheduledAct(Act(place, effect_of_card, number), side, is_first=when[0] is moment)


def possible_acts(setup: Setup, state: State, moment: Moment, start: int = 0) -> Iterator[Act]:
    """The effects of abilities, played cards and playable cards that may act at a moment, from a place on."""
    played = state.played
    has_played = [setup.command_cards[number].side for number in played]
    for act, side, is_first in effects_at(setup, moment):
        may_act = act.card is None or act.card in played or (is_first and side not in has_played)
        if act.place >= start and may_act:
            yield act


def next_act(setup: Setup, state: State, moment: Moment, start: int = 0) -> Act | None:
    """The next effect that acts, or whose card can be played."""
    for act in possible_acts(setup, state, moment, start):
        is_asked = act.card is not None and act.card not in state.played
        if not is_asked or can_do_something(setup, state, moment, act.effect):
            return act
    return None


def is_used(setup: Setup, state: State, act: Act) -> Generator[Question, object, bool]:
    """Whether an effect acts. The player of a card that was not played yet is asked."""
    if act.card is None or act.card in state.played:
        return True
    held = setup.command_cards[act.card]
    return (yield from may(held.side, card_prompt(held, act.effect)))


def after_playing(state: State, act: Act) -> State:
    """The state in which the effect's card, if it has one, is played."""
    if act.card is None or act.card in state.played:
        return state
    return state._replace(played=tuple(sorted((*state.played, act.card))))


def can_do_something(setup: Setup, state: State, moment: Moment, effect: Effect) -> bool:
    """Whether an effect changes anything at this moment."""
    match moment:
        case Moment.ATTACK_DICE | Moment.DEFENCE_DICE:
            return (bool(effect.x) and moment is Moment.ATTACK_DICE) or changes_roll(setup, state, moment.pool, effect)
        case Moment.ATTACK_ROLL:
            return bool(dice_to_reroll(state, effect))
        case Moment.DEFENCE_ROLL:
            may_reroll = effect.pool is PoolName.DEFENSE and bool(dice_to_reroll(state, effect))
            left = uncancelled(state.attack_symbols, symbols_of(state.loose))
            return may_reroll or (bool(effect.cancels) and any(left))


def changes_roll(setup: Setup, state: State, pool: PoolName, effect: Effect) -> bool:
    """Whether an effect changes the dice that will be rolled; remembered, as many positions have the same dice."""
    key = "changes roll", effect.pool, effect.gains, effect.loses, pool, state.hand(pool)
    known: bool | None = setup.memo.get(key)
    if known is None:
        changed = change_dice(setup, state, effect)
        known = setup.memo[key] = to_be_rolled(setup, state, pool) != to_be_rolled(setup, changed, pool)
    return known


def change_dice(setup: Setup, state: State, effect: Effect, origin: Origin = Origin.COMMAND_CARD) -> State:
    """The state after an effect on dice and Suppressions. Dice that were gathered by hand do not change."""
    hand = state.hand(effect.pool)
    if not is_by_hand(setup, effect.pool):
        hand = hand.with_dice(parse_dice(effect.gains), origin).without_dice(parse_dice(effect.loses))
    state = state.with_hand(effect.pool, hand)
    return state._replace(attack=state.attack.with_x(origin, effect.x)) if effect.x else state


def to_be_rolled(setup: Setup, state: State, pool: PoolName) -> dict[Colour, int]:
    """The dice that will be rolled if nothing changes them any more."""
    return lose_last(setup, state, pool).hand(pool).counts


def lose_last(setup: Setup, state: State, pool: PoolName) -> State:
    """The state without the weakest dice, if a house rule takes them away when all are gathered."""
    if setup.rules.weakest_die_lost != "last" or is_by_hand(setup, pool):
        return state
    hand: Hand = state.hand(pool)
    if pool is PoolName.ATTACK:
        return state.with_hand(pool, hand.without_weakest(setup.attacker.attack_die_minus))
    unit = setup.target
    lost = unit.digging_in + (unit.fast and not profile(setup, unit).is_vehicle)
    return state.with_hand(pool, hand.without_weakest(lost, keep=1))


def reroll_symbols(effect: Effect) -> set[str]:
    """The symbols of an effect's re-roll: a die is rolled again if its strongest symbol is one of these."""
    return {BLANK if symbol == "blank" else symbol for symbol in effect.rerolls}


def dice_to_reroll(state: State, effect: Effect) -> tuple[LooseDice, ...]:
    symbols = reroll_symbols(effect)
    return tuple(loose for loose in state.loose if strongest(loose.face) in symbols)


def symbols_to_reroll(setup: Setup, state: State, moment: Moment, start: int = 0) -> tuple[str, ...]:
    """The symbols that any effect that may still act at this moment would re-roll."""
    effects = (act.effect for act in possible_acts(setup, state, moment, start))
    symbols = set[str]().union(*(reroll_symbols(effect) for effect in effects if effect.pool is moment.pool))
    return tuple(sorted(symbols))


def symbols_of(dice: tuple[LooseDice, ...], stronger_only: bool = False) -> Symbols:
    """The symbols of dice on the table."""
    total = NO_SYMBOLS
    for _, face, count in dice:
        total = total.plus(face_symbols(face, stronger_only), count)
    return total


def count_loose_symbols(setup: Setup, state: State, moment: Moment, start: int) -> State:
    """Count the symbols of the dice that no effect can re-roll any more, so that equal positions merge."""
    if not state.loose:
        return state
    kept = symbols_to_reroll(setup, state, moment, start)
    still = tuple(loose for loose in state.loose if strongest(loose.face) in kept)
    symbols = symbols_of(without(state.loose, still), state.stronger_only)
    if moment is Moment.ATTACK_ROLL:
        return state._replace(loose=still, symbols=state.attack_symbols.plus(symbols))
    return state._replace(loose=still, symbols=uncancelled(state.attack_symbols, symbols))


def without(dice: Iterable[LooseDice], others: Sequence[LooseDice]) -> tuple[LooseDice, ...]:
    """These dice without the others."""
    return tuple(loose for loose in dice if loose not in others)


def loose_dice(
    colours: Sequence[Colour], rolled: RolledSymbols, others: Sequence[LooseDice] = ()
) -> tuple[LooseDice, ...]:
    """The dice that a roll of these colours kept separate, and others; equal dice are counted together."""
    if not rolled.kept and not others:
        return ()
    counts: Counter[tuple[Colour, str]] = Counter()
    for colour, face, count in (*others, *((colours[number], face, count) for number, face, count in rolled.kept)):
        counts[colour, face] += count
    return tuple(LooseDice(colour, face, counts[colour, face]) for colour, face in sorted(counts))


def colours_of(dice: Iterable[LooseDice]) -> dict[Colour, int]:
    """How many dice of each colour, strong to weak."""
    counts: Counter[Colour] = Counter()
    for colour, _, count in dice:
        counts[colour] += count
    return {colour: counts[colour] for colour in Colour if counts[colour]}
