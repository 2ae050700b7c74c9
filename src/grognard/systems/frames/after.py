"""The battle file after the attack."""

from collections.abc import Mapping
from typing import Any

from grognard.core.systems import Json
from grognard.systems.frames.loadout import write_loadout
from grognard.systems.frames.scores import destroyed
from grognard.systems.frames.setup import Frame, Setup
from grognard.systems.frames.state import Condition, State


def after(setup: Setup, source: Json, final: State) -> Json:
    """Destroyed frames are gone, the others and the terrain are as the attack left them, and no attack is declared."""
    left: Json = {key: value for key, value in source.items() if key not in ("attack", "activation")}
    if "frames" in left:
        left["frames"] = [
            _frame(entry, frame, condition, _rockets(setup, frame, final))
            for entry, frame, condition in zip(source["frames"], setup.frames, final.frames, strict=True)
            if condition.white
        ]
    if "terrain" in left:
        pairs = zip(source["terrain"], final.terrain, strict=True)
        left["terrain"] = [{**entry, "hits": hits} for entry, hits in pairs]
    if setup.scores is not None:
        left["scores"] = {
            player: _standing(entry, destroyed(setup, final, player)) for player, entry in source["scores"].items()
        }
    return left


def _rockets(setup: Setup, frame: Frame, final: State) -> int:
    is_active = setup.activation is not None and setup.activation.by == frame.id
    return final.turn.rockets if final.turn and is_active else frame.fit.rockets


def _frame(entry: Mapping[str, Any], frame: Frame, condition: Condition, rockets: int) -> Json:
    """The frame's entry with what is left of it, in the words that the file used."""
    kept = _kept(frame.names, condition.systems)
    if frame.loadout:
        kinds = [frame.fit.systems[place] for place in kept]
        told = {key: value for key, value in entry.items() if key not in ("white", "rockets", "systems")}
        return {**told, "loadout": write_loadout(kinds, condition.white, rockets)}
    told = {**entry, "systems": [entry["systems"][place] for place in kept], "white": condition.white}
    return {**told, "rockets": rockets} if frame.rockets else told


def _kept(names: tuple[str, ...], left: tuple[str, ...]) -> list[int]:
    """The places of the systems that are left. Of equal ones the first was given up."""
    kept: list[int] = []
    for place in reversed(range(len(names))):
        if len(kept) < len(left) and names[place] == left[-1 - len(kept)]:
            kept.append(place)
    return kept[::-1]


def _standing(entry: Mapping[str, Any], lost: int) -> Json:
    return {**entry, "lost": entry.get("lost", 0) + lost} if lost else dict(entry)


def end_turn(source: Json) -> Json:
    """Nothing in a file of this system lasts for a turn only: dice are named by the attack."""
    return dict(source)
