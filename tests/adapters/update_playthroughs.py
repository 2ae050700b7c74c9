"""Play the stored playthroughs again and keep what comes out: `python -m tests.adapters.update_playthroughs`.

For changes that are meant: a playthrough whose actions no longer exist is replaced by a random one.
"""

import re
from pathlib import Path

from absl import flags
from open_spiel.python.algorithms import generate_playthrough

import grognard.adapters.openspiel  # noqa: F401 - registers the game

PLAYTHROUGHS = Path(__file__).with_name("playthroughs")
SEED = 7


def play_again(path: Path) -> str:
    """The playthrough as it is now."""
    try:
        return str(generate_playthrough.replay(path)[1])
    except Exception:  # whatever OpenSpiel raises for an action that is not there
        game = re.match(r"game: (.*)", path.read_text("utf-8"))
        assert game is not None
        return str(generate_playthrough.playthrough(game[1], action_sequence=None, seed=SEED))


if __name__ == "__main__":
    flags.FLAGS(["playthrough"])
    for path in sorted(PLAYTHROUGHS.glob("*.txt")):
        path.write_text(play_again(path), "utf-8")
