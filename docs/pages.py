"""Generates parts of the pages from the code when the site is built, so that they are never stale.

A comment such as `<!-- written: system ranks 03-friends-of-friends -->` on a page is replaced by the MyST that the
function of that name below returns for these arguments. Pictures go to the site's `_static/pictures`.
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
"""The folder of the web page in the site."""
MARKS = {"M": "main rules", "T": "somebody's transcription", "O": "our own default"}
"""What single letters mean as the source of a figure."""


def escape(text: str) -> str:
    """The text with all markup escaped, except code in backticks."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([\\*_<>\[\]|{}])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts).replace("\n", " ")


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown."""
    lines = [tuple(heads), *(tuple(cell.replace("|", "\\|") for cell in row) for row in rows)]
    lines.insert(1, ("---",) * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def picture(name: str, svg: str, says: str) -> str:
    """A picture that scrolls inside its frame if it is too wide."""
    PICTURES[name] = svg
    image = f'<img src="../_static/pictures/{name}.svg" alt="{says}">'
    return f'<div class="wide" tabindex="0" role="group" aria-label="{says}">{image}</div>'


def system(name: str, example: str) -> str:
    """The page of a system: rules in our words, house rules, errata, an example, sources, a file to start from."""
    game = systems.find(name)
    parts = [
        f"*{escape(game.summary[:1].upper() + game.summary[1:])}.*",
        "## The rules as they are played here",
        "The paragraphs are the rulebook's, the words are ours; none of its text is copied here.",
        paragraphs(game),
        "## House rules",
        switches(game),
        "## Errata",
        errata(name),
        "## Objectives",
        table(["`--objective`", "is"], ((f"`{o}`", escape(it.description)) for o, it in game.objectives.items())),
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
    """The example embedded as a live table, if the web page has been built."""
    if not (site.BUILT / site.INDEX).exists():
        return ""
    place = f'<div data-grognard="e={name}/{example}"></div>\n<script src="../{TABLE}/embed.js"></script>'
    return f"### Try it\n\n```{{raw}} html\n{place}\n```"


def write_table(app: Sphinx, exception: Exception | None) -> None:
    """Copy the web page into the site, whose pages embed it."""
    if exception is None and app.builder.name == "html" and (site.BUILT / site.INDEX).exists():
        site.write(Path(app.outdir) / TABLE)


def paragraphs(game: System[Any]) -> str:
    """Every paragraph of the chapter, with what its rules do or why it has none."""
    return "\n".join(
        f"- **{escape(paragraph)}**\n" + "".join(f"  - {explanation_line(said)}\n" for said in lines)
        for paragraph, lines in describe.chapter(game)
    )


def explanation_line(said: describe.Explanation) -> str:
    """What a rule does, with its name."""
    return escape(said.words) + (f" (`{said.rule}`)" if said.rule else "")


def switches(game: System[Any]) -> str:
    """Every house rule with its values."""
    lines = []
    for switch in switches_of(game):
        where = f" ({escape(switch.paragraph)})" if switch.paragraph else ""
        others = ", ".join(f"`{format_value(other)}`" for other in describe.alternatives(switch))
        default = f"**`{format_value(to_plain(switch.default))}`**"
        lines.append(f"- `{switch.name}`: {escape(switch.description)}{where}.<br>{default}; else {others}")
    return (
        "These are keys of `[rules]` in a battle file. The default, in bold, is the rule as written.\n\n"
        + "\n".join(lines)
    )


def errata(name: str) -> str:
    """Where a rulebook's example contradicts its rules, from the worked examples in the tests."""
    files = sorted((ROOT / "tests" / "systems" / name).glob("*.toml"))
    listed = [slip for file in files for slip in worked_errata(tomllib.loads(file.read_text("utf-8")))]
    if not listed:
        return "None that we know of."
    return "\n".join(f"- {'<br>'.join(erratum_lines(slip))}" for slip in listed)


def erratum_lines(slip: Json) -> Iterator[str]:
    """One erratum: where it is, what is printed, what is played, and why."""
    yield f"**{escape(slip.get('paragraph') or slip['why'])}**"
    yield f"Printed: {short_text(slip['printed'])}."
    if isinstance(slip["expect"], dict):
        yield f"Played: {short_text(slip['expect'])}."
    yield escape(slip["erratum"][0].upper() + slip["erratum"][1:])


def worked_errata(value: object) -> Iterator[Json]:
    """All worked examples with an erratum, however deeply nested."""
    if isinstance(value, dict):
        if "erratum" in value:
            yield value
        for part in value.values():
            yield from worked_errata(part)
    elif isinstance(value, list):
        for part in value:
            yield from worked_errata(part)


def short_text(value: object) -> str:
    """A result as short text."""
    return escape(", ".join(f"{key} {part}" for key, part in value.items()) if isinstance(value, dict) else str(value))


