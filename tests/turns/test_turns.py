"""Whole turns: the file, the choice of the next attack, objectives, sizes."""

import json
import pickle
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

import grognard
from grognard.core.distributions import Probability
from grognard.core.errors import TooLarge
from grognard.core.rules import Choose
from grognard.solver import attack_graphs
from grognard.solver.assumptions import Assumptions
from grognard.solver.plans import Branch, PlanStep, plan_turn
from grognard.solver.solution import solve_plainly, solve_under
from grognard.solver.turn_solution import TurnSolution, evaluate_attacks

from .brute_assault import Assault
from .brute_frames import Frames
from .brute_supply import Supply
from .random_turns import random_game
from .tree import Game, Json, Solved, Turn

EXAMPLES = Path(__file__).parents[2] / "examples"


def supply_unit(name: str, side: str, column: int, row: int, **fields: Any) -> Json:
    plain = {"die": 6, "strength": 2, "range": 9, "ammo": 1, "supply": 2}
    return {"id": name, "side": side, "at": [column, row], **plain, **fields}


def tower_unit(name: str, side: str, column: int, row: int, **fields: Any) -> Json:
    plain = {"attack": 2, "defense": 2, "health": 3, "speed": 2, "range": 1}
    return {"id": name, "side": side, "at": [column, row], **plain, **fields}


def supply(*units: Json, **more: Any) -> Json:
    return {"system": "supply", "units": list(units), "turn": {"side": "red"}, **more}


def tower(*units: Json, **more: Any) -> Json:
    return {"system": "tower", "board": {"size": [6, 6]}, "units": list(units), "turn": {"side": "red"}, **more}


def faults(source: Json) -> list[tuple[str, str]]:
    with pytest.raises(grognard.BattleError) as refused:
        grognard.battle(source)
    return [(fault.place, fault.message) for fault in refused.value.faults]


def options(source: Json, *choices: str) -> list[str] | None:
    play = grognard.start(grognard.battle(source))
    for option in choices:
        play = play.choose(option)
    return [option.id for option in play.question.options] if isinstance(play.question, Choose) else None


GUNS, RIFLES = supply_unit("guns", "red", 1, 1), supply_unit("rifles", "blue", 1, 2)
MORTAR = supply_unit("mortar", "red", 2, 1, indirect=True)
RANKS = {
    "system": "ranks",
    "defender": {"player": "Blue", "units": 3},
    "arrivals": [{"player": "Red", "side": "attack", "units": 3}],
}


def test_an_attack_and_a_turn_in_one_file_are_a_fault() -> None:
    both = supply(GUNS, RIFLES, attack={"by": "guns", "on": "rifles"})
    assert faults(both) == [("turn", "[attack] is there already: expected only one of them")]


def test_neither_an_attack_nor_a_turn_is_a_fault() -> None:
    neither = {key: value for key, value in supply(GUNS, RIFLES).items() if key != "turn"}
    assert faults(neither) == [("attack", "is missing: expected [attack] or [turn]")]


@pytest.mark.parametrize("turn", [{}, {"side": 3}, {"side": ""}, "red", []])
def test_a_turn_with_faults_does_not_count_as_missing(turn: Any) -> None:
    assert [place for place, _ in faults(supply(GUNS, RIFLES, turn=turn))] == [
        "turn.side" if isinstance(turn, dict) else "turn"
    ]


def test_a_turn_of_an_unknown_side_or_with_an_unknown_target_is_a_fault() -> None:
    assert faults(supply(GUNS, RIFLES, turn={"side": "green"})) == [
        ("turn.side", 'there is no side "green"; known: red, blue')
    ]
    for target in ("guns", "cavalry"):
        (place, message), *others = faults(supply(GUNS, RIFLES, turn={"side": "red", "target": target}))
        assert (place, others) == ("turn.target", [])
        assert message == f'there is no enemy unit "{target}"; known: rifles'


def test_a_turn_of_ranks_is_a_fault_that_says_why() -> None:
    assert faults({**RANKS, "turn": {"side": "Red"}}) == [
        ("turn", "ranks has no [turn]: its round is a whole turn already")
    ]


@pytest.mark.parametrize(("attackers", "targets"), [(("a", "a on b"), ("b on c", "c")), (("a", "a on"), ("on c", "c"))])
def test_attacks_whose_ids_would_be_equal_are_a_fault(attackers: tuple[str, str], targets: tuple[str, str]) -> None:
    red = [supply_unit(name, "red", 1, row) for row, name in enumerate(attackers, 1)]
    blue = [supply_unit(name, "blue", 2, row) for row, name in enumerate(targets, 1)]
    ((place, message),) = faults(supply(*red, *blue))
    assert place == "turn"
    assert message.startswith(f'"{attackers[1]} on c" would be two attacks')
    assert options(supply(*red, blue[0])) == [*(f"{name} on {targets[0]}" for name in attackers), "end"]


