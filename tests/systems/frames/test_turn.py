"""The frame's turn: the pool, the dice set down, the attack, the spot."""

from fractions import Fraction
from typing import Any

import pytest

from grognard.api import advise, odds
from grognard.core.systems import Json
from grognard.files import battle
from grognard.plays.answers import Chosen, Rolled

from ..playing import choice, dice, played, sentences
from .battles import COVER, TARGET, WALL, activation, frame


def gunner(word: str) -> Json:
    return {"id": "gunner", "player": "Red", "loadout": word}


def target(word: str) -> Json:
    return {"id": "target", "player": "Blue", "loadout": word}


def offered(source: Json, *answers: Any) -> list[str]:
    return [option.id for option in choice(played(source, *answers)).options]


def values(source: Json, *answers: Any) -> Json:
    """What the turn sets."""
    activation: Json = played(source, *answers).result.to_dict()["activation"]
    return activation


# roll


@pytest.mark.parametrize(
    ("word", "reach", "expected"),
    [
        ("WWBGYRdRd", "direct", ["2 white d6", "1 blue d6", "1 green d6", "1 yellow d6", "2 red direct d6"]),
        ("WWBBYRdRd", "hand", ["2 white d6", "2 blue d6", "1 yellow d6", "2 red direct d6"]),
        ("WBYRdRdR8d", "direct", ["1 white d6", "1 blue d6", "1 yellow d6", "2 red direct d6", "1 red direct d8"]),
        (
            "WWRaRaRhRhR8h",
            "artillery",
            ["2 white d6", "2 red artillery d6", "2 red hand d6", "1 red hand d8"],
        ),
        ("WWG8", "hand", ["2 white d6", "1 green d8"]),
        ("WWGG8R8rR8r", "direct", ["2 white d6", "1 green d6", "1 green d8", "2 red rocket d8"]),
        ("WWGG8R8r", "hand", ["2 white d6", "1 green d6", "1 green d8"]),
    ],
)
def test_roll_the_whole_pool_by_loadout(word: str, reach: str, expected: list[str]) -> None:
    assert dice(played(activation(gunner(word), TARGET, range=reach))) == expected


# defense


def test_defense_is_a_blue_die_or_a_white_one_that_shows_more() -> None:
    fight = activation(gunner("WWBBRdRd"), TARGET)
    question = choice(played(fight, [6, 3, 4, 2, 1, 1]))
    assert (question.by, question.optional, [option.id for option in question.options]) == ("Red", False, ["W6", "B4"])
    assert [option.label for option in question.options] == ["white 6", "blue 4"]
    assert offered(fight, [6, 5, 4, 2, 1, 1]) == ["W6", "W5", "B4"]


def test_defense_without_blue_dice_is_a_white_die() -> None:
    fight = activation(gunner("WWRdRd"), TARGET)
    assert offered(fight, [3, 5, 6, 6]) == ["W5", "W3"]
    assert values(fight, [3, 5, 1, 1], "W3", "none", "none", "none")["defense"] == 3


# assign dice


def test_assign_an_attack_of_the_named_range_or_a_white_die_that_shows_more() -> None:
    fight = activation(gunner("WWBRdRdRaRa"), TARGET)
    assert offered(fight, [6, 5, 6, 1, 4, 6, 6]) == ["W6", "W5", "R4", "none"]
    assert offered(fight, [6, 5, 2, 1, 5, 6, 6], "B2") == ["W6", "R5", "none"]
    assert offered(fight, [6, 5, 2, 1, 5, 6, 6], "W6") == ["R5", "none"]


def net_losses_past_an_own_frame(dice: int) -> Fraction:
    """One damage destroys the target, and one the own frame that covers it: 5s hit that frame first.

    Without a 5 the target falls by any 6; by a 5 and another hit both frames fall; by a single 5 the own one alone.
    """
    by_six_alone = Fraction(5, 6) ** dice - Fraction(4, 6) ** dice
    return by_six_alone - dice * Fraction(1, 6) * Fraction(4, 6) ** (dice - 1)


