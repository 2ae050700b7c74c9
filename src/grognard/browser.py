"""The engine inside a web page, without a server: the functions that the page's Web Worker calls, with JSON."""

import json
from collections.abc import Iterator, Mapping
from io import BytesIO
from pathlib import Path, PurePosixPath
from tempfile import mkdtemp
from zipfile import BadZipFile, ZipFile

from grognard import systems
from grognard.core.errors import GrognardError
from grognard.core.systems import System
from grognard.tasks import PLAYS, TASKS
from grognard.words.catalogue import entry
from grognard.work.worker import Status, fault, reply_to, to_json

POSITIONS = 60_000
"""How many positions exact work may visit, for the memory of a phone."""
LARGEST_SYSTEM = 4 * 1024**2
"""The largest size of the files of a custom system, in bytes."""
ENCRYPTED = 1
"""In a zip, the mark of a file that is locked with a password."""


def answer(request: str) -> str:
    """Run a task, `{"task", "about"}`: `{"status", "reply"}`, where the reply is what a server would send."""
    message = json.loads(request)
    message["about"].setdefault("bound", POSITIONS)
    return _answered(*reply_to(TASKS, to_json(message), lambda count: None))


def add_system(files: Mapping[str, bytes], folder: str = "/systems") -> str:
    """Add the systems in these folders, or in a zip of them; the reply lists their names.

    A system that was added before under the same name is replaced. If anything is wrong with one, none is added.
    """
    try:
        found = _systems_in(dict(_unpacked(files)))
        home = _write(found, Path(folder))
        try:
            for name in found:
                _check(name)
        except BaseException:
            systems.remove_folder(home)
            raise
    except (GrognardError, BadZipFile) as error:
        return _answered(Status.REFUSED, to_json(fault(str(error), "refused")))
    except (Exception, SystemExit) as error:  # a custom system may raise anything
        reason = f"this system cannot be loaded ({type(error).__name__}: {error})"
        return _answered(Status.REFUSED, to_json(fault(reason, "refused")))
    PLAYS.clear()
    return _answered(Status.DONE, to_json({"names": sorted(found)}))


def _unpacked(files: Mapping[str, bytes]) -> Iterator[tuple[PurePosixPath, bytes]]:
    """Every file by its path, those in a zip too."""
    left = LARGEST_SYSTEM
    for name, content in files.items():
        if not name.lower().endswith(".zip"):
            left = _take(left, len(content))
            yield PurePosixPath(name), bytes(content)
            continue
        with ZipFile(BytesIO(bytes(content))) as packed:
            for one in packed.infolist():
                left = _take(left, one.file_size)
                if one.flag_bits & ENCRYPTED:
                    raise GrognardError("the zip is locked with a password: expected one without")
                if not one.is_dir():
                    yield PurePosixPath(one.filename.replace("\\", "/")), packed.read(one)


def _take(left: int, size: int) -> int:
    if size > left:
        raise GrognardError(f"it is too large for a system: expected at most {LARGEST_SYSTEM // 1024**2} MB")
    return left - size


def _systems_in(files: Mapping[PurePosixPath, bytes]) -> dict[str, dict[PurePosixPath, bytes]]:
    """The files of every folder that is a system, by its name."""
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


def _write(found: Mapping[str, Mapping[PurePosixPath, bytes]], folder: Path) -> Path:
    """Write the files of these systems to a new folder, which is searched for systems from now on."""
    folder.mkdir(parents=True, exist_ok=True)
    home = Path(mkdtemp(dir=folder))
    for name, files in found.items():
        for path, content in files.items():
            target = home / name / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    systems.add_folder(home)
    return home


def _check(name: str) -> None:
    """Raise an error unless this is a system that can be listed."""
    system = systems.find(name)
    if not isinstance(system, System):
        raise GrognardError(f"{name}/__init__.py: SYSTEM is no System")
    if system.name != name:
        raise GrognardError(f"the folder {name} has a system called {system.name}: expected the same name")
    to_json(entry(system))


def _answered(status: Status, reply: bytes) -> str:
    return f'{{"status":"{status}","reply":{reply.decode()}}}'
