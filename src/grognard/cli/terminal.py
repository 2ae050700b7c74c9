"""Questions to a person at a terminal: decisions and rolled dice, with advice and undo."""

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib import import_module

from rich.console import Console

from grognard.cli.console import ProgressLine
from grognard.cli.drawing import draw
from grognard.cli.errors import CommandError, UndoRequested
from grognard.core.errors import TooLarge, WrongAnswer
from grognard.core.readings import Die, Face, Pool
from grognard.core.rules import Choose, Roll, Roller
from grognard.plays.answers import Answer, Chosen, format_question
from grognard.plays.play import Play
from grognard.solver.assumptions import Assumptions
from grognard.solver.solution import solve_under
from grognard.words.advice import advice_blocks
from grognard.words.blocks import Block, Line, Span, Table, bold, join_inline, muted, text_columns
from grognard.words.colours import Sides
from grognard.words.numbers import count
from grognard.words.plays import event_blocks, roll_title, symbol_legend
from grognard.words.summaries import Rows, header

BLANKS = ("-", "–", "—", "_", "blank")
"""The ways to type a blank face."""
UNDO = ("u", "undo")
ADVICE = "?"
Pools = Sequence[tuple[Roller, Pool]]


class Screen:
    """Shows the new steps of a play."""

    def __init__(self, console: Console, file: str) -> None:
        self.console, self.file = console, file
        self.shown: int | None = None
        self.legends: set[str] = set()

    def update(self, play: Play) -> None:
        """Show the new steps; if the play has become shorter, answers were taken back."""
        if self.shown is None:
            draw(self.console, [*header(play.battle, self.file), Line("")])
            self.shown = 0
        if len(play.events) < self.shown:
            draw(self.console, [Line(muted("undone"), indent=2)])
        draw(self.console, self._once(event_blocks(play.events[self.shown :], Sides(play.battle))))
        self.shown = len(play.events)

    def _once(self, blocks: Sequence[Block]) -> list[Block]:
        """The blocks, with each legend of dice only the first time."""
        shown: list[Block] = []
        for block in blocks:
            if isinstance(block, Table):
                new = [note for note in block.notes if note not in self.legends]
                self.legends.update(block.notes)
                block = replace(block, notes=new)
            shown.append(block)
        return shown

    def explain(self, pools: Pools) -> None:
        """Explain the symbols on dice the first time that they are rolled."""
        legend = symbol_legend(face for _, pool in pools for face in pool.die.faces)
        if legend and legend not in self.legends:
            self.legends.add(legend)
            draw(self.console, [Line(muted(legend), indent=2)])

    def say(self, message: str) -> None:
        """Say what is wrong with an answer."""
        draw(self.console, [Line(Span(message, "bad"), indent=2)])


