"""The example notebooks: there is one for each system, it is kept without outputs, and it runs from top to bottom."""

import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from grognard.systems import names

NOTEBOOKS = Path(__file__).parents[1] / "examples" / "notebooks"


def notebook(name: str) -> Any:
    return nbformat.reads((NOTEBOOKS / f"{name}.ipynb").read_text("utf-8"), as_version=4)


def code(book: Any) -> list[Any]:
    return [cell for cell in book.cells if cell.cell_type == "code"]


def test_there_is_one_for_each_system() -> None:
    assert names() == sorted(path.stem for path in NOTEBOOKS.iterdir())


@pytest.mark.parametrize("name", names())
def test_it_is_valid_and_kept_without_outputs(name: str) -> None:
    book = notebook(name)
    nbformat.validate(book)
    assert [(None, [])] * len(code(book)) == [(cell.execution_count, cell.outputs) for cell in code(book)]


@pytest.mark.parametrize("name", names())
def test_it_runs_and_every_cell_shows_something(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")  # without, the library warns that it will be so one day
    book = notebook(name)
    NotebookClient(book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(NOTEBOOKS)}}).execute()
    shown = [[kind for output in cell.outputs for kind in output.get("data", ())] for cell in code(book)]
    assert all(shown), shown
    assert sum("text/html" in kinds for kinds in shown) >= 5, shown
    assert any("image/png" in kinds for kinds in shown), shown


def test_the_kernel_is_the_one_of_this_installation() -> None:
    from jupyter_client.kernelspec import KernelSpecManager

    spec = KernelSpecManager().get_kernel_spec("python3")
    assert Path(sys.prefix) in Path(spec.resource_dir).parents
