"""What other programs can ask: one function for each question, from plain data to plain data.

The web server runs these in its workers, and so can anybody else who has Python: none of them needs the web extra.
Every function takes the request as the API documents it (`docs/` of a running server), and a function that is called
with progress and may end the work by raising an error. What is wrong with a request is raised as a `GrognardError`.
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
from grognard.files import battle, battle_from_text, draft, to_toml
from grognard.plays.answers import Answer, Chosen, Rolled, answer_from, answers_from, format_question
from grognard.plays.dice import MachineDice
from grognard.plays.fair import FairDice, fair_log
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
"""In place of a policy: people decide."""
SPECTATOR = "spectator"
PLAYS: ByteCache[bytes, Play] = ByteCache(32 * 1024**2)
"""The latest plays, so that one more answer does not replay all before it."""
HEAD = ("system", "sides", "question")
"""What a server must know of a live battle; all else it only passes on."""
SAMPLED_LUCK = ("system", "exact", "objective", "policies", "result", "probability", "percentiles")
"""What a sample tells of luck: where the result lies, but not what each die and each decision was worth."""


class AnswerError(WrongAnswer):
    """A wrong answer among several; `place` says which."""

    def __init__(self, message: str, number: int) -> None:
        self.place = f"answers[{number - 1}]"
        super().__init__(f"answer {number}: {message}")


def check(about: Json, progress: Progress) -> Json:
    """Whether it is a legal battle, and its house rules."""
    legal = battle(about["battle"])
    written = legal.source.get("rules", {})
    return {
        "legal": True,
        "system": legal.system.name,
        "rules": {name: written[name] for name in describe.house_rules(legal) if name in written},
    }


def odds(about: Json, progress: Progress) -> Json:
    """The odds of every result."""
    exact = _solve(battle(about["battle"]), about, progress).odds
    return exact.to_dict() | _summaries(exact, about)


def advise(about: Json, progress: Progress) -> Json:
    """The decision that is open after the answers: the value and the odds of every option."""
    played = _replay(about["battle"], about.get("answers", []))
    advice = _solve(played.battle, about, progress, played).advice(played)
    wants_odds = about.get("summaries", False)  # of a whole turn they are worked out only now
    options = [option.to_dict() | (_summaries(option.odds, about) if wants_odds else {}) for option in advice.options]
    return {**advice.to_dict(), "options": options}


def simulate(about: Json, progress: Progress) -> Json:
    """Sampled odds."""
    sampled = _sample(battle(about["battle"]), about, progress)
    return sampled.to_dict() | _summaries(sampled, about)


def luck(about: Json, progress: Progress) -> Json:
    """How lucky each side was in a battle that was played to its end; with `n`, against so many sampled battles."""
    played = _over(_replay(about["battle"], about.get("answers", [])))
    if about.get("n") is None:
        exact = _solve(played.battle, about, progress).luck(played)
        return exact.to_dict() | _rank(exact)
    sampled = _sample(played.battle, about, progress)
    against = Luck(sampled, sampled, played.result, sampled.value, ())
    whole = against.to_dict()
    return {key: whole[key] for key in SAMPLED_LUCK} | _rank(against)


def compare(about: Json, progress: Progress) -> Json:
    """Several battles side by side, or one under each value of a house rule, or of every one."""
    from grognard.studies.switches import compare_battles

    def odds_of(one: Battle) -> Odds:
        return _solve(one, about, progress).odds

    battles = {str(number): battle(one) for number, one in enumerate(about["battles"], 1)}
    return compare_battles(battles, about.get("switch"), odds_of).to_dict()


def attacks(about: Json, progress: Progress) -> Json:
    """Every attack that is possible now to the side whose turn it is, each evaluated by itself."""
    from grognard.api import attacks as attacks_of

    by, given = _assumptions(about), about.get("answers", [])
    played = _replay(about["battle"], given) if given else None
    values = attacks_of(battle(about["battle"]), by.attacker, by.defender, by.fractions, played)
    return {"attacks": [value.to_dict() for value in values]}


def plan(about: Json, progress: Progress) -> Json:
    """The plan of a turn, or of what the answers leave of it, beside simpler ways to play it; also in words."""
    from grognard.solver.plans import plan_turn
    from grognard.words.advice import plan_words

    played = _replay(about["battle"], about.get("answers", []))
    bound = about.get("bound", POSITIONS)
    planned = plan_turn(played.battle, _assumptions(about), start=played, bound=bound, progress=progress)
    return {**planned.to_dict(), "words": plan_words(planned)}


def report(about: Json, progress: Progress) -> Json:
    """A page of HTML about a battle that loads nothing: to read, to send and to print."""
    from grognard.report import page

    bound = about.get("bound", POSITIONS)
    return {"text": page(battle(about["battle"]), assumptions=_assumptions(about), bound=bound, progress=progress)}


def play(about: Json, progress: Progress) -> Json:
    """Where a battle stands after the answers: the question that is open or the result, and all that happened."""
    seed = about.get("seed")
    return play_to_dict(_play(about), None if seed is None else str(seed))


def live(about: Json, progress: Progress) -> Json:
    """A play in two parts: first its head, which is small, and then all that may be large.

    For whoever knows the first so many answers (`known`), only what came after them: `keep` says how many of the events
    and moves still hold.
    """
    played = _play(about)
    known = about.get("known")
    keep = {} if known is None else {"keep": {"events": _events_before(played, known), "moves": known}}
    whole = play_to_dict(played, since=keep.get("keep"))
    del whole["seed"]
    return {"head": {key: whole.pop(key) for key in HEAD} | keep, **whole}


def after(about: Json, progress: Progress) -> Json:
    """The battle file after a battle that was played to its end."""
    return _after(_over(_play(about))) or {}


def log(about: Json, progress: Progress) -> Json:
    """The log of a play; of one with fair dice, with the secret and the numbers once it is over."""
    played = _play(about)
    if about.get("secret") is None:
        return played.log()
    numbers = tuple((side, number) for side, number in about["numbers"])
    return fair_log(played, FairDice(bytes.fromhex(about["secret"]), numbers), about["is_given_up"])


def open_battle(about: Json, progress: Progress) -> Json:
    """The sides of a battle that is to be played live, and its file as it was understood."""
    try:
        json.dumps(about["battle"], ensure_ascii=False).encode()
    except UnicodeEncodeError:  # half of a surrogate pair is text in JSON, but cannot be sent to anybody
        raise BattleError([Fault("", "holds text that is not Unicode")]) from None
    opened = _replay(about["battle"], [])
    reserved = [place for place, side in _named_sides(opened.battle.source, "") if side == SPECTATOR]
    if reserved:
        message = f'"{SPECTATOR}" is the name of the seat of those who watch: expected another'
        raise BattleError([Fault(place, message, "not_allowed") for place in reserved])
    return {"sides": sides_of(opened.battle), "battle": opened.battle.source}


def end_turn(about: Json, progress: Progress) -> Json:
    """The battle file with the turn's marks cleared. Between two attacks it need not be a legal battle."""
    system, source = draft(about["battle"])
    return system.end_turn(source)


