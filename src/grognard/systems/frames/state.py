"""What changes in an attack. Named tuples: thousands of positions are hashed and compared, which tuples do fast."""

from typing import NamedTuple

from grognard.board.table import Disc, Point
from grognard.systems.frames.setup import NOT_YET, Frame, Setup
from grognard.systems.frames.table import stations_near

WHITE_DIE = "white"
"""The name by which an owner gives up a white die."""


class Condition(NamedTuple):
    """What is left of a frame, the dice that lie beside it, and how often it has abandoned its position."""

    systems: tuple[str, ...]
    white: int
    rockets: int = 0
    spot: int = 0
    """0: there is none."""
    defense: int | None = None
    """None: it has set no die yet."""
    has_acted: bool = False
    abandoned: int = 0

    @classmethod
    def of(cls, frame: Frame) -> "Condition":
        """The frame as the file has it."""
        return cls(frame.names, frame.fit.white, frame.fit.rockets, frame.spot or 0, frame.defense, frame.acted)

    @property
    def strength(self) -> int:
        """How much damage destroys it."""
        return len(self.systems) + self.white

    @property
    def is_destroyed(self) -> bool:
        """Whether it has lost its last white die."""
        return not self.white

    def without(self, name: str) -> "Condition":
        """The frame after the loss of a system or a white die. A destroyed frame keeps no dice."""
        if name == WHITE_DIE:
            left = self._replace(white=self.white - 1)
            return left._replace(spot=0, defense=None) if left.is_destroyed else left
        place = self.systems.index(name)
        return self._replace(systems=self.systems[:place] + self.systems[place + 1 :])


class Turn(NamedTuple):
    """The dice that a frame has assigned in its turn; 0: none."""

    move: int = 0
    spot: int = 0


class State(NamedTuple):
    """Frames and terrain in the file's order, and the turn if the file plays one."""

    frames: tuple[Condition, ...]
    terrain: tuple[int, ...]
    turn: Turn | None = None

    def with_frame(self, place: int, condition: Condition) -> "State":
        """Another condition for this frame."""
        return self._replace(frames=(*self.frames[:place], condition, *self.frames[place + 1 :]))

    def with_terrain(self, place: int, hits: int) -> "State":
        """This terrain now stands so many damages."""
        return self._replace(terrain=(*self.terrain[:place], hits, *self.terrain[place + 1 :]))

    def with_turn(self, **dice: int) -> "State":
        """The turn with other dice."""
        assert self.turn is not None
        return self._replace(turn=self.turn._replace(**dice))


def before(setup: Setup) -> State:
    """Frames and terrain as the file has them, with the spot and the defense die that the attack names."""
    state = State(
        tuple(Condition.of(frame) for frame in setup.frames),
        tuple(terrain.hits for terrain in setup.terrain),
        Turn() if setup.activation else None,
    )
    if setup.target < 0:
        return state
    defense = None if setup.defense == NOT_YET else setup.defense
    target = state.frames[setup.target]._replace(spot=setup.spot or 0, defense=defense)
    return state.with_frame(setup.target, target)


def relevant(setup: Setup, state: State) -> State:
    """The state without the target's dice, which only matter to later attacks; a turn's result has the spot."""
    if setup.target < 0:
        return state
    target = state.frames[setup.target]
    spot = target.spot if setup.activation else 0
    return state.with_frame(setup.target, target._replace(spot=spot, defense=None))


def after_acting(setup: Setup, state: State) -> State:
    """The state in which the attacking frame, if the file names it, has had its turn."""
    if setup.by < 0:
        return state
    return state.with_frame(setup.by, state.frames[setup.by]._replace(has_acted=True))


def place_of(setup: Setup, state: State, number: int) -> Point | None:
    """Where a frame stands on the table; None if it was not placed or is destroyed."""
    places, condition = setup.places[number], state.frames[number]
    if not places or condition.is_destroyed:
        return None
    return places[min(condition.abandoned, len(places) - 1)]


def holders(setup: Setup, state: State) -> tuple[str | None, ...]:
    """Who holds each station: as the file says, but a player whose last frame there has abandoned it holds it no more.

    Who takes a station is for the players to say: the chapter only gives one up.
    """
    gone = [
        (place, number)
        for place, condition in enumerate(state.frames)
        for number in setup.stations_near[place][: condition.abandoned]
    ]
    held = [station.holder for station in setup.stations]
    for place, number in gone:
        if held[number] == setup.frames[place].player and not _is_guarded(setup, state, number, gone):
            held[number] = None
    return tuple(held)


def _is_guarded(setup: Setup, state: State, number: int, gone: list[tuple[int, int]]) -> bool:
    """Whether a frame of the station's holder is near it, of those that have not abandoned it."""
    station = setup.stations[number]
    guards = [
        (at, frame.base.radius)
        for place, frame in enumerate(setup.frames)
        if frame.player == station.holder and frame.base and (place, number) not in gone
        if (at := place_of(setup, state, place)) is not None
    ]
    return any(stations_near(Disc(at, radius), [station.at]) for at, radius in guards)
