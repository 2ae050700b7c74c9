"""Answers as people give them: the dice they rolled, or the option they chose."""

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import groupby

from grognard.core.errors import WrongAnswer
from grognard.core.readings import Die, Face, Faces, Reading, in_words
from grognard.core.rules import Choose, Question, Roll, Roller
from grognard.core.systems import Json


@dataclass(frozen=True, slots=True)
class Rolled:
    """The faces that fell, in the order of the pools: the attacker's dice first."""

    faces: tuple[Face, ...]
    machine: bool = False
    """Whether the machine's dice fell so, rather than dice on a table."""

    def to_dict(self) -> Json:
        """As in scripts and logs."""
        return {"roll": list(self.faces)}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The id of the option taken."""

    option: str

    def to_dict(self) -> Json:
        """As in scripts and logs."""
        return {"choose": self.option}


Answer = Rolled | Chosen


def answer_from(data: object) -> Answer:
    """Read `{"roll": [...]}` or `{"choose": "..."}`."""
    match data:
        case {"roll": [*faces], **rest} if not rest and all(type(face) in (int, str) for face in faces):
            return Rolled(tuple(faces))
        case {"choose": str(option), **rest} if not rest:
            return Chosen(option)
        case _:
            raise WrongAnswer(
                f'{in_json(data)} is no answer: expected {{"roll": [faces]}} or {{"choose": "option id"}}'
            )


def in_json(data: object) -> str:
    """What was given, as its writer wrote it."""
    return json.dumps(data, ensure_ascii=False, default=repr)


def answers_from(data: object) -> list[Answer]:
    """Read a script: a list of answers in the order asked."""
    if not isinstance(data, list):
        raise WrongAnswer("a script is a list of answers in the order asked")
    answers = []
    for number, entry in enumerate(data, 1):
        try:
            answers.append(answer_from(entry))
        except WrongAnswer as wrong:
            raise WrongAnswer(f"answer {number}: {wrong}") from None
    return answers


def asked(question: Question) -> str:
    """What a question asks, in a line."""
    if isinstance(question, Roll):
        return f"dice are due: {rollers(question.reading, question.by)}"
    options = ", ".join(f'"{option.id}"' for option in question.options)
    return f"{question.by} decides: {question.prompt} ({options})"


def rollers(reading: Reading[Hashable], by: Sequence[Roller]) -> str:
    """Who rolls what: `Red 3 d10, then Blue 4 d10`."""
    if len(by) != len(reading.dice):
        return in_words(reading.dice)
    hands = zip(by, reading.dice, strict=True)
    return ", then ".join(f"{name} {pool.count} {pool.die.name}" for name, pool in hands if pool.count)


def faces_of(question: Roll, answer: Rolled) -> Faces:
    """The faces that fell, one tuple a pool.

    Symbol dice may be told in any order within a side, and a face's symbols too: the colours they can be are found.
    """
    reading = question.reading
    dice = [pool.die for pool in reading.dice for _ in range(pool.count)]
    if len(dice) != len(answer.faces) or not all(isinstance(face, str) for die in dice for face in die.faces):
        return reading.split(answer.faces)
    sides = [str(one) for one in question.by] or [str(number) for number in range(len(reading.dice))]
    of = [side for side, pool in zip(sides, reading.dice, strict=True) for _ in range(pool.count)]
    arranged: list[Face] = []
    for _, places in groupby(range(len(dice)), key=of.__getitem__):
        side = list(places)
        told = [answer.faces[place] for place in side]
        arranged += _matched([dice[place] for place in side], told) or told
    return reading.split(arranged)


def _matched(dice: Sequence[Die], told: Sequence[Face]) -> list[Face] | None:
    """A face told for each die, the first that it can show; None if they cannot all be matched."""
    shown = [{"".join(sorted(str(face))): face for face in die.faces} for die in dice]
    faces = ["".join(sorted(str(face))) for face in told]
    taken: dict[int, int] = {}

    def place(face: int, tried: set[int]) -> bool:
        for die in (face, *range(len(dice))):  # its own die before any other
            if die not in tried and faces[face] in shown[die]:
                tried.add(die)
                if die not in taken or place(taken[die], tried):
                    taken[die] = face
                    return True
        return False

    if not all(place(face, set()) for face in range(len(faces))):
        return None
    return [shown[die][faces[taken[die]]] for die in range(len(dice))]


def accept(question: Question, answer: Answer) -> Hashable:
    """What the rule is told, once the answer is found to fit the question."""
    if isinstance(question, Roll) and isinstance(answer, Rolled):
        return question.reading.read(faces_of(question, answer))
    if isinstance(question, Choose) and isinstance(answer, Chosen):
        return question.pick(answer.option).id
    given = "dice were given" if isinstance(answer, Rolled) else f'"{answer.option}" was chosen'
    raise WrongAnswer(f"{given}, but {asked(question)}")
