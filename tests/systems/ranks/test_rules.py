"""Each paragraph and each switch, on battles whose answers can be seen at a glance."""

from fractions import Fraction
from typing import Any

import pytest

from grognard import odds
from grognard.core.rules import Roll, Roller
from grognard.core.systems import Json
from grognard.files import battle

from ..playing import choice, dice, played


def combat(defender: int, *arrivals: str, **rules: Any) -> Json:
    """Blue with so many units; arrivals such as "Red attacks 3" or "Green may defend 2"."""
    entries = []
    for arrival in arrivals:
        player, *may, side, units = arrival.split()
        entry = {"player": player, "side": side.removesuffix("s"), "units": int(units)}
        entries.append({**entry, "optional": True} if may else entry)
    source = {"system": "ranks", "defender": {"player": "Blue", "units": defender}, "arrivals": entries}
    return {**source, "rules": rules} if rules else source


def armies(source: Json, *answers: list[int] | str) -> dict[str, int]:
    """The units left after these answers."""
    left: dict[str, int] = played(source, *answers).result.to_dict()["armies"]
    return left


def defending_losses(attack: int, defence: int, total: int) -> list[int]:
    """How many rolls of so many cost the defending side 0, 1, … units."""
    fight = battle(combat(defence, f"Red attacks {attack}"))
    losses_of = odds(fight, fractions=True)["defending side loses"]
    return [int(losses_of.probability(losses) * total) for losses in range(min(attack, defence) + 1)]


@pytest.mark.parametrize(
    ("attack", "defence", "weights"),
    [
        (1, 1, [55, 45]),
        (1, 2, [715, 285]),
        (2, 1, [385, 615]),
        (2, 2, [4015, 3300, 2685]),
        (3, 2, [25333, 32307, 42360]),
        (2, 3, [57310, 27357, 15333]),
    ],
)
def test_1_1_00_the_odds_of_one_exchange(attack: int, defence: int, weights: list[int]) -> None:
    assert defending_losses(attack, defence, 10 ** (attack + defence)) == weights


@pytest.mark.parametrize(("units", "chance"), [(10, "0.310967417933"), (30, "0.212197701031")])
def test_1_1_00_to_the_death_the_attacker_wins_this_often(units: int, chance: str) -> None:
    fight = battle(combat(units, f"Red attacks {units}", duration="to_the_death"))
    assert f"{odds(fight, objective='ground').value:.12f}" == chance


@pytest.mark.parametrize(
    ("ties", "left"),
    [
        ("defender", {"Blue": 2, "Red": 0}),
        ("attacker", {"Blue": 1, "Red": 1}),
        ("both", {"Blue": 1, "Red": 0}),
        ("neither", {"Blue": 2, "Red": 1}),
    ],
)
def test_1_1_00_ties(ties: str, left: dict[str, int]) -> None:
    assert armies(combat(2, "Red attacks 2", ties=ties), [7, 3, 7, 5]) == left


@pytest.mark.parametrize("faces", [4, 6, 8, 10, 12, 20])
def test_1_1_00_every_unit_rolls_the_die(faces: int) -> None:
    assert dice(played(combat(4, "Red attacks 3", die=faces))) == [f"3 d{faces}", f"4 d{faces}"]


def test_1_1_00_to_the_death_the_survivors_roll_again() -> None:
    fight = combat(2, "Red attacks 2", duration="to_the_death")
    assert dice(played(fight, [9, 1, 8, 8])) == ["1 d10", "1 d10"]
    assert armies(fight, [9, 1, 8, 8], [9, 8]) == {"Blue": 0, "Red": 1}


def test_1_1_00_to_the_death_a_roll_in_which_nobody_falls_is_rolled_again() -> None:
    fight = battle(combat(1, "Red attacks 1", duration="to_the_death", ties="neither"))
    assert odds(fight, fractions=True, objective="ground").value == Fraction(1, 2)


def test_1_1_01_earlier_attackers_sit_the_exchange_out() -> None:
    fight = combat(4, "Red attacks 2", "Yellow attacks 3")
    assert dice(played(fight, [2, 1, 9, 9, 9, 9])) == ["3 d10", "4 d10"]
    assert armies(fight, [10, 1, 9, 9, 9, 9], [10, 1, 1, 9, 9, 9]) == {"Blue": 2, "Red": 1, "Yellow": 1}


