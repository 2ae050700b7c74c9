"""Draw the terminal pictures of the docs from real battles: `python docs/pictures/make.py`."""

import re
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

import grognard
from grognard.cli.show_odds import show_odds

PICTURES = Path(__file__).parent
EXAMPLE = Path("examples/supply/02-guns-on-rifles.toml")
PAPER, INK, MUTED = (255, 252, 245), (35, 38, 31), (107, 106, 94)
THEME = TerminalTheme(PAPER, INK, [MUTED] * 8)


def picture_of_odds(file: Path) -> str:
    """What `grognard odds FILE` shows, as SVG that loads nothing."""
    console = Console(record=True, file=StringIO(), width=84, force_terminal=True, color_system="truecolor")
    console.print(Text(f"$ grognard odds {file}\n", style="bold"))
    show_odds(console, grognard.odds(grognard.load(PICTURES.parents[1] / file)), str(file))
    svg = console.export_svg(title="grognard", theme=THEME, unique_id="grognard")
    svg = re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code, monospace", "ui-monospace, monospace")
    svg = re.sub(r"<!--.*?-->", "", svg, flags=re.DOTALL)
    return re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE)


if __name__ == "__main__":
    (PICTURES / "odds.svg").write_text(picture_of_odds(EXAMPLE), "utf-8")
