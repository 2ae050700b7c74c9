"""The switches on the page: which readings of the rules matter in this battle."""

from collections.abc import Sequence

from grognard.cli import numbers
from grognard.report import charts
from grognard.report.parts import Column, Html, joined, note, section, table, tag, wide_table
from grognard.studies.switches import Effect, Switches
from grognard.words import describe


def switches(found: Switches) -> Html:
    """Every value of a switch that changes the odds, the largest change first."""
    effects = found.effects
    about = note(
        "Each switch is a reading of the rules, turned here one at a time; the change is that of ",
        f"{found.base.objective} from {numbers.signed(found.base.value)}, to the right if it favours the attacker.",
    )
    rows = _rows(effects, {switch.name: switch.says for switch in describe.switches(found.base.battle.system)})
    columns = [
        Column("turned to"),
        Column("change", is_number=True),
        Column(""),
        Column("odds that move", is_number=True),
        Column("what moves most"),
    ]
    shown = (
        wide_table("switches", table(columns, rows), class_="switches")
        if rows
        else note("No switch changes anything here.")
    )
    nothing = note("Changes nothing here: ", " · ".join(found.nothing)) if found.nothing and rows else ""
    refused = [note(f"{switch} = {one.name}: {one.why}") for switch, one in found.refused]
    return section("Switches that matter", about if rows else "", shown, nothing, *refused)


def _rows(effects: Sequence[Effect], says: dict[str, str]) -> list[tuple[object, ...]]:
    """A row for each value; what a switch is about is said where it comes first."""
    most = max((abs(float(effect.change)) for effect in effects), default=0.0) or 1.0
    return [
        (
            joined([f"{effect.switch} = ", tag("strong", effect.case.name), note(says.pop(effect.switch, ""))]),
            numbers.signed(effect.change),
            charts.tornado(float(effect.change), most),
            numbers.percent(effect.moved),
            _most(effect),
        )
        for effect in effects
    ]


def _most(effect: Effect) -> str:
    moved = effect.most
    if moved is None:
        return "nothing of the above"
    before, after = numbers.percent(moved.before), numbers.percent(moved.after)
    return f"{moved.measure} {numbers.word(moved.value)}: {before} → {after}"