@pytest.mark.parametrize("source", [supply(GUNS, RIFLES), tower(tower_unit("a", "red", 1, 1))])
def test_ground_is_no_objective_of_a_turn(source: Json) -> None:
    with pytest.raises(grognard.BattleError) as refused:
        grognard.solve(grognard.battle(source), objective="ground")
    assert "it has swing, kill" in str(refused.value)


def test_attacks_are_offered_by_attacker_then_target_in_the_order_of_the_file_and_end_last() -> None:
    units = [
        supply_unit("x", "blue", 5, 5),
        supply_unit("b", "red", 5, 4),
        supply_unit("y", "green", 5, 6),
        supply_unit("a", "red", 4, 5),
        supply_unit("spent", "red", 1, 5, fired=True),
        supply_unit("empty", "red", 1, 4, supply=0),
        supply_unit("short", "red", 1, 6, range=4),
    ]
    assert options(supply(*units)) == ["b on x", "b on y", "a on x", "a on y", "short on y", "end"]


def test_a_unit_without_supplies_is_offered_if_it_can_call_in() -> None:
    empty = supply_unit("empty", "red", 3, 1, supply=0)
    source = supply(empty, MORTAR, RIFLES)
    assert options(source) == ["empty on rifles", "mortar on rifles", "end"]
    assert options(source, "mortar on rifles") is None


def test_a_unit_may_have_the_name_of_the_option_that_ends_the_turn() -> None:
    source = supply(supply_unit("end", "red", 1, 1), supply_unit("x", "blue", 1, 2))
    assert options(source) == ["end on x", "end"]
    assert grognard.start(grognard.battle(source)).choose("end").question is None


def test_an_ambiguous_direction_is_chosen_after_declaring() -> None:
    units = [tower_unit("a", "red", 3, 3), tower_unit("b", "blue", 4, 4), tower_unit("c", "blue", 2, 2)]
    assert options(tower(*units), "a on b") == ["east", "south"]
    assert options(tower(*units), "a on c") == ["west", "north"]
    hexes = tower(tower_unit("a", "red", 3, 3), tower_unit("b", "blue", 3, 1), rules={"board": "hexes"})
    assert options(hexes, "a on b") == ["northeast", "northwest"]


@pytest.mark.parametrize("objective", ["swing", "kill"])
@pytest.mark.parametrize(
    "source",
    [
        supply({**GUNS, "fired": True}, RIFLES),
        supply(GUNS),
        tower(tower_unit("a", "red", 1, 1), tower_unit("b", "blue", 6, 6)),
    ],
)
def test_a_turn_without_a_possible_attack_is_over_at_once(source: Json, objective: str) -> None:
    battle = grognard.battle(source)
    solution = grognard.solve(battle, objective=objective, fractions=True)
    play = grognard.start(battle)
    assert play.question is None
    assert solution.value == 0
    assert [outcome.probability for outcome in solution.odds.outcomes] == [1]
    assert solution.luck(play).result_value == 0
    assert solution.advice(play).options == ()


def test_greedy_is_best_in_a_single_attack() -> None:
    source = {**supply(GUNS, MORTAR, RIFLES), "attack": {"by": "guns", "on": "rifles"}}
    battle = grognard.battle({key: value for key, value in source.items() if key != "turn"})
    greedy, best = (grognard.odds(battle, policy, policy, fractions=True) for policy in ("greedy", "best"))
    assert greedy.outcomes == best.outcomes


def test_kill_counts_enemies_or_asks_for_the_target() -> None:
    units = [GUNS, MORTAR, RIFLES, supply_unit("weak", "blue", 2, 2, strength=1)]
    count = grognard.solve(grognard.battle(supply(*units)), objective="kill", fractions=True)
    assert count.value == count.odds["enemies destroyed"].mean
    one = grognard.solve(
        grognard.battle(supply(*units, turn={"side": "red", "target": "rifles"})), objective="kill", fractions=True
    )
    assert one.value == one.odds["rifles destroyed"].probability(True)


@pytest.mark.parametrize("sides", [("attacker", "defender"), ("end", "spectator 2"), ("é\n", "red on blue")])
def test_sides_may_have_odd_names(sides: tuple[str, str]) -> None:
    source = supply({**GUNS, "side": sides[0]}, {**RIFLES, "side": sides[1]}, turn={"side": sides[0]})
    plain = grognard.solve(grognard.battle(supply(GUNS, RIFLES)), fractions=True)
    assert grognard.solve(grognard.battle(source), fractions=True).value == plain.value


