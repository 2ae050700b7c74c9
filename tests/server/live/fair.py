"""Battles played with fair dice."""

from grognard.core.rules import Roll
from grognard.core.systems import Battle
from grognard.plays.answers import Chosen, Rolled
from grognard.plays.fair import FairDice
from grognard.plays.play import Play, start


def played(battle: Battle, dice: FairDice, first: bool = True, until: int | None = None) -> Play:
    """A battle played with fair dice, and with everybody's first options or their last, up to so many moves."""
    going, rolling = start(battle), dice.from_draw(0)
    while (question := going.question) is not None and len(going.moves) != until:
        if isinstance(question, Roll):
            going = going.answer(Rolled(rolling.roll_all(question.reading), machine=True))
        else:
            going = going.answer(Chosen(question.options[0 if first else -1].id))
    return going