def test_assign_a_lower_die_where_the_attack_may_hit_a_frame_of_its_own_player() -> None:
    own = {"id": "own", "player": "Red", "systems": [], "white": 1}
    shooter = {"id": "shooter", "player": "Red", "systems": ["direct"], "white": 1}
    enemy = {"id": "enemy", "player": "Blue", "systems": [], "white": 1, "defense": 0, "spot": 6}
    source = {
        "system": "frames",
        "frames": [shooter, own, enemy],
        "activation": {"by": "shooter", "on": "enemy", "range": "direct", "cover": "own"},
    }
    assert ["R5", "R2", "none"] == offered(source, [4, 2, 5])
    by_die = [max(net_losses_past_an_own_frame(n) for n in (die, die + 6)) for die in range(1, 7)]
    best = [max(Fraction(0), a, b) for a in by_die for b in by_die]
    assert sum(best, Fraction(0)) / 36 == odds(battle(source), fractions=True).value


def test_a_target_may_set_a_lower_defense_where_the_attack_may_hit_a_frame_of_the_attacker() -> None:
    own = {"id": "own", "player": "Red", "systems": [], "white": 1}
    gun = {"id": "gun", "player": "Red", "systems": ["direct"], "white": 1}
    enemy = {"id": "enemy", "player": "Blue", "systems": ["defense", "defense"], "white": 2}
    aim = {"by": "gun", "on": "enemy", "range": "direct", "cover": "own", "defense": "not yet"}
    source = {"system": "frames", "frames": [gun, own, enemy], "activation": aim}
    assert ["W6", "B4", "W3", "B1"] == offered(source, [1, 6, 2], "R6", [3, 6, 4, 1, 8])


def test_assign_two_weapons_of_a_range_add_a_d8() -> None:
    fight = activation(gunner("WRdRdR8d"), TARGET)
    assert offered(fight, [6, 3, 4, 8]) == ["R8", "none"]


def test_assign_hand_to_hand_needs_no_weapon() -> None:
    fight = activation(gunner("WWBG8"), TARGET, range="hand")
    assert offered(fight, [5, 4, 6, 1]) == ["W5", "W4", "none"]


def test_assign_each_white_die_only_once() -> None:
    fight = activation(gunner("WWG8"), TARGET, range="hand")
    assert values(fight, [5, 4, 1], "W5", "none", "W4") == {"defense": 5, "move": 4, "spot": 0, "rockets": 0}
    assert values(fight, [5, 4, 1], "W5", "none", "G1", "W4") == {"defense": 5, "move": 1, "spot": 4, "rockets": 0}


def test_assign_at_most_one_die_each_and_perhaps_none() -> None:
    fight = activation(gunner("WWRdRd"), TARGET)
    rolled = [2, 1, 6, 6]
    assert offered(fight, rolled, "W2", "none") == ["W1", "none"]
    assert offered(fight, rolled, "W2", "none", "none") == ["W1", "none"]
    assert values(fight, rolled, "W2", "none", "none", "none") == {"defense": 2, "move": 0, "spot": 0, "rockets": 0}


def test_assign_the_sprint_die_to_the_move() -> None:
    fight = activation(gunner("WGG8"), TARGET, range="hand")
    assert values(fight, [1, 4, 8])["move"] == 8
    assert values(fight, [1, 6, 2])["move"] == 6


# rockets


def test_assign_a_rocket_that_shows_more_than_the_weapons() -> None:
    fight = activation(gunner("WRdRdR8r"), TARGET)
    assert offered(fight, [1, 4, 3, 8]) == ["rocket 8", "R4", "none"]
    assert offered(fight, [1, 4, 3, 4]) == ["R4", "none"]


@pytest.mark.parametrize(("spent", "with_rocket", "without"), [("when_assigned", 1, 2), ("when_rolled", 0, 0)])
def test_rockets_are_spent_when_assigned_or_when_rolled(spent: str, with_rocket: int, without: int) -> None:
    fight = activation(gunner("WG8R8rR8r"), TARGET, defense=6, rules={"rocket_spent": spent})
    assert values(fight, [1, 1, 5, 3], "rocket 5")["rockets"] == with_rocket
    assert values(fight, [1, 1, 5, 3], "none")["rockets"] == without


