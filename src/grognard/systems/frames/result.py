"""The result of an attack, the scores, the objectives, the measures, and the battle file after it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from grognard.board.table import Point
from grognard.core.systems import Json, Measure, Objective, Role
from grognard.core.turns import loss_measures, role_of, turn_measures
from grognard.core.wording import the
from grognard.systems.frames.loadout import write_loadout
from grognard.systems.frames.setup import Assets, Frame, Setup
from grognard.systems.frames.shots import layout
from grognard.systems.frames.state import Condition, State, holders, place_of, round_point, setup_of_attack
from grognard.systems.frames.table import Range

POINTS = 5
"""What an asset is worth to a player with neither the most nor the fewest of anything."""


class FrameResult(NamedTuple):
    """A frame after the attack: its id, its systems by name in alphabetical order, its white dice, and its place."""

    id: str
    systems: tuple[str, ...]
    white: int
    is_placed: bool
    at: Point | None

    def to_dict(self) -> Json:
        """The frame as JSON. `at` is included if the file places the frame, and null if it is destroyed."""
        left: Json = {"systems": list(self.systems), "white": self.white}
        return {**left, "at": self.at and list(self.at)} if self.is_placed else left


class TurnDice(NamedTuple):
    """The dice after a frame's activation: its defense, its move, the spot on its target, its rockets."""

    defense: int
    move: int
    spot: int
    rockets: int


@dataclass(frozen=True, slots=True)
class Result:
    """Every frame and terrain, and which frames abandoned their positions; stations, scores and activation if any."""

    frames: tuple[FrameResult, ...]
    terrain: tuple[tuple[str, int], ...]
    abandoned: tuple[str, ...]
    stations: tuple[tuple[str, str | None], ...] = ()
    scores: tuple[tuple[str, int], ...] | None = None
    activation: TurnDice | None = None

    def to_dict(self) -> Json:
        result: Json = {
            "frames": {frame.id: frame.to_dict() for frame in self.frames},
            "terrain": {name: {"hits": hits} for name, hits in self.terrain},
            "abandoned": list(self.abandoned),
        }
        if self.stations:
            result["stations"] = {name: {"holder": holder} for name, holder in self.stations}
        if self.scores is not None:
            result["scores"] = dict(self.scores)
        if self.activation is not None:
            result["activation"] = self.activation._asdict()
        return result


def result(setup: Setup, final: State) -> Result:
    pairs = list(zip(setup.frames, final.frames, strict=True))
    stations = [station.id for station in setup.stations]
    return Result(
        tuple(
            FrameResult(
                frame.id,
                tuple(sorted(condition.systems)),
                condition.white,
                frame.at is not None,
                round_point(place_of(setup, final, number)),
            )
            for number, (frame, condition) in enumerate(pairs)
        ),
        tuple((terrain.id, hits) for terrain, hits in zip(setup.terrain, final.terrain, strict=True)),
        tuple(frame.id for number, frame in enumerate(setup.frames) if final.abandonings(number)),
        tuple(zip(stations, holders(setup, final), strict=True)),
        None if setup.scores is None else scores(setup, final),
        turn_dice(setup, final),
    )


def turn_dice(setup: Setup, state: State) -> TurnDice | None:
    """The dice of a frame's activation, if there is one."""
    if state.assigned is None:
        return None
    here = setup_of_attack(setup, state)
    active = state.frames[here.by]
    spot = state.frames[here.target].spot if here.target >= 0 else 0
    return TurnDice(active.defense or 0, state.assigned.move, spot, active.rockets)


# Scores


def points_per_asset(player: Assets, all_players: Mapping[str, Assets]) -> int:
    """5 points, 1 less for the most frames or systems, 1 more for the fewest of each; all that tie are adjusted."""
    frames = [assets.frames for assets in all_players.values()]
    systems = [assets.systems for assets in all_players.values()]
    return POINTS + _adjustment(player.frames, frames) + _adjustment(player.systems, systems)


def _adjustment(count: int, counts: list[int]) -> int:
    return (count == min(counts)) - (count == max(counts))


