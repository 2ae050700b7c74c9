"""The conformance suite that every system must pass: `rules_test(system)`.

It checks the properties of a system on which the rest of the package relies. The first violation raises an
`AssertionError` with the battle and the position.
"""

import copy
import json
import pickle
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod
from typing import Any

from grognard.core.errors import BattleError, WrongAnswer
from grognard.core.positions import Pending, advance_to_question
from grognard.core.readings import Reading
from grognard.core.rules import Choose, End, Roll
from grognard.core.systems import Battle, Json, Role, System
from grognard.files import battle as battle_from
from grognard.plays.answers import Answer, Chosen, Rolled
from grognard.plays.dice import MachineDice
from grognard.plays.logs import Log, replay
from grognard.plays.play import Event, Play, start
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.graph import explore
from grognard.solver.simulate import simulate
from grognard.solver.solution import Solution, solve

PLAYS = 6
QUESTIONS = 10_000
"""A battle with more questions counts as endless."""
EVENT_KINDS = {"roll", "choice", "change"}
ROLLS = 300
"""A reading with at most this many different rolls is checked by enumeration."""
EXACT_BELOW = 3_000
"""An attack with at most this many positions is solved in fractions, which is slow."""
ATTACK_POLICIES = (Policy.BEST, Policy.EAGER, Policy.CAUTIOUS, Policy.RANDOM)
"""`greedy` is missing: in a single attack it is the same as `best`."""
TURN_POLICIES = (Policy.BEST, Policy.GREEDY, Policy.RANDOM)
"""`eager` and `cautious` are missing: they differ only inside the attacks of a turn."""


def rules_test(system: System[Any], battles: Iterable[Mapping[str, Any]] = ()) -> None:
    """Check a system on its example and on any battles given, as dicts like those of battle files."""
    check_paragraphs(system)
    for source in (system.example, *battles):
        battle = battle_from(source)
        assert battle.system is system, f"a battle of {battle.system.name}, not of {system.name}"
        check_file(battle)
        for seed in range(PLAYS):
            check_play(battle, seed)
        check_odds(battle)


def check_paragraphs(system: System[Any]) -> None:
    """Every rule names its paragraph and says in words what it does."""
    assert system.rules, f"{system.name} has no rules"
    for rule in system.rules:
        assert rule.paragraph, f"{rule!r} names no paragraph"
        assert rule.description, f"{rule!r} has no words"


def check_file(battle: Battle) -> None:
    """Unknown keys, objectives and policies are faults."""
    for source in ({**battle.source, "no such key": 1}, {**battle.source, "rules": {"no such switch": 1}}):
        assert has_faults(partial(battle_from, source)), "an unknown key was accepted"
    assert has_faults(lambda: solve(battle, objective="no such objective")), "an unknown objective was accepted"
    assert has_faults(lambda: solve(battle, attacker="no such policy")), "an unknown policy was accepted"


def has_faults(function: Callable[[], object]) -> bool:
    """Whether a function raises a list of faults."""
    try:
        function()
    except BattleError as error:
        return bool(error.faults)
    return False


def check_play(battle: Battle, seed: int) -> None:
    """A random play is right in every position, and its log replays to the same result."""
    dice = MachineDice(f"rules_test {seed}")
    playing = start(battle)
    for _ in range(QUESTIONS):
        if not isinstance(playing.pending, Pending):
            break
        check_position(battle, playing.pending)
        check_wrong_answers(playing)
        if isinstance(playing.pending.question, Roll):
            check_roll(battle, playing.pending, playing.pending.question)
        answer = random_answer(playing.pending, dice)
        assert playing.answer(answer) == playing.answer(answer), f"{answer} leads elsewhere the second time"
        playing = playing.answer(answer)
    assert isinstance(playing.pending, End), f"{battle.source} is not over after {QUESTIONS:,} questions"
    result = playing.result.to_dict()
    for event in playing.events:
        check_event(battle, event, result)
    check_snapshot(battle, playing.state, result)
    missing = list(differences(result, playing.state))
    assert not missing, f"the final snapshot of {battle.source} and its result differ at {missing}"
    log: Json = json.loads(json.dumps(Log(playing, None).to_dict()))
    again = replay(log, battle_from).play
    assert again.result == playing.result, f"the log of {battle.source} replays to another result"
    assert again.events == playing.events, f"the log of {battle.source} replays to other events"


def random_answer(pending: Pending, dice: MachineDice) -> Answer:
    """A roll of machine dice, or a random option."""
    if isinstance(pending.question, Roll):
        return Rolled(dice.roll_all(pending.question.reading))
    options = pending.question.options
    return Chosen(options[dice.draw_below(len(options))].id)


def check_position(battle: Battle, pending: Pending) -> None:
    """Advancing is repeatable; positions survive copying and pickling; options are distinct."""
    position = pending.position
    assert advance_to_question(battle.setup, position) == pending, (
        f"{position} leads to another question the second time"
    )
    for other in (copy.deepcopy(position), pickle.loads(pickle.dumps(position))):  # noqa: S301, pickled just before
        assert other == position, f"{position} comes back as {other}"
        assert hash(other) == hash(position), f"{position} comes back with another hash"
    if isinstance(pending.question, Choose):
        ids = [option.id for option in pending.question.options]
        assert len(ids) > 1, f"{pending.question} has nothing to choose"
        assert len(set(ids)) == len(ids), f"{pending.question} offers an option twice"