def test_rockets_are_not_rolled_at_another_range() -> None:
    fight = activation(gunner("WG8R8r"), TARGET, range="hand", rules={"rocket_spent": "when_rolled"})
    assert values(fight, [1, 1])["rockets"] == 1


def test_rockets_are_never_lost_to_damage() -> None:
    fight = activation(gunner("WG8R8r"), target("WG8R8rR8r"), defense=0)
    assert values(fight, [1, 1, 3], "rocket 3", [6, 1, 1])["rockets"] == 0
    assert sentences(played(fight, [1, 1, 3], "rocket 3", [6, 1, 1]))[-1] == (
        "target (Blue) loses its last white die and is destroyed"
    )


@pytest.mark.parametrize(
    ("allowed", "expected"), [(False, ["rocket 2", "none"]), (True, ["W6", "rocket 2", "W1", "none"])]
)
def test_white_dice_with_a_rocket_only(allowed: bool, expected: list[str]) -> None:
    fight = activation(gunner("WWBG8R8r"), TARGET, rules={"white_with_rocket_only": allowed})
    assert offered(fight, [6, 1, 5, 1, 2], "B5") == expected


# attack


def test_attack_is_resolved_by_the_chapter() -> None:
    fight = activation(gunner("WRdRd"), target("WBG8"), WALL, defense=2, cover="wall")
    rolled = played(fight, [1, 5, 3], "R5")
    assert dice(rolled) == ["3 d6"]
    assert sentences(played(fight, [1, 5, 3], "R5", [4, 5, 1]))[-2:] == [
        "wall takes 1 damage and loses 6 pieces: it is no cover any more",
        "target (Blue) loses its defense system",
    ]


def test_attack_may_be_forgone() -> None:
    fight = activation(gunner("WRdRd"), TARGET, defense="not yet", spot=4)
    assert values(fight, [1, 5, 3], "none") == {"defense": 1, "move": 0, "spot": 4, "rockets": 0}


def test_attack_of_terrain_has_no_spot() -> None:
    fight = activation(gunner("WYRdRd"), WALL, on="wall", defense=None)
    rolled = played(fight, [1, 6, 2, 1], "R2", [6, 1])
    assert rolled.result.to_dict()["terrain"] == {"wall": {"hits": 0}}
    assert rolled.result.to_dict()["activation"]["spot"] == 0


# a target that has not had its own turn


def test_a_target_that_has_not_had_its_turn_rolls_its_pool_and_its_owner_sets_its_defense() -> None:
    fight = activation(gunner("WRdRd"), target("WWBYRdRdRhRhR8r"), defense="not yet")
    rolled = played(fight, [1, 6, 2], "R6")
    assert dice(rolled) == ["2 white d6", "1 blue d6", "1 yellow d6", "2 red hand d6", "2 red direct d6"]
    answered = played(fight, [1, 6, 2], "R6", [5, 4, 3, 1, 1, 1, 1, 1])
    assert choice(answered).by == "Blue"
    assert [option.id for option in choice(answered).options] == ["W5", "W4", "B3"]
    assert dice(played(fight, [1, 6, 2], "R6", [5, 4, 3, 1, 1, 1, 1, 1], "W4")) == ["2 d6"]


def test_a_target_that_has_not_had_its_turn_sets_its_defense_before_the_spot_is_used() -> None:
    fight = activation(gunner("WRdRd"), target("WG8"), defense="not yet", spot=2)
    question = choice(played(fight, [1, 6, 2], "R6", [4, 1]))
    assert question.prompt == "Add the spot of 2 to the attack of 6?"
    assert dice(played(fight, [1, 6, 2], "R6", [4, 1], "yes")) == ["4 d6"]


# spot