def scores(setup: Setup, state: State) -> tuple[tuple[str, int], ...]:
    """Each player's live frames and held stations, times the points per asset."""
    every = setup.scores or {}
    return tuple(
        (name, (frames_alive(setup, state, name) + stations_held(setup, state, name)) * points_per_asset(player, every))
        for name, player in every.items()
    )


def frames_alive(setup: Setup, state: State, player: str) -> int:
    """How many frames a player still has, those that are not in the file included."""
    assets = (setup.scores or {})[player]
    return assets.frames - assets.lost - frames_destroyed(setup, state, player)


def frames_destroyed(setup: Setup, state: State, player: str) -> int:
    pairs = zip(setup.frames, state.frames, strict=True)
    return sum(frame.player == player and condition.is_destroyed for frame, condition in pairs)


def stations_held(setup: Setup, state: State, player: str) -> int:
    """How many stations a player holds: on the table, or else as the file says."""
    if setup.stations:
        return holders(setup, state).count(player)
    return (setup.scores or {})[player].stations or 0


# Objectives and measures


def loss(setup: Setup, result: Result, place: int) -> int:
    """The systems and white dice that a frame has lost."""
    frame = result.frames[place]
    return setup.frames[place].strength - len(frame.systems) - frame.white


def swing(setup: Setup, result: Result) -> int:
    """Systems and white dice that enemies lose, less what the attacking player loses."""
    return sum(
        (-1 if role_of(setup, frame.player) is Role.ATTACKER else 1) * loss(setup, result, place)
        for place, frame in enumerate(setup.frames)
    )


def kill(setup: Setup, result: Result) -> int:
    """1 if the target is destroyed, or is terrain that is no cover any more; in a turn without one, all enemies."""
    target = setup.turn.target if setup.turn else setup.declared.on
    if target is None:
        return enemies_destroyed(setup, result)
    place = setup.frame(target)
    return int(result.frames[place].white == 0 if place >= 0 else result.terrain[setup.piece(target)][1] == 0)


def enemies_destroyed(setup: Setup, result: Result) -> int:
    pairs = zip(setup.frames, result.frames, strict=True)
    return sum(left.white == 0 for frame, left in pairs if frame.player != setup.side)


OBJECTIVES = {
    "swing": Objective("systems and white dice that enemies lose, less what the attacking player loses", swing),
    "kill": Objective("the target is destroyed, or is terrain that is no cover any more", kill),
}


def measures(setup: Setup) -> list[Measure]:
    """Losses, destruction and abandoning of target and covers; the dice of the activation.

    In a turn, losses and destruction of all frames and terrain.
    """
    if setup.turn:
        return [*unit_measures(setup), *turn_measures(setup, swing, enemies_destroyed)]
    covers = () if setup.range is Range.HAND else setup.covers
    every: list[Measure] = []
    for name in (setup.declared.on, *covers):
        place = setup.frame(name)
        every += _terrain_measures(setup, name) if place < 0 else _frame_measures(setup, place)
    if setup.activation:
        every += [_activation_measure(setup.activation.by, name) for name in TurnDice._fields]
    return every


def unit_measures(setup: Setup) -> Iterator[Measure]:
    at = layout(setup)
    for place in range(len(setup.frames)):
        yield from _frame_measures(setup, place, at.body(place))
    for piece in setup.terrain:
        yield from _terrain_measures(setup, piece.id, at.piece(setup.piece(piece.id)))


def _frame_measures(setup: Setup, place: int, part: int | None = None) -> Iterator[Measure]:
    frame = setup.frames[place]
    role, owner = role_of(setup, frame.player), f"{frame.player}'s {frame.id}"
    yield from loss_measures(
        frame.id,
        frame.player,
        role,
        owner,
        lambda result: loss(setup, result, place),
        lambda result: result.frames[place].white == 0,
        part,
    )
    if part is None and setup.abandons[place]:
        yield Measure(
            f"{frame.id} abandons",
            lambda result: frame.id in result.abandoned,
            role,
            frame.player,
            "abandons its position",
            owner=owner,
        )


