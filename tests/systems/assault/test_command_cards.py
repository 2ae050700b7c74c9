"""Command cards: attack 8.0 and defence 7.0."""

import pytest

from grognard.core.rules import Roll
from grognard.core.systems import Json

from .battles import HMG, MORTAR, RIFLES, TANK, asked, fate, fight, gathered, played, told


def holding(source: Json, *cards: tuple[str, str]) -> Json:
    """A battle in which sides hold these cards."""
    return {**source, "command_cards": [{"side": side, "card": card} for side, card in cards]}


def test_attack_8_0_the_attacker_is_asked_first_then_the_defender_card_by_card() -> None:
    source = holding(
        fight(), ("ge", "take cover"), ("us", "steady aim"), ("us", "rain of fire"), ("ge", "lucky escape")
    )
    assert asked(played(source)) == "Play steady aim (+1 blue attack die)?"
    assert asked(played(source, "no")) == "Play rain of fire (+1 X in the attack)?"
    assert asked(played(source, "no", "no")) == "Play take cover (+1 green defence die)?"
    escape = "Play lucky escape (1 symbol of the attack cancelled, the strongest)?"
    assert asked(played(source, "no", "no", "no")) == escape


def test_attack_8_0_one_card_at_most_each() -> None:
    source = holding(
        fight(), ("us", "steady aim"), ("us", "rain of fire"), ("ge", "take cover"), ("ge", "lucky escape")
    )
    play = played(source, "yes")
    assert asked(play) == "Play take cover (+1 green defence die)?"
    assert gathered(source, "yes", "yes") == ("RRYB", "YGG")


def test_attack_8_0_a_third_sides_cards_stay_where_they_are() -> None:
    other = {"id": "bersaglieri", "side": "it", "card": "IT Rifles 43"}
    source = holding(fight(RIFLES, HMG, other), ("it", "steady aim"))
    assert isinstance(played(source).question, Roll)


@pytest.mark.parametrize(
    ("card", "by_hand", "is_asked"),
    [
        ("steady aim", {"dice": "R"}, False),
        ("steady aim", {"defense": "R"}, True),
        ("smashed cover", {"defense": "R"}, False),
        ("smashed cover", {"dice": "R"}, True),
        ("rain of fire", {"dice": "R", "defense": "R"}, True),
        ("second magazine", {"dice": "R", "defense": "R"}, True),
    ],
)
def test_a_card_that_could_only_change_dice_gathered_by_hand_is_not_offered(
    card: str, by_hand: Json, is_asked: bool
) -> None:
    play = played(holding(fight(**by_hand), ("us", card)))
    assert (not isinstance(play.question, Roll)) is is_asked


def test_attack_8_0_a_die_more() -> None:
    source = holding(fight(), ("us", "steady aim"))
    assert gathered(source, "yes") == ("RRYB", "YG")
    assert told(played(source, "yes"), "attack 8.0") == ["+1 blue attack die (command card)"]


def test_defence_7_0_a_card_of_the_attacker_on_the_defence_waits_for_it() -> None:
    source = holding(fight(), ("us", "smashed cover"))
    play = played(source, "yes")
    assert told(play, "attack 8.0") == []
    assert told(play, "defence 7.0") == ["−1 weakest defence die: green"]
    assert pools(play) == ("RRY", "Y")
    assert gathered(holding(fight(on=TANK, area="rear"), ("us", "smashed cover")), "yes")[1] == "B"  # no green die


def test_defence_7_0_the_defender_may_take_an_attack_die() -> None:
    source = holding(fight({**RIFLES, "experience": "elite"}), ("ge", "dust and glare"))
    assert gathered(source, "yes")[0] == "RRY"
    assert told(played(source, "yes"), "defence 7.0") == ["−1 weakest attack die: blue"]


def test_attack_8_0_a_suppression_more_and_defence_7_0_one_less() -> None:
    more = holding(fight(dice="B", defense="B"), ("us", "rain of fire"))
    assert fate(more, "yes", ["", ""]) == (0, "suppressed", False)
    less = holding(fight(dice="B", defense="B"), ("ge", "hold your nerve"))
    assert fate(less, "yes", ["X", ""]) == (0, "none", False)
    assert fate(less, "no", ["X", ""]) == (0, "suppressed", False)
    assert fate(less, "yes", ["D", ""]) == (1, "none", False)
    assert told(played(less, "yes"), "defence 7.0") == ["−1 X for the attack, if there is any"]


