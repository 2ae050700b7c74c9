"""Whole turns: which attacks are possible in a state, and the state after each of them."""

from collections.abc import Hashable, Iterator
from dataclasses import fields, replace
from typing import Any

from grognard.core.positions import Position
from grognard.core.rules import End, Next, Rule, Steps, Then, rule
from grognard.core.systems import Json, Mark, PossibleAttack
from grognard.core.turns import ON, choose_attack
from grognard.core.wording import tile_name
from grognard.systems.assault.attack import change_attack_dice, check_possibility, use_attack_roll
from grognard.systems.assault.defence import change_defence_dice, use_defence_roll
from grognard.systems.assault.effects import Moment, next_act
from grognard.systems.assault.facts import profile
from grognard.systems.assault.faults import attack_faults, shot_ids
from grognard.systems.assault.result import first_turn_state, turn_state
from grognard.systems.assault.setup import Attack, Fire, Setup, Shot, Unit
from grognard.systems.assault.state import MARKS, Condition, State, Status, TurnAttack, TurnState, UnitState

MOMENTS: dict[Rule[Any, ...], Moment] = {
    change_attack_dice: Moment.ATTACK_DICE,
    use_attack_roll: Moment.ATTACK_ROLL,
    change_defence_dice: Moment.DEFENCE_DICE,
    use_defence_roll: Moment.DEFENCE_ROLL,
}
"""The rules that ask for command cards."""
CHANGING = ("id", "damage", "status", "immobilized", *MARKS)
"""The fields in which interchangeable units may differ."""


def start(setup: Setup) -> Position:
    """The first position: the file's attack is checked, or the turn begins."""
    if setup.turn:
        return Position(next_attack, (first_turn_state(setup),))
    return Position(check_possibility, (State(Condition.of(setup.target)),))


@rule("turn")
def next_attack(setup: Setup, state: TurnState) -> Steps:
    """In a whole turn, its side chooses among all attacks that are legal now, or ends the turn."""
    attack = yield from choose_attack(setup, state, attacks_of_turn(setup), is_possible)
    return End(state) if attack is None else Then(check_possibility, *begin_attack(setup, state, attack).args)


@rule("turn")
def end_attack(setup: Setup, state: State) -> Next:
    """In a whole turn, the changes of an attack apply to the next one."""
    return Then(next_attack, turn_state(setup, state))


def begin_attack(setup: Setup, state: TurnState, attack: Attack) -> Position:
    now = with_attack(setup, state, attack)
    assert now
    turn_attack = TurnAttack(state, now.declared, now, end_attack)
    return Position(check_possibility, (State(Condition.of(now.target), turn_attack=turn_attack),))


def is_possible(setup: Setup, state: TurnState, attack: Attack) -> bool:
    return with_attack(setup, state, attack) is not None


def with_attack(setup: Setup, state: TurnState, attack: Attack) -> Setup | None:
    """The set-up of an attack in a state; None if it is not legal.

    An attack that is not listed is turret fire if only that is legal.
    """
    now = setup_now(setup, state)
    if not {attack.by, attack.on, attack.joint or attack.by} <= now.units_by_id.keys():
        return None
    turret = [] if isinstance(attack, Shot) else [replace(attack, fire=Fire.TURRET_FIRING)]
    possible = (now.changed(attack=variant) for variant in (attack, *turret))
    return next((changed for changed in possible if next(attack_faults(changed), None) is None), None)


def setup_now(setup: Setup, state: TurnState) -> Setup:
    """The set-up in a state of the turn: without eliminated units, and without spent cards and points."""
    if state not in setup.latest_setup:
        units = tuple(
            unit_now(unit, unit_state)
            for unit, unit_state in zip(setup.units, state.units, strict=True)
            if not unit_state.condition.is_eliminated
        )
        cards = tuple(card for card, is_held in zip(setup.command_cards, state.cards, strict=True) if is_held)
        points = {} if state.points is None else {setup.side: state.points}
        now = setup.changed(
            units=units,
            units_by_id={unit.id: unit for unit in units},
            turn=None,
            command_cards=cards,
            command_points={**setup.command_points, **points},
        )
        setup.latest_setup.clear()
        setup.latest_setup[state] = now
    return setup.latest_setup[state]


def unit_now(unit: Unit, unit_state: UnitState) -> Unit:
    if unit_state == UnitState.of(unit):
        return unit
    now: dict[str, Any] = unit_state.condition._asdict() | {mark: mark in unit_state.marks for mark in MARKS}
    return replace(unit, **now)


def attacks_of_turn(setup: Setup) -> Iterator[PossibleAttack]:
    """Every attack that the turn's side could ever declare: the listed ones.

    On a board, if none is listed: each of its units on each enemy.
    """
    assert setup.turn
    ids, attacks = shot_ids(setup), iter(setup.turn.shots) if setup.turn.shots else _attacks_on_board(setup)
    number_of = {unit.id: number for number, unit in enumerate(setup.units)}
    others = {side: tuple(_others(setup, side)) for side in {unit.side for unit in setup.units}}
    for place, attack in enumerate(attacks):
        by, on = number_of[attack.by], number_of[attack.on]
        joint = () if attack.joint is None else (number_of[attack.joint],)
        involved = (by, on, *joint, *others[setup.units[on].side])
        yield PossibleAttack(
            ids[place] if ids else f"{attack.by}{ON}{attack.on}", attack.by, attack.on, attack, involved
        )