def test_1_1_01_all_attackers_roll_and_the_attacker_falls_last() -> None:
    fight = combat(4, "Red attacks 2", "Yellow attacks 1", "Black attacks 2", who_rolls="all_attackers")
    first, second = [10, 10, 9, 9, 9, 9], [1, 1, 1, 9, 9]
    assert dice(played(fight, first)) == ["3 d10", "2 d10"]
    assert armies(fight, first, second, [10, 1, 1, 9, 9]) == {"Blue": 1, "Red": 1, "Yellow": 0, "Black": 1}


def test_1_1_01_the_attacker_is_the_first_that_was_not_held_back() -> None:
    fight = combat(3, "Red may attack 1", "Yellow attacks 1", "Black attacks 1", who_rolls="all_attackers")
    assert armies(fight, "no", [10, 9, 9, 9], [1, 1, 9, 9]) == {"Blue": 2, "Red": 1, "Yellow": 0, "Black": 0}
    assert armies(fight, "no", [10, 9, 9, 9], [10, 1, 9, 9]) == {"Blue": 1, "Red": 1, "Yellow": 1, "Black": 0}


def test_1_1_01_no_exchange_without_a_defending_unit() -> None:
    fight = played(combat(1, "Red attacks 1", "Yellow attacks 1"), [10, 9])
    assert fight.result.to_dict() == {
        "armies": {"Blue": 0, "Red": 1, "Yellow": 1},
        "possession": "Red",
        "returns": [],
    }


@pytest.mark.parametrize(
    ("ties", "tie"),
    [
        ("defender", "a tie costs the attacking side one"),
        ("attacker", "a tie costs the defending side one"),
        ("both", "a tie costs both sides one"),
        ("neither", "a tie costs nobody anything"),
    ],
)
def test_1_1_00_a_roll_says_who_rolls_and_what_counts(ties: str, tie: str) -> None:
    question = played(combat(2, "Green defends 2", "Red attacks 3", ties=ties)).question
    assert isinstance(question, Roll)
    assert question.by == (Roller("Red", "Red"), Roller("Blue, Green", "Blue"))
    assert question.purpose == "Exchange"
    assert question.success == f"in each of 3 pairs, from high to low, the lower die costs its side a unit; {tie}"


def test_1_1_02_a_defending_ally_joins_without_dice() -> None:
    assert dice(played(combat(2, "Green defends 2", "Red attacks 1"))) == ["1 d10", "4 d10"]
    assert played(combat(2, "Red attacks 1", "Green defends 2"), [10, 1, 1]).question is None


def test_1_1_02_any_arrival_makes_the_last_attacker_with_units_roll_again() -> None:
    fight = combat(3, "Red attacks 2", "Yellow attacks 1", "Green defends 1", exchange_on="any_arrival")
    yellow_falls = ([10, 10, 9, 9, 9], [1, 9])
    assert dice(played(fight, *yellow_falls)) == ["2 d10", "2 d10"]
    assert armies(fight, *yellow_falls, [10, 1, 9, 9]) == {"Blue": 1, "Red": 1, "Yellow": 0, "Green": 0}


def test_1_1_02_any_arrival_before_the_attacker_is_quiet() -> None:
    assert dice(played(combat(1, "Green defends 1", "Red attacks 1", exchange_on="any_arrival"))) == ["1 d10", "2 d10"]


def test_1_1_02_to_the_death_only_the_army_that_rolls_dies() -> None:
    fight = combat(
        2, "Red attacks 1", "Yellow attacks 1", "Green defends 1", exchange_on="any_arrival", duration="to_the_death"
    )
    assert armies(fight, [1, 9, 9], [1, 9, 9]) == {"Blue": 2, "Red": 0, "Yellow": 0, "Green": 1}


