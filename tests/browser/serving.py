"""A server as people start it, in a process of its own, and the command beside it."""

import json
import os
import select
import subprocess
import sys
from pathlib import Path
from typing import Any, Protocol

GROGNARD = str(Path(sys.executable).with_name("grognard"))
PATIENCE = 60.0
"""Seconds after which something that should have happened did not."""


class Reachable(Protocol):
    """Whatever serves the page."""

    @property
    def url(self) -> str:
        """Where it is."""
        ...


class Server:
    """`grognard serve` with a database of its own."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.environment = {**os.environ, **environment}
        self.database = f"sqlite:///{folder}/battles.sqlite3"
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it: at any free port, and later at the same one again."""
        command = [GROGNARD, "serve", "--port", str(self.port), "--database", self.database, "--workers", "1"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=self.environment)
        assert self.process.stdout is not None
        is_told, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
        told = self.process.stdout.readline() if is_told else ""
        if "http://" not in told:
            self.kill()
            raise AssertionError(f"the server did not start: {told!r}")
        self.port = int(told.split("http://")[1].split("/")[0].rpartition(":")[2])

    def stop(self) -> None:
        """Let it end by itself."""
        assert self.process is not None
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        finally:
            self.kill()

    def kill(self) -> None:
        """End it at once, in the middle of whatever it does."""
        assert self.process is not None
        assert self.process.stdout is not None
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def command(*words: str | Path) -> Any:
    """What the command answers in JSON."""
    run = _run(*words, "--json")
    assert run.returncode == 0, run.stderr or run.stdout
    return json.loads(run.stdout)


def refused(*words: str | Path) -> str:
    """What the command says when it is not satisfied."""
    run = _run(*words)
    assert run.returncode != 0
    return run.stdout + run.stderr


def _run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([GROGNARD, *map(str, words)], capture_output=True, text=True, timeout=PATIENCE)
