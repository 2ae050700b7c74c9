"""The engine inside a web page: the functions that the page's Web Worker calls. They take and return JSON."""

import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path, PurePosixPath
from tempfile import mkdtemp
from zipfile import BadZipFile, ZipFile

from grognard import systems
from grognard.core.errors import GrognardError
from grognard.tasks import PLAYS, TASKS
from grognard.words.catalogue import entry
from grognard.work.worker import Status, fault, reply_to, to_json

POSITIONS = 60_000
"""The most positions of a battle that is solved: a phone has memory for these."""
LARGEST_SYSTEM = 4 * 1024**2
"""The most bytes in the files of custom systems."""
ENCRYPTED = 1
"""The flag of an encrypted file in a zip."""


def answer(request: str) -> str:
    """Run the task of a request `{"task", "about"}`; returns `{"status", "reply"}` with the reply of a server."""
    message = json.loads(request)
    message["about"].setdefault("bound", POSITIONS)
    return _response(*reply_to(TASKS, to_json(message), lambda count: None))


def add_system(files: Mapping[str, bytes], folder: str = "/systems") -> str:
    """Add the systems in these files, some of which may be zips; the reply lists the names of the systems.

    A custom system with the same name is replaced. If one of the systems has a fault, none is added.
    """
    try:
        new_systems = _systems_in(dict(_unzip(files)))
        home = _write(new_systems, Path(folder))
        try:
            for name in new_systems:
                to_json(entry(systems.find(name)))
        except BaseException:
            systems.remove_folder(home)
            raise
    except (GrognardError, BadZipFile) as error:
        return _response(Status.REFUSED, to_json(fault(str(error), "refused")))
    except (Exception, SystemExit) as error:  # a custom system may raise anything
        reason = f"this system cannot be loaded ({type(error).__name__}: {error})"
        return _response(Status.REFUSED, to_json(fault(reason, "refused")))
    PLAYS.clear()
    return _response(Status.DONE, to_json({"names": sorted(new_systems)}))


def _unzip(files: Mapping[str, bytes]) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Every file and every file in a zip, with its path."""
    total = 0
    for name, content in files.items():
        if not name.lower().endswith(".zip"):
            total = _add_size(total, len(content))
            yield PurePosixPath(name), bytes(content)
            continue
        with ZipFile(BytesIO(bytes(content))) as archive:
            for member in archive.infolist():
                total = _add_size(total, member.file_size)
                if member.flag_bits & ENCRYPTED:
                    raise GrognardError("the zip is locked with a password: expected one without")
                if not member.is_dir():
                    yield PurePosixPath(member.filename.replace("\\", "/")), archive.read(member)


def _add_size(total: int, size: int) -> int:
    if total + size > LARGEST_SYSTEM:
        raise GrognardError(f"it is too large for a system: expected at most {LARGEST_SYSTEM // 1024**2} MB")
    return total + size


def _systems_in(files: Mapping[PurePosixPath, bytes]) -> dict[str, dict[PurePosixPath, bytes]]:
    """The files of each system by its name. A system is the outermost folder with an `__init__.py`."""
    files = {path: content for path, content in files.items() if ".." not in path.parts}
    homes = {path.parent for path in files if path.name == "__init__.py"}
    homes = {home for home in homes if home.name.isidentifier() and not homes & set(home.parents)}
    if not homes:
        raise GrognardError("there is no system in it: expected a folder with an __init__.py")
    if shipped := [home.name for home in homes if systems.is_shipped(home.name)]:
        raise GrognardError(f"there is a system called {shipped[0]} already: expected another name of the folder")
    return {
        home.name: {path.relative_to(home): files[path] for path in files if path.is_relative_to(home)}
        for home in homes
    }


def _write(new_systems: Mapping[str, Mapping[PurePosixPath, bytes]], folder: Path) -> Path:
    """Write the files of these systems to a new folder, and register it as a folder of systems."""
    folder.mkdir(parents=True, exist_ok=True)
    home = Path(mkdtemp(dir=folder))
    for name, files in new_systems.items():
        for path, content in files.items():
            target = home / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    systems.add_folder(home)
    return home


def _response(status: Status, reply: bytes) -> str:
    return f'{{"status":"{status}","reply":{reply.decode()}}}'