@pytest.mark.parametrize("system", ["supply", "tower"])
@pytest.mark.parametrize("policy", ["best", "greedy", "eager", "random"])
def test_sampling_a_turn_agrees_with_its_exact_value(system: str, policy: str) -> None:
    random = Random(f"sampled {system}")
    for seed in range(8):
        battle = grognard.battle(random_game(random, system).source)
        exact = grognard.solve(battle, policy, policy).value
        sampled = grognard.simulate(battle, 2_000, seed, policy, policy)
        assert sampled.value == pytest.approx(exact, abs=5 * sampled.value_error + 1e-9), battle.source


def many(attackers: int, targets: int) -> Json:
    red = [supply_unit(f"r{n}", "red", 1, n + 1, strength=3 + n % 3, supply=1 + n) for n in range(attackers)]
    blue = [supply_unit(f"b{n}", "blue", 2, n + 1, strength=3 + n % 3, supply=1 + n) for n in range(targets)]
    return supply(*red, *blue)


@pytest.mark.parametrize("policy", ["best", "greedy", "random"])
def test_a_turn_of_thirty_units_a_side_is_too_large_and_says_so(policy: str) -> None:
    with pytest.raises(TooLarge) as large:
        grognard.solve(grognard.battle(many(30, 30)), attacker=policy, bound=2_000)
    assert str(large.value) == "too many positions for an exact turn: more than 2,000; sample it instead (simulate)"


def test_a_turn_too_large_to_solve_is_sampled_and_played_greedily() -> None:
    battle = grognard.battle(many(12, 12))
    assert grognard.simulate(battle, 2, 1, "greedy", "greedy").walks == 2
    assert grognard.play(battle, seed=1, attacker="greedy", defender="greedy").question is None
    with pytest.raises(TooLarge):
        grognard.solve(battle, attacker="greedy", defender="greedy", bound=2_000)


def test_a_turn_of_few_choices_whose_attacks_have_many_exits_is_too_large_too() -> None:
    bound = 2_400  # more than its choices and the positions of its attacks
    with pytest.raises(TooLarge):
        grognard.solve(grognard.battle(many(4, 4)), bound=bound)


def test_the_odds_of_a_turn_are_bounded_too() -> None:
    solution = grognard.solve(grognard.battle(many(4, 3)), attacker="random", bound=5_000)
    assert solution.value > 0
    with pytest.raises(TooLarge):
        _ = solution.odds


