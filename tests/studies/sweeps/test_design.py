"""What a design may say, and what is said of one that is wrong: every fault at once, with its place and line."""

import json
from pathlib import Path

import pytest
from tests.studies.sweeps.designs import design, dice, duel, strengths

from grognard.core.errors import BattleError, GrognardError
from grognard.core.systems import Json
from grognard.files.paths import PathError, format_path, parse_path
from grognard.studies.sweeps import sweep
from grognard.studies.sweeps.design import load_design
from grognard.studies.sweeps.plan import TooMany, make_plan

ROOT = Path(__file__).parents[3]
DESIGNS = sorted((ROOT / "examples" / "designs").glob("*.toml"))


def faults(given: Json) -> list[tuple[str, str]]:
    with pytest.raises(BattleError) as refused:
        make_plan(load_design(given), None)
    return [(fault.place, fault.message) for fault in refused.value.faults]


UNITS = "id, side, die, strength, range, ammo, supply, at, indirect, fired, countered"

PATHS = [
    ("units[0].strenght", f"in `units[0]`: unknown key `strenght`, did you mean `strength`? known: {UNITS}"),
    ("unit[0].die", "unknown key `unit`, did you mean `units`? known: units, attack, turn, rules"),
    ("units[2].die", "there is no `units[2]`: `units` has 2, counted from 0"),
    ("units[0].at[2]", "there is no `units[0].at[2]`: `units[0].at` has 2, counted from 0"),
    ("units[0].die.faces", "`units[0].die` is one of 4, 6, 8, 10, 12, 20: it has no `faces`"),
    ("attack[0]", "`attack` is a table with `by`, `on`, not a list"),
    ("units[0", 'found "units[0", expected a path such as rules.… or …[0].…'),
    ("", 'found "", expected a path such as rules.… or …[0].…'),
    ("[0]", 'found "[0]", expected a path such as rules.… or …[0].…'),
]


@pytest.mark.parametrize(("path", "message"), PATHS)
def test_a_path_that_does_not_exist(path: str, message: str) -> None:
    assert faults(design({"path": path, "values": [1]})) == [("vary[0].path", message)]


def test_a_switch_that_does_not_exist() -> None:
    ((place, message),) = faults(design({"path": "rules.cancel", "values": "all"}))
    assert place == "vary[0].path"
    assert message.startswith("in `rules`: unknown switch `cancel`, did you mean `cancelling`? known: distance, ")


@pytest.mark.parametrize("text", ["units[0].at[1]", 'board.capitals."the red side"', 'a."b\\"c".d', "rules.ties"])
def test_a_path_is_written_as_it_is_read(text: str) -> None:
    assert format_path(parse_path(text)) == text


@pytest.mark.parametrize("text", ["a..b", "a.", ".a", "a b", "a[b]", "a[-1]", 'a."b', "a[1"])
def test_a_path_that_is_none(text: str) -> None:
    with pytest.raises(PathError):
        parse_path(text)


