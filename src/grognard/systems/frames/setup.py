"""The set-up: frames, terrain, an optional table for measurements, and one attack, activation or whole turn.

Rules refer to frames, terrain and stations by their indices in the file. Classes with cached properties have no slots.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Annotated, Literal, NamedTuple

from grognard.board.table import Disc, Outline, Point, Shape, distance
from grognard.core.fields import AtLeast, AtMost, Doc, Name
from grognard.core.systems import Json
from grognard.core.turns import ListedAttack, listed_ids
from grognard.systems.frames.loadout import ALIKE, ROCKETS, SYSTEMS, WHITE, Kind, Loadout, read_loadout
from grognard.systems.frames.table import CoverCheck, Piece, Range, measure_cover, range_at, retreat, stations_near

NOBODY = "attacker"
"""The player of an attack that names no frame as its attacker."""
NOT_YET: Literal["not yet"] = "not yet"
RADIUS = 0.25
"""The radius of a frame's base, in ruler units."""
COVER_HEIGHT = 3
"""Terrain of fewer bricks is no cover."""
MOST_SETUPS = 1_000
"""The largest number of set-ups of shots in the memo."""


Count = Annotated[int, AtLeast(0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedSystem:
    """A system with a name of its own."""

    kind: Annotated[Kind, Doc("what it is for")]
    name: Annotated[str, Doc("what its player calls it")]


@dataclass(frozen=True, kw_only=True)
class Frame:
    """A mobile frame before the attack. What it has lost already is not listed."""

    id: Annotated[str, Doc("its name, which no other frame has")]
    player: Annotated[str, Doc("its owner, who decides what it loses")]
    systems: Annotated[
        tuple[Kind | NamedSystem, ...],
        Doc(f"its systems, at most {SYSTEMS} and {ALIKE} of a kind; one may be a table with kind and name"),
    ] = ()
    white: Annotated[int | None, AtLeast(1), AtMost(WHITE), Doc(f"its white dice; {WHITE} if left out")] = None
    rockets: Annotated[
        int | None, AtLeast(0), AtMost(ROCKETS), Doc("its single-shot rockets, which are no systems; none if left out")
    ] = None
    loadout: Annotated[
        str | None,
        Doc("systems, white dice and rockets in one word such as WWBBYRdRdR8r, instead of those three"),
    ] = None
    spot: Annotated[int | None, AtLeast(1), AtMost(6), Doc("the spot on it, no matter who placed it")] = None
    defense: Annotated[int | None, AtLeast(0), AtMost(6), Doc("the defense die that it has set this turn")] = None
    acted: Annotated[bool, Doc("whether it has had its turn: then it may not attack")] = False
    at: Annotated[Point | None, Doc("where its centre stands on the table")] = None
    radius: Annotated[float, AtLeast(0), Doc("how far its base reaches from its centre")] = RADIUS

    @cached_property
    def equipment(self) -> Loadout:
        """What it carries: the kinds of its systems in the file's order, its white dice, its rockets."""
        word = read_loadout(self.loadout) if self.loadout else None
        if isinstance(word, Loadout):
            return word
        kinds = tuple(system.kind if isinstance(system, NamedSystem) else system for system in self.systems)
        return Loadout(kinds, self.white or WHITE, self.rockets or 0)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of its systems; a system without a name is called by its kind."""
        if self.systems:
            return tuple(system.name if isinstance(system, NamedSystem) else str(system) for system in self.systems)
        return tuple(str(kind) for kind in self.equipment.systems)

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """The kinds of its systems by their names."""
        return dict(zip(self.names, self.equipment.systems, strict=True))

    @cached_property
    def strength(self) -> int:
        """How much damage destroys it."""
        return len(self.names) + self.equipment.white

    @property
    def base(self) -> Disc | None:
        """Its base on the table, if it is placed."""
        return None if self.at is None else Disc(self.at, self.radius)


@dataclass(frozen=True, slots=True, kw_only=True)
class Terrain:
    """A piece of terrain, as cover or as a target."""

    id: Annotated[str, Doc("its name, which no other terrain has")]
    hits: Annotated[Count, Doc("the damages after which it is no cover any more; 0: it is no cover now")]
    outline: Annotated[tuple[Point, ...] | None, AtLeast(3), Doc("the corners of its outline on the table")] = None
    height: Annotated[
        Count | None,
        Doc(f"its height in bricks: cover has at least {COVER_HEIGHT}; if left out, high enough for cover"),
    ] = None

    @property
    def base(self) -> Outline | None:
        """Its outline on the table, if it is placed."""
        return None if self.outline is None else Outline(self.outline)

    @property
    def flaw(self) -> str:
        """Why it cannot be cover; empty if it can."""
        if self.height is not None and self.height < COVER_HEIGHT:
            return f"{self.height} bricks high: cover has at least {COVER_HEIGHT}"
        return "" if self.hits else "no cover any more"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The table, measured in units of the ruler, from the corner at [0, 0]."""

    size: Annotated[tuple[float, float], AtLeast(1), Doc("its width and its depth in ruler units")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Station:
    """A station on the table: a point."""

    id: Annotated[str, Doc("its name")]
    at: Annotated[Point, Doc("where it is on the table")]
    holder: Annotated[str | None, Doc("the player who holds it now; nobody if left out")] = None


On = Annotated[str, Doc("the frame or terrain that is attacked")]
At = Annotated[Range | None, Doc("the range of the attack; measured on a table if left out")]
Spot = Annotated[
    int | None, AtLeast(1), AtMost(6), Doc("the spot on the target; if left out, the one that the target has")
]
Cover = Annotated[
    str | tuple[str, ...] | None,
    Doc(
        "what covers the target: a terrain, a frame, or a list of both; measured on a table if left out; "
        "ignored hand to hand"
    ),
]
Near = Annotated[
    Count | bool | None,
    Doc("stations within hand-to-hand range of the target; true means 1; measured on a table if left out"),
]
CoverNear = Annotated[
    Count | bool | None,
    Doc("stations within hand-to-hand range of a covering frame; true means 1; measured on a table if left out"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """One attack, its dice already on the table."""

    by: Annotated[str | None, Doc("the frame that attacks; without it every frame is the enemy's")] = None
    on: On
    range: At = None
    attack: Annotated[int, AtLeast(1), AtMost(8), Doc("what the attack die shows")]
    defense: Annotated[
        int | None,
        AtLeast(0),
        AtMost(6),
        Doc("what the target's defense die shows; the target's own if left out; terrain has none"),
    ] = None
    spot: Spot = None
    cover: Cover = None
    near_station: Near = None
    covering_near_station: CoverNear = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Activation:
    """A frame's turn against a named target: it rolls its pool, assigns dice, attacks, and spots."""

    by: Annotated[str, Doc("the frame whose turn it is")]
    on: On
    range: At = None
    defense: Annotated[
        int | Literal["not yet"] | None,
        AtLeast(0),
        AtMost(6),
        Doc(
            "what the target's defense die shows, or \"not yet\" if it rolls when attacked; the target's own if left "
            "out; terrain has none"
        ),
    ] = None
    spot: Spot = None
    cover: Cover = None
    near_station: Near = None
    covering_near_station: CoverNear = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot(Activation):
    """A possible activation of a turn. Keys that are left out have their values from when the shot is made."""

    id: Annotated[
        Name | None, Doc("its name; if left out, attacker and target, and the range if these are not unique")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Whose turn it is: that player chooses one activation after the other, one for each frame."""

    player: Annotated[Name, Doc("the player whose turn it is")]
    target: Annotated[
        Name | None, Doc("the enemy frame, or the terrain, that the objective kill is about; else all enemy frames")
    ] = None
    shots: Annotated[tuple[Shot, ...], Doc("the activations that are possible, in the order offered")] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assets:
    """A player's assets. The points per asset are fixed when the game begins."""

    frames: Annotated[Count, Doc("the frames with which the player began the game")]
    systems: Annotated[Count, Doc("the systems with which the player began the game")]
    stations: Annotated[Count | None, Doc("the stations that the player holds now; counted on a table if left out")] = (
        None
    )
    lost: Annotated[Count, Doc("the frames that were destroyed before this attack")] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Switches:
    """The house rules. Each default is the chapter's literal text, where there is one."""

    both_covers: Annotated[
        Literal["owner_picks", "terrain", "frame"],
        Doc("which cover counts if terrain and a frame both cover the target", "How Much Damage?"),
    ] = "owner_picks"
    abandon_per_attack: Annotated[
        Literal["once", "once_per_station"],
        Doc(
            "a frame may ignore one damage of an attack, or one for each station nearby",
            "When a Mobile Frame Takes Damage",
        ),
    ] = "once"
    covering_frame_may_abandon: Annotated[
        bool,
        Doc("a frame that covers another may abandon its position too", "When a Mobile Frame Takes Damage"),
    ] = True
    drop_white_first: Annotated[
        bool,
        Doc(
            "an owner may give up a white die before the systems are gone, but never the last one",
            "When a Mobile Frame Takes Damage",
        ),
    ] = False
    rocket_spent: Annotated[
        Literal["when_assigned", "when_rolled"],
        Doc("a rocket is spent once it is the attack die, or all rockets once they are rolled", "The frame's turn"),
    ] = "when_assigned"
    white_with_rocket_only: Annotated[
        bool,
        Doc("a white die may be the attack at direct range even if the only weapons are rockets", "The frame's turn"),
    ] = False


@dataclass(frozen=True, kw_only=True)
class Setup:
    """One attack, one activation or a whole turn, with everything that takes part."""

    table: Annotated[Table | None, Doc("the table, if places on it are given and measured")] = None
    frames: Annotated[tuple[Frame, ...], Doc("the mobile frames")] = ()
    terrain: Annotated[tuple[Terrain, ...], Doc("terrain that is cover or a target")] = ()
    stations: Annotated[tuple[Station, ...], Doc("the stations on the table")] = ()
    attack: Annotated[Attack | None, Doc("the attack to resolve")] = None
    activation: Annotated[Activation | None, Doc("a frame's turn to play, instead of a single attack")] = None
    turn: Annotated[Turn | None, Doc("in the place of the attack: a whole turn of one player")] = None
    scores: Annotated[dict[str, Assets] | None, Doc("every player's assets, to include the scores in the result")] = (
        None
    )
    rules: Annotated[Switches, Doc("the house rules")] = field(default_factory=Switches)

    @cached_property
    def declared(self) -> Attack | Activation:
        """The attack or the activation of the file."""
        declared = self.attack or self.activation
        assert declared is not None  # its absence is a fault
        return declared

    @cached_property
    def side(self) -> str:
        """The player who attacks."""
        if self.turn:
            return self.turn.player
        return NOBODY if self.by < 0 else self.frames[self.by].player

    @cached_property
    def shot_ids(self) -> list[str]:
        shots = self.turn.shots if self.turn else ()
        return listed_ids([ListedAttack(shot.id, shot.by, shot.on, shot.range) for shot in shots])

    def at_shot(self, shot: int, places: "tuple[Place, ...]", holders: tuple[str | None, ...]) -> "ShotSetup":
        """The set-up of a shot of a turn, with frames and stations as they are now."""
        key = shot, places, holders
        here = self._at_shots.get(key)
        if here is None:
            if len(self._at_shots) >= MOST_SETUPS:
                self._at_shots.clear()
            here = self._at_shots[key] = self._shot_setup(*key)
        return here

    @cached_property
    def _at_shots(self) -> "dict[Hashable, ShotSetup]":
        return {}

    def _shot_setup(self, shot: int, places: "tuple[Place, ...]", holders: tuple[str | None, ...]) -> "ShotSetup":
        assert self.turn is not None
        frames, stations = zip(self.frames, places, strict=True), zip(self.stations, holders, strict=True)
        now = {
            "activation": self.turn.shots[shot],
            "turn": None,
            "frames": tuple(frame if frame.at == place.at else replace(frame, at=place.at) for frame, place in frames),
            "stations": tuple(replace(station, holder=holder) for station, holder in stations),
        }
        same = {field.name: getattr(self, field.name) for field in fields(self)}
        return ShotSetup(**(same | now), abandonings=tuple(place.abandoned for place in places))

    @cached_property
    def first_shots(self) -> "tuple[ShotSetup, ...]":
        """The set-up of each shot of a turn, as at the start of the turn."""
        places = tuple(Place(frame.at) for frame in self.frames)
        holders = tuple(station.holder for station in self.stations)
        return tuple(self.at_shot(shot, places, holders) for shot in range(len(self.shot_ids)))

    @cached_property
    def frames_with_systems(self) -> frozenset[int]:
        """The frames whose kinds of systems matter in a turn: those that act, cover or roll a defense."""
        shots = self.first_shots
        names = {name for here in shots for name in here.possible_covers}
        rolling = {here.target for here in shots if here.declared.defense == NOT_YET}
        return frozenset({here.by for here in shots} | rolling | {self.frame(name) for name in names})

    @cached_property
    def by(self) -> int:
        """The index of the attacking frame, or −1 if the file names none."""
        return -1 if self.declared.by is None else self.frame(self.declared.by)

    @cached_property
    def active(self) -> Frame:
        return self.frames[self.by]

    @cached_property
    def target(self) -> int:
        """The index of the frame that is attacked, or −1 for terrain."""
        return self.frame(self.declared.on)

    @cached_property
    def spot(self) -> int | None:
        """The spot on the target, given by the attack or else by the target."""
        own = self.frames[self.target].spot if self.target >= 0 else None
        return own if self.declared.spot is None else self.declared.spot

    @cached_property
    def defense(self) -> int | Literal["not yet"] | None:
        """The defense of the target, given by the attack or else by the target; `not yet` before its roll."""
        own = self.frames[self.target].defense if self.target >= 0 else None
        return own if self.declared.defense is None else self.declared.defense

    @property
    def listed_covers(self) -> tuple[str, ...] | None:
        """The covers that the file lists, in its order; None if they are measured on the table."""
        cover = self.declared.cover
        return (cover,) if isinstance(cover, str) else cover

    @cached_property
    def distance(self) -> float | None:
        """The distance between attacker and target, if both are on the table."""
        attacker, target = self._bases
        return None if attacker is None or target is None else distance(attacker, target)

    @cached_property
    def range(self) -> Range | None:
        """The range of the attack: given in the file, or else measured; None if neither is possible."""
        if self.declared.range is not None:
            return self.declared.range
        return None if self.distance is None else range_at(self.distance)

    @cached_property
    def covers(self) -> tuple[str, ...]:
        """Everything that covers the target at first: in the file's order, or, if measured, terrain before frames."""
        if self.listed_covers is not None:
            return self.listed_covers
        return tuple(piece.id for piece in self.cover_checks if piece.covers)

    @property
    def possible_covers(self) -> tuple[str, ...]:
        """Everything that could cover the target."""
        return self.covers if self.target >= 0 else ()

    @cached_property
    def risks_own_frame(self) -> bool:
        """Whether damage dice may hit a frame of the attacking player: then more of them may be worse."""
        covering = [self.frame(name) for name in self.possible_covers if self.range is not Range.HAND]
        return any(place >= 0 and self.frames[place].player == self.side for place in covering)

    @cached_property
    def cover_checks(self) -> tuple[CoverCheck, ...]:
        """A check of everything near the target or between it and its attacker; empty if they are not on the table."""
        attacker, target = self._bases
        if attacker is None or not isinstance(target, Disc):
            return ()
        terrain = [Piece(piece.id, piece.base, piece.flaw) for piece in self.terrain if piece.base]
        others = [frame for place, frame in enumerate(self.frames) if place not in (self.by, self.target)]
        frames = [Piece(frame.id, frame.base) for frame in others if frame.base]
        return tuple(measure_cover(attacker, target, (*terrain, *frames)))

    @cached_property
    def stations_near(self) -> tuple[tuple[int, ...], ...]:
        """For each frame, the stations that it may abandon if it is damaged, the nearest first."""
        near: list[tuple[int, ...]] = [() for _ in self.frames]
        for place, near_station in self._damaged:
            base = self.frames[place].base
            if near_station is None and base is not None:
                near[place] = stations_near(base, [station.at for station in self.stations])
        return tuple(near)

    @cached_property
    def abandons(self) -> tuple[int, ...]:
        """How often each frame may abandon its position in this attack."""
        stations = [len(near) for near in self.stations_near]
        for place, near_station in self._damaged:
            if near_station is not None:
                stations[place] = int(near_station)
            if place != self.target and not self.rules.covering_frame_may_abandon:
                stations[place] = 0
        return tuple(stations) if self.rules.abandon_per_attack == "once_per_station" else tuple(map(bool, stations))

    @cached_property
    def places(self) -> tuple[tuple[Point, ...], ...]:
        """For each frame, its place now and after each abandoning; empty if it is not on the table."""
        attacker = self._bases[0]
        size = self.table.size if self.table else (0.0, 0.0)
        stations = [[self.stations[number].at for number in near] for near in self.stations_near]
        return tuple(
            () if frame.at is None else retreat(frame.at, near, size, attacker and attacker.centre)
            for frame, near in zip(self.frames, stations, strict=True)
        )

    @property
    def _damaged(self) -> list[tuple[int, int | None]]:
        """The target and the frames that cover it, each with the number of stations near it that the file gives."""
        covering = [(self.frame(name), self.declared.covering_near_station) for name in self.covers]
        damaged = ((self.target, self.declared.near_station), *covering)
        return [(place, self._stations_left(place, near_station)) for place, near_station in damaged if place >= 0]

    def _stations_left(self, place: int, near_station: int | None) -> int | None:
        """The number of stations near a frame, as the file gives it, less those it has abandoned in this turn."""
        return near_station

    @property
    def _bases(self) -> tuple[Disc | None, Shape | None]:
        """The bases of attacker and target on the table."""
        if self.table is None or self.by < 0:
            return None, None
        return self.frames[self.by].base, self.base(self.declared.on)

    def frame(self, name: str) -> int:
        """The index of the frame with this id, or −1."""
        return self._frame_places.get(name, -1)

    def piece(self, name: str) -> int:
        """The index of the terrain with this id, or −1."""
        return self._terrain_places.get(name, -1)

    def base(self, name: str) -> Shape | None:
        """The base of a frame or a terrain on the table, if it is placed."""
        place = self.frame(name)
        return self.frames[place].base if place >= 0 else self.terrain[self.piece(name)].base

    @cached_property
    def _frame_places(self) -> dict[str, int]:
        return {frame.id: place for place, frame in reversed(list(enumerate(self.frames)))}

    @cached_property
    def _terrain_places(self) -> dict[str, int]:
        return {terrain.id: place for place, terrain in reversed(list(enumerate(self.terrain)))}


class Place(NamedTuple):
    """Where a frame stands between two shots of a turn, and how often it has abandoned its position in the turn."""

    at: Point | None
    abandoned: int = 0


@dataclass(frozen=True, kw_only=True)
class ShotSetup(Setup):
    """The set-up of a shot of a turn: with its activation, and with frames and stations as they are now.

    The damage to frames and terrain is in the state.
    """

    abandonings: tuple[int, ...] = ()
    """How often each frame has abandoned a position in this turn."""

    def _stations_left(self, place: int, near_station: int | None) -> int | None:
        return None if near_station is None else max(0, near_station - self.abandonings[place])

    @cached_property
    def possible_covers(self) -> tuple[str, ...]:
        """Everything that could cover the target in this turn. Frames move only if there are stations to abandon."""
        if self.target < 0 or self.listed_covers is not None or not self.stations:
            return super().possible_covers
        placed = [
            *(frame.id for frame in self.frames if frame.base),
            *(piece.id for piece in self.terrain if piece.base),
        ]
        return tuple(name for name in placed if name not in (self.declared.by, self.declared.on))


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
