"""The static site: the page, the engine, Pyodide, and the service worker that makes them work offline."""

import gzip
import json
from hashlib import sha256
from importlib.metadata import distribution
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from grognard.core.errors import GrognardError
from grognard.files.examples import IN_REPOSITORY, INSTALLED
from grognard.words.catalogue import catalogue

PACKAGE = Path(__file__).parent
BUILT = PACKAGE / "server" / "page"
INDEX, ENGINE, SYSTEMS, SERVICE_WORKER = "index.html", "engine.zip", "systems.json", "sw.js"
REQUIRED = (INDEX, SERVICE_WORKER)
"""The files that a built page must have."""
EXCLUDED = ("adapters", "cli", "server", "examples", "studies/sweeps", "__main__.py", "site.py", "testing.py")
"""The parts of the package that the engine in a browser does not need."""
EPOCH = (1980, 1, 1, 0, 0, 0)
DEFERRED = ("pyodide/", ENGINE)
"""Files that the service worker fetches after the page is shown."""
FILES = b"self.FILES"
"""The placeholder for the list of files in the script of the service worker."""
ALONE = "data-alone"
"""The attribute of a page without a server."""
OLD_PAGE = "battle/index.html"
"""The page to which links of the first versions lead."""
REDIRECT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>grognard</title></head>
<body><a href="../">grognard</a><script>location.replace('../' + location.hash)</script></body></html>
"""


def files(page: Path = BUILT, *, alone: bool = True) -> dict[str, bytes]:
    """Every file of the site by its path; with `alone`, the page works without a server."""
    if missing := [name for name in REQUIRED if not (page / name).exists()]:
        reason = (
            "the page has not been built" if INDEX in missing else f"the page is of an older version: no {missing[0]}"
        )
        raise GrognardError(f"{reason}: in the source tree, `make page` builds it")
    paths = [path for path in sorted(page.rglob("*")) if path.is_file()]
    contents = {path.relative_to(page).as_posix(): path.read_bytes() for path in paths}
    contents[ENGINE] = engine()
    contents[SYSTEMS] = json.dumps(catalogue(), separators=(",", ":")).encode()
    if alone:
        contents[INDEX] = contents[INDEX].replace(b"<html ", f"<html {ALONE} ".encode(), 1)
        contents[OLD_PAGE] = REDIRECT.encode()
    return contents | {SERVICE_WORKER: _service_worker(contents, alone)}


def _service_worker(contents: dict[str, bytes], alone: bool) -> bytes:
    """The script of the service worker with the list of files, each with a hash of its content."""
    script = contents.pop(SERVICE_WORKER)
    hashes = {path: sha256(content).hexdigest()[:16] for path, content in contents.items()}
    manifest = {"files": hashes, "later": [path for path in hashes if path.startswith(DEFERRED)], "alone": alone}
    version = sha256(json.dumps(manifest).encode()).hexdigest()[:16]
    before, _, after = script.rpartition(FILES)
    return before + json.dumps({**manifest, "version": version}).encode() + after


def engine() -> bytes:
    """A zip of the parts of the package that a browser needs. The same files give the same bytes."""
    examples = INSTALLED if INSTALLED.is_dir() else IN_REPOSITORY
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED, compresslevel=9) as target:
        for path in sorted(PACKAGE.rglob("*")):
            name = path.relative_to(PACKAGE).as_posix()
            if path.is_file() and path.suffix != ".pyc" and not any(_is_in(name, folder) for folder in EXCLUDED):
                _add(target, f"grognard/{name}", path)
        for path in sorted(examples.glob("*/*.toml")):
            _add(target, f"grognard/examples/{path.relative_to(examples).as_posix()}", path)
        for file in distribution("markupsafe").files or ():
            if file.suffix == ".py" or "LICENSE" in file.name:
                _add(target, f"markupsafe/{file.name}", Path(str(file.locate())))
    return buffer.getvalue()


def write(folder: Path) -> int:
    """Write the site into a folder; returns its compressed size in bytes."""
    size = 0
    for name, content in files().items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        size += min(len(content), len(gzip.compress(content)))
    return size


def _is_in(name: str, folder: str) -> bool:
    return name == folder or name.startswith(f"{folder}/")


def _add(target: ZipFile, name: str, path: Path) -> None:
    target.writestr(ZipInfo(name, EPOCH), path.read_bytes(), ZIP_DEFLATED, 9)
