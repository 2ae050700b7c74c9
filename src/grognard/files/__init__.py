"""Reading and writing battle files. They are parsed by the types of a system's set-up, and all faults are reported."""

from importlib import import_module
from typing import TYPE_CHECKING

from grognard.files.battles import battle, battle_from_text, draft, load, load_draft, replace, system_of
from grognard.files.fields import SWITCHES, FieldInfo, fields_of, switches
from grognard.files.sources import kind_of_file, read_data, wrong_kind_faults

__all__ = [
    "SWITCHES",
    "FieldInfo",
    "battle",
    "battle_from_text",
    "draft",
    "fields_of",
    "kind_of_file",
    "load",
    "load_draft",
    "read_data",
    "replace",
    "replace_text",
    "rewrite_toml",
    "schema",
    "switches",
    "system_of",
    "template",
    "to_toml",
    "write",
    "wrong_kind_faults",
]

if TYPE_CHECKING:
    from grognard.files.json_schema import schema
    from grognard.files.templates import template
    from grognard.files.toml import to_toml
    from grognard.files.writing import replace_text, rewrite_toml, write
else:
    _LAZY = {
        "replace_text": "writing",
        "rewrite_toml": "writing",
        "schema": "json_schema",
        "template": "templates",
        "to_toml": "toml",
        "write": "writing",
    }

    def __getattr__(name: str) -> object:
        """Import the modules that write files when they are used: most commands only read."""
        if name not in _LAZY:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_LAZY[name]}"), name)
