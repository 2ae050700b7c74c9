"""The actions of players in a live battle.

Each function returns the entry for an action in the current state of the battle, or raises an error if the state does
not allow the action.
"""

from collections.abc import Callable

from grognard.core.systems import Json
from grognard.plays.dice import MachineDice
from grognard.server.live.errors import NotAllowed, WrongAnswer
from grognard.server.live.history import MOST_ANSWERS
from grognard.server.live.state import LivePlay, Outdated, Seat
from grognard.server.requests import MOST_DICE, LiveAnswer

Action = Callable[[Seat, LivePlay], Json]


def answer(request: LiveAnswer, seat: Seat, play: LivePlay) -> Json:
    """Answer the open question, or take back a decision."""
    _require_open(seat, play)
    if request.number != play.history.number:
        raise Outdated(f"question {request.number} is not open: question {play.history.number} is", seat, play)
    if request.undo:
        return _undo(seat, play)
    if len(play.history.answers) >= MOST_ANSWERS:
        raise Outdated(f"a battle takes no more than {MOST_ANSWERS} answers: concede, or take back", seat, play)
    if not play.can_answer(seat.side):
        raise NotAllowed("this question is for another player")
    if request.choose is not None:
        return {"choose": request.choose}
    return _fair_roll(seat, play) if request.roll == "fair" else _typed_roll(play, request.roll or [])


def add_number(text: str, seat: Seat, play: LivePlay) -> Json:
    """Add a number to the fair dice or replace it, before the first roll."""
    if play.record.secret is None:
        raise WrongAnswer("this battle's dice are rolled on a table: numbers have no part in them")
    if play.history.has_rolled:
        raise Outdated("the first die has been rolled: the numbers are fixed", seat, play)
    _require_open(seat, play)
    _require_side(seat, play)
    _require_within_limit("number", seat, play)
    return {"number": text}


def propose_clock(seconds: int | None, seat: Seat, play: LivePlay) -> Json:
    """Propose the seconds that each side has for its decisions; None withdraws the proposal."""
    _require_open(seat, play)
    _require_side(seat, play)
    if play.history.clock(play.seated_sides) is not None:
        raise Outdated("the players have agreed on a clock: it stays", seat, play)
    _require_within_limit("clock", seat, play)
    return {"clock": seconds}


def concede(seat: Seat, play: LivePlay) -> Json:
    """Concede the battle."""
    _require_open(seat, play)
    _require_side(seat, play)
    return {"concede": True}


def flag(seat: Seat, play: LivePlay) -> Json:
    """End the battle because the time of the side that has to decide is up."""
    clock = play.history.clock(play.seated_sides)
    if play.is_over or clock is None or play.asked_side is None:
        raise Outdated("nobody's clock is running", seat, play)
    _require_side(seat, play)
    if left := play.seconds_left(play.asked_side, clock):
        raise Outdated(f"{play.asked_side} has {left:.0f} seconds left", seat, play)
    return {"flag": play.asked_side}


def open_next(battle: str, seat: Seat, play: LivePlay) -> Json:
    """Let another battle follow at the same table."""
    if not play.is_over:
        raise Outdated("this battle is not over", seat, play)
    if play.history.next is not None:
        raise Outdated("the next battle has been opened", seat, play)
    return {"next": battle}


def _require_open(seat: Seat, play: LivePlay) -> None:
    if play.is_over:
        raise Outdated("the battle is over", seat, play)


def _require_side(seat: Seat, play: LivePlay) -> None:
    if seat.side not in play.seated_sides:
        raise NotAllowed("your side is not in this battle")


def _require_within_limit(what: str, seat: Seat, play: LivePlay) -> None:
    if not play.history.is_within_limit(what, seat.side):
        raise Outdated("you have done this too often in this battle", seat, play)


def _undo(seat: Seat, play: LivePlay) -> Json:
    if not play.can_undo(seat.side):
        raise Outdated("only the last answer can be taken back, if it is a decision of your own", seat, play)
    _require_within_limit("undo", seat, play)
    return {"undo": True}


def _typed_roll(play: LivePlay, faces: list[int | str]) -> Json:
    if play.record.secret is not None:
        raise WrongAnswer('this battle\'s dice are the fair dice: answer {"roll": "fair"}')
    return {"roll": faces}


def _fair_roll(seat: Seat, play: LivePlay) -> Json:
    """A roll of the fair dice for the open question, which lists the dice."""
    question, dice = play.head["question"], play.fair_dice
    if dice is None:
        raise WrongAnswer('this battle\'s dice are rolled on a table: answer {"roll": [faces]}')
    if question["kind"] != "roll":
        raise WrongAnswer(f"dice were given, but {question['text']}")
    missing = [side for side in play.seated_sides if side not in play.history.numbers]
    if missing:
        raise Outdated(f"{missing[0]} has not added a number to the dice yet", seat, play)
    count = sum(pool["count"] for pool in question["dice"])
    if count > MOST_DICE:
        raise WrongAnswer(f"{count} dice are to be rolled, and {MOST_DICE} are the most that are rolled at once")
    machine: MachineDice = dice.from_draw(play.history.draws)
    faces = [
        pool["faces"][machine.draw_below(len(pool["faces"]))] for pool in question["dice"] for _ in range(pool["count"])
    ]
    return {"roll": faces, "draws": machine.draws}
