"""The commands about systems and battle files: systems, rules, new, examples, check, end-turn."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import EXAMPLES, ROOT, Command, Writer, duel

from grognard.studies.sweeps.design import load_design
from grognard.systems import find, names

ALL = names()


def test_systems_are_listed(command: Command) -> None:
    listed = command("systems", "--json").json
    assert [system["name"] for system in listed] == ALL
    assert all(set(system) == {"name", "title", "summary", "objectives"} for system in listed)
    assert all(find(name).title in command("systems").out for name in ALL)


@pytest.mark.parametrize("name", ALL)
def test_rules_have_every_rule_paragraph_switch_source_and_card(command: Command, name: str) -> None:
    data, system = command("rules", name, "--cards", "--json").json, find(name)
    assert [rule["says"] for rule in data["rules"]] == [rule.description for rule in system.rules]
    assert data["paragraphs"] == dict(system.paragraphs)
    assert len(data["sources"]) == len(system.sources())
    assert list(data["cards"]) == list(system.roster())
    assert all(switch["says"] for switch in data["switches"])
    assert all(switch["default"] not in switch["alternatives"] for switch in data["switches"])


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("width", [40, 120])
def test_rules_can_be_read_at_any_width_without_a_broken_word(command: Command, name: str, width: int) -> None:
    ran, system = command("rules", name, width=width), find(name)
    assert max(len(line) for line in ran.lines) <= width
    words = {word for rule in system.rules for word in rule.description.split()}
    words |= {word for paragraph in system.paragraphs for word in paragraph.split()}
    assert words <= set(ran.out.split())


@pytest.mark.parametrize("name", ALL)
def test_every_card_is_listed_with_its_figures(command: Command, name: str) -> None:
    out = command("rules", name, "--cards", width=300).out
    assert all(card in out for card in find(name).roster())
    assert "there are no ready-made units" in out or find(name).roster()


def test_the_schema_is_printed_and_written(command: Command, tmp_path: Path) -> None:
    printed = command("schema", "ranks")
    assert printed.json["properties"]["system"]["const"] == "ranks"
    ran = command("schema", "ranks", "-o", tmp_path / "schema.json")
    assert (ran.err, (tmp_path / "schema.json").read_text()) == (f"written: {tmp_path / 'schema.json'}\n", printed.out)


def test_a_house_rule_is_shown_with_what_is_written_and_its_alternatives(command: Command) -> None:
    lines = command("rules", "ranks", width=120).lines
    at = next(n for n, line in enumerate(lines) if line.startswith("  ties  "))
    assert lines[at].endswith("[1.1.00]")
    assert lines[at + 1].strip() == '"defender" (as written), "attacker", "both", "neither"'


def test_an_unknown_system_is_refused_with_the_known_ones(command: Command) -> None:
    ran = command("rules", "rank")
    assert (ran.status, ran.out) == (2, "")
    assert all(name in ran.err for name in ALL)


@pytest.mark.parametrize("name", ALL)
def test_a_new_battle_is_a_legal_one(command: Command, tmp_path: Path, name: str) -> None:
    printed = command("new", name)
    assert command("check", "-", stdin=printed.out).status == 0
    file = tmp_path / "new.toml"
    ran = command("new", name, "-o", file)
    assert (ran.out, ran.err) == ("", f"written: {file}\n")
    assert file.read_text() == printed.out
    assert command("check", "-", "--json", stdin=command("new", name, "--json").out).json["system"] == name


def test_a_new_battle_overwrites_nothing(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("precious")
    ran = command("new", "ranks", "-o", file)
    assert (ran.status, ran.err, file.read_text()) == (2, f"--output: {file} exists already\n", "precious")


def test_examples_are_listed_and_copied_as_they_are(command: Command, tmp_path: Path) -> None:
    listed = [example["name"] for example in command("examples", "--json").json]
    assert listed == [f"{path.parent.name}/{path.stem}" for path in EXAMPLES]
    ran = command("examples", "ranks/01", "-o", tmp_path / "new")
    copied = tmp_path / "new" / "ranks-01-lone-scout.toml"
    original = next(path for path in EXAMPLES if path.stem == "01-lone-scout")
    assert (ran.out, ran.err, copied.read_text()) == ("", f"written: {copied}\n", original.read_text())
    assert command("examples", "ranks/01", "-o", tmp_path / "new").status == 2


def test_designs_are_copied_with_the_battles_they_vary_and_can_be_swept(command: Command, tmp_path: Path) -> None:
    assert command("examples", "designs", "-o", tmp_path).status == 0
    copied = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.toml"))
    designs = sorted(f"designs/{path.name}" for path in (ROOT / "examples/designs").glob("*.toml"))
    assert ["assault-01-rifles-on-a-machine-gun.toml", *designs, "supply-02-guns-on-rifles.toml"] == copied
    assert len(designs) == len([load_design(tmp_path / name) for name in designs])


def test_all_examples_are_copied_with_the_designs(command: Command, tmp_path: Path) -> None:
    assert command("examples", "-o", tmp_path).status == 0
    assert len(EXAMPLES) == len(list(tmp_path.glob("*.toml")))
    assert len(list((ROOT / "examples/designs").glob("*.toml"))) == len(list(tmp_path.glob("designs/*.toml")))


@pytest.mark.parametrize("name", ["ranks", "ranks/01", "ranks/01-lone-scout", "01-lone-scout", "01-lone-scout.toml"])
def test_an_example_is_found_by_system_name_or_number(command: Command, name: str) -> None:
    assert "ranks/01-lone-scout" in [example["name"] for example in command("examples", name, "--json").json]


def test_an_example_that_does_not_exist_is_refused_with_a_suggestion(command: Command) -> None:
    ran = command("examples", "rank")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "there is no example rank, did you mean ranks? (grognard examples lists them)\n"


def test_check_names_the_house_rules(command: Command, written: Writer) -> None:
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
    ended = command("end-turn", path).out
    assert command("end-turn", "-", stdin=ended).out == ended


def test_the_turn_ends_where_it_is_wanted(command: Command, written: Writer, tmp_path: Path) -> None:
    unit = {"die": 6, "strength": 1, "range": 1, "ammo": 0, "supply": 0}
    tired = {
        "system": "supply",
        "units": [
            {"id": "a", "side": "red", "at": [1, 1], **unit},
            {"id": "b", "side": "blue", "at": [1, 2], "fired": True, **unit},
        ],
        "attack": {"by": "a", "on": "b"},
    }
    file, output = written(tired), tmp_path / "next.json"
    cleared = command("end-turn", file, "--json").json
    assert not any(unit.get("fired") for unit in cleared["units"])
    ran = command("end-turn", file, "-o", output)
    assert (ran.out, ran.err) == ("", f"written: {output}\n")
    assert json.loads(output.read_text()) == cleared
    assert json.loads(Path(file).read_text()) == tired
    assert command("end-turn", file, "--in-place").err == f"written: {file}\n"
    assert json.loads(Path(file).read_text()) == cleared


@pytest.mark.parametrize("options", [["-", "--in-place"], ["x.toml", "--in-place", "-o", "y.toml"]])
def test_in_place_needs_one_place(command: Command, options: list[str]) -> None:
    ran = command("end-turn", *options)
    assert (ran.status, ran.err) == (2, "--in-place: needs a FILE of its own, and no --output\n")
