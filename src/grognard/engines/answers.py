"""Answers as people give them: the dice they rolled, or the option they chose."""

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from grognard.core.errors import WrongAnswer
from grognard.core.readings import Face, Reading, in_words
from grognard.core.rules import Choose, Question, Roll
from grognard.core.systems import Json


@dataclass(frozen=True, slots=True)
class Rolled:
    """The faces that fell, in the order of the handfuls: the attacker's dice first."""

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


def rollers(reading: Reading[Hashable], by: Sequence[str]) -> str:
    """Who rolls what: `Red 3 d10, then Blue 4 d10`."""
    if len(by) != len(reading.dice):
        return in_words(reading.dice)
    hands = zip(by, reading.dice, strict=True)
    return ", then ".join(f"{name} {handful.count} {handful.die.name}" for name, handful in hands if handful.count)


def accept(question: Question, answer: Answer) -> Hashable:
    """What the rule is told, once the answer is found to fit the question."""
    if isinstance(question, Roll) and isinstance(answer, Rolled):
        return question.reading.read(question.reading.split(answer.faces))
    if isinstance(question, Choose) and isinstance(answer, Chosen):
        return question.pick(answer.option).id
    given = "dice were given" if isinstance(answer, Rolled) else f'"{answer.option}" was chosen'
    raise WrongAnswer(f"{given}, but {asked(question)}")
