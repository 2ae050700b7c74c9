"""What makes a battle illegal although each field of the file is right."""

from collections import Counter
from collections.abc import Iterator

from grognard.core.errors import Fault, no_such_name
from grognard.core.turns import attack_or_turn_faults, duplicate_id_faults, listed_id_faults
from grognard.systems.frames.loadout import Kind, Loadout, read_loadout, too_many
from grognard.systems.frames.setup import NOBODY, NOT_YET, RADIUS, Activation, Attack, Frame, Setup, Shot, Turn
from grognard.systems.frames.state import WHITE_DIE, State, equipment_of, first_state
from grognard.systems.frames.table import Range, out_of_range


def faults(setup: Setup) -> Iterator[Fault]:
    """All faults: of frames, terrain and stations, then of scores, then of the attack or the turn."""
    for table, entries in (("frames", setup.frames), ("terrain", setup.terrain), ("stations", setup.stations)):
        yield from duplicate_id_faults(table, [entry.id for entry in entries])
    for number, frame in enumerate(setup.frames):
        yield from frame_faults(f"frames[{number}]", frame)
    if setup.table is None:
        yield from places_without_table(setup)
    yield from score_faults(setup)
    yield from attack_or_turn_faults(setup, "activation")
    if setup.turn:
        yield from turn_faults(setup, setup.turn)
    elif (setup.attack is None) != (setup.activation is None):
        yield from declared_faults(setup, setup.declared, "attack" if setup.attack else "activation")


def frame_faults(place: str, frame: Frame) -> Iterator[Fault]:
    """A frame carries no more than frames can, and the file says it only once."""
    word = read_loadout(frame.loadout) if frame.loadout else None
    if isinstance(word, Loadout):
        yield from loadout_conflicts(place, frame, word)
        return
    yield from (Fault(f"{place}.loadout", reason) for reason in word or ())
    yield from (Fault(f"{place}.systems", reason) for reason in too_many(frame.equipment.systems))
    kinds: dict[str, Kind] = {}
    for number, (name, kind) in enumerate(zip(frame.names, frame.equipment.systems, strict=True)):
        if kinds.setdefault(name, kind) is not kind:
            message = f'two systems are called "{name}", one {kinds[name]}, one {kind}: give one another name'
            yield Fault(f"{place}.systems[{number}]", message)
        if name == WHITE_DIE:
            yield Fault(f"{place}.systems[{number}].name", f'"{WHITE_DIE}" is the name of the white dice')


def loadout_conflicts(place: str, frame: Frame, word: Loadout) -> Iterator[Fault]:
    """A loadout replaces systems, white dice and rockets."""
    if frame.systems:
        yield Fault(
            f"{place}.systems", f"the loadout {frame.loadout} says it already: give one or the other", "conflict"
        )
    for name, said, meant in (("white", frame.white, word.white), ("rockets", frame.rockets, word.rockets)):
        if said not in (None, meant):
            yield Fault(f"{place}.{name}", f"found {said}, but the loadout {frame.loadout} has {meant}", "conflict")


def places_without_table(setup: Setup) -> Iterator[Fault]:
    """Places, sizes and stations are measured on a table, so there must be one."""
    message = "there is no table: add `[table]` with its `size`"
    for number, frame in enumerate(setup.frames):
        for field, is_left_out in (("at", frame.at is None), ("radius", frame.radius == RADIUS)):
            if not is_left_out:
                yield Fault(f"frames[{number}].{field}", message)
    for number, terrain in enumerate(setup.terrain):
        for field in ("outline", "height"):
            if getattr(terrain, field) is not None:
                yield Fault(f"terrain[{number}].{field}", message)
    if setup.stations:
        yield Fault("stations", message)


def score_faults(setup: Setup) -> Iterator[Fault]:
    """No player has more frames in the file than in the game, and the numbers of stations agree."""
    frames = Counter(frame.player for frame in setup.frames)
    stations = Counter(station.holder for station in setup.stations)
    for player, assets in (setup.scores or {}).items():
        place = f"scores.{player}" if player.isalnum() and player.isascii() else f'scores."{player}"'
        here, held = frames[player], stations[player]
        if assets.frames - assets.lost < here:
            left = f"{assets.frames} frames less {assets.lost} lost"
            yield Fault(f"{place}.frames", f"{left}, but {player} has {here} in this file")
        if assets.stations is None and not setup.stations:
            yield Fault(
                f"{place}.stations",
                "is missing: expected the stations that the player holds, or `[[stations]]`",
                "missing",
            )
        elif setup.stations and assets.stations not in (None, held):
            yield Fault(
                f"{place}.stations", f"found {assets.stations}, but {player} holds {held} of the stations", "conflict"
            )


