"""`ranks` and `supply` against icepool and plain NumPy, the whole command, simulation, and how the cost grows."""

import sys
from collections import Counter
from math import log
from pathlib import Path

import numpy as np

from bench.clock import Measured, first_call, import_times, peak_megabytes, whole_commands
from bench.report import Row, at_most, faster, milliseconds, show, slow_peer, within, without_target

EXAMPLE = str(Path(__file__).parents[1] / "examples" / "ranks" / "02-three-against-four.toml")

WITH_NUMPY = "import numpy\n"
"""The engine uses NumPy for small pools only if it is loaded already."""
RANKS = """
import grognard
battle = grognard.battle({{"system": "ranks", "defender": {{"player": "Blue", "units": {n}}},
    "arrivals": [{{"player": "Red", "side": "attack", "units": {n}}}], "rules": {{{rules}}}}})
"""
SUPPLY = """
import grognard
unit = {"die": 12, "strength": 20, "range": 1, "ammo": 1, "supply": 2}
battle = grognard.battle({"system": "supply", "attack": {"by": "a", "on": "b"}, "units": [
    {"id": "a", "side": "red", "at": [1, 1], **unit}, {"id": "b", "side": "blue", "at": [1, 2], **unit}]})
"""
ICEPOOL = "from icepool import d"
ICEPOOL_RANKS = "list((d(10).pool({n}).highest({n}).sort_pair('>', d(10).pool({n}).highest({n}))).size().items())"
ICEPOOL_SUPPLY = "list(d(12).pool(20).max_pair_drop('<=', d(12).pool(20), 'high').size().items())"


def ours(n: int, rules: str = "", fractions: bool = False, times: int = 5, before: str = WITH_NUMPY) -> Measured:
    """Our odds of n units against n."""
    return first_call(before + RANKS.format(n=n, rules=rules), f"grognard.odds(battle, fractions={fractions})", times)


def icepool(n: int) -> Measured:
    """Icepool's odds of one exchange, n against n."""
    return first_call(ICEPOOL, ICEPOOL_RANKS.format(n=n), times=1)


def icepool_to_the_death(n: int) -> Measured:
    """Icepool's chance that the attacker wins n against n to the death."""
    return first_call("from bench.peers import to_the_death", f"to_the_death({n}, {n})", times=1)


def exchanges(slow: bool) -> list[Row]:
    """The odds of one roll of many dice."""
    twenty, in_fractions = ours(20), ours(20, fractions=True)
    supply = first_call(WITH_NUMPY + SUPPLY, "grognard.odds(battle)")
    peer = icepool(20).seconds
    sweep = first_call("from bench.plain import sweep", "sweep(20)")
    peer_supply = first_call(ICEPOOL, ICEPOOL_SUPPLY, times=1).seconds
    forty, when_forty = slow_peer("icepool ranks 40v40", lambda: icepool(40).seconds, slow)
    thirty, when_thirty = slow_peer("icepool ranks 30v30 to the death", lambda: icepool_to_the_death(30).seconds, slow)
    call = f"icepool: {ICEPOOL_RANKS.format(n=20)}"
    death = ours(30, '"duration": "to_the_death"')
    return [
        faster("ranks 20v20, first call", twenty.seconds, peer, 300, call),
        at_most(
            "ranks 20v20, against the plain NumPy sweep", twenty.seconds, sweep.seconds, 10, "bench.plain.sweep(20)"
        ),
        without_target("ranks 20v20, NumPy not loaded", ours(20, before="").seconds, peer, call),
        without_target(
            "ranks 40v40, NumPy not loaded", ours(40, before="").seconds, forty, "it is then loaded and used"
        ),
        faster("ranks 40v40, first call", ours(40).seconds, forty, 1000, f"the same with 40; {when_forty}"),
        faster("ranks 20v20 in fractions", in_fractions.seconds, peer, 50, f"{call} (icepool is always exact)"),
        faster(
            "supply 20d12 v 20d12, counterattack decided best",
            supply.seconds,
            peer_supply,
            1000,
            f"icepool, one roll only: {ICEPOOL_SUPPLY}",
        ),
        faster(
            "ranks 30v30 to the death",
            death.seconds,
            thirty,
            1000,
            f"bench.peers.to_the_death(30, 30): icepool for each exchange; {when_thirty}",
        ),
    ]


def command() -> list[Row]:
    """The whole command."""
    grognard = str(Path(sys.executable).with_name("grognard"))
    odds = [grognard, "odds", EXAMPLE]
    numpy, whole = whole_commands([[sys.executable, "-c", "import numpy"], odds])
    import_ms = first_call("", "import grognard; grognard.odds").seconds * 1000
    parts = [Row(f"of that: {name}", f"{ms:,.1f} ms", "", "", "none", True) for name, ms in load_times(odds)]
    return [
        within("import grognard, and its engine", import_ms, 150, "ms", "it is loaded with the first battle"),
        at_most("grognard odds FILE, whole command", whole, numpy, 1.3, 'python -c "import numpy"'),
        *parts,
        within("grognard odds FILE, peak memory", peak_megabytes(odds), 100, "MB"),
    ]


def load_times(command: list[str]) -> list[tuple[str, float]]:
    """The milliseconds that a command takes to load each library, the longest first; of several runs the shortest."""
    runs = [import_times(command) for _ in range(3)]
    shortest = Counter({name: min(run[name] for run in runs) for name in runs[0]})
    return [(f"loading {name}", us / 1000) for name, us in shortest.most_common(4)]


def simulation() -> list[Row]:
    """A million walks through three against four."""
    setup = f"import grognard\nbattle = grognard.load({EXAMPLE!r})"
    walks = 1_000_000
    mine = first_call(setup, f"grognard.simulate(battle, {walks}, seed=1)")
    peer = first_call("from bench.plain import monte_carlo", f"monte_carlo(3, 4, {walks}, 1)")
    return [
        faster(
            "simulate 3v4, a million walks",
            mine.seconds,
            peer.seconds,
            0.5,
            "bench.plain.monte_carlo(3, 4, 1_000_000, 1)",
        )
    ]


def growth(slow: bool) -> None:
    """How the cost grows with the units on each side."""
    print("\nHow the cost of one exchange grows (time, peak memory, fitted exponent of time)")
    sizes = (10, 20, 40, 80)
    mine = {n: ours(n, times=3) for n in sizes}
    peers = {n: icepool(n).seconds for n in (5, 10, 20)}
    if slow:
        peers[40] = slow_peer("icepool ranks 40v40", lambda: icepool(40).seconds, slow=False)[0]
    for name, seconds in (("ours", {n: run.seconds for n, run in mine.items()}), ("icepool", peers)):
        fit = np.polyfit([log(n) for n in seconds], [log(s) for s in seconds.values()], 1)[0]
        times = "  ".join(f"{n}: {milliseconds(s)}" for n, s in seconds.items())
        print(f"  {name:8} {times}   exponent {fit:.1f}")
    print("  ours     " + "  ".join(f"{n}: {run.megabytes:.0f} MB" for n, run in mine.items()))


def run(slow: bool) -> bool:
    """Print all tables; returns whether all targets are met."""
    is_met = show("Exchanges", exchanges(slow))
    is_met &= show("The command", command())
    is_met &= show("Simulation", simulation())
    growth(slow)
    return is_met
