"""Plots of sweeps with matplotlib: heat maps of two factors, curves along one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import fill
from typing import TYPE_CHECKING, Any

from grognard.core.errors import GrognardError
from grognard.studies.sweeps.balance import even_value, formula_of
from grognard.studies.sweeps.factors import Cell
from grognard.studies.sweeps.tables import Table
from grognard.words.plots import (
    ATTACKER,
    CASES,
    DEFENDER,
    INK,
    MARKERS,
    MUTED,
    PAPER,
    STYLE,
    add_legend,
    require_matplotlib,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PANELS = 6
LABELS = 16
"""At most this many numbers have a label at an axis."""
LINES = len(CASES)
WRITTEN = 170
"""A heat map of up to this many cells has its numbers in them."""


@dataclass(slots=True)
class Mean:
    """The mean of the rows that are drawn in one spot."""

    total: float = 0.0
    count: int = 0

    def add(self, number: float) -> None:
        self.total += number
        self.count += 1


@dataclass(frozen=True, slots=True)
class Picture:
    """The data of a plot. Each axis is a column of the table, or none."""

    kind: str
    measure: str
    even: float
    axes: Mapping[str, str]
    values: Mapping[str, list[Cell]]
    """The levels along each axis, in the design's order."""
    spots: dict[tuple[Cell, ...], Mean] = field(default_factory=dict)
    """Means by panel, line or row, and x."""
    averaged: Sequence[str] = ()
    """The columns that vary but are not drawn."""

    def at(self, panel: Cell, second: Cell, x: Cell) -> float:
        """The number in a spot; none if no match-up is there."""
        mean = self.spots.get((panel, second, x))
        return mean.total / mean.count if mean else float("nan")


