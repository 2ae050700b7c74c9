"""Fair dice: dice that no player can choose and every player can verify. `docs/fair-dice.md` describes them.

Before a battle a commitment is published: the SHA-256 of a secret of 32 random bytes. Then each side adds a text, its
number. The dice are `MachineDice` whose seed is HMAC-SHA-256, in hexadecimal digits, with the secret as key. The
message has all numbers in the order of the sides, each as UTF-8 after its length in bytes as eight big-endian bytes.
When the battle is over, its log publishes the secret.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from grognard.core.errors import GrognardError
from grognard.core.numbers import fields_to_json
from grognard.core.rules import Roll
from grognard.core.systems import Battle, Json
from grognard.plays.answers import Rolled, answer_from
from grognard.plays.dice import MachineDice
from grognard.plays.logs import Log, LogError, check_count, check_size, recompute_roll
from grognard.plays.play import Play, start

SECRET_BYTES = 32


def new_secret() -> bytes:
    """A new random secret."""
    return secrets.token_bytes(SECRET_BYTES)


def commit(secret: bytes) -> str:
    """The commitment to a secret: it does not reveal the secret, and no other secret has the same one."""
    return hashlib.sha256(secret).hexdigest()


@dataclass(frozen=True, slots=True)
class FairDice:
    """A secret and the numbers of the sides, which determine every die."""

    secret: bytes = field(repr=False)
    numbers: tuple[tuple[str, str], ...]
    """Each side with its number, in the order of the battle file."""

    @property
    def seed(self) -> str:
        """The seed of the dice."""
        numbers = [number.encode() for _, number in self.numbers]
        message = b"".join(len(number).to_bytes(8, "big") + number for number in numbers)
        return hmac.digest(self.secret, message, "sha256").hex()

    def from_draw(self, draws: int) -> MachineDice:
        """The dice after this number of draws."""
        return MachineDice(self.seed, draws)


def fair_log(play: Play, dice: FairDice, is_given_up: bool = False) -> Json:
    """A log that can be verified. It contains the secret only when the battle is over."""
    over = play.question is None or is_given_up
    rolls = [question.reading for question in _rolls(play)]
    kinds = {pool.die for reading in rolls for pool in reading.dice if pool.count}
    log = Log(play, dice.seed if over else None).to_dict()
    names = iter([[pool.die.name for pool in reading.dice for _ in range(pool.count)] for reading in rolls])
    log["moves"] = [{**move, "dice": next(names)} if "roll" in move else move for move in log["moves"]]
    log["fair"] = {
        "commitment": commit(dice.secret),
        "secret": dice.secret.hex() if over else None,
        "numbers": [{"side": side, "number": number} for side, number in dice.numbers] if over else None,
        "dice": {die.name: list(die.faces) for die in sorted(kinds, key=lambda die: die.name)},
    }
    return {**log, "digest": digest(log) if over else None}


def digest(log: Mapping[str, object]) -> str:
    """A hash of a whole log: two players with the same log have the same hash."""
    rest = {key: value for key, value in log.items() if key != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _rolls(play: Play) -> Iterator[Roll]:
    for move in play.moves:
        if isinstance(move.pending.question, Roll):
            yield move.pending.question


@dataclass(frozen=True, slots=True)
class Verification:
    """The comparison of a log with the one that its secret or seed gives."""

    dice: int
    """The number of machine dice."""
    differs: tuple[str, ...]
    commitment: str | None = None
    numbers: Json | None = None
    table_dice: int = 0
    """The number of dice rolled on a table, which cannot be verified."""

    @property
    def verified(self) -> bool:
        """Whether there is no difference."""
        return not self.differs

    def to_dict(self) -> Json:
        """As JSON."""
        return fields_to_json(self, "verified", "dice", "table_dice", "commitment", "numbers", "differs")


def verify(log: object, battle: Callable[[Json], Battle]) -> Verification:
    """Play a log again with the dice of its secret or its seed, and compare every field."""
    if not isinstance(log, dict) or not isinstance(log.get("moves"), list) or not isinstance(log.get("battle"), dict):
        raise LogError('this is no log of ours: expected a "battle" and a list of "moves"')
    if "fair" in log:
        return _verify_fair(log, battle)
    seed = log.get("seed")
    if not isinstance(seed, str):
        no_seed = "seed: there is none, nor a secret: these dice were rolled on a table, not by a machine"
        return Verification(0, (no_seed,))
    dice = MachineDice(seed)

    def again(question: Roll, move: Mapping[str, object], moves: int) -> Rolled:
        recorded = answer_from({"roll": move.get("roll")})
        assert isinstance(recorded, Rolled)
        return recompute_roll(question, move, recorded, moves, dice)

    try:
        play = _replay_with_dice(log, battle, again)
    except GrognardError as wrong:
        return Verification(0, (str(wrong),))
    by_machine, on_table = _count(play), _count(play, machine=False)
    differs = list(_differences("", Log(play, seed).to_dict(), log))
    if on_table and not by_machine:
        differs.append("seed: no die follows from it: all were rolled on a table")
    return Verification(by_machine, tuple(differs), table_dice=on_table)


def _verify_fair(log: Json, battle: Callable[[Json], Battle]) -> Verification:
    match log["fair"]:
        case {"secret": None}:
            return Verification(0, ("fair.secret: it is not published before the battle is over",))
        case {"commitment": str(commitment), "secret": str(secret), "numbers": list() | dict() as entries_by_side}:
            numbers = _numbers(entries_by_side)
        case _:
            numbers = None
    if numbers is None:
        return Verification(0, ("fair: expected a commitment, a secret and the number of every side",))
    by_side = dict(numbers)
    try:
        key = bytes.fromhex(secret)
    except ValueError:
        return Verification(0, ("fair.secret: expected hexadecimal digits, two for each byte",), commitment, by_side)
    try:
        dice = FairDice(key, numbers)
        rolling = dice.from_draw(0)
        play = _replay_with_dice(
            log, battle, lambda roll, move, moves: Rolled(rolling.roll_all(roll.reading), machine=True)
        )
    except (GrognardError, ValueError) as wrong:
        return Verification(0, (str(wrong),), commitment, by_side)
    expected = fair_log(play, dice, is_given_up=True)  # with the secret, even if the battle is not over
    if log.get("grognard") == 1:
        expected = _in_format_1(expected, log)
    return Verification(_count(play), tuple(_differences("", expected, log)), commitment, by_side)


def _numbers(data: object) -> tuple[tuple[str, str], ...] | None:
    """Each side with its number; in logs of format 1, each role."""
    match data:
        case {"attacker": str(attacker), "defender": str(defender)}:
            return ("attacker", attacker), ("defender", defender)
        case [*entries]:
            pairs = [(entry.get("side"), entry.get("number")) for entry in entries if isinstance(entry, dict)]
            if len(pairs) == len(entries) and all(isinstance(text, str) for pair in pairs for text in pair):
                return tuple((str(side), str(number)) for side, number in pairs)
    return None


def _in_format_1(expected: Json, log: Json) -> Json:
    """The expected log in format 1, with the questions of the recorded one: their wording has changed since."""
    questions = [move.get("asked") if isinstance(move, dict) else None for move in log["moves"]]
    moves = [
        {"rule": move["rule"], "asked": question, **{key: move[key] for key in move if key not in ("rule", "question")}}
        for move, question in zip(expected["moves"], questions, strict=True)
    ]
    by_role = {entry["side"]: entry["number"] for entry in expected["fair"]["numbers"] or ()}
    data = {**expected, "grognard": 1, "moves": moves, "fair": {**expected["fair"], "numbers": by_role}}
    return {**data, "digest": digest(data)}


def _replay_with_dice(
    log: Json, battle: Callable[[Json], Battle], roll: Callable[[Roll, Mapping[str, object], int], Rolled]
) -> Play:
    """Replay the decisions of a log with new dice; `roll` gets the question, the recorded move and its number."""
    check_size(log["moves"])
    play = start(battle(log["battle"]))
    for number, recorded in enumerate(log["moves"]):
        move = recorded if isinstance(recorded, dict) else {}
        try:
            if isinstance(play.question, Roll):
                check_count(play.question, move)
                play = play.answer(roll(play.question, move, number))
            else:
                play = play.answer(answer_from({"choose": move.get("choose")}))
        except GrognardError as wrong:
            raise LogError(f"moves[{number}]: {wrong}") from wrong
    return play


def _count(play: Play, *, machine: bool = True) -> int:
    """The number of machine dice, or of dice rolled on a table."""
    rolls = [move.answer for move in play.moves if isinstance(move.answer, Rolled)]
    by_machine = sum(len(roll.faces) if roll.machine else len(roll.machine_dice) for roll in rolls)
    return by_machine if machine else sum(len(roll.faces) for roll in rolls) - by_machine


def _differences(place: str, expected: object, recorded: object) -> Iterator[str]:
    """The places in which a log differs from the expected one. Types are compared too: `true` is not 1."""
    if isinstance(expected, dict) and isinstance(recorded, dict):
        for key in [*expected, *(key for key in recorded if key not in expected)]:
            inner = f"{place}.{key}" if place else str(key)
            if key not in recorded:
                yield f"{inner}: is missing, expected {_short(expected[key])}"
            elif key not in expected:
                yield f"{inner}: does not belong in a log"
            else:
                yield from _differences(inner, expected[key], recorded[key])
    elif isinstance(expected, list) and isinstance(recorded, list) and len(expected) == len(recorded):
        for number, pair in enumerate(zip(expected, recorded, strict=True)):
            yield from _differences(f"{place}[{number}]", *pair)
    elif type(expected) is not type(recorded) or expected != recorded:
        yield f"{place}: the log says {_short(recorded)}, but {_short(expected)} follows"


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
