from pathlib import Path

import pytest
from tests.cli.conftest import Command, Writer, duel, invitation

import grognard
from grognard.report import page


def test_the_page_goes_to_the_file(command: Command, written: Writer, tmp_path: Path) -> None:
    file = written(invitation())
    ran = command("report", file, "-o", tmp_path / "battle.html")
    assert (ran.status, ran.out, ran.err) == (0, "", f"written: {tmp_path / 'battle.html'}\n")
    assert page(grognard.load(file), file) == (tmp_path / "battle.html").read_text("utf-8")


def test_without_a_file_it_goes_to_standard_output(command: Command, written: Writer) -> None:
    file = written(duel())
    ran = command("report", file, "--objective", "ground")
    assert page(grognard.load(file), file, grognard.Assumptions(objective="ground")) == ran.out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "/no/such/folder/a.html"], "--output: /no/such/folder/a.html cannot be written"),
        (["--attacker", "bold"], "bold"),
    ],
)
def test_what_cannot_be_done_is_refused(command: Command, written: Writer, options: list[str], said: str) -> None:
    ran = command("report", written(duel()), *options)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_a_full_disk_is_told_with_the_name_of_the_page(command: Command, written: Writer, tmp_path: Path) -> None:
    (tmp_path / "battle.html").symlink_to("/dev/full")
    ran = command("report", written(duel()), "-o", tmp_path / "battle.html")
    assert (1, f"cannot write {tmp_path}/battle.html: no space left on device\n") == (ran.status, ran.err)


def test_a_battle_too_large_offers_sampling(command: Command, written: Writer) -> None:
    ran = command("report", written(duel(4_000, 4_000)))
    assert (ran.status, ran.out) == (1, "")
    assert "grognard simulate" in ran.err
