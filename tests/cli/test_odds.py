import re
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import EXAMPLES, Command, Writer, duel, invitation

import grognard
from grognard.cli.app import COMMANDS

QUICK = [path for path in EXAMPLES if path.name[:2] in ("01", "02", "03", "05")]
WIDTHS = (40, 80, 120)


def test_json_is_what_the_engine_tells(command: Command, written: Writer) -> None:
    file = written(duel())
    ran = command("odds", file, "--objective", "ground", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.json == grognard.odds(grognard.load(file), objective="ground").to_dict()
    assert ran.out.count("\n") == 1


def test_fractions_are_texts_in_json(command: Command, written: Writer) -> None:
    document = command("odds", written(duel()), "--objective", "ground", "--fractions", "--json").json
    assert (document["value"], [outcome["p"] for outcome in document["outcomes"]]) == ("9/20", ["11/20", "9/20"])


def test_policies_are_taken_from_the_options(command: Command, written: Writer) -> None:
    file = written(invitation())
    document = command("odds", file, "--attacker", "cautious", "--defender", "random", "--json").json
    assert document["policies"] == {"attacker": "cautious", "defender": "random"}
    assert document["value"] == pytest.approx(0.45 - 0.55)


def test_a_page_of_odds_names_the_battle_what_was_assumed_and_every_measure(command: Command, written: Writer) -> None:
    lines = command("odds", written(duel(2, 1))).lines
    assert lines[:5] == [
        "RiskyStars: Red against Blue",
        "battle.json · exact · both sides decide: best",
        "",
        "net losses (swing)  +0.2300",
        "units the defending side loses, less those the attacking side loses",
    ]
    table = lines.index("Red: losses  average 0.39, standard deviation 0.49")
    assert lines[table + 1 : table + 4] == [
        "     exactly  at least",
        "  0  61.50 %  100.00 %  ████████████████████████████████████████",
        "  1  38.50 %   38.50 %  █████████████████████████",
    ]
    assert "  Blue: destroyed  61.50 %  ████████████████████████████████████████" in lines
    assert lines[-4:] == [
        "All results",
        "   chance  Blue  Red  possession  returns",
        "  61.50 %  0     2    Red         –",
        "  38.50 %  1     1    Blue        Red",
    ]


def test_fractions_stand_beside_the_percentages(command: Command, written: Writer) -> None:
    lines = command("odds", written(duel()), "--fractions").lines
    assert "net losses (swing)  −0.1000 = −1/10" in lines
    assert "Blue: losses  average 0.45 = 9/20, standard deviation 0.50" in lines
    assert "  55.00 %  11/20  1     0    Blue" in lines


def test_what_is_the_same_in_every_result_is_told_once(command: Command, written: Writer) -> None:
    lines = command("odds", written(duel(1, 2))).lines
    certain = lines[lines.index("In every result") + 1 :]
    assert "Who holds the Location Blue" in [" ".join(line.split()) for line in certain[: certain.index("")]]
    assert "  the same in all of them: possession Blue" in lines


def test_all_lists_every_result(command: Command, written: Writer) -> None:
    file = written(duel(12, 12))
    few, everything = command("odds", file).lines, command("odds", file, "--all").lines
    assert "The likeliest 10 of 13 results" in few
    assert "All results" in everything
    assert len(everything) == len(few) + 3 - 2  # three results more, and no lines on the others


def test_a_result_that_is_certain_is_the_only_one(command: Command, written: Writer) -> None:
    battle = duel()
    battle["arrivals"][0]["optional"] = True
    lines = command("odds", written(battle), "--attacker", "cautious").lines
    assert lines[-5:] == [
        "The only result",
        "  Blue        1",
        "  Red         1",
        "  possession  Blue",
        "  returns     –",
    ]


@pytest.mark.parametrize("path", QUICK, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_example_fits_into_its_terminal_and_piped_it_is_plain(command: Command, path: Path) -> None:
    for width in WIDTHS:
        ran = command("odds", path, width=width)
        assert (ran.status, ran.err) == (0, "")
        assert max(len(line) for line in ran.lines) <= width
        assert "\x1b" not in ran.out
        assert ran.out.splitlines() == ran.lines, "spaces at the ends of lines reach a pipe"
        assert path.name in ran.out.replace("\n", "")


def test_colours_are_forced_and_forbidden(command: Command, written: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(duel())
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = command("odds", file).out
    assert "\x1b[" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    plain = command("odds", file).out
    assert "\x1b" not in plain
    assert [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", coloured).splitlines()] == plain.splitlines()


def test_a_battle_may_come_from_standard_input(command: Command) -> None:
    toml = 'system = "ranks"\ndefender = {player = "Blue", units = 1}\n'
    toml += 'arrivals = [{player = "Red", side = "attack", units = 1}]\n'
    assert command("odds", "-", "--json", stdin=toml).json["value"] == pytest.approx(-0.1)


def test_an_unknown_objective_names_those_there_are(command: Command, written: Writer) -> None:
    ran = command("odds", written(duel()), "--objective", "z", "--json")
    assert (ran.status, ran.out) == (2, "")
    assert 'objective: ranks has no objective "z": it has swing, kill, ground' in ran.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--attacker", "egaer"], "unknown policy `egaer`, did you mean `eager`?"),
        (["--atacker", "eager"], "No such option '--atacker'. Did you mean '--attacker'?"),
        (
            ["--objective", "grund"],
            'ranks has no objective "grund" (did you mean "ground"?): it has swing, kill, ground',
        ),
    ],
)
def test_options_and_their_values_are_suggested(
    command: Command, written: Writer, options: list[str], message: str
) -> None:
    ran = command("odds", written(duel()), *options)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err


def test_faults_have_their_line_and_nothing_is_printed(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "battle.toml"
    file.write_text('system = "ranks"\n[defender]\nplayer = "Blue"\nunits = 0\n')
    ran = command("odds", file)
    assert (ran.status, ran.out) == (2, "")
    first, line, *_ = ran.err.splitlines()
    assert first.startswith(f"{file}:4: defender.units: found 0, expected a whole number")
    assert line == "     4 | units = 0"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("odds", {"battle": {}, "vary": []}, "is a design, not a battle: use `grognard sweep FILE`"),
        ("play", {"grognard": 1, "moves": []}, "is a log, not a battle: use `grognard replay FILE`"),
        ("check", [{"roll": [1]}], "is a script, not a battle: use `grognard play BATTLE --script FILE`"),
        ("luck", duel(), "is a battle, not a log: use `grognard odds FILE`"),
        ("verify", duel(), "is a battle, not a log: use `grognard odds FILE`"),
    ],
)
def test_a_file_of_another_kind_names_its_command(
    command: Command, written: Writer, name: str, data: object, message: str
) -> None:
    file = written(data)
    ran = command(name, file)
    assert (ran.status, ran.out, ran.err) == (2, "", f"{file}: {message}\n")


@pytest.mark.parametrize(
    ("battle", "options", "offered"),
    [
        (duel(), ["--objective", "kill"], "--attacker best --defender best --objective kill"),
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
    message, can, line = ran.err.splitlines()
    assert re.fullmatch(
        r".*: too large a roll for exact odds: about [\d.]+ \w+, the limit is about [\d.]+ \w+\.", message
    )
    assert (can, line) == ("It can be sampled:", f"  grognard simulate {file} -n 10000 {offered}")
    sampled = command(*line.replace("10000", "3").split()[1:], "--json")
    assert sampled.json["exact"] is False


def test_a_battle_beyond_sampling_recommends_nothing_that_also_fails(command: Command, written: Writer) -> None:
    file = written(duel(10**6, 10**6))
    for name in ("odds", "simulate"):
        ran = command(name, file)
        assert (ran.status, ran.out) == (1, "")
        assert re.search(r": about (10\^18|20 billion), the limit is about [\d.]+ million\.\n", ran.err)
        assert ran.err.endswith("\nIt is too large to be sampled as well.\n")


def test_simulation_has_the_shape_of_odds_and_states_its_error(command: Command, written: Writer) -> None:
    file = written(duel(1, 2))
    data = command("simulate", file, "-n", 100, "--seed", 7, "--json").json
    assert data == grognard.simulate(grognard.load(file), 100, 7).to_dict()
    lines = command("simulate", file, "-n", 100, "--seed", 7, width=120).lines
    assert "sampled: 100 battles, seed 7; chances within ±9.80 % (95 % confidence)" in lines[1]
    assert re.fullmatch(r"net losses \(swing\)  [+−]0\.\d{4} ± 0\.\d{4} \(95 % confidence interval\)", lines[3])
    assert "In every battle that was sampled" in lines
    assert "In every result" not in lines


@pytest.mark.parametrize("number", ["x", "1.5", "0", "-3"])
def test_a_number_of_walks_that_is_none_is_refused(command: Command, written: Writer, number: str) -> None:
    ran = command("simulate", written(duel()), "-n", number)
    assert (ran.status, ran.out) == (2, "")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(command: Command, name: str) -> None:
    ran = command(name, "--help")
    assert ran.status == 0
    assert f"\n  grognard {name}" in ran.out or f"| grognard {name}" in ran.out


def test_help_explains_every_policy_and_the_format_of_scripts(command: Command) -> None:
    out = command("play", "--help", width=200).out
    assert all(f"\n  {policy} " in out for policy in grognard.Policy)
    assert '{"choose": "yes"}' in out


TURN = {
    "system": "supply",
    "turn": {"side": "red"},
    "units": [
        {"id": name, "side": side, "die": 6, "strength": 2, "range": 3, "ammo": 1, "supply": 1, "at": [2, row]}
        for name, side, row in (("guns", "red", 1), ("scouts", "red", 2), ("rifles", "blue", 3))
    ],
}


def test_a_turn_has_odds_advice_and_a_list_of_its_attacks(command: Command, written: Writer) -> None:
    file = written(TURN)
    battle = grognard.load(file)
    assert command("odds", file, "--json").json == grognard.odds(battle).to_dict()
    assert "Enemies destroyed" in command("odds", file).out
    assert command("advise", file, "--json").json == grognard.advise(battle).to_dict()
    listed = command("attacks", file, "--json").json
    assert listed == {"attacks": [attack.to_dict() for attack in grognard.attacks(battle)]}
    assert [attack["id"] for attack in listed["attacks"]] == ["guns on rifles", "scouts on rifles"]
    assert any(line.startswith("  guns on rifles ") for line in command("attacks", file).lines)
    refused = command("attacks", file, "--objective", "kill")
    assert (2, "") == (refused.status, refused.out)
    assert "--objective" in refused.err