def declared_faults(setup: Setup, declared: Attack | Activation, place: str) -> Iterator[Fault]:
    """The attack names what is in the file; its numbers are checked only then."""
    wrong = [*unknown_ids(setup, declared, place)]
    yield from wrong
    if wrong:
        return
    if declared.by is None and any(frame.player == NOBODY for frame in setup.frames):
        yield Fault(f"{place}.by", f'is missing, but a player is called "{NOBODY}", as the attacking player is then')
    if declared.by == declared.on:
        yield Fault(f"{place}.on", f"{declared.by} cannot attack itself")
        return
    if declared.by is not None and setup.target >= 0 and setup.frames[setup.target].player == setup.side:
        yield Fault(f"{place}.on", f"{declared.on} is {setup.side}'s own, as {declared.by} is: expected an enemy")
    yield from range_faults(setup, declared, place)
    if setup.target < 0:
        yield from terrain_faults(declared, place)
    else:
        yield from cover_faults(setup, declared, place)
    if not isinstance(declared, Shot):
        yield from faults_now(setup, first_state(setup), place)


# A turn


def turn_faults(setup: Setup, turn: Turn) -> Iterator[Fault]:
    """The player of a turn has frames, its target is an enemy or a terrain, and its shots could be made."""
    players = dict.fromkeys(frame.player for frame in setup.frames)
    if turn.player not in players:
        yield Fault("turn.player", no_such_name("player", turn.player, players), "unknown_name")
    if turn.target is not None:
        enemies = [frame.id for frame in setup.frames if frame.player != turn.player]
        pieces = [terrain.id for terrain in setup.terrain]
        if turn.target not in (*enemies, *pieces):
            known = no_such_name("enemy frame or terrain", turn.target, [*enemies, *pieces])
            yield Fault("turn.target", known, "unknown_name")
        elif setup.frame(turn.target) >= 0 and turn.target in pieces:
            yield ambiguous_name("turn.target", turn.target)
    yield from listed_id_faults(setup.shot_ids)
    defended = {shot.on for shot in turn.shots if shot.defense is not None}
    for number, shot in enumerate(turn.shots):
        here = setup.first_shots[number]
        yield from shot_faults(here, shot, f"turn.shots[{number}]", turn, is_defended=shot.on in defended)


def shot_faults(setup: Setup, shot: Shot, place: str, turn: Turn, *, is_defended: bool) -> Iterator[Fault]:
    """The faults that no other shot can change. Those that depend on the state only make a shot impossible for now."""
    wrong = [*declared_faults(setup, shot, place)]
    yield from wrong
    owner = setup.frames[setup.by].player if setup.by >= 0 else turn.player
    if owner != turn.player:
        yield Fault(f"{place}.by", f"{shot.by} is {owner}'s, but this is {turn.player}'s turn")
    if not wrong and setup.target >= 0:
        yield from dice_faults(setup, first_state(setup), place)
        if setup.defense is None and not is_defended:
            yield missing_defense(shot, place)


# Faults that depend on the state


def faults_now(setup: Setup, state: State, place: str = "attack") -> Iterator[Fault]:
    """The faults of an attack in a state of frames and terrain."""
    declared, is_frame = setup.declared, setup.target >= 0
    attackers = [] if setup.by < 0 else [state.frames[setup.by]]
    if any(frame.is_destroyed for frame in attackers):
        yield Fault(f"{place}.by", f"{declared.by} is destroyed")
    elif any(frame.has_acted for frame in attackers):
        yield Fault(f"{place}.by", f"{declared.by} has acted already: it may not attack again this turn")
    if is_frame and state.frames[setup.target].is_destroyed:
        yield Fault(f"{place}.on", f"{declared.on} is destroyed")
    if (
        setup.distance is not None
        and declared.range is not None
        and (why := out_of_range(declared.range, setup.distance))
    ):
        yield Fault(
            f"{place}.range",
            f"found {declared.range}, but {declared.on} is {setup.distance:.2f} units away: {why}",
            "conflict",
        )
    if is_frame:
        if declared.defense is None and state.frames[setup.target].defense is None:
            yield missing_defense(declared, place)
        yield from dice_faults(setup, state, place)
    if isinstance(declared, Activation):
        yield from weapon_faults(setup, state, place)


def missing_defense(declared: Attack | Activation, place: str) -> Fault:
    """The fault of an attack on a frame whose defense is missing."""
    or_not = f' or "{NOT_YET}"' if isinstance(declared, Activation) else ""
    message = f"is missing: expected the defense of {declared.on}, from 0 to 6{or_not}"
    return Fault(f"{place}.defense", message, "missing")


