"""Battles played once and written down: faces, choices, every event, the result. Run this file to write them anew."""

import json
from pathlib import Path

from grognard.api import play
from grognard.core.systems import Json
from grognard.files import load

ROOT = Path(__file__).parents[3]
FOLDER = Path(__file__).with_name("playthroughs")
SEEDS = (1, 2)


def examples() -> list[Path]:
    """The examples that are played."""
    return sorted((ROOT / "examples" / "assault").glob("*.toml"))


def write() -> None:
    """Play every example with every seed, the attacker eager, the defender at random, and write it down."""
    FOLDER.mkdir(exist_ok=True)
    for path in examples():
        for seed in SEEDS:
            played = play(load(path), seed=seed, attacker="eager", defender="random")
            record: Json = {
                "answers": [move.answer.to_dict() for move in played.moves],
                "events": [f"{event.rule}: {event.what}" for event in played.events],
                "result": played.result.to_dict(),
            }
            text = json.dumps(record, indent=1, ensure_ascii=False)
            (FOLDER / f"{path.stem}-{seed}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    write()
