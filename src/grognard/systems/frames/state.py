"""What changes in an attack. Named tuples: thousands of positions are hashed and compared, which tuples do fast."""

from typing import NamedTuple

from grognard.systems.frames.setup import Frame, Setup

WHITE_DIE = "white"
"""The name by which an owner gives up a white die."""


class Condition(NamedTuple):
    """What is left of a frame, and how often it has abandoned its position in this attack."""

    systems: tuple[str, ...]
    white: int
    abandoned: int = 0

    @classmethod
    def of(cls, frame: Frame) -> "Condition":
        """The frame before the attack."""
        return cls(frame.names, frame.fit.white)

    @property
    def strength(self) -> int:
        """How much damage destroys it."""
        return len(self.systems) + self.white

    def without(self, name: str) -> "Condition":
        """The frame after the loss of a system or a white die."""
        if name == WHITE_DIE:
            return self._replace(white=self.white - 1)
        place = self.systems.index(name)
        return self._replace(systems=self.systems[:place] + self.systems[place + 1 :])


class Turn(NamedTuple):
    """What a frame makes of its turn: the values it sets, its rockets, and the spot on its target."""

    rockets: int
    on_target: int
    defense: int = 0
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

    def with_turn(self, **values: int) -> "State":
        """The turn with other values."""
        assert self.turn is not None
        return self._replace(turn=self.turn._replace(**values))


def before(setup: Setup) -> State:
    """Frames and terrain as the file has them; a turn begins with every rocket in place."""
    turn = None
    if activation := setup.activation:
        by = setup.frames[setup.frame(activation.by)]
        turn = Turn(by.fit.rockets, activation.spot or 0)
    return State(
        tuple(Condition.of(frame) for frame in setup.frames), tuple(terrain.hits for terrain in setup.terrain), turn
    )
