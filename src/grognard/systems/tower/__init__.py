"""Heroes and regulars on a board of tiles: both sides reinforce, dice must reach the Defense, and attacks push."""

from grognard.core.systems import System, TurnRules
from grognard.core.turns import role_of
from grognard.systems.tower import attacks, result, rules, setup

SYSTEM = System(
    name="tower",
    title="Tower of Spugah",
    summary="units fight and push on a board: a d6 for each Attack point against Defense, with help from both sides",
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
    relevant=rules.relevant,
    rules=rules.RULES,
    after=result.after,
    end_turn=result.end_turn,
    example=setup.EXAMPLE,
    turn=TurnRules(
        choice=rules.next_attack,
        attacks=attacks.attacks_of_turn,
        is_possible=attacks.is_possible,
        begin=rules.begin_attack,
        parts=result.parts,
        with_parts=result.with_parts,
        is_settled=result.is_settled,
        contribution=result.contribution,
        involved_now=result.involved_now,
        marks=result.marks,
    ),
    paragraphs=rules.PARAGRAPHS,
    roster=setup.roster,
    sources=setup.sources,
)
