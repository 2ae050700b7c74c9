"""`python -m docs.published [FILE]`: computes every figure of published.toml and writes the page, published.md.

It fails if a figure is not ours and the table does not say why, or if our own count of all rolls is another one.
"""

import os
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.docs.blocks import write_files

DOCS = Path(__file__).parent
FIGURES, PAGE = DOCS / "published.toml", DOCS / "published.md"
SYSTEMS = ("sixth-system", "turns")
"""The pages whose systems are used."""
LONGEST = 16
"""Fractions of more characters are left out."""
FEW = 5
"""Where there are so many numbers, too."""
STANDARD_ERRORS = 3
"""A sampled figure may be off by so many."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A row of the table, computed: as published, ours, and what a count of all rolls gives."""

    entry: Mapping[str, Any]
    published: tuple[str, ...]
    ours: tuple[Fraction, ...]
    counted: tuple[Fraction, ...]

    @property
    def agrees(self) -> bool:
        """Whether every number is ours to its last digit."""
        digits = self.entry.get("digits")
        return all(is_printed_as(mine, text, digits) for mine, text in zip(self.ours, self.published, strict=True))

    def is_luck_enough(self) -> bool:
        """Whether a sampled figure can differ from ours by the luck of its sample."""
        trials = self.entry.get("sampled")
        return trials is None or all(
            (mine - value_of(text)) ** 2 <= STANDARD_ERRORS**2 * mine * (1 - mine) / trials
            for mine, text in zip(self.ours, self.published, strict=True)
        )

    def faults(self) -> Iterator[str]:
        """What is wrong with the row itself."""
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
    """How many decimals of a printed number count; of a percentage, two more."""
    places = len(text.removesuffix(" %").partition(".")[2])
    return min(places, digits or places) + 2 * text.endswith("%")


def value_of(text: str) -> Fraction:
    """What a printed number is."""
    return Fraction(text.removesuffix(" %")) / (100 if text.endswith("%") else 1)


def is_printed_as(mine: Fraction, text: str, digits: int | None) -> bool:
    """Whether rounding gives what is printed; fractions and whole numbers must be equal."""
    if not decimals(text, digits):
        return mine == value_of(text)
    return abs(mine - value_of(text)) <= Fraction(1, 2 * 10 ** decimals(text, digits))


def format_ours(figure: Figure, place: int) -> str:
    """Our number as the source would print it, of few numbers with the fraction; two more digits if it differs."""
    mine, text, digits = figure.ours[place], figure.published[place], figure.entry.get("digits")
    places = decimals(text, digits)
    if not places:
        total = int(text.partition("/")[2] or 1)
        return f"{mine * total}/{total}" if total > 1 and not total % mine.denominator else str(mine)
    shown = places if figure.agrees else places + 2
    percent = text.endswith("%")
    is_short = len(figure.ours) < FEW and 1 < mine.denominator and len(str(mine)) <= LONGEST
    exact = f"{mine} = " if is_short and not digits else ""
    return exact + (f"{rounded(100 * mine, shown - 2)} %" if percent else rounded(mine, shown))


def rounded(number: Fraction, places: int) -> str:
    """A positive number with so many decimals, none of them lost to floating point."""
    whole, rest = divmod(int(number * 10**places + Fraction(1, 2)), 10**places)
    return f"{whole}.{rest:0{places}d}" if places else str(whole)


def compute(table: Mapping[str, Any]) -> tuple[list[Figure], list[str]]:
    """Every figure in the order of the table, and what is wrong with them."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(table["python"], names)  # noqa: S102  the table is ours
    figures, wrong = [], []
    for game in table["games"]:
        exec(game["python"], names)  # noqa: S102
        for source in game["sources"]:
            exec(source.get("python", ""), names)  # noqa: S102
            for entry in source["figures"]:
                published = entry["published"]
                texts = tuple(published) if isinstance(published, list) else (published,)
                ours, counted = (numbers(eval(entry[key], names)) if key in entry else () for key in ("ours", "count"))  # noqa: S307
                figure = Figure(entry, texts, ours, counted)
                figures.append(figure)
                wrong += [f"{source['who']}: {entry['what']}: {fault}" for fault in figure.faults()]
                if "theirs" in entry and numbers(eval(entry["theirs"], names)) != tuple(map(value_of, texts)):  # noqa: S307
                    wrong.append(f"{source['who']}: {entry['what']}: it says {eval(entry['theirs'], names)}")  # noqa: S307
    return figures, wrong


def page(table: Mapping[str, Any], figures: Sequence[Figure]) -> str:
    """The page."""
    sizes = [(len(figure.published), figure.agrees) for figure in figures]
    agree = sum(size for size, agrees in sizes if agrees)
    differ = sum(size for size, agrees in sizes if not agrees)
    sampled = sum(len(figure.published) for figure in figures if "sampled" in figure.entry)
    sources = {(source["who"], source["title"]) for game in table["games"] for source in game["sources"]}
    counts = {"figures": agree + differ, "sources": len(sources), "agree": agree, "differ": differ, "sampled": sampled}
    parts = [table["page"].format(**counts)]
    parts += [at_a_glance(table, figures), table["how"].strip(), block(table["python"])]
    rest = iter(figures)
    for game in table["games"]:
        parts += [f"## {game['name']}", game["says"], block(game["python"])]
        for source in game["sources"]:
            parts.append(heading(source, table["kept"]))
            parts += [block(source["python"])] if "python" in source else []
            rows = [next(rest) for _ in source["figures"]]
            parts.append(rows_of(rows))
            parts += ["\n".join(map(proof, wrong))] if (wrong := [row for row in rows if not row.agrees]) else []
    return "\n\n".join(parts) + "\n"


def block(python: str) -> str:
    """Lines of Python."""
    return f"```python\n{python.strip()}\n```"


def at_a_glance(table: Mapping[str, Any], figures: Sequence[Figure]) -> str:
    """Game by game: how many figures, and how many of them are not ours."""
    lines = ["| game | sources | figures | agree | off | wrong |", "|---|---|---|---|---|---|"]
    rest = iter(figures)
    for game in table["games"]:
        rows = [next(rest) for source in game["sources"] for _ in source["figures"]]
        off = sum(len(row.published) for row in rows if not row.agrees and "sampled" in row.entry)
        wrong = sum(len(row.published) for row in rows if not row.agrees) - off
        total = sum(len(row.published) for row in rows)
        cells = f"[{game['name']}](#{anchor(game['name'])})", len(game["sources"]), total, total - off - wrong
        lines.append(f"| {' | '.join(map(str, (*cells, off or '', wrong or '')))} |")
    return "\n".join(lines)


def anchor(name: str) -> str:
    """The address of a heading within the page."""
    return "".join(sign for sign in name.lower().replace(" ", "-") if sign.isalnum() or sign == "-")


def heading(source: Mapping[str, Any], kept: str) -> str:
    """Who says it, and where."""
    title = f"[{source['title']}]({source['address']})" if "address" in source else f"*{source['title']}*"
    return f"### {source['who']}\n\n{title}" + (f". {source['says'].format(kept=kept)}" if "says" in source else "")


def proof(figure: Figure) -> str:
    """Why a figure cannot be."""
    what = figure.entry["what"]
    return f"- **{what[0].upper()}{what[1:]}: not {figure.published[0]}.** {figure.entry['wrong']}"


def rows_of(figures: Sequence[Figure]) -> str:
    """The figures of one source."""
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
