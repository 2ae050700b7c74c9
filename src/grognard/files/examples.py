"""The example battles and designs: in the installed package, in the repository, or in a system's own folder."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from grognard import systems
from grognard.core.systems import Json

INSTALLED = Path(__file__).parents[1] / "examples"
IN_REPOSITORY = Path(__file__).parents[3] / "examples"
DESIGNS = "designs"
"""The folder of the designs."""


@dataclass(frozen=True, slots=True)
class Example:
    """A battle file or a design, with its name and the story in its first line."""

    name: str
    story: str
    source: Json = field(compare=False, hash=False, repr=False)
    text: str = field(default="", compare=False, hash=False, repr=False)


def examples(system: str) -> list[Example]:
    """The examples of one system, by name."""
    folders = [_folder() / system, *(folder / "examples" for folder in systems.folders(system))]
    return [_example(path) for folder in folders for path in sorted(folder.glob("*.toml"))]


def designs() -> list[Example]:
    """The designs for `grognard sweep`, by name; a `base` is a battle in the folder of its system."""
    return [_example(path) for path in sorted((_folder() / DESIGNS).glob("*.toml"))]


def _folder() -> Path:
    return INSTALLED if INSTALLED.is_dir() else IN_REPOSITORY


def _example(path: Path) -> Example:
    text = path.read_text("utf-8")
    story = text.partition("\n")[0].lstrip("# ")
    return Example(path.stem, story, tomllib.loads(text), text)
