"""Mobile frames set dice against each other; damage goes through cover first, and owners choose what they lose."""

from grognard.core.positions import Position
from grognard.core.systems import System
from grognard.systems.frames import rules, turn
from grognard.systems.frames.faults import faults
from grognard.systems.frames.loadout import roster, sources
from grognard.systems.frames.result import OBJECTIVES, after, end_turn, measures, result
from grognard.systems.frames.setup import EXAMPLE, Setup, role_of
from grognard.systems.frames.snapshot import changes, snapshot
from grognard.systems.frames.state import before, relevant


def start(setup: Setup) -> Position:
    """A frame's turn begins with its roll; an attack with the spot, its dice already on the table."""
    state, attack = before(setup), setup.attack
    if attack is None:
        return Position(turn.roll_pool, (state,))
    return Position(rules.use_spot, (state, attack.attack, setup.defense or 0, setup.spot or 0))


SYSTEM = System(
    name="frames",
    title="Mobile frames",
    summary="mobile frames lose systems to damage dice; spots, five damage charts, cover that breaks",
    setup=Setup,
    faults=faults,
    start=start,
    result=result,
    role_of=role_of,
    objectives=OBJECTIVES,
    measures=measures,
    changes=changes,
    rules=(*turn.RULES, *rules.RULES),
    after=after,
    end_turn=end_turn,
    example=EXAMPLE,
    snapshot=snapshot,
    relevant=relevant,
    paragraphs=rules.PARAGRAPHS,
    roster=roster,
    sources=sources,
)
