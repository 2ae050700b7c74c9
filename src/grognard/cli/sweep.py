"""The command sweep: many match-ups at once, here or on a cluster."""

from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from grognard.cli.compare import prepare_to_draw
from grognard.cli.errors import INTERRUPTED, Refused, leave
from grognard.cli.options import AsJson
from grognard.cli.output import open_console, print_json, refuse_unwritable
from grognard.cli.working import Working

if TYPE_CHECKING:
    from rich.text import Text

    from grognard.studies.sweeps.tables import Table

TABLES = (".parquet", ".csv", ".json")


def sweep(
    design: Annotated[str, typer.Argument(metavar="DESIGN", help="A design file, TOML or JSON: see docs/sweeps.md.")],
    output: Annotated[
        str | None,
        typer.Option("-o", "--output", metavar="TABLE", help="Write the table: .parquet, .csv or .json."),
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="PICTURE", help="Draw it as .svg or .png (needs grognard[plot]).")
    ] = None,
    fair: Annotated[bool, typer.Option("--fair", help="List the match-ups nearest to even.")] = False,
    price: Annotated[bool, typer.Option("--price", help="Fit a price to each unit of a roster.")] = False,
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="MEASURE", help="The measure for --fair and --price; else the first."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", metavar="N", help="Processes at work; else one a processor.")
    ] = None,
    on: Annotated[
        str | None,
        typer.Option("--on", metavar="ADDRESS", help="A Dask scheduler, as tcp://host:8786 (needs grognard[cluster])."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Go ahead, however many match-ups there are.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew, whatever an interrupted sweep has left.")] = False,
    as_json: AsJson = False,
) -> None:
    """Work out every match-up of a design: a base battle, and the things that vary in it.

    With a table to write to, an interrupted sweep goes on where it was when the same command is given again.
    """
    from grognard.studies.sweeps import Interrupted
    from grognard.studies.sweeps import sweep as sweep_all
    from grognard.studies.sweeps.plan import TooMany

    refuse_unwritable("--output", output, TABLES)
    prepare_to_draw(plot)
    if workers is not None and workers < 1:
        raise Refused("--workers: at least one")
    check = partial(refuse_untold, plot, fair, price, by)
    try:
        with Sweeping() as progress:
            table = sweep_all(
                design, output, workers=workers, on=on, yes=yes, fresh=fresh, progress=progress, check=check
            )
    except TooMany as many:
        raise Refused(
            f"{design}: {many}: vary less, draw some of them with `sample = N`, or go ahead all the same with --yes"
        ) from None
    except Interrupted as interrupted:
        leave(INTERRUPTED, str(interrupted))
    tell(table, design, output, plot, fair, price, by, progress.rate, as_json)


def refuse_untold(plot: str | None, fair: bool, price: bool, by: str | None, table: "Table") -> None:
    """Find out before the work is done that what is asked for could not be told of it."""
    from grognard.studies.sweeps.fair import formula_of
    from grognard.studies.sweeps.prices import rosters

    if fair or price:
        formula_of(table, by)
    if price:
        rosters(table)
    if plot:
        from grognard.studies.sweeps.plots import picture_of

        picture_of(table)


def tell(
    table: "Table",
    design: str,
    output: str | None,
    plot: str | None,
    fair: bool,
    price: bool,
    by: str | None,
    rate: float,
    as_json: bool,
) -> None:
    """What was found, and the picture of it."""
    from grognard.studies.sweeps.fair import fair as nearest
    from grognard.studies.sweeps.prices import prices

    even = nearest(table, by=by) if fair else None
    fitted = prices(table, by) if price else None
    if plot:
        from grognard.studies.sweeps.plots import plot as draw
        from grognard.words.plots import save

        save(draw(table), plot)
    if as_json:
        from grognard.cli.show_sweep import in_json

        print_json(in_json(table, output, even, fitted))
        return
    from grognard.cli.show_sweep import show_sweep

    show_sweep(open_console(), table, design, output, even, fitted, by, rate)


class Sweeping(Working):
    """How many match-ups are done, and how long the others will take."""

    def __init__(self) -> None:
        super().__init__("match-ups")
        self.earlier = self.total = 0

    def __call__(self, count: int, earlier: int = 0, total: int = 0) -> None:
        """Take note of how many are done, how many of these were done before, and how many there are."""
        if not self.total:
            self.began = monotonic()
        self.count, self.earlier, self.total = count, earlier, total

    @property
    def rate(self) -> float:
        """Match-ups a second."""
        return (self.count - self.earlier) / max(monotonic() - self.began, 1e-9)

    def _line(self) -> "Text":
        from rich.text import Text

        if not self.total:
            return super()._line()
        left = (self.total - self.count) / self.rate if self.rate else 0
        shown = f"{self.count:,} of {self.total:,} match-ups ({self.count / self.total:.0%})"
        return Text(f"{shown}, {self.rate:,.0f} a second, {in_time(left)} left (Ctrl-C stops, and keeps these)", "dim")


def in_time(seconds: float) -> str:
    """`40 s`, `12 min`, `3 h 20 min`."""
    minutes = round(seconds / 60)
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"
