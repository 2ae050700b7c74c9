"""Squads, guns and vehicles fire at each other: symbol dice in four colours are gathered, rolled and compared."""

from grognard.core.systems import System, TurnRules
from grognard.core.turns import role_of
from grognard.systems.assault import attack, defence, turn
from grognard.systems.assault.data import expand, figures, roster, sources
from grognard.systems.assault.describe import changes
from grognard.systems.assault.faults import faults
from grognard.systems.assault.result import (
    OBJECTIVES,
    after,
    contribution,
    end_turn,
    measures,
    result,
    snapshot,
    unit_measures,
)
from grognard.systems.assault.setup import EXAMPLE, Setup
from grognard.systems.assault.state import STEPS, State, TurnState


def relevant(setup: Setup, state: State | TurnState) -> State | TurnState:
    """The state without the command cards played, once the dice of a single attack are compared."""
    if not isinstance(state, State) or state.turn_attack or not state.played or state.step != STEPS[-1]:
        return state
    return state._replace(played=())


SYSTEM = System(
    name="assault",
    title="Assault",
    summary="squads, guns and tanks on hexes: symbol dice are gathered step by step, rolled and compared",
    setup=Setup,
    faults=faults,
    start=turn.start,
    result=result,
    role_of=role_of,
    objectives=OBJECTIVES,
    measures=measures,
    unit_measures=unit_measures,
    changes=changes,
    rules=(turn.next_attack, turn.end_attack, *attack.RULES, *defence.RULES),
    paragraphs=attack.PARAGRAPHS,
    after=after,
    end_turn=end_turn,
    example=EXAMPLE,
    snapshot=snapshot,
    relevant=relevant,
    turn=TurnRules(
        choice=turn.next_attack,
        attacks=turn.attacks_of_turn,
        is_possible=turn.is_possible,
        begin=turn.begin_attack,
        parts=turn.parts,
        with_parts=turn.with_parts,
        is_settled=turn.is_settled,
        contribution=contribution,
        consumables=turn.consumables,
        consumed_by=turn.consumed_by,
        as_turn=turn.as_turn,
        marks=turn.marks,
        interchangeable=turn.interchangeable,
    ),
    roster=roster,
    figures=figures,
    sources=sources,
    expand=expand,
)
