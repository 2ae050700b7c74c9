"""What a battle file may say: frames, terrain, and either one attack or one frame's whole turn.

Frames and terrain are counted as the file lists them, from 0. What is worked out here is kept, since every rule asks
for it: the classes that do so have no slots.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from grognard.core.fields import AtLeast, AtMost, Says
from grognard.core.systems import Json, Role
from grognard.systems.frames.kinds import ALIKE, ROCKETS, SYSTEMS, WHITE, Kind, Range
from grognard.systems.frames.loadout import Loadout, read_loadout
from grognard.systems.frames.switches import Switches

NOBODY = "the attacker"
"""Who decides for an attack that names no frame of the file as its attacker."""
NOT_YET = "not yet"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """A system to which its player gave a name."""

    kind: Annotated[Kind, Says("what it is for")]
    name: Annotated[str, Says("what its player calls it")]


@dataclass(frozen=True, kw_only=True)
class Frame:
    """A mobile frame as it stands before the attack: what it has lost already is not listed."""

    id: Annotated[str, Says("the name by which the attack knows it")]
    player: Annotated[str, Says("its owner, who decides what it loses")]
    systems: Annotated[
        tuple[Kind | Fitted, ...],
        Says(f"its systems, at most {SYSTEMS} and {ALIKE} of a kind; one may be a table with kind and name"),
    ] = ()
    white: Annotated[int | None, AtLeast(1), AtMost(WHITE), Says(f"its white dice; {WHITE} if left out")] = None
    rockets: Annotated[
        int | None, AtLeast(0), AtMost(ROCKETS), Says("its single-shot rockets, which are no systems; none if left out")
    ] = None
    loadout: Annotated[
        str | None, Says("systems, white dice and rockets in one word such as WWBBYRdRdR8r, instead of those three")
    ] = None

    @cached_property
    def fit(self) -> Loadout:
        """Its systems' kinds in the file's order, its white dice, its rockets."""
        word = read_loadout(self.loadout) if self.loadout else None
        if isinstance(word, Loadout):
            return word
        kinds = tuple(system.kind if isinstance(system, Fitted) else system for system in self.systems)
        return Loadout(kinds, self.white or WHITE, self.rockets or 0)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What its systems are called, each by its kind if it has no name of its own."""
        if self.systems:
            return tuple(system.name if isinstance(system, Fitted) else str(system) for system in self.systems)
        return tuple(str(kind) for kind in self.fit.systems)

    @cached_property
    def strength(self) -> int:
        """How much damage destroys it."""
        return len(self.names) + self.fit.white


@dataclass(frozen=True, slots=True, kw_only=True)
class Terrain:
    """A piece of terrain, as cover or as a target."""

    id: Annotated[str, Says("the name by which the attack knows it")]
    hits: Annotated[int, AtLeast(0), Says("the damages after which it is no cover any more; 0: it is none")]


