"""What people do at the table: open a battle, take a seat with a key, answer, take back, add a number, go on."""

import json
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from grognard import files
from grognard.core.errors import BattleError, Fault, GrognardError, WrongAnswer
from grognard.core.rules import Roll
from grognard.core.systems import Battle, Json
from grognard.plays.answers import Chosen, Rolled, accept, asked
from grognard.plays.fair import fair_log, new_secret
from grognard.plays.logs import Log
from grognard.server.live.course import Course, begin_course
from grognard.server.live.keys import Role, hash_key, new_id, new_keys, role_of
from grognard.server.live.records import MOST_DICE, Entry, Options, Record
from grognard.server.live.store import Store, Taken

KEPT = 200
"""How many courses are kept in memory; any can be made again from its entries."""
MOST_ENTRIES = 2_000
AN_ID = re.compile(r"[\w-]{1,40}", re.ASCII)


class Unknown(GrognardError):
    """No such battle, or not with this key: which of the two is nobody's business."""

    def __init__(self) -> None:
        super().__init__("there is no such battle, or the key is not one of its keys")


class NotAllowed(GrognardError):
    """Something that this key does not let one do."""


class Outdated(GrognardError):
    """Something that cannot be done as the battle stands now."""

    def __init__(self, message: str, seat: "Seat", course: Course) -> None:
        self.seat, self.course = seat, course
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody at a battle's table."""

    record: Record
    role: Role


@dataclass(frozen=True, slots=True)
class Opened:
    """A new battle, and the keys to it, which are told this once."""

    record: Record
    keys: dict[Role, str]


