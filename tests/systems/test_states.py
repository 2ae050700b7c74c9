"""What the states, questions and fields of these systems keep."""

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grognard.core.positions import Pending, advance_to_question
from grognard.core.rules import Roll
from grognard.core.systems import Role
from grognard.files import load

from .walking import all_states, final_state, random_answer

EXAMPLES = Path(__file__).parents[2] / "examples"
SYSTEMS = ("assault", "ranks", "supply", "tower")
FILES = [path for name in SYSTEMS for path in sorted((EXAMPLES / name).glob("*.toml"))]
IDS = [f"{path.parent.name}/{path.stem}" for path in FILES]


def contains(whole: object, part: object) -> bool:
    """Whether all that one document says stands in the other too."""
    if isinstance(whole, Mapping) and isinstance(part, Mapping):
        return all(key in whole and contains(whole[key], value) for key, value in part.items())
    return whole == part


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_snapshot_is_json_and_says_whose_everything_is(path: Path) -> None:
    battle = load(path)
    for seed in range(10):
        for state in all_states(battle, Random(seed)):
            shot = battle.system.snapshot(battle.setup, state)
            assert json.loads(json.dumps(shot)) == shot
            for entry in (shot.get("units") or shot["players"]).values():
                assert entry["role"] == battle.system.role_of(battle.setup, entry["side"])


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_the_snapshot_of_the_end_has_the_result_in_it(path: Path) -> None:
    battle = load(path)
    for seed in range(10):
        state = final_state(battle, Random(seed))
        assert contains(
            battle.system.snapshot(battle.setup, state), battle.system.result(battle.setup, state).to_dict()
        )


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_every_roll_says_what_it_is_for_what_counts_and_whose_dice_they_are(path: Path) -> None:
    battle, random = load(path), Random(1)
    due = advance_to_question(battle.setup, battle.start())
    while isinstance(due, Pending):
        if isinstance(due.question, Roll):
            assert due.question.purpose
            assert due.question.success
            assert len(due.question.by) == len(due.question.reading.dice)
            assert {battle.system.role_of(battle.setup, roller.side) for roller in due.question.by} <= set(Role)
        due = advance_to_question(battle.setup, due.position.answered(random_answer(due, random)))


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_measure_has_a_label_and_every_loss_a_measure(path: Path) -> None:
    battle = load(path)
    measures = {measure.name: measure for measure in battle.system.measures(battle.setup)}
    assert all(measure.label for measure in measures.values())
    for seed in range(20):
        state = final_state(battle, Random(seed))
        result = battle.system.result(battle.setup, state)
        for name, lost, is_gone in losses(battle.setup, result.to_dict()):
            if lost:
                assert (lost, is_gone) == (
                    measures[f"{name} loses"].of(result),
                    measures[f"{name} destroyed"].of(result),
                )


def losses(setup: Any, result: dict[str, Any]) -> list[tuple[str, int, bool]]:
    """What every unit or army has lost, and whether it is gone."""
    if "armies" in result:
        return [(a.player, a.units - result["armies"][a.player], not result["armies"][a.player]) for a in setup.armies]
    if hasattr(setup.units[0], "damage"):
        after = result["units"]
        gone = {name: unit["status"] == "eliminated" for name, unit in after.items()}
        return [(unit.id, after[unit.id]["damage"] - unit.damage, gone[unit.id]) for unit in setup.units]
    key = "strength" if hasattr(setup.units[0], "strength") else "health"
    left = {name: unit[key] for name, unit in result["units"].items()}
    return [(unit.id, getattr(unit, key) - left[unit.id], not left[unit.id]) for unit in setup.units]
