"""Running a sweep: missing rows are solved and stored in the journal; at the end the table is written."""

import os
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from grognard.core.errors import GrognardError
from grognard.files.sources import reason
from grognard.studies.sweeps.design import Design, load_design
from grognard.studies.sweeps.journal import ENDING, Journal
from grognard.studies.sweeps.plan import Plan, make_plan
from grognard.studies.sweeps.tables import ENDINGS, Table, require_arrow
from grognard.studies.sweeps.work import Results, solve_in_process, solve_in_workers

MANY = 1_000_000
"""More match-ups than this are solved only if the user confirms it."""

Progress = Callable[[int, int, int], None]
"""Called with the number of finished rows, of those from an earlier run, and of all rows."""


class Stopped(GrognardError):
    """A sweep that ended early; finished rows are kept."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C; finished rows are kept."""


def sweep(
    design: str | Path | Mapping[str, object] | Design,
    output: str | Path | None = None,
    *,
    workers: int | None = None,
    on: str | None = None,
    yes: bool = False,
    fresh: bool = False,
    progress: Progress | None = None,
    check: Callable[[Table], None] | None = None,
) -> Table:
    """Calculate every match-up of a design: a file, or a dictionary of the same structure.

    With `output` the table is written there, and an interrupted sweep continues where it stopped. `workers` is the
    number of processes, by default one for each processor; `on` is the address of a Dask scheduler. `yes` allows more
    than a million match-ups; `fresh` discards what an interrupted sweep has left. `check` is called with the table
    before the work begins, and may raise an error.
    """
    target = None if output is None else _checked_path(Path(output))
    read = design if isinstance(design, Design) else load_design(design)
    plan = make_plan(read, None if yes else MANY)
    journal = Journal(plan, target and target.with_name(target.name + ENDING), fresh)
    table = Table(journal)
    try:
        if check:
            check(table)
        _work(journal, workers, on, progress)
        if target is not None:
            table.write(target)
    except KeyboardInterrupt:
        raise Interrupted(_write_partial_table(table, target, "interrupted")) from None
    except OSError as error:
        raise Stopped(_write_partial_table(table, target, f"cannot be written: {reason(error)}")) from error
    except GrognardError as error:
        raise Stopped(_write_partial_table(table, target, str(error))) from error
    table.delete()
    return table


def _checked_path(path: Path) -> Path:
    """The path; an error if the table cannot be written there."""
    if path.suffix.lower() not in ENDINGS:
        raise GrognardError(f"{path}: a table needs one of the endings {', '.join(ENDINGS)}")
    if path.suffix.lower() == ".parquet":
        require_arrow()
    if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise GrognardError(f"{path}: cannot be written")
    return path


def _work(journal: Journal, workers: int | None, on: str | None, progress: Progress | None) -> None:
    """Solve the missing chunks, and add each to the journal."""
    plan, earlier, done = journal.plan, journal.done, journal.done
    left = journal.chunks_left
    if progress:
        progress(done, earlier, len(plan.rows))
    if not left:
        return
    with closing(_engine(plan, left, workers, on)) as results:
        for chunk, packed in results:
            journal.add(chunk, packed)
            first, last = plan.span(chunk)
            done += last - first
            if progress:
                progress(done, earlier, len(plan.rows))


def _engine(plan: Plan, left: list[int], workers: int | None, on: str | None) -> Results:
    """The results of the missing chunks, from this process, from worker processes, or from a cluster."""
    if on is not None:
        from grognard.studies.sweeps.cluster import solve_on_cluster

        return solve_on_cluster(plan, iter(left), on)
    processes = min(workers or processors(), len(left))
    if processes == 1:
        return solve_in_process(plan, iter(left))
    return solve_in_workers(plan, iter(left), processes)


def processors() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _write_partial_table(table: Table, target: Path | None, what: str) -> str:
    """Write the finished rows to the table; a message about them."""
    done, total = len(table), len(table.plan.rows)
    if target is None or not done:
        table.delete()
        return what
    try:
        table.write(target)
        where = f"{done:,} of {total:,} match-ups are in {target}"
    except (OSError, GrognardError):
        where = f"{done:,} of {total:,} match-ups are kept in {target.name}{ENDING}"
    finally:
        table.close()
    return f"{what}\n{where}; the same command continues from there"