def test_a_turn_can_be_cancelled_while_its_first_attack_is_explored() -> None:
    frames = [
        {"id": "soldier", "player": "Red", "loadout": "WWBGYRdRd"},
        {"id": "osprey", "player": "Blue", "loadout": "WWBBYRdRd", "defense": 3},
    ]
    turn = {"player": "Red", "shots": [{"by": "soldier", "on": "osprey", "range": "direct"}]}

    def cancel(choices: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        grognard.solve(grognard.battle({"system": "frames", "frames": frames, "turn": turn}), progress=cancel)


def test_results_that_are_not_listed_still_have_probabilities(monkeypatch: pytest.MonkeyPatch) -> None:
    battle = grognard.battle(supply(GUNS, MORTAR, RIFLES, supply_unit("weak", "blue", 2, 2, strength=1)))
    play = grognard.start(battle).choose("guns on weak").choose("direct")
    solution = grognard.solve(battle, fractions=True)
    listed = [solution.odds, solution.odds_at(play), *(one.odds for one in solution.advice().options)]
    monkeypatch.setattr("grognard.solver.turn_solution.MOST_RESULTS", 2)
    unlisted = grognard.solve(battle, fractions=True)
    again = [unlisted.odds, unlisted.odds_at(play), *(one.odds for one in unlisted.advice().options)]

    def kills(result: Any) -> bool:
        return bool(result.to_dict()["units"]["weak"]["strength"] == 0)

    assert [one.probability(kills) for one in listed] == [one.probability(kills) for one in again]
    assert [one.outcomes for one in again if one.to_dict()["outcomes"] is None] == [[]] * 6
    assert again[0].to_dict()["results"] == len(listed[0].outcomes)


@pytest.mark.parametrize("objective", ["swing", "kill"])
def test_luck_of_a_turn_can_be_written_for_each_objective(objective: str) -> None:
    battle = grognard.battle(supply(GUNS, MORTAR, RIFLES))
    luck = grognard.luck(grognard.play(battle, seed=1), objective=objective)
    assert json.loads(json.dumps(luck.to_dict()))["objective"] == objective


def test_a_decision_of_a_play_counts_only_if_all_settled_units_are_as_in_the_play() -> None:
    """Here the first attacker is settled. Where it comes out otherwise, the next decisions are those of the policy."""
    target = supply_unit("target", "blue", 3, 1, die=4, strength=3, range=3, supply=3)
    mortar = supply_unit("mortar", "red", 1, 2, strength=3, range=2, supply=3, indirect=True)
    scouts = supply_unit("scouts", "red", 4, 3, die=4, strength=1, ammo=0)
    rifles = supply_unit("rifles", "red", 4, 1, ammo=0)
    rules = {
        "distance": "diagonal",
        "cancelling": "ranked",
        "counter_timing": "simultaneous",
        "caller_keeps_attack": True,
    }
    battle = grognard.battle(supply(target, mortar, scouts, rifles, rules=rules))
    script = ["rifles on target", "direct", [4, 6, 1, 4, 4], "yes", [4, 2, 3, 4, 6]]
    script += ["mortar on target", [1, 1, 4, 4, 1], "no", "end"]
    answers = [{"choose": answer} if isinstance(answer, str) else {"roll": answer} for answer in script]
    play = grognard.play(battle, script=answers)
    assumptions = Assumptions("best", "random", fractions=True)
    expected, actual = (solve(battle, assumptions).luck(play) for solve in (solve_plainly, solve_under))
    assert expected.chosen_odds.value == actual.chosen_odds.value
    assert expected.percentiles == actual.percentiles
    assert expected.probability == actual.probability


def test_a_battle_with_a_turn_is_a_value() -> None:
    battle = grognard.battle(supply(GUNS, RIFLES))
    assert pickle.loads(pickle.dumps(battle)) == battle == grognard.battle(supply(GUNS, RIFLES))


class FixedOrder(Turn):
    """A turn of attacks in a fixed order: those that are impossible are skipped."""

    def __init__(self, game: Game, defender: str, order: tuple[str, ...]) -> None:
        super().__init__(game, "best", defender)
        self.order = order

    def after(self, state: Any) -> Solved:
        attacks = self.game.attacks(state)
        for place, attack in enumerate(self.order):
            if attack in attacks:
                rest = FixedOrder(self.game, self.policies["defender"], self.order[place + 1 :])
                rest.states, rest.numbers = self.states, self.numbers
                self.known[state] = rest.solve_first(attacks[attack]())
                return self.known[state]
        return self.stay(state)

    def solve_first(self, tree: Any) -> Solved:
        return self.solve(tree)


def all_attacks(game: Game) -> list[str]:
    """The ids of all attacks that the side can ever make, each as often as it can make it."""
    if isinstance(game, Frames):
        return game.ids()
    if isinstance(game, Assault):
        return list(game.declarations)
    units = game.source["units"]
    indirect = [one["id"] for one in units if one["side"] == "red" and one.get("indirect")]
    keeps = game.source.get("rules", {}).get("caller_keeps_attack")
    return [
        f"{one['id']} on {other['id']}"
        for one in units
        for other in units
        if one["side"] == "red" != other["side"]
        for _ in range(1 + len([name for name in indirect if name != one["id"]]) if keeps else 1)
    ]


@pytest.mark.parametrize("system", ["supply", "tower", "frames", "assault"])
def test_the_best_fixed_order_is_the_best_of_all_and_no_better_than_the_plan(system: str) -> None:
    random = Random(f"orders {system}")
    compared = 0
    while compared < (12 if system in ("supply", "tower") else 4):
        game, defender = random_game(random, system), random.choice(["best", "eager", "cautious", "random"])
        attacks = all_attacks(game)
        if len(attacks) > 4 or not game.attacks(game.start):
            continue
        orders = {order for length in range(len(attacks) + 1) for order in permutations(attacks, length)}
        best = max(FixedOrder(game, defender, order).after(game.start)[0] for order in orders)
        plan = plan_turn(grognard.battle(game.source), Assumptions("best", defender, fractions=True))
        assert (best, True) == (plan.order_value, plan.is_exhaustive), game.source
        assert FixedOrder(game, defender, plan.order).after(game.start)[0] == best
        assert plan.stop_value == 0
        assert plan.greedy_value == Turn(game, "greedy", defender).value
        assert plan.value == max(plan.value, best, plan.greedy_value, 0)
        compared += 1


def test_the_best_fixed_order_makes_an_attack_twice_if_the_caller_keeps_its_attack() -> None:
    """Only the mortar can be countered, and not if it is called in: red calls it in, and then attacks directly."""
    mortar = supply_unit("mortar", "red", 1, 8, indirect=True)
    rifles = supply_unit("rifles", "blue", 1, 10, die=20, strength=4, ammo=0, range=3)
    game = Supply(supply(GUNS, mortar, rifles, rules={"caller_keeps_attack": True}))
    twice = ("guns on rifles", "guns on rifles")
    plan = plan_turn(grognard.battle(game.source), Assumptions("best", "best", fractions=True))
    assert (twice, True) == (plan.order, plan.is_exhaustive)
    assert FixedOrder(game, "best", twice).after(game.start)[0] == plan.order_value


@pytest.mark.parametrize("name", ["assault/01-rifles-on-a-machine-gun", "frames/13-from-the-flank"])
def test_the_attacks_of_a_file_with_one_attack_are_that_attack(name: str) -> None:
    battle = grognard.load(EXAMPLES / f"{name}.toml")
    (attack,) = grognard.attacks(battle, fractions=True)
    assert attack.swing == grognard.odds(battle, fractions=True).value


def test_the_attacks_of_a_turn_are_too_many_if_they_have_several_times_the_positions_of_the_bound() -> None:
    """Each of them is far below the bound."""
    guns = [supply_unit(f"guns {die}", "red", die, 1, die=die) for die in (4, 6, 8, 10, 12, 20)]
    rifles = [supply_unit(f"rifles {strength}", "blue", strength, 2, strength=strength) for strength in (1, 2, 3, 4)]
    bound = 30
    few = grognard.battle(supply(guns[0], rifles[3]))
    assert len(evaluate_attacks(few, Assumptions("best", "best"), bound=bound)) == 1
    with pytest.raises(TooLarge):
        evaluate_attacks(grognard.battle(supply(*guns, *rifles)), Assumptions("best", "best"), bound=bound)


def branches(step: PlanStep | None) -> Iterator[tuple[Branch, ...]]:
    if step is not None:
        yield step.branches
        for branch in step.branches:
            yield from branches(branch.next)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("supply/08-the-mortar-fires-once", ["rifles lost 1–2", "rifles lost 0"]),
        ("frames/14-spot-then-fire", ["osprey has a spot of 2–6", "osprey has a spot of 1"]),
        (
            "frames/15-drive-them-off",
            ["guard left its position and lost 0–2", "anything else happens"],
        ),
        (
            "assault/10-mortar-first",
            [
                "panzer is falling back, is mobile and lost 1, or is suppressed, is immobilized and lost 1",
                "anything else happens",
            ],
        ),
    ],
)
def test_the_conditions_of_a_plan_distinguish_results(name: str, expected: list[str]) -> None:
    plan = plan_turn(grognard.load(EXAMPLES / f"{name}.toml"), Assumptions("best", "best"))
    listed = [[condition for branch in one for condition in branch.conditions] for one in branches(plan.first)]
    assert listed[0] == expected
    assert [len(set(one)) for one in listed] == [len(one) for one in listed]


