"""Cycles of positions, with and without decisions, against values computed by hand."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from tests import toys
from tests.soak import cases, count

from grognard.api import luck, odds
from grognard.core.errors import Endless
from grognard.core.rules import End, Option, Rule, Steps, Then, choose, may, roll, rule
from grognard.core.systems import Role
from grognard.plays.play import start
from grognard.readings.tally import Tally
from grognard.solver.assumptions import Assumptions
from grognard.solver.cycles import strongly_connected
from grognard.solver.graph import Chance, Decision, Ending, explore
from grognard.solver.solution import Solution, solve


@rule("round")
def fight_on(setup: toys.Toy, rounds: int) -> Steps:
    """Each round the attacker may break off; a six wins 2, a one or two loses 3, anything else changes nothing."""
    if (yield from may("attacker", "Break off?")):
        return End(setup.number)
    won, lost = yield from roll(Tally(1, 6, ((6, 6), (1, 2))), "attacker", purpose="Round")
    return End(2) if won else End(-3) if lost else Then(fight_on, rounds)


@rule("either")
def either_breaks_off(setup: toys.Toy, points: int) -> Steps:
    """The attacker may break off for 1, then the defender for 3, then a die decides between 6 and another round."""
    if (yield from may("attacker", "Attacker, break off?")):
        return End(1)
    if (yield from may("defender", "Defender, break off?")):
        return End(3)
    (hits,) = yield from roll(Tally(1, 6, toys.SIXES), "attacker", purpose="Round")
    return End(6) if hits else Then(either_breaks_off, points)


@rule("wait")
def go_round(setup: toys.Toy, points: int) -> Steps:
    """The attacker chooses between two ways to come back here."""
    yield from choose("attacker", "Left or right?", [Option("left", "left", 0), Option("right", "right", 1)])
    return Then(go_round, points)


@rule("leave")
def leave_or_go_round(setup: toys.Toy, points: int) -> Steps:
    """The attacker leaves for 1, or goes round for ever."""
    if (yield from may("attacker", "Leave?")):
        return End(1)
    return Then(go_round, points)


@pytest.mark.parametrize(("sure", "value"), [(-2, Fraction(-4, 3)), (-1, Fraction(-1)), (0, Fraction(0))])
def test_a_cycle_that_the_attacker_may_leave_is_solved_by_policy_iteration(sure: int, value: Fraction) -> None:
    battle = toys.toy(fight_on, sure)
    assert value == solve(battle, fractions=True).value
    assert pytest.approx(float(value), abs=1e-12) == solve(battle).value


def test_both_sides_may_leave_the_cycle() -> None:
    # Going on for ever is worth 6 to the attacker, so the defender breaks off for 3, which is more than 1.
    battle = toys.toy(either_breaks_off)
    solution = solve(battle, fractions=True)
    assert 3 == solution.value
    assert ["no", "yes"] == [solution.option_at(start(battle)), solution.option_at(start(battle).choose("no"))]
    assert 6 == solve(battle, "cautious", "cautious", fractions=True).value
    assert 6 == solve(battle, "best", "cautious", fractions=True).value
    assert 1 == solve(battle, "eager", "best", fractions=True).value


def test_fixed_policies_have_odds_and_a_random_one_leaves_sooner() -> None:
    # The attacker leaves with 1/2 for 0; else 1/6 win 2, 2/6 lose 3, 3/6 come back: v = 1/2·(2/6 − 6/6 + 3/6·v).
    assert Fraction(-4, 9) == solve(toys.toy(fight_on, 0), "random", fractions=True).value
    assert {2: Fraction(1, 3), -3: Fraction(2, 3)} == {
        result.to_dict()["points"]: p for p, result in odds(toys.toy(fight_on, 0), "cautious", fractions=True).outcomes
    }


def test_a_decision_in_a_cycle_is_asked_once_a_round_on_average() -> None:
    # Half of the rounds change nothing, so there are two on average.
    (decision,) = solve(toys.toy(fight_on, 0), "cautious", fractions=True).decisions
    assert 2 == decision.times


@pytest.mark.parametrize(("endless", "prompt"), [(go_round, "Left or right"), (toys.dither, "Wait")])
def test_play_that_would_never_end_names_the_rule_and_the_prompt(endless: Rule[Any, ...], prompt: str) -> None:
    with pytest.raises(Endless, match=f'never end: "{prompt}\\?" \\({endless.paragraph}\\)'):
        solve(toys.toy(endless))


def test_a_policy_that_leaves_has_odds_where_the_best_play_would_never_end() -> None:
    assert 7 == solve(toys.toy(toys.dither, 7), "cautious").value
    with pytest.raises(Endless):
        solve(toys.toy(toys.dither, 7), "eager")


def test_luck_and_regret_add_up_in_a_cycle() -> None:
    battle = toys.toy(fight_on, -1)
    play = start(battle)
    for answer in ({"choose": "no"}, {"roll": [4]}, {"choose": "no"}, {"roll": [6]}):
        play = play.answer(answer)
    measured = luck(play, fractions=True)
    assert 2 == measured.result_value == measured.start + measured.luck + measured.decision_gain
    assert 0 < measured.probability < 1


def random_graph(seed: int) -> Rule[Any, ...]:
    """A random battle of six rooms: in every room a side or a die decides where to go, or to leave."""
    random = Random(seed)
    rooms = [
        (random.choice(["attacker", "defender", "die"]), [random.randrange(-3, 6) for _ in range(3)]) for _ in range(6)
    ]

    @rule("rooms")
    def room(setup: toys.Toy, number: int) -> Steps:
        """Go to one of three rooms, or leave."""
        who, ways = rooms[number]
        options = [Option(str(place), str(way), way) for place, way in enumerate(ways)]
        if who == "die":
            one, two = yield from roll(Tally(1, 6, ((1, 2), (3, 4))), "attacker", purpose="Door")
            way = ways[0] if one else ways[1] if two else -1 - number
        else:
            way = yield from choose(who, f"From {number}?", [*options, Option("out", "out", -1 - number)])
        return End(10 * way) if way < 0 else Then(room, way)

    return room


def value_iteration(first: Rule[Any, ...], guess: float) -> float:
    """The value by value iteration from a constant."""
    graph = explore(toys.toy(first))
    pick = {Role.ATTACKER: max, Role.DEFENDER: min}
    values = [float(node.result.to_dict()["points"]) if isinstance(node, Ending) else guess for node in graph.nodes]
    for _ in range(1_000):
        for number, node in enumerate(graph.nodes):
            if isinstance(node, Chance):
                values[number] = sum(p * values[c] for p, c in zip(node.probabilities, node.children, strict=True))
            elif isinstance(node, Decision):
                values[number] = pick[node.role](values[child] for child in node.children)
    return values[graph.start]


@pytest.mark.soak("cycles with decisions against value iteration")
def test_policy_iteration_agrees_with_value_iteration_where_there_is_one_answer() -> None:
    compared = 0
    for seed in range(cases(80)):
        battle = random_graph(seed)
        low, high = value_iteration(battle, -1000), value_iteration(battle, 1000)
        if abs(low - high) > 1e-6:  # somebody would rather wait for ever: no single answer
            continue
        try:
            exact = solve(toys.toy(battle), fractions=True).value
        except Endless:  # going round is as good as leaving, and listed first
            continue
        assert pytest.approx(low, abs=1e-6) == float(exact)
        assert pytest.approx(float(exact), abs=1e-9) == solve(toys.toy(battle)).value
        count(inputs=1)
        compared += 1
    assert compared > 25


@pytest.mark.parametrize(
    ("seed", "value"), [(528, -10), (566, -30), (1235, Fraction(-280, 9)), (1334, Fraction(-70, 3))]
)
def test_sides_that_improve_one_after_the_other_find_the_value(seed: int, value: Fraction) -> None:
    """If both improved at the same time, their new options would lead round for ever here."""
    assert pytest.approx(float(value)) == value_iteration(random_graph(seed), -1000)
    assert pytest.approx(float(value)) == value_iteration(random_graph(seed), 1000)
    assert value == solve(toys.toy(random_graph(seed)), fractions=True).value


def test_regret_is_against_the_best_option_even_if_the_policy_takes_another() -> None:
    """A cautious attacker goes on, which is worth −4/3 in every round; to break off is worth −1."""
    play = start(toys.toy(fight_on, -1))
    for answer in ({"choose": "no"}, {"roll": [4]}, {"choose": "no"}, {"roll": [6]}):
        play = play.answer(answer)
    assert Fraction(2, 3) == luck(play, attacker="cautious", fractions=True).regret(Role.ATTACKER)


FIXED = ["eager", "cautious", "random"]


@pytest.mark.parametrize("attacker", FIXED)
@pytest.mark.parametrize("defender", FIXED)
def test_a_position_that_fixed_policies_do_not_reach_is_worth_as_much_as_a_battle_that_begins_there(
    attacker: str, defender: str
) -> None:
    assumptions, endless = Assumptions(attacker, defender, fractions=True), 0
    for seed in range(cases(30)):
        battle = toys.toy(random_graph(seed))
        try:
            solution = solve(battle, attacker, defender, fractions=True)
        except Endless:
            continue
        assert 1 == sum(outcome.probability for outcome in solution.odds.outcomes)
        for number, node in enumerate(solution.graph.nodes):
            if isinstance(node, Ending):
                continue
            try:
                value = Solution(battle, explore(battle, node.position, fractions=True), assumptions).value
            except Endless:
                endless += 1
                with pytest.raises(Endless):
                    solution.induction.value_of(number)
                with pytest.raises(Endless):
                    solution.odds_from(number)
            else:
                assert (seed, value, value) == (
                    seed,
                    solution.induction.value_of(number),
                    solution.odds_from(number).value,
                )
    assert endless or "random" in (attacker, defender)


def test_advice_on_an_option_that_would_never_end_is_an_error_and_the_odds_are_not() -> None:
    battle = toys.toy(leave_or_go_round)
    solution = solve(battle, "eager", "eager", fractions=True)
    assert [1] == [result.to_dict()["points"] for _, result in solution.odds.outcomes]
    with pytest.raises(Endless, match="Left or right"):
        solution.advice(start(battle))


def test_nodes_are_in_one_component_if_they_reach_each_other_and_parents_come_before_children() -> None:
    for seed in range(100):
        random = Random(seed)
        children = [tuple(random.sample(range(9), random.randrange(4))) for _ in range(9)]
        reached = [reachable(children, node) for node in range(9)]
        expected = {tuple(sorted(one for one in reached[node] if node in reached[one])) for node in reached[0]}
        components = strongly_connected(children, 0)
        assert (seed, sorted(expected)) == (seed, sorted(map(tuple, components)))
        for place, later in enumerate(components):
            assert not any(reached[later[0]] & set(earlier) for earlier in components[:place]), seed


def reachable(children: list[tuple[int, ...]], start: int) -> set[int]:
    """The nodes that can be reached from a node, itself included."""
    reached, stack = {start}, [start]
    while stack:
        new = set(children[stack.pop()]) - reached
        reached |= new
        stack += new
    return reached
