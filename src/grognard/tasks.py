"""Tasks: one function for each kind of request, from the request's JSON to the response's JSON.

The web server runs them in its workers, and the page in a Web Worker; they do not need the web extra. A task takes the
request, which the API's documentation describes (`/docs` of a server), and a function to report progress to, which may
raise an error to cancel the task. A fault in the request is raised as a `GrognardError`.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from hashlib import sha256

from grognard import systems
from grognard.core.errors import BattleError, Fault, WrongAnswer
from grognard.core.numbers import to_json_number
from grognard.core.positions import Pending
from grognard.core.rules import Choose, End, Roll
from grognard.core.systems import Battle, Json, Role
from grognard.core.wording import side_name
from grognard.files import battle as read_battle
from grognard.files import battle_from_text, draft, to_toml
from grognard.plays.answers import Answer, Chosen, Rolled, answer_from, answers_from, format_question
from grognard.plays.dice import MachineDice
from grognard.plays.fair import FairDice, fair_log
from grognard.plays.logs import move_to_dict
from grognard.plays.play import Play, start
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.graph import POSITIONS
from grognard.solver.luck import Luck
from grognard.solver.odds import Odds
from grognard.solver.simulate import WALKS
from grognard.solver.simulate import simulate as simulate_battle
from grognard.solver.solution import PolicyPlayer, Solution, solve_under
from grognard.words import describe
from grognard.words.catalogue import catalogue
from grognard.work.cache import ByteCache
from grognard.work.worker import Progress, Task

ASK = "ask"
"""Instead of a policy: people decide."""
SPECTATOR = "spectator"
PLAYS: ByteCache[bytes, Play] = ByteCache(32 * 1024**2)
"""The latest plays by a hash of battle and answers: one more answer does not replay all those before it."""
HEAD = ("system", "sides", "question")
"""The fields of a play that the server parses. It passes on the others as they are."""
SAMPLED_LUCK = ("system", "exact", "objective", "policies", "result", "probability", "percentiles")
"""The fields of luck that a sample can provide. It has no value for each die and decision."""


class AnswerError(WrongAnswer):
    """A wrong answer in a list of answers; `place` is its place in the request."""

    def __init__(self, message: str, number: int) -> None:
        self.place = f"answers[{number - 1}]"
        super().__init__(f"answer {number}: {message}")


def check(request: Json, progress: Progress) -> Json:
    """Check that the battle is legal: its system and its house rules."""
    legal = read_battle(request["battle"])
    switches = legal.source.get("rules", {})
    return {
        "legal": True,
        "system": legal.system.name,
        "rules": {name: switches[name] for name in describe.house_rules(legal) if name in switches},
    }


def odds(request: Json, progress: Progress) -> Json:
    result = _solve(read_battle(request["battle"]), request, progress).odds
    return result.to_dict() | _summaries(result, request)


def advise(request: Json, progress: Progress) -> Json:
    """The decision that is open after the answers: the value and the odds of every option."""
    played = _replay(request["battle"], request.get("answers", []))
    advice = _solve(played.battle, request, progress, played).advice(played)
    wants_odds = request.get("summaries", False)  # the odds of a whole turn are computed only now
    options = [option.to_dict() | (_summaries(option.odds, request) if wants_odds else {}) for option in advice.options]
    return {**advice.to_dict(), "options": options}


def simulate(request: Json, progress: Progress) -> Json:
    sampled = _sample(read_battle(request["battle"]), request, progress)
    return sampled.to_dict() | _summaries(sampled, request)


def luck(request: Json, progress: Progress) -> Json:
    """How lucky each side was in a finished play; with `n`, compared with this number of sampled battles."""
    played = _require_over(_replay(request["battle"], request.get("answers", [])))
    if request.get("n") is None:
        exact = _solve(played.battle, request, progress).luck(played)
        return exact.to_dict() | _rank(exact)
    sampled = _sample(played.battle, request, progress)
    rough = Luck(sampled, sampled, played.result, sampled.value, ())
    data = rough.to_dict()
    return {key: data[key] for key in SAMPLED_LUCK} | _rank(rough)


def compare(request: Json, progress: Progress) -> Json:
    """Several battles side by side, or one battle under each value of one house rule or of all."""
    from grognard.studies.switches import compare_battles

    def odds_of(compared: Battle) -> Odds:
        return _solve(compared, request, progress).odds

    battles = {str(number): read_battle(source) for number, source in enumerate(request["battles"], 1)}
    return compare_battles(battles, request.get("switch"), odds_of).to_dict()


def attacks(request: Json, progress: Progress) -> Json:
    """Every attack that is possible now to the side whose turn it is, each evaluated by itself."""
    from grognard.api import attacks as attacks_of

    assumptions, answers = _assumptions(request), request.get("answers", [])
    played = _replay(request["battle"], answers) if answers else None
    values = attacks_of(
        read_battle(request["battle"]), assumptions.attacker, assumptions.defender, assumptions.fractions, played
    )
    return {"attacks": [value.to_dict() for value in values]}


def plan(request: Json, progress: Progress) -> Json:
    """The plan of a turn, or of the rest of it after the answers, with simpler ways to play it; also in words."""
    from grognard.solver.plans import plan_turn
    from grognard.words.advice import plan_texts

    played = _replay(request["battle"], request.get("answers", []))
    bound = request.get("bound", POSITIONS)
    planned = plan_turn(played.battle, _assumptions(request), start=played, bound=bound, progress=progress)
    return {**planned.to_dict(), "words": plan_texts(planned)}


def report(request: Json, progress: Progress) -> Json:
    from grognard.report import page

    battle, bound = read_battle(request["battle"]), request.get("bound", POSITIONS)
    return {"text": page(battle, assumptions=_assumptions(request), bound=bound, progress=progress)}


def play(request: Json, progress: Progress) -> Json:
    """The play after the answers: the open question or the result, and all events."""
    seed = request.get("seed")
    return play_to_dict(_play(request), None if seed is None else str(seed))


def live(request: Json, progress: Progress) -> Json:
    """A play for the server: first its `head`, which is small, then the fields that may be large.

    If the client has the play after the first `known` answers, the reply has only later events and moves, and `keep`
    says how many earlier ones the client should keep.
    """
    played = _play(request)
    known = request.get("known")
    keep = {} if known is None else {"keep": {"events": _events_before(played, known), "moves": known}}
    data = play_to_dict(played, since=keep.get("keep"))
    del data["seed"]
    return {"head": {key: data.pop(key) for key in HEAD} | keep, **data}


def after(request: Json, progress: Progress) -> Json:
    """The battle file after a play that is over."""
    return _after(_require_over(_play(request))) or {}


def log(request: Json, progress: Progress) -> Json:
    """The log of a play. With fair dice it has the secret and the numbers once the play is over."""
    played = _play(request)
    if request.get("secret") is None:
        return played.log()
    numbers = tuple((side, number) for side, number in request["numbers"])
    return fair_log(played, FairDice(bytes.fromhex(request["secret"]), numbers), request["is_given_up"])


def open_battle(request: Json, progress: Progress) -> Json:
    """The sides and the normalized file of a battle that is about to be played live."""
    try:
        json.dumps(request["battle"], ensure_ascii=False).encode()
    except UnicodeEncodeError:  # JSON allows a lone surrogate, but UTF-8 cannot encode it
        raise BattleError([Fault("", "holds text that is not Unicode")]) from None
    opened = _replay(request["battle"], [])
    reserved = f'"{SPECTATOR}" is the name of the seat of those who watch: expected another'
    not_storable = "holds a NUL, which not every database can store"
    sides = list(_named_sides(opened.battle.source, ""))
    faults = [Fault(place, reserved, "not_allowed") for place, side in sides if side == SPECTATOR]
    faults += [Fault(place, not_storable, "not_allowed") for place, side in sides if "\0" in side]
    if faults:
        raise BattleError(faults)
    return {"sides": sides_of(opened.battle), "battle": opened.battle.source}


def end_turn(request: Json, progress: Progress) -> Json:
    """The battle file without the marks of the turn. It need not be a legal battle."""
    system, source = draft(request["battle"])
    return system.end_turn(source)


def next_turn(request: Json, progress: Progress) -> Json:
    """The battle of the next side's turn after a turn that is over; if there is none, `over` says why."""
    played = _require_over(_play(request))
    battle = played.battle
    if not battle.is_turn:
        raise BattleError([Fault("turn", "is missing: only a turn is followed by the next side's", "missing")])
    if "shots" in battle.source["turn"]:
        raise BattleError([Fault("turn.shots", "the attacks of the next side are not known: list them", "not_allowed")])
    left = battle.system.end_turn(_after(played) or {})
    order = [*dict.fromkeys(side for _, side in _named_sides(battle.source, ""))]
    place = order.index(battle.setup.side) + 1
    side = (order[place:] + order)[0]
    remaining = {name for _, name in _named_sides(left, "")}
    unable = next((name for name in order if name not in remaining), None)
    following = {**left, "turn": {"side": side}}
    if unable is None and start(read_battle(following)).question is None:
        unable = side
    return {
        "battle": following if unable is None else None,
        "over": None if unable is None else f"{side_name(unable)} has nothing left that can attack",
        "swing": battle.system.objectives["swing"].of(battle.setup, played.result),
    }


