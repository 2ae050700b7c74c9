"""What people type, understood: an option by number, id or first letters; dice with spaces, commas and slashes."""

import re

from grognard.core.errors import WrongAnswer
from grognard.core.readings import Die, Face
from grognard.core.rules import Choose, Question, Roll
from grognard.plays.answers import Answer, Chosen, Rolled, rollers

BLANKS = ("-", "–", "—", "_", "blank")
"""How a blank face may be typed."""


def understood(question: Question, line: str) -> Answer:
    """The answer that a line means. Whether these dice can fall so is for the play to say."""
    return Chosen(chosen(question, line)) if isinstance(question, Choose) else Rolled(rolled(question, line))


def keys(question: Choose) -> list[str]:
    """What to type for each option: its number, or its id where ids are numbers themselves."""
    ids = [option.id for option in question.options]
    return ids if any(name.isdigit() for name in ids) else [str(number) for number in range(1, len(ids) + 1)]


def chosen(question: Choose, line: str) -> str:
    """The id of the option that is meant."""
    wanted = line.casefold()
    named = list(zip(keys(question), question.options, strict=True))
    exactly = [option for key, option in named if line in (option.id, key)]
    loosely = [option for _, option in named if wanted in (option.id.casefold(), option.label.casefold())]
    begun = [option for _, option in named if option.id.casefold().startswith(wanted)]
    for options in (exactly, loosely, begun):
        if len(options) == 1:
            return options[0].id
    raise WrongAnswer(f'"{line}" is none of {", ".join(keys(question))}')


def rolled(question: Roll, line: str) -> tuple[Face, ...]:
    """The faces, in the order of the pools; a slash goes between two pools."""
    groups = [re.findall(r"[^\s,;]+", group) for group in line.split("/")]
    hands = [pool for pool in question.reading.dice if pool.count]
    if len(groups) > 1 and [len(group) for group in groups] != [pool.count for pool in hands]:
        found = " / ".join(str(len(group)) for group in groups)
        raise WrongAnswer(f"{found} dice given, but rolled are: {rollers(question.reading, question.by)}")
    words = [word for group in groups for word in group]
    dice = [pool.die for pool in hands for _ in range(pool.count)]
    if len(words) != len(dice):
        raise WrongAnswer(
            f"{len(words)} dice given, but {len(dice)} are rolled: {rollers(question.reading, question.by)}"
        )
    return tuple(face(word, die) for word, die in zip(words, dice, strict=True))


def face(word: str, die: Die) -> Face:
    """The face of this die that a word means; a word that means none stays as it is."""
    for shown in die.faces:
        if str(shown).casefold() == word.casefold():
            return shown
    if word.casefold() in BLANKS and "" in die.faces:
        return ""
    return int(word) if word.isdecimal() else word