class Person:
    """Asks a person for decisions and dice."""

    def __init__(self, screen: Screen, assumptions: Assumptions) -> None:
        self.screen, self.assumptions, self.console = screen, assumptions, screen.console
        self.can_undo = False
        with suppress(ImportError):
            import_module("readline")  # arrow keys and history in what is typed

    def decide(self, play: Play) -> Answer:
        question = play.question
        assert isinstance(question, Choose)
        self.screen.update(play)
        keys = option_keys(question)
        rows: Rows = [
            (bold(key), option.label if option.id in (key, option.label) else (option.label, muted(f" ({option.id})")))
            for key, option in zip(keys, question.options, strict=True)
        ]
        who = Sides(play.battle).name(question.by)
        title = (who, ": ", bold(question.prompt), muted(f"  [{_paragraph(play)}]"))
        draw(self.console, [Table(text_columns("", ""), rows, title, space=False)])
        return self._ask(play, f"{', '.join(keys)}; ? advice", lambda line: Chosen(parse_option(question, line)))

    def roll(self, play: Play, pools: Pools, complete: Callable[[tuple[Face, ...]], Answer]) -> Answer:
        """Ask for the dice of these pools, which the person rolls; `complete` adds the computer's."""
        question = play.question
        assert isinstance(question, Roll)
        self.screen.update(play)
        sides = Sides(play.battle)
        rolls = [(Span(str(by), sides.colour(by.side)), f" {pool.count} {pool.die.name}") for by, pool in pools]
        such_as = " / ".join(" ".join(str(face or "-") for face in example(pool)) for _, pool in pools)
        lines = [
            Line((roll_title(question.purpose, question.success), muted(f"  [{_paragraph(play)}]"))),
            Line(("Roll ", join_inline(rolls, ", then ")), indent=2),
            Line(muted(f"type the faces, such as {such_as}"), indent=2),
        ]
        draw(self.console, lines)
        self.screen.explain(pools)
        return self._ask(play, "dice; ? odds", lambda line: complete(parse_dice(pools, line)))

    def _ask(self, play: Play, ways: str, parse: Callable[[str], Answer]) -> Answer:
        """Ask until there is a valid answer."""
        while True:
            line = self._read(play, ways)
            if line in UNDO:
                if self.can_undo:
                    raise UndoRequested
                self.screen.say("there is nothing to undo")
            elif line == ADVICE:
                self._advise(play)
            else:
                try:
                    return parse(line)
                except WrongAnswer as wrong:
                    self.screen.say(str(wrong))

    def _read(self, play: Play, ways: str) -> str:
        """One line that is not empty."""
        assert play.question is not None
        while True:
            try:
                line = input(f"  {ways}{'; u undo' if self.can_undo else ''} > ").strip()
            except (EOFError, KeyboardInterrupt) as left:
                self.console.print()  # end the line of the question
                if isinstance(left, KeyboardInterrupt):
                    raise
                raise CommandError(f"no answer: {format_question(play.question)}") from None
            if line:
                return line

    def _advise(self, play: Play) -> None:
        """Show the value of each option, or the odds of a roll, under the assumptions."""
        try:
            with ProgressLine("positions") as progress:
                solution = solve_under(play.battle, self.assumptions, start=play, progress=progress)
                advice = solution.advice(play)
        except TooLarge as large:
            self.screen.say(f"too large to advise on: {large.what}")
            return
        draw(self.console, advice_blocks(advice))


def _paragraph(play: Play) -> str:
    from grognard.core.positions import Pending

    assert isinstance(play.pending, Pending)
    return play.pending.position.rule.paragraph


def example(pool: Pool) -> list[Face]:
    """Faces that a pool could show; only a few if it is large."""
    faces = pool.die.faces
    return list((faces * -(-min(pool.count, 12) // len(faces)))[-min(pool.count, 12) :])


def option_keys(question: Choose) -> list[str]:
    """What to type for each option: its number, or its id if ids are numbers themselves."""
    ids = [option.id for option in question.options]
    return ids if any(name.isdigit() for name in ids) else [str(number) for number in range(1, len(ids) + 1)]


def parse_option(question: Choose, line: str) -> str:
    """The id of the option with this key, id, label, or first letters of its id."""
    wanted = line.casefold()
    options = list(zip(option_keys(question), question.options, strict=True))
    exactly = [option for key, option in options if line in (option.id, key)]
    loosely = [option for _, option in options if wanted in (option.id.casefold(), option.label.casefold())]
    begun = [option for _, option in options if option.id.casefold().startswith(wanted)]
    for meant in (exactly, loosely, begun):
        if len(meant) == 1:
            return meant[0].id
    raise WrongAnswer(f'"{line}" is none of {", ".join(option_keys(question))}')


def parse_dice(pools: Pools, line: str) -> tuple[Face, ...]:
    """The faces, in the order of the pools; a slash goes between two pools."""
    groups = [re.findall(r"[^\s,;]+", group) for group in line.split("/")]
    sizes = [pool.count for _, pool in pools]
    wanted = ", then ".join(f"{by} {pool.count} {pool.die.name}" for by, pool in pools)
    if len(groups) > 1 and [len(group) for group in groups] != sizes:
        counts = " / ".join(str(len(group)) for group in groups)
        raise WrongAnswer(f"{counts} dice given, but the roll is {wanted}")
    words = [word for group in groups for word in group]
    if len(words) != sum(sizes):
        raise WrongAnswer(f"{count(len(words), 'die', 'dice')} given, but the roll is {wanted}")
    dice = [pool.die for _, pool in pools for _ in range(pool.count)]
    return tuple(parse_face(word, die) for word, die in zip(words, dice, strict=True))


def parse_face(word: str, die: Die) -> Face:
    """The face of this die for a word; a word that is no face is returned unchanged."""
    for shown in die.faces:
        if str(shown).casefold() == word.casefold():
            return shown
    if word.casefold() in BLANKS and "" in die.faces:
        return ""
    return int(word) if word.isdecimal() else word
