"""Plots of comparisons with matplotlib: `pip install 'grognard[plot]'`."""

from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from grognard.core.distributions import Probability
from grognard.core.errors import GrognardError
from grognard.core.lazy import require_library
from grognard.core.numbers import is_zero
from grognard.studies.compare import ComparedMeasure, Comparison
from grognard.studies.switches import SwitchEffects
from grognard.words.results import format_value
from grognard.words.summaries import objective_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.typing import RcKeyType

PAPER, INK, MUTED, LINE = "#fffcf5", "#23261f", "#6b6a5e", "#d9d0bd"
ATTACKER, DEFENDER = "#b23a2a", "#2b5c8f"
CASES = (INK, "#b98a1d", "#3d8078", "#7a4b7e", "#5d6b2f", "#c46a3a", MUTED)
MARKERS = "osD^vPX"
HATCHES = ("", "///", "|||", "\\\\\\", "xxx", "---", "++")
"""Cases differ in colour, and in marker or hatching; none has the colour of a side."""
STYLE: "dict[RcKeyType, Any]" = {
    "axes.axisbelow": True,
    "axes.edgecolor": LINE,
    "axes.facecolor": PAPER,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.labelcolor": MUTED,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "figure.facecolor": PAPER,
    "font.size": 9,
    "grid.color": LINE,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.5,
    "svg.fonttype": "none",
    "svg.hashsalt": "grognard",
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
}
PANELS = 4
"""At most this many measures are drawn."""
UNLIKELY = 0.002
"""Values that are less likely in every case are left out at both ends."""
LABELS = 16
"""At most this many values have a label under them."""
COLUMNS = 48
"""With more bars in a panel, lines are drawn instead."""
BARS = 20
"""At most this many values of house rules are drawn."""
TITLE = 52
"""The number of characters on one line of a panel's title."""
LEGEND = 3
"""The largest number of cases in one row of a legend."""


def require_matplotlib() -> None:
    """Raise an error that says how to install matplotlib, if it is missing."""
    require_library("matplotlib", "grognard[plot]")


def save(figure: "Figure", path: str | Path) -> None:
    """Write a figure in the format of the file's ending, always with the same bytes."""
    from matplotlib import rc_context

    ending = Path(path).suffix.lower().removeprefix(".")
    buffer = BytesIO()
    with rc_context(STYLE):
        figure.savefig(buffer, format=ending, dpi=160, metadata={"Date": None} if ending == "svg" else None)
    try:
        Path(path).write_bytes(buffer.getvalue())
    except OSError as error:
        raise GrognardError(f"cannot write {path}: {error.strerror or error}") from error


def plot(shown: object) -> "Figure":
    """The figure of a comparison, of house rules, or of a sweep."""
    if isinstance(shown, Comparison):
        return plot_comparison(shown)
    if isinstance(shown, SwitchEffects):
        return plot_switches(shown)
    from grognard.studies.sweeps.tables import Table
    from grognard.words.sweep_plots import plot_sweep

    assert isinstance(shown, Table)
    return plot_sweep(shown)


