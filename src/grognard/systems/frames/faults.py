"""What makes a battle illegal, though each field of the file is right."""

from collections import Counter
from collections.abc import Iterator, Sequence

from grognard.core.errors import Fault, FaultCode, no_such_name
from grognard.core.turns import attack_or_turn_faults, listed_id_faults
from grognard.systems.frames.loadout import Kind, Loadout, read_loadout, too_many
from grognard.systems.frames.setup import (
    NOBODY,
    NOT_YET,
    RADIUS,
    Activation,
    Attack,
    Frame,
    Setup,
    Shot,
    Station,
    Terrain,
    Turn,
)
from grognard.systems.frames.state import WHITE_DIE, State, first_state, fit_of
from grognard.systems.frames.table import Range, out_of_range


def faults(setup: Setup) -> Iterator[Fault]:
    """All that is wrong with frames, terrain and stations; then with the scores; then with the attack or the turn."""
    yield from same_ids("frames", setup.frames)
    yield from same_ids("terrain", setup.terrain)
    yield from same_ids("stations", setup.stations)
    for number, frame in enumerate(setup.frames):
        yield from frame_faults(f"frames[{number}]", frame)
    if setup.table is None:
        yield from places_without_table(setup)
    yield from score_faults(setup)
    yield from attack_or_turn_faults(setup, "activation")
    if setup.turn:
        yield from turn_faults(setup, setup.turn)
    elif (setup.attack is None) != (setup.activation is None):
        yield from aim_faults(setup, setup.aim, "attack" if setup.attack else "activation")


def same_ids(table: str, entries: Sequence[Frame | Terrain | Station]) -> Iterator[Fault]:
    """Ids are unique in their list."""
    ids: dict[str, int] = {}
    for number, entry in enumerate(entries):
        if entry.id in ids:
            yield Fault(
                f"{table}[{number}].id",
                f'"{entry.id}" is already the id of {table}[{ids[entry.id]}]',
                FaultCode.DUPLICATE,
            )
        ids.setdefault(entry.id, number)


def frame_faults(place: str, frame: Frame) -> Iterator[Fault]:
    """A frame carries what frames can carry, and says so only once."""
    word = read_loadout(frame.loadout) if frame.loadout else None
    if isinstance(word, Loadout):
        yield from said_twice(place, frame, word)
        return
    yield from (Fault(f"{place}.loadout", reason) for reason in word or ())
    yield from (Fault(f"{place}.systems", reason) for reason in too_many(frame.fit.systems))
    kinds: dict[str, Kind] = {}
    for number, (name, kind) in enumerate(zip(frame.names, frame.fit.systems, strict=True)):
        if kinds.setdefault(name, kind) is not kind:
            message = f'two systems are called "{name}", one {kinds[name]}, one {kind}: nobody could tell which is lost'
            yield Fault(f"{place}.systems[{number}]", message)
        if name == WHITE_DIE:
            yield Fault(f"{place}.systems[{number}].name", f'"{WHITE_DIE}" is what the white dice are called')


def said_twice(place: str, frame: Frame, word: Loadout) -> Iterator[Fault]:
    """A loadout stands for systems, white dice and rockets."""
    if frame.systems:
        yield Fault(
            f"{place}.systems",
            f"the loadout {frame.loadout} says it already: give one or the other",
            FaultCode.CONFLICT,
        )
    for name, said, meant in (("white", frame.white, word.white), ("rockets", frame.rockets, word.rockets)):
        if said not in (None, meant):
            yield Fault(
                f"{place}.{name}", f"found {said}, but the loadout {frame.loadout} has {meant}", FaultCode.CONFLICT
            )


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
    """Nobody has more frames in the file than in the game, and stations are counted once."""
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
                FaultCode.MISSING,
            )
        elif setup.stations and assets.stations not in (None, held):
            yield Fault(
                f"{place}.stations",
                f"found {assets.stations}, but {player} holds {held} of the stations",
                FaultCode.CONFLICT,
            )


def aim_faults(setup: Setup, aim: Attack | Activation, place: str) -> Iterator[Fault]:
    """The attack names what the file has; only then its numbers are looked at."""
    wrong = [*unknown_ids(setup, aim, place)]
    yield from wrong
    if wrong:
        return
    if aim.by is None and any(frame.player == NOBODY for frame in setup.frames):
        yield Fault(f"{place}.by", f'is missing, and a player is called "{NOBODY}", as whoever attacks is then')
    if aim.by == aim.on:
        yield Fault(f"{place}.on", f"{aim.by} cannot attack itself")
        return
    if aim.by is not None and setup.target >= 0 and setup.frames[setup.target].player == setup.attacker:
        yield Fault(f"{place}.on", f"{aim.on} is {setup.attacker}'s own, as {aim.by} is: expected an enemy")
    yield from range_faults(setup, aim, place)
    if setup.target < 0:
        yield from terrain_faults(aim, place)
    else:
        yield from cover_faults(setup, aim, place)
    if not isinstance(aim, Shot):
        yield from faults_now(setup, first_state(setup), place)


