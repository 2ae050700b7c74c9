"""Runs the code blocks of a page in order, as a reader would, in one empty folder.

- `sh`: lines for bash. What they export and where they go holds for the blocks that follow.
- `console`: lines after `$ ` are run, and what stands below each is what it must print; a line `[...]` stands for any.
- `python`: run in one namespace; `pycon` too, and what stands below each prompt is what it must print.
- a block below `<!-- file: NAME -->`, of whatever language, is written to that file.
- `text`, and languages that cannot be run, are left alone.

`grognard serve` goes on in the background until the page ends, at a free port; blocks below that name the address which
it would have by itself mean that one.
"""

import doctest
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

RUN = ("sh", "console", "python", "pycon")
READ = ("text", "toml", "json", "html")
FENCE = re.compile(
    r"(?:^<!-- file: (?P<file>\S+) -->\n+)?^```(?P<language>[^\s`]*)[^\n`]*\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
COMMAND = re.compile(r"^\$ ((?:[^\n]*\\\n)*[^\n]*\n)((?:(?!\$ )[^\n]*\n)*)", re.MULTILINE)
ADDRESS = "http://127.0.0.1:8000"
SERVE = "grognard serve"
ANY = "[...]"
PATIENCE = 60
"""Seconds that a server has to end."""


@dataclass(frozen=True)
class Block:
    """A fenced block: its line on the page, its language, its text, and the file that it is."""

    line: int
    language: str
    text: str
    file: str | None


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page that are for readers to run, to save or to read."""
    for fence in FENCE.finditer(page):
        if not fence["language"].startswith("{"):  # what the site itself is told
            yield Block(page.count("\n", 0, fence.start("text")), fence["language"], fence["text"], fence["file"])


def write_files(page: Path, folder: Path) -> list[Path]:
    """Write the files that a page has its readers save; their places in the folder."""
    files = [(folder / block.file, block.text) for block in blocks(page.read_text("utf-8")) if block.file]
    for path, text in files:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return [path for path, _ in files]


def run(page: Path, binaries: Path, folder: Path) -> str:
    """Run a page in a folder with the programs of another folder first; what went wrong, or nothing."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("GROGNARD", "PYTHON"))}
    with tempfile.TemporaryDirectory() as home:
        environment |= {"PATH": f"{binaries}{os.pathsep}{os.environ['PATH']}", "HOME": home, "XDG_DATA_HOME": home}
        environment |= {"COLUMNS": "80", "LC_ALL": "C.UTF-8", "MPLCONFIGDIR": home}
        command = [str(binaries / "python"), "-P", __file__, str(page)]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


class Reader:
    """Who tries a page, block by block."""

    def __init__(self) -> None:
        self.namespace: dict[str, object] = {"__name__": "__main__"}
        self.server: subprocess.Popen[str] | None = None
        self.address = ADDRESS

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, *_: object) -> None:
        if self.server:
            self.server.send_signal(signal.SIGINT)
            self.server.communicate(timeout=PATIENCE)

    def meet(self, block: Block) -> None:
        """Do with a block what its language says."""
        text = block.text.replace(ADDRESS, self.address)
        if block.file:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(text, "utf-8")
        elif block.language in RUN:
            getattr(self, block.language)(text)
        elif block.language not in READ:
            raise AssertionError(f"nobody knows what to do with a block of {block.language or 'no language'}")

    def sh(self, text: str) -> str:
        """Lines for bash; what they print."""
        lines = text.splitlines()
        for served in [line for line in lines if line.startswith(SERVE)]:
            self.serve(served.partition("#")[0].split())
        script = "\n".join(line for line in lines if not line.startswith(SERVE))
        with tempfile.NamedTemporaryFile() as kept:
            leave = f"trap 'env -0 > {kept.name}; pwd > {kept.name}.pwd' EXIT"
            command = ["bash", "-e", "-o", "pipefail", "-c", f"{leave}\n{script}"]
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            if done.returncode:
                raise AssertionError(f"status {done.returncode}:\n{script}\n{done.stdout}{done.stderr}")
            exported = Path(kept.name).read_text("utf-8").rstrip("\0").split("\0")
            os.environ.update(dict(entry.split("=", 1) for entry in exported))
            os.chdir(Path(f"{kept.name}.pwd").read_text("utf-8").rstrip("\n"))
            Path(f"{kept.name}.pwd").unlink()
        return done.stdout

    def console(self, text: str) -> None:
        """Commands, each with what it prints."""
        for command, shown in COMMAND.findall(text):
            printed = self.sh(command)
            if not re.fullmatch(pattern(shown), trimmed(printed)):
                raise AssertionError(f"{command}prints\n{printed}\nbut the page shows\n{shown}")

    def python(self, text: str) -> None:
        """Lines for Python."""
        exec(compile(text, "<the page>", "exec"), self.namespace)

    def pycon(self, text: str) -> None:
        """A session with Python."""
        session = doctest.DocTestParser().get_doctest(text, self.namespace, "the page", None, 0)
        output: list[str] = []
        if doctest.DocTestRunner().run(session, out=output.append, clear_globs=False).failed:
            raise AssertionError("".join(output))
        self.namespace.update(session.globs)

    def serve(self, command: list[str]) -> None:
        """A server at any free port."""
        self.server = subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True)
        assert self.server.stdout
        announced = re.search(r"http://[^/\s]+", self.server.stdout.readline())
        if not announced:
            raise AssertionError(f"{command} does not say where it is")
        self.address = announced[0]


def trimmed(text: str) -> str:
    """Without what nobody sees: spaces at the ends of lines, empty lines around."""
    return "".join(line.rstrip() + "\n" for line in text.strip("\n").splitlines())


def pattern(shown: str) -> str:
    """What fits the output that a page shows; a page that shows none does not mind."""
    if not shown.strip():
        return r"(?s:.*)"
    lines = trimmed(shown).splitlines()
    return "".join(r"(?:.*\n)*?" if line.strip() == ANY else re.escape(line) + r"\n" for line in lines)


def main(page: str) -> None:
    """Run a page here and now."""
    sys.path.insert(0, "")  # as for who types into Python
    with Reader() as reader:
        for block in blocks(Path(page).read_text("utf-8")):
            try:
                reader.meet(block)
            except BaseException as wrong:
                raise SystemExit(f"{page}:{block.line}: {type(wrong).__name__}: {wrong}") from wrong


if __name__ == "__main__":
    main(sys.argv[1])