def dice_faults(setup: Setup, state: State, place: str) -> Iterator[Fault]:
    """The attack names the dice that are beside the target, if any."""
    declared, target = setup.declared, state.frames[setup.target]
    is_unset = isinstance(declared, Shot) and declared.defense == NOT_YET  # it may be set by now
    defense = None if is_unset else declared.defense
    for field, said, lies in (("defense", defense, target.defense), ("spot", declared.spot, target.spot or None)):
        if said is not None and lies is not None and said != lies:
            yield Fault(
                f"{place}.{field}", f"found {said}, but {declared.on} has a {field} of {lies}: leave it out", "conflict"
            )


def weapon_faults(setup: Setup, state: State, place: str) -> Iterator[Fault]:
    """A frame has a weapon for the range of its attack; hand to hand it needs none."""
    at = setup.range
    if at is None or any(frame_faults("", setup.active)):
        return
    equipment = equipment_of(setup, state, setup.by)
    has_rocket = at is Range.DIRECT and equipment.rockets > 0
    if at is not Range.HAND and Kind(at) not in equipment.systems and not has_rocket:
        how_far = f", and {setup.declared.on} is {setup.distance:.2f} units away" if setup.distance is not None else ""
        yield Fault(f"{place}.range", f"{setup.declared.by} has no weapon for {at} range{how_far}")


# Faults that do not depend on the state


def unknown_ids(setup: Setup, declared: Attack | Activation, place: str) -> Iterator[Fault]:
    """Attacker, target and cover are in the file, and their names are unambiguous."""
    frames = [frame.id for frame in setup.frames]
    terrain = [terrain.id for terrain in setup.terrain]
    if declared.by is not None and setup.frame(declared.by) < 0:
        yield Fault(f"{place}.by", no_such_name("frame", declared.by, frames), "unknown_name")
    listed = setup.listed_covers or ()
    covers = [
        f"{place}.cover" if isinstance(declared.cover, str) else f"{place}.cover[{n}]" for n in range(len(listed))
    ]
    for where, name in ((f"{place}.on", declared.on), *zip(covers, listed, strict=True)):
        is_frame, is_terrain = setup.frame(name) >= 0, setup.piece(name) >= 0
        if not is_frame and not is_terrain:
            yield Fault(where, no_such_name("frame or terrain", name, [*frames, *terrain]), "unknown_name")
        elif is_frame and is_terrain:
            yield ambiguous_name(where, name)


def ambiguous_name(place: str, name: str) -> Fault:
    """The fault of a name that a frame and a terrain share."""
    return Fault(place, f'"{name}" is the id of a frame and of a terrain: which is meant?')


def range_faults(setup: Setup, declared: Attack | Activation, place: str) -> Iterator[Fault]:
    """Range and cover are given or can be measured."""
    is_cover_known = setup.target < 0 or declared.cover is not None
    if setup.table is None:
        if declared.range is None:
            listed = ", ".join(f'"{at}"' for at in Range)
            yield Fault(f"{place}.range", f"is missing: expected one of {listed}", "missing")
    elif setup.distance is not None:
        return
    elif declared.range is None or not is_cover_known:
        if declared.by is None:
            yield Fault(
                f"{place}.by",
                "is missing: range and cover are measured from the attacking frame; or give both",
                "missing",
            )
        else:
            yield from (
                Fault(f"{place}.{key}", f"{name} has no place on the table: give it one, or give range and cover")
                for key, name in (("by", declared.by), ("on", declared.on))
                if setup.base(name) is None
            )


def terrain_faults(declared: Attack | Activation, place: str) -> Iterator[Fault]:
    """Terrain has no defense, no spot and no cover."""
    if declared.defense:
        yield Fault(
            f"{place}.defense",
            f"found {declared.defense}, but {declared.on} is terrain, which has no defense: leave it out",
        )
    if declared.spot is not None:
        yield Fault(f"{place}.spot", f"{declared.on} is terrain, which takes no spot: leave it out")
    if declared.cover:
        yield Fault(f"{place}.cover", f"{declared.on} is terrain, which takes no cover: leave it out")


def cover_faults(setup: Setup, declared: Attack | Activation, place: str) -> Iterator[Fault]:
    """A frame is covered by at most one terrain and one other frame, which is not the attacker."""
    if setup.listed_covers is None:
        both = [name for name in setup.covers if setup.frame(name) >= 0 and setup.piece(name) >= 0]
        yield from (ambiguous_name(f"{place}.cover", name) for name in dict.fromkeys(both))
    listed = setup.listed_covers or ()
    for name, what in ((declared.on, "the target"), (declared.by, "the attacking frame")):
        if name in listed:
            yield Fault(f"{place}.cover", f"{name} is {what}: it cannot be the cover")
    frames = [name for name in listed if setup.frame(name) >= 0]
    terrain = [name for name in listed if setup.frame(name) < 0]
    for names, what in ((frames, "frame"), (terrain, "terrain")):
        if len(names) > 1:
            yield Fault(f"{place}.cover", f"found {' and '.join(names)}, expected at most one {what}")
