"""Battles for these tests: us fires on ge."""

from collections.abc import Sequence
from typing import Any

from grognard.core.readings import Face
from grognard.core.rules import Choose, Question, Roll
from grognard.core.systems import Json
from grognard.files import battle
from grognard.plays.play import Play, start

RIFLES: Json = {"id": "rifles", "side": "us", "card": "US Rifles 43"}
HMG: Json = {"id": "hmg", "side": "ge", "card": "GE HMG 42"}
MORTAR: Json = {"id": "mortar", "side": "us", "card": "US 81 mm mortar"}
TANK: Json = {"id": "tank", "side": "ge", "card": "medium tank"}
GUN: Json = {"id": "gun", "side": "ge", "kind": "artillery", "strength": 3, "defense": "Y"}


def fight(by: Json = RIFLES, on: Json = HMG, *others: Json, rules: Json | None = None, **attack: Any) -> Json:
    """An attack at range 2 in the clear, unless told otherwise. A value of None takes a key away."""
    facts = {"by": by["id"], "on": on["id"], "range": 2, **attack}
    source: Json = {
        "system": "assault",
        "units": [by, on, *others],
        "attack": {key: value for key, value in facts.items() if value is not None},
    }
    return {**source, "rules": rules} if rules else source


def by_hand(dice: str, defense: str, on: Json = HMG, by: Json = RIFLES, **more: Any) -> Json:
    """An attack with both sides' dice given."""
    return fight(by, on, dice=dice, defense=defense, **more)


def played(source: Json, *answers: Sequence[str | int] | str) -> Play:
    """A battle after these answers: the id of an option, or faces of dice, which may go on into the next roll.

    Faces for a defence that is not rolled, because nothing is left to defend against, are dropped.
    """
    play = start(battle(source))
    for answer in answers:
        if isinstance(answer, str):
            play = play.choose(answer)
            continue
        faces = list(answer)
        while faces and isinstance(play.question, Roll):
            dice = sum(pool.count for pool in play.question.reading.dice)
            play, faces = play.roll(faces[:dice]), faces[dice:]
    return play


def letters(question: Question | None) -> str:
    """The dice of a roll, strong to weak."""
    assert isinstance(question, Roll)
    return "".join(pool.die.name[0].upper() * pool.count for pool in question.reading.dice)


def gathered(source: Json, *answers: Sequence[str | int] | str) -> tuple[str, str]:
    """The dice of the attack roll and of the defence roll.

    Where no answer is given, targets are spotted, attack dice show a D and no card is played.
    """
    play, left, dice = start(battle(source)), list(answers), {"Attack roll": "", "Defence roll": ""}
    while (question := play.question) is not None:
        if isinstance(question, Roll):
            dice[question.purpose] = letters(question)
            if question.purpose == "Defence roll":
                break
            play = play.roll(left.pop(0) if left and not isinstance(left[0], str) else hits(question))
        else:
            play = play.choose(str(left.pop(0)) if left else "no")
    return dice["Attack roll"], dice["Defence roll"]


def hits(question: Roll) -> list[Face]:
    """A 6, or for each die a face that shows a D and no C."""
    faces = [pool.die.faces for pool in question.reading.dice for _ in range(pool.count)]
    return [next((face for face in die if "D" in str(face) and "C" not in str(face)), die[-1]) for die in faces]


def asked(play: Play) -> str:
    """The prompt of the decision that is due."""
    assert isinstance(play.question, Choose), play.pending
    return play.question.prompt


def sentences(play: Play, rule: str | None = None) -> list[str]:
    """The sentences about changes, perhaps by one paragraph alone."""
    changes = [event for event in play.events if event.kind == "change"]
    return [event.what for event in changes if rule in (None, event.rule) and "nothing happens in" not in event.what]


def fate(source: Json, *answers: Sequence[str | int] | str) -> tuple[int, str, bool]:
    """How the target came out: damage, status, whether it is immobilized."""
    unit = played(source, *answers).result.to_dict()["units"][source["attack"]["on"]]
    return unit["damage"], unit["status"], unit["immobilized"]
