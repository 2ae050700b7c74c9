"""Writes battle files atomically, and keeps the comments of the file that they come from."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from grognard.core.errors import BattleError, GrognardError
from grognard.files.messages import unknown_name
from grognard.files.sources import ENDINGS, STANDARD_INPUT, read_source, reason
from grognard.files.toml import to_toml, toml_key, toml_value


def write(
    path: str | Path,
    data: Mapping[str, object],
    commented_out: Mapping[str, object] | None = None,
    original: str | Path = STANDARD_INPUT,
) -> None:
    """Write a battle atomically, as JSON or TOML by the file's ending.

    In TOML the comments of the battle file `original` are kept, and tables that are `commented_out` follow them.
    """
    ending = Path(path).suffix.lower()
    if ending and ending not in ENDINGS:
        raise GrognardError(f"cannot write {path}: {unknown_name('file ending', ending, ENDINGS)}")
    text = _json(data) if ending == ".json" else _toml_like(original, data)
    if commented_out and ending != ".json":
        text += "".join(f"\n# {line}".rstrip() for line in to_toml(commented_out).splitlines()) + "\n"
    replace_text(path, text)


def replace_text(path: str | Path, text: str) -> None:
    """Write a text atomically: an existing file is replaced only once the new one is complete."""
    try:
        if Path(path).exists() and not Path(path).is_file():
            Path(path).write_bytes(text.encode())  # a device or a pipe, such as /dev/stdout, is written to where it is
        else:
            _replace(Path(os.path.realpath(path)), text.encode())
    except UnicodeEncodeError:
        raise GrognardError(f"cannot write {path}: it holds text with half a character") from None
    except (OSError, ValueError) as error:
        raise GrognardError(f"cannot write {path}: {reason(error)}") from error


def rewrite_toml(text: str, data: Mapping[str, object]) -> str:
    """The TOML text with this data; comments and layout are kept where possible."""
    import tomllib

    import tomlkit

    try:
        document = tomlkit.parse(text)
        _update(document, data, is_top=True)
        rewritten = tomlkit.dumps(document)
        if tomllib.loads(rewritten) == tomllib.loads(to_toml(data)):
            return rewritten
    except (tomlkit.exceptions.TOMLKitError, LookupError, ValueError, TypeError, AttributeError):
        pass  # a text that tomlkit cannot change in place loses its comments
    return to_toml(data)


def _update(table: Any, data: Mapping[str, object], is_top: bool = False) -> None:
    """Change a table of a parsed document; equal values are not touched."""
    for key in [key for key in table if data.get(key) is None]:
        table.remove(key)
    for key, value in data.items():
        old = table.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            _update(old, value)
        elif is_top and isinstance(old, list) and hasattr(old, "insert") and _are_tables(old) and _are_tables(value):
            _update_list(old, key, value)
        elif value is not None and (old is None or toml_value(old) != toml_value(value)):
            table[key] = _item(key, value, is_top)


def _update_list(tables: Any, key: str, entries: Any) -> None:
    """Change a list of tables. The first value of a table identifies it; tables that are gone are removed."""
    for index, entry in enumerate(entries):
        first = next(iter(entry), None)
        while index < len(tables) and first is not None and tables[index].get(first) != entry[first]:
            del tables[index]
        if index < len(tables):
            _update(tables[index], entry)
        else:
            tables.append(_item(key, [entry], is_top=True)[0])
    for _ in range(len(tables) - len(entries)):
        del tables[len(entries)]


def _are_tables(value: object) -> bool:
    return isinstance(value, Sequence) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def _item(key: str, value: object, is_top: bool) -> Any:
    """A value as part of a parsed document."""
    import tomlkit

    return tomlkit.parse(to_toml({key: value}) if is_top else f"{toml_key(key)} = {toml_value(value)}\n")[key]


def _toml_like(original: str | Path, data: Mapping[str, object]) -> str:
    """The data as TOML, with the comments of another file if it can be read as TOML."""
    try:
        source = None if str(original) == STANDARD_INPUT else read_source(original)
    except BattleError:
        source = None
    return to_toml(data) if source is None or source.is_json else rewrite_toml(source.text, data)


def _json(data: Mapping[str, object]) -> str:
    import json

    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _replace(path: Path, content: bytes) -> None:
    """Write a temporary file in the same folder, with the permissions of the old file, and rename it."""
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(None, "it is write-protected")
    beside = path.with_name(f".{os.urandom(8).hex()}.new")
    file = beside.open("xb")
    try:
        with file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o777)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
