"""What pages take from the code when the site is built, so that it is never stale.

A comment such as `<!-- written: system ranks 03-friends-of-friends -->` on a page is replaced by what that function
below writes, in MyST. Pictures go to the site's `_static/pictures`.
"""

import html
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.report import LIVE, RESULTS
from docs.pictures.make import terminal
from sphinx.application import Sphinx
from tests.soak import COLUMNS, TARGETS
from tests.soak import RESULTS as SOAKED

import grognard
from grognard import site, systems
from grognard.core.systems import Json, System
from grognard.files import switches as switches_of
from grognard.files import template
from grognard.files.examples import examples
from grognard.files.fields import to_plain
from grognard.files.messages import format_value
from grognard.words import describe
from grognard.words.comparisons import comparison_page
from grognard.words.summaries import odds_page

ROOT = Path(__file__).parents[1]
COMMENT = re.compile(r"<!-- written: (\S+)((?: \S+)*) -->")
PICTURES: dict[str, str] = {}
TABLE = "table"
"""Where the web page lies in the site."""
MARKS = {"M": "main rules", "T": "somebody's transcription", "O": "our own default"}
"""Marks of figures that are a single letter."""


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
    image = f'<img src="../_static/pictures/{name}.svg" alt="{says}">'
    return f'<div class="wide" tabindex="0" role="group" aria-label="{says}">{image}</div>'


def system(name: str, example: str) -> str:
    """A system: its rules in our words, house rules, errata, sources, a file to start from, an example in pictures."""
    game = systems.find(name)
    parts = [
        f"*{words(game.summary[:1].upper() + game.summary[1:])}.*",
        "## The rules as they are played here",
        "Paragraphs are the rulebook's, the words are ours: nothing of its text is here.",
        paragraphs(game),
        "## House rules",
        switches(game),
        "## Errata",
        errata(name),
        "## Objectives",
        table(["`--objective`", "is"], ((f"`{o}`", words(it.description)) for o, it in game.objectives.items())),
        "## An example",
        example_of(name, example),
        live_table(name, example),
        "## Where the figures come from",
        sources(game),
        "## A file to start from",
        f"`grognard new {name}` writes it:\n\n```toml\n{template(game, game.example).rstrip()}\n```",
    ]
    return "\n\n".join(parts)


def live_table(name: str, example: str) -> str:
    """The example at a table inside the page, where the web page has been built."""
    if not (site.BUILT / site.INDEX).exists():
        return ""
    place = f'<div data-grognard="e={name}/{example}"></div>\n<script src="../{TABLE}/embed.js"></script>'
    return f"### At the table\n\n```{{raw}} html\n{place}\n```"


def write_table(app: Sphinx, exception: Exception | None) -> None:
    """Put the web page beside the docs, which show it."""
    if exception is None and app.builder.name == "html" and (site.BUILT / site.INDEX).exists():
        site.write(Path(app.outdir) / TABLE)


def paragraphs(game: System[Any]) -> str:
    """Every paragraph with its rules, or why it is none."""
    return "\n".join(
        f"- **{words(paragraph)}**\n" + "".join(f"  - {said_of(said)}\n" for said in lines)
        for paragraph, lines in describe.chapter(game)
    )


def said_of(said: describe.Explanation) -> str:
    """What a rule does, with its name, or what else is said."""
    return words(said.words) + (f" (`{said.rule}`)" if said.rule else "")


def switches(game: System[Any]) -> str:
    """Every house rule with its values."""
    lines = []
    for switch in switches_of(game):
        where = f" ({words(switch.paragraph)})" if switch.paragraph else ""
        others = ", ".join(f"`{format_value(other)}`" for other in describe.alternatives(switch))
        default = f"**`{format_value(to_plain(switch.default))}`**"
        lines.append(f"- `{switch.name}`: {words(switch.description)}{where}.<br>{default}; else {others}")
    return "Keys of `[rules]` in a battle file; the default, in bold, is the rule as written.\n\n" + "\n".join(lines)


def errata(name: str) -> str:
    """Where a rulebook's example contradicts its rules, from the worked examples that our tests play."""
    files = sorted((ROOT / "tests" / "systems" / name).glob("*.toml"))
    listed = [slip for file in files for slip in slips(tomllib.loads(file.read_text("utf-8")))]
    if not listed:
        return "None that we know of."
    return "\n".join(f"- {'<br>'.join(slip_in_words(slip))}" for slip in listed)


