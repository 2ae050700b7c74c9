"""Writing a battle file: atomically, and with an error if it fails."""

import errno
import os
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.core.errors import GrognardError
from grognard.core.systems import Json
from grognard.files import battle, load, replace_text, rewrite_toml, to_toml, write
from tests.files.toy import LARGE, SMALL

EXAMPLES = Path(__file__).parents[2] / "examples"


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


def test_a_failure_to_write_is_reported(tmp_path: Path) -> None:
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


def test_a_text_is_replaced_atomically(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.json"
    replace_text(path, "whole")
    assert "whole" == path.read_text()
    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(GrognardError):
        replace_text(path, "half")
    assert "whole" == path.read_text()


def test_a_pipe_is_written_to_directly(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    end = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    replace_text(tmp_path / "pipe", "whole")
    assert b"whole" == os.read(end, 10)
    os.close(end)


COMMENTED = """\
# the siege, third evening
system = "toys"
turn = 3 # ours

# our best
[[units]]
id = "hero"     # painted
die = 6
range = 0
at = [4, 4]     # the gate

[[units]]
id = "regular"
die = 8         # borrowed
range = 3
at = [4, 5]

[attack]        # next
by = "hero"
on = "regular"
"""


def test_a_battle_that_is_written_again_keeps_its_comments() -> None:
    data = tomllib.loads(COMMENTED)
    del data["attack"], data["turn"]
    data["units"][0] |= {"at": [4, 5], "fired": True}
    data["board"] = {"size": [9, 9]}
    assert """\
# the siege, third evening
system = "toys"

# our best
[[units]]
id = "hero"     # painted
die = 6
range = 0
at = [4, 5]     # the gate
fired = true

[[units]]
id = "regular"
die = 8         # borrowed
range = 3
at = [4, 5]

[board]
size = [9, 9]
""" == rewrite_toml(COMMENTED, data)


def test_comments_of_a_unit_stay_with_it_when_another_is_gone() -> None:
    data = tomllib.loads(COMMENTED)
    del data["units"][0]
    text = rewrite_toml(COMMENTED, data)
    assert data == tomllib.loads(text)
    assert "painted" not in text
    assert "# borrowed" in text


@pytest.mark.parametrize("path", sorted(EXAMPLES.rglob("*.toml")), ids=lambda path: path.stem)
def test_a_file_without_changes_is_written_as_it_was(path: Path) -> None:
    assert path.read_text() == rewrite_toml(path.read_text(), tomllib.loads(path.read_text()))


@given(st.sampled_from([COMMENTED, to_toml(LARGE)]), st.sampled_from([SMALL, LARGE, {}]), st.data())
def test_after_any_change_the_file_has_exactly_the_new_battle(text: str, other: Json, data: st.DataObject) -> None:
    changed = {**tomllib.loads(text), **other}
    for key in data.draw(st.lists(st.sampled_from(sorted(changed)), unique=True)) if changed else ():
        changed[key] = data.draw(
            st.none()
            | st.booleans()
            | st.integers()
            | st.text()
            | st.just(changed[key])
            | st.lists(st.dictionaries(st.sampled_from(["id", "die", "a b"]), st.integers() | st.text()))
            | st.dictionaries(st.sampled_from(["id", "size", "a b"]), st.lists(st.integers() | st.text()))
        )
    assert tomllib.loads(to_toml(changed)) == tomllib.loads(rewrite_toml(text, changed))


def test_a_text_that_is_not_toml_is_written_anew() -> None:
    assert to_toml(SMALL) == rewrite_toml("[", SMALL)


def test_a_file_keeps_the_comments_of_the_file_that_it_comes_from(tmp_path: Path) -> None:
    (tmp_path / "old.toml").write_text(COMMENTED)
    data = tomllib.loads(COMMENTED) | {"turn": 4}
    write(tmp_path / "new.toml", data, original=tmp_path / "old.toml")
    assert COMMENTED.replace("turn = 3", "turn = 4") == (tmp_path / "new.toml").read_text()
    write(tmp_path / "newer.toml", data, original=tmp_path / "none.toml")
    assert to_toml(data) == (tmp_path / "newer.toml").read_text()