# A turn


def turn_faults(setup: Setup, turn: Turn) -> Iterator[Fault]:
    """The player of a turn has frames, its target is an enemy or a terrain, and its shots could be made."""
    players = dict.fromkeys(frame.player for frame in setup.frames)
    if turn.player not in players:
        yield Fault("turn.player", no_such_name("player", turn.player, players), FaultCode.UNKNOWN_NAME)
    if turn.target is not None:
        enemies = [frame.id for frame in setup.frames if frame.player != turn.player]
        pieces = [terrain.id for terrain in setup.terrain]
        if turn.target not in (*enemies, *pieces):
            known = no_such_name("enemy frame or terrain", turn.target, [*enemies, *pieces])
            yield Fault("turn.target", known, FaultCode.UNKNOWN_NAME)
        elif setup.frame(turn.target) >= 0 and turn.target in pieces:
            yield two_meanings("turn.target", turn.target)
    yield from listed_id_faults(setup.shot_ids)
    defended = {shot.on for shot in turn.shots if shot.defense is not None}
    for number, shot in enumerate(turn.shots):
        here = setup.first_shots[number]
        yield from shot_faults(here, shot, f"turn.shots[{number}]", turn, is_defended=shot.on in defended)


def shot_faults(setup: Setup, shot: Shot, place: str, turn: Turn, *, is_defended: bool) -> Iterator[Fault]:
    """What no other shot can mend. What depends on how frames stand only makes a shot impossible for the time being."""
    wrong = [*aim_faults(setup, shot, place)]
    yield from wrong
    owner = setup.frames[setup.by].player if setup.by >= 0 else turn.player
    if owner != turn.player:
        yield Fault(f"{place}.by", f"{shot.by} is {owner}'s, and it is the turn of {turn.player}")
    if not wrong and setup.target >= 0:
        yield from dice_faults(setup, first_state(setup), place)
        if setup.defense is None and not is_defended:
            yield no_defense(shot, place)


# Whether an attack is legal as the frames stand now


def faults_now(setup: Setup, state: State, place: str = "attack") -> Iterator[Fault]:
    """What is wrong with an attack as frames and terrain stand in a state."""
    aim, is_frame = setup.aim, setup.target >= 0
    attackers = [] if setup.by < 0 else [state.frames[setup.by]]
    if any(frame.is_destroyed for frame in attackers):
        yield Fault(f"{place}.by", f"{aim.by} is destroyed")
    elif any(frame.has_acted for frame in attackers):
        yield Fault(f"{place}.by", f"{aim.by} has acted already: it may not attack again this turn")
    if is_frame and state.frames[setup.target].is_destroyed:
        yield Fault(f"{place}.on", f"{aim.on} is destroyed")
    if setup.distance is not None and aim.range is not None and (why := out_of_range(aim.range, setup.distance)):
        yield Fault(
            f"{place}.range",
            f"found {aim.range}, but {aim.on} is {setup.distance:.2f} units away: {why}",
            FaultCode.CONFLICT,
        )
    if is_frame:
        if aim.defense is None and state.frames[setup.target].defense is None:
            yield no_defense(aim, place)
        yield from dice_faults(setup, state, place)
    if isinstance(aim, Activation):
        yield from weapon_faults(setup, state, place)


def no_defense(aim: Attack | Activation, place: str) -> Fault:
    """The fault of an attack on a frame whose defense is missing."""
    or_not = f' or "{NOT_YET}"' if isinstance(aim, Activation) else ""
    message = f"is missing: expected the defense of {aim.on}, from 0 to 6{or_not}"
    return Fault(f"{place}.defense", message, FaultCode.MISSING)


def dice_faults(setup: Setup, state: State, place: str) -> Iterator[Fault]:
    """The attack names no other dice than those that lie beside the target."""
    aim, target = setup.aim, state.frames[setup.target]
    defense = None if isinstance(aim, Shot) and aim.defense == NOT_YET else aim.defense  # it may be set by now
    for field, said, lies in (("defense", defense, target.defense), ("spot", aim.spot, target.spot or None)):
        if said is not None and lies is not None and said != lies:
            yield Fault(
                f"{place}.{field}",
                f"found {said}, but {aim.on} has a {field} of {lies}: leave it out",
                FaultCode.CONFLICT,
            )


