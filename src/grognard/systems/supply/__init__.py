"""Units on squares pay Supply Tokens to attack with their Battle Dice, and defenders may counterattack."""

from grognard.core.systems import System, TurnRules
from grognard.core.turns import role_of
from grognard.systems.supply import attacks, result, rules, setup

SYSTEM = System(
    name="supply",
    title="Supply tokens",
    summary="units on squares pay Supply Tokens to fire their Battle Dice, call in Indirect Fire and counterattack",
    setup=setup.Setup,
    faults=attacks.faults,
    start=rules.start,
    result=result.result,
    role_of=role_of,
    objectives=result.OBJECTIVES,
    measures=result.measures,
    unit_measures=result.unit_measures,
    changes=result.changes,
    snapshot=result.snapshot,
    rules=rules.RULES,
    after=result.after,
    end_turn=result.end_turn,
    example=setup.EXAMPLE,
    turn=TurnRules(
        choice=rules.next_attack,
        attacks=attacks.attacks_of_turn,
        is_possible=attacks.is_possible,
        begin=rules.begin_attack,
        parts=lambda state: state.cards,
        with_parts=lambda state, cards: state._replace(cards=cards, attack=None),
        is_settled=lambda setup, unit, card: not card.strength or (card.fired and setup.units[unit].side == setup.side),
        contribution=result.contribution,
        marks=attacks.marks,
        interchangeable=attacks.interchangeable,
    ),
    paragraphs=rules.PARAGRAPHS,
    roster=setup.roster,
    sources=setup.sources,
)
