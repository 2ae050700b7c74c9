"""What the page and other programs read: a play, with what is due and all that happened, and what is wrong."""

from grognard.core.positions import Pending
from grognard.core.rules import Choose
from grognard.core.systems import Battle, Json
from grognard.plays.answers import asked
from grognard.plays.logs import Log
from grognard.plays.play import Play


def told(playing: Play, seed: str | None = None) -> Json:
    """The question that is due or else the result, with every event and every answer so far."""
    log = Log(playing, seed).to_dict()
    return {
        "system": playing.battle.system.name,
        "question": question_due(playing),
        "result": log["result"],
        "events": [event.to_dict() for event in playing.events],
        "moves": log["moves"],
        "seed": seed,
    }


def question_due(playing: Play) -> Json | None:
    """What is asked now: dice, with who rolls which, or a decision with its options; None once it is over."""
    if not isinstance(playing.due, Pending):
        return None
    question, rule = playing.due.question, playing.due.position.rule.paragraph
    if isinstance(question, Choose):
        return {"kind": "choice", "rule": rule, "asked": asked(question), **_choice(playing.battle, question)}
    dice = question.reading.dice
    by = [str(one) for one in question.by] or [""] * len(dice)
    hands = [
        {"by": name, "count": pool.count, "die": pool.die.name, "faces": list(pool.die.faces)}
        for name, pool in zip(by, dice, strict=True)
    ]
    return {"kind": "roll", "rule": rule, "asked": asked(question), "dice": hands}


def _choice(battle: Battle, question: Choose) -> Json:
    return {
        "by": question.by,
        "side": str(battle.system.role_of(battle.setup, question.by)),
        "prompt": question.prompt,
        "optional": question.optional,
        "options": [{"id": option.id, "label": option.label} for option in question.options],
    }


def faults(message: str, place: str = "") -> Json:
    """One fault, in the shape of several."""
    return {"faults": [{"place": place, "message": message}]}
