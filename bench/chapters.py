"""`tower`, `frames` and `assault`: exact odds with best decisions, against OpenSpiel's search."""

from collections.abc import Mapping
from pathlib import Path

from bench.clock import Measured, first_call
from bench.report import Row, faster, show, within, without_target
from bench.trees import search_die_by_die
from grognard import battle, systems

Source = Mapping[str, object]
TIME_LIMIT = 30
"""For the search of a peer, in seconds."""
EXAMPLES = Path(__file__).parents[1] / "examples"


def _tower_unit(number: int, side: str, column: int, row: int, attack: int) -> Source:
    numbers = {"attack": attack, "defense": 3 + number % 3, "health": 3, "full_health": 6, "speed": 2, "range": 1}
    return {"id": f"{side}{number}", "side": side, "at": [column, row], **numbers}


def tower(candidates: int, dice: int) -> Source:
    """Two primary units, and for each side this number of candidates to reinforce; the attackers share the dice."""
    each, rest = divmod(dice, candidates + 1)
    places = [(4, 4), (4, 3), (4, 5), (3, 4), (3, 3)]
    red = [_tower_unit(n, "red", *places[n], each + (rest if n == 0 else 0)) for n in range(candidates + 1)]
    blue = [_tower_unit(n, "blue", 9 - places[n][0], places[n][1], 1) for n in range(candidates + 1)]
    return {
        "system": "tower",
        "board": {"size": [8, 8], "capitals": {"red": [1, 1], "blue": [5, 5]}},
        "units": [*red, *blue],
        "attack": {"by": "red0", "on": "blue0"},
    }


FRAMES = {
    "system": "frames",
    "frames": [
        {"id": "target", "player": "Blue", "systems": ["defense", "movement", "spotting", "direct"]},
        {"id": "cover", "player": "Blue", "systems": ["defense", "movement", "hand", "artillery"]},
    ],
    "attack": {"on": "target", "range": "direct", "attack": 8, "spot": 6, "defense": 0, "cover": "cover"},
}

ASSAULT = {
    "system": "assault",
    "units": [
        {"id": "rifles", "side": "us", "card": "US Rifles 43", "experience": "regular"},
        {"id": "hmg", "side": "ge", "card": "GE HMG 42", "experience": "regular"},
    ],
    "attack": {"by": "rifles", "on": "hmg", "range": 3, "dice": "RRYYGB", "defense": "RYYGGB"},
}


def ours(source: Source, times: int = 3) -> Measured:
    """The exact odds with best decisions on both sides, on the first call after import."""
    return first_call(f"import grognard\nbattle = grognard.battle({source!r})", "grognard.odds(battle)", times)


def search(source: Source) -> float:
    """OpenSpiel's expectiminimax over the same battle."""
    setup = f"import grognard\nfrom bench.trees import search\nbattle = grognard.battle({source!r})"
    return first_call(setup, "search(battle)", times=1).seconds


def fits(claim: str, run: Measured, seconds: float) -> list[Row]:
    """The targets for time and memory."""
    return [
        within(f"{claim}: time", run.seconds, seconds, "s"),
        within(f"{claim}: peak memory", run.megabytes, 300, "MB"),
    ]


def against_search(name: str, source: Source, ours: float) -> Row:
    """Against OpenSpiel's expectiminimax with a chance node for each die, within the time limit."""
    seconds, value = search_die_by_die(battle(source), TIME_LIMIT)
    ended = "it finished" if value is not None else f"not finished after {TIME_LIMIT} s, so at least that ratio"
    note = f"OpenSpiel: expectiminimax(state, 10_000, …, 0), a chance node a die (bench.trees.DieByDie): {ended}"
    return faster(name, ours, seconds, 20, note)


def against_merged(name: str, source: Source, ours: float) -> Row:
    """Against the same search with the merged odds of our readings."""
    return without_target(
        f"{name}, given our merged odds", ours, search(source), "the same with a chance node a roll (bench.trees.State)"
    )


def battles() -> list[Row]:
    """Large battles of three systems."""
    large = {
        "tower, 8 dice, two candidates a side": tower(2, 8),
        "frames, 14 dice, behind a frame": FRAMES,
        "assault, 6 v 6 dice": ASSAULT,
    }
    rows: list[Row] = []
    for name, source in large.items():
        run = ours(source)
        rows += [*fits(name, run, 1), against_search(name, source, run.seconds)]
        rows.append(against_merged(name, source, run.seconds))
    rows += fits("tower, 12 dice, four candidates a side", ours(tower(4, 12), times=1), 10)[:1]
    return rows


def examples() -> list[Row]:
    """The odds of the examples of each system: the median and the slowest."""
    rows = []
    for name in systems.names():
        setup = "import grognard, sys\nbattle = grognard.load({!r})"
        seconds = sorted(
            first_call(setup.format(str(path)), "grognard.odds(battle)", times=1).seconds
            for path in sorted((EXAMPLES / name).glob("*.toml"))
        )
        middle, slowest = seconds[len(seconds) // 2] * 1000, seconds[-1] * 1000
        rows.append(within(f"{name}: a typical example", middle, 50, "ms", f"the slowest: {slowest:,.1f} ms"))
    return rows


def run() -> bool:
    """Print all tables; returns whether all targets are met."""
    is_met = show("Large battles, best decisions", battles())
    return show("Examples, first call", examples()) and is_met