def toml(request: Json, progress: Progress) -> Json:
    """The battle in TOML. It need not be a legal battle."""
    try:
        return {"text": to_toml(request["battle"])}
    except TypeError as error:
        raise BattleError([Fault("", str(error))]) from None


def read(request: Json, progress: Progress) -> Json:
    """The battle file in a TOML or JSON text."""
    return battle_from_text(request["text"]).source


def known_systems(request: Json, progress: Progress) -> Json:
    """Every system: its rules, switches, forms, ready-made units and examples."""
    return {"systems": catalogue()}


TASKS: dict[str, Task] = {
    "check": check,
    "odds": odds,
    "advise": advise,
    "simulate": simulate,
    "luck": luck,
    "compare": compare,
    "attacks": attacks,
    "plan": plan,
    "report": report,
    "play": play,
    "live": live,
    "after": after,
    "log": log,
    "open": open_battle,
    "end-turn": end_turn,
    "next-turn": next_turn,
    "toml": toml,
    "read": read,
    "systems": known_systems,
}
LONG = frozenset({"odds", "advise", "simulate", "luck", "compare", "attacks", "plan", "report"})
"""Tasks that compute odds."""
LARGE = 2_000_000
"""A live play is large if the product of its number of answers and the characters of its battle file is larger."""


