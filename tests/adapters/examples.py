"""The example battles of every system, by their paths."""

from pathlib import Path

from grognard import systems

ROOT = Path(__file__).parents[2]
EXAMPLES = [
    str(path.relative_to(ROOT))
    for name in systems.names()
    for path in sorted((ROOT / "examples" / name).glob("*.toml"))
]
TURNS = [path for path in EXAMPLES if "\n[turn]" in (ROOT / path).read_text("utf-8")]
"""Whole turns: too many positions to walk through one by one."""
ATTACKS = [path for path in EXAMPLES if path not in TURNS]
