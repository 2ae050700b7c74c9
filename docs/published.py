"""`python -m docs.published [FILE]`: computes every figure of published.toml and writes the page, published.md.

It fails if a figure differs from ours and the table does not say why, or if a plain count of all rolls differs.
"""

import os
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.docs.blocks import write_files

DOCS = Path(__file__).parent
FIGURES, PAGE = DOCS / "published.toml", DOCS / "published.md"
SYSTEMS = ("sixth-system", "turns")
"""The pages whose systems the figures need."""
LONGEST = 16
"""Fractions of more characters are not shown."""
FEW = 5
"""From this many numbers in a row on, fractions are not shown."""
STANDARD_ERRORS = 3
"""How far a sampled figure may be off."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A computed row: the numbers as published, ours, and those of a plain count of all rolls."""

    entry: Mapping[str, Any]
    published: tuple[str, ...]
    ours: tuple[Fraction, ...]
    counted: tuple[Fraction, ...]

    @property
    def agrees(self) -> bool:
        """Whether every published number equals ours to its last digit."""
        digits = self.entry.get("digits")
        return all(is_printed_as(mine, text, digits) for mine, text in zip(self.ours, self.published, strict=True))

    def is_luck_enough(self) -> bool:
        """Whether the luck of the sample can explain a difference; True if the figure is not sampled."""
        trials = self.entry.get("sampled")
        return trials is None or all(
            (mine - value_of(text)) ** 2 <= STANDARD_ERRORS**2 * mine * (1 - mine) / trials
            for mine, text in zip(self.ours, self.published, strict=True)
        )

    def faults(self) -> Iterator[str]:
        """What is wrong with the row."""
        if self.agrees == ("wrong" in self.entry):
            yield f"published {', '.join(self.published)}, ours {', '.join(map(str, self.ours))}"
        if not self.is_luck_enough():
            yield f"published {', '.join(self.published)}, more than {STANDARD_ERRORS} standard errors from ours"
        if self.counted and self.counted != self.ours:
            yield f"counted {', '.join(map(str, self.counted))}, ours {', '.join(map(str, self.ours))}"


def numbers(value: Any) -> tuple[Fraction, ...]:
    """One number or several, exactly."""
    return tuple(map(Fraction, value)) if isinstance(value, tuple | list) else (Fraction(value),)


def decimals(text: str, digits: int | None) -> int:
    """How many decimals of a printed number are compared; two more for a percentage."""
    places = len(text.removesuffix(" %").partition(".")[2])
    return min(places, digits or places) + 2 * text.endswith("%")


def value_of(text: str) -> Fraction:
    """The number that a text prints."""
    return Fraction(text.removesuffix(" %")) / (100 if text.endswith("%") else 1)


def is_printed_as(mine: Fraction, text: str, digits: int | None) -> bool:
    """Whether rounding gives what is printed; fractions and whole numbers must be equal."""
    if not decimals(text, digits):
        return mine == value_of(text)
    return abs(mine - value_of(text)) <= Fraction(1, 2 * 10 ** decimals(text, digits))


def format_ours(figure: Figure, place: int) -> str:
    """Our number as the source would print it, with its fraction if that is short.

    It has two more digits if it differs, and one more if it is halfway between two printed numbers.
    """
    mine, text, digits = figure.ours[place], figure.published[place], figure.entry.get("digits")
    places = decimals(text, digits)
    if not places:
        total = int(text.partition("/")[2] or 1)
        return f"{mine * total}/{total}" if total > 1 and not total % mine.denominator else str(mine)
    is_half = 2 * mine * 10**places % 2 == 1  # sources round it up or down
    shown = places + is_half if figure.agrees else places + 2
    percent = text.endswith("%")
    is_short = len(figure.ours) < FEW and 1 < mine.denominator and len(str(mine)) <= LONGEST
    exact = f"{mine} = " if is_short and not digits else ""
    return exact + (f"{rounded(100 * mine, shown - 2)} %" if percent else rounded(mine, shown))


def rounded(number: Fraction, places: int) -> str:
    """A positive number with this many decimals, rounded exactly."""
    whole, rest = divmod(int(number * 10**places + Fraction(1, 2)), 10**places)
    return f"{whole}.{rest:0{places}d}" if places else str(whole)


