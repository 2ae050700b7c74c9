"""The command sweep: many match-ups at once, here or on a cluster."""

from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from grognard.cli.console import ProgressLine, check_writable, print_json, show
from grognard.cli.errors import INTERRUPTED, CommandError, exit_with_message, report_written
from grognard.cli.options import command, json_option
from grognard.cli.solve import check_plot
from grognard.words.numbers import duration

if TYPE_CHECKING:
    from rich.text import Text

    from grognard.studies.sweeps.tables import Table

TABLES = (".parquet", ".csv", ".json")


@command(
    "grognard sweep design.toml",
    "grognard sweep design.toml -o table.parquet --plot map.svg",
    "grognard sweep roster.toml --price --fair",
    "grognard sweep design.toml -o table.csv --on tcp://scheduler:8786",
    Arguments={"DESIGN": "a design file, TOML or JSON; - is standard input"},
)
@click.argument("design", metavar="DESIGN")
@click.option("-o", "--output", metavar="TABLE", help="Write the table: .parquet, .csv or .json.")
@click.option("--plot", metavar="PICTURE", help="Draw it as .svg or .png (needs grognard[plot]).")
@click.option("--fair", is_flag=True, help="List the match-ups nearest to even.")
@click.option("--price", is_flag=True, help="Fit a price to each unit of a roster.")
@click.option("--by", metavar="MEASURE", help="The measure for --fair and --price; by default the first.")
@click.option("--workers", type=click.IntRange(1), metavar="N", help="Worker processes; by default one per processor.")
@click.option("--on", metavar="ADDRESS", help="A Dask scheduler, as tcp://host:8786 (needs grognard[cluster]).")
@click.option("--yes", is_flag=True, help="Go ahead, however many match-ups there are.")
@click.option("--fresh", is_flag=True, help="Start over, and discard what an interrupted sweep has left.")
@json_option
def sweep(
    design: str,
    output: str | None,
    plot: str | None,
    fair: bool,
    price: bool,
    by: str | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Calculate every match-up of a design.

    A design is a base battle and the things that vary in it. With --output, the same command continues an interrupted
    sweep where it stopped.
    """
    from grognard.studies.sweeps.balance import even_value, formula_of, most_even, prices, rosters
    from grognard.words.comparisons import sweep_page, sweep_to_dict

    check_writable("--output", output, TABLES)
    check_plot(plot)

    def check(table: "Table") -> None:
        """Check before the work begins that its result can be shown."""
        if fair or price:
            formula_of(table, by)
        if price:
            rosters(table)
        if plot:
            from grognard.words.sweep_plots import picture_of

            picture_of(table)

    with SweepProgress() as progress:
        table = run_sweep(design, output, progress=progress, check=check, **how)
    even = most_even(table, by=by) if fair else None
    fitted = prices(table, by) if price else None
    if plot:
        from grognard.words.plots import save

        save(table.plot(), plot)
    if as_json:
        print_json(sweep_to_dict(table, output, even, fitted))
    else:
        formula = formula_of(table, by)[1]
        title = f"Nearest to even: {formula.name} nearest to {even_value(table, formula):g}"
        show(sweep_page(table, design, progress.rate, title, even, fitted, show_rows=not (output or fair or price)))
    report_written(output, plot)


def run_sweep(design: str, output: str | None, **how: Any) -> "Table":
    """Run a sweep. Its errors name the options of the command line."""
    from grognard.studies.sweeps import Interrupted
    from grognard.studies.sweeps import sweep as sweep_all
    from grognard.studies.sweeps.plan import TooMany

    try:
        return sweep_all(design, output, **how)
    except TooMany as many:
        raise CommandError(
            f"{design}: {many}: vary less, draw some of them with `sample = N`, or go ahead with --yes"
        ) from None
    except Interrupted as interrupted:
        exit_with_message(INTERRUPTED, str(interrupted))


class SweepProgress(ProgressLine):
    """Shows how many match-ups are done, and how long the others will take."""

    def __init__(self) -> None:
        super().__init__("match-ups")
        self.earlier = self.total = 0

    def __call__(self, count: int, earlier: int = 0, total: int = 0) -> None:
        """Remember how many are done, how many of these were done before, and how many there are."""
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
        done = f"{self.count:,} of {self.total:,} match-ups ({self.count / self.total:.0%})"
        return Text(f"{done}, {self.rate:,.0f} a second, {duration(left)} left (Ctrl-C stops, and keeps these)", "dim")
