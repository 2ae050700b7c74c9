"""Asking people on a terminal: decisions, dice as they fell, advice when wanted, and the way back."""

from contextlib import suppress
from importlib import import_module

from rich.console import Group
from rich.text import Text

from grognard.cli.errors import Refused
from grognard.cli.look import ATTACKER, MUTED, grid, indented, ink
from grognard.cli.session import Table
from grognard.cli.show_advice import show_options
from grognard.cli.show_play import Teller
from grognard.cli.typed import keys, understood
from grognard.cli.working import Working
from grognard.core.errors import TooLarge, WrongAnswer
from grognard.core.positions import Pending
from grognard.core.rules import Choose, Roll
from grognard.plays.answers import asked, rollers
from grognard.plays.play import Play
from grognard.solver.advice import advise_on

TAKE_BACK = ("u", "undo")
ADVICE = "?"


class Asker:
    """A person at the terminal."""

    def __init__(self, teller: Teller, table: Table) -> None:
        self.teller, self.table, self.console = teller, table, teller.console
        with suppress(ImportError):
            import_module("readline")  # arrow keys and history in what is typed

    def __call__(self, playing: Play, can_take_back: bool) -> Play | None:
        """Ask until there is an answer that fits."""
        self.teller.tell(playing)
        assert isinstance(playing.due, Pending)
        question = playing.due.question
        paragraph = playing.due.position.rule.paragraph
        self.teller.step(paragraph, self.decision(question) if isinstance(question, Choose) else self.roll(question))
        while True:
            line = self.read(playing, can_take_back)
            if line in TAKE_BACK and can_take_back:
                return None
            if line == ADVICE:
                self.advise(playing)
                continue
            try:
                return playing.answer(understood(question, line))
            except WrongAnswer as wrong:
                nothing = line in TAKE_BACK
                self.say("there is nothing to take back" if nothing else str(wrong))

    def read(self, playing: Play, can_take_back: bool) -> str:
        """One line that is not empty."""
        question = playing.question
        assert question is not None
        ways = ["dice"] if isinstance(question, Roll) else [", ".join(keys(question)), "? advice"]
        ways += ["u takes back"] if can_take_back else []
        while True:
            try:
                line = input(f"  {'; '.join(ways)} > ").strip()
            except (EOFError, KeyboardInterrupt) as left:
                self.console.print()  # so that what follows does not stand behind the question
                if isinstance(left, KeyboardInterrupt):
                    raise
                raise Refused(f"no answer: {asked(question)}") from None
            if line:
                return line

    def decision(self, question: Choose) -> Group:
        """Who decides what, and the options by what to type for them."""
        options = grid("left", "left")
        for key, option in zip(keys(question), question.options, strict=True):
            also = f" ({option.id})" if option.id not in (key, option.label) else ""
            options.add_row(ink(key, "bold"), Text.assemble(ink(option.label), ink(also, MUTED)))
        return Group(
            Text.assemble(self.teller.name(question.by), ink(f": {question.prompt}", "bold")), indented(options)
        )

    def roll(self, question: Roll) -> Text:
        """Who rolls what, and how to type it."""
        faces = " / ".join(
            " ".join(str(face or "-") for face in (pool.die.faces * pool.count)[-pool.count :])
            for pool in question.reading.dice
            if pool.count
        )
        return Text.assemble(
            ink(f"Roll: {rollers(question.reading, question.by)}", "bold"),
            "\n",
            ink(f"type what fell, such as {faces}", MUTED),
        )

    def advise(self, playing: Play) -> None:
        """What each option is worth, if both sides go on as they are taken to."""
        if not isinstance(playing.question, Choose):
            self.say("dice need no advice: type what fell, attacker's dice first")
            return
        try:
            with Working("positions") as progress:
                advice = advise_on(playing, *self.table.aims, progress=progress)
        except TooLarge as large:
            self.say(f"too large to advise on: {large.what}")
            return
        show_options(self.console, playing.battle, advice)

    def say(self, message: str) -> None:
        """Refuse an answer, or tell why something cannot be done."""
        self.console.print(indented(ink(message, ATTACKER)))
