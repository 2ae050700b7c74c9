"""`grognard verify` and `grognard prune`."""

import json
from pathlib import Path

import pytest

from grognard.__main__ import main
from grognard.core.systems import Json
from grognard.files import battle as read_battle
from grognard.plays.fair import FairDice, commit, fair_log
from grognard.server.live.store import Entry, NewEntry, Record, Store
from tests.server.live.fair import played
from tests.server.live.servers import battle

DICE = FairDice(b"7" * 32, (("Red", "one"), ("Blue", "two")))


class Command:
    """Runs the command in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, *arguments: object) -> tuple[int, str, str]:
        """Exit status, standard output, standard error."""
        self.monkeypatch.setattr("sys.argv", ["grognard", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        said = self.capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err


@pytest.fixture
def grognard(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(monkeypatch, capsys)


@pytest.fixture
def log() -> Json:
    return fair_log(played(read_battle(battle("ranks", "02")), DICE), DICE)


def write(folder: Path, log: Json) -> Path:
    file = folder / "log.json"
    file.write_text(json.dumps(log), "utf-8")
    return file


def test_verify_tells_that_all_dice_follow(grognard: Command, log: Json, tmp_path: Path) -> None:
    status, told, _ = grognard("verify", write(tmp_path, log), "--json")
    assert 0 == status
    assert {
        "verified": True,
        "dice": 7,
        "commitment": commit(DICE.secret),
        "numbers": {"Red": "one", "Blue": "two"},
        "table_dice": 0,
        "differs": [],
    } == json.loads(told)
    status, told, _ = grognard("verify", tmp_path / "log.json")
    assert (0, True) == (status, "verified: all 7 dice" in told)
    assert all(words in told for words in (commit(DICE.secret), "Red: one", "Blue: two"))


def test_verify_fails_with_what_differs(grognard: Command, log: Json, tmp_path: Path) -> None:
    log["moves"][0]["roll"][0] = 11 - log["moves"][0]["roll"][0]
    status, told, _ = grognard("verify", write(tmp_path, log), "--json")
    assert (1, False) == (status, json.loads(told)["verified"])
    assert ["moves[0].roll[0]"] == [line.partition(":")[0] for line in json.loads(told)["differs"]]
    status, told, _ = grognard("verify", tmp_path / "log.json")
    assert (1, True, True) == (status, "moves[0].roll[0]: " in told, "NOT verified" in told)


@pytest.mark.parametrize(("commitment", "status"), [(commit(DICE.secret).upper(), 0), ("ab" * 32, 1)])
def test_verify_compares_the_commitment_that_was_written_down(
    grognard: Command, log: Json, tmp_path: Path, commitment: str, status: int
) -> None:
    found, told, _ = grognard("verify", write(tmp_path, log), "--commitment", commitment, "--json")
    assert (status, status == 0) == (found, json.loads(told)["verified"])


def test_verify_takes_a_log_of_play_and_refuses_what_is_none(grognard: Command, tmp_path: Path) -> None:
    file, log = write(tmp_path, battle("ranks", "02")), tmp_path / "played.json"
    assert 0 == grognard("play", file, "--seed", 7, "--log", log, "--json")[0]
    assert 0 == grognard("verify", log)[0]
    status, told, error = grognard("verify", file)
    assert (2, "", True) == (status, told, "is a battle, not a log" in error)


@pytest.fixture
def full_store(store: Store) -> Store:
    for name, opened in (("old", 1), ("woken", 1), ("new", 2**50)):
        store.open_battle(Record(name, name, opened, {}, {}, None, {"red": "0" * 64}))
    store.append_all([NewEntry("woken", Entry(1, "red", 2**50, {"choose": "yes"}))])
    return store


def test_prune_removes_battles_in_which_nothing_was_done(grognard: Command, full_store: Store) -> None:
    address = full_store.url.render_as_string(hide_password=False)
    status, told, _ = grognard("prune", "--older-than", "30d", "--database", address, "--dry-run")
    assert (0, "1 battle older than 30d, none removed yet\n") == (status, told)
    assert full_store.find("old") is not None
    status, told, _ = grognard("prune", "--older-than", "30d", "--database", address, "--json")
    assert (0, {"older": 1, "removed": 1}) == (status, json.loads(told))
    assert [None, "woken", "new"] == [found and found.id for found in map(full_store.find, ("old", "woken", "new"))]


@pytest.mark.parametrize("age", ["30", "d", "-1d", "1.5d", "30y", "9999999d", ""])
def test_prune_refuses_what_is_no_age(grognard: Command, age: str, tmp_path: Path) -> None:
    status, told, error = grognard("prune", "--older-than", age, "--database", f"sqlite:///{tmp_path / 'x'}")
    assert (2, "", True) == (status, told, "is no age" in error)


def test_prune_makes_no_database(grognard: Command, tmp_path: Path) -> None:
    status, told, error = grognard("prune", "--older-than", "1d", "--database", f"sqlite:///{tmp_path / 'x'}")
    assert (2, "", True) == (status, told, "there is no" in error)
    assert [] == list(tmp_path.iterdir())
