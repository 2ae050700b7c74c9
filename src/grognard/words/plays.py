"""A play as blocks of plain data: each step with its paragraph, and the dice with their fates."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from grognard.core.readings import Face
from grognard.core.systems import Json, Role
from grognard.plays.answers import format_question
from grognard.words.advice import format_face
from grognard.words.blocks import BEST, Block, Inline, Line, Span, Table, bold, muted, text_columns
from grognard.words.colours import Sides
from grognard.words.results import result_tables
from grognard.words.summaries import Rows, header

if TYPE_CHECKING:
    from grognard.plays.logs import Log
    from grognard.plays.play import Event, Play

FATES = {"wins": ("✓", "wins"), "loses": ("✗", "loses"), "ties": ("=", "ties"), "unused": ("·", "no effect")}
"""The mark and the words of each fate, so that colour is not needed."""
MOST_DICE = 60
"""At most this many dice of a pool are shown."""


def play_page(play: "Play", file: str = "") -> list[Block]:
    """Everything that happened so far, and the result if the battle is over."""
    blocks: list[Block] = [*header(play.battle, file), *event_blocks(play.events, Sides(play.battle))]
    return [*blocks, *result_tables(play.result.to_dict())] if play.question is None else blocks


def replay_page(log: "Log", file: str) -> list[Block]:
    """The steps of a log, and a line that says they match the record."""
    dice = f"; {log.rolls_of_seed} of {log.rolls} rolls by seed {log.seed}" if log.seed is not None else ""
    dice += f", {log.mixed_rolls} in part" if dice and log.mixed_rolls else ""
    question = log.play.question
    checked = "every question and the result" if question is None else "every question"
    blocks = play_page(log.play, file)
    blocks += [Line(f"not over: {format_question(question)}", space=True)] if question else []
    return [*blocks, Line((Span("checked", BEST), f": {checked} as recorded{dice}"), space=True)]


def event_blocks(events: "Iterable[Event]", sides: Sides) -> list[Block]:
    return [_event(event, sides) for event in events]


def _event(event: "Event", sides: Sides) -> Block:
    where = muted(f"  [{event.rule}]")
    details = event.details
    if event.kind == "roll":
        return dice_table(details["dice"], (roll_title(details["purpose"], details["success"]), where), sides)
    if event.kind == "choice":
        who = sides.name(details["by"], event.role)
        return Line((who, f": {details['prompt']} ", bold(details["label"]), where))
    return Line((event.what, where))


def roll_title(purpose: str, success: str) -> Inline:
    """What a roll is for, and what counts as success."""
    return (bold(purpose or "Roll"), f": {success}" if success else "")


def dice_table(pools: Sequence[Json], title: Inline, sides: Sides) -> Table:
    """A row for each pool: who rolls what, and the dice with the marks of their fates."""
    rows: Rows = []
    for pool in pools:
        if pool["faces"]:
            colour = sides.colour(pool["side"], Role(pool["role"]) if pool["role"] else None)
            who = Span(pool["by"] or "", colour)
            rows.append((who, muted(f"{len(pool['faces'])} {pool['die']}"), Span(format_dice(pool), colour)))
    legends = [
        fate_legend(fate for pool in pools for fate in pool["fates"]),
        symbol_legend(face for pool in pools for face in pool["faces"]),
    ]
    return Table(text_columns("", "", ""), rows, title, notes=[*filter(None, legends)], space=False)


def format_dice(pool: Json) -> str:
    """`[10]✓ [7]✗`, numbers high to low."""
    faces = pool["faces"]
    dice = list(zip(faces, pool["fates"] or [""] * len(faces), strict=True))
    if all(isinstance(face, int) for face in faces):
        dice.sort(key=lambda die: -die[0])
    shown = [f"[{format_face(face)}]{FATES[fate][0] if fate else ''}" for face, fate in dice[:MOST_DICE]]
    more = len(dice) - len(shown)
    return " ".join([*shown, *([f"… and {more:,} more"] if more else [])])


def fate_legend(fates: Iterable[str]) -> str:
    """What the marks mean."""
    seen = set(fates)
    return "  ".join(f"{mark} {words}" for fate, (mark, words) in FATES.items() if fate in seen)


def symbol_legend(faces: Iterable[Face]) -> str:
    """What the symbols on dice mean; nothing for dice with numbers."""
    from grognard.readings.symbols import STRONG_TO_WEAK, Symbols

    if not any(isinstance(face, str) for face in faces):
        return ""
    return "  ".join(
        [*(f"{symbol} {name}" for symbol, name in zip(STRONG_TO_WEAK, Symbols._fields, strict=True)), "– blank"]
    )
