"""What people do at a live table: answer, take back, add a number, agree on a clock, concede.

Each function returns the entry for what a seat does as the battle stands now, or raises why it cannot be done.
"""

from collections.abc import Callable

from grognard.core.systems import Json
from grognard.plays.dice import MachineDice
from grognard.server.live.errors import NotAllowed, WrongAnswer
from grognard.server.live.history import MOST_ANSWERS
from grognard.server.live.state import LivePlay, Outdated, Seat
from grognard.server.requests import MOST_DICE, LiveAnswer

Act = Callable[[Seat, LivePlay], Json]


def answer(given: LiveAnswer, seat: Seat, now: LivePlay) -> Json:
    """Decide, roll, tell what was rolled on the table, or take back one's decision."""
    _refuse_over(seat, now)
    if given.number != now.history.number:
        raise Outdated(f"question {given.number} is not open: question {now.history.number} is", seat, now)
    if given.undo:
        return _undo(seat, now)
    if len(now.history.answers) >= MOST_ANSWERS:
        raise Outdated(f"a battle takes no more than {MOST_ANSWERS} answers: concede, or take back", seat, now)
    if not now.can_answer(seat.side):
        raise NotAllowed("this question is for another player")
    if given.choose is not None:
        return {"choose": given.choose}
    return _fair_roll(seat, now) if given.roll == "fair" else _typed_roll(now, given.roll or [])


def add_number(text: str, seat: Seat, now: LivePlay) -> Json:
    """Add a number to the fair dice, in place of one's former; not once the first of them was rolled."""
    if now.record.secret is None:
        raise WrongAnswer("this battle's dice are rolled on a table: numbers have no part in them")
    if now.history.has_rolled:
        raise Outdated("the first die has been rolled: the numbers are fixed", seat, now)
    _refuse_over(seat, now)
    _refuse_others(seat, now)
    _refuse_often("number", seat, now)
    return {"number": text}


def propose_clock(seconds: int | None, seat: Seat, now: LivePlay) -> Json:
    """Propose how many seconds each side has for its decisions, or none: all must propose the same."""
    _refuse_over(seat, now)
    _refuse_others(seat, now)
    if now.history.clock(now.seated_sides) is not None:
        raise Outdated("the players have agreed on a clock: it stays", seat, now)
    _refuse_often("clock", seat, now)
    return {"clock": seconds}


def concede(seat: Seat, now: LivePlay) -> Json:
    """Give the battle up: it is over, and the dice can be verified."""
    _refuse_over(seat, now)
    _refuse_others(seat, now)
    return {"concede": True}


def flag(seat: Seat, now: LivePlay) -> Json:
    """End the battle because the side that has to decide has used up its time."""
    clock = now.history.clock(now.seated_sides)
    if now.is_over or clock is None or now.asked_side is None:
        raise Outdated("nobody's clock is running", seat, now)
    _refuse_others(seat, now)
    if left := now.seconds_left(now.asked_side, clock):
        raise Outdated(f"{now.asked_side} has {left:.0f} seconds left", seat, now)
    return {"flag": now.asked_side}


def go_on(battle: str, seat: Seat, now: LivePlay) -> Json:
    """Have another battle follow at the same table."""
    if not now.is_over:
        raise Outdated("this battle is not over", seat, now)
    if now.history.next is not None:
        raise Outdated("the next battle has been opened", seat, now)
    return {"next": battle}


def _refuse_over(seat: Seat, now: LivePlay) -> None:
    if now.is_over:
        raise Outdated("the battle is over", seat, now)


def _refuse_others(seat: Seat, now: LivePlay) -> None:
    if seat.side not in now.seated_sides:
        raise NotAllowed("your side is not in this battle")


def _refuse_often(what: str, seat: Seat, now: LivePlay) -> None:
    if not now.history.may_still(what, seat.side):
        raise Outdated("you have done this too often in this battle", seat, now)


def _undo(seat: Seat, now: LivePlay) -> Json:
    if not now.can_undo(seat.side):
        raise Outdated("only the last answer can be taken back, if it is a decision of your own", seat, now)
    _refuse_often("undo", seat, now)
    return {"undo": True}


def _typed_roll(now: LivePlay, faces: list[int | str]) -> Json:
    if now.record.secret is not None:
        raise WrongAnswer('this battle\'s dice are the fair dice: answer {"roll": "fair"}')
    return {"roll": faces}


def _fair_roll(seat: Seat, now: LivePlay) -> Json:
    """The fair dice for the open question. No rule is needed for them: the question says which dice are rolled."""
    question, dice = now.play["question"], now.fair_dice
    if dice is None:
        raise WrongAnswer('this battle\'s dice are rolled on a table: answer {"roll": [faces]}')
    if question["kind"] != "roll":
        raise WrongAnswer(f"dice were given, but {question['text']}")
    missing = [side for side in now.seated_sides if side not in now.history.numbers]
    if missing:
        raise Outdated(f"{missing[0]} has not added a number to the dice yet", seat, now)
    count = sum(pool["count"] for pool in question["dice"])
    if count > MOST_DICE:
        raise WrongAnswer(f"{count} dice are to be rolled, and {MOST_DICE} are the most that are rolled at once")
    machine: MachineDice = dice.from_draw(now.history.draws)
    faces = [
        pool["faces"][machine.draw_below(len(pool["faces"]))] for pool in question["dice"] for _ in range(pool["count"])
    ]
    return {"roll": faces, "draws": machine.draws}