def compute(table: Mapping[str, Any]) -> tuple[list[Figure], list[str]]:
    """Every figure in the order of the table, and all faults."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(table["python"], names)
    figures, wrong = [], []
    for game in table["games"]:
        exec(game["python"], names)
        for source in game["sources"]:
            exec(source.get("python", ""), names)
            for entry in source["figures"]:
                published = entry["published"]
                texts = tuple(published) if isinstance(published, list) else (published,)
                ours, counted = (numbers(eval(entry[key], names)) if key in entry else () for key in ("ours", "count"))
                figure = Figure(entry, texts, ours, counted)
                figures.append(figure)
                wrong += [f"{source['who']}: {entry['what']}: {fault}" for fault in figure.faults()]
                if "theirs" in entry and numbers(eval(entry["theirs"], names)) != tuple(map(value_of, texts)):
                    wrong.append(f"{source['who']}: {entry['what']}: it says {eval(entry['theirs'], names)}")
    return figures, wrong


Sources = list[tuple[Mapping[str, Any], list[Figure]]]
"""The sources of a game, each with its rows."""


def by_game(table: Mapping[str, Any], figures: Sequence[Figure]) -> list[tuple[Mapping[str, Any], Sources]]:
    """Each game with its sources and their rows."""
    rest = iter(figures)
    return [
        (game, [(source, [next(rest) for _ in source["figures"]]) for source in game["sources"]])
        for game in table["games"]
    ]


def page(table: Mapping[str, Any], figures: Sequence[Figure]) -> str:
    """The page."""
    games = by_game(table, figures)
    total, off, wrong = sums(figures)
    sources = {(source["who"], source["title"]) for game in table["games"] for source in game["sources"]}
    counts = {"figures": total, "sources": len(sources), "agree": total - off - wrong, "sampled": off, "wrong": wrong}
    parts = [table["page"].format(**counts), at_a_glance(games), differing(games)]
    parts += [table["how"].strip(), block(table["python"])]
    for game, game_sources in games:
        parts += [f"## {game['name']}", game["says"], block(game["python"])]
        for source, rows in game_sources:
            parts.append(heading(source, table["kept"]))
            parts += [block(source["python"])] if "python" in source else []
            parts.append(rows_of(rows))
            parts += ["\n".join(proof(row) for row in rows if not row.agrees)]
    return "\n\n".join(filter(None, parts)) + "\n"


def sums(figures: Iterable[Figure]) -> tuple[int, int, int]:
    """How many numbers there are, how many are off by luck, and how many are wrong."""
    total = off = wrong = 0
    for figure in figures:
        size = len(figure.published)
        total += size
        if not figure.agrees:
            off, wrong = (off + size, wrong) if "sampled" in figure.entry else (off, wrong + size)
    return total, off, wrong


def block(python: str) -> str:
    """A fenced block of Python."""
    return f"```python\n{python.strip()}\n```"


def at_a_glance(games: Sequence[tuple[Mapping[str, Any], Sources]]) -> str:
    """How many figures each game has, and how many of them differ from ours."""
    lines = ["| game | sources | figures | agree | off | wrong |", "|---|---|---|---|---|---|"]
    for game, sources in games:
        total, off, wrong = sums(row for _, rows in sources for row in rows)
        cells = link(game), len(sources), total, total - off - wrong, off or "", wrong or ""
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


def differing(games: Sequence[tuple[Mapping[str, Any], Sources]]) -> str:
    """The figures that differ from ours, in one table."""
    lines = [
        "## The figures that differ",
        "",
        "| game | source | what | published | right | |",
        "|---|---|---|---|---|---|",
    ]
    for game, sources in games:
        for source, rows in sources:
            for row in rows:
                if not row.agrees:
                    verdict = "off" if "sampled" in row.entry else "wrong"
                    cells = link(game), source["who"], row.entry["what"], row.published[0], format_ours(row, 0), verdict
                    lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def link(game: Mapping[str, Any]) -> str:
    """A link to the section of a game."""
    return f"[{game['name']}](#{anchor(game['name'])})"


def anchor(name: str) -> str:
    """The fragment that links to a heading."""
    return "".join(sign for sign in name.lower().replace(" ", "-") if sign.isalnum() or sign == "-")


def heading(source: Mapping[str, Any], kept: str) -> str:
    """The heading of a source, with its link."""
    title = f"[{source['title']}]({source['address']})" if "address" in source else f"*{source['title']}*"
    return f"### {source['who']}\n\n{title}" + (f". {source['says'].format(kept=kept)}" if "says" in source else "")


def proof(figure: Figure) -> str:
    """Why a published figure cannot be right, and how to count all rolls."""
    what, count = figure.entry["what"], figure.entry.get("count")
    counting = f" To count: `{count}`." if count else ""
    return f"- **{what[0].upper()}{what[1:]}: not {figure.published[0]}.** {figure.entry['wrong']}{counting}"


def rows_of(figures: Sequence[Figure]) -> str:
    """The table of one source."""
    lines = ["| what | published | grognard | | computed by |", "|---|---|---|---|---|"]
    for figure in figures:
        entry = figure.entry
        shown = [format_ours(figure, place) for place in range(len(figure.ours))]
        differs = "**off**, sampled" if "sampled" in entry else "**wrong**"
        verdict = ("agrees" if figure.agrees else differs) + (", counted" if figure.counted else "")
        cells = entry["what"], ", ".join(figure.published), ", ".join(shown), verdict, f"`{entry['ours']}`"
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main(target: Path = PAGE) -> None:
    """Compute everything, and write the page."""
    table = tomllib.loads(FIGURES.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        for name in SYSTEMS:
            write_files(DOCS / f"{name}.md", Path(folder))
        os.environ["GROGNARD_SYSTEMS"] = f"{folder}/systems"  # before grognard is imported, by the first block
        figures, wrong = compute(table)
    if wrong:
        sys.exit("\n".join(wrong))
    target.write_text(page(table, figures), "utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
