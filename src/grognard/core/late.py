"""What is imported only when it is needed: presentation that lower packages offer as methods, optional libraries."""

from importlib import import_module
from importlib.util import find_spec
from shlex import quote
from typing import TYPE_CHECKING, Any

from grognard.core.errors import GrognardError

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame
    from pyarrow import Table


class Pictured:
    """Something that shows itself in a notebook."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(_words("pictures").to_html(self))


class Tabular(Pictured):
    """Something that data libraries can have as a table."""

    __slots__ = ()

    def to_pandas(self) -> "DataFrame":
        """A DataFrame; needs pandas."""
        frame: DataFrame = _words("tables").to_pandas(self)
        return frame

    def to_arrow(self) -> "Table":
        """An Arrow table; needs pyarrow."""
        table: Table = _words("tables").to_arrow(self)
        return table


class Plotted:
    """Something that matplotlib can draw."""

    __slots__ = ()

    def plot(self) -> "Figure":
        """A figure; needs matplotlib."""
        figure: Figure = _words("plots").plot(self)
        return figure


def open_package(name: str) -> Any:
    """A package of ours that is built on the one which opens it: no other module opens one by its name."""
    return import_module(f"grognard.{name}")


def _words(module: str) -> Any:
    return open_package(f"words.{module}")


def has_library(name: str) -> bool:
    """Whether a library can be imported, found out without importing it."""
    try:
        return find_spec(name) is not None
    except ImportError:
        return False


def require_library(name: str, install: str) -> Any:
    """A library that is not part of every installation, or an error that says how to install it."""
    try:
        return import_module(name)
    except ImportError:
        raise GrognardError(f"this needs {name}: pip install {quote(install)}") from None
