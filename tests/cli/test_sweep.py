"""The command sweep: what it prints, what it refuses, how it ends."""

import json
import sys
from pathlib import Path

import pytest
from tests.cli.conftest import ROOT, Command, Writer, duel

from grognard.cli.sweep import SweepProgress
from grognard.studies.sweeps import run

DESIGNS = ROOT / "examples" / "designs"


def grid(*, units: int = 3, **others: object) -> dict[str, object]:
    """Red attacks Blue, both with 1 to so many units."""
    paths = {"attack": "arrivals[0].units", "defence": "defender.units"}
    vary = [{"name": name, "path": path, "range": [1, units]} for name, path in paths.items()]
    return {"battle": duel(), "vary": vary, "measures": {"taken": "chance(ground)"}, **others}


def test_a_sweep_on_a_terminal(command: Command, written: Writer) -> None:
    ran = command("sweep", written(grid(units=2)))
    assert ran.status == 0
    assert ran.lines[:3] == [
        "RiskyStars",
        "battle.json · RiskyStars · exact · both sides decide: best",
        "net losses (swing): units the defending side loses, less those the attacking",
    ]
    assert ran.lines[-8].startswith("4 match-ups, ")
    assert ran.lines[-6:] == [
        "Match-ups",
        "  attack  defence   taken",
        "       1        1  0.4500",
        "       1        2  0.0000",
        "       2        1  0.6150",
        "       2        2  0.2685",
    ]


def test_many_rows_are_cut_short(command: Command, written: Writer) -> None:
    ran = command("sweep", written(grid(units=5)))
    assert ran.lines[-2:] == ["  the first 20 of 25", "  -o TABLE writes them all"]


def test_json_has_the_rows_unless_they_are_written(command: Command, written: Writer, tmp_path: Path) -> None:
    document = command("sweep", written(grid(units=1)), "--json").json
    assert document == {
        "system": "ranks",
        "question": "",
        "objective": "swing",
        "policies": {"attacker": "best", "defender": "best"},
        "match_ups": 1,
        "empty": 0,
        "columns": ["attack", "defence", "taken", "fault"],
        "table": None,
        "rows": [{"attack": 1, "defence": 1, "taken": 0.45, "fault": None}],
    }
    output = str(tmp_path / "table.json")
    document = command("sweep", written(grid(units=1)), "-o", output, "--json").json
    assert (document["table"], "rows" in document) == (output, False)
    assert json.loads(Path(output).read_text()) == [{"attack": 1, "defence": 1, "taken": 0.45, "fault": None}]


def test_the_question_of_an_example_stands_first(command: Command) -> None:
    ran = command("sweep", DESIGNS / "02-what-would-a-d8-do.toml", width=120)
    assert (
        ran.lines[0] == "What would a d8 do for riflemen who now roll a d6, and at which strength does it matter most?"
    )


def test_nearest_to_even(command: Command, written: Writer) -> None:
    ran = command("sweep", written(grid()), "--fair")
    start = ran.lines.index("Nearest to even: taken nearest to 0.5")
    assert ran.lines[start : start + 3] == [
        "Nearest to even: taken nearest to 0.5",
        "  attack  defence   taken",
        "       1        1  0.4500",
    ]
    document = command("sweep", written(grid()), "--fair", "--by", "taken", "--json").json
    assert document["fair"][0] == {
        "attack": 1,
        "defence": 1,
        "taken": 0.45,
        "fault": None,
        "distance": pytest.approx(0.05),
    }


