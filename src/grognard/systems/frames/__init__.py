"""Mobile frames attack with dice: damage goes to cover first, and owners choose which systems they lose."""

from grognard.core.systems import System, TurnRules
from grognard.core.turns import role_of
from grognard.systems.frames.faults import faults
from grognard.systems.frames.loadout import roster, sources
from grognard.systems.frames.result import OBJECTIVES, after, end_turn, measures, result, unit_measures
from grognard.systems.frames.rules import PARAGRAPHS, RULES, attack_target, begin_shot, next_shot, start
from grognard.systems.frames.setup import EXAMPLE, Setup
from grognard.systems.frames.shots import (
    as_turn,
    contribution,
    interchangeable,
    is_possible,
    is_settled,
    marks,
    parts,
    representative,
    shots_of_turn,
    with_parts,
)
from grognard.systems.frames.snapshot import changes, snapshot
from grognard.systems.frames.state import relevant

SYSTEM = System(
    name="frames",
    title="Mobile frames",
    summary="mobile frames shoot at each other: spots, cover that breaks, and damage dice that cost them their systems",
    setup=Setup,
    faults=faults,
    start=start,
    result=result,
    role_of=role_of,
    objectives=OBJECTIVES,
    measures=measures,
    unit_measures=unit_measures,
    changes=changes,
    rules=RULES,
    after=after,
    end_turn=end_turn,
    example=EXAMPLE,
    snapshot=snapshot,
    relevant=relevant,
    turn=TurnRules(
        choice=next_shot,
        attacks=shots_of_turn,
        is_possible=is_possible,
        begin=begin_shot,
        parts=parts,
        with_parts=with_parts,
        is_settled=is_settled,
        contribution=contribution,
        as_turn=as_turn,
        marks=marks,
        interchangeable=interchangeable,
        representative=representative,
        checkpoint=attack_target,
    ),
    paragraphs=PARAGRAPHS,
    roster=roster,
    sources=sources,
)
