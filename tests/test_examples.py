"""The examples are found beside the source, and in an installed package inside it."""

from pathlib import Path

import pytest

from grognard import systems
from grognard.files import examples as examples_module
from grognard.files import load

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", systems.names())
def test_every_example_is_found_with_its_story_and_what_it_says(name: str) -> None:
    files = sorted((ROOT / "examples" / name).glob("*.toml"))
    examples = examples_module.examples(name)
    assert [example.name for example in examples] == [path.stem for path in files]
    for example, path in zip(examples, files, strict=True):
        assert f"# {example.story}" == path.read_text().splitlines()[0]
        assert example.source == load(path).source


def test_those_inside_the_package_are_taken_if_there_are_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "chess").mkdir()
    (tmp_path / "chess" / "01-mate.toml").write_text('# Mate in one.\nsystem = "chess"\n')
    monkeypatch.setattr(examples_module, "INSTALLED", tmp_path)
    (example,) = examples_module.examples("chess")
    assert (example.name, example.story, example.source) == ("01-mate", "Mate in one.", {"system": "chess"})


def test_a_system_without_examples_has_none() -> None:
    assert examples_module.examples("no such system") == []