def next_turn(about: Json, progress: Progress) -> Json:
    """The battle of the next side's turn after one that was played to its end; `over` says why there is none."""
    played = _over(_play(about))
    of = played.battle
    if not of.is_turn:
        raise BattleError([Fault("turn", "is missing: only a turn is followed by the next side's", "missing")])
    if "shots" in of.source["turn"]:
        raise BattleError([Fault("turn.shots", "the attacks of the next side are not known: list them", "not_allowed")])
    left = of.system.end_turn(_after(played) or {})
    order = [*dict.fromkeys(side for _, side in _named_sides(of.source, ""))]
    place = order.index(of.setup.side) + 1
    side = (order[place:] + order)[0]
    remaining = {name for _, name in _named_sides(left, "")}
    unable = next((name for name in order if name not in remaining), None)
    following = {**left, "turn": {"side": side}}
    if unable is None and start(battle(following)).question is None:
        unable = side
    return {
        "battle": following if unable is None else None,
        "over": None if unable is None else f"{unable} has nothing left that can attack",
        "swing": of.system.objectives["swing"].of(of.setup, played.result),
    }


def toml(about: Json, progress: Progress) -> Json:
    """The battle as a TOML text. It need not be legal yet."""
    try:
        return {"text": to_toml(about["battle"])}
    except TypeError as error:
        raise BattleError([Fault("", str(error))]) from None


