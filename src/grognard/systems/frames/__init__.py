"""Mobile frames attack with dice: damage goes to cover first, and owners choose which systems they lose."""

from grognard.core.systems import System, TurnRules
from grognard.core.turns import role_of
from grognard.systems.frames import faults, loadout, result, rules, setup, shots, snapshot, state

SYSTEM = System(
    name="frames",
    title="Mobile frames",
    summary="mobile frames shoot at each other: spots, cover that breaks, and damage dice that cost them their systems",
    setup=setup.Setup,
    faults=faults.faults,
    start=rules.start,
    result=result.result,
    role_of=role_of,
    objectives=result.OBJECTIVES,
    measures=result.measures,
    unit_measures=result.unit_measures,
    changes=snapshot.changes,
    rules=rules.RULES,
    after=result.after,
    end_turn=result.end_turn,
    example=setup.EXAMPLE,
    snapshot=snapshot.snapshot,
    relevant=state.relevant,
    turn=TurnRules(
        choice=rules.next_shot,
        attacks=shots.shots_of_turn,
        is_possible=shots.is_possible,
        begin=rules.begin_shot,
        parts=shots.parts,
        with_parts=shots.with_parts,
        is_settled=shots.is_settled,
        contribution=shots.contribution,
        as_turn=shots.as_turn,
        marks=shots.marks,
        interchangeable=shots.interchangeable,
        representative=shots.representative,
        checkpoint=rules.attack_target,
    ),
    paragraphs=rules.PARAGRAPHS,
    roster=loadout.roster,
    sources=loadout.sources,
)
