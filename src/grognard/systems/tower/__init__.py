"""Heroes and regulars on a board of tiles: both sides reinforce, Defense is the number to hit, the hurt are pushed."""

from grognard.core.systems import System
from grognard.systems.tower.attacks import faults
from grognard.systems.tower.result import OBJECTIVES, after, changes, end_turn, measures, result, snapshot
from grognard.systems.tower.rules import PARAGRAPHS, RULES, relevant, start
from grognard.systems.tower.setup import EXAMPLE, Setup, role_of, roster, sources

SYSTEM = System(
    name="tower",
    title="Tower of Spugah",
    summary="units on a board: a d6 an Attack point against the highest Defense; both sides reinforce",
    setup=Setup,
    faults=faults,
    start=start,
    result=result,
    role_of=role_of,
    objectives=OBJECTIVES,
    measures=measures,
    changes=changes,
    snapshot=snapshot,
    relevant=relevant,
    rules=RULES,
    after=after,
    end_turn=end_turn,
    example=EXAMPLE,
    paragraphs=PARAGRAPHS,
    roster=roster,
    sources=sources,
)
