from pathlib import Path

import pytest
from tests.cli.conftest import Command, Writer, duel, invitation

import grognard
from grognard.adapters.export import FORMATS, export
from grognard.cli import solve


@pytest.mark.parametrize("form", FORMATS)
def test_the_graph_goes_to_standard_output_and_nothing_else(command: Command, written: Writer, form: str) -> None:
    file = written(invitation())
    ran = command("export", file, "--format", form, "--attacker", "eager", "--objective", "kill")
    assert (0, "") == (ran.status, ran.err)
    assert export(grognard.load(file), form, "eager", objective="kill") == ran.out


def test_with_a_file_it_says_what_to_ask_of_the_model(command: Command, written: Writer, tmp_path: Path) -> None:
    file, out = written(invitation()), tmp_path / "battle.prism"
    ran = command("export", file, "-o", out)
    assert (0, f"written: {out}\n") == (ran.status, ran.err)
    assert export(grognard.load(file)) == out.read_text("utf-8")
    assert [
        "RiskyStars: Red, Green against Blue",
        "battle.json · mdp: 8 positions, 2 decisions",
        'R{"swing"}max=? [ F "over" ] - 2 = -1/10 = -0.1',
    ] == ran.lines


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--format", "xml"], "unknown format `xml`; known: prism, drn, dot"),
        (["-o", "/no/such/folder/a.drn"], "--output: /no/such/folder/a.drn cannot be written"),
        (["--attacker", "bold"], "unknown policy `bold`; known: open, best, eager, cautious, random, greedy"),
    ],
)
def test_what_cannot_be_done_is_refused(command: Command, written: Writer, options: list[str], said: str) -> None:
    ran = command("export", written(duel()), *options)
    assert (2, "") == (ran.status, ran.out)
    assert said in ran.err


def test_a_battle_too_large_offers_sampling(command: Command, written: Writer) -> None:
    ran = command("export", written(duel(4_000, 4_000)))
    assert (1, "") == (ran.status, ran.out)
    assert "grognard simulate" in ran.err


def test_the_formats_offered_are_those_there_are() -> None:
    assert list(FORMATS) == list(solve.FORMATS)