@pytest.mark.parametrize("name", ["supply/08-the-mortar-fires-once", "tower/09-two-waves", "frames/14-spot-then-fire"])
def test_values_computed_in_arrays_equal_those_computed_one_by_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def values() -> list[Probability | None]:
        return TurnSolution(grognard.load(EXAMPLES / f"{name}.toml"), Assumptions()).solver.values

    monkeypatch.setattr(attack_graphs, "HAS_NUMPY", False)
    one_by_one = values()
    monkeypatch.setattr(attack_graphs, "HAS_NUMPY", True)
    monkeypatch.setattr(attack_graphs, "FEWEST_IN_ARRAYS", 1)
    assert values() == pytest.approx(one_by_one, abs=1e-12)
    monkeypatch.setattr(attack_graphs, "MOST_IN_FORMULA", 0)
    assert values() == pytest.approx(one_by_one, abs=1e-12)


def test_equal_frames_share_their_choices() -> None:
    alike = [{"id": name, "player": "Red", "loadout": "WWBYRdRd"} for name in ("first", "second")]
    target = {"id": "target", "player": "Blue", "loadout": "WWBRdRd", "defense": 3}
    shots = [{"by": one["id"], "on": "target", "range": "direct"} for one in alike]
    source = {"system": "frames", "frames": [*alike, target], "turn": {"player": "Red", "shots": shots}}
    solution = grognard.solve(grognard.battle(source))
    assert isinstance(solution, TurnSolution)
    solved = len(solution.solver.values)
    assert solution.odds.value
    assert len(solution.solver.values) == solved + 1  # the end of the turn
