"""Battles for these tests: us fires on ge."""

from collections.abc import Sequence
from typing import Any

from grognard.core.rules import Choose, Roll
from grognard.core.systems import Json
from grognard.files import battle
from grognard.plays.answers import Chosen, Rolled
from grognard.plays.play import Play, start
from grognard.readings.symbols import Comparison

RIFLES: Json = {"id": "rifles", "side": "us", "card": "US Rifles 43"}
HMG: Json = {"id": "hmg", "side": "ge", "card": "GE HMG 42"}
MORTAR: Json = {"id": "mortar", "side": "us", "card": "US 81 mm mortar"}
TANK: Json = {"id": "tank", "side": "ge", "card": "medium tank"}
GUN: Json = {"id": "gun", "side": "ge", "kind": "artillery", "strength": 3, "defense": "Y"}


def fight(by: Json = RIFLES, on: Json = HMG, *others: Json, rules: Json | None = None, **attack: Any) -> Json:
    """An attack at range 2 in the clear, unless told otherwise. A value of None takes a key away."""
    told = {"by": by["id"], "on": on["id"], "range": 2, **attack}
    source: Json = {
        "system": "assault",
        "units": [by, on, *others],
        "attack": {key: value for key, value in told.items() if value is not None},
    }
    return {**source, "rules": rules} if rules else source


def by_hand(dice: str, defense: str, on: Json = HMG, by: Json = RIFLES, **more: Any) -> Json:
    """An attack with both sides' dice given."""
    return fight(by, on, dice=dice, defense=defense, **more)


def played(source: Json, *answers: Sequence[str | int] | str) -> Play:
    """A battle after these answers: faces of dice in a list, or the id of an option."""
    play = start(battle(source))
    for answer in answers:
        play = play.answer(Chosen(answer) if isinstance(answer, str) else Rolled(tuple(answer)))
    return play


def pools(play: Play) -> tuple[str, str]:
    """The dice of both sides that are about to be compared, strong to weak."""
    assert isinstance(play.question, Roll), play.question
    reading = play.question.reading
    assert isinstance(reading, Comparison), reading
    sides = (reading.attack.dice, reading.defence.dice)
    attack, defence = ("".join(hand.die.name[0].upper() * hand.count for hand in dice) for dice in sides)
    return attack, defence


def gathered(source: Json, *answers: Sequence[str | int] | str) -> tuple[str, str]:
    """Attack and defence dice, strong to weak, when all are gathered; spotting rolls succeed unless answered."""
    play = played(source, *answers)
    while isinstance(play.question, Roll) and play.question.reading.dice[0].die.name == "d6":
        play = play.answer(Rolled((6,)))
    return pools(play)


def asked(play: Play) -> str:
    """The prompt of the decision that is due."""
    assert isinstance(play.question, Choose), play.pending
    return play.question.prompt


def told(play: Play, rule: str | None = None) -> list[str]:
    """What was told of the changes, perhaps by one paragraph alone."""
    changes = [event for event in play.events if event.details["kind"] == "change"]
    return [event.what for event in changes if rule in (None, event.rule)]


def fate(source: Json, *answers: Sequence[str | int] | str) -> tuple[int, str, bool]:
    """How the target came out: damage, status, whether it is immobilized."""
    unit = played(source, *answers).result.to_dict()["units"][source["attack"]["on"]]
    return unit["damage"], unit["status"], unit["immobilized"]
