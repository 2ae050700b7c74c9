"""Armies meet at one Location with a die for each unit; dice are paired by rank, and allies arrive in turn order."""

from grognard.core.systems import System
from grognard.systems.ranks.result import OBJECTIVES, after, changes, end_turn, measures, result, snapshot
from grognard.systems.ranks.rules import PARAGRAPHS, RULES, start
from grognard.systems.ranks.setup import EXAMPLE, Setup, faults, role_of

SYSTEM = System(
    name="ranks",
    title="RiskyStars",
    summary="armies meet at one Location: a d10 for each unit, paired from high to low, and allies arrive in turn",
    setup=Setup,
    faults=faults,
    start=start,
    result=result,
    role_of=role_of,
    objectives=OBJECTIVES,
    measures=measures,
    changes=changes,
    snapshot=snapshot,
    rules=RULES,
    after=after,
    end_turn=end_turn,
    example=EXAMPLE,
    refused_keys={"turn": "ranks has no [turn]: its round is a whole turn already"},
    paragraphs=PARAGRAPHS,
)