def is_long(task: str, request: Json) -> bool:
    """Whether a task may take long: it computes odds, lets a policy look ahead, or writes all of a large live play."""
    if task == "live":
        answers = len(request["answers"])
        return answers > 50 and "known" not in request and answers * len(str(request["battle"])) > LARGE
    return task in LONG or any(request.get(role, ASK) != ASK for role in Role)


def warm_up() -> Iterator[None]:
    """Load what tasks need, one system at each step."""
    for name in systems.names():
        with suppress(Exception):  # a request for this system will report the error
            odds({"battle": {"system": name, **systems.find(name).example}, "summaries": True}, lambda count: None)
        yield


def _events_before(played: Play, answers: int) -> int:
    """How many events a play had after this number of answers."""
    return played.moves[answers].events if answers < len(played.moves) else len(played.events)


def play_to_dict(played: Play, seed: str | None = None, since: Json | None = None) -> Json:
    """A play as JSON. `since` gives the numbers of events and moves to leave out at the start."""
    events, moves = (since["events"], since["moves"]) if since else (0, 0)
    return {
        "system": played.battle.system.name,
        "sides": sides_of(played.battle),
        "question": question_to_dict(played),
        "events": [event.to_dict() for event in played.events[events:]],
        "state": played.state,
        "result": played.result.to_dict() if played.question is None else None,
        "after": _after(played),
        "moves": [move_to_dict(move) for move in played.moves[moves:]],
        "seed": seed,
    }


