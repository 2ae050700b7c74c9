"""A battle as one of its roles sees it."""

from grognard.core.rules import End
from grognard.core.systems import Json
from grognard.plays.fair import commit
from grognard.plays.play import Play
from grognard.server.live.battles import Seat
from grognard.server.live.course import Course
from grognard.server.live.keys import Role
from grognard.server.live.schemas import FairState, NumbersAdded, State
from grognard.server.sent import Battle
from grognard.server.telling import told


def state_of(seat: Seat, course: Course) -> State:
    """How the battle stands, to this seat."""
    secret = seat.record.secret if course.is_over else None
    return State(
        id=seat.record.id,
        role=seat.role,
        entries=course.entries,
        battle=Battle(seat.record.source),
        options=seat.record.options,
        number=course.number,
        can_answer=course.can_answer(seat.role),
        can_undo=course.can_undo(seat.role),
        after=_after(course.play),
        fair=_fair(seat, course),
        next=course.next,
        **told(course.play, None if secret is None else course.fair_dice(secret).seed),
    )


def _after(play: Play) -> Json | None:
    battle, over = play.battle, play.due
    return battle.system.after(battle.setup, battle.source, over.state) if isinstance(over, End) else None


def _fair(seat: Seat, course: Course) -> FairState | None:
    secret = seat.record.secret
    if secret is None:
        return None
    added = NumbersAdded(attacker=Role.ATTACKER in course.numbers, defender=Role.DEFENDER in course.numbers)
    return FairState(commitment=commit(secret), numbers=added, secret=secret.hex() if course.is_over else None)
