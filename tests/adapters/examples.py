"""The example battles of every system, by their paths."""

from pathlib import Path

from grognard import systems

ROOT = Path(__file__).parents[2]
EXAMPLES = [
    str(path.relative_to(ROOT))
    for name in systems.names()
    for path in sorted((ROOT / "examples" / name).glob("*.toml"))
]
