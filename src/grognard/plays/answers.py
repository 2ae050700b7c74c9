"""Answers to questions: the dice rolled, or the option chosen."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import itemgetter

from grognard.core.errors import WrongAnswer
from grognard.core.readings import Face, Faces, Pool, format_pools
from grognard.core.rules import Choose, Question, Roll
from grognard.core.systems import Json


@dataclass(frozen=True, slots=True)
class Rolled:
    """The faces rolled, in the order of the pools."""

    faces: tuple[Face, ...]
    machine: bool = False
    """Whether all are machine dice."""
    machine_dice: tuple[int, ...] = ()
    """The indices of the machine dice, if one side rolled on a table."""

    def to_dict(self) -> Json:
        """As JSON, as in scripts and logs."""
        return {"roll": list(self.faces)}


@dataclass(frozen=True, slots=True)
class Chosen:
    """The id of the option taken."""

    option: str

    def to_dict(self) -> Json:
        """As JSON, as in scripts and logs."""
        return {"choose": self.option}


Answer = Rolled | Chosen


def answer_from(data: object) -> Answer:
    """Read `{"roll": [...]}` or `{"choose": "..."}`."""
    match data:
        case {"roll": [*faces], **rest} if not rest and all(type(face) in (int, str) for face in faces):
            return Rolled(tuple(faces))
        case {"choose": str(option), **rest} if not rest:
            return Chosen(option)
        case _:
            raise WrongAnswer(f'{_quote(data)} is no answer: expected {{"roll": [faces]}} or {{"choose": "option id"}}')


def _quote(data: object) -> str:
    """The data as JSON."""
    import json

    return json.dumps(data, ensure_ascii=False, default=repr)


def answers_from(data: object) -> list[Answer]:
    """Read a script: a list of answers in the order asked."""
    if not isinstance(data, list):
        raise WrongAnswer("a script is a list of answers in the order asked")
    answers = []
    for number, entry in enumerate(data, 1):
        try:
            answers.append(answer_from(entry))
        except WrongAnswer as wrong:
            raise WrongAnswer(f"answer {number}: {wrong}") from None
    return answers


def format_question(question: Question) -> str:
    """A question as one line of text."""
    if isinstance(question, Roll):
        purpose = f"{question.purpose}: " if question.purpose else ""
        return f"{purpose}{format_rollers(question)}"
    options = ", ".join(f'"{option.id}"' for option in question.options)
    return f"{question.by} decides: {question.prompt} ({options})"


def format_rollers(question: Roll) -> str:
    """The roller and the dice of each pool: `roll Red 3 d10, then Blue 4 d10`."""
    dice = question.reading.dice
    if len(question.by) != len(dice):
        return f"roll {format_pools(dice)}"
    pools = zip(question.by, dice, strict=True)
    return "roll " + ", then ".join(f"{roller} {pool.count} {pool.die.name}" for roller, pool in pools if pool.count)


def faces_of(question: Roll, answer: Rolled) -> Faces:
    """The faces rolled, one tuple for each pool.

    The dice of a side with symbols, and the symbols of a face, may be given in any order: they are matched to the dice.
    """
    reading = question.reading
    wanted = sum(pool.count for pool in reading.dice)
    is_symbolic = all(isinstance(face, str) for pool in reading.dice for face in pool.die.faces)
    if wanted != len(answer.faces) or not is_symbolic:
        return reading.split(answer.faces)
    rollers = question.by or range(len(reading.dice))
    remaining = iter(answer.faces)
    arranged: list[Face] = []
    for _, pools in groupby(zip(rollers, reading.dice, strict=True), key=itemgetter(0)):
        dice = [pool for _, pool in pools]
        faces = list(islice(remaining, sum(pool.count for pool in dice)))
        arranged += _match(dice, faces) or faces
    return reading.split(arranged)


def _match(pools: Sequence[Pool], faces: Sequence[Face]) -> list[Face] | None:
    """The faces in the order of the dice; None if they do not fit these dice.

    As many faces as possible stay where they are. The others are assigned by a maximum flow from faces to pools.
    """
    shown = [{_sorted_symbols(face): face for face in pool.die.faces} for pool in pools]
    flow: list[Counter[str]] = [Counter() for _ in pools]
    waiting: Counter[str] = Counter()
    dice = [pool for pool, dice_of_pool in enumerate(pools) for _ in range(dice_of_pool.count)]
    symbols = [_sorted_symbols(face) for face in faces]
    for pool, face in zip(dice, symbols, strict=True):
        (flow[pool] if face in shown[pool] else waiting)[face] += 1
    if not waiting:
        return [shown[pool][face] for pool, face in zip(dice, symbols, strict=True)]
    for face in waiting.elements():
        if not _place(face, pools, shown, flow):
            return None
    return [faces[face] for faces, assigned in zip(shown, flow, strict=True) for face in assigned.elements()]


def _place(face: str, pools: Sequence[Pool], shown: Sequence[Mapping[str, Face]], flow: list[Counter[str]]) -> bool:
    """Assign one more face, moving others between pools if necessary, along a shortest augmenting path."""
    came_from: dict[int, tuple[int | None, str]] = {
        pool: (None, face) for pool in range(len(pools)) if face in shown[pool]
    }
    queue = list(came_from)
    for pool in queue:
        if flow[pool].total() < pools[pool].count:
            step: int | None = pool
            while step is not None:
                source, displaced = came_from[step]
                flow[step][displaced] += 1
                if source is not None:
                    flow[source][displaced] -= 1
                step = source
            return True
        for other, faces in enumerate(shown):
            moving = next((candidate for candidate, count in flow[pool].items() if count and candidate in faces), None)
            if other not in came_from and moving is not None:
                came_from[other] = (pool, moving)
                queue.append(other)
    return False


def _sorted_symbols(face: Face) -> str:
    return "".join(sorted(str(face)))


def accept(question: Question, answer: Answer) -> Hashable:
    """The value that the rule gets for an answer; an error if it does not fit the question."""
    if isinstance(question, Roll) and isinstance(answer, Rolled):
        return question.reading.read(faces_of(question, answer))
    if isinstance(question, Choose) and isinstance(answer, Chosen):
        return question.pick(answer.option).id
    reply = "dice were given" if isinstance(answer, Rolled) else f'"{answer.option}" was chosen'
    raise WrongAnswer(f"{reply}, but {format_question(question)}")
