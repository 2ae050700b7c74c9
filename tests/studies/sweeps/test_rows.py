"""The numbering of rows: the order of the table, and the order of work."""

import numpy as np
import pytest

from grognard.studies.sweeps.plan import Rows, sample_rows

GRIDS = [
    Rows((3,)),
    Rows((3, 4, 2)),
    Rows((3, 4, 2), (0,)),
    Rows((3, 4, 2, 5), (1, 3)),
    Rows((3, 4, 2, 5), (0, 2), np.array([0, 7, 8, 30, 77, 119])),
]


@pytest.mark.parametrize("rows", GRIDS)
def test_every_row_has_its_turn_once(rows: Rows) -> None:
    everything = rows.numbers(0, len(rows))
    assert sorted(rows.in_work_order(0, len(rows)).tolist()) == everything.tolist()
    assert rows.in_work_order(0, len(rows))[rows.places_in_work(0, len(rows))].tolist() == everything.tolist()
    assert rows.in_work_order(2, 3).tolist() == rows.in_work_order(0, len(rows))[2:3].tolist()
    assert rows.places_in_work(1, 3).tolist() == rows.places_in_work(0, len(rows))[1:3].tolist()


def test_the_last_factor_changes_fastest_in_the_table() -> None:
    assert [level.tolist() for level in Rows((2, 3)).levels(np.arange(6))] == [[0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2]]


def test_work_begins_with_the_last_levels_and_what_is_symbolic_changes_fastest() -> None:
    rows = Rows((2, 3), (0,))
    assert [level.tolist() for level in rows.levels(rows.in_work_order(0, 6))] == [
        [1, 0, 1, 0, 1, 0],
        [2, 2, 1, 1, 0, 0],
    ]


def test_a_sample_is_drawn_without_repeats_and_is_the_same_for_the_same_seed() -> None:
    first, again, other = (sample_rows((10**6, 10**6), 1000, seed) for seed in (1, 1, 2))
    assert first is not None
    assert again is not None
    assert other is not None
    assert first.tolist() == again.tolist() == sorted(set(first.tolist()))
    assert first.tolist() != other.tolist()
    assert len(first) == 1000


def test_a_sample_of_everything_is_everything() -> None:
    assert sample_rows((3, 4), 12, 0) is None
