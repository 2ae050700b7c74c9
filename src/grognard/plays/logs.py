"""Logs: a play as JSON, and its replay."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from grognard.core.errors import GrognardError
from grognard.core.rules import Roll
from grognard.core.systems import Battle, Json
from grognard.plays.answers import Rolled, answer_from
from grognard.plays.dice import MachineDice
from grognard.plays.play import Move, Play, start

FORMAT = 2
MOST_MOVES = 20_000
READABLE_FORMATS = (1, FORMAT)
"""The questions in logs of format 1 have another wording, and are not compared."""


class LogError(GrognardError, ValueError):
    """A log that cannot be read, or whose replay differs from it."""


class Log(NamedTuple):
    """A play, and the seed of its machine dice."""

    play: Play
    seed: str | None

    @property
    def rolls(self) -> int:
        """The number of rolls, by players and by the machine."""
        return len(self._rolled)

    @property
    def rolls_of_seed(self) -> int:
        """The number of rolls of machine dice alone. If there is a seed, a replay verifies them."""
        return sum(rolled.machine for rolled in self._rolled)

    @property
    def mixed_rolls(self) -> int:
        """The number of rolls of machine dice for one side and table dice for the other."""
        return sum(bool(rolled.machine_dice) for rolled in self._rolled)

    def _repr_html_(self) -> str:
        return self.play._repr_html_()

    @property
    def _rolled(self) -> list[Rolled]:
        return [move.answer for move in self.play.moves if isinstance(move.answer, Rolled)]

    def to_dict(self) -> Json:
        """The log as JSON."""
        play = self.play
        over = play.question is None
        return {
            "grognard": FORMAT,
            "battle": play.battle.source,
            "seed": self.seed,
            "moves": [move_to_dict(move) for move in play.moves],
            "result": play.result.to_dict() if over else None,
        }


def replay(log: object, battle: Callable[[Json], Battle]) -> Log:
    """Play a log again; an error if a question, the machine dice or the result is not as recorded."""
    if not isinstance(log, dict) or log.get("grognard") not in READABLE_FORMATS:
        raise LogError(f'this is not a log: expected "grognard": {FORMAT}')
    moves, seed = log.get("moves"), log.get("seed")
    if not isinstance(moves, list) or not isinstance(log.get("battle"), dict) or not isinstance(seed, str | None):
        raise LogError('a log has a "battle", a list of "moves", a "seed" or null, and a "result"')
    check_size(moves)
    play = start(battle(log["battle"]))
    dice = None if seed is None else MachineDice(seed)
    for number, move in enumerate(moves, 1):
        play = _replay_move(play, move, number, dice)
        if log["grognard"] == FORMAT:
            _check_question(play.moves[-1], move, number)
    result = play.result.to_dict() if play.question is None else None
    if result != log.get("result"):
        raise LogError(f"the result is {result}, but the log says {log.get('result')}")
    return Log(play, seed)


def _replay_move(play: Play, move: object, number: int, dice: MachineDice | None) -> Play:
    if not isinstance(move, dict):
        raise LogError(f"move {number} is not a move: {move!r}")
    question = play.question
    try:
        answer = answer_from({key: value for key, value in move.items() if key in ("roll", "choose")})
        if dice and isinstance(question, Roll) and isinstance(answer, Rolled):
            check_count(question, move)
            rolled = recompute_roll(question, move, answer, number - 1, dice)
            if answer.faces != rolled.faces:
                raise LogError(f"the seed's dice are {list(rolled.faces)}, but the log says {move.get('roll')}")
            answer = rolled
        return play.answer(answer)
    except GrognardError as wrong:
        raise LogError(f"move {number}: {wrong}") from wrong


def check_size(moves: list[object]) -> None:
    """Raise an error if a log has too many moves."""
    if len(moves) > MOST_MOVES:
        raise LogError(f"found {len(moves):,} moves, expected no more than {MOST_MOVES:,}")


def check_count(question: Roll, recorded: Mapping[str, object]) -> None:
    """Raise an error if a recorded roll has the wrong number of dice."""
    count, faces = sum(pool.count for pool in question.reading.dice), recorded.get("roll")
    if not isinstance(faces, list) or len(faces) != count:
        recorded_faces = f"{len(faces)} faces" if isinstance(faces, list) else "no roll"
        raise LogError(f"{count} dice are rolled, but the log has {recorded_faces}")


def recompute_roll(
    question: Roll, recorded: Mapping[str, object], answer: Rolled, moves: int, dice: MachineDice
) -> Rolled:
    """A recorded roll with its machine dice computed again; `moves` is the number of moves before it."""
    if recorded.get("machine"):
        return Rolled(dice.roll_all(question.reading), machine=True)
    machine_dice = recorded.get("machine_dice", [])
    count = sum(pool.count for pool in question.reading.dice)
    listed: list[Any] = machine_dice if isinstance(machine_dice, list) else [None]
    indices = set(range(len(answer.faces))).intersection(number for number in listed if type(number) is int)
    if len(indices) != len(listed):
        raise LogError(f'"machine_dice" lists dice of the roll, from 0, each once, not {str(machine_dice)[:80]}')
    if not indices or len(answer.faces) != count:
        return answer
    table_faces = [None if number in indices else face for number, face in enumerate(answer.faces)]
    return Rolled(dice.complete(question.reading, table_faces, moves), machine_dice=tuple(sorted(indices)))


def _check_question(move: Move, recorded: Mapping[str, object], number: int) -> None:
    for name, now in (("rule", move.rule), ("question", move.question)):
        if now != recorded.get(name):
            raise LogError(f'move {number}: {name} is now "{now}", but the log says "{recorded.get(name)}"')


def move_to_dict(move: Move) -> Json:
    """A move as JSON."""
    data = {"rule": move.rule, "question": move.question, **move.answer.to_dict()}
    if isinstance(move.answer, Rolled) and move.answer.machine:
        data["machine"] = True
    if isinstance(move.answer, Rolled) and move.answer.machine_dice:
        data["machine_dice"] = list(move.answer.machine_dice)
    return data
