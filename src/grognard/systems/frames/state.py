"""The state of an attack. States are named tuples, which are fast to hash and compare."""

from typing import NamedTuple

from grognard.board.table import Disc, Point
from grognard.systems.frames.loadout import Loadout
from grognard.systems.frames.setup import NOT_YET, Frame, Place, Setup
from grognard.systems.frames.table import stations_near

WHITE_DIE = "white"
"""The id of the option to lose a white die."""
NO_SHOT = -1
DIGITS = 3
"""Places on the table are rounded to thousandths of a unit."""


class Condition(NamedTuple):
    """What is left of a frame, the dice beside it, and how often it has abandoned its position."""

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
    """Whether it acts, or has acted, in the turn that is being played."""

    @classmethod
    def of(cls, frame: Frame) -> "Condition":
        """The frame as the file has it."""
        return cls(
            frame.names, frame.equipment.white, frame.equipment.rockets, frame.spot or 0, frame.defense, frame.acted
        )

    @property
    def strength(self) -> int:
        """How much damage destroys it."""
        return len(self.systems) + self.white

    @property
    def is_destroyed(self) -> bool:
        return not self.white

    def without(self, name: str) -> "Condition":
        """The frame without this system or a white die. A destroyed frame keeps no dice."""
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
    """Frames and terrain in the file's order, the dice of an activation, and the state of a whole turn."""

    frames: tuple[Condition, ...]
    terrain: tuple[int, ...]
    assigned: Assigned | None = None
    shot: int = NO_SHOT
    """The shot of the turn that is being made."""
    places: tuple[Place, ...] = ()
    """In a turn: the places of the frames when the shot began, or between two shots."""
    holders: tuple[str | None, ...] = ()
    """In a turn: the holder of each station at the same time."""

    def with_frame(self, place: int, condition: Condition) -> "State":
        """The state with another condition for this frame."""
        frames = (*self.frames[:place], condition, *self.frames[place + 1 :])
        return State(frames, self.terrain, self.assigned, self.shot, self.places, self.holders)

    def with_terrain(self, place: int, hits: int) -> "State":
        """The state in which this terrain can take this number of damages."""
        return self._replace(terrain=(*self.terrain[:place], hits, *self.terrain[place + 1 :]))

    def with_assigned(self, **dice: int) -> "State":
        """The state with other assigned dice."""
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


def state_before_attack(setup: Setup) -> State:
    """The first state, with the spot and the defense that the attack names."""
    return with_given_dice(setup, first_state(setup))


def with_given_dice(setup: Setup, state: State) -> State:
    """The state with the spot and the defense die that the attack names on its target."""
    declared, place = setup.declared, setup.target
    if place < 0:
        return state
    target = state.frames[place]
    if declared.spot is not None:
        target = target._replace(spot=declared.spot)
    if declared.defense is not None and declared.defense != NOT_YET:
        target = target._replace(defense=declared.defense)
    return state.with_frame(place, target)


def with_shot(setup: Setup, state: State, shot: int) -> State:
    """The state in which a shot of the turn begins."""
    state = state._replace(shot=shot, assigned=Assigned())
    here = setup_of_attack(setup, state)
    acting = state.frames[here.by]._replace(has_acted=True, acts_in_turn=True)
    return with_given_dice(here, state.with_frame(here.by, acting))


def setup_of_attack(setup: Setup, state: State) -> Setup:
    """The set-up of the attack that is being resolved; in a turn, of the shot."""
    if setup.turn is None:
        return setup
    return setup.at_shot(state.shot, state.places, state.holders)


def relevant(setup: Setup, state: State) -> State:
    """The state without the dice that cannot change the result; in a turn also without moves."""
    if setup.turn is None:
        return _relevant_in_attack(setup, state)
    assigned = state.assigned
    if assigned and assigned.move:
        state = state.with_assigned(move=0)
    may_fire_rocket = setup_of_attack(setup, state).by if assigned and not assigned.attack else None
    for place, frame in enumerate(state.frames):
        if frame.acts_in_turn:
            rockets = frame.rockets if place == may_fire_rocket else 0
            if frame.defense is not None or frame.rockets != rockets:
                state = state.with_frame(place, frame._replace(defense=None, rockets=rockets))
    return state


def _relevant_in_attack(setup: Setup, state: State) -> State:
    """The state without the target's dice, except the spot in an activation, as it is in the result."""
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
    """The state between two shots, with the new places of frames and holders of stations."""
    places = tuple(
        Place(round_point(place_of(setup, state, number)), state.abandonings(number)) if condition.abandoned else before
        for number, (condition, before) in enumerate(zip(state.frames, state.places, strict=True))
    )
    frames = tuple(frame._replace(abandoned=0) if frame.abandoned else frame for frame in state.frames)
    held = holders(setup, state)
    return state._replace(frames=frames, assigned=None, shot=NO_SHOT, places=places, holders=held)


def equipment_of(setup: Setup, state: State, place: int) -> Loadout:
    """What a frame carries now."""
    condition, kinds = state.frames[place], setup.frames[place].kinds
    return Loadout(tuple([kinds[name] for name in condition.systems]), condition.white, condition.rockets)


def is_between_shots(setup: Setup, state: State) -> bool:
    """Whether no shot is being resolved in a turn."""
    return setup.turn is not None and state.shot == NO_SHOT


def place_of(setup: Setup, state: State, number: int) -> Point | None:
    """The place of a frame on the table; None if it has none or is destroyed."""
    condition = state.frames[number]
    if condition.is_destroyed:
        return None
    if is_between_shots(setup, state):
        return state.places[number].at
    places = setup_of_attack(setup, state).places[number]
    return places[min(condition.abandoned, len(places) - 1)] if places else None


def round_point(at: Point | None) -> Point | None:
    """A place, rounded for people."""
    if at is None:
        return None
    x, y = (round(part, DIGITS) for part in at)
    return x or abs(x), y or abs(y)  # not −0.0


def holders(setup: Setup, state: State) -> tuple[str | None, ...]:
    """The holder of each station. A player whose last frame near a station has abandoned it no longer holds it.

    The chapter does not say who takes a station: that is for the players to decide.
    """
    if is_between_shots(setup, state):
        return state.holders
    here = setup_of_attack(setup, state)
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
    """Whether a frame of the station's holder that has not abandoned the station is near it."""
    station = setup.stations[number]
    guards = [
        (at, frame.base.radius)
        for place, frame in enumerate(setup.frames)
        if frame.player == station.holder and frame.base and (place, number) not in gone
        if (at := place_of(setup, state, place)) is not None
    ]
    return any(stations_near(Disc(at, radius), [station.at]) for at, radius in guards)
