"""Positions as plain JSON, and back. What comes back is equal to what was saved."""

from collections.abc import Hashable
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib import import_module
from typing import Any, cast

from grognard.core.errors import GrognardError
from grognard.core.positions import Position
from grognard.core.rules import Rule

Plain = None | bool | int | float | str | list[Any] | dict[str, Any]


def save(position: Position) -> Plain:
    """A position as JSON can hold it."""
    return {
        "rule": _name(position.rule.module, position.rule.name),
        "args": [_save(arg) for arg in position.args],
        "answers": [_save(answer) for answer in position.answers],
    }


def load(saved: Plain) -> Position:
    """The position that was saved."""
    try:
        saved = cast("dict[str, Any]", saved)
        rule = _find(saved["rule"])
        args, answers = (tuple(_load(value) for value in saved[key]) for key in ("args", "answers"))
    except (AttributeError, ImportError, KeyError, TypeError, ValueError) as wrong:
        raise GrognardError(f"this is no saved position: {wrong!r}") from wrong
    if not isinstance(rule, Rule):
        raise GrognardError(f"this is no saved position: {saved['rule']} is no rule")
    return Position(rule, args, answers)


def _name(module: str, name: str) -> str:
    return f"{module}:{name}"


def _find(name: str) -> object:
    module, _, inside = name.partition(":")
    return getattr(import_module(module), inside)


def _save(value: object) -> Plain:
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return cast("Plain", value)
    if kind is tuple:
        return [_save(part) for part in cast("tuple[object, ...]", value)]
    name = _name(kind.__module__, kind.__qualname__)
    if isinstance(value, Enum):
        return {"type": name, "parts": [_save(value.value)]}
    if is_dataclass(value):
        return {"type": name, "parts": [_save(getattr(value, field.name)) for field in fields(value)]}
    if isinstance(value, tuple):
        return {"type": name, "parts": [_save(part) for part in value]}
    raise TypeError(f"{name} cannot be part of a position: use numbers, texts, tuples, enums and dataclasses")


def _load(saved: Plain) -> Hashable:
    if isinstance(saved, list):
        return tuple(_load(part) for part in saved)
    if not isinstance(saved, dict):
        return saved
    kind = _find(saved["type"])
    if not isinstance(kind, type) or not (issubclass(kind, tuple | Enum) or is_dataclass(kind)):
        raise ValueError(f"{saved['type']} cannot be part of a position")
    parts = [_load(part) for part in saved["parts"]]
    if is_dataclass(kind):
        names = [field.name for field in fields(kind)]
        return cast("Hashable", kind(**dict(zip(names, parts, strict=True))))
    return cast("Hashable", cast("type[Any]", kind)(*parts))
