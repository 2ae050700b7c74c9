"""Battle files in and out, and their faults: read by the types of a system's set-up, all faults at once."""

from grognard.files.battles import battle, draft, load, load_draft, system_of
from grognard.files.fields import SWITCHES, FieldInfo, fields_of
from grognard.files.templates import template
from grognard.files.toml import to_toml
from grognard.files.writing import replace_text, write

__all__ = [
    "SWITCHES",
    "FieldInfo",
    "battle",
    "draft",
    "fields_of",
    "load",
    "load_draft",
    "replace_text",
    "system_of",
    "template",
    "to_toml",
    "write",
]
