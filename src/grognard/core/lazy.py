"""Lazy imports: of the presentation layer, for methods of values in lower packages, and of optional libraries."""

from importlib import import_module
from importlib.util import find_spec
from shlex import quote
from typing import TYPE_CHECKING, Any

from grognard.core.errors import GrognardError

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame
    from pyarrow import Table


class NotebookDisplay:
    """Base class of values that a notebook shows as HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(_words("notebooks").to_html(self))


class Tabular(NotebookDisplay):
    """Base class of values that data libraries can convert to a table."""

    __slots__ = ()

    def to_pandas(self) -> "DataFrame":
        """A DataFrame; needs pandas."""
        frame: DataFrame = _words("tables").to_pandas(self)
        return frame

    def to_arrow(self) -> "Table":
        """An Arrow table; needs pyarrow."""
        table: Table = _words("tables").to_arrow(self)
        return table


class Plottable:
    """Base class of values that matplotlib can draw."""

    __slots__ = ()

    def plot(self) -> "Figure":
        """A figure; needs matplotlib."""
        figure: Figure = _words("plots").plot(self)
        return figure


def import_package(name: str) -> Any:
    """Import a module of this package by name. Only this function imports a module from a higher package."""
    return import_module(f"grognard.{name}")


def _words(module: str) -> Any:
    return import_package(f"words.{module}")


def has_library(name: str) -> bool:
    """Whether a library can be imported. Does not import it."""
    try:
        return find_spec(name) is not None
    except ImportError:
        return False


def require_library(name: str, install: str) -> Any:
    """Import an optional library; if it is missing, an error says how to install it."""
    try:
        return import_module(name)
    except ImportError:
        raise GrognardError(f"this needs {name}: pip install {quote(install)}") from None
