"""Units of a squad or a vehicle exchange fire: symbol dice in four colours are gathered, compared and read."""

from dataclasses import replace

from grognard.core.positions import Position
from grognard.core.systems import System
from grognard.systems.assault import attack, defence
from grognard.systems.assault.data import expand, figures, roster, sources
from grognard.systems.assault.describe import changes
from grognard.systems.assault.faults import faults
from grognard.systems.assault.result import OBJECTIVES, after, end_turn, measures, result, snapshot
from grognard.systems.assault.setup import EXAMPLE, Setup, role_of
from grognard.systems.assault.state import STEPS, Condition, State


def start(setup: Setup) -> Position:
    """An attack is about to be checked."""
    return Position(attack.check_possibility, (State(Condition.of(setup.target)),))


def relevant(setup: Setup, state: State) -> State:
    """Once the dice are compared it does not matter which command cards were played."""
    return replace(state, played=()) if state.played and state.step == STEPS[-1] else state


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
    rules=(*attack.RULES, *defence.RULES),
    paragraphs=attack.PARAGRAPHS,
    after=after,
    end_turn=end_turn,
    example=EXAMPLE,
    snapshot=snapshot,
    relevant=relevant,
    roster=roster,
    figures=figures,
    sources=sources,
    expand=expand,
)