def read(about: Json, progress: Progress) -> Json:
    """The battle that a TOML or JSON text describes."""
    return battle_from_text(about["text"]).source


def known_systems(about: Json, progress: Progress) -> Json:
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
"""Tasks that may take long."""
LARGE = 2_000_000
"""The characters of a battle file, times answers, from which writing all of a play may take long."""


def is_long(task: str, about: Json) -> bool:
    """Whether a task may take long: so may a play in which a policy looks ahead, and all of a large live battle."""
    if task == "live":
        answers = len(about["answers"])
        return answers > 50 and "known" not in about and answers * len(str(about["battle"])) > LARGE
    return task in LONG or any(about.get(role, ASK) != ASK for role in Role)


def warm_up() -> Iterator[None]:
    """Have at hand what the first task would have to load: one system at each step."""
    for name in systems.names():
        with suppress(Exception):  # whoever asks for it will be told
            odds({"battle": {"system": name, **systems.find(name).example}, "summaries": True}, lambda count: None)
        yield


def _events_before(played: Play, answers: int) -> int:
    """How many events a play had after so many answers."""
    return played.moves[answers].events if answers < len(played.moves) else len(played.events)


def play_to_dict(played: Play, seed: str | None = None, since: Json | None = None) -> Json:
    """A play as other programs read it; the events and moves only since so many of each."""
    recorded = played.log(seed)
    events, moves = (since["events"], since["moves"]) if since else (0, 0)
    return {
        "system": played.battle.system.name,
        "sides": sides_of(played.battle),
        "question": question_to_dict(played),
        "events": [event.to_dict() for event in played.events[events:]],
        "state": played.state,
        "result": recorded["result"],
        "after": _after(played),
        "moves": recorded["moves"][moves:],
        "seed": seed,
    }


def question_to_dict(played: Play) -> Json | None:
    """What is asked now: dice, with who rolls which, or a decision with its options; None once it is over."""
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


def sides_of(of: Battle) -> Json:
    """Every side of a battle with its role, in the file's order; an attack by nobody in the file adds `attacker`."""
    sides = {side: _role_of(of, side) for _, side in _named_sides(of.source, "")}
    if Role.ATTACKER not in sides.values():
        sides["attacker"] = str(Role.ATTACKER)
    return sides


def _named_sides(data: object, place: str) -> Iterator[tuple[str, str]]:
    """Where a battle file names who something belongs to: a player, or else a side."""
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


def _role_of(of: Battle, side: str) -> str:
    return str(of.system.role_of(of.setup, side))


def _after(played: Play) -> Json | None:
    over, of = played.pending, played.battle
    return of.system.after(of.setup, of.source, over.state) if isinstance(over, End) else None


def _assumptions(about: Json) -> Assumptions:
    names = about.get("attacker", Policy.BEST), about.get("defender", Policy.BEST), about.get("objective", "swing")
    return Assumptions(*names, about.get("fractions", False))


def _solve(of: Battle, about: Json, progress: Progress, played: Play | None = None) -> Solution:
    bound = about.get("bound", POSITIONS)
    return solve_under(of, _assumptions(about), start=played, bound=bound, progress=progress)


