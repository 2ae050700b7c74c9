"""The example battles of every system, by their paths; a small turn stands for those of too many positions."""

from pathlib import Path

from grognard import systems

ROOT = Path(__file__).parents[2]
LARGE = tuple(
    f"examples/{name}.toml"
    for name in ("assault/10-mortar-first", "assault/11-out-of-the-olives", "frames/14-spot-then-fire")
)
"""Whole turns of so many positions that they take longer to walk through than all other examples together."""
EXAMPLES = [
    *(
        str(path.relative_to(ROOT))
        for name in systems.names()
        for path in sorted((ROOT / "examples" / name).glob("*.toml"))
        if str(path.relative_to(ROOT)) not in LARGE
    ),
    "tests/adapters/small-turn.toml",
]
TURNS = [path for path in EXAMPLES if "\n[turn]" in (ROOT / path).read_text("utf-8")]
"""Whole turns: too many positions to walk through one by one."""
ATTACKS = [path for path in EXAMPLES if path not in TURNS]
