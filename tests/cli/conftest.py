"""Running commands in this process, and battles small enough to know their odds by hand."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from grognard.cli.app import run
from grognard.systems import names

ROOT = Path(__file__).parents[2]
EXAMPLES = [path for name in names() for path in sorted((ROOT / "examples" / name).glob("*.toml"))]


class Ran(NamedTuple):
    """How a command ended, and what it said."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as one JSON document."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[str]:
        """Standard output by lines, without what pads them."""
        return [line.rstrip() for line in self.out.splitlines()]


Command = Callable[..., Ran]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs `grognard …` in a pipe of so many columns."""
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")

    def call(*arguments: object, stdin: str = "", width: int = 80) -> Ran:
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        status: object = 0
        try:
            run([str(argument) for argument in arguments])
        except SystemExit as leaving:
            status = leaving.code or 0
        assert isinstance(status, int)
        return Ran(status, *capsys.readouterr())

    return call


Writer = Callable[..., str]


@pytest.fixture
def written(tmp_path: Path) -> Writer:
    """Writes data to a JSON file and tells its path."""

    def write(data: object, name: str = "battle.json") -> str:
        (tmp_path / name).write_text(json.dumps(data))
        return str(tmp_path / name)

    return write


def duel(attack: int = 1, defence: int = 1, **switches: object) -> dict[str, Any]:
    """Red attacks Blue."""
    return {
        "system": "ranks",
        "defender": {"player": "Blue", "units": defence},
        "arrivals": [{"player": "Red", "side": "attack", "units": attack}],
        "rules": switches,
    }


def invitation() -> dict[str, Any]:
    """Red attacks Blue, and Green may come to help Red."""
    battle = duel()
    battle["arrivals"].append({"player": "Green", "side": "attack", "units": 1, "optional": True})
    return battle