def _sample(of: Battle, about: Json, progress: Progress) -> Odds:
    walks, seed, by = about.get("n", WALKS), about.get("seed", 0), _assumptions(about)
    bound = about.get("bound", POSITIONS)
    return simulate_battle(of, walks, seed, by.attacker, by.defender, by.objective, bound=bound, progress=progress)


def _play(about: Json) -> Play:
    """The play after the answers; with a seed machine dice are rolled, and policies decide for their roles."""
    answers = about.get("answers", [])
    if about.get("seed") is None and all(about.get(role, ASK) == ASK for role in Role):
        return _replay(about["battle"], answers)
    machine = _Machine(battle(about["battle"]), about)
    left = answers_from(answers)
    playing = start(machine.battle)
    while (question := playing.question) is not None:
        is_given = bool(left) and not (isinstance(question, Roll) and machine.dice and isinstance(left[0], Chosen))
        answer = left.pop(0) if is_given else machine.answer(playing)
        if answer is None:
            return playing
        playing = _answer(playing, answer, len(answers) - len(left))
    if left:
        raise AnswerError("the battle is over", len(answers) - len(left) + 1)
    return playing


def _over(played: Play) -> Play:
    """The play itself, if it came to its end."""
    if played.question is not None:
        raise WrongAnswer(f"the battle is not over: {format_question(played.question)}")
    return played


def _replay(source: Json, answers: list[Json]) -> Play:
    """The play after all answers, from the longest part of it that is still known."""
    if not isinstance(answers, list):
        raise WrongAnswer("answers are a list, in the order asked")
    written = json.dumps(source, separators=(",", ":")).encode()
    keys = [sha256(written).digest()]
    for data in answers:
        keys.append(sha256(keys[-1] + json.dumps(data, sort_keys=True).encode()).digest())
    known = next((number for number in reversed(range(len(keys))) if keys[number] in PLAYS.values), None)
    playing = (PLAYS.get(keys[known]) if known is not None else None) or start(battle(source))
    for number in range(known or 0, len(answers)):
        playing = _answer(playing, _answer_from(answers[number], number + 1), number + 1)
    PLAYS.put(keys[-1], playing, len(written) * (2 + len(playing.events)))
    return playing


def _answer_from(data: object, number: int) -> Answer:
    """An answer as in scripts, or a roll of machine dice as in logs."""
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


class _Machine:
    """Rolls if there is a seed, and decides for the roles that have a policy."""

    def __init__(self, of: Battle, about: Json) -> None:
        self.battle, self.deciders = of, {role: about.get(role, ASK) for role in Role}
        attacker, defender = (Policy.BEST if decider == ASK else decider for decider in self.deciders.values())
        seed = about.get("seed")
        assumptions = Assumptions(attacker, defender, about.get("objective", "swing"))
        self.decide = PolicyPlayer(of, assumptions, str(seed), about.get("bound", POSITIONS))
        self.dice = None if seed is None else MachineDice(str(seed))

    def answer(self, playing: Play) -> Answer | None:
        """The machine's answer, or None if people are asked."""
        question = playing.question
        if not isinstance(question, Choose):
            assert question is not None
            return Rolled(self.dice.roll_all(question.reading), machine=True) if self.dice else None
        role = self.battle.system.role_of(self.battle.setup, question.by)
        return None if self.deciders[role] == ASK else self.decide(playing)


def _rank(lucky: Luck) -> Json:
    """The place of the result among all, by likelihood; 0 if it is none of them."""
    results = [result for _, result in lucky.chosen_odds.outcomes]
    return {"rank": results.index(lucky.result) + 1 if lucky.result in results else 0, "results": len(results)}


def _summaries(of: Odds, about: Json) -> Json:
    """The distribution of every measure with its mean and standard deviation, if that is wanted."""
    if not about.get("summaries", False):
        return {}
    summaries = []
    for measure in of.battle.system.measures(of.battle.setup):
        distribution = of.distribution(measure)
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