def plot_comparison(comparison: Comparison) -> "Figure":
    """The measures that change most: how likely each value is, a line or a bar for each case."""
    require_matplotlib()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    changing = [measure for measure in comparison.measures if not is_zero(measure.change)]
    measures = changing[:PANELS] or comparison.measures[:1]
    across = min(len(measures), 2)
    down = -(-len(measures) // 2)
    with rc_context(STYLE):
        figure = Figure(figsize=(4.6 * across + 0.4, 2.7 * down + 1.1), layout="constrained")
        panels = list(figure.subplots(down, across, squeeze=False).flat)
        for panel, measured in zip(panels, measures, strict=False):
            _draw(panel, comparison, measured)
        for panel in panels[len(measures) :]:
            panel.set_axis_off()
        title = comparison.base.battle.system.title
        figure.suptitle(
            f"{title}: {comparison.switch}" if comparison.switch else title, fontweight="bold", x=0.02, ha="left"
        )
        add_legend(figure)
    return figure


def add_legend(figure: "Figure") -> None:
    """Add a legend of the lines or bars under the panels, in rows of about the same length."""
    handles, labels = figure.axes[0].get_legend_handles_labels()
    rows = -(-len(labels) // LEGEND)
    if labels:
        figure.legend(handles, labels, loc="outside lower left", ncols=-(-len(labels) // rows), frameon=False)


def _label(comparison: Comparison, place: int) -> str:
    case = comparison.cases[place]
    first = "" if place else ", as it is" if comparison.switch else ", the first"
    return f"{case.name}{first} ({objective_label(comparison.base.objective)} {_signed(case.odds.value)})"


def _signed(number: Probability) -> str:
    digits = 2 if abs(float(number)) >= 0.005 or not number else 4
    return f"{float(number):+.{digits}f}".replace("-", "−")


def _draw(panel: "Axes", comparison: Comparison, measured: ComparedMeasure) -> None:
    """A bar for each case at each value, or lines if there are too many values for that."""
    likely = [place for place, row in enumerate(measured.rows) if any((p or 0) >= UNLIKELY for p in row.probabilities)]
    rows = measured.rows[likely[0] : likely[-1] + 1] if measured.means else measured.rows
    cases = len(comparison.cases)
    width = 0.84 / cases
    is_crowded = len(rows) * cases > COLUMNS
    for place in range(cases):
        chances = [100 * float(row.probabilities[place] or 0) for row in rows]
        color, label = CASES[place % len(CASES)], _label(comparison, place)
        if is_crowded:
            marker = MARKERS[place % len(MARKERS)]
            panel.plot(range(len(rows)), chances, color=color, marker=marker, markersize=3.5, lw=1.3, label=label)
        else:
            at = [number + (place - (cases - 1) / 2) * width for number in range(len(rows))]
            hatch = HATCHES[place % len(HATCHES)]
            panel.bar(at, chances, width, color=color, edgecolor=PAPER, lw=0.5, hatch=hatch, label=label)
    step = -(-len(rows) // LABELS)
    panel.set_xticks(range(0, len(rows), step), [format_value(row.what) for row in rows[::step]])
    panel.set_title(fill(measured.label, TITLE))
    panel.set_ylim(bottom=0)
    panel.set_ylabel("chance in %")


def plot_switches(switches: SwitchEffects) -> "Figure":
    """The change of the battle's value under each house rule, the largest change on top."""
    require_matplotlib()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    effects = switches.effects[:BARS][::-1]
    with rc_context(STYLE | {"axes.grid.axis": "x"}):
        figure = Figure(figsize=(7.5, 0.34 * len(effects) + 1.7), layout="constrained")
        panel = figure.subplots()
        names = [f"{effect.switch} = {effect.case.name}" for effect in effects]
        base_value = f"{objective_label(switches.base.objective)} {_signed(switches.base.value)}"
        if effects and all(is_zero(effect.change) for effect in effects):
            bars = panel.barh(names, [100 * float(effect.distance) for effect in effects], color=MUTED)
            panel.bar_label(bars, fmt=" %.2f ", color=INK)
            panel.set_xlabel(f"odds that move in %, while they leave {base_value} as it is")
        else:
            changes = [0.0 if is_zero(effect.change) else float(effect.change) for effect in effects]
            bars = panel.barh(names, changes, color=[ATTACKER if change > 0 else DEFENDER for change in changes])
            panel.bar_label(bars, [f" {_signed(change)} " if change else " 0 " for change in changes], color=INK)
            panel.set_xlabel(f"change from {base_value}: right favours the attacker")
        panel.axvline(0, color=INK, linewidth=0.8)
        panel.margins(x=0.15)
        panel.tick_params(axis="y", length=0, labelcolor=INK)
        panel.set_title(
            f"{switches.base.battle.system.title}: house rules that matter"
            if effects
            else "No house rule changes anything here"
        )
    return figure
