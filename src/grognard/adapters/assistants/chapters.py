"""What an assistant may read: every chapter as it is implemented, a file to start from, the examples."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from grognard.core.systems import System
from grognard.files import FieldInfo, template, to_toml
from grognard.files.examples import Example, examples
from grognard.files.fields import to_plain
from grognard.files.messages import format_value
from grognard.systems import find, names
from grognard.words import describe

SCHEME = "grognard://"
MARKDOWN, TOML = "text/markdown", "application/toml"


class Page(NamedTuple):
    """A text under an address, written when it is read."""

    address: str
    name: str
    about: str
    kind: str
    text: Callable[[], str]


def pages() -> Iterator[Page]:
    """Every page there is."""
    for system in map(find, names()):
        name, title = system.name, system.title
        chapter = f"The combat rules of {title} as they are implemented, with switches and objectives."
        yield Page(f"{SCHEME}rules/{name}", f"{name} rules", chapter, MARKDOWN, partial(chapter_of, system))
        start = f"A battle file of {title} to start from, with every key explained."
        text = partial(template, system, system.example)
        yield Page(f"{SCHEME}template/{name}", f"{name} template", start, TOML, text)
        for example in examples(name):
            address = f"{SCHEME}examples/{name}/{example.name}"
            yield Page(address, f"{name} {example.name}", example.story, TOML, partial(file_of, example))


def file_of(example: Example) -> str:
    """An example as a battle file."""
    return f"# {example.story}\n{to_toml(example.source)}"


def chapter_of(system: System[Any]) -> str:
    """A system's paragraphs, switches and objectives in Markdown."""
    return "\n".join(_lines(system)) + "\n"


def _lines(system: System[Any]) -> Iterator[str]:
    yield f"# {system.title} (`{system.name}`)\n\n{system.summary}\n\n## Paragraphs, in our words\n"
    for paragraph, lines in describe.chapter(system):
        yield f"- **{paragraph}**: {' '.join(said.words for said in lines)}"
    yield "\n## Switches, for the `[rules]` of a battle file\n"
    yield from map(_switch, switches(system))
    yield "\n## Objectives\n"
    yield from (f"- `{name}`: {objective.says}" for name, objective in system.objectives.items())


def _switch(switch: FieldInfo) -> str:
    default = format_value(to_plain(switch.default))
    others = ", ".join(f"`{format_value(other)}`" for other in describe.alternatives(switch))
    where = f" ({switch.paragraph})" if switch.paragraph else ""
    return f"- `{switch.name}`{where}: {switch.says}. Default `{default}`, else {others or 'any other'}."
