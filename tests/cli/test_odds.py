import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import EXAMPLES, Command, Writer, duel, invitation

import grognard
from grognard.cli.app import app
from grognard.cli.show_odds import numeric_rows

QUICK = [path for path in EXAMPLES if path.name[:2] in ("01", "02", "03", "05")]
WIDTHS = (40, 80, 120)


def test_json_is_what_the_engine_tells(command: Command, written: Writer) -> None:
    file = written(duel())
    ran = command("odds", file, "--objective", "ground", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.json == grognard.odds(grognard.load(file), objective="ground").to_dict()
    assert ran.out.count("\n") == 1


def test_fractions_are_texts_in_json(command: Command, written: Writer) -> None:
    found = command("odds", written(duel()), "--objective", "ground", "--fractions", "--json").json
    assert (found["value"], [outcome["p"] for outcome in found["outcomes"]]) == ("9/20", ["11/20", "9/20"])


def test_policies_are_taken_from_the_options(command: Command, written: Writer) -> None:
    file = written(invitation())
    found = command("odds", file, "--attacker", "cautious", "--defender", "random", "--json").json
    assert found["policies"] == {"attacker": "cautious", "defender": "random"}
    assert found["value"] == pytest.approx(0.45 - 0.55)


def test_a_page_of_odds_names_the_battle_what_was_assumed_and_every_measure(command: Command, written: Writer) -> None:
    assert command("odds", written(duel(2, 1))).lines == [
        "RiskyStars: Red against Blue",
        "battle.json · exact",
        "",
        "attacker  decides: best",
        "defender  decides: best",
        "swing     +0.2300  units the defending side loses, less those the attacking side",
        "          loses",
        "",
        "Location held by",
        "  Red   61.50 %  ████████████████████████▋",
        "  Blue  38.50 %  ███████████████▍",
        "",
        "attacking side loses  mean 0.39, standard deviation 0.49",
        "     exactly  at least",
        "  0  61.50 %  100.00 %  ████████████████████████████████████████",
        "  1  38.50 %   38.50 %  █████████████████████████",
        "",
        "defending side loses  mean 0.61, standard deviation 0.49",
        "     exactly  at least",
        "  0  38.50 %  100.00 %  █████████████████████████",
        "  1  61.50 %   61.50 %  ████████████████████████████████████████",
        "",
        "Blue has left  mean 0.39, standard deviation 0.49",
        "     exactly  at least",
        "  0  61.50 %  100.00 %  ████████████████████████████████████████",
        "  1  38.50 %   38.50 %  █████████████████████████",
        "",
        "Red has left  mean 1.61, standard deviation 0.49",
        "     exactly  at least",
        "  1  38.50 %  100.00 %  █████████████████████████",
        "  2  61.50 %   61.50 %  ████████████████████████████████████████",
        "",
        "All results",
        "   chance  Blue  Red  possession  returns",
        "  61.50 %  0     2    Red         –",
        "  38.50 %  1     1    Blue        Red",
    ]


def test_fractions_stand_beside_the_percentages(command: Command, written: Writer) -> None:
    lines = command("odds", written(duel()), "--fractions").lines
    assert "swing     −0.1000 = −1/10  units the defending side loses, less those the" in lines
    assert "defending side loses  mean 0.45 = 9/20, standard deviation 0.50" in lines
    assert "  55.00 %  Blue 1 · Red 0 · possession Blue  11/20" in lines


def test_what_is_the_same_in_every_result_is_told_once(command: Command, written: Writer) -> None:
    lines = command("odds", written(duel(1, 2))).lines
    assert "In every result  Location held by: Blue" in lines
    assert "  in all of them: possession Blue" in lines


def test_all_lists_every_result(command: Command, written: Writer) -> None:
    file = written(duel(12, 12))
    few, everything = command("odds", file).lines, command("odds", file, "--all").lines
    assert "The likeliest 10 of 13 results" in few
    assert "All results" in everything
    assert len(everything) == len(few) + 3 - 1  # three results more, and no line on the others


def test_a_result_that_is_certain_is_the_only_one(command: Command, written: Writer) -> None:
    battle = duel()
    battle["arrivals"][0]["optional"] = True
    lines = command("odds", written(battle), "--attacker", "cautious").lines
    assert lines[-2:] == ["The only result", "  100.00 %  Blue 1 · Red 1 · possession Blue · returns –"]


def test_unlikely_ends_are_put_together() -> None:
    chances: dict[int | str | bool, Fraction] = {n: Fraction(1, 1000) for n in range(10)}
    chances |= {n: Fraction(99, 1000) for n in range(10, 20)}
    rows = list(numeric_rows(chances, everything=False))
    first = [("≤ 9", Fraction(1, 100), 1), ("10", Fraction(99, 1000), Fraction(99, 100))]
    assert (rows[:2], len(rows)) == (first, 11)
    assert len(list(numeric_rows(chances, everything=True))) == 20


def test_values_between_that_cannot_come_about_have_a_row_too() -> None:
    rows = list(numeric_rows({1: Fraction(1, 4), 3: Fraction(3, 4)}, everything=False))
    assert rows == [("1", Fraction(1, 4), 1), ("2", 0, Fraction(3, 4)), ("3", Fraction(3, 4), Fraction(3, 4))]


@pytest.mark.parametrize("path", QUICK, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_example_fits_into_its_terminal_and_piped_it_is_plain(command: Command, path: Path) -> None:
    for width in WIDTHS:
        ran = command("odds", path, width=width)
        assert (ran.status, ran.err) == (0, "")
        assert max(len(line) for line in ran.lines) <= width
        assert "\x1b" not in ran.out
        assert path.name in ran.out.replace("\n", "")


def test_colours_are_forced_and_forbidden(command: Command, written: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(duel())
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = command("odds", file).out
    assert "\x1b[" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    plain = command("odds", file).out
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_a_battle_may_come_from_standard_input(command: Command) -> None:
    toml = 'system = "ranks"\ndefender = {player = "Blue", units = 1}\n'
    toml += 'arrivals = [{player = "Red", side = "attack", units = 1}]\n'
    assert command("odds", "-", "--json", stdin=toml).json["value"] == pytest.approx(-0.1)


def test_unknown_policies_and_objectives_are_all_told(command: Command, written: Writer) -> None:
    ran = command("odds", written(duel()), "--attacker", "x", "--defender", "y", "--objective", "z", "--json")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 3)
    assert 'objective: ranks has no objective "z": it has swing, kill, ground' in ran.err


def test_faults_have_their_line_and_nothing_is_printed(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "battle.toml"
    file.write_text('system = "ranks"\n[defender]\nplayer = "Blue"\nunits = 0\n')
    ran = command("odds", file)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.splitlines()[0] == f"{file}:4: defender.units: found 0, expected a whole number ≥ 1"
    assert len(ran.err.splitlines()) == 2


@pytest.mark.parametrize(
    ("battle", "options", "offered"),
    [
        (duel(), ["--objective", "kill"], "--attacker eager --defender eager --objective kill"),
        (invitation(), ["--defender", "random"], "--attacker eager --defender random"),
    ],
)
def test_a_battle_too_large_offers_the_line_that_samples_it(
    command: Command, written: Writer, battle: dict[str, Any], options: list[str], offered: str
) -> None:
    battle["defender"]["units"] = battle["arrivals"][0]["units"] = 5000
    file = written(battle)
    ran = command("odds", file, *options)
    assert (ran.status, ran.out) == (1, "")
    said, line = ran.err.splitlines()
    bounds = r"[\d,]+, and the bound is [\d,]+; sample it instead \(simulate\):"
    assert re.fullmatch(rf".*: too large a roll for exact odds: {bounds}", said)
    assert line == f"  grognard simulate {file} -n 10000 {offered}"
    sampled = command(*line.replace("10000", "3").split()[1:], "--json")
    assert sampled.json["exact"] is False


@pytest.mark.parametrize("digits", [25, 4000])
def test_a_number_beyond_counting_is_a_fault(command: Command, written: Writer, digits: int) -> None:
    ran = command("odds", written(duel(10 ** (digits - 1), 3)))
    assert (ran.status, ran.out) == (2, "")
    assert "expected a whole number from 1 to 1000000" in ran.err


def test_the_largest_numbers_are_too_large_without_a_die_being_rolled(command: Command, written: Writer) -> None:
    file = written(duel(10**6, 10**6))
    ran = command("odds", file)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith(f"{file}: too large a roll for exact odds: ")
    assert ran.err.endswith(f"\n  grognard simulate {file} -n 10000 --attacker eager --defender eager\n")


def test_simulation_has_the_shape_of_odds_and_tells_its_error(command: Command, written: Writer) -> None:
    file = written(duel())
    found = command("simulate", file, "-n", 100, "--seed", 7, "--json").json
    assert found == grognard.simulate(grognard.load(file), 100, 7).to_dict()
    lines = command("simulate", file, "-n", 100, "--seed", 7).lines
    assert lines[1] == "battle.json · sampled: 100 battles, seed 7; standard errors up to 5.00 %"
    assert re.match(r"swing     [+−]0\.\d{4} ± 0\.\d{4}  units", lines[5])


@pytest.mark.parametrize("number", ["x", "1.5", "0", "-3"])
def test_a_number_of_walks_that_is_none_is_refused(command: Command, written: Writer, number: str) -> None:
    ran = command("simulate", written(duel()), "-n", number)
    assert (ran.status, ran.out) == (2, "")


def test_every_command_has_help_with_an_example(command: Command) -> None:
    for info in app.registered_commands:
        ran = command(info.name, "--help")
        assert ran.status == 0
        assert f"\n    grognard {info.name}" in ran.out or f"| grognard {info.name}" in ran.out
