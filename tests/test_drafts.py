"""Battle files between two attacks."""

from pathlib import Path

import pytest

from grognard.core.errors import BattleError
from grognard.files import draft, load, load_draft, to_toml, write

EXAMPLE = Path(__file__).parents[1] / "examples" / "supply" / "02-guns-on-rifles.toml"


def test_what_is_missing_at_the_top_is_no_fault_in_a_draft() -> None:
    source = load(EXAMPLE).source
    without = {key: table for key, table in source.items() if key != "attack"}
    system, read = draft(without)
    assert ("supply", without) == (system.name, read)


def test_what_is_wrong_in_a_draft_is_a_fault_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "draft.toml"
    path.write_text('system = "supply"\n[[units]]\nid = "guns"\nstrength = -1\n')
    with pytest.raises(BattleError) as error:
        load_draft(path)
    assert 4 == error.value.lines["units[0].strength"]
    assert "units[0].side" in {fault.place for fault in error.value.faults}
    assert "attack" not in {fault.place for fault in error.value.faults}


def test_what_is_offered_follows_as_comments_and_can_be_taken_up(tmp_path: Path) -> None:
    source = load(EXAMPLE).source
    without = {key: table for key, table in source.items() if key != "attack"}
    path = tmp_path / "next.toml"
    write(path, without, {"attack": source["attack"]})
    text = path.read_text()
    assert text.startswith(to_toml(without))
    assert without == load_draft(path)[1]
    path.write_text(text.replace("# [", "[").replace('# by = "guns"', 'by = "guns"').replace("# on =", "on ="))
    assert source == load(path).source