def as_turn(setup: Setup, source: Json) -> Json:
    """The file with a turn of the attacking side; without a board, its attack is listed."""
    rest = {key: value for key, value in source.items() if key != "attack"}
    shots = {} if setup.board else {"shots": [source["attack"]]}
    return {**rest, "turn": {"side": setup.side, **shots}}


def _attacks_on_board(setup: Setup) -> Iterator[Attack]:
    mine = [unit.id for unit in setup.units if unit.side == setup.side and not unit.activated]
    enemies = [unit.id for unit in setup.units if unit.side != setup.side]
    return (Attack(by=by, on=on) for by in mine for on in enemies if setup.board)


def _others(setup: Setup, side: str) -> Iterator[int]:
    """The parts that an attack on this side depends on, beside attacker, target and the friend that joins the fire.

    These are units of third sides, which may block a fallback, command cards and command points.
    """
    for number, unit in enumerate(setup.units):
        if setup.board and unit.side not in (side, setup.side):
            yield number
    first = len(setup.units)
    yield from (first + number for number, card in enumerate(setup.command_cards) if card.side in (side, setup.side))
    yield first + len(setup.command_cards)


def parts(state: TurnState) -> tuple[Hashable, ...]:
    """All units, then whether each command card is still held, then the command points."""
    return (*state.units, *state.cards, state.points)


def with_parts(state: TurnState, parts: tuple[Any, ...]) -> TurnState:
    units = len(state.units)
    return TurnState(parts[:units], parts[units:-1], parts[-1])


def is_settled(setup: Setup, number: int, part: Any) -> bool:
    """Whether a part can no longer change or matter: units that have fired or are eliminated, cards that were played.

    Command points do not matter either if there are more of them than units to spend them.
    """
    if number < len(setup.units):
        unit_state: UnitState = part
        is_mine = setup.units[number].side == setup.side
        return "activated" in unit_state.marks if is_mine else unit_state.condition.is_eliminated
    if number < len(setup.units) + len(setup.command_cards):
        return not part
    return part is None or setup.command_points[setup.side] > sum(unit.side == setup.side for unit in setup.units)


def marks(setup: Setup, number: int, part: Any) -> list[Mark]:
    """The status of a unit and its hex; whether a command card was played."""
    if number in consumables(setup):
        card = setup.command_cards[number - len(setup.units)]
        name = f"“{card.card or card.name}”" if card.card or card.name else "the card"
        return [Mark(name, "is in hand" if part else "was played")]
    if number >= len(setup.units):
        return []
    unit, condition = setup.units[number], part.condition
    names = {Status.NONE: "unmarked", Status.FALLBACK: "falling back"}
    where = "is off the board" if condition.at is None else f"is at {tile_name(condition.at)}"
    texts = [f"is {names.get(condition.status, str(condition.status))}", where]
    if profile(setup, unit).is_vehicle:
        texts.append("is immobilized" if condition.immobilized else "is mobile")
    return [Mark(unit.id, text) for text in texts]


def consumables(setup: Setup) -> range:
    """The command cards."""
    return range(len(setup.units), len(setup.units) + len(setup.command_cards))


def consumed_by(setup: Setup, position: Position) -> int | None:
    """The command card that may be played in a position."""
    if position.rule not in MOMENTS:
        return None
    state, start = (*position.args, 0)[:2]
    assert isinstance(state, State)
    assert isinstance(start, int)
    assert state.turn_attack
    act = next_act(state.turn_attack.setup, state, MOMENTS[position.rule], start)
    if act is None or act.card is None or act.card in state.played:
        return None
    held = [number for number, is_held in enumerate(state.turn_attack.before.cards) if is_held]
    return len(setup.units) + held[act.card]


def interchangeable(setup: Setup, objective: str) -> list[list[int]]:
    """Units in the same attacks that differ only in fields that can change; equal command cards."""
    groups: dict[Hashable, list[int]] = {}
    joint = {shot.joint for shot in setup.turn.shots} if setup.turn else set()
    attacks: list[list[Hashable]] = [[] for _ in setup.units]
    for attack in attacks_of_turn(setup):
        by, on = attack.involved[:2]
        shot = replace(
            attack.declaration, by="", on="", **({"id": None} if isinstance(attack.declaration, Shot) else {})
        )
        attacks[by].append((on, shot))
        attacks[on].append((by, shot))
    for number, unit in enumerate(setup.units):
        is_special = unit.id in joint or (objective == "kill" and unit.id == setup.objective_target)
        same = tuple(_hashable(getattr(unit, field.name)) for field in fields(unit) if field.name not in CHANGING)
        kind = (number if is_special else None, same, tuple(attacks[number]))
        groups.setdefault(kind, []).append(number)
    for number, card in enumerate(setup.command_cards, len(setup.units)):
        groups.setdefault(card, []).append(number)
    return list(groups.values())


def _hashable(value: object) -> Hashable:
    return tuple(value.items()) if isinstance(value, dict) else value