def _terrain_measures(setup: Setup, name: str, part: int | None = None) -> list[Measure]:
    place = setup.piece(name)
    before = setup.terrain[place].hits

    def measure(kind: str, what: str, of: Callable[[Any], int | bool]) -> Measure:
        return Measure(f"{name} {kind}", of, what=what, part=part, owner=the(name))

    return [
        measure("loses", "hits taken", lambda result: before - result.terrain[place][1]),
        measure("destroyed", "no cover any more", lambda result: result.terrain[place][1] == 0),
    ]


def _activation_measure(by: str, name: str) -> Measure:
    what, owner = ("spot on the target", "") if name == "spot" else (name, the(by))
    return Measure(f"{name} after the turn", lambda result: getattr(result.activation, name), what=what, owner=owner)


# The battle file after the attack


def after(setup: Setup, source: Json, final: State) -> Json:
    """The battle file after the attack: without destroyed frames, and without an attack."""
    left: Json = {key: value for key, value in source.items() if key not in ("attack", "activation", "turn")}
    if "frames" in left:
        entries = zip(source["frames"], setup.frames, final.frames, strict=True)
        left["frames"] = [
            _frame_after(entry, frame, condition, _place_after(setup, final, place))
            for place, (entry, frame, condition) in enumerate(entries)
            if not condition.is_destroyed
        ]
    if "terrain" in left:
        pairs = zip(source["terrain"], final.terrain, strict=True)
        left["terrain"] = [{**entry, "hits": hits} for entry, hits in pairs]
    if "stations" in left:
        stations = zip(source["stations"], holders(setup, final), strict=True)
        left["stations"] = [_with(entry, holder=holder) for entry, holder in stations]
    if setup.scores is not None:
        left["scores"] = {
            player: _assets_after(setup, entry, final, player) for player, entry in source["scores"].items()
        }
    return left


def _place_after(setup: Setup, final: State, place: int) -> Json:
    """The new place of a frame, if it has moved."""
    at = round_point(place_of(setup, final, place)) if final.abandonings(place) else None
    return {"at": list(at)} if at else {}


def end_turn(source: Json) -> Json:
    """The battle file without defense dice, in which every frame may act again. Spots stay."""
    if "frames" not in source:
        return dict(source)
    return {**source, "frames": [_with(entry, defense=None, acted=None) for entry in source["frames"]]}


def _with(entry: Mapping[str, Any], **fields: Any) -> Json:
    """The entry with these fields, without those that are None."""
    return {key: value for key, value in {**entry, **fields}.items() if key not in fields or value is not None}


def _frame_after(entry: Mapping[str, Any], frame: Frame, condition: Condition, moved: Json) -> Json:
    """The frame's entry with what is left of it, written as in the file."""
    marks: Json = {
        "spot": condition.spot or None,
        "defense": condition.defense,
        "acted": condition.has_acted or None,
        **moved,
    }
    kept = systems_kept(frame.names, condition.systems)
    if frame.loadout:
        kinds = [frame.equipment.systems[place] for place in kept]
        word = write_loadout(kinds, condition.white, condition.rockets)
        return _with(entry, **marks, white=None, rockets=None, systems=None, loadout=word)
    systems = [entry["systems"][place] for place in kept] if "systems" in entry else None
    rockets = condition.rockets if frame.rockets else entry.get("rockets")
    return _with(entry, **marks, systems=systems, white=condition.white, rockets=rockets)


def systems_kept(names: tuple[str, ...], left: tuple[str, ...]) -> list[int]:
    """The indices of the systems that are left. Of equal systems the first is lost first."""
    kept: list[int] = []
    for place in reversed(range(len(names))):
        if len(kept) < len(left) and names[place] == left[-1 - len(kept)]:
            kept.append(place)
    return kept[::-1]


def _assets_after(setup: Setup, entry: Mapping[str, Any], final: State, player: str) -> Json:
    lost_now = frames_destroyed(setup, final, player)
    assets = {**entry, "lost": entry.get("lost", 0) + lost_now} if lost_now else dict(entry)
    if "stations" in entry and setup.stations:
        assets["stations"] = stations_held(setup, final, player)
    return assets
