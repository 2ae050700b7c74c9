"""Where a server listens and keeps its battles if nobody says otherwise."""

import socket
import sys
from pathlib import Path

import pytest

from grognard.cli.serve import listen
from grognard.server.settings import Settings, data_folder, make_folder


def test_by_default_it_listens_on_this_machine_alone() -> None:
    assert Settings().base_url == "http://127.0.0.1:8000"


@pytest.mark.parametrize(
    ("settings", "url"),
    [
        (Settings(host="::1", port=80), "http://[::1]:80"),
        (Settings(public_url="https://battles.example/table/"), "https://battles.example/table"),
    ],
)
def test_links_begin_with_where_people_reach_it(settings: Settings, url: str) -> None:
    assert settings.base_url == url


@pytest.mark.parametrize(
    ("platform", "variable", "value", "folder"),
    [
        ("linux", "XDG_DATA_HOME", "/data", "/data/grognard"),
        ("linux", "XDG_DATA_HOME", "", "/home/me/.local/share/grognard"),
        ("linux", "XDG_DATA_HOME", "relative", "/home/me/.local/share/grognard"),
        ("darwin", "XDG_DATA_HOME", "/data", "/home/me/Library/Application Support/grognard"),
        ("win32", "LOCALAPPDATA", "/local", "/local/grognard"),
        ("win32", "LOCALAPPDATA", "", "/home/me/AppData/Local/grognard"),
    ],
)
def test_battles_are_kept_among_the_users_data(
    monkeypatch: pytest.MonkeyPatch, platform: str, variable: str, value: str, folder: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    monkeypatch.setenv(variable, value)
    assert data_folder() == Path(folder)
    assert Settings().database == f"sqlite:///{folder}/battles.sqlite3"


def test_the_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "share" / "grognard"
    make_folder(f"sqlite:///{folder}/battles.sqlite3")
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("database", ["sqlite://", "sqlite:///:memory:", "postgresql+psycopg:///made/there"])
def test_where_there_is_no_file_there_is_no_folder_to_make(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str
) -> None:
    monkeypatch.chdir(tmp_path)
    make_folder(database)
    assert list(tmp_path.iterdir()) == []


def test_no_half_of_an_answer_waits_for_the_other_to_arrive() -> None:
    with listen("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        connection, _ = listening.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
