"""Units on squares pay Supply Tokens to attack with their Battle Dice, and defenders may counterattack."""

from grognard.core.systems import System, TurnRules
from grognard.core.turns import role_of
from grognard.systems.supply.attacks import attacks_of_turn, faults, interchangeable, is_possible, marks
from grognard.systems.supply.result import (
    OBJECTIVES,
    after,
    changes,
    contribution,
    end_turn,
    measures,
    result,
    snapshot,
    unit_measures,
)
from grognard.systems.supply.rules import PARAGRAPHS, RULES, begin_attack, next_attack, start
from grognard.systems.supply.setup import EXAMPLE, Setup, roster, sources

SYSTEM = System(
    name="supply",
    title="Supply tokens",
    summary="units on squares pay Supply Tokens to fire their Battle Dice, call in Indirect Fire and counterattack",
    setup=Setup,
    faults=faults,
    start=start,
    result=result,
    role_of=role_of,
    objectives=OBJECTIVES,
    measures=measures,
    unit_measures=unit_measures,
    changes=changes,
    snapshot=snapshot,
    rules=RULES,
    after=after,
    end_turn=end_turn,
    example=EXAMPLE,
    turn=TurnRules(
        choice=next_attack,
        attacks=attacks_of_turn,
        is_possible=is_possible,
        begin=begin_attack,
        parts=lambda state: state.cards,
        with_parts=lambda state, cards: state._replace(cards=cards, attack=None),
        is_settled=lambda setup, unit, card: not card.strength or (card.fired and setup.units[unit].side == setup.side),
        contribution=contribution,
        marks=marks,
        interchangeable=interchangeable,
    ),
    paragraphs=PARAGRAPHS,
    roster=roster,
    sources=sources,
)