def example_of(name: str, chosen: str) -> str:
    """The odds of an example and what each switch changes in it, then a list of all examples."""
    stories = {example.name: example for example in examples(name)}
    battle, file = grognard.battle(stories[chosen].source), f"examples/{name}/{chosen}.toml"
    odds, compared = grognard.odds(battle), grognard.compare(battle)
    listed = table(
        [f"`examples/{name}/`", "is about"],
        ((f"`{example.name}.toml`", escape(example.story)) for example in stories.values()),
    )
    return "\n\n".join(
        [
            escape(stories[chosen].story),
            picture(
                f"{name}-odds",
                terminal(f"odds {file}", odds_page(odds, file)),
                f"The odds of {chosen} in the terminal",
            ),
            "What each house rule would change, the largest change first:",
            picture(
                f"{name}-switches",
                terminal(f"compare {file}", comparison_page(compared, file)),
                f"What each house rule changes in {chosen}",
            ),
            listed,
        ]
    )


def sources(game: System[Any]) -> str:
    """The figures that are not in the chapter, with their sources."""
    known = game.sources()
    if not known:
        return "All figures are in the chapter."
    rows = ((escape(one.what), escape(one.figure), escape(MARKS.get(one.mark, one.mark))) for one in known)
    return table(["what", "figure", "known from"], rows)


def all_systems() -> str:
    """A table of all systems."""
    every = (systems.find(name) for name in systems.names())
    return table(
        ["system", "game", "is about"],
        ((f"[`{s.name}`](systems/{s.name}.md)", escape(s.title), escape(s.summary)) for s in every),
    )


def measured() -> str:
    """The tables of the last recorded benchmark run."""
    run = json.loads(RESULTS.read_text("utf-8"))
    head = f"Recorded on {run['date']}, on a shared machine of two cores, by `make bench ARGS='--slow --record'`."
    return "\n\n".join([head, *(f"### {escape(part['title'])}\n\n{figures(part['rows'])}" for part in run["tables"])])


def soak() -> str:
    """The table of the long checks as last recorded, with totals."""
    kept = json.loads(SOAKED.read_text("utf-8"))
    rows = [
        (escape(row), *(f"{counts[column]:,}" for column in COLUMNS), f"{counts['factor']} ×", counts["date"])
        for row, counts in kept.items()
    ]
    sums = (f"**{sum(counts[column] for counts in kept.values()):,}**" for column in COLUMNS)
    heads = ["check", "inputs tried", "faults injected", "differences", "losses", "cases", "recorded"]
    return table(heads, [*rows, ("**all**", *sums, "", "")])


def live() -> str:
    """The table of 200 simultaneous live battles as last recorded."""
    run = json.loads(LIVE.read_text("utf-8"))
    return f"Recorded on {run['date']}.\n\n{figures(run['tables'][0]['rows'])}"


def targets() -> str:
    """The targets of the long checks, with what has been recorded."""
    kept = json.loads(SOAKED.read_text("utf-8"))
    rows = [
        (
            escape(target.what),
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
    """One table of the benchmark: what was measured, against what, and the target."""
    return table(
        ["what", "grognard", "against", "ratio", "target", ""],
        (
            (claim(row), row["ours"], row["peer"], row["ratio"], row["target"], "" if row["met"] else "not met")
            for row in rows
        ),
    )


def claim(row: Mapping[str, Any]) -> str:
    """What was measured, with its note."""
    note = f"<br><small>{html.escape(row['note'])}</small>" if row["note"] else ""
    return escape(row["claim"]) + note


WRITERS: dict[str, Callable[..., str]] = {
    "system": system,
    "systems": all_systems,
    "measured": measured,
    "soak": soak,
    "live": live,
    "targets": targets,
}


def write(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace each comment with what its writer returns."""
    source[0] = COMMENT.sub(lambda asked: WRITERS[asked[1]](*asked[2].split()), source[0])


def pages_with_written_parts(app: Sphinx, env: Any, added: set[str], changed: set[str], removed: set[str]) -> list[str]:
    """The pages with generated parts, which every build reads again."""
    return [page for page in env.found_docs if COMMENT.search(Path(env.doc2path(page)).read_text("utf-8"))]


def write_pictures(app: Sphinx, error: Exception | None) -> None:
    """Write the pictures into the site."""
    folder = Path(app.outdir) / "_static" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    for name, svg in PICTURES.items():
        (folder / f"{name}.svg").write_text(svg, "utf-8")


def skip_undocumented_field(
    app: Sphinx, what: str, name: str, member: object, skipped: bool, options: Any
) -> bool | None:
    """Skip fields of named tuples that have no docstring of their own."""
    return True if str(getattr(member, "__doc__", "")).startswith("Alias for field number") else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("source-read", write)
    app.connect("env-get-outdated", pages_with_written_parts)
    app.connect("autodoc-skip-member", skip_undocumented_field)
    app.connect("build-finished", write_pictures)
    app.connect("build-finished", write_table)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
