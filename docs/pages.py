"""What pages take from the code when the site is built, so that it is never stale.

A comment such as `<!-- written: system ranks 03-friends-of-friends -->` on a page is replaced by what that function
below writes, in MyST. Pictures go to the site's `_static/pictures`.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

from bench.foundation import ours
from bench.report import STORED, milliseconds
from docs.pictures.make import terminal
from sphinx.application import Sphinx

import grognard
from grognard import describe, systems
from grognard.cli.show_compare import show
from grognard.cli.show_odds import show_odds
from grognard.cli.show_systems import sorted_by_number
from grognard.core.systems import Json, System
from grognard.examples import examples
from grognard.files import template
from grognard.files.words import found as written

ROOT = Path(__file__).parents[1]
COMMENT = re.compile(r"<!-- written: (\S+)((?: \S+)*) -->")
PICTURES: dict[str, str] = {}


def words(text: str) -> str:
    """A text as it is: nothing in it is markup but code in backticks."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([\\*_<>\[\]|{}])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts).replace("\n", " ")


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table with these heads."""
    lines = [tuple(heads), *(tuple(cell.replace("|", "\\|") for cell in row) for row in rows)]
    lines.insert(1, ("---",) * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def picture(name: str, svg: str, says: str) -> str:
    """A picture that moves inside its frame where it is too wide."""
    PICTURES[name] = svg
    image = f'<img src="../_static/pictures/{name}.svg" alt="{says}" loading="lazy">'
    return f'<div class="wide" tabindex="0" role="group" aria-label="{says}">{image}</div>'


def system(name: str, example: str) -> str:
    """A system: its rules in our words, switches, errata, sources, a file to start from, and an example in pictures."""
    found = systems.find(name)
    parts = [
        f"*{words(found.summary)}*",
        "## The rules as we read them",
        "Paragraphs are the rulebook's, the words are ours: nothing of its text is here.",
        paragraphs(found),
        "## Switches",
        switches(found),
        "## Errata",
        errata(name),
        "## What can be wanted",
        table(["`--objective`", "is"], ((f"`{o}`", words(it.says)) for o, it in found.objectives.items())),
        "## An example",
        example_of(name, example),
        "## Where the figures come from",
        sources(found),
        "## A file to start from",
        f"`grognard new {name}` writes it:\n\n```toml\n{template(found, found.example).rstrip()}\n```",
    ]
    return "\n\n".join(parts)


def paragraphs(found: System[Any]) -> str:
    """Every paragraph with its rules, or why it is none."""
    said: dict[str, list[str]] = {}
    for rule in found.rules:
        said.setdefault(rule.paragraph, []).append(f"{words(rule.says)} (`{rule.name}`)")
    for paragraph, why in found.paragraphs.items():
        said.setdefault(paragraph, []).append(words(why))
    return table(
        ["paragraph", "is played so"],
        ((words(paragraph), "<br>".join(lines)) for paragraph, lines in sorted_by_number(said)),
    )


def switches(found: System[Any]) -> str:
    """Every reading that a table may turn."""
    rows = (
        (
            f"`{switch.name}`",
            words(switch.says),
            words(switch.paragraph),
            f"`{written(describe.in_file(switch.default))}`",
            ", ".join(f"`{written(other)}`" for other in describe.alternatives(switch)),
        )
        for switch in describe.switches(found)
    )
    return table(["in `[rules]`", "decides", "paragraph", "default", "else"], rows)


def errata(name: str) -> str:
    """Where a rulebook's example contradicts its rules, from the worked examples that our tests play."""
    files = sorted((ROOT / "tests" / "systems" / name).glob("*.toml"))
    found = [slip for file in files for slip in slips(tomllib.loads(file.read_text("utf-8")))]
    if not found:
        return "None that we know of."
    rows = [
        (words(slip["paragraph"]), said(slip["printed"]), said(slip["expect"]), words(slip["erratum"]))
        for slip in found
    ]
    return table(["paragraph", "printed", "played", "why"], rows)


