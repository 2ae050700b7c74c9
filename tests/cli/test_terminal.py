"""Playing at a terminal: what is typed there and what is shown."""

import codecs
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import EXAMPLES, Command, Writer, duel, invitation

PATIENCE = 30
"""Seconds after which something that should be shown is missing."""


class Terminal:
    """A process that believes it is at a terminal of 80 columns."""

    def __init__(self, *arguments: str) -> None:
        self.end, inner = pty.openpty()
        environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "grognard", *arguments],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "50"},
            start_new_session=True,
        )
        os.close(inner)
        self.shown = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")()

    def expect(self, text: str) -> str:
        """Read until this is shown; everything up to it."""
        until = time.monotonic() + PATIENCE
        while text not in (plain := re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.shown)):
            assert time.monotonic() < until, f"{text!r} was not shown, but: {plain}"
            assert self.more(), f"{text!r} was not shown before the end, but: {plain}"
        read, _, self.shown = plain.partition(text)
        return read

    def more(self) -> bool:
        """Read on; False at the end."""
        if not select.select([self.end], [], [], 1)[0]:
            return True
        try:
            read = os.read(self.end, 65536)
        except OSError:  # how Linux says that the other end is closed
            return False
        self.shown += self.decoder.decode(read)  # a read may end within a character
        return bool(read)

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self.end, f"{line}\n".encode())

    def await_listening(self) -> None:
        """Wait until it sleeps: readline shows a question a moment before it listens."""
        status = Path(f"/proc/{self.process.pid}/stat")
        while status.read_text().rpartition(")")[2].split()[0] != "S":
            time.sleep(0.01)

    def close(self) -> int:
        """Wait for the end; the exit status."""
        while self.more():
            pass
        return self.process.wait(PATIENCE)


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """Terminals that are closed whatever happens."""
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.end)


def test_dice_from_the_table_a_refusal_advice_and_taking_back(terminals: list[Terminal], written: Writer) -> None:
    terminals.append(terminal := Terminal("play", written(invitation()), "--dice", "table"))
    terminal.expect("Exchange: ")
    terminal.expect("Roll Red 1 d10, then Blue 1 d10")
    terminal.expect("type the faces, such as 10 / 10")
    terminal.expect("dice; ? odds > ")
    terminal.type("u")
    terminal.expect("there is nothing to undo")
    terminal.type("?")
    terminal.expect("No decision now: Exchange: roll Red 1 d10, then Blue 1 d10")
    terminal.type("11 / 3")
    terminal.expect("die 1 shows 11, but a d10 has the faces 1, 2, 3")
    terminal.type("9 3 4")
    terminal.expect("3 dice given, but the roll is Red 1 d10, then Blue 1 d10")
    terminal.type("3 / 9")
    terminal.expect("Green: Send 1 unit to help Red?")
    terminal.expect("1, 2; ? advice; u undo > ")
    terminal.type("?")
    terminal.expect("0.10 worse")
    terminal.type("u")
    terminal.expect("undone")
    terminal.type("9, 3")
    terminal.expect("Green: Send 1 unit to help Red?")
    terminal.type("perhaps")
    terminal.expect('"perhaps" is none of 1, 2')
    terminal.type("yes")
    shown = terminal.expect("This result:")
    assert re.search(r"Blue +0\s+Red +1\s+Green +1\s+possession +Red", shown)
    assert terminal.close() == 0


def test_taking_back_makes_the_same_dice_fall_again(terminals: list[Terminal], written: Writer) -> None:
    battle = invitation()
    battle["arrivals"].append({"player": "Yellow", "side": "attack", "units": 1, "optional": True})
    battle["defender"]["units"] = 5
    terminals.append(terminal := Terminal("play", written(battle), "--seed", "7"))
    terminal.expect("Send 1 unit to help Red?")
    terminal.type("y")
    first = terminal.expect("Yellow: Send 1 unit to help Red?")
    terminal.type("u")
    terminal.expect("undone")
    terminal.type("y")
    second = terminal.expect("Yellow: Send 1 unit to help Red?")
    dice = re.compile(r"\[ *\d+\]")
    assert dice.findall(first) == dice.findall(second) != []


