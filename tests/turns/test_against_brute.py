"""Random small turns under every switch: the solver against plain enumeration, in fractions."""

import json
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import grognard
from grognard.core.rules import Choose, End, Roll
from grognard.core.systems import Role
from grognard.plays.play import Play
from grognard.solver.assumptions import Assumptions
from grognard.solver.solution import Solution, solve_plainly
from tests.soak import cases, trying

from .random_turns import SWITCHES, random_game, random_turn
from .tree import AttackOver, Decision, Dice, Game, Json, Same, Tree, Turn, TurnOver

TURNS, WALKS = cases(240, 144), cases(60, 36)
BATCHES = 4
PACE = {"supply": 1, "tower": 1, "assault": 6, "frames": 6}
"""How many times longer the enumeration takes than in other systems."""
SYSTEMS = ("supply", "tower", "frames", "assault")
POLICIES = ("best", "eager", "cautious", "random", "greedy")
Who = tuple[str, str, str]
pytestmark = pytest.mark.soak("whole turns against plain enumeration")


def random_policies(random: Random) -> Who:
    return random.choice(POLICIES), random.choice(POLICIES), random.choice(["swing", "swing", "kill"])


def solve(game: Game, who: Who) -> Solution:
    attacker, defender, objective = who
    return grognard.solve(
        grognard.battle(game.source), attacker=attacker, defender=defender, objective=objective, fractions=True
    )