def question_to_dict(played: Play) -> Json | None:
    """The open question as JSON: a roll with its dice, or a choice with its options; None once the play is over."""
    if not isinstance(played.pending, Pending):
        return None
    question, rule = played.pending.question, played.pending.position.rule.paragraph
    role_of = partial(_role_of, played.battle)
    if isinstance(question, Choose):
        return {
            "kind": "choice",
            "rule": rule,
            "text": format_question(question),
            "by": question.by,
            "side": question.by,
            "role": role_of(question.by),
            "prompt": question.prompt,
            "optional": question.optional,
            "options": [{"id": option.id, "label": option.label} for option in question.options],
        }
    pools = question.reading.dice
    rollers = question.by or (None,) * len(pools)
    return {
        "kind": "roll",
        "rule": rule,
        "text": format_question(question),
        "purpose": question.purpose,
        "success": question.success,
        "dice": [
            {
                "by": roller.name if roller else "",
                "side": roller.side if roller else None,
                "role": role_of(roller.side) if roller else None,
                "count": pool.count,
                "die": pool.die.name,
                "faces": list(pool.die.faces),
            }
            for roller, pool in zip(rollers, pools, strict=True)
        ],
    }


def sides_of(battle: Battle) -> Json:
    """Every side of a battle with its role, in the file's order. If none of them attacks, `attacker` is added."""
    sides = {side: _role_of(battle, side) for _, side in _named_sides(battle.source, "")}
    if Role.ATTACKER not in sides.values():
        sides["attacker"] = str(Role.ATTACKER)
    return sides


def _named_sides(data: object, place: str) -> Iterator[tuple[str, str]]:
    """The places in a battle file that name a player or a side, each with the name."""
    if isinstance(data, list):
        for number, entry in enumerate(data):
            yield from _named_sides(entry, f"{place}[{number}]")
    elif isinstance(data, dict):
        key = "player" if "player" in data else "side"
        for name, value in data.items():
            inner = f"{place}.{name}" if place else name
            if name == key and isinstance(value, str):
                yield inner, value
            yield from _named_sides(value, inner)


def _role_of(battle: Battle, side: str) -> str:
    return str(battle.system.role_of(battle.setup, side))


def _after(played: Play) -> Json | None:
    """The battle file after a play, or None if the play is not over."""
    end, battle = played.pending, played.battle
    return battle.system.after(battle.setup, battle.source, end.state) if isinstance(end, End) else None


def _assumptions(request: Json) -> Assumptions:
    names = ("attacker", "defender", "objective", "fractions")
    return Assumptions(**{name: request[name] for name in names if name in request})


def _solve(battle: Battle, request: Json, progress: Progress, played: Play | None = None) -> Solution:
    bound = request.get("bound", POSITIONS)
    return solve_under(battle, _assumptions(request), start=played, bound=bound, progress=progress)


def _sample(battle: Battle, request: Json, progress: Progress) -> Odds:
    assumptions = _assumptions(request)
    return simulate_battle(
        battle,
        request.get("n", WALKS),
        request.get("seed", 0),
        assumptions.attacker,
        assumptions.defender,
        assumptions.objective,
        bound=request.get("bound", POSITIONS),
        progress=progress,
    )


def _play(request: Json) -> Play:
    """The play after the answers, and after those of the computer if there is a seed or a policy."""
    answers = request.get("answers", [])
    if request.get("seed") is None and all(request.get(role, ASK) == ASK for role in Role):
        return _replay(request["battle"], answers)
    computer = _ComputerPlayer(read_battle(request["battle"]), request)
    left = answers_from(answers)
    playing = start(computer.battle)
    while (question := playing.question) is not None:
        is_given = bool(left) and not (isinstance(question, Roll) and computer.dice and isinstance(left[0], Chosen))
        answer = left.pop(0) if is_given else computer.answer(playing)
        if answer is None:
            return playing
        playing = _answer(playing, answer, len(answers) - len(left))
    if left:
        raise AnswerError("the battle is over", len(answers) - len(left) + 1)
    return playing


