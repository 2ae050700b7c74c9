"""Armies meet at one Location with a die for each unit; dice are paired by rank, and allies arrive in turn order."""

from grognard.core.systems import System
from grognard.systems.ranks import result, rules, setup

SYSTEM = System(
    name="ranks",
    title="RiskyStars",
    summary="armies meet at one Location: a d10 for each unit, paired from high to low, and allies arrive in turn",
    setup=setup.Setup,
    faults=setup.faults,
    start=rules.start,
    result=result.result,
    role_of=setup.role_of,
    objectives=result.OBJECTIVES,
    measures=result.measures,
    changes=result.changes,
    snapshot=result.snapshot,
    rules=rules.RULES,
    after=result.after,
    end_turn=result.end_turn,
    example=setup.EXAMPLE,
    refused_keys={"turn": "ranks has no [turn]: its round is a whole turn already"},
    paragraphs=rules.PARAGRAPHS,
)