On = Annotated[str, Says("the frame or terrain that is attacked")]
At = Annotated[Range, Says("the range of the attack")]
Spot = Annotated[int | None, AtLeast(1), AtMost(6), Says("the spot on the target, whoever placed it")]
Cover = Annotated[
    str | tuple[str, ...], Says("what covers the target: a terrain, a frame, or a list of both; ignored hand to hand")
]
Stations = Annotated[int | bool, AtLeast(0), Says("stations within hand-to-hand range of the target; true means 1")]
CoverStations = Annotated[
    int | bool, AtLeast(0), Says("stations within hand-to-hand range of the covering frame; true means 1")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One attack, its dice already on the table."""

    by: Annotated[str | None, Says("the frame that attacks; without it every frame is the enemy's")] = None
    on: On
    range: At
    attack: Annotated[int, AtLeast(1), AtMost(8), Says("what the attack die shows")]
    defense: Annotated[
        int | None, AtLeast(0), AtMost(6), Says("what the target's defense die shows; terrain has none")
    ] = None
    spot: Spot = None
    cover: Cover = ()
    near_station: Stations = 0
    covering_near_station: CoverStations = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Activation:
    """A frame's turn from the roll of its pool on, target and range named: dice are set, it attacks, it spots."""

    by: Annotated[str, Says("the frame whose turn it is")]
    on: On
    range: At
    defense: Annotated[
        int | Literal["not yet"] | None,
        AtLeast(0),
        AtMost(6),
        Says('what the target\'s defense die shows, or "not yet" if it rolls when attacked; terrain has none'),
    ] = None
    spot: Spot = None
    cover: Cover = ()
    near_station: Stations = 0
    covering_near_station: CoverStations = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A player's assets. The points for each of them are fixed when the game begins."""

    frames: Annotated[int, AtLeast(0), Says("the frames with which the player began the game")]
    systems: Annotated[int, AtLeast(0), Says("the systems with which the player began the game")]
    stations: Annotated[int, AtLeast(0), Says("the stations that the player holds now")]
    lost: Annotated[int, AtLeast(0), Says("the frames that were destroyed before this attack")] = 0


@dataclass(frozen=True, kw_only=True)
class Setup:
    """One attack or one frame's turn, and all that has a part in it."""

    frames: Annotated[tuple[Frame, ...], Says("the mobile frames")] = ()
    terrain: Annotated[tuple[Terrain, ...], Says("the terrain that covers or is attacked")] = ()
    attack: Annotated[Attack | None, Says("the attack to resolve")] = None
    activation: Annotated[Activation | None, Says("a frame's turn to play, instead of a single attack")] = None
    scores: Annotated[
        dict[str, Standing] | None, Says("every player's assets, if the result shall carry the scores")
    ] = None
    rules: Annotated[Switches, Says("how this table reads the chapter")] = field(default_factory=Switches)

    @cached_property
    def aim(self) -> Attack | Activation:
        """Who attacks what, whichever way the file says it."""
        aim = self.attack or self.activation
        assert aim is not None  # its absence is a fault
        return aim

    @cached_property
    def attacker(self) -> str:
        """The player who attacks."""
        by = self.aim.by
        return NOBODY if by is None else self.frames[self.frame(by)].player

    @cached_property
    def active(self) -> Frame:
        """The frame whose turn it is."""
        return self.frames[self.frame(self.aim.by or "")]

    @cached_property
    def target(self) -> int:
        """The frame that is attacked, or −1 for terrain."""
        return self.frame(self.aim.on)

    @cached_property
    def covers(self) -> tuple[str, ...]:
        """All that the file says covers the target, in its order."""
        cover = self.aim.cover
        return (cover,) if isinstance(cover, str) else cover

    @cached_property
    def abandons(self) -> tuple[int, ...]:
        """How often each frame may abandon its position in this attack."""
        near = {name: int(self.aim.covering_near_station) for name in self.covers}
        if not self.rules.covering_frame_may_abandon:
            near.clear()
        near[self.aim.on] = int(self.aim.near_station)
        stations = [near.get(frame.id, 0) for frame in self.frames]
        return tuple(stations) if self.rules.abandon_per_attack == "once_per_station" else tuple(map(bool, stations))

    def frame(self, name: str) -> int:
        """Where in the file the frame of this id is; −1 if it is none."""
        return next((place for place, frame in enumerate(self.frames) if frame.id == name), -1)

    def piece(self, name: str) -> int:
        """Where in the file the terrain of this id is; −1 if it is none."""
        return next((place for place, terrain in enumerate(self.terrain) if terrain.id == name), -1)


def role_of(setup: Setup, player: str) -> Role:
    """The attacking frame's player attacks, with all frames of that player; whoever else decides something defends."""
    return Role.ATTACKER if player == setup.attacker else Role.DEFENDER


EXAMPLE: Json = {
    "system": "frames",
    "frames": [
        {"id": "osprey", "player": "Joshua", "systems": ["defense", "defense", "spotting", "direct"], "white": 2},
        {"id": "scrambler", "player": "Sebastian", "loadout": "WWBYRdRdR8d"},
    ],
    "terrain": [{"id": "wall", "hits": 1}],
    "attack": {
        "by": "scrambler",
        "on": "osprey",
        "range": "direct",
        "attack": 3,
        "defense": 5,
        "spot": 5,
        "cover": "wall",
    },
}
