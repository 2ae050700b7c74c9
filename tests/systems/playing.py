"""Playing a battle in a test: dice as lists of faces, choices as option ids."""

from collections.abc import Sequence

from grognard.core.rules import Choose
from grognard.core.systems import Json
from grognard.files import battle
from grognard.plays.answers import Chosen, Rolled
from grognard.plays.play import Play, start


def played(source: Json, *answers: Sequence[int] | str) -> Play:
    """A battle after these answers."""
    play = start(battle(source))
    for answer in answers:
        play = play.answer(Chosen(answer) if isinstance(answer, str) else Rolled(tuple(answer)))
    return play


def choice(play: Play) -> Choose:
    """The decision that is due."""
    assert isinstance(play.question, Choose), f"no decision is due, but {play.pending}"
    return play.question


def dice(play: Play) -> list[str]:
    """The dice that are due, as `3 d10`, those of the side that fires first."""
    assert play.question is not None, "nothing is due"
    assert not isinstance(play.question, Choose), f"a decision is due: {play.question}"
    return [f"{pool.count} {pool.die.name}" for pool in play.question.reading.dice]


def sentences(play: Play) -> list[str]:
    """The sentences about changes."""
    return [event.what for event in play.events if event.kind == "change"]
