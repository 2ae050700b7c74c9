"""The long checks, `make soak`: brute force, fuzz and injected faults with many times the cases, in one table.

A test becomes part of a row by its mark, `@pytest.mark.soak("row")`. It counts one input each time that it runs; one
that tries several says so with `trying` or `count`. A test that injects a fault each time is marked `faults=1`, and
`again=True` runs it as often as the factor says, where there is no number of cases to multiply. A test that fails is a
difference, or a loss if it injected faults.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import wraps
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
from hypothesis import is_hypothesis_test

T = TypeVar("T")

FACTOR = int(os.environ.get("GROGNARD_SOAK", "1"))
COLUMNS = ("inputs", "faults", "differences", "losses")
RESULTS = Path(__file__).parents[1] / "bench" / "soak.json"
"""The rows as last recorded, for the docs to show."""


class Target(NamedTuple):
    """What a full run is to reach: so many of what some rows count, with no difference and no loss."""

    what: str
    least: int
    rows: tuple[str, ...]
    number: Callable[[Mapping[str, int]], int]

    def reached(self, counts_by_row: Mapping[str, Mapping[str, int]]) -> tuple[int, int]:
        """How many there were, and how many of them went wrong."""
        counted = [counts_by_row[row] for row in self.rows if row in counts_by_row]
        return sum(map(self.number, counted)), sum(counts["differences"] + counts["losses"] for counts in counted)


_ON_SQLITE = ("kill -9 of a server that players play at",)
_ON_POSTGRES = ("kill -9 of a server that players play at, and crashes of its PostgreSQL",)
TARGETS = (
    Target("servers killed, with their battles in SQLite", 500, _ON_SQLITE, itemgetter("inputs")),
    Target("servers killed, with their battles in PostgreSQL", 500, _ON_POSTGRES, itemgetter("inputs")),
    Target("crashes of PostgreSQL in these", 100, _ON_POSTGRES, lambda counts: counts["faults"] - counts["inputs"]),
    Target("bad inputs", 100_000, ("bad inputs through files, HTTP and live battles",), itemgetter("inputs")),
    Target(
        "sweeps, their workers and schedulers killed",
        100,
        ("kill -9 of sweeps, here", "kill -9 of sweeps, on Dask"),
        itemgetter("faults"),
    ),
)
_counted: Counter[str] = Counter()
"""What the test that runs now has counted."""


def cases(number: int, few: int | None = None) -> int:
    """So many cases, times the factor; a run that is no long check does with a few, if that is said."""
    return number * FACTOR if FACTOR > 1 or few is None else few


def count(inputs: int = 0, faults: int = 0, differences: int = 0, losses: int = 0) -> None:
    """Count what the present test has tried, what it has injected, and what came of it."""
    _counted.update(inputs=inputs, faults=faults, differences=differences, losses=losses)


def trying(inputs: Iterable[T]) -> Iterator[T]:
    """These inputs, each counted."""
    for one in inputs:
        count(inputs=1)
        yield one


def forget() -> None:
    """A new test begins."""
    _counted.clear()


def repeat(metafunc: pytest.Metafunc) -> None:
    """Run a test again and again that has no number of cases."""
    mark = metafunc.definition.get_closest_marker("soak")
    if FACTOR > 1 and mark is not None and mark.kwargs.get("again"):
        metafunc.fixturenames.append("again")
        metafunc.parametrize("again", range(FACTOR))


def mark_properties(items: Iterable[pytest.Item]) -> None:
    """Every test of a property is part of the long checks, and counts its examples."""
    for item in items:
        test = getattr(item, "obj", None)
        if not is_hypothesis_test(test):
            continue
        if item.get_closest_marker("soak") is None:
            item.add_marker(pytest.mark.soak(f"properties: {item.path.parent.name}"))
        handle = test.hypothesis  # type: ignore[union-attr]  # Hypothesis sets it
        if not hasattr(handle.inner_test, "is_counted"):
            handle.inner_test = _counting(handle.inner_test)


def _counting(test: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(test)
    def counted(*args: Any, **kwargs: Any) -> Any:
        count(inputs=1)
        return test(*args, **kwargs)

    counted.is_counted = True  # type: ignore[attr-defined]  # a mark of ours
    return counted


def report_counts(item: pytest.Item, report: pytest.TestReport) -> None:
    """Tell what a test has tried, and whether it failed, with its report."""
    mark = item.get_closest_marker("soak")
    if mark is None or report.skipped or (report.when != "call" and report.passed):
        return
    counts = {column: _counted[column] for column in COLUMNS}
    if report.when == "call":
        counts["inputs"] = counts["inputs"] or 1
        counts["faults"] += mark.kwargs.get("faults", 0)
    if report.failed and not counts["differences"] + counts["losses"]:
        counts["losses" if counts["faults"] else "differences"] = 1
    report.user_properties.append(("soak", {"row": mark.args[0], **counts}))


def rows(reports: Iterable[Any]) -> dict[str, Counter[str]]:
    """What all tests have counted, row by row."""
    counts_by_row: dict[str, Counter[str]] = {}
    for report in reports:
        for name, counts in getattr(report, "user_properties", ()):
            if name == "soak":
                counts_by_row.setdefault(counts["row"], Counter()).update(
                    {column: counts[column] for column in COLUMNS}
                )
    return dict(sorted(counts_by_row.items()))


def table(counts_by_row: dict[str, Counter[str]]) -> Iterator[str]:
    """The rows for the terminal, and their sums."""
    total: Counter[str] = sum(counts_by_row.values(), Counter())
    width = max(map(len, counts_by_row), default=0)
    yield f"{'':{width}}  " + "  ".join(f"{head:>13}" for head in ("inputs tried", "faults", "differences", "losses"))
    for row, counts in (*counts_by_row.items(), ("all", total)):
        yield f"{row:{width}}  " + "  ".join(f"{counts[column]:>13,}" for column in COLUMNS)
    for target in TARGETS:
        if not counts_by_row.keys().isdisjoint(target.rows):
            number, wrong = target.reached(counts_by_row)
            yield f"{target.what}: {number:,} of {target.least:,}, {wrong:,} wrong"


def record(counts_by_row: dict[str, Counter[str]]) -> None:
    """Keep these rows for the docs; rows that did not run now stay as they are."""
    kept = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    today = datetime.now(UTC).date().isoformat()
    kept |= {
        row: {column: counts[column] for column in COLUMNS} | {"factor": FACTOR, "date": today}
        for row, counts in counts_by_row.items()
    }
    RESULTS.write_text(json.dumps(dict(sorted(kept.items())), indent=2, ensure_ascii=False) + "\n", "utf-8")
