"""Draw the pictures of the docs from real battles: `python docs/pictures/make.py`."""

import re
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

import grognard
from grognard.cli.drawing import draw
from grognard.core.systems import Battle
from grognard.words.advice import luck_page
from grognard.words.blocks import Block
from grognard.words.comparisons import comparison_page
from grognard.words.plots import save
from grognard.words.summaries import odds_page

PICTURES = Path(__file__).parent
GUNS = "examples/supply/02-guns-on-rifles.toml"
FRIENDS = "examples/ranks/03-friends-of-friends.toml"
PAPER, INK, MUTED = (255, 252, 245), (35, 38, 31), (107, 106, 94)
THEME = TerminalTheme(PAPER, INK, [MUTED] * 8)


def terminal(command: str, blocks: Sequence[Block]) -> str:
    """The output of a command as an SVG that loads nothing."""
    console = Console(record=True, file=StringIO(), width=84, force_terminal=True, color_system="truecolor")
    console.print(Text(f"$ grognard {command}\n", style="bold"))
    draw(console, blocks)
    console.print()  # else the last line's underscores are cut off
    svg = console.export_svg(title="grognard", theme=THEME, unique_id="grognard")
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code, monospace", "ui-monospace, monospace")
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    return re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE)


def load(example: str) -> Battle:
    """One of the example battles."""
    return grognard.load(PICTURES.parents[1] / example)


def main() -> None:
    """Draw all pictures."""
    guns, friends = load(GUNS), load(FRIENDS)
    played = grognard.play(guns, seed=5, attacker="random", defender="random")
    drawn = {
        "odds": terminal(f"odds {GUNS}", odds_page(grognard.odds(guns), GUNS)),
        "switches": terminal(f"compare {FRIENDS} --all-switches", comparison_page(grognard.compare(friends), FRIENDS)),
        "luck": terminal("luck log.json", luck_page(grognard.luck(played), "log.json")),
    }
    for name, svg in drawn.items():
        (PICTURES / f"{name}.svg").write_text(svg, "utf-8")
    save(grognard.compare(friends, switch="ties").plot(), PICTURES / "ties.svg")
    for design in sorted((PICTURES.parents[1] / "examples" / "designs").glob("*.toml")):
        save(grognard.sweep(design).plot(), PICTURES / f"sweep-{design.stem}.svg")


if __name__ == "__main__":
    main()