DIE = "one of 4, 6, 8, 10, 12, 20"
VARY: list[tuple[Json, str, str]] = [
    ({"path": "units[0].die", "values": []}, "vary[0].values", "an empty grid: there is no value in it"),
    (
        {"path": "units[0].strength", "range": [5, 1]},
        "vary[0].range",
        "an empty grid: there is no number from 5 to 1",
    ),
    ({"path": "units[0].die", "values": [4, 5]}, "vary[0].values[1]", f"found 5, expected {DIE}"),
    ({"path": "units[0].strength", "range": [0, 3]}, "vary[0].range", "found 0, expected a whole number ≥ 1"),
    (
        {"path": "units[0].strength", "range": [1]},
        "vary[0].range",
        "found [1], expected [first, last] or [first, last, step]",
    ),
    (
        {"path": "units[0].strength", "range": [1, 9, 0]},
        "vary[0].range",
        "found [1, 9, 0], expected [first, last] or [first, last, step]",
    ),
    (
        {"path": "units[0].die", "range": [1, 10**9]},
        "vary[0].range",
        "1,000,000,000 numbers, of which not all fit: list the `values` instead",
    ),
    (
        {"path": "units[0].strength", "values": "all"},
        "vary[0].values",
        "`units[0].strength` is a whole number ≥ 1: its values cannot be listed, write them",
    ),
    ({"path": "units[0].die", "values": 4}, "vary[0].values", 'found 4, expected a list of values, or "all"'),
    (
        {"path": "units[0].die"},
        "vary[0]",
        "does not say how it varies: expected one of values, range, together, roster",
    ),
    (
        {"path": "units[0].die", "values": [4], "range": [4, 6]},
        "vary[0]",
        "has `values` and `range`: expected one of values, range, together, roster",
    ),
    ({"values": [4]}, "vary[0].path", "is missing"),
    ({"path": 3, "values": [4]}, "vary[0].path", "found 3, expected a path or a list of them"),
    (
        {"path": "units[0].die", "values": [4], "nmae": "a"},
        "vary[0].nmae",
        "unknown key `nmae`, did you mean `name`? known: name, path, values, range, together, roster",
    ),
    ({"path": "units[0].die", "values": [4], "name": 4}, "vary[0].name", "found 4, expected 1 name"),
    (
        {"path": ["units[0].die", "units[0].ammo"], "together": [[4, 1], [6]]},
        "vary[0].together",
        "expected lists of 2: a value for each path",
    ),
    (
        {"path": ["units[0].die", "units[0].ammo"], "together": [[4, 1], [6, -1]]},
        "vary[0].together[1]",
        "found -1, expected a whole number ≥ 0",
    ),
    ({"path": "units[0]", "roster": 3}, "vary[0].roster", "found 3, expected true or a list of names"),
    (
        {"path": "units[0].die", "roster": True},
        "vary[0].path",
        "a roster needs one path, to a unit: a table on which a card is laid",
    ),
    (
        {"path": "units[0]", "roster": ["guards", "rifels"]},
        "vary[0].roster[1]",
        "unknown card `rifels`, did you mean `rifles`? known: militia, rifles, guards, scouts, machine guns, mortar, "
        "howitzers, armour, siege gun",
    ),
]


@pytest.mark.parametrize(("vary", "place", "message"), VARY, ids=[f"{place}: {text}" for _, place, text in VARY])
def test_something_that_varies_wrongly(vary: Json, place: str, message: str) -> None:
    assert faults(design(vary)) == [(place, message)]


OTHERS: list[tuple[Json, str, str]] = [
    ({"vary": []}, "vary", "nothing varies: an empty grid; expected at least one [[vary]] with a `path`"),
    ({"vary": 3}, "vary", "found 3, expected tables: [[vary]]"),
    ({"base": "a.toml"}, "base", "a design has either `base`, the path of a battle file, or a table `battle`"),
    (
        {"attacker": "beast"},
        "attacker",
        'found "beast", expected one of "best", "eager", "cautious", "random", "greedy"',
    ),
    ({"objective": "ground"}, "objective", 'found "ground", expected one of "swing", "kill"'),
    ({"sample": 0}, "sample", "found 0, expected a whole number ≥ 1"),
    ({"seed": "a"}, "seed", 'found "a", expected a whole number ≥ 0'),
    ({"measures": 3}, "measures", "found 3, expected a table of names, each with a formula"),
    ({"measures": {"a": 3}}, "measures.a", "found 3, expected a formula as text"),
    ({"measures": {"attack": "value"}}, "vary", 'two columns are called "attack": give one another `name`'),
    ({"measures": {"fault": "value"}}, "vary", 'no column can be called "fault"'),
    ({"measures": {"\ud800": "value"}}, "vary", 'no column can be called "\\ud800"'),
    ({"roster": {"a": 1}}, "roster", "found a table, expected a table of cards: [roster.NAME]"),
    ({"plot": {"x": "atack"}}, "plot.x", "unknown column `atack`, did you mean `attack`? known: attack, defence"),
    ({"plot": {"kind": "pie"}}, "plot.kind", "unknown kind `pie`; known: heat, curves"),
    ({"plot": {"z": "a"}}, "plot.z", "unknown key `z`; known: kind, x, y, lines, panels, measure"),
    (
        {"battle": {"system": "suply"}},
        "battle.system",
        "unknown system `suply`, did you mean `supply`? known: assault, frames, ranks, supply, tower",
    ),
    ({"battle": 3}, "battle", "found 3, expected a table with `system`"),
]