def weapon_faults(setup: Setup, state: State, place: str) -> Iterator[Fault]:
    """A frame attacks at a range for which it carries a weapon; hand to hand it needs none."""
    at = setup.range
    if at is None or any(frame_faults("", setup.active)):
        return
    fit = fit_of(setup, state, setup.by)
    has_rocket = at is Range.DIRECT and fit.rockets > 0
    if at is not Range.HAND and Kind(at) not in fit.systems and not has_rocket:
        how_far = f", and {setup.aim.on} is {setup.distance:.2f} units away" if setup.distance is not None else ""
        yield Fault(f"{place}.range", f"{setup.aim.by} has no weapon for {at} range{how_far}")


# What does not depend on how frames stand


def unknown_ids(setup: Setup, aim: Attack | Activation, place: str) -> Iterator[Fault]:
    """Attacker, target and cover are in the file, and no name means two of them."""
    frames = [frame.id for frame in setup.frames]
    terrain = [terrain.id for terrain in setup.terrain]
    if aim.by is not None and setup.frame(aim.by) < 0:
        yield Fault(f"{place}.by", no_such_name("frame", aim.by, frames), FaultCode.UNKNOWN_NAME)
    listed = setup.listed_covers or ()
    covers = [f"{place}.cover" if isinstance(aim.cover, str) else f"{place}.cover[{n}]" for n in range(len(listed))]
    for where, name in ((f"{place}.on", aim.on), *zip(covers, listed, strict=True)):
        is_frame, is_terrain = setup.frame(name) >= 0, setup.piece(name) >= 0
        if not is_frame and not is_terrain:
            yield Fault(where, no_such_name("frame or terrain", name, [*frames, *terrain]), FaultCode.UNKNOWN_NAME)
        elif is_frame and is_terrain:
            yield two_meanings(where, name)


def two_meanings(place: str, name: str) -> Fault:
    """The fault of a name that a frame and a terrain share."""
    return Fault(place, f'"{name}" is the id of a frame and of a terrain: which is meant?')


def range_faults(setup: Setup, aim: Attack | Activation, place: str) -> Iterator[Fault]:
    """Range and cover are given or can be measured."""
    is_cover_known = setup.target < 0 or aim.cover is not None
    if setup.table is None:
        if aim.range is None:
            listed = ", ".join(f'"{at}"' for at in Range)
            yield Fault(f"{place}.range", f"is missing: expected one of {listed}", FaultCode.MISSING)
    elif setup.distance is not None:
        return
    elif aim.range is None or not is_cover_known:
        if aim.by is None:
            yield Fault(
                f"{place}.by",
                "is missing: range and cover are measured from the attacking frame; or give both",
                FaultCode.MISSING,
            )
        else:
            yield from (
                Fault(f"{place}.{key}", f"{name} has no place on the table: give it one, or give range and cover")
                for key, name in (("by", aim.by), ("on", aim.on))
                if setup.base(name) is None
            )


def terrain_faults(aim: Attack | Activation, place: str) -> Iterator[Fault]:
    """Terrain has no defense, takes no spot and hides behind nothing."""
    if aim.defense:
        yield Fault(
            f"{place}.defense", f"found {aim.defense}, but {aim.on} is terrain, which has no defense: leave it out"
        )
    if aim.spot is not None:
        yield Fault(f"{place}.spot", f"{aim.on} is terrain, which takes no spot: leave it out")
    if aim.cover:
        yield Fault(f"{place}.cover", f"{aim.on} is terrain, which takes no cover: leave it out")


def cover_faults(setup: Setup, aim: Attack | Activation, place: str) -> Iterator[Fault]:
    """A frame is covered by at most one terrain and one other frame, which is not the attacker."""
    if setup.listed_covers is None:
        both = [name for name in setup.covers if setup.frame(name) >= 0 and setup.piece(name) >= 0]
        yield from (two_meanings(f"{place}.cover", name) for name in dict.fromkeys(both))
    listed = setup.listed_covers or ()
    for name, what in ((aim.on, "the target"), (aim.by, "the attacking frame")):
        if name in listed:
            yield Fault(f"{place}.cover", f"{name} is {what}: it cannot be the cover")
    frames = [name for name in listed if setup.frame(name) >= 0]
    terrain = [name for name in listed if setup.frame(name) < 0]
    for names, what in ((frames, "frame"), (terrain, "terrain")):
        if len(names) > 1:
            yield Fault(f"{place}.cover", f"found {' and '.join(names)}, expected at most one {what}")
