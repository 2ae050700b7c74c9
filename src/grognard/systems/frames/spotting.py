"""The last step of a frame's turn: the spot. The chapter takes spots off; this is how they come on."""

from grognard.core.rules import End, Next, rule
from grognard.systems.frames.kinds import Kind, Range
from grognard.systems.frames.setup import Setup
from grognard.systems.frames.state import State

ANYWHERE = 2
"""With so many spotting systems a frame spots anywhere on the field."""


def spotting_systems(setup: Setup) -> int:
    """How many spotting systems the frame has whose turn it is."""
    return setup.active.fit.systems.count(Kind.SPOTTING)


def standing_covers(setup: Setup, state: State) -> list[str]:
    """What covers the target and still stands, in the file's order."""
    return [name for name in setup.covers if stands(setup, state, name)]


def stands(setup: Setup, state: State, name: str) -> bool:
    """Whether a frame is not destroyed, a terrain still high enough to count as cover."""
    place = setup.frame(name)
    return state.frames[place].white > 0 if place >= 0 else state.terrain[setup.piece(name)] > 0


def is_in_reach(setup: Setup) -> bool:
    """Whether the frame could spot the target at this range: up to direct range, or anywhere with two systems."""
    is_frame = setup.target >= 0
    return is_frame and (setup.aim.range is not Range.ARTILLERY or spotting_systems(setup) >= ANYWHERE)


def can_spot(setup: Setup, state: State) -> bool:
    """Whether the frame can spot the target now; behind cover that stands only with a spotting system."""
    in_the_open = not standing_covers(setup, state)
    return is_in_reach(setup) and (in_the_open or spotting_systems(setup) > 0)


@rule("The frame's turn: spot")
def place_spot(setup: Setup, state: State) -> Next:
    """The spot goes on the target last of all, in place of a lower one. A destroyed target keeps none."""
    assert state.turn is not None
    spot = state.turn.on_target
    if can_spot(setup, state):
        spot = max(spot, state.turn.spot)
    if setup.target >= 0 and not state.frames[setup.target].white:
        spot = 0
    return End(state.with_turn(spot=spot, on_target=0))