def test_a_side_may_be_left_to_the_machine(terminals: list[Terminal], written: Writer) -> None:
    terminals.append(terminal := Terminal("play", written(invitation()), "--attacker", "best", "--seed", "1"))
    terminal.expect("seed of the dice: 1")
    assert terminal.close() == 0


def test_after_ctrl_c_the_answers_are_in_the_log_and_the_play_goes_on(
    terminals: list[Terminal], written: Writer, tmp_path: Path
) -> None:
    log = str(tmp_path / "log.json")
    terminals.append(terminal := Terminal("play", written(invitation()), "--dice", "table", "--log", log))
    terminal.expect("dice; ? odds > ")
    terminal.type("3 9")
    terminal.expect("1, 2; ? advice; u undo > ")
    terminal.await_listening()
    terminal.process.send_signal(signal.SIGINT)
    terminal.expect("\r\ninterrupted\r\n")
    assert terminal.close() == 130
    terminals.append(terminal := Terminal("play", "--resume", log, "--dice", "table"))
    terminal.expect("Green: Send 1 unit to help Red?")
    terminal.type("no")
    terminal.expect(f"written: {log}")
    assert terminal.close() == 0
    assert json.loads(Path(log).read_text())["result"]["armies"] == {"Blue": 1, "Red": 0, "Green": 1}


def test_one_side_rolls_its_own_dice_and_the_computer_the_others(
    terminals: list[Terminal], command: Command, written: Writer, tmp_path: Path
) -> None:
    log = str(tmp_path / "log.json")
    options = ["--dice", "Blue=table", "--seed", "1", "--log", log]
    terminals.append(terminal := Terminal("play", written(duel(2, 2)), *options))
    terminal.expect("Roll Blue 2 d10")
    terminal.expect("type the faces, such as 9 10")
    terminal.type("11 1")
    terminal.expect("shows 11, but a d10 has the faces")
    terminal.type("10 1")
    shown = terminal.expect("This result:")
    assert re.search(r"Red +2 d10 +\[\d+\]", shown)
    assert re.search(r"Blue +2 d10 +\[10\]\S? \[1\]", shown)
    terminal.expect("seed of the dice: 1")
    assert terminal.close() == 0
    verified = "verified: all 2 dice of the computer are the ones that follow; 2 were rolled on a table"
    assert [verified] == command("verify", log).lines
    assert command("replay", log, width=120).lines[-1].endswith("; 0 of 1 rolls by seed 1, 1 in part")


def test_the_end_of_input_says_what_was_asked(terminals: list[Terminal], written: Writer) -> None:
    terminals.append(terminal := Terminal("play", written(duel()), "--dice", "table"))
    terminal.expect("dice; ? odds > ")
    os.write(terminal.end, b"\x04")
    terminal.expect("no answer: Exchange: roll Red 1 d10, then Blue 1 d10")
    assert terminal.close() == 2


def test_what_takes_long_shows_that_it_is_working(terminals: list[Terminal], written: Writer) -> None:
    file = written(duel(60, 60, duration="to_the_death"))
    terminals.append(terminal := Terminal("odds", file, "--fractions"))
    terminal.expect("working: ")
    terminal.expect("(Ctrl-C stops)")
    terminal.process.send_signal(signal.SIGINT)
    terminal.expect("interrupted")
    assert terminal.close() == 130


def test_an_error_is_coloured_and_the_line_of_the_file_stands_below_it(
    terminals: list[Terminal], tmp_path: Path
) -> None:
    file = tmp_path / "battle.toml"
    file.write_text('system = "ranks"\n[defender]\nplayer = "Blue"\nunits = 0\n')
    terminals.append(terminal := Terminal("check", str(file)))
    assert terminal.close() == 2
    assert "\x1b[31m" in terminal.shown
    terminal.expect("4 | units = 0")


def test_symbols_are_explained_where_they_are_rolled(terminals: list[Terminal]) -> None:
    example = next(path for path in EXAMPLES if path.name == "02-dice-in-hand.toml")
    terminals.append(terminal := Terminal("play", str(example), "--dice", "table"))
    terminal.expect("C critical  D damage  X suppression  – blank")