def test_defence_7_0_a_symbol_is_cancelled_the_strongest() -> None:
    source = holding(fight(dice="GB", defense="", on={**HMG, "strength": 9}), ("ge", "lucky escape"))
    assert fate(source, "yes", ["CD", "X"]) == (1, "suppressed", False)
    assert fate(source, "yes", ["", ""]) == (0, "none", False)
    assert told(played(source, "yes"), "defence 7.0") == ["the strongest symbol of the attack will be cancelled"]


def test_attack_9_0_blank_attack_dice_are_rolled_once_more() -> None:
    source = holding(fight(dice="RRY", defense="B", on={**HMG, "strength": 9}), ("us", "second magazine"))
    play = played(source, "yes", ["", "DD", "X"])
    assert isinstance(play.question, Roll)
    assert [(pool.count, pool.die.name) for pool in play.question.reading.dice] == [(1, "red"), (1, "blue")]
    assert fate(source, "yes", ["", "DD", "X"], ["DD", "X"]) == (4, "none", False)
    assert fate(source, "yes", ["DD", "DD", "X"], [""]) == (4, "suppressed", False)


def test_defence_8_0_blank_defence_dice_are_rolled_once_more() -> None:
    source = holding(fight(dice="R", defense="GB"), ("ge", "keep your head down"))
    assert fate(source, "yes", ["DD"], ["D", ""], ["D"]) == (0, "none", False)
    assert fate(source, "yes", ["DD"], ["", ""], ["D", ""]) == (1, "none", False)
    assert fate(source, "yes", ["DX"], ["CD", ""]) == (0, "none", False)  # nothing is left to roll for


def test_attack_9_0_a_card_lets_blanks_of_indirect_fire_on_a_vehicle_be_rolled_once_more() -> None:
    source = holding(fight(MORTAR, TANK, range=3, fire="indirect"), ("us", "second magazine"))
    play = played(source, "yes", ["D", "D", ""], ["", "X"], ["CD"])
    assert told(play, "attack 10.0") == ["tank is struck: above"]
    assert fate(
        source,
        "yes",
        ["D", "D", ""],
        ["", "X"],
        ["CD"],
        ["CD", ""],
    ) == (0, "suppressed", False)


def test_a_card_may_be_written_out() -> None:
    written = {"side": "us", "name": "all in", "effect": {"pool": "attack", "gains": "R", "loses": "Y", "x": 1}}
    source = {**fight(), "command_cards": [written]}
    assert asked(played(source)) == "Play all in (+1 red attack die; −1 yellow attack die; +1 X in the attack)?"
    assert gathered(source, "yes")[0] == "RRR"
    nameless = {"side": "us", "effect": {"pool": "defense", "rerolls": ["blank", "C"]}}
    prompt = "Play a command card (defence dice that show blank or C are rolled once more)?"
    assert asked(played({**fight(), "command_cards": [nameless]})) == prompt


def test_defence_8_0_what_bears_on_all_defending_symbols_waits_for_those_rolled_once_more() -> None:
    cancel = {"side": "us", "name": "grenades", "effect": {"pool": "defense", "cancels": 1}}
    reroll = {"side": "ge", "card": "keep your head down"}
    source = {**fight(dice="R", defense="GB", on={**HMG, "strength": 9}), "command_cards": [cancel, reroll]}
    assert fate(source, "yes", "yes", ["X", ""], ["DD", "D"]) == (2, "none", False)
    assert fate(source, "yes", "yes", ["D", ""], ["DD", "D"]) == (1, "none", False)


def test_defence_8_0_suppressions_added_to_the_defence_parry_too() -> None:
    effect = {"pool": "defense", "x": 1, "rerolls": ["blank"]}
    source = {**fight(dice="R", defense="GB"), "command_cards": [{"side": "ge", "effect": effect}]}
    assert fate(source, "yes", ["DX"], ["D", ""]) == (0, "none", False)
    assert fate(source, "yes", ["DX"], ["", ""], ["X", ""]) == (1, "none", False)