def slip_in_words(slip: Json) -> Iterator[str]:
    """Where it is, what is printed, what is played, and why."""
    yield f"**{words(slip.get('paragraph') or slip['why'])}**"
    yield f"Printed: {said(slip['printed'])}."
    if isinstance(slip["expect"], dict):
        yield f"Played: {said(slip['expect'])}."
    yield words(slip["erratum"][0].upper() + slip["erratum"][1:])


def slips(value: object) -> Iterator[Json]:
    """Every worked example with an erratum."""
    if isinstance(value, dict):
        if "erratum" in value:
            yield value
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
                terminal(f"odds {file}", odds_page(odds, file)),
                f"The odds of {chosen} in the terminal",
            ),
            "Every house rule by itself; the largest change comes first:",
            picture(
                f"{name}-switches",
                terminal(f"compare {file}", comparison_page(compared, file)),
                f"What each house rule changes in {chosen}",
            ),
            listed,
        ]
    )


def sources(game: System[Any]) -> str:
    """Every figure that is not in the chapter, with the mark of where it is known from."""
    known = game.sources()
    if not known:
        return "All figures are in its chapter."
    rows = ((words(one.what), words(one.figure), words(MARKS.get(one.mark, one.mark))) for one in known)
    return table(["what", "figure", "known from"], rows)


def all_systems() -> str:
    """One line for each system."""
    every = (systems.find(name) for name in systems.names())
    return table(
        ["system", "game", "is about"],
        ((f"[`{s.name}`](systems/{s.name}.md)", words(s.title), words(s.summary)) for s in every),
    )


def measured() -> str:
    """The figures of the last recorded run of the bench."""
    run = json.loads(RESULTS.read_text("utf-8"))
    head = f"Recorded on {run['date']}, on a shared machine of two cores, by `make bench ARGS='--slow --record'`."
    return "\n\n".join([head, *(f"### {words(part['title'])}\n\n{figures(part['rows'])}" for part in run["tables"])])


def soak() -> str:
    """The long checks as last recorded, row by row, and their sums."""
    kept = json.loads(SOAKED.read_text("utf-8"))
    rows = [
        (words(row), *(f"{counts[column]:,}" for column in COLUMNS), f"{counts['factor']} ×", counts["date"])
        for row, counts in kept.items()
    ]
    sums = (f"**{sum(counts[column] for counts in kept.values()):,}**" for column in COLUMNS)
    heads = ["check", "inputs tried", "faults injected", "differences", "losses", "cases", "recorded"]
    return table(heads, [*rows, ("**all**", *sums, "", "")])


def live() -> str:
    """What 200 live battles at once were like when it was last recorded."""
    run = json.loads(LIVE.read_text("utf-8"))
    return f"Recorded on {run['date']}.\n\n{figures(run['tables'][0]['rows'])}"


def targets() -> str:
    """What the long checks are to reach, and what they have reached."""
    kept = json.loads(SOAKED.read_text("utf-8"))
    rows = [
        (
            words(target.what),
            f"{target.least:,}",
            f"{number:,}",
            f"{wrong:,}",
            "" if number >= target.least else "not yet",
        )
        for target in TARGETS
        for number, wrong in [target.reached(kept)]
    ]
    return table(["what", "target", "recorded", "lost or different", ""], rows)


def figures(rows: Sequence[Mapping[str, Any]]) -> str:
    """One table of the bench: what is claimed, and what was found."""
    return table(
        ["what", "grognard", "against", "ratio", "target", ""],
        (
            (claim(row), row["ours"], row["peer"], row["ratio"], row["target"], "" if row["met"] else "not met")
            for row in rows
        ),
    )


def claim(row: Mapping[str, Any]) -> str:
    """What was measured, and against what exactly."""
    note = f"<br><small>{html.escape(row['note'])}</small>" if row["note"] else ""
    return words(row["claim"]) + note


WRITERS: dict[str, Callable[..., str]] = {
    "system": system,
    "systems": all_systems,
    "measured": measured,
    "soak": soak,
    "live": live,
    "targets": targets,
}


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


def skip(app: Sphinx, what: str, name: str, member: object, skipped: bool, options: Any) -> bool | None:
    """Fields of named tuples have words of their own only where somebody wrote them."""
    return True if str(getattr(member, "__doc__", "")).startswith("Alias for field number") else None


def setup(app: Sphinx) -> dict[str, bool]:
    """For Sphinx."""
    app.connect("source-read", write)
    app.connect("env-get-outdated", always)
    app.connect("autodoc-skip-member", skip)
    app.connect("build-finished", keep_pictures)
    app.connect("build-finished", write_table)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