def result_odds(turn: Turn) -> dict[str, Fraction]:
    odds = dict[str, Fraction]()
    for state, p in turn.odds.items():
        key = json.dumps(turn.game.result(state), sort_keys=True)
        odds[key] = odds.get(key, Fraction(0)) + p
    return odds


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("system", SYSTEMS)
def test_value_outcomes_and_measures_of_random_turns(system: str, batch: int) -> None:
    random = Random(f"{system} {batch}")
    for _ in trying(range(TURNS // BATCHES // PACE[system])):
        game = random_game(random, system)
        for who in (random_policies(random) for _ in range(2)):
            turn, solution = Turn(game, *who), solve(game, who)
            odds = solution.odds.to_dict()
            what = game.source, who
            assert turn.value == solution.value == Fraction(odds["value"]), what
            results = result_odds(turn)
            assert odds["results"] == len(results), what
            assert {
                json.dumps(one["result"], sort_keys=True): Fraction(one["p"]) for one in odds["outcomes"]
            } == results
            measures = {name: {value: Fraction(p) for value, p in pairs} for name, pairs in odds["measures"].items()}
            assert {name: measures[name] for name in turn.measures} == turn.measures, what


@pytest.mark.parametrize("system", SYSTEMS)
def test_random_turns_cover_every_value_of_every_switch(system: str) -> None:
    switches = SWITCHES[system]
    random = Random(f"{system} 0")
    turned = {item for _ in range(60) for item in random_turn(random, system)["rules"].items()}
    assert turned == {(name, value) for name, values in switches.items() for value in values}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_turn_solved_position_by_position_has_the_same_value(system: str) -> None:
    random = Random(f"plain {system}")
    for _ in trying(range(WALKS // 2 // PACE[system])):
        game = random_game(random, system)
        attacker, defender, objective = (
            random.choice(POLICIES),
            random.choice(POLICIES),
            random.choice(["swing", "kill"]),
        )
        assumptions = Assumptions(attacker, defender, objective, fractions=True)
        plain = solve_plainly(grognard.battle(game.source), assumptions)
        assert Turn(game, attacker, defender, objective).value == plain.value, (game.source, assumptions)


def first_option(question: Choose) -> str:
    return question.options[0].id


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("attacker", POLICIES)
def test_a_policy_that_is_a_function_is_as_good_as_its_name(system: str, attacker: str) -> None:
    random = Random(f"function {system}")
    for _ in trying(range(max(1, WALKS // 10 // PACE[system]))):
        game = random_game(random, system)
        solution = grognard.solve(
            grognard.battle(game.source), attacker=attacker, defender=first_option, fractions=True
        )
        assert Turn(game, attacker, "eager").value == solution.value, game.source


def random_faces(random: Random, roll: Roll) -> list[Any]:
    return [random.choice(pool.die.faces) for pool in roll.reading.dice for _ in range(pool.count)]


def walk(random: Random, turn: Turn, play: Play) -> Iterator[tuple[Play, Tree]]:
    """Play a turn to its end with random answers: each question with the tree at that question."""
    tree = turn.tree(turn.game.start)
    while play.question is not None:
        yield play, tree
        if isinstance(play.question, Choose):
            assert isinstance(tree, Decision)
            option = random.choice(list(tree.options))
            play, tree = play.choose(option), tree.options[option]()
        else:
            assert isinstance(tree, Dice)
            faces = random_faces(random, play.question)
            play, tree = play.roll(faces), tree.then(tree.count(faces))
        while isinstance(tree, AttackOver | Same):
            tree = tree.tree() if isinstance(tree, Same) else turn.tree(tree.state)
    yield play, tree


@pytest.mark.parametrize("system", SYSTEMS)
def test_advice_inside_a_turn_has_the_values_of_the_enumeration(system: str) -> None:
    random = Random(f"advice {system}")
    for _ in trying(range(WALKS // PACE[system])):
        game, who = random_game(random, system), random_policies(random)
        turn, solution = Turn(game, *who), solve(game, who)
        for play, tree in walk(random, turn, grognard.start(grognard.battle(game.source))):
            value, ends = turn.solve(tree)
            odds = solution.odds_at(play)
            assert value == odds.value, (game.source, who, play.log())
            assert sum(ends.weights.values()) == ends.whole
            if isinstance(tree, Decision):
                assert isinstance(play.question, Choose)
                assert [option.id for option in play.question.options] == list(tree.options)
                values = {name: turn.solve(option())[0] for name, option in tree.options.items()}
                advice = solution.advice(play)
                assert {option.id: option.value for option in advice.options} == values, (game.source, who)
                assert advice.by is not None
                best = (max if advice.by is Role.ATTACKER else min)(values.values())
                assert {one.id for one in advice.options if one.best} == (
                    {name for name, value in values.items() if value == best}
                    if list(values.values()).count(best) == 1
                    else set()
                )


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_state_of_a_play_is_that_of_the_enumeration_to_the_end(system: str) -> None:
    random = Random(f"states {system}")
    for _ in trying(range(WALKS // PACE[system])):
        game = random_game(random, system)
        turn = Turn(game, "random", "random")
        *_, (play, tree) = walk(random, turn, grognard.start(grognard.battle(game.source)))
        assert isinstance(tree, TurnOver)
        assert game.result(tree.state) == play.result.to_dict(), game.source


@pytest.mark.parametrize("system", SYSTEMS)
def test_luck_over_a_turn_adds_up(system: str) -> None:
    random = Random(f"luck of {system}")
    for _ in trying(range(WALKS // PACE[system])):
        game, who = random_game(random, system), random_policies(random)
        turn, solution = Turn(game, *who), solve(game, who)
        steps = list(walk(random, turn, grognard.start(grognard.battle(game.source))))
        values = [turn.solve(tree)[0] for _, tree in steps]
        luck = solution.luck(steps[-1][0])
        assert values == [luck.start, *(step.after for step in luck.steps)], (game.source, who)
        assert luck.start + luck.luck + luck.decision_gain == luck.result_value == values[-1]
        if who[:2] == ("best", "best"):
            assert luck.decision_gain == luck.regret(Role.DEFENDER) - luck.regret(Role.ATTACKER)


@pytest.mark.parametrize("system", SYSTEMS)
def test_luck_is_measured_against_the_decisions_that_were_taken(system: str) -> None:
    random = Random(f"chosen {system}")
    for _ in trying(range(WALKS // 2 // PACE[system])):
        game, who = random_game(random, system), random_policies(random)
        battle = grognard.battle(game.source)
        *_, (play, _) = walk(random, Turn(game, *who), grognard.start(battle))
        attacker, defender, objective = who
        plain = solve_plainly(battle, Assumptions(attacker, defender, objective, fractions=True)).luck(play)
        luck = solve(game, who).luck(play)
        assert plain.chosen_odds.value == luck.chosen_odds.value, (game.source, who)
        assert plain.left_best_line == luck.left_best_line
        assert plain.to_dict()["percentiles"] == luck.to_dict()["percentiles"]
        assert plain.probability == luck.probability


@pytest.mark.parametrize("system", SYSTEMS)
def test_best_is_at_least_as_good_as_every_other_policy(system: str) -> None:
    random = Random(f"best {system}")
    for _ in trying(range(WALKS // 3 // PACE[system])):
        game, defender = random_game(random, system), random.choice(POLICIES[1:4])
        values = {attacker: solve(game, (attacker, defender, "swing")).value for attacker in POLICIES}
        assert values["best"] == max(0, *values.values()), (game.source, defender)


@pytest.mark.parametrize("system", ["supply", "tower"])
def test_a_turn_with_one_possible_attack_is_that_attack_or_stopping(system: str) -> None:
    random = Random(f"one {system}")
    compared = 0
    while compared < WALKS // 3:
        source = random_turn(random, system)
        source["units"] = [unit for unit in source["units"] if unit["side"] != "red"][:1] + [
            unit for unit in source["units"] if unit["side"] == "red"
        ][:1]
        source["turn"] = {"side": "red"}
        by, on = source["units"][1]["id"], source["units"][0]["id"]
        single = {key: value for key, value in source.items() if key != "turn"} | {"attack": {"by": by, "on": on}}
        try:
            battle = grognard.battle(single)
        except grognard.BattleError:
            continue
        defender = random.choice(["best", "eager", "cautious", "random"])
        value = grognard.solve(battle, defender=defender, fractions=True).value
        turn = grognard.solve(grognard.battle(source), defender=defender, fractions=True)
        assert turn.value == max(0, value), source
        assert [option.id for option in turn.advice().options] == [f"{by} on {on}", "end"][:: 1 if value >= 0 else -1]
        compared += 1


def file_after(single: Play) -> Json:
    """The battle file after a single attack."""
    battle = single.battle
    assert isinstance(single.pending, End)
    return battle.system.after(battle.setup, battle.source, single.pending.state)


@pytest.mark.parametrize("system", ["supply", "tower"])
def test_after_each_attack_the_turn_goes_on_from_the_file_after_that_attack(system: str) -> None:
    random = Random(f"after {system}")
    for _ in trying(range(WALKS // 2 // PACE[system])):
        game = random_game(random, system)
        source = game.source | {"turn": {"side": "red"}}
        play = grognard.start(grognard.battle(source))
        while isinstance(play.question, Choose):
            *attacks, end = (option.id for option in play.question.options)
            assert end == "end"
            attack = random.choice(attacks)
            by, on = attack.split(" on ")
            play = play.choose(attack)
            declared = {"by": by, "on": on}
            if isinstance(play.question, Choose) and play.question.options[0].id in DIRECTIONS:
                declared["direction"] = random.choice(play.question.options).id
                play = play.choose(declared["direction"])
            rest = {key: value for key, value in source.items() if key != "turn"}
            single = grognard.start(grognard.battle({**rest, "attack": declared}))
            while single.question is not None:
                assert play.question == single.question
                if isinstance(single.question, Choose):
                    answer = random.choice(single.question.options).id
                    play, single = play.choose(answer), single.choose(answer)
                else:
                    faces = random_faces(random, single.question)
                    play, single = play.roll(faces), single.roll(faces)
            after = file_after(single)
            there = {unit["id"] for unit in after["units"]}
            assert {name: unit for name, unit in play.state["units"].items() if unit["at"] is not None} == {
                name: {**unit, "role": "attacker" if unit["side"] == "red" else "defender"}
                for name, unit in single.state["units"].items()
                if name in there
            }
            source = {**after, "turn": {"side": "red"}}
            if "red" not in {unit["side"] for unit in source["units"]}:
                break
            following = grognard.start(grognard.battle(source)).question
            assert (play.question is None) == (following is None)
            if isinstance(play.question, Choose) and isinstance(following, Choose):
                assert [one.id for one in play.question.options] == [one.id for one in following.options]


DIRECTIONS = ("north", "east", "south", "west", "northeast", "southeast", "southwest", "northwest")


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("policy", POLICIES)
def test_a_turn_is_played_to_its_end_by_each_policy(system: str, policy: str) -> None:
    random = Random(f"played {system}")
    for seed in trying(range(WALKS // 6 // PACE[system])):
        game = random_game(random, system)
        turn = Turn(game, policy, policy)
        play = grognard.play(grognard.battle(game.source), seed=str(seed), attacker=policy, defender=policy)
        assert play.question is None
        assert json.dumps(play.result.to_dict(), sort_keys=True) in result_odds(turn)