@pytest.mark.parametrize(("changed", "place", "message"), OTHERS, ids=[place for _, place, _ in OTHERS])
def test_a_design_that_is_wrong(changed: Json, place: str, message: str) -> None:
    assert faults(design(*strengths(2)) | changed) == [(place, message)]


def test_all_faults_are_told_at_once() -> None:
    wrong = design({"path": "units[0].dye", "values": [4]}, {"path": "units[0].die", "values": [5]}, seed=-1, sede=1)
    assert [place for place, _ in faults(wrong)] == ["sede", "vary[0].path", "vary[1].values[0]", "seed"]


def test_faults_have_their_lines_in_the_design(tmp_path: Path) -> None:
    path = tmp_path / "design.toml"
    path.write_text(
        f'# Why?\nbase = "{ROOT}/examples/supply/01-picket.toml"\n[[vary]]\npath = "units[0].dye"\nvalues = [4]\n'
    )
    with pytest.raises(BattleError) as refused:
        load_design(path)
    assert str(refused.value).startswith(
        f"{path}:4: vary[0].path: in `units[0]`: unknown key `dye`, did you mean `die`?"
    )


def test_faults_of_the_base_have_their_lines_in_its_file(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text('system = "ranks"\n[defender]\nplayer = "Blue"\nunits = 0\n')
    (tmp_path / "design.toml").write_text('base = "base.toml"\n[[vary]]\npath = "rules.die"\nvalues = "all"\n')
    with pytest.raises(BattleError) as refused:
        sweep(tmp_path / "design.toml")
    assert str(refused.value).splitlines() == [
        f"{tmp_path}/base.toml:4: defender.units: found 0, expected a whole number ≥ 1",
        f"{tmp_path}/base.toml: arrivals: is missing: expected a list of tables with `player`, `side`, `units`",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("vary = [", "design.toml:1: is not TOML"),
        ('base = "none.toml"\n', "none.toml: cannot be read: no such file or directory"),
        ("base = 3\n", "design.toml:1: base: found 3, expected the path of a battle file"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "design.toml").write_text(text)
    with pytest.raises(BattleError) as refused:
        load_design(tmp_path / "design.toml")
    assert message in str(refused.value)


def test_a_long_table_may_begin_with_match_ups_that_are_no_battle() -> None:
    far = {"path": "units[0].at[0]", "values": [9, 1]}
    supplies = [{"path": f"units[{n}].supply", "range": [1, 40]} for n in (0, 1)]
    assert 3200 == len(make_plan(load_design(design(far, *supplies)), None).rows)
    with pytest.raises(BattleError, match=r"vary: none of 2,000 match-ups is a battle"):
        make_plan(load_design(design(far | {"values": [9, 8]}, *supplies)), None)


def test_a_grid_of_a_thousand_million_is_refused_with_its_size_unless_one_insists() -> None:
    thousand = {"range": [1, 1000]}
    huge = design(*({"path": path} | thousand for path in ("units[0].range", "units[0].supply", "units[1].supply")))
    with pytest.raises(TooMany, match=r"1,000,000,000 match-ups, of a grid of 1,000 × 1,000 × 1,000"):
        sweep(huge)
    assert make_plan(load_design(huge), None).chunks > 10**5
    assert len(sweep(huge | {"sample": 3, "seed": 4}, workers=1)) == 3


def test_a_grid_that_nobody_can_count() -> None:
    places = [f"units[{unit}].{key}" for unit in (0, 1) for key in ("strength", "supply", "ammo")]
    huge = design(*({"path": place, "range": [1, 10**6]} for place in places))
    with pytest.raises(GrognardError, match="more than can be counted"):
        sweep(huge | {"sample": 3}, yes=True)


def test_if_no_match_up_is_a_battle_the_design_is_refused() -> None:
    far = design({"path": "units[0].at", "values": [[8, 8], [9, 9]]})
    ((place, message),) = faults(far)
    assert place == "vary"
    assert message == (
        "none of the match-ups is a battle that can be solved. "
        "The first: attack.on: rifles is 13 squares from guns, whose range is 1"
    )


def test_a_later_factor_must_not_write_over_an_earlier_one() -> None:
    given = design({"path": "units[0].strength", "values": [1]}, {"path": "units[0]", "roster": True})
    assert faults(given) == [("vary[1]", "writes over `units[0].strength`, which vary[0] varies")]


def test_a_card_may_be_varied_further() -> None:
    given = design(
        {"path": "units[0]", "roster": ["rifles", "guards"]}, {"path": "units[0].strength", "values": [1, 2]}
    )
    rows = list(sweep(given | {"measures": {"worth": "value"}}, workers=1).rows)
    assert [row[:2] for row in rows] == [("rifles", 1), ("rifles", 2), ("guards", 1), ("guards", 2)]
    assert len({row[2] for row in rows}) == 4


def test_cards_of_ones_own() -> None:
    cards = {"weak": {"strength": 1}, "strong": {"strength": 5, "die": 12}}
    table = sweep(design({"path": "units[0]", "roster": True, "name": "card"}, roster=cards), workers=1)
    assert [row[0] for row in table.rows] == ["weak", "strong"]
    wrong = design({"path": "units[0]", "roster": True}, roster={"odd": {"strenght": 1, "die": 7}})
    unknown, seven = faults(wrong)
    assert unknown[1].startswith('card "odd": units[0].strenght: in `units[0]`: unknown key `strenght`, did you mean')
    assert seven == ("vary[0].roster", f'card "odd": units[0].die: found 7, expected {DIE}')


def test_things_that_move_together_have_a_column_each() -> None:
    given = design({"path": ["units[0].die", "units[0].ammo"], "together": [[4, 0], [8, 1]], "name": ["die", "cost"]})
    table = sweep(given, workers=1)
    assert table.columns[:2] == ["die", "cost"]
    assert [row[:2] for row in table.rows] == [(4, 0), (8, 1)]


def test_lists_and_tables_are_cells_of_json() -> None:
    table = sweep(design({"path": "units[0].at", "values": [[1, 1], [2, 2]]}), workers=1)
    assert [row[0] for row in table.rows] == ["[1, 1]", "[2, 2]"]


def test_a_switch_that_the_battle_does_not_name_can_vary() -> None:
    battle = {key: value for key, value in duel().items() if key != "rules"}
    table = sweep({"battle": battle, "vary": [{"path": "rules.cancelling", "values": "all"}]}, workers=1)
    assert [row[0] for row in table.rows] == ["matching", "ranked"]


@pytest.mark.parametrize("path", DESIGNS, ids=lambda path: path.stem)
def test_an_example_asks_a_question_and_its_picture_is_in_the_docs(path: Path) -> None:
    read = load_design(path)
    assert read.question.endswith("?")
    assert read.formulas
    assert path.read_text().startswith(f"# {read.question}\n")
    picture = ROOT / "docs" / "pictures" / f"sweep-{path.stem}.svg"
    assert picture.read_text().startswith("<?xml")
    docs = (ROOT / "docs" / "sweeps.md").read_text()
    assert f"pictures/{picture.name}" in docs
    assert read.question in docs


def test_there_are_five_examples() -> None:
    assert len(DESIGNS) == 5


def test_a_design_in_json_is_the_same(tmp_path: Path) -> None:
    given = design(*strengths(2), *dice([4, 6]))
    (tmp_path / "design.json").write_text(json.dumps(given))
    plans = [make_plan(load_design(one), None) for one in (given, tmp_path / "design.json")]
    assert plans[0].identity == plans[1].identity
