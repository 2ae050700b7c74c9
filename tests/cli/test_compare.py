import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import EXAMPLES, Command, Writer, duel, invitation
from tests.cli.test_process import LOADED

import grognard
from grognard.cli.solve import case_names
from grognard.systems import names as systems

ONE_EACH = [path for path in EXAMPLES if path.name.startswith("02-") and path.parent.name in systems()]
WIDTHS = (40, 80, 120)


def test_json_is_what_the_engine_tells(command: Command, written: Writer) -> None:
    file = written(duel(2, 2))
    battle = grognard.load(file)
    one = command("compare", file, "--switch", "ties", "--objective", "ground", "--fractions", "--json")
    assert (one.status, one.err) == (0, "")
    assert one.json == grognard.compare(battle, "ties", objective="ground", fractions=True).to_dict()
    every = command("compare", file, "--all-switches", "--attacker", "eager", "--json")
    assert every.json == grognard.compare(battle, attacker="eager").to_dict()
    assert command("compare", file, "--json").json == grognard.compare(battle).to_dict()


def test_a_house_rule_on_a_page(command: Command, written: Writer) -> None:
    lines = command("compare", written(duel()), "--switch", "ties").lines
    assert "ties: who wins a pair of equal dice, or whether both or neither lose a unit" in lines
    start = lines.index("House rule")
    assert lines[start : start + 6] == [
        "House rule",
        "                       net losses (swing)   change  odds that move",
        "  defender (as it is)             −0.1000",
        "  attacker                        +0.1000  +0.2000         10.00 %",
        "  both                                  0  +0.1000         10.00 %",
        "  neither                               0  +0.1000         10.00 %",
    ]
    start = lines.index("Who holds the Location")
    assert [line.split() for line in lines[start + 1 : start + 4]] == [
        ["defender", "attacker", "both", "neither"],
        ["Blue", "55.00", "%", "45.00", "%", "−10.00", "45.00", "%", "−10.00", "55.00", "%", "·"],
        ["Red", "45.00", "%", "55.00", "%", "+10.00", "45.00", "%", "·", "45.00", "%", "·"],
    ]


def test_results_that_change_are_listed_the_largest_change_first(command: Command, written: Writer) -> None:
    lines = command("compare", written(duel()), "--switch", "ties", width=120).lines
    start = lines.index("All results whose chance changes, the largest change first")
    assert ["  Blue 1 · Red 0 · possession Blue", "  Blue 0 · Red 1 · possession Red"] == [
        line.partition(" · returns")[0] for line in lines[start + 2 : start + 4]
    ]


def test_a_house_rule_that_changes_nothing_says_so(command: Command, written: Writer) -> None:
    ran = command("compare", written(duel()), "--switch", "nobody_left")
    assert ran.lines[-1] == "This house rule changes nothing here."


def test_all_house_rules_on_a_page(command: Command, written: Writer) -> None:
    lines = command("compare", written(duel()), "--all-switches", width=120).lines
    assert "as written here  −0.1000" in lines
    start = lines.index("House rules that matter")
    assert lines[start + 1].split() == ["house", "rule", "change", "odds", "that", "move", "what", "changes", "most"]
    assert re.match(r"  ties = attacker +\+0\.2000 +█+ +10\.00 % +\S.*: [\d.]+ → [\d.]+ %$", lines[start + 2])
    last = "Changes nothing here  exchange_on · who_rolls · defending_losses · duration · nobody_left"
    assert lines[-1] == last


def test_a_value_that_is_not_legal_here_says_why(command: Command, written: Writer) -> None:
    unit = {"die": 6, "strength": 2, "range": 1, "ammo": 1, "supply": 1}
    diagonal = {
        "system": "supply",
        "units": [
            {"id": "guns", "side": "red", "at": [1, 1], **unit},
            {"id": "foe", "side": "blue", "at": [2, 2], **unit},
        ],
        "attack": {"by": "guns", "on": "foe"},
        "rules": {"distance": "diagonal"},
    }
    one, every = (command("compare", written(diagonal), *how, width=250) for how in (["--switch", "distance"], []))
    why = grognard.compare(grognard.battle(diagonal), "distance").excluded[0].why
    assert f"orthogonal: {why}" in one.lines
    assert ["Not possible here", f"  distance = orthogonal  {why}"] == every.lines[-2:]


def test_set_ups_side_by_side(command: Command, written: Writer) -> None:
    lines = command("compare", written(duel(1, 1), "alone.json"), written(duel(2, 1), "together.json")).lines
    start = lines.index("Battles side by side")
    assert [line.split() for line in lines[start + 2 : start + 4]] == [
        ["alone", "(the", "first)", "−0.1000"],
        ["together", "+0.2300", "+0.3300"],
    ]