class Battles:
    """All live battles. Its methods block: call them from threads."""

    def __init__(self, store: Store, changed: Callable[[str], None]) -> None:
        self.store = store
        self._changed = changed
        self._courses: OrderedDict[str, Course] = OrderedDict()
        self._lock = Lock()

    def open_battle(self, source: Json, options: Options) -> Opened:
        """Open a battle, with new keys."""
        keys = new_keys()
        record = _record(source, options, {role: hash_key(key) for role, key in keys.items()})
        self.store.open_battle(record)
        return Opened(record, keys)

    def sit_down(self, battle: str, key: str) -> Seat:
        """The seat that a key is for."""
        record = self.store.find(battle) if AN_ID.fullmatch(battle) else None
        role = role_of(key, record.keys if record else None)
        if record is None or role is None:
            raise Unknown
        return Seat(record, role)

    def course(self, record: Record) -> Course:
        """How a battle stands now: what is remembered of it, and what was done since."""
        with self._lock:
            course = self._courses.get(record.id)
        if course is None:
            course = begin_course(files.battle(record.source))
        for entry in self.store.entries(record.id, course.entries):
            course = course.after(entry)
        with self._lock:
            self._courses[record.id] = course
            self._courses.move_to_end(record.id)
            while len(self._courses) > KEPT:
                self._courses.popitem(last=False)
        return course

    def look_again(self, seat: Seat) -> Course:
        """How the battle stands now, if it has not been pruned since one sat down."""
        if self.store.find(seat.record.id) is None:
            raise Unknown
        return self.course(seat.record)

    def choose(self, seat: Seat, number: int, option: str) -> Course:
        """Take a decision."""

        def chosen(course: Course) -> Json:
            _refuse_others(seat, course, number)
            answer = Chosen(option)
            _accept(course, answer)
            return answer.to_dict()

        return self._append(seat, chosen)

    def enter_roll(self, seat: Seat, number: int, faces: tuple[int | str, ...]) -> Course:
        """Tell what fell on the table."""

        def entered(course: Course) -> Json:
            _refuse_others(seat, course, number)
            if seat.record.secret is not None:
                raise WrongAnswer('this battle\'s dice are the fair dice: answer {"roll": "fair"}')
            answer = Rolled(faces)
            _accept(course, answer)
            return answer.to_dict()

        return self._append(seat, entered)

    def roll(self, seat: Seat, number: int) -> Course:
        """Roll the fair dice."""

        def rolled(course: Course) -> Json:
            _refuse_others(seat, course, number)
            question, secret = course.play.question, seat.record.secret
            if secret is None:
                raise WrongAnswer('this battle\'s dice are rolled on a table: answer {"roll": [faces]}')
            if not isinstance(question, Roll):
                assert question is not None
                raise WrongAnswer(f"dice were given, but {asked(question)}")
            missing = [role for role in (Role.ATTACKER, Role.DEFENDER) if role not in course.numbers]
            if missing:
                raise Outdated(f"the {missing[0]} has not added a number to the dice yet", seat, course)
            count = sum(pool.count for pool in question.reading.dice)
            if count > MOST_DICE:
                raise WrongAnswer(f"{count} dice are due, and {MOST_DICE} are the most that are rolled at once")
            dice = course.fair_dice(secret).from_draw(course.draws)
            return {"roll": list(dice.roll_all(question.reading)), "draws": dice.draws}

        return self._append(seat, rolled)

    def undo(self, seat: Seat, number: int) -> Course:
        """Take back one's decision, as long as nothing came after it and no die has fallen."""

        def undone(course: Course) -> Json:
            _refuse_outdated(seat, course, number)
            if not course.can_undo(seat.role):
                raise Outdated("only the last answer can be taken back, a decision, by whoever made it", seat, course)
            return {"undo": True}

        return self._append(seat, undone)

    def add_number(self, seat: Seat, text: str) -> Course:
        """Add a number to the fair dice, in place of one's former; not after the first of them has fallen."""

        def added(course: Course) -> Json:
            if seat.record.secret is None:
                raise WrongAnswer("this battle's dice are rolled on a table: numbers have no part in them")
            if course.has_rolled:
                raise Outdated("the first die has fallen: the numbers are fixed", seat, course)
            return {"number": text}

        return self._append(seat, added)

    def open_next(self, seat: Seat, source: Json, options: Options) -> Record:
        """Open the battle that follows at the same table, with the same keys."""
        record = _record(source, options, dict(seat.record.keys))

        def opened(course: Course) -> Json:
            if not course.is_over:
                raise Outdated("this battle is not over", seat, course)
            if course.next is not None:
                raise Outdated("the next battle has been opened", seat, course)
            return {"next": record.id}

        self._append(seat, opened, record)
        return record

    def log(self, seat: Seat) -> Json:
        """The battle as `grognard replay` and `grognard verify` read it."""
        course = self.course(seat.record)
        if seat.record.secret is None:
            return Log(course.play, None).to_dict()
        return fair_log(course.play, course.fair_dice(seat.record.secret))

    def _append(self, seat: Seat, make: Callable[[Course], Json], opens: Record | None = None) -> Course:
        """Do something, unless somebody else did something first that makes it impossible."""
        if seat.role is Role.SPECTATOR:
            raise NotAllowed("spectators watch")
        while True:
            course = self.course(seat.record)
            if course.entries >= MOST_ENTRIES:
                raise Outdated(f"a battle takes no more than {MOST_ENTRIES} entries", seat, course)
            entry = Entry(course.entries + 1, seat.role, _now(), make(course))
            try:
                self.store.append(seat.record.id, entry, opens)
            except Taken:
                self.look_again(seat)
                continue
            self._changed(seat.record.id)
            return self.course(seat.record)


def _record(source: Json, options: Options, keys: dict[Role, str]) -> Record:
    battle = _legal(source)
    begin_course(battle)
    return Record(new_id(), _now(), battle.source, options, new_secret() if options.dice == "fair" else None, keys)


def _legal(source: Json) -> Battle:
    try:
        json.dumps(source, ensure_ascii=False).encode()
        return files.battle(source)
    except UnicodeEncodeError:  # half of a surrogate pair is text in JSON, but cannot be sent to anybody
        raise BattleError([Fault("", "holds text that is not Unicode")]) from None


def _refuse_outdated(seat: Seat, course: Course, number: int) -> None:
    if course.is_over:
        raise Outdated("the battle is over", seat, course)
    if number != course.number:
        raise Outdated(f"question {number} is not due: question {course.number} is", seat, course)


def _refuse_others(seat: Seat, course: Course, number: int) -> None:
    _refuse_outdated(seat, course, number)
    if not course.can_answer(seat.role):
        raise NotAllowed("this question is for the other player")


def _accept(course: Course, answer: Chosen | Rolled) -> None:
    assert course.play.question is not None
    accept(course.play.question, answer)


def _now() -> int:
    return time.time_ns() // 1_000_000
