"""Writing a battle file: whole or not at all, and a plain word if it cannot be done."""

import errno
import os
from pathlib import Path

import pytest

from grognard.core.errors import GrognardError
from grognard.files import battle, load, replace_text, write
from tests.files.toy import LARGE, SMALL


@pytest.mark.parametrize("name", ["battle.toml", "battle.json", "battle"])
def test_what_is_written_loads_again(tmp_path: Path, name: str) -> None:
    write(tmp_path / name, LARGE)
    assert battle(LARGE) == load(tmp_path / name)
    assert [name] == [path.name for path in tmp_path.iterdir()]


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "battle.toml"
    write(str(path), LARGE)
    path.chmod(0o640)
    write(str(path), SMALL)
    assert battle(SMALL) == load(path)
    assert 0o640 == path.stat().st_mode & 0o777


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.toml").symlink_to(tmp_path / "battle.toml")
    write(tmp_path / "link.toml", SMALL)
    assert (tmp_path / "link.toml").is_symlink()
    assert battle(SMALL) == load(tmp_path / "battle.toml")


def full_disk(file: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_when_the_disk_is_full_the_old_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "battle.toml"
    write(path, SMALL)

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(GrognardError, match=f"cannot write {path}: no space left on device"):
        write(path, LARGE)
    assert battle(SMALL) == load(path)
    assert [path] == list(tmp_path.iterdir())


def test_a_write_protected_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "battle.toml"
    write(path, SMALL)
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # the superuser may write everywhere
    with pytest.raises(GrognardError, match="it is write-protected"):
        write(path, LARGE)
    assert battle(SMALL) == load(path)


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    for name, reason in (
        ("none/battle.toml", "no such file or directory"),
        ("folder.toml", "is a directory"),
        ("a\0b.toml", "embedded null byte"),
        ("battle.txt", "unknown file ending `.txt`; known: .toml, .json"),
    ):
        with pytest.raises(GrognardError) as caught:
            write(tmp_path / name, SMALL)
        assert f"cannot write {tmp_path / name}: {reason}" == str(caught.value)
    with pytest.raises(GrognardError, match="half a character"):
        write(tmp_path / "battle.toml", {"system": "\ud800"})
    assert ["folder.toml"] == [path.name for path in tmp_path.iterdir()]


def test_a_text_is_replaced_by_a_whole_one_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.json"
    replace_text(path, "whole")
    assert "whole" == path.read_text()
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(GrognardError):
        replace_text(path, "half")
    assert "whole" == path.read_text()


def test_a_pipe_is_written_to_where_it_is(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    end = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    replace_text(tmp_path / "pipe", "whole")
    assert b"whole" == os.read(end, 10)
    os.close(end)