def test_two_files_of_one_name_are_told_apart() -> None:
    assert ["a/x.toml", "b/x.toml", "y"] == case_names(("a/x.toml", "b/x.toml", "c/y.toml"))
    assert ["standard input", "y"] == case_names(("-", "y.json"))
    assert ["x.toml (1)", "x.toml (2)"] == case_names(("x.toml", "x.toml"))


def test_equal_set_ups_have_the_same_odds(command: Command, written: Writer) -> None:
    ran = command("compare", written(duel(), "a.json"), written(duel(), "b.json"))
    assert ran.lines[-1] == "These battles have the same odds."


@pytest.mark.parametrize("path", ONE_EACH, ids=lambda path: path.parent.name)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_system_fits_the_terminal(command: Command, path: Path, width: int) -> None:
    battle = grognard.load(path)
    switch = grognard.compare(battle).effects[0].switch if grognard.compare(battle).effects else None
    for options in [["--all-switches"], *([["--switch", switch]] if switch else [])]:
        ran = command("compare", path, *options, width=width)
        assert ran.status == 0
        assert max(map(len, ran.lines)) <= width


def test_fractions_stand_behind_the_values(command: Command, written: Writer) -> None:
    ran = command("compare", written(duel()), "--switch", "ties", "--fractions")
    assert "  attacker                        +0.1000  1/10   +0.2000         10.00 %" in ran.lines


def test_a_long_measure_leaves_out_what_is_unlikely_everywhere(command: Command) -> None:
    file = next(path for path in EXAMPLES if path.name == "07-siege.toml")
    short, long = (command("compare", file, "--switch", "cancelling", *more) for more in ([], ["--all"]))
    assert "  values below 0.5 % everywhere are left out" in short.lines
    assert "  --all lists the others" in short.lines
    assert not any("--all" in line for line in long.lines)
    assert len(short.lines) < len(long.lines)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["FILE", "--switch", "tie"], "switch: unknown switch `tie`, did you mean `ties`?"),
        (["FILE", "FILE", "--switch", "ties"], "--switch: house rules are compared in one FILE, but several are given"),
        (["FILE", "--switch", "ties", "--all-switches"], "--switch: --all-switches compares every house rule already"),
        (["-", "-"], "standard input is one battle already"),
        (["FILE", "--objective", "glory"], 'objective: ranks has no objective "glory"'),
        (["FILE", "--plot", "picture.pdf"], "--plot: picture.pdf needs one of the endings .svg, .png"),
        (["FILE", "--plot", "/no/such/folder/a.svg"], "--plot: /no/such/folder/a.svg cannot be written"),
        (["FILE", "no.toml"], "no.toml: cannot be read"),
    ],
)
def test_what_cannot_be_compared_is_refused(command: Command, written: Writer, arguments: list[str], said: str) -> None:
    file = written(duel())
    ran = command("compare", *(file if argument == "FILE" else argument for argument in arguments))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(said)


def test_battles_of_different_systems_are_refused(command: Command, written: Writer) -> None:
    other = next(path for path in EXAMPLES if path.parent.name == "supply")
    ran = command("compare", written(duel()), other)
    assert (ran.status, ran.out) == (2, "")
    assert "not of ranks, supply" in ran.err


def test_a_battle_too_large_offers_sampling(command: Command, written: Writer) -> None:
    ran = command("compare", written(duel(4_000, 4_000)), "--switch", "ties")
    assert (ran.status, ran.out) == (1, "")
    assert "grognard simulate" in ran.err


def test_a_picture_is_written_and_told_of(command: Command, written: Writer, tmp_path: Path) -> None:
    picture = tmp_path / "switches.svg"
    ran = command("compare", written(invitation()), "--plot", picture, width=400)
    assert ran.err == f"written: {picture}\n"
    assert "ties = attacker" in picture.read_text()
    quiet = command("compare", written(invitation()), "--switch", "ties", "--plot", tmp_path / "ties.png", "--json")
    assert (quiet.json["switch"], (tmp_path / "ties.png").exists()) == ("ties", True)


def test_without_matplotlib_nothing_is_worked_out(
    command: Command, written: Writer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    ran = command("compare", written(duel()), "--plot", tmp_path / "a.svg")
    assert (ran.status, ran.out, ran.err) == (1, "", "this needs matplotlib: pip install 'grognard[plot]'\n")


@pytest.mark.parametrize("command", [["odds", "FILE"], ["compare", "FILE", "--switch", "ties"], ["report", "FILE"]])
def test_nothing_is_loaded_to_draw_or_tabulate_unless_asked_for(command: list[str], written: Writer) -> None:
    arguments = [written(duel()) if argument == "FILE" else argument for argument in command]
    run = subprocess.run([sys.executable, "-c", LOADED, *arguments], capture_output=True, text=True, check=True)
    assert set(run.stderr.split()).isdisjoint({"matplotlib", "pandas", "pyarrow", "distributed"})
