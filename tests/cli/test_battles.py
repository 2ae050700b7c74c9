import json
from pathlib import Path

import pytest
from tests.cli.conftest import EXAMPLES, Command, Writer, duel

from grognard.systems import find, names

ALL = names()


def test_systems_are_listed(command: Command) -> None:
    ran = command("systems", "--json")
    assert [system["name"] for system in ran.json] == ALL
    assert all(set(system) == {"name", "title", "summary", "objectives"} for system in ran.json)
    assert all(find(name).title in command("systems").out for name in ALL)


@pytest.mark.parametrize("name", ALL)
def test_rules_tell_every_rule_paragraph_switch_and_source(command: Command, name: str) -> None:
    told, system = command("rules", name, "--json").json, find(name)
    assert [rule["says"] for rule in told["rules"]] == [rule.says for rule in system.rules]
    assert told["paragraphs"] == dict(system.paragraphs)
    assert len(told["sources"]) == len(system.sources())
    assert all(switch["says"] for switch in told["switches"])
    assert all(switch["default"] not in switch["alternatives"] for switch in told["switches"])


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_rules_can_be_read_at_any_width(command: Command, name: str, width: int) -> None:
    ran, system = command("rules", name, width=width), find(name)
    assert max(len(line) for line in ran.lines) <= width
    words = {word for paragraph in system.paragraphs for word in paragraph.split()}
    assert words <= set(ran.out.split())
    assert command("rules", name, "--sources", width=width).status == 0


def test_switches_are_told_with_default_and_alternatives(command: Command) -> None:
    lines = command("rules", "ranks", width=120).lines
    at = next(n for n, line in enumerate(lines) if line.startswith("  ties  "))
    assert lines[at].endswith("[1.1.00]")
    assert lines[at + 1].strip() == '"defender" (default), "attacker", "both", "neither"'


def test_an_unknown_system_is_refused_with_the_known_ones(command: Command) -> None:
    ran = command("rules", "rank")
    assert (ran.status, ran.out) == (2, "")
    assert all(name in ran.err for name in ALL)


@pytest.mark.parametrize("name", ALL)
def test_a_new_battle_is_a_legal_one(command: Command, tmp_path: Path, name: str) -> None:
    printed = command("new", name)
    assert command("check", "-", stdin=printed.out).status == 0
    file = tmp_path / "new.toml"
    assert command("new", name, "-o", file).out == ""
    assert file.read_text() == printed.out
    assert command("check", "-", "--json", stdin=command("new", name, "--json").out).json["system"] == name


def test_a_new_battle_overwrites_nothing(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("precious")
    ran = command("new", "ranks", "-o", file)
    assert (ran.status, ran.err, file.read_text()) == (2, f"--output: {file} is there already\n", "precious")


def test_check_tells_the_switches_that_are_turned(command: Command, written: Writer) -> None:
    file = written(duel(ties="both", die=10))
    assert command("check", file, "--json").json == {"legal": True, "system": "ranks", "rules": {"ties": "both"}}
    assert command("check", file).lines == [
        "RiskyStars: Red against Blue",
        "battle.json · a legal battle",
        'ties = "both"',
    ]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_example_is_legal_and_its_turn_can_end(command: Command, path: Path) -> None:
    assert command("check", path).status == 0
    assert command("check", "-", stdin=command("end-turn", path).out).status == 0


TIRED = {
    "system": "supply",
    "units": [
        {"id": "a", "side": "red", "die": 6, "strength": 1, "range": 1, "ammo": 0, "supply": 0, "at": [1, 1]},
        {"id": "b", "side": "blue", "die": 6, "strength": 1, "range": 1, "ammo": 0, "supply": 0, "at": [1, 2]},
        {
            "id": "c",
            "side": "blue",
            "die": 6,
            "strength": 1,
            "range": 1,
            "ammo": 0,
            "supply": 0,
            "at": [2, 2],
            "fired": True,
        },
    ],
    "attack": {"by": "a", "on": "b"},
}


def test_the_turn_ends_where_it_is_wanted(command: Command, written: Writer, tmp_path: Path) -> None:
    file = written(TIRED)
    cleared = command("end-turn", file, "--json").json
    assert not any(unit.get("fired") for unit in cleared["units"])
    output = tmp_path / "next.json"
    assert command("end-turn", file, "-o", output).out == ""
    assert json.loads(output.read_text()) == cleared
    assert json.loads(Path(file).read_text()) == TIRED
    assert command("end-turn", file, "--in-place").out == ""
    assert json.loads(Path(file).read_text()) == cleared


@pytest.mark.parametrize("options", [["-", "--in-place"], ["x.toml", "--in-place", "-o", "y.toml"]])
def test_in_place_needs_one_place(command: Command, options: list[str]) -> None:
    ran = command("end-turn", *options)
    assert (ran.status, ran.err) == (2, "--in-place: needs a FILE of its own, and no --output\n")