@pytest.mark.parametrize(
    ("rule", "left"),
    [
        ("first_arrived", {"Blue": 2, "Green": 0, "White": 1}),
        ("last_arrived", {"Blue": 2, "Green": 1, "White": 0}),
    ],
)
def test_1_1_02_reinforcements_fall_before_the_defender(rule: str, left: dict[str, int]) -> None:
    fight = combat(2, "Green defends 2", "White defends 2", "Red attacks 3", defending_losses=rule)
    assert armies(fight, [9, 9, 9, 1, 1, 1, 1, 1, 1]) == {**left, "Red": 3}


def test_1_1_02_then_the_defender_falls() -> None:
    fight = combat(2, "Green defends 1", "Red attacks 3")
    assert armies(fight, [9, 9, 1, 1, 1, 1]) == {"Blue": 1, "Green": 0, "Red": 2}


def test_1_1_02_the_owner_chooses_one_loss_at_a_time() -> None:
    fight = combat(1, "Green defends 2", "Red attacks 3", defending_losses="owner_chooses")
    first = choice(played(fight, [9, 9, 1, 1, 1, 1]))
    assert first.by == "Blue"
    assert first.optional is False
    assert [option.id for option in first.options] == ["Blue", "Green"]
    assert armies(fight, [9, 9, 1, 1, 1, 1], "Blue") == {"Blue": 0, "Green": 1, "Red": 2}
    assert armies(fight, [9, 9, 1, 1, 1, 1], "Green", "Green") == {"Blue": 1, "Green": 0, "Red": 2}


@pytest.mark.parametrize(
    ("arrivals", "answers", "by", "prompt"),
    [
        (["Red may attack 1"], [], "Red", "Send 1 unit to attack Blue?"),
        (["Red attacks 1", "Yellow may attack 3"], [[1, 9]], "Yellow", "Send 3 units to help Red?"),
        (["Red may attack 1", "Yellow may attack 3"], ["no"], "Yellow", "Send 3 units to attack Blue?"),
        (["Green may defend 2", "Red attacks 1"], [], "Green", "Send 2 units to help Blue?"),
    ],
)
def test_1_1_02_an_optional_army_is_its_players_decision(
    arrivals: list[str], answers: list[list[int] | str], by: str, prompt: str
) -> None:
    question = choice(played(combat(1, *arrivals), *answers))
    assert (question.by, question.prompt, question.optional) == (by, prompt, True)


def test_1_1_02_an_army_held_back_keeps_its_units_and_never_returns() -> None:
    fight = combat(2, "Red attacks 1", "Yellow may attack 3")
    assert played(fight, [10, 1, 1], "no").result.to_dict() == {
        "armies": {"Blue": 1, "Red": 1, "Yellow": 3},
        "possession": "Blue",
        "returns": ["Red"],
    }


def resolved(source: Json, *answers: list[int] | str) -> tuple[str | None, list[str]]:
    result = played(source, *answers).result.to_dict()
    return result["possession"], result["returns"]


def test_1_1_03_the_attacker_with_units_takes_the_location() -> None:
    assert resolved(combat(1, "Red attacks 1", "Yellow attacks 1"), [9, 1]) == ("Red", [])


def test_1_1_03_else_the_first_reinforcement_with_units_takes_it() -> None:
    fight = combat(2, "Red attacks 1", "Yellow attacks 2", "Black attacks 1")
    assert resolved(fight, [1, 9, 9], [9, 9, 1, 1]) == ("Yellow", [])


def test_1_1_03_a_defending_reinforcement_holds_it_for_a_defender_without_units() -> None:
    assert resolved(combat(1, "Red attacks 1", "Green defends 1"), [9, 1]) == ("Green", ["Red"])


def test_1_1_03_attackers_return_in_order_of_arrival() -> None:
    fight = combat(4, "Red attacks 1", "Yellow attacks 1", "Black attacks 1")
    assert resolved(fight, [9, 1, 1, 1, 1], [1, 9, 9, 9], [9, 1, 1, 1]) == ("Blue", ["Red", "Black"])


@pytest.mark.parametrize(("rule", "possession"), [("unowned", None), ("defender_keeps", "Blue")])
def test_1_1_03_nobody_left(rule: str, possession: str | None) -> None:
    assert resolved(combat(1, "Red attacks 1", ties="both", nobody_left=rule), [5, 5]) == (possession, [])