def check_roll(battle: Battle, pending: Pending, roll: Roll) -> None:
    """A roll says what it is for and what counts, and who rolls each pool for which side."""
    check_reading(roll.reading)
    asks = f"a roll of {pending.position.rule!r}"
    assert roll.purpose, f"{asks} does not say what it is for"
    assert roll.success, f"{asks} does not say what counts as success"
    assert len(roll.by) == len(roll.reading.dice), f"{asks} does not say who rolls each pool"
    for roller in roll.by:
        assert battle.system.role_of(battle.setup, roller.side) in Role, f"{asks}: {roller.side} has no role"


def check_event(battle: Battle, event: Event, result: Json) -> None:
    """An event says what happened by which paragraph, whose it is, and what the state is after it."""
    data = event.to_dict()
    assert data["rule"], f"an event of {battle.source} names no paragraph: {data}"
    assert data["what"], f"an event of {battle.source} says nothing: {data}"
    assert data["kind"] in EVENT_KINDS, f"an event of {battle.source} is of no known kind: {data}"
    assert json.loads(json.dumps(data)) == data, f"an event of {battle.source} is not JSON: {data}"
    check_owner(battle, data, "an event")
    check_snapshot(battle, data["state"], result)


def check_snapshot(battle: Battle, state: Json, result: Json) -> None:
    """A snapshot is JSON. Each unit in it has a side and a role, which are null if it is neutral."""
    assert state, f"a state of {battle.source} has no snapshot"
    assert json.loads(json.dumps(state)) == state, f"a snapshot of {battle.source} is not JSON: {state}"
    for key in result:
        table = state.get(key)
        for name, entry in table.items() if isinstance(table, dict) else ():
            if isinstance(entry, dict):
                assert {"side", "role"} <= set(entry), f"{key}.{name} in {battle.source} has no side and role: {entry}"
                check_owner(battle, entry, f"{key}.{name}")


def check_owner(battle: Battle, entry: Json, what: str) -> None:
    """The role of an entry is the role of its side."""
    side = entry["side"]
    role = None if side is None else str(battle.system.role_of(battle.setup, side))
    assert entry["role"] == role, f"{what} of {battle.source} has the role {entry['role']}, its side {side} {role}"


def differences(result: Any, state: Any, place: str = "") -> Iterator[str]:
    """The places at which a snapshot differs from a result; it may have more keys."""
    if isinstance(result, dict) and isinstance(state, dict):
        for key, value in result.items():
            if key in state:
                yield from differences(value, state[key], f"{place}.{key}")
            else:
                yield f"{place}.{key}"
    elif result != state:
        yield place


def check_reading(reading: Reading[Hashable]) -> None:
    """The odds of a reading are those of an enumeration of all its rolls, if there are not too many."""
    dice = [pool.die.faces for pool in reading.dice for _ in range(pool.count)]
    if prod(map(len, dice)) > ROLLS:
        return
    read = Counter(reading.read(reading.split(faces)) for faces in product(*dice))
    exact = reading.odds(fractions=True)
    expected = dict(zip(exact.values, exact.probabilities, strict=True))
    assert expected == {value: Fraction(count, read.total()) for value, count in read.items()}, (
        f"the odds of {reading} are wrong"
    )


def check_wrong_answers(playing: Play) -> None:
    """Wrong answers raise an error."""
    question = playing.question
    answers: list[Answer] = [Chosen("no such option")]
    if isinstance(question, Roll):
        dice = sum(pool.count for pool in question.reading.dice)
        answers += [Rolled(()), Rolled((99,) * dice), Rolled(("no such face",) * dice)]
    else:
        answers.append(Rolled((1,)))
    for answer in answers:
        try:
            playing.answer(answer)
        except WrongAnswer:
            continue
        raise AssertionError(f"{answer} was accepted for {question}")


def check_odds(battle: Battle) -> None:
    """Odds sum to 1, samples have only results that are in the odds, and no policy beats `best`."""
    fractions = not battle.is_turn and len(explore(battle).nodes) <= EXACT_BELOW
    solution = solve(battle, "random", "random", fractions=fractions)
    total = sum(p for p, _ in solution.odds.outcomes)
    assert total == 1 if fractions else -1e-9 < total - 1 < 1e-9, f"the odds of {battle.source} sum to {total}"
    results = {result for _, result in solution.odds.outcomes}
    assert {result for _, result in simulate(battle, 500, 1, "random", "random").outcomes} <= results
    check_best(solution)


def check_best(solution: Solution) -> None:
    """Against every policy of the other side, `best` does at least as well as any other policy."""
    battle, fractions = solution.battle, solution.assumptions.fractions
    slack = 0 if fractions else 1e-9
    policies = TURN_POLICIES if battle.is_turn else ATTACK_POLICIES
    for objective, wanted in battle.system.objectives.items():
        if battle.is_turn and not wanted.in_turns:
            continue
        values = {
            (attacker, defender): solution.under(Assumptions(attacker, defender, objective, fractions)).value
            for attacker, defender in product(policies, policies)
        }
        for (attacker, defender), value in values.items():
            case = f"{objective} of {battle.source}: {attacker} against {defender}"
            assert values[Policy.BEST, defender] >= value - slack, f"{case} beats the best attacker"
            assert values[attacker, Policy.BEST] <= value + slack, f"{case} beats the best defender"
