"""What a worker does: one function for each thing that can be asked, from plain data to plain data."""

from collections.abc import Callable
from math import sqrt

from grognard.core.errors import BattleError, Fault, GrognardError, TooLarge, WrongAnswer
from grognard.core.rules import End
from grognard.core.systems import Json
from grognard.files import battle, battle_from_text, draft, to_toml
from grognard.plays.answers import answers_from, asked
from grognard.plays.play import Play
from grognard.server.playing import Table, play
from grognard.server.telling import faults, told
from grognard.solver.advice import advise
from grognard.solver.graph import Progress
from grognard.solver.luck import Luck, luck
from grognard.solver.odds import Odds, odds, plain
from grognard.solver.simulate import simulate
from grognard.words import describe

FOUND = 200
REFUSED = 422
PLACE = ("system", "exact", "objective", "policies", "result", "chance", "standings")
"""What a sample tells of luck: where the result lies, but not what each die and each decision was worth."""


def check_battle(about: Json) -> Json:
    """Whether it is a legal battle, and which switches it turns."""
    found = battle(about["battle"])
    return {"legal": True, "system": found.system.name, "rules": describe.turned(found)}


def work_out_odds(about: Json, bound: int, progress: Progress) -> Json:
    """The odds of every result."""
    found = odds(battle(about["battle"]), *_aims(about), about["fractions"], bound=bound, progress=progress)
    return found.to_dict() | _measured(found, about)


def advise_on(about: Json, bound: int, progress: Progress) -> Json:
    """What every option of the decision that is due is worth."""
    answers = answers_from(about["script"])
    legal = battle(about["battle"])
    found = advise(legal, answers, *_aims(about), about["fractions"], bound=bound, progress=progress)
    advice = found.to_dict()
    advice["options"] = [option.to_dict() | _measured(option.odds, about) for option in found.options]
    return advice


def sample(about: Json, bound: int, progress: Progress) -> Json:
    """Sampled odds."""
    found = simulate(battle(about["battle"]), about["n"], about["seed"], *_aims(about), progress=progress)
    return found.to_dict() | _measured(found, about)


def tell_luck(about: Json, bound: int, progress: Progress) -> Json:
    """How lucky each side was in a battle that was played to its end."""
    played = _played(about, Table())
    if about["n"] is None:
        exact = luck(played, *_aims(about), bound=bound, progress=progress)
        return exact.to_dict() | _rank(exact)
    sampled = simulate(played.battle, about["n"], about["seed"], *_aims(about), progress=progress)
    found = Luck(sampled, played.result, sampled.value, ())
    told = found.to_dict()
    return {key: told[key] for key in PLACE} | _rank(found)


def go_on_playing(about: Json) -> Json:
    """What is due after the answers so far, or how it ended."""
    table = _table(about)
    return told(play(battle(about["battle"]), about["script"], table), table.seed)


def write_after(about: Json) -> Json:
    """The battle file as it stands after a battle that was played to its end."""
    over = _played(about, _table(about))
    assert isinstance(over.due, End)
    return over.battle.system.after(over.battle.setup, over.battle.source, over.due.state)


def end_turn(about: Json) -> Json:
    """The battle file with the turn's marks cleared. Between two attacks it need not be a legal battle."""
    system, source = draft(about["battle"])
    return system.end_turn(source)


def write_toml(about: Json) -> Json:
    """The battle as a TOML text. It need not be legal yet."""
    try:
        return {"text": to_toml(about["battle"])}
    except TypeError as wrong:
        raise BattleError([Fault("", str(wrong))]) from None


def read_text(about: Json) -> Json:
    """The battle that a TOML or JSON text says."""
    return battle_from_text(about["text"]).source


QUICK: dict[str, Callable[[Json], Json]] = {
    "check": check_battle,
    "play": go_on_playing,
    "after": write_after,
    "end-turn": end_turn,
    "toml": write_toml,
    "read": read_text,
}
LONG: dict[str, Callable[[Json, int, Progress], Json]] = {
    "odds": work_out_odds,
    "advise": advise_on,
    "simulate": sample,
    "luck": tell_luck,
}


def answer(question: Json, bound: int, progress: Progress) -> tuple[int, Json]:
    """An HTTP status and what is answered: whatever is wrong with the question is said in faults."""
    ask, about = question["ask"], question["about"]
    try:
        return FOUND, QUICK[ask](about) if ask in QUICK else LONG[ask](about, bound, progress)
    except BattleError as wrong:
        return REFUSED, {"faults": [_fault(wrong, fault) for fault in wrong.faults]}
    except TooLarge as large:
        return REFUSED, faults(str(large)) | {"size": large.size, "bound": large.bound}
    except WrongAnswer as wrong:
        return REFUSED, faults(str(wrong), "script")
    except GrognardError as wrong:
        return REFUSED, faults(str(wrong))
    except RecursionError:
        return REFUSED, faults("is nested too deeply")
    except MemoryError:
        return REFUSED, faults("too large for the memory of one worker; sample it instead (simulate)")


def _fault(wrong: BattleError, fault: Fault) -> Json:
    line = {"line": wrong.lines[fault.place]} if fault.place in wrong.lines else {}
    return {"place": fault.place, "message": fault.message, **line}


def _aims(about: Json) -> tuple[str, str, str]:
    return about["attacker"], about["defender"], about["objective"]


def _played(about: Json, table: Table) -> Play:
    """A battle that was played to its end."""
    over = play(battle(about["battle"]), about["script"], table)
    if over.question is not None:
        raise WrongAnswer(f"the battle is not over: {asked(over.question)}")
    return over


def _rank(found: Luck) -> Json:
    """The place of the result among all, by likelihood; 0 if it is none of them."""
    results = [result for _, result in found.odds.outcomes]
    return {"rank": results.index(found.result) + 1 if found.result in results else 0, "results": len(results)}


def _table(about: Json) -> Table:
    seed = about["seed"]
    return Table(*_aims(about), None if seed is None else str(seed))


def _measured(found: Odds, about: Json) -> Json:
    """What people ask about, each with its spread, if that is wanted."""
    if not about["measures"]:
        return {}
    measures = []
    for measure in found.battle.system.measures(found.battle.setup):
        chances = found.measure(measure)
        numbers = [(value, p) for value, p in chances.items() if not isinstance(value, str)]
        spread: Json = {"mean": None, "sd": None}
        if len(numbers) == len(chances):
            mean = sum(p * value for value, p in numbers)
            variance = sum(p * (value - mean) ** 2 for value, p in numbers)
            spread = {"mean": plain(mean), "sd": sqrt(variance)}
        values = [[value, plain(p)] for value, p in chances.items()]
        measures.append({"name": measure.name, "side": measure.role, "values": values, **spread})
    return {"measures": measures}