@pytest.mark.parametrize(
    ("word", "reach", "cover", "spot"),
    [
        ("WWRdRdRaRa", "direct", None, 5),
        ("WWRdRdRaRa", "direct", "wall", 0),
        ("WWRdRdRaRa", "direct", "cover", 0),
        ("WWRdRdRaRa", "direct", "ruin", 5),
        ("WWRdRdRaRa", "hand", None, 5),
        ("WWYRdRdRaRa", "direct", "wall", 5),
        ("WWYRdRdRaRa", "artillery", None, 0),
        ("WWYYRaRa", "artillery", "wall", 5),
    ],
)
def test_spot_reach_grows_with_the_spotting_systems(word: str, reach: str, cover: str | None, spot: int) -> None:
    ruin = {"id": "ruin", "hits": 0}
    covered: Json = {"cover": cover} if cover else {}
    fight = battle(activation(gunner(word), TARGET, COVER, WALL, ruin, range=reach, defense=6, **covered))
    best_spot = max(result.to_dict()["activation"]["spot"] for _, result in odds(fight, "random", "random").outcomes)
    assert min(best_spot, 5) == spot


def test_spot_comes_last_when_the_cover_may_be_gone() -> None:
    fight = activation(gunner("WWRdRd"), TARGET, WALL, defense=2, cover="wall")
    answers = [[6, 5, 4, 1], "W5", "R4", "none", "W6"]
    assert values(fight, *answers, [4, 1])["spot"] == 6
    assert values(fight, *answers, [1, 1])["spot"] == 0


@pytest.mark.parametrize(("die", "used", "spot"), [(3, "no", 4), (5, "no", 5), (3, "yes", 3)])
def test_spot_replaces_an_old_one_only_if_it_is_higher(die: int, used: str, spot: int) -> None:
    fight = activation(gunner("WYRdRd"), TARGET, defense=6, spot=4)
    assert values(fight, [1, die, 1, 1], "R1", used)["spot"] == spot


def test_spot_goes_with_a_target_that_is_destroyed() -> None:
    fight = activation(gunner("WYRdRd"), target("WG8"), defense=0, spot=4)
    assert values(fight, [1, 6, 1, 1], "R1", "no", [6])["spot"] == 0


# the result, and advice


def test_a_plain_attack_carries_no_turn() -> None:
    fight = activation(gunner("WRdRd"), TARGET)
    del fight["activation"]
    fight["attack"] = {"on": "target", "range": "direct", "attack": 1, "defense": 6}
    assert sorted(played(fight).result.to_dict()) == ["abandoned", "frames", "terrain"]


def test_advice_keeps_the_high_white_die_for_the_attack_where_that_pays() -> None:
    fight = battle(activation(gunner("WWBG8RhRh"), TARGET, range="hand", defense=2))
    rolled = Rolled((6, 1, 4, 1, 3, 2))
    advice = advise(fight, [rolled])
    assert [(option.id, option.value) for option in advice.options] == [("B4", 2), ("W6", pytest.approx(0.5))]
    assert advise(fight, [rolled, Chosen("B4")]).options[0].id == "W6"


def test_advice_in_fractions_is_the_mean_over_what_the_target_may_roll() -> None:
    fight = battle(activation(gunner("WRdRd"), target("WG8"), defense="not yet"))
    advice = advise(fight, [Rolled((1, 3, 2))], fractions=True)
    kills = [1 - Fraction(2, 3) ** 2, Fraction(1, 3), *[Fraction(0)] * 4]
    assert [(option.id, option.value) for option in advice.options] == [("R3", sum(kills) / 6), ("none", 0)]


def test_what_is_told_of_a_turn() -> None:
    fight = activation(gunner("WWYG8R8r"), frame("target", systems=[]), defense=2, spot=3)
    rolled, damage = [6, 4, 5, 2, 7], [6, 1, 1, 1, 1, 1, 1, 1]
    assert sentences(played(fight, rolled, "W6", "rocket 7", "W4", "yes", damage)) == [
        "gunner (Red) sets its defense at 6",
        "gunner (Red) has 0 of 1 rockets left",
        "gunner (Red) may move 5",
        "gunner (Red) has a spot of 4 for target",
        "The spot of 3 on target (Blue) is used up",
        "target (Blue) loses a white die",
        "target (Blue) is spotted with 4",
    ]
