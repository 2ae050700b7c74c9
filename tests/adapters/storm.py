"""Storm, as these tests ask it: a model as text in, an exact fraction out."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import stormpy


def from_drn(text: str, folder: Path) -> Any:
    """The model that Storm reads from a DRN text, in exact numbers."""
    path = folder / "battle.drn"
    path.write_text(text, "utf-8")
    return stormpy.build_model_from_drn[stormpy.Rational](path)


def from_prism(text: str, folder: Path) -> Any:
    """The model that Storm builds of a PRISM program, in exact numbers."""
    path = folder / "battle.prism"
    path.write_text(text, "utf-8")
    return stormpy.build_model[stormpy.Rational](stormpy.parse_prism_program(path))


def solve(model: Any, asked: str) -> Fraction:
    """The value of a property in the first state."""
    results = stormpy.model_checking(model, stormpy.parse_property(asked), only_initial_states=True)
    value = results.get_value(model.initial_states[0])
    return Fraction(str(value))
