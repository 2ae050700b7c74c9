"""Writes battles as readable TOML: plain values before tables, coordinates on one line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from grognard.files.messages import is_bare

WIDTH = 100
"""A list that makes its line longer is written on several lines."""
LONGEST_LINE = 120
"""The longest line with its note."""
LATEST_NOTES = 40
"""Notes are aligned in one column; longer lines are ignored for the alignment."""

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}


class Entry(NamedTuple):
    """A key with its value, a note on its meaning, and its other choices."""

    key: str
    value: str
    note: str = ""
    others: str = ""
    is_commented_out: bool = False


class Section(NamedTuple):
    """A table, with its header."""

    path: tuple[str, ...]
    is_listed: bool
    """Whether it is one of a list of tables."""
    entries: list[Entry]
    inner: tuple[str, ...] = ()
    """The keys of the tables in it that are sections too."""
    note: str = ""
    is_commented_out: bool = False

    @property
    def header(self) -> str:
        """`[attack]` or `[[units]]`; empty at the top of the file."""
        path = ".".join(toml_key(part) for part in self.path)
        return (f"[[{path}]]" if self.is_listed else f"[{path}]") if path else ""


def to_toml(data: Mapping[str, object]) -> str:
    """The battle as TOML. A key whose value is None is left out, as TOML has no null."""
    return format_sections(sections_of(data))


def sections_of(data: Mapping[str, object]) -> list[Section]:
    """The tables of a TOML file, in the order in which they are written."""
    sections: list[Section] = []
    _add_section(sections, (), False, data)
    return sections


def _add_section(sections: list[Section], path: tuple[str, ...], is_listed: bool, table: Mapping[str, object]) -> None:
    entries: list[Entry] = []
    inner = {key: value for key, value in table.items() if _is_section(key, value, len(path))}
    for key, value in table.items():
        if key not in inner and value is not None:
            entries.append(Entry(key, _format_value(key, value)))
    if entries or is_listed or not inner:
        sections.append(Section(path, is_listed, entries, tuple(inner)))
    for key, value in inner.items():
        if isinstance(value, Mapping):
            _add_section(sections, (*path, key), False, value)
        elif isinstance(value, Sequence):
            for table_entry in value:
                _add_section(sections, (*path, key), True, table_entry)


def _is_section(key: str, value: object, depth: int) -> bool:
    """Whether a table gets a header: at the top of the file always, elsewhere if it is too long for a line."""
    is_table = isinstance(value, Mapping)
    is_list = isinstance(value, list | tuple) and value and all(isinstance(entry, Mapping) for entry in value)
    return bool(is_table or is_list) and (depth == 0 or len(toml_key(key)) + len(toml_value(value)) > WIDTH)


def _format_value(key: str, value: object) -> str:
    line = toml_value(value)
    if len(toml_key(key)) + len(line) <= WIDTH or not isinstance(value, list | tuple):
        return line
    return "[\n" + "".join(f"    {toml_value(part)},\n" for part in value) + "]"


def format_sections(sections: Iterable[Section]) -> str:
    """The sections as text, with a blank line between them."""
    blocks = ["".join(_rows(section)) for section in sections]
    return "\n".join(block for block in blocks if block)


def _rows(section: Section) -> Iterator[str]:
    """The lines of a section. Notes are behind the entries, in one column, or above them if a line is too long."""
    texts = [_text(entry) for entry in section.entries]
    column = max((len(text) for text in texts if len(text) <= LATEST_NOTES), default=0)
    short = [
        _with_note(text, column, entry.note, entry.others) for text, entry in zip(texts, section.entries, strict=True)
    ]
    if section.header:
        header = f"#{section.header}" if section.is_commented_out else section.header
        yield _with_note(header, column, section.note)
    if all(len(line) <= LONGEST_LINE for line in short):
        yield from short
        return
    for text, entry in zip(texts, section.entries, strict=True):
        yield comment(entry.note) + _with_note(text, column, entry.others)


def _text(entry: Entry) -> str:
    text = f"{toml_key(entry.key)} = {entry.value}"
    return f"#{text}".replace("\n", "\n#") if entry.is_commented_out else text


def _with_note(text: str, column: int, *notes: str) -> str:
    note = "; ".join(note for note in notes if note)
    return f"{text:{column}}  # {note}\n" if note else f"{text}\n"


def comment(text: str) -> str:
    """The text as comment lines."""
    from textwrap import wrap  # only templates have comments

    return "".join(f"# {line}\n" for line in wrap(text, LONGEST_LINE - 2))


def toml_value(value: object) -> str:
    """A value on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(int(value))
        case float():
            return repr(float(value))
        case str():
            return _string(value)
        case list() | tuple():
            return f"[{', '.join(toml_value(part) for part in value)}]"
        case Mapping():
            pairs = [f"{toml_key(key)} = {toml_value(part)}" for key, part in value.items() if part is not None]
            return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    raise TypeError(f"TOML cannot say {value!r}")


def toml_key(key: str) -> str:
    """A key, in quotes if it needs them."""
    return key if is_bare(key) else _string(key)


def _string(text: str) -> str:
    return '"' + "".join(_ESCAPES.get(c) or (f"\\u{ord(c):04x}" if c < " " or c == "\x7f" else c) for c in text) + '"'