def test_prices(command: Command) -> None:
    ran = command("sweep", DESIGNS / "04-worth-their-price.toml", "--price")
    assert ran.status == 0
    assert "Prices by who beats whom: the attacker comes off better" in ran.lines
    document = command("sweep", DESIGNS / "04-worth-their-price.toml", "--price", "--json").json
    assert [one["unit"] for one in document["prices"][:2]] == ["armour", "guards"]
    assert document["prices"][0]["low"] < document["prices"][0]["price"] < document["prices"][0]["high"]
    assert document["attacking"] > 1


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_picture(command: Command, written: Writer, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"map.{ending}"
    assert command("sweep", written(grid()), "--plot", path).status == 0
    assert path.stat().st_size > 1000


def test_without_matplotlib_one_line_says_how_to_get_it(
    command: Command, written: Writer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    ran = command("sweep", written(grid()), "--plot", tmp_path / "map.svg")
    assert (ran.status, ran.out, len(ran.err.splitlines())) == (1, "", 1)
    assert "pip install" in ran.err


def test_match_ups_that_are_no_battle_are_counted(command: Command, written: Writer) -> None:
    given = grid(units=1)
    given["vary"] = [{"path": "arrivals[0].side", "values": ["attack", "defend"]}]
    ran = command("sweep", written(given), width=200)
    assert ran.lines[-1].startswith("1 match-up could not be solved. One of them: arrivals: nobody attacks")


def test_a_grid_of_a_thousand_million(command: Command, written: Writer) -> None:
    given = grid(units=1)
    given["vary"] = [
        {"path": "defender.units", "range": [1, 10**6]},
        {"path": "arrivals[0].units", "range": [1, 10**3]},
    ]
    ran = command("sweep", written(given, "huge.json"))
    assert (ran.status, ran.out) == (2, "")
    assert "this design has 1,000,000,000 match-ups, of a grid of 1,000,000 × 1,000: vary less" in ran.err
    assert "--yes" in ran.err


REFUSED = [
    (["-o", "table.xls"], "--output: table.xls needs one of the endings .parquet, .csv, .json"),
    (["--plot", "map.gif"], "--plot: map.gif needs one of the endings .svg, .png"),
    (["--workers", "0"], "Invalid value for '--workers': 0 is not in the range"),
    (["--workers", "two"], "'two' is not a valid integer"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED, ids=[" ".join(options) for options, _ in REFUSED])
def test_options_that_are_refused(command: Command, written: Writer, options: list[str], message: str) -> None:
    ran = command("sweep", written(grid()), *options)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--fair", "--by", "take"], "unknown measure `take`, did you mean `taken`? known: taken"),
        (["--price"], "prices need two [[vary]] with a roster, one against the other; this design has 0"),
        (["--plot", "picture.svg"], "--plot: too much for one picture: at most 6 panels and 7 lines"),
    ],
)
def test_what_could_not_be_told_is_refused_before_the_work_begins(
    command: Command,
    written: Writer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "_engine", None)
    ran = command("sweep", written(grid(units=8, plot={"kind": "curves"})), "-o", "table.csv", *options)
    assert (1, "") == (ran.status, ran.out)
    assert ran.err.startswith(message)
    assert ["battle.json"] == [path.name for path in tmp_path.iterdir()]


def test_faults_of_the_design_are_status_2(command: Command, written: Writer) -> None:
    ran = command("sweep", written(grid(vary=[{"path": "defender.unit", "values": [1]}])))
    assert (ran.status, ran.out) == (2, "")
    assert "vary[0].path: in `defender`: unknown key `unit`, did you mean `units`?" in ran.err


def test_a_scheduler_that_is_gone_is_status_1(command: Command, written: Writer) -> None:
    ran = command("sweep", written(grid()), "--on", "tcp://127.0.0.1:1")
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == "tcp://127.0.0.1:1: there is no scheduler: Connection refused\n"


def test_a_design_from_standard_input(command: Command) -> None:
    ran = command("sweep", "-", "--json", stdin=json.dumps(grid(units=1)))
    assert ran.json["rows"][0]["taken"] == 0.45


def test_progress_tells_how_much_is_done_and_how_long_the_rest_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("grognard.cli.sweep.monotonic", lambda: now[0])
    progress = SweepProgress()
    progress(1000, 1000, 10_000)
    now[0] += 10
    progress(4000, 1000, 10_000)
    assert progress._line().plain == (
        "4,000 of 10,000 match-ups (40%), 300 a second, 20 s left (Ctrl-C stops, and keeps these)"
    )
