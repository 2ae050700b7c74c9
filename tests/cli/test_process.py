"""The command as a process of its own: how it starts, how it ends, what it leaves on which stream."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.cli.conftest import Writer, duel

import grognard

LONG = duel(200, 200, duration="to_the_death")
"""In fractions this takes minutes."""


def process(*arguments: str, **environment: str) -> "subprocess.Popen[str]":
    """Start `python -m grognard …`."""
    return subprocess.Popen(
        [sys.executable, "-m", "grognard", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
    )


def test_the_module_and_the_command_are_the_same() -> None:
    command = Path(sys.executable).parent / "grognard"
    asked = subprocess.run([str(command), "--version"], capture_output=True, text=True, check=True)
    out, err = process("--version").communicate()
    assert out == asked.stdout == f"grognard {grognard.__version__}\n"
    assert err == ""


@pytest.mark.parametrize(
    ("arguments", "status"),
    [(["check", "FILE"], 0), (["check", "missing.toml"], 2), (["odds"], 2), (["oods"], 2), (["odds", "FILE", "-x"], 2)],
)
def test_exit_status_and_what_is_wrong_on_standard_error_only(
    written: Writer, arguments: list[str], status: int
) -> None:
    file = written(duel())
    run = process(*(file if argument == "FILE" else argument for argument in arguments))
    out, err = run.communicate()
    assert run.returncode == status
    assert (bool(out), bool(err)) == (status == 0, status != 0)
    assert "Traceback" not in err


def test_a_strangers_number_may_be_half_a_character(written: Writer) -> None:
    fair = {"commitment": "0", "secret": "00", "numbers": [{"side": "Red", "number": "\ud800"}]}
    run = process("verify", written({"battle": duel(), "moves": [], "seed": None, "fair": fair}))
    out, err = run.communicate()
    assert (1, "Red: \\ud800", "") == (run.returncode, out.splitlines()[-2], err)


def test_a_strangers_log_can_neither_command_the_terminal_nor_write_lines_of_its_own(written: Writer) -> None:
    fair = {"commitment": "0", "secret": "00", "numbers": [{"side": "Red", "number": "\x1b[2J1\nverified: all dice"}]}
    run = process("verify", written({"battle": duel(), "moves": [], "seed": None, "fair": fair}))
    assert "Red: \\x1b[2J1\\nverified: all dice" == run.communicate()[0].splitlines()[-2]
    moves = [{"rule": "\x1b]0;", "question": "", "roll": [1, 1]}]
    run = process("replay", written({"grognard": 2, "battle": duel(), "moves": moves, "seed": None, "result": None}))
    err = run.communicate()[1]
    assert ("\\x1b]0;" in err, "\x1b" in err) == (True, False)


def test_a_sign_that_standard_output_lacks_is_no_traceback() -> None:
    run = process("new", "assault", PYTHONIOENCODING="ascii")
    assert (1, ["standard output: cannot write '\\u2026'; PYTHONIOENCODING=utf-8 can"]) == (
        run.wait(),
        run.communicate()[1].splitlines(),
    )


@pytest.mark.parametrize(
    "loaded", ["click.core", "grognard.files", "grognard.solver.graph", "grognard.readings.face_walk"]
)
def test_ctrl_c_is_status_130_and_no_traceback_whatever_is_being_loaded(written: Writer, loaded: str) -> None:
    run = process("odds", written(LONG), "--fractions", "--json", PYTHONPROFILEIMPORTTIME="1")
    assert run.stderr is not None
    for line in run.stderr:
        if line.split("|")[-1].strip() == loaded:
            break
    run.send_signal(signal.SIGINT)
    out, err = run.communicate()
    assert (run.returncode, out, [line for line in err.splitlines() if "import time:" not in line]) == (
        130,
        "",
        ["interrupted"],
    )


def test_ctrl_c_while_it_computes_is_status_130_and_no_traceback(written: Writer) -> None:
    run = process("odds", written(LONG), "--fractions", "--json")
    time.sleep(2)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate()
    assert (run.returncode, out, err) == (130, "", "interrupted\n")


@pytest.mark.parametrize("options", [["--json"], []])
def test_a_reader_that_goes_away_is_no_error(written: Writer, options: list[str]) -> None:
    run = process("odds", written(duel(30, 30)), "--all", *options, PYTHONUNBUFFERED="1")
    assert run.stdout is not None
    assert run.stderr is not None
    run.stdout.read(1)
    run.stdout.close()
    assert (run.stderr.read(), run.wait()) == ("", 0)
    run.stderr.close()


@pytest.mark.parametrize(
    ("arguments", "closed", "status"),
    [
        (["odds", "FILE"], ">&-", 0),
        (["odds", "FILE", "--json"], ">&-", 0),
        (["new", "ranks"], ">&-", 0),
        (["check", "missing.toml"], "2>&-", 2),
        (["check", "-"], "<&-", 2),
    ],
)
def test_a_closed_stream_is_no_traceback(written: Writer, arguments: list[str], closed: str, status: int) -> None:
    command = [sys.executable, "-m", "grognard", *(written(duel()) if word == "FILE" else word for word in arguments)]
    run = subprocess.run(["sh", "-c", f'"$@" {closed}', "sh", *command], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, "Traceback" in run.stderr) == (status, "", False)


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["odds", "--help"], ["systems"]])
def test_a_full_disk_is_no_traceback(arguments: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(
            [sys.executable, "-m", "grognard", *arguments], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert run.returncode != 0
    assert ["No space left on device"] == [line.partition(": ")[2] for line in run.stderr.splitlines()]


@pytest.mark.parametrize("arguments", [["--help"], ["odds", "--help"]])
@pytest.mark.parametrize("width", [1, 7, 20])
def test_a_narrow_terminal_shows_help_all_the_same(arguments: list[str], width: int) -> None:
    out, err = process(*arguments, COLUMNS=str(width)).communicate()
    assert ("Usage", "") == (out[:5], err)


def test_a_missing_library_is_named_with_the_way_to_install_it() -> None:
    hidden = "import sys; sys.modules['mcp'] = None; from grognard.__main__ import main; sys.argv[1:] = ['mcp']; main()"
    run = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (1, "", "this needs mcp: pip install 'grognard[mcp]'\n")


LOADED = """
import atexit, sys
from grognard.__main__ import main
atexit.register(lambda: print(*sorted(name for name in sys.modules), file=sys.stderr))
main()
"""


def test_json_loads_neither_rich_nor_pydantic_nor_numpy_nor_other_systems(written: Writer) -> None:
    run = subprocess.run(
        [sys.executable, "-c", LOADED, "odds", written(duel()), "--json"], capture_output=True, text=True, check=True
    )
    loaded = set(run.stderr.split())
    assert "grognard.systems.ranks" in loaded
    others = {"numpy", "rich", "pydantic", "importlib.metadata", "grognard.systems.supply", "grognard.server"}
    assert loaded.isdisjoint(others)


def test_importing_the_package_loads_nothing_until_it_is_used() -> None:
    known = "print('grognard.solver' in sys.modules)"
    script = f"import sys, grognard; {known}; grognard.simulate; {known}"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "True"]


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("grognard od", {"odds"}),
        ("grognard rules r", {"ranks"}),
        ("grognard odds f --attacker e", {"eager"}),
        ("grognard play f --attacker a", {"ask"}),
        ("grognard odds f --objective k", {"kill"}),
        ("grognard compare FILE --switch tie", {"ties"}),
        ("grognard compare FILE --switch die", {"die"}),
    ],
)
def test_the_shell_completes(written: Writer, words: str, completed: set[str]) -> None:
    words = words.replace("FILE", written(duel()))
    run = process(_GROGNARD_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(words.count(" ")))
    assert {item.rpartition(",")[2] for item in run.communicate()[0].split()} == completed


def test_a_terminal_that_lacks_signs_shows_plainer_ones(written: Writer) -> None:
    out, _ = process("odds", written(duel()), PYTHONIOENCODING="ascii").communicate()
    assert "net losses (swing)  -0.1000\n" in out
    assert "  0  55.00 %  100.00 %  ####################" in out
