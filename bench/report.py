"""The rows of the tables, and the stored figures of slow peers."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

STORED = Path(__file__).with_name("measured.json")
RESULTS = Path(__file__).with_name("results.json")
"""The last recorded run, for the docs to show."""
LIVE = Path(__file__).with_name("live.json")
"""The last recorded run of `bench.live`."""
SHOWN: list[dict[str, object]] = []
"""The tables of this run."""


@dataclass(frozen=True, slots=True)
class Row:
    """One claim: what was measured, against what, and whether it holds."""

    claim: str
    ours: str
    peer: str
    ratio: str
    target: str
    met: bool
    note: str = ""


def milliseconds(seconds: float) -> str:
    """A time as text."""
    return f"{seconds * 1000:,.1f} ms" if seconds < 10 else f"{seconds:,.1f} s"


def faster(claim: str, ours: float, peer: float, at_least: float, note: str) -> Row:
    """The target is to be at least this number of times as fast as a peer."""
    ratio = peer / ours
    return Row(
        claim, milliseconds(ours), milliseconds(peer), f"{ratio:,.1f} ×", f"≥ {at_least:,g} ×", ratio >= at_least, note
    )


def without_target(claim: str, ours: float, peer: float, note: str) -> Row:
    """How many times as fast as a peer we are, without a target."""
    return Row(claim, milliseconds(ours), milliseconds(peer), f"{peer / ours:,.1f} ×", "none", True, note)


def at_most(claim: str, ours: float, peer: float, bound: float, note: str) -> Row:
    """The target is to take at most this number of times as long as a peer."""
    ratio = ours / peer
    return Row(
        claim, milliseconds(ours), milliseconds(peer), f"{ratio:,.1f} ×", f"≤ {bound:,g} ×", ratio <= bound, note
    )


def within(claim: str, value: float, bound: float, unit: str, note: str = "") -> Row:
    """The target is an upper bound."""
    return Row(claim, f"{value:,.1f} {unit}", "", "", f"≤ {bound:,g} {unit}", value <= bound, note)


def at_least(claim: str, value: float, bound: float, unit: str, note: str = "") -> Row:
    """The target is a lower bound."""
    return Row(claim, f"{value:,.1f} {unit}".strip(), "", "", f"≥ {bound:,g} {unit}".strip(), value >= bound, note)


def slow_peer(name: str, measure: Callable[[], float], slow: bool) -> tuple[float, str]:
    """The seconds of a peer, measured now if `slow`, or else the stored ones; and when they were measured."""
    stored = json.loads(STORED.read_text())
    if slow:
        today = datetime.now(UTC).date().isoformat()
        stored[name] = {"seconds": measure(), "date": today}
        STORED.write_text(json.dumps(stored, indent=2, sort_keys=True) + "\n")
        return stored[name]["seconds"], "measured now"
    return stored[name]["seconds"], f"measured {stored[name]['date']}; --slow measures again"


def record(results: Path = RESULTS) -> None:
    """Store the tables of this run."""
    run = {"date": datetime.now(UTC).date().isoformat(), "tables": SHOWN}
    results.write_text(json.dumps(run, indent=2, ensure_ascii=False) + "\n")


def show(title: str, rows: list[Row]) -> bool:
    """Print a table; returns whether every target is met."""
    SHOWN.append({"title": title, "rows": [asdict(row) for row in rows]})
    print(f"\n{title}", flush=True)
    for row in rows:
        print(f"  {'met    ' if row.met else 'NOT MET'}  {row.claim}")
        figures = [
            part for part in (row.ours, row.peer and f"against {row.peer}", row.ratio and f"= {row.ratio}") if part
        ]
        print(f"           {' '.join(figures)}   (target {row.target})")
        if row.note:
            print(f"           {row.note}")
    return all(row.met for row in rows)
