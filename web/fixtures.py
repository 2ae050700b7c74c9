"""Writes what the tests of the page are made of: every system, and each of its examples played by the real engine.

`python web/fixtures.py` writes the files, `python web/fixtures.py --check` fails if they are not current.
"""

import json
import sys
from pathlib import Path
from typing import Any

from grognard import battle, systems
from grognard.core.rules import Choose, Question
from grognard.files.examples import examples
from grognard.plays.dice import MachineDice
from grognard.plays.play import Play, start
from grognard.tasks import play_to_dict
from grognard.words.catalogue import catalogue

FOLDER = Path(__file__).parent / "src" / "testing" / "fixtures"
LEFT_OUT = ("rules", "paragraphs", "sources", "examples")
"""What no test of a battlefield needs to know of a system."""
MOST_ANSWERS = 12
"""Long plays are cut off here: the files stay small."""

Json = dict[str, Any]


def fixture(name: str) -> Json:
    """A system, and a play of each of its examples."""
    about = next(entry for entry in catalogue() if entry["name"] == name)
    empty: Json = {key: type(about[key])() for key in LEFT_OUT}
    return {"system": about | empty, "plays": [played(example.name, example.source) for example in examples(name)]}


def played(name: str, source: Json) -> Json:
    """One play: any options, and dice that follow from the example's name."""
    play, dice = start(battle(source)), MachineDice(name)
    while (question := play.question) is not None and len(play.moves) < MOST_ANSWERS:
        play = answered(play, question, dice)
    response = play_to_dict(play)
    for key in ("after", "moves", "seed"):
        del response[key]
    return {"name": name, "battle": source, "response": response | {"events": without_repetition(response["events"])}}


def answered(play: Play, question: Question, dice: MachineDice) -> Play:
    """The play after one more answer."""
    if isinstance(question, Choose):
        return play.choose(question.options[dice.draw_below(len(question.options))].id)
    return play.roll(dice.roll_all(question.reading))


def without_repetition(events: list[Json]) -> list[Json]:
    """The events; a state that is the same as the one before is left out."""
    before, short = None, []
    for event in events:
        short.append({key: value for key, value in event.items() if key != "state" or value != before})
        before = event["state"]
    return short


def main() -> None:
    """Write the files, or check them."""
    stale = []
    for name in systems.names():
        file = FOLDER / f"{name}.json"
        text = json.dumps(fixture(name), ensure_ascii=False, separators=(",", ":")) + "\n"
        if "--check" not in sys.argv:
            FOLDER.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        elif not file.exists() or file.read_text("utf-8") != text:
            stale.append(file.name)
    if stale:
        sys.exit(f"{', '.join(stale)}: not what the engine says now; run `python web/fixtures.py`")


if __name__ == "__main__":
    main()
