"""What makes a battle illegal, though each field of the file is right."""

from collections.abc import Iterator, Sequence

from grognard.core.errors import Fault, no_such
from grognard.systems.frames.kinds import Kind, Range
from grognard.systems.frames.loadout import Loadout, read_loadout, too_many
from grognard.systems.frames.setup import NOBODY, NOT_YET, Activation, Attack, Frame, Setup, Terrain
from grognard.systems.frames.state import WHITE_DIE


def faults(setup: Setup) -> Iterator[Fault]:
    """All that is wrong with frames and terrain; then with the attack or the turn; then with the scores."""
    yield from same_ids("frames", setup.frames)
    yield from same_ids("terrain", setup.terrain)
    for number, frame in enumerate(setup.frames):
        yield from frame_faults(f"frames[{number}]", frame)
    yield from score_faults(setup)
    if setup.attack and setup.activation:
        yield Fault("activation", "a file has either an attack or an activation, this one has both")
    elif setup.attack:
        yield from aim_faults(setup, setup.attack, "attack")
    elif setup.activation:
        yield from aim_faults(setup, setup.activation, "activation")
    else:
        yield Fault("attack", "is missing: expected a table with the attack to resolve, or an activation instead")


def same_ids(table: str, entries: Sequence[Frame | Terrain]) -> Iterator[Fault]:
    """Ids are unique in their list."""
    ids: dict[str, int] = {}
    for number, entry in enumerate(entries):
        if entry.id in ids:
            yield Fault(f"{table}[{number}].id", f'"{entry.id}" is already the id of {table}[{ids[entry.id]}]')
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
        yield Fault(f"{place}.systems", f"the loadout {frame.loadout} says it already: give one or the other")
    for name, said, meant in (("white", frame.white, word.white), ("rockets", frame.rockets, word.rockets)):
        if said not in (None, meant):
            yield Fault(f"{place}.{name}", f"found {said}, but the loadout {frame.loadout} has {meant}")


def score_faults(setup: Setup) -> Iterator[Fault]:
    """Nobody has more frames in the file than in the game."""
    for player, standing in (setup.scores or {}).items():
        here = sum(frame.player == player for frame in setup.frames)
        if standing.frames - standing.lost < here:
            left = f"{standing.frames} frames less {standing.lost} lost"
            name = player if player.isalnum() and player.isascii() else f'"{player}"'
            yield Fault(f"scores.{name}.frames", f"{left}, but {player} has {here} in this file")


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
    elif aim.by is not None and setup.target >= 0 and setup.frames[setup.target].player == setup.attacker:
        yield Fault(f"{place}.on", f"{aim.on} is {setup.attacker}'s own, as {aim.by} is: expected an enemy")
    if setup.target < 0:
        yield from terrain_faults(aim, place)
    else:
        yield from target_faults(setup, aim, place)
    if isinstance(aim, Activation):
        yield from weapon_faults(setup, aim)


def unknown_ids(setup: Setup, aim: Attack | Activation, place: str) -> Iterator[Fault]:
    """Attacker, target and cover are in the file, and no name means two of them."""
    frames = [frame.id for frame in setup.frames]
    terrain = [terrain.id for terrain in setup.terrain]
    if aim.by is not None and aim.by not in frames:
        yield Fault(f"{place}.by", no_such("frame", aim.by, frames))
    covers = [
        f"{place}.cover" if isinstance(aim.cover, str) else f"{place}.cover[{n}]" for n in range(len(setup.covers))
    ]
    for where, name in ((f"{place}.on", aim.on), *zip(covers, setup.covers, strict=True)):
        if name not in (*frames, *terrain):
            yield Fault(where, no_such("frame or terrain", name, [*frames, *terrain]))
        elif name in frames and name in terrain:
            yield Fault(where, f'"{name}" is the id of a frame and of a terrain: which is meant?')


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


def target_faults(setup: Setup, aim: Attack | Activation, place: str) -> Iterator[Fault]:
    """A frame has a defense, and is covered by at most one terrain and one other frame, which is not the attacker."""
    if aim.defense is None:
        or_not = f' or "{NOT_YET}"' if isinstance(aim, Activation) else ""
        yield Fault(f"{place}.defense", f"is missing: expected the defense of {aim.on}, from 0 to 6{or_not}")
    for name, what in ((aim.on, "the target"), (aim.by, "the attacking frame")):
        if name in setup.covers:
            yield Fault(f"{place}.cover", f"{name} is {what}: it cannot be the cover")
    frames = [name for name in setup.covers if setup.frame(name) >= 0]
    terrain = [name for name in setup.covers if setup.frame(name) < 0]
    for names, what in ((frames, "frame"), (terrain, "terrain")):
        if len(names) > 1:
            yield Fault(f"{place}.cover", f"found {' and '.join(names)}, expected at most one {what}")


def weapon_faults(setup: Setup, aim: Activation) -> Iterator[Fault]:
    """A frame attacks at a range for which it carries a weapon; hand to hand it needs none."""
    fit = setup.frames[setup.frame(aim.by)].fit
    has_rocket = aim.range is Range.DIRECT and fit.rockets > 0
    if aim.range is not Range.HAND and Kind(aim.range) not in fit.systems and not has_rocket:
        yield Fault("activation.range", f"{aim.by} has no weapon for {aim.range} range")
