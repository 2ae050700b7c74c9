"""Heroes and regulars on a board of tiles: both sides reinforce, dice must reach the Defense, and attacks push."""

from grognard.core.systems import System, TurnRules
from grognard.core.turns import role_of
from grognard.systems.tower.attacks import attacks_of_turn, faults, is_possible
from grognard.systems.tower.result import (
    OBJECTIVES,
    after,
    changes,
    contribution,
    end_turn,
    involved_now,
    is_settled,
    marks,
    measures,
    parts,
    result,
    snapshot,
    unit_measures,
    with_parts,
)
from grognard.systems.tower.rules import PARAGRAPHS, RULES, begin_attack, next_attack, relevant, start
from grognard.systems.tower.setup import EXAMPLE, Setup, roster, sources

SYSTEM = System(
    name="tower",
    title="Tower of Spugah",
    summary="units fight and push on a board: a d6 for each Attack point against Defense, with help from both sides",
    setup=Setup,
    faults=faults,
    start=start,
    result=result,
    role_of=role_of,
    objectives=OBJECTIVES,
    measures=measures,
    unit_measures=unit_measures,
    changes=changes,
    snapshot=snapshot,
    relevant=relevant,
    rules=RULES,
    after=after,
    end_turn=end_turn,
    example=EXAMPLE,
    turn=TurnRules(
        choice=next_attack,
        attacks=attacks_of_turn,
        is_possible=is_possible,
        begin=begin_attack,
        parts=parts,
        with_parts=with_parts,
        is_settled=is_settled,
        contribution=contribution,
        involved_now=involved_now,
        marks=marks,
    ),
    paragraphs=PARAGRAPHS,
    roster=roster,
    sources=sources,
)
