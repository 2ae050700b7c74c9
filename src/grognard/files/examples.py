"""The example battles: inside the installed package or beside its source, or in the folder of a system of one's own."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from grognard import systems
from grognard.core.systems import Json

INSTALLED = Path(__file__).parents[1] / "examples"
BESIDE_THE_SOURCE = Path(__file__).parents[3] / "examples"


@dataclass(frozen=True, slots=True)
class Example:
    """A battle file: its name, what it is about, and what it says."""

    name: str
    story: str
    source: Json = field(compare=False, hash=False, repr=False)
    text: str = field(default="", compare=False, hash=False, repr=False)


def examples(system: str) -> list[Example]:
    """The examples of one system, in order of their names."""
    ours = INSTALLED if INSTALLED.is_dir() else BESIDE_THE_SOURCE
    folders = [ours / system, *(folder / "examples" for folder in systems.folders(system))]
    return [_example(path) for folder in folders for path in sorted(folder.glob("*.toml"))]


def _example(path: Path) -> Example:
    text = path.read_text("utf-8")
    story = text.partition("\n")[0].lstrip("# ")
    return Example(path.stem, story, tomllib.loads(text), text)
