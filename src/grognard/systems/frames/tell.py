"""Attacks in words for people."""

from collections.abc import Iterator

from grognard.systems.frames.kinds import Kind
from grognard.systems.frames.scores import scores
from grognard.systems.frames.setup import Frame, Setup
from grognard.systems.frames.state import Condition, State, Turn

PIECES = 6
"""What terrain loses for each damage."""


def changes(setup: Setup, before: State, after: State) -> Iterator[str]:
    """What a rule changed."""
    for terrain, had, has in zip(setup.terrain, before.terrain, after.terrain, strict=True):
        if has < had:
            gone = "" if has else ": it is no cover any more"
            yield f"{terrain.id} takes {had - has} damage and loses {PIECES * (had - has)} pieces{gone}"
    for frame, stood, stands in zip(setup.frames, before.frames, after.frames, strict=True):
        if stood != stands:
            yield from changed(frame, stood, stands)
    if setup.scores is not None:
        for (player, had), (_, has) in zip(scores(setup, before), scores(setup, after), strict=True):
            if has != had:
                yield f"{player}'s score: {had} → {has}"
    if before.turn and after.turn and before.turn != after.turn:
        yield from changed_turn(setup, before.turn, after.turn)


def changed(frame: Frame, had: Condition, has: Condition) -> Iterator[str]:
    """What a rule changed about one frame."""
    name = f"{frame.id} ({frame.player})"
    if has.abandoned > had.abandoned:
        yield f"{name} ignores one damage and abandons its position, one unit away from the station"
    gone = list(had.systems)
    for system in has.systems:
        gone.remove(system)
    for system in gone:
        yield f"{name} loses its {f'{system} system' if system in set(Kind) else system}"
    if has.white < had.white:
        yield f"{name} loses a white die" if has.white else f"{name} loses its last white die and is destroyed"


def changed_turn(setup: Setup, had: Turn, has: Turn) -> Iterator[str]:
    """What a rule changed about the turn."""
    name = setup.aim.by
    if has.defense != had.defense:
        yield f"{name} sets its defense at {has.defense}"
    if has.move != had.move:
        yield f"{name} may move {has.move}"
    if has.rockets != had.rockets:
        yield f"{name} has {has.rockets} of {had.rockets} rockets left"
    if has.on_target < had.on_target and has.spot != had.on_target:
        yield f"the spot of {had.on_target} on {setup.aim.on} is gone"
    if has.spot != had.spot and has.spot:
        yield f"{name} has a spot of {has.spot} for {setup.aim.on}"
