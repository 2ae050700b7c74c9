"""Answers from a file, handed out in the order asked; a wrong one is told by its number."""

from dataclasses import dataclass, replace

from grognard.cli.errors import Refused
from grognard.cli.output import read_json
from grognard.core.errors import WrongAnswer
from grognard.core.rules import Question
from grognard.core.systems import Battle
from grognard.plays.answers import Answer, answers_from
from grognard.plays.play import Play, begin
from grognard.plays.resolve import refuse_leftovers, scripted


@dataclass(frozen=True, slots=True)
class ScriptFile:
    """The answers of a file, and how many of them have been given."""

    path: str | None
    answers: tuple[Answer, ...] = ()
    given: int = 0

    def next_for(self, question: Question) -> "tuple[Answer | None, ScriptFile]":
        """The next answer, if the script has one for this question, and the script after it."""
        left = list(self.answers[self.given :])
        answer = scripted(question, left)
        return answer, replace(self, given=len(self.answers) - len(left))

    def answer(self, playing: Play, answer: Answer) -> Play:
        """Give the answer just taken."""
        try:
            return playing.answer(answer)
        except WrongAnswer as wrong:
            raise Refused(f"{self.path}: answer {self.given}: {wrong}") from None

    def play_all(self, battle: Battle) -> Play:
        """Give all answers, one after the other: how far the script gets."""
        playing = begin(battle)
        for number, answer in enumerate(self.answers, 1):
            playing = replace(self, given=number).answer(playing, answer)
        return playing

    def refuse_leftovers(self) -> None:
        """A script that goes on after the end is a mistake worth knowing of."""
        try:
            refuse_leftovers(self.answers[self.given :])
        except WrongAnswer as wrong:
            raise Refused(f"{self.path}: {wrong}") from None


def read_script(path: str | None) -> ScriptFile:
    """The script in a file; without a file, one that answers nothing."""
    if path is None:
        return ScriptFile(None)
    try:
        return ScriptFile(path, tuple(answers_from(read_json(path))))
    except WrongAnswer as wrong:
        raise Refused(f"{path}: {wrong}") from None
