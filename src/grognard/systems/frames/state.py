"""What changes in an attack. Named tuples: thousands of positions are hashed and compared, which tuples do fast."""

from typing import NamedTuple

from grognard.board.table import Disc, Point
from grognard.systems.frames.loadout import Loadout
from grognard.systems.frames.setup import NOT_YET, Frame, Place, Setup
from grognard.systems.frames.table import stations_near

WHITE_DIE = "white"
"""The name by which an owner gives up a white die."""
NO_SHOT = -1
DIGITS = 3
"""Places on the table are rounded to thousandths of a unit."""


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
    acts_in_turn: bool = False
    """Whether it acts, or has acted, in the whole turn that the file plays."""

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


class Assigned(NamedTuple):
    """The dice that a frame has assigned in its activation; 0: none."""

    attack: int = 0
    move: int = 0
    spot: int = 0


class State(NamedTuple):
    """Frames and terrain in the file's order, the dice of an activation, and what only a whole turn changes."""

    frames: tuple[Condition, ...]
    terrain: tuple[int, ...]
    assigned: Assigned | None = None
    shot: int = NO_SHOT
    """The shot of the turn that is being made."""
    places: tuple[Place, ...] = ()
    """In a turn: where the frames were when the shot began, or are between two shots."""
    holders: tuple[str | None, ...] = ()
    """In a turn: who held each station then."""

    def with_frame(self, place: int, condition: Condition) -> "State":
        """Another condition for this frame."""
        frames = (*self.frames[:place], condition, *self.frames[place + 1 :])
        return State(frames, self.terrain, self.assigned, self.shot, self.places, self.holders)

    def with_terrain(self, place: int, hits: int) -> "State":
        """The state in which this terrain can take this number of damages."""
        return self._replace(terrain=(*self.terrain[:place], hits, *self.terrain[place + 1 :]))

    def with_assigned(self, **dice: int) -> "State":
        """The activation with other dice."""
        assert self.assigned is not None
        return self._replace(assigned=self.assigned._replace(**dice))

    def abandonings(self, place: int) -> int:
        """How often a frame has abandoned its position, in this attack or in the whole turn."""
        before = self.places[place].abandoned if self.places else 0
        return before + self.frames[place].abandoned


def first_state(setup: Setup) -> State:
    """Frames and terrain as the file has them."""
    state = State(
        tuple(Condition.of(frame) for frame in setup.frames), tuple(terrain.hits for terrain in setup.terrain)
    )
    if setup.turn is None:
        return state._replace(assigned=Assigned() if setup.activation else None)
    places = tuple(Place(frame.at) for frame in setup.frames)
    return state._replace(places=places, holders=tuple(station.holder for station in setup.stations))


def before(setup: Setup) -> State:
    """The first state, with the spot and the defense die that the attack of the file names."""
    return with_given_dice(setup, first_state(setup))


def with_given_dice(setup: Setup, state: State) -> State:
    """The state with the spot and the defense die that the attack names on its target."""
    aim, place = setup.aim, setup.target
    if place < 0:
        return state
    target = state.frames[place]
    if aim.spot is not None:
        target = target._replace(spot=aim.spot)
    if aim.defense is not None and aim.defense != NOT_YET:
        target = target._replace(defense=aim.defense)
    return state.with_frame(place, target)


def declared(setup: Setup, state: State, shot: int) -> State:
    """The state in which a shot of the turn begins."""
    state = state._replace(shot=shot, assigned=Assigned())
    here = aimed(setup, state)
    acting = state.frames[here.by]._replace(has_acted=True, acts_in_turn=True)
    return with_given_dice(here, state.with_frame(here.by, acting))


def aimed(setup: Setup, state: State) -> Setup:
    """The file with the attack that is being resolved; in a turn, as the file stands when the shot began."""
    if setup.turn is None:
        return setup
    return setup.at_shot(state.shot, state.places, state.holders)


def relevant(setup: Setup, state: State) -> State:
    """The state without the dice that no result depends on, but only later attacks, and in a turn the moves."""
    if setup.turn is None:
        return _relevant_in_attack(setup, state)
    assigned = state.assigned
    if assigned and assigned.move:
        state = state.with_assigned(move=0)
    may_fire_rocket = aimed(setup, state).by if assigned and not assigned.attack else None
    for place, frame in enumerate(state.frames):
        if frame.acts_in_turn:
            rockets = frame.rockets if place == may_fire_rocket else 0
            if frame.defense is not None or frame.rockets != rockets:
                state = state.with_frame(place, frame._replace(defense=None, rockets=rockets))
    return state


def _relevant_in_attack(setup: Setup, state: State) -> State:
    """The state without the target's dice; the result of an activation has the spot."""
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


def after_shot(setup: Setup, state: State) -> State:
    """The state between two shots: frames stand where they have moved to, and stations are held as they are now."""
    places = tuple(
        Place(round_point(place_of(setup, state, number)), state.abandonings(number)) if condition.abandoned else before
        for number, (condition, before) in enumerate(zip(state.frames, state.places, strict=True))
    )
    frames = tuple(frame._replace(abandoned=0) if frame.abandoned else frame for frame in state.frames)
    held = holders(setup, state)
    return state._replace(frames=frames, assigned=None, shot=NO_SHOT, places=places, holders=held)


def fit_of(setup: Setup, state: State, place: int) -> Loadout:
    """What a frame carries now."""
    condition, kinds = state.frames[place], setup.frames[place].kinds
    return Loadout(tuple([kinds[name] for name in condition.systems]), condition.white, condition.rockets)


def is_between_shots(setup: Setup, state: State) -> bool:
    """Whether a turn waits for its next shot, or is over."""
    return setup.turn is not None and state.shot == NO_SHOT


def place_of(setup: Setup, state: State, number: int) -> Point | None:
    """Where a frame stands on the table; None if it was not placed or is destroyed."""
    condition = state.frames[number]
    if condition.is_destroyed:
        return None
    if is_between_shots(setup, state):
        return state.places[number].at
    places = aimed(setup, state).places[number]
    return places[min(condition.abandoned, len(places) - 1)] if places else None


def round_point(at: Point | None) -> Point | None:
    """A place as people read it."""
    if at is None:
        return None
    x, y = (round(part, DIGITS) for part in at)
    return x or abs(x), y or abs(y)  # not −0.0


def holders(setup: Setup, state: State) -> tuple[str | None, ...]:
    """Who holds each station: as the file says, but a player whose last frame there has abandoned it holds it no more.

    Who takes a station is for the players to say: the chapter only gives one up.
    """
    if is_between_shots(setup, state):
        return state.holders
    here = aimed(setup, state)
    gone = [
        (place, number)
        for place, condition in enumerate(state.frames)
        if condition.abandoned
        for number in here.stations_near[place][: condition.abandoned]
    ]
    held = [station.holder for station in here.stations]
    for place, number in gone:
        if held[number] == here.frames[place].player and not _is_guarded(here, state, number, gone):
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
