"""Squads, guns and vehicles fire at each other: symbol dice in four colours are gathered, rolled and compared."""

from grognard.core.systems import System, TurnRules
from grognard.core.turns import role_of
from grognard.systems.assault import attack, data, defence, describe, faults, result, setup, state, turn

SYSTEM = System(
    name="assault",
    title="Assault",
    summary="squads, guns and tanks on hexes: symbol dice are gathered step by step, rolled and compared",
    setup=setup.Setup,
    faults=faults.faults,
    start=turn.start,
    result=result.result,
    role_of=role_of,
    objectives=result.OBJECTIVES,
    measures=result.measures,
    unit_measures=result.unit_measures,
    changes=describe.changes,
    rules=(turn.next_attack, turn.end_attack, *attack.RULES, *defence.RULES),
    paragraphs=attack.PARAGRAPHS,
    after=result.after,
    end_turn=result.end_turn,
    example=setup.EXAMPLE,
    snapshot=result.snapshot,
    relevant=state.relevant,
    turn=TurnRules(
        choice=turn.next_attack,
        attacks=turn.attacks_of_turn,
        is_possible=turn.is_possible,
        begin=turn.begin_attack,
        parts=turn.parts,
        with_parts=turn.with_parts,
        is_settled=turn.is_settled,
        contribution=result.contribution,
        consumables=turn.consumables,
        consumed_by=turn.consumed_by,
        as_turn=turn.as_turn,
        marks=turn.marks,
        interchangeable=turn.interchangeable,
    ),
    roster=data.roster,
    figures=data.figures,
    sources=data.sources,
    expand=data.expand,
)
