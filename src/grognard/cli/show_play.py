"""A battle as it is played: each step with its paragraph beside it, the dice with what became of them."""

from collections.abc import Iterable, Sequence

from rich.console import Console, RenderableType
from rich.text import Text

from grognard.cli.look import BEST, MUTED, NARROW, SIDES, grid, has_blocks, indented, ink, title, widest
from grognard.cli.session import Session
from grognard.cli.show_end import odds_of, show_luck, show_result
from grognard.cli.sides import role_of
from grognard.cli.working import Working
from grognard.core.systems import Battle, Json
from grognard.plays.answers import asked
from grognard.plays.logs import Log
from grognard.plays.play import Event, Play

FATES = {"wins": ("✓", "+"), "loses": ("✗", "x"), "ties": ("=", "="), "unused": ("·", ".")}
"""The mark of each fate, and how a terminal without such signs shows it."""
FATES_IN_WORDS = {"wins": "wins", "loses": "loses", "ties": "ties", "unused": "not used"}
FATE_STYLES = {"wins": "bold", "loses": "dim strike", "ties": "", "unused": "dim"}
PARAGRAPH = 16
"""Columns for paragraphs that have longer names than numbers."""


class Teller:
    """Tells the steps of a play that have not been told yet."""

    def __init__(self, console: Console, battle: Battle, file: str) -> None:
        self.console, self.battle, self.file = console, battle, file
        self.told: int | None = None
        self.fates_told: set[str] = set()
        self.paragraph = ""
        paragraphs = [rule.paragraph for rule in battle.system.rules]
        self.margin = min(widest(paragraphs), PARAGRAPH)

    def tell(self, playing: Play) -> None:
        """Tell what is new; a play that has become shorter was taken back."""
        if self.told is None:
            title(self.console, self.battle, self.file)
            self.console.print()
            self.told = 0
        if len(playing.events) < self.told:
            self.console.print(ink("  taken back", MUTED))
        for event in playing.events[self.told :]:
            self.step(event.rule, self.body(event))
        self.told = len(playing.events)

    def step(self, paragraph: str, body: RenderableType) -> None:
        """One step, its paragraph beside it or, on a narrow terminal, above it."""
        if self.console.width < NARROW:
            self.console.print(ink(paragraph, MUTED))
            self.console.print(indented(body))
            return
        is_long_and_repeated = paragraph == self.paragraph and widest([paragraph]) > self.margin
        self.paragraph = paragraph
        table = grid("left", "left")
        table.columns[0].width = self.margin
        table.add_row(ink('"' if is_long_and_repeated else paragraph, MUTED), body)
        self.console.print(table)

    def body(self, event: Event) -> RenderableType:
        """What happened: dice drawn, anything else said."""
        if event.details["kind"] == "roll":
            return self.dice(event.details["dice"])
        if event.details["kind"] == "choice":
            by, chosen = event.details["by"], event.what.rpartition(event.details["prompt"])[2].strip()
            return Text.assemble(self.name(by), ink(f": {event.details['prompt']} "), ink(chosen, "bold"))
        return ink(event.what)

    def name(self, by: str) -> Text:
        """Whoever decides or rolls, in the colour of the side."""
        return ink(by, SIDES[str(role_of(self.battle, by))])

    def dice(self, hands: Sequence[Json]) -> RenderableType:
        """One line a pool: who rolls what, and the dice, high to low."""
        is_narrow = self.console.width < NARROW
        rolled = [hand for hand in hands if hand["faces"]]
        counts = [f"{len(hand['faces'])} {hand['die']}" for hand in rolled]
        names = widest(hand["by"] for hand in rolled)
        taken = 4 if is_narrow else self.margin + names + widest(counts) + 8
        width = widest(shown(face) for hand in rolled for face in hand["faces"])
        table = grid("left") if is_narrow else grid("left", "left", "left")
        for hand, count in zip(rolled, counts, strict=True):
            who = self.name(hand["by"]) if hand["by"] else ink("")
            drawn = self.drawn(hand, str(who.style), width, max(self.console.width - taken, 12))
            if is_narrow:
                table.add_row(Text.assemble(who, " ", ink(count, MUTED)))
                table.add_row(drawn)
            else:
                table.add_row(who, ink(count, MUTED), drawn)
        legend = self.legend(fate for hand in rolled for fate in hand["fates"])
        if legend:
            table.add_row(*([""] * (len(table.columns) - 1)), ink(legend, MUTED))
        return table

    def drawn(self, hand: Json, style: str, width: int, room: int) -> Text:
        """Dice as brackets, each with the mark of its fate; numbers high to low."""
        faces = hand["faces"]
        dice = list(zip(faces, hand["fates"] or [""] * len(faces), strict=True))
        if all(isinstance(face, int) for face in faces):
            dice.sort(key=lambda die: -die[0])
        a_line = max(room // (width + 4), 1)
        drawn = Text(style=style)
        for place, (face, fate) in enumerate(dice):
            if place:
                drawn.append(" " if place % a_line else "\n")
            drawn.append_text(ink(f"[{shown(face).rjust(width)}]", FATE_STYLES.get(fate, "")))
            drawn.append(self.mark(fate))
        return drawn

    def mark(self, fate: str) -> str:
        """The sign of a fate, so that no colour is needed to know it."""
        return FATES[fate][0 if has_blocks(self.console) else 1] if fate else ""

    def legend(self, fates: Iterable[str]) -> str:
        """What the marks mean, the first time each is seen."""
        seen = set(fates)
        new = [fate for fate in FATES if fate in seen - self.fates_told]
        self.fates_told |= seen
        return "  ".join(f"{self.mark(fate)} {FATES_IN_WORDS[fate]}" for fate in new)

    def end(self, session: Session, kept: Sequence[str]) -> None:
        """The result, where it lies in the odds, and what was kept."""
        playing = session.now.playing
        self.tell(playing)
        show_result(self.console, playing.result.to_dict())
        with Working("positions"):
            found = odds_of(playing, *session.table.aims)
        if found:
            show_luck(self.console, found, playing.result)
        notes = [f"dice of seed {session.seed}"] if session.seed_used else []
        notes += [f"written: {', '.join(kept)}"] if kept else []
        for note in notes:
            self.console.print(ink(note, MUTED))

    def replayed(self, log: Log) -> None:
        """A log's steps again, and that they are as recorded."""
        self.tell(log.play)
        if log.play.question is None:
            show_result(self.console, log.play.result.to_dict())
            checked = "every question and the result"
        else:
            self.console.print(Text.assemble("\n", ink(f"not over: {asked(log.play.question)}")))
            checked = "every question"
        dice = f"; {log.rolls_of_seed} of {log.rolls} rolls by seed {log.seed}" if log.seed is not None else ""
        self.console.print(Text.assemble("\n", ink("checked", BEST), ink(f": {checked} as recorded{dice}")))


def shown(face: object) -> str:
    """A face on paper."""
    return "–" if face == "" else str(face)
