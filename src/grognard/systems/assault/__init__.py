"""Units of a squad or a vehicle exchange fire: symbol dice in four colours are gathered, compared and read."""

from grognard.core.systems import System
from grognard.systems.assault.data import figures
from grognard.systems.assault.faults import faults
from grognard.systems.assault.result import OBJECTIVES, after, end_turn, measures, result
from grognard.systems.assault.rules import PARAGRAPHS, RULES, start
from grognard.systems.assault.setup import EXAMPLE, Setup, role_of
from grognard.systems.assault.sources import expand, roster, sources
from grognard.systems.assault.tell import changes

SYSTEM = System(
    name="assault",
    title="Assault",
    summary="symbol dice gathered step by step, compared, read: damage, suppression, fallback, critical hits",
    setup=Setup,
    faults=faults,
    start=start,
    result=result,
    role_of=role_of,
    objectives=OBJECTIVES,
    measures=measures,
    changes=changes,
    rules=RULES,
    after=after,
    end_turn=end_turn,
    example=EXAMPLE,
    paragraphs=PARAGRAPHS,
    roster=roster,
    figures=figures,
    sources=sources,
    expand=expand,
)
