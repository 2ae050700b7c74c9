"""Units on squares pay Supply Tokens to attack with their Battle Dice; defenders may counterattack."""

from grognard.core.systems import System
from grognard.systems.supply.attacks import faults
from grognard.systems.supply.result import OBJECTIVES, after, changes, end_turn, measures, result, snapshot
from grognard.systems.supply.rules import PARAGRAPHS, RULES, start
from grognard.systems.supply.setup import EXAMPLE, Setup, role_of, roster, sources

SYSTEM = System(
    name="supply",
    title="Supply tokens",
    summary="units on squares pay Supply Tokens to fire their Battle Dice; Indirect Fire and counterattacks",
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
    paragraphs=PARAGRAPHS,
    roster=roster,
    sources=sources,
)