def _require_over(played: Play) -> Play:
    """The play, or an error if it is not over."""
    if played.question is not None:
        raise WrongAnswer(f"the battle is not over: {format_question(played.question)}")
    return played


def _replay(source: Json, answers: list[Json]) -> Play:
    """The play after all answers, continued from the latest one that is cached."""
    if not isinstance(answers, list):
        raise WrongAnswer("answers are a list, in the order asked")
    encoded = json.dumps(source, separators=(",", ":")).encode()
    keys = [sha256(encoded).digest()]
    for data in answers:
        keys.append(sha256(keys[-1] + json.dumps(data, sort_keys=True).encode()).digest())
    known = next((number for number in reversed(range(len(keys))) if keys[number] in PLAYS.values), None)
    playing = (PLAYS.get(keys[known]) if known is not None else None) or start(read_battle(source))
    for number in range(known or 0, len(answers)):
        playing = _answer(playing, _answer_from(answers[number], number + 1), number + 1)
    PLAYS.put(keys[-1], playing, len(encoded) * (2 + len(playing.events)))
    return playing


def _answer_from(data: object, number: int) -> Answer:
    """An answer in the form of scripts, or a roll of machine dice in the form of logs."""
    try:
        match data:
            case {"machine": True, **rest}:
                rolled = answer_from(rest)
                return Rolled(rolled.faces, machine=True) if isinstance(rolled, Rolled) else answer_from(data)
        return answer_from(data)
    except WrongAnswer as error:
        raise AnswerError(str(error), number) from None


def _answer(playing: Play, answer: Answer, number: int) -> Play:
    try:
        return playing.answer(answer)
    except WrongAnswer as error:
        raise AnswerError(str(error), number) from None


class _ComputerPlayer:
    """Rolls the dice if there is a seed, and decides for the roles that have a policy."""

    def __init__(self, battle: Battle, request: Json) -> None:
        self.battle, self.deciders = battle, {role: request.get(role, ASK) for role in Role}
        attacker, defender = (Policy.BEST if decider == ASK else decider for decider in self.deciders.values())
        seed = request.get("seed")
        assumptions = Assumptions(attacker, defender, request.get("objective", "swing"))
        self.decide = PolicyPlayer(battle, assumptions, str(seed), request.get("bound", POSITIONS))
        self.dice = None if seed is None else MachineDice(str(seed))

    def answer(self, playing: Play) -> Answer | None:
        """The computer's answer, or None if a player is asked."""
        question = playing.question
        if not isinstance(question, Choose):
            assert question is not None
            return Rolled(self.dice.roll_all(question.reading), machine=True) if self.dice else None
        role = self.battle.system.role_of(self.battle.setup, question.by)
        return None if self.deciders[role] == ASK else self.decide(playing)


def _rank(lucky: Luck) -> Json:
    """The rank of the result by probability, from 1, and the number of results; 0 if the result is none of them."""
    results = [result for _, result in lucky.chosen_odds.outcomes]
    return {"rank": results.index(lucky.result) + 1 if lucky.result in results else 0, "results": len(results)}


def _summaries(odds: Odds, request: Json) -> Json:
    """The distribution of every measure with its mean and standard deviation, if the request asks for it."""
    if not request.get("summaries", False):
        return {}
    summaries = []
    for measure in odds.battle.system.measures(odds.battle.setup):
        distribution = odds.distribution(measure)
        is_numeric = not any(isinstance(value, str) for value in distribution.values)
        summaries.append(
            {
                "name": measure.name,
                "label": measure.label,
                "owner": measure.owner,
                "what": measure.what or measure.name,
                "side": measure.side,
                "role": measure.role and str(measure.role),
                "values": [[value, to_json_number(p)] for value, p in distribution],
                "mean": to_json_number(distribution.mean) if is_numeric else None,
                "sd": distribution.sd if is_numeric else None,
            }
        )
    return {"summaries": summaries}
