"""The engine inside a web page, without a server: the functions that the page's Web Worker calls, with JSON."""

import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile

from grognard import systems
from grognard.core.errors import GrognardError
from grognard.tasks import TASKS
from grognard.work.worker import Status, fault, reply_to, to_json

POSITIONS = 60_000
"""How many positions exact work may visit, for the memory of a phone."""
LARGEST_SYSTEM = 4 * 1024**2
"""The largest size of the files of a custom system, in bytes."""


def answer(request: str) -> str:
    """Run a task, `{"task", "about"}`: `{"status", "reply"}`, where the reply is what a server would send."""
    message = json.loads(request)
    message["about"].setdefault("bound", POSITIONS)
    return _answered(*reply_to(TASKS, to_json(message), lambda count: None))


def add_system(files: Mapping[str, bytes], folder: str = "/systems") -> str:
    """Add the systems in these folders, or in a zip of them; the reply lists their names."""
    try:
        names = _write(dict(_unpacked(files)), Path(folder))
        for name in names:
            systems.find(name)
    except (GrognardError, BadZipFile) as error:
        return _answered(Status.REFUSED, to_json(fault(str(error), "refused")))
    except Exception as error:  # a custom system may raise anything
        reason = f"this system cannot be loaded ({type(error).__name__}: {error})"
        return _answered(Status.REFUSED, to_json(fault(reason, "refused")))
    return _answered(Status.DONE, to_json({"names": names}))


def _unpacked(files: Mapping[str, bytes]) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Every file by its path, those in a zip too."""
    left = LARGEST_SYSTEM
    for name, content in files.items():
        if not name.lower().endswith(".zip"):
            yield PurePosixPath(name), bytes(content)
            continue
        with ZipFile(BytesIO(bytes(content))) as packed:
            for entry in packed.infolist():
                left -= entry.file_size
                if left < 0:
                    raise GrognardError("it is too large for a system")
                if not entry.is_dir():
                    yield PurePosixPath(entry.filename), packed.read(entry)


def _write(files: Mapping[PurePosixPath, bytes], folder: Path) -> list[str]:
    """Write those folders that are systems to a folder that is searched for systems; returns their names."""
    homes = {path.parent for path in files if path.name == "__init__.py" and ".." not in path.parts}
    homes = {home for home in homes if home.name.isidentifier() and not homes & set(home.parents)}
    if not homes:
        raise GrognardError("there is no system in it: expected a folder with an __init__.py")
    for home in homes:
        for path in (path for path in files if path.is_relative_to(home) and ".." not in path.parts):
            target = folder / home.name / path.relative_to(home)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(files[path])
    systems.search_folder(folder)
    return sorted(home.name for home in homes)


def _answered(status: Status, reply: bytes) -> str:
    return f'{{"status":"{status}","reply":{reply.decode()}}}'
