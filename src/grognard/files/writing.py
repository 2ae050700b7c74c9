"""Battle files to disk: whole or not at all."""

import os
from collections.abc import Mapping
from pathlib import Path

from grognard.core.errors import GrognardError
from grognard.files.sources import ENDINGS, reason
from grognard.files.toml import to_toml
from grognard.files.words import unknown


def write(path: str | Path, data: Mapping[str, object], offered: Mapping[str, object] | None = None) -> None:
    """Write a battle as JSON or TOML by the file's ending. A file that is there is replaced only by a whole one.

    What is offered follows in TOML as comments, for people to take up.
    """
    ending = Path(path).suffix.lower()
    if ending and ending not in ENDINGS:
        raise GrognardError(f"cannot write {path}: {unknown('file ending', ending, ENDINGS)}")
    replace_text(path, _json(data) if ending == ".json" else to_toml(data) + _comments(offered or {}))


def replace_text(path: str | Path, text: str) -> None:
    """Write a text. A file that is there is replaced only by a whole one."""
    try:
        if Path(path).exists() and not Path(path).is_file():
            Path(path).write_bytes(text.encode())  # a device or a pipe, such as /dev/stdout, is written to where it is
        else:
            _replace(Path(os.path.realpath(path)), text.encode())
    except UnicodeEncodeError:
        raise GrognardError(f"cannot write {path}: it holds text with half a character") from None
    except (OSError, ValueError) as error:
        raise GrognardError(f"cannot write {path}: {reason(error)}") from error


def _comments(offered: Mapping[str, object]) -> str:
    return "".join(f"\n# {line}" if line else "\n#" for line in to_toml(offered).splitlines()) + "\n" if offered else ""


def _json(data: Mapping[str, object]) -> str:
    import json

    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _replace(path: Path, content: bytes) -> None:
    """Write beside the file, then put it in its place, with the permissions it had."""
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