def slips(value: object) -> Iterator[Json]:
    """Every worked example with an erratum."""
    if isinstance(value, dict):
        if "erratum" in value:
            yield {"paragraph": "", "printed": "", "expect": "", **value}
        for part in value.values():
            yield from slips(part)
    elif isinstance(value, list):
        for part in value:
            yield from slips(part)


def said(value: object) -> str:
    """A result in short."""
    return words(", ".join(f"{key} {part}" for key, part in value.items()) if isinstance(value, dict) else str(value))


def example_of(name: str, chosen: str) -> str:
    """The odds of an example and what each switch would change in it; then all examples."""
    stories = {example.name: example for example in examples(name)}
    battle, file = grognard.battle(stories[chosen].source), f"examples/{name}/{chosen}.toml"
    odds, compared = grognard.odds(battle), grognard.compare(battle)
    listed = table(
        [f"`examples/{name}/`", "is about"],
        ((f"`{example.name}.toml`", words(example.story)) for example in stories.values()),
    )
    return "\n\n".join(
        [
            words(stories[chosen].story),
            picture(
                f"{name}-odds",
                terminal(f"odds {file}", lambda console: show_odds(console, odds, file)),
                f"The odds of {chosen} in the terminal",
            ),
            "Every switch turned, one at a time; the largest change comes first:",
            picture(
                f"{name}-switches",
                terminal(f"compare {file}", lambda console: show(console, compared, file)),
                f"What each switch changes in {chosen}",
            ),
            listed,
        ]
    )


def sources(found: System[Any]) -> str:
    """Every figure that is not in the chapter, with the mark of where it is known from."""
    known = found.sources()
    if not known:
        return "All figures are in its chapter."
    return table(["what", "figure", "known from"], ((words(s.what), words(s.figure), words(s.mark)) for s in known))


def all_systems() -> str:
    """One line for each system."""
    found = (systems.find(name) for name in systems.names())
    return table(
        ["system", "game", "is about"],
        ((f"[`{s.name}`](systems/{s.name}.md)", words(s.title), words(s.summary)) for s in found),
    )


OURS: dict[str, Callable[[], float]] = {
    "icepool ranks 40v40": lambda: median(ours(40, times=1).seconds for _ in range(3)),
    "icepool ranks 30v30 to the death": lambda: median(
        ours(30, '"duration": "to_the_death"', times=1).seconds for _ in range(3)
    ),
}
"""What we need for the question that a stored figure of a peer answers."""


def measured() -> str:
    """The stored figures of peers, and ours for the same question, measured while the site is built."""
    rows = []
    for name, figure in json.loads(STORED.read_text("utf-8")).items():
        mine = OURS[name]()
        peer, _, question = name.partition(" ")
        ratio = f"{figure['seconds'] / mine:,.0f} ×"
        rows.append(
            (question, f"{milliseconds(figure['seconds'])} ({peer}, {figure['date']})", milliseconds(mine), ratio)
        )
    return table(["question", "peer", "grognard, as this page was built", "ratio"], rows)


WRITERS: dict[str, Callable[..., str]] = {"system": system, "systems": all_systems, "measured": measured}


def write(app: Sphinx, page: str, source: list[str]) -> None:
    """Put what is written in the place of each comment that asks for it."""
    source[0] = COMMENT.sub(lambda asked: WRITERS[asked[1]](*asked[2].split()), source[0])


def always(app: Sphinx, env: Any, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
    """Pages that take something from the code are written again in every build."""
    return [page for page in env.found_docs if COMMENT.search(Path(env.doc2path(page)).read_text("utf-8"))]


def keep_pictures(app: Sphinx, error: Exception | None) -> None:
    """Pictures lie beside the site's other files."""
    folder = Path(app.outdir) / "_static" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    for name, svg in PICTURES.items():
        (folder / f"{name}.svg").write_text(svg, "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """For Sphinx."""
    app.connect("source-read", write)
    app.connect("env-get-outdated", always)
    app.connect("build-finished", keep_pictures)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