def plot_sweep(table: Table) -> "Figure":
    """The plot that a sweep's design describes, or else one that suits its number of factors."""
    require_matplotlib()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    picture = picture_of(table)
    panels = picture.values["panels"]
    across = min(len(panels), 3)
    down = -(-len(panels) // across)
    style = STYLE | ({"axes.grid": False} if picture.kind == "heat" else {})
    with rc_context(style):
        width, height = _panel_size(picture, across)
        figure = Figure(figsize=(width * across + 0.8, height * down + 0.8), layout="constrained")
        grid = list(figure.subplots(down, across, squeeze=False).flat)
        for axes, panel in zip(grid, panels, strict=False):
            (_heat if picture.kind == "heat" else _curves)(axes, picture, panel)
            if "panels" in picture.axes:
                axes.set_title(f"{picture.axes['panels']}: {panel}")
        for axes in grid[len(panels) :]:
            axes.set_axis_off()
        _finish(figure, grid[: len(panels)], picture, table.plan.design.question)
    return figure


def picture_of(table: Table) -> Picture:
    """What is drawn: the axes as the design says, or else as its factors suggest, and the means of the rows."""
    wishes = table.plan.design.plot
    factors = [factor for factor in table.plan.design.factors if len(factor.levels) > 1]
    names = [factor.columns[0] for factor in factors] or list(table.plan.design.columns[:1])
    kind = wishes.get("kind") or ("heat" if "y" in wishes or (len(names) > 1 and "lines" not in wishes) else "curves")
    second = "y" if kind == "heat" else "lines"
    axes = {key: name for key, name in wishes.items() if key in ("x", second, "panels")}
    left = [name for name in names if name not in axes.values()]
    for key in ("y", "x", "panels") if kind == "heat" else ("x", "lines", "panels"):
        if key not in axes and left:
            axes[key] = left.pop(0)
    column, formula = formula_of(table, wishes.get("measure"))
    places = {key: table.columns.index(name) for key, name in axes.items()}
    values = {key: _values(table, axes.get(key)) for key in ("x", second, "panels")}
    if len(values["panels"]) > PANELS or (kind == "curves" and len(values["lines"]) > LINES):
        raise GrognardError(
            f"--plot: too much for one picture: at most {PANELS} panels and {LINES} lines; the design's [plot] says "
            f"what is drawn: {', '.join(f'{key} = {name}' for key, name in axes.items())}"
        )
    picture = Picture(kind, formula.name, even_value(table, formula), axes, values, {}, left)
    for row in table.rows:
        number = row[column]
        if number is not None:
            spot = tuple(row[places[key]] if key in places else None for key in ("panels", second, "x"))
            picture.spots.setdefault(spot, Mean()).add(float(number))
    return picture


def _values(table: Table, name: str | None) -> list[Cell]:
    for factor in table.plan.design.factors:
        if name in factor.columns:
            place = factor.columns.index(name)
            return list(dict.fromkeys(level.cells[place] for level in factor.levels))
    return [None]


def _panel_size(picture: Picture, beside: int) -> tuple[float, float]:
    """Width and height in inches; the more panels stand beside each other, the smaller they are."""
    if picture.kind == "curves":
        return 5.4, 3.6
    across, down = len(picture.values["x"]), len(picture.values["y"])
    largest = (9.0, 6.0, 4.6)[beside - 1]
    return max(3.0, min(0.52 * across + 1.6, largest)), max(2.6, min(0.42 * down + 1.2, 0.85 * largest))


def _heat(axes: "Axes", picture: Picture, panel: Cell) -> None:
    """One panel of a heat map: red favours the attacker, blue the defender, white is even."""
    from matplotlib.colors import LinearSegmentedColormap

    rows, columns = picture.values["y"], picture.values["x"]
    cells = [[picture.at(panel, y, x) for x in columns] for y in rows]
    reach = _reach(picture)
    colours = LinearSegmentedColormap.from_list("sides", [DEFENDER, PAPER, ATTACKER])
    low, high = picture.even - reach, picture.even + reach
    axes.pcolormesh(cells, cmap=colours, vmin=low, vmax=high, edgecolors=PAPER, linewidth=0.8)
    axes.invert_yaxis()
    for set_ticks, values in ((axes.set_xticks, columns), (axes.set_yticks, rows)):
        labelled = _labelled_levels(values)
        set_ticks([place + 0.5 for place in labelled], [_label(values[place]) for place in labelled])
    _tilt(axes, columns, 4)
    axes.set_xlabel(picture.axes["x"])
    axes.set_ylabel(picture.axes.get("y", ""))
    if len(rows) * len(columns) <= WRITTEN:
        for y, numbers in enumerate(cells):
            for x, number in enumerate(numbers):
                colour = PAPER if abs(number - picture.even) > 0.65 * reach else INK
                axes.text(x + 0.5, y + 0.5, _short(number), ha="center", va="center", fontsize=7, color=colour)


def _labelled_levels(values: Sequence[Cell]) -> range:
    """Which levels have their label at the axis: all names, but not all of many numbers."""
    is_number = all(isinstance(value, int | float) for value in values)
    return range(0, len(values), -(-len(values) // LABELS) if is_number else 1)


def _tilt(axes: "Axes", values: Sequence[Cell], longest: int) -> None:
    """Tilt the labels under a panel if any is so long that it would touch the next."""
    if any(len(_label(value)) > longest for value in values):
        axes.tick_params(axis="x", labelrotation=35)
        for label in axes.get_xticklabels():
            label.set_horizontalalignment("right")
            label.set_rotation_mode("anchor")


def _reach(picture: Picture) -> float:
    """How far from even the farthest spot is."""
    return max((abs(mean.total / mean.count - picture.even) for mean in picture.spots.values()), default=0.0) or 1.0


def _curves(axes: "Axes", picture: Picture, panel: Cell) -> None:
    """One panel of curves."""
    along = picture.values["x"]
    is_number = all(isinstance(x, int | float) for x in along)
    at: list[Any] = list(along) if is_number else list(range(len(along)))
    for place, line in enumerate(picture.values["lines"]):
        numbers = [picture.at(panel, line, x) for x in along]
        label = "" if line is None else f"{picture.axes['lines']}: {line}"
        axes.plot(at, numbers, color=CASES[place], marker=MARKERS[place], markersize=4, lw=1.4, label=label)
    axes.axhline(picture.even, color=MUTED, lw=0.8, ls="--")
    if not is_number or len(along) <= 14:
        axes.set_xticks(at, [_label(x) for x in along])
        _tilt(axes, along, 50 // len(along))
    axes.set_xlabel(picture.axes["x"])
    axes.set_ylabel(picture.measure)


def _finish(figure: "Figure", panels: "list[Axes]", picture: Picture, question: str) -> None:
    """The title, and what the colours or lines mean."""
    title = fill(question, int(figure.get_figwidth() * 9)) if question else picture.measure
    figure.suptitle(title, fontweight="bold", x=0.01, ha="left")
    notes = [f"mean over {', '.join(picture.averaged)}"] if picture.averaged else []
    if picture.kind == "heat":
        bar = figure.colorbar(panels[0].collections[0], ax=panels, shrink=0.8, aspect=25)
        bar.set_label(", ".join([picture.measure, *notes]))
        bar.outline.set_visible(False)
    else:
        add_legend(figure)
        if notes:
            panels[0].set_ylabel(", ".join([picture.measure, *notes]))


def _label(value: Cell) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _short(number: float) -> str:
    """A number of a heat map, in few characters."""
    if number != number:
        return ""
    return f"{number:.2f}".replace("-", "−") if abs(number) < 10 else f"{number:.0f}".replace("-", "−")
