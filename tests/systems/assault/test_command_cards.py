"""Command cards and special abilities: when they act (attack 8.0 and 10.0, defence 7.0 and 8.0), and what they do."""

from typing import Any

import pytest

from grognard.api import odds
from grognard.core.rules import Choose, Roll
from grognard.core.systems import Json
from grognard.files import battle
from grognard.plays.play import Play, start

from .battles import HMG, MORTAR, RIFLES, TANK, asked, fate, fight, gathered, letters, played, sentences

TOUGH: Json = {**HMG, "strength": 9}


def holding(source: Json, *cards: tuple[str, str]) -> Json:
    """A battle in which sides hold these cards."""
    return {**source, "command_cards": [{"side": side, "card": card} for side, card in cards]}


def written(source: Json, side: str, **effect: Any) -> Json:
    """A battle in which a side holds a card with this effect."""
    return {**source, "command_cards": [{"side": side, "name": "ours", "effect": effect}]}


def able(unit: Json, when: str, **effect: Any) -> Json:
    """A unit with a special ability."""
    return {**unit, "abilities": [{"name": "skill", "when": when, "effect": effect}]}


def is_asked(play: Play) -> bool:
    return isinstance(play.question, Choose)


def rolled_now(play: Play) -> tuple[str, str]:
    """What the roll that is due is for, and its dice."""
    assert isinstance(play.question, Roll), play.question
    return play.question.purpose, letters(play.question)


def test_attack_8_0_the_attacker_is_asked_first_then_the_defender_card_by_card() -> None:
    source = holding(
        fight({**RIFLES, "experience": "elite"}),
        ("ge", "dust and glare"),
        ("us", "steady aim"),
        ("us", "rain of fire"),
        ("ge", "hold your nerve"),
    )
    assert asked(played(source)) == "Play steady aim (+1 blue attack die)?"
    assert asked(played(source, "no")) == "Play rain of fire (+1 X in the attack)?"
    assert asked(played(source, "no", "no")) == "Play dust and glare (−1 blue attack die)?"
    assert asked(played(source, "no", "no", "no")) == "Play hold your nerve (−1 X in the attack)?"
    assert rolled_now(played(source, "no", "no", "no", "no")) == ("Attack roll", "RRYB")


def test_attack_8_0_one_card_at_most_each() -> None:
    source = holding(
        fight(), ("us", "steady aim"), ("us", "second magazine"), ("ge", "take cover"), ("ge", "lucky escape")
    )
    play = played(source, "yes", ["DD", "", "X", ""])
    assert asked(play) == "Play take cover (+1 green defence die)?"
    assert gathered(source, "yes", "yes") == ("RRYB", "YGG")
    assert rolled_now(play.choose("yes")) == ("Defence roll", "YGG")
    assert not is_asked(play.choose("yes").roll(["X", "", ""]))


def test_attack_8_0_a_third_sides_cards_stay_where_they_are() -> None:
    other = {"id": "bersaglieri", "side": "it", "card": "IT Rifles 43"}
    source = holding(fight(RIFLES, HMG, other), ("it", "steady aim"))
    assert isinstance(played(source).question, Roll)


@pytest.mark.parametrize(
    ("card", "moment"),
    [
        ("steady aim", "attack 8.0"),
        ("rain of fire", "attack 8.0"),
        ("dust and glare", "attack 8.0"),
        ("hold your nerve", "attack 8.0"),
        ("second magazine", "attack 10.0"),
        ("smashed cover", "defence 7.0"),
        ("take cover", "defence 7.0"),
        ("lucky escape", "defence 8.0"),
        ("keep your head down", "defence 8.0"),
    ],
)
@pytest.mark.parametrize("side", ["us", "ge"])
def test_a_card_is_asked_for_at_the_moment_its_effect_requires(card: str, moment: str, side: str) -> None:
    play = played(holding(fight({**RIFLES, "experience": "elite"}), (side, card)))
    faces = iter([["DD", "", "X", ""], ["D", ""]])  # blanks on both sides, and something is left
    while not is_asked(play):
        play = play.roll(next(faces))
    assert isinstance(play.question, Choose)
    assert (play.question.by, play.state["step"]) == (side, moment)


@pytest.mark.parametrize(
    ("card", "by_hand", "asks"),
    [
        ("steady aim", {"dice": "R"}, False),
        ("steady aim", {"defense": "R"}, True),
        ("rain of fire", {"dice": "R", "defense": "R"}, True),
    ],
)
def test_a_card_that_could_only_change_dice_gathered_by_hand_is_not_offered(
    card: str, by_hand: Json, asks: bool
) -> None:
    assert is_asked(played(holding(fight(**by_hand), ("us", card)))) is asks


@pytest.mark.parametrize(
    ("card", "by_hand", "asks"),
    [("smashed cover", {"defense": "RG"}, False), ("smashed cover", {"dice": "R"}, True)],
)
def test_a_card_on_defence_dice_gathered_by_hand_is_not_offered(card: str, by_hand: Json, asks: bool) -> None:
    source = holding(fight(**{"dice": "R", **by_hand}), ("us", card))
    assert is_asked(played(source, ["DD"])) is asks


def test_a_card_that_takes_a_die_is_offered_only_if_there_is_one() -> None:
    assert not is_asked(played(holding(fight(), ("ge", "dust and glare"))))
    assert is_asked(played(holding(fight({**RIFLES, "experience": "elite"}), ("ge", "dust and glare"))))
    on = {**HMG, "defense": "Y"}
    assert not is_asked(played(holding(fight(on=on, dice="R", terrain="deep water"), ("us", "smashed cover")), ["DD"]))


def test_a_card_that_adds_a_die_which_is_lost_again_is_not_offered() -> None:
    weak = {**RIFLES, "attack_die_minus": 4}
    source = holding(fight(weak, {**HMG, "experience": "recruit"}), ("us", "steady aim"))
    assert is_asked(played(source))
    assert not is_asked(played({**source, "rules": {"weakest_die_lost": "last"}}))


def test_a_card_that_adds_the_die_it_takes_is_not_offered() -> None:
    assert not is_asked(played(written(fight(), "us", pool="attack", gains="B", loses="B")))


def test_a_reroll_is_offered_only_if_a_die_shows_such_a_face() -> None:
    source = holding(fight(dice="RR", defense="GG"), ("us", "second magazine"), ("ge", "keep your head down"))
    assert asked(played(source, ["DD", ""])).startswith("Play second magazine")
    assert rolled_now(played(source, ["DD", "DX"])) == ("Defence roll", "GG")
    assert asked(played(source, ["DD", "DX"], ["", "D"])).startswith("Play keep your head down")
    assert played(source, ["DD", "DX"], ["X", "D"]).question is None


def test_a_symbol_is_cancelled_only_if_one_is_left_after_comparison() -> None:
    source = holding(fight(dice="R", defense="GG"), ("ge", "lucky escape"))
    assert asked(played(source, ["DX"], ["D", ""])).startswith("Play lucky escape")
    assert played(source, ["DX"], ["D", "X"]).question is None


def test_attack_8_0_a_die_more() -> None:
    source = holding(fight(), ("us", "steady aim"))
    assert gathered(source, "yes") == ("RRYB", "YG")
    assert sentences(played(source, "yes"), "attack 8.0") == ["+1 blue attack die (command card)"]


def test_defence_7_0_the_attacker_may_take_a_defence_die_with_the_attack_roll_in_view() -> None:
    source = holding(fight(), ("us", "smashed cover"))
    play = played(source, ["DD", "DD", "D"], "yes")
    assert sentences(play, "defence 7.0") == ["−1 weakest defence die: green"]
    assert rolled_now(play) == ("Defence roll", "Y")


def test_attack_8_0_the_defender_may_take_an_attack_die() -> None:
    source = holding(fight({**RIFLES, "experience": "elite"}), ("ge", "dust and glare"))
    assert gathered(source, "yes")[0] == "RRY"
    assert sentences(played(source, "yes"), "attack 8.0") == ["−1 weakest attack die: blue"]


def test_attack_8_0_a_suppression_more_or_one_less() -> None:
    more = holding(fight(dice="B", defense="B"), ("us", "rain of fire"))
    assert fate(more, "yes", ["", ""]) == (0, "suppressed", False)
    less = holding(fight(dice="B", defense="B"), ("ge", "hold your nerve"))
    assert fate(less, "yes", ["X"]) == (0, "none", False)
    assert fate(less, "no", ["X", ""]) == (0, "suppressed", False)
    assert fate(less, "yes", ["D", ""]) == (1, "none", False)
    assert sentences(played(less, "yes"), "attack 8.0") == ["−1 X for the attack (command card)"]


def test_defence_8_0_a_symbol_is_cancelled_the_strongest_left() -> None:
    source = holding(fight(dice="GB", defense="", on=TOUGH), ("ge", "lucky escape"))
    assert fate(source, ["CD", "X"], "yes") == (1, "suppressed", False)
    assert fate(source, ["", "X"], "yes") == (0, "none", False)
    against = holding(fight(dice="GB", defense="B", on=TOUGH), ("ge", "lucky escape"))
    assert fate(against, ["CD", "X"], ["D"], "yes") == (0, "suppressed", False)


def test_attack_10_0_blank_attack_dice_are_rolled_once_more() -> None:
    source = holding(fight(dice="RRY", defense="B", on=TOUGH), ("us", "second magazine"))
    play = played(source, ["", "DD", "X"], "yes")
    assert rolled_now(play) == ("Re-roll of attack dice", "R")
    assert rolled_now(play.roll(["DD"])) == ("Defence roll", "B")
    assert fate(source, ["", "DD", "X"], "yes", ["DD"], ["X"]) == (4, "none", False)
    assert fate(source, ["", "DD", "X"], "no", ["X"]) == (2, "none", False)
    assert fate(source, ["DD", "DD", "X"], [""]) == (4, "suppressed", False)


def test_attack_10_0_at_half_strength_dice_rolled_again_count_their_stronger_symbol_too() -> None:
    source = holding(fight({**RIFLES, "damage": 2}, TOUGH, dice="RR", defense=""), ("us", "second magazine"))
    assert fate(source, ["", "DD"], "yes", ["DD"]) == (2, "none", False)


def test_defence_8_0_blank_defence_dice_are_rolled_once_more() -> None:
    source = holding(fight(dice="R", defense="GB"), ("ge", "keep your head down"))
    play = played(source, ["DD"], ["D", ""], "yes")
    assert rolled_now(play) == ("Re-roll of defence dice", "B")
    assert fate(source, ["DD"], ["D", ""], "yes", ["D"]) == (0, "none", False)
    assert fate(source, ["DD"], ["", ""], "yes", ["D", ""]) == (1, "none", False)


def test_attack_8_0_cards_are_asked_between_the_two_rolls_of_indirect_fire_on_a_vehicle() -> None:
    source = holding(fight(MORTAR, TANK, range=3, fire="indirect"), ("us", "steady aim"), ("ge", "dust and glare"))
    first = played(source)
    assert rolled_now(first) == ("First roll of indirect fire", "GGG")
    sorted_ = played(source, ["D", "CD", ""])
    assert asked(sorted_) == "Play steady aim (+1 blue attack die)?"
    assert asked(sorted_.choose("yes")) == "Play dust and glare (−1 blue attack die)?"
    assert rolled_now(sorted_.choose("yes").choose("no")) == ("Attack roll", "GGB")
    assert rolled_now(sorted_.choose("no")) == ("Attack roll", "GG")


def test_attack_10_0_above_or_flank_is_read_after_the_rerolls() -> None:
    source = holding(fight(MORTAR, TANK, range=3, fire="indirect"), ("us", "second magazine"))
    play = played(source, ["D", "D", ""], ["", "X"], "yes", ["CD"])
    assert sentences(play, "attack 10.0")[-1] == "tank, area struck: above"
    assert rolled_now(play) == ("Defence roll", "GB")
    assert fate(source, ["D", "D", ""], ["", "X"], "yes", ["CD"], ["CD", ""]) == (0, "suppressed", False)


def test_a_card_may_be_written_out() -> None:
    source = written(fight(), "us", pool="attack", gains="R", loses="Y", x=1)
    assert asked(played(source)) == "Play ours (+1 red attack die; −1 yellow attack die; +1 X in the attack)?"
    assert gathered(source, "yes")[0] == "RRR"
    nameless = {"side": "us", "effect": {"pool": "defense", "rerolls": ["blank", "C"]}}
    prompt = "Play a command card (defence dice that show blank or C are rolled once more)?"
    play = played({**fight(), "command_cards": [nameless]}, ["DD", "DD", "D"], ["D", ""])
    assert asked(play) == prompt


def test_a_card_with_several_effects_is_played_at_the_earliest_and_later_ones_wait() -> None:
    source = written(fight(dice=None, defense="B"), "us", pool="attack", gains="B", rerolls=["blank"], cancels=1)
    play = played(source, "yes", ["DD", "DD", "X", ""])
    assert rolled_now(play) == ("Re-roll of attack dice", "B")
    assert fate(source, "yes", ["DD", "", "X", ""], ["", ""], [""]) == (1, "suppressed", False)
    # dice gathered by hand: the first of its effects can do nothing, so the card is not asked for at all
    by_hand = written(fight(dice="RR", defense="B"), "us", pool="attack", gains="B", rerolls=["blank"])
    assert rolled_now(played(by_hand, ["DD", ""])) == ("Defence roll", "B")


def test_abilities_act_unasked_the_attackers_first_before_cards() -> None:
    by = able(RIFLES, "attacking", pool="attack", gains="B")
    on = able(HMG, "defending", pool="attack", loses="B")
    source = holding(fight(by, on), ("ge", "dust and glare"))
    play = played(source)
    assert rolled_now(play) == ("Attack roll", "RRY")
    expected = ["+1 blue attack die (special ability)", "−1 weakest attack die: blue"]
    assert sentences(play, "attack 8.0") == expected


def test_abilities_roll_dice_again_and_cancel_symbols_unasked() -> None:
    by = able(RIFLES, "attacking", pool="attack", rerolls=["blank"])
    play = played(fight(by, TOUGH, dice="RR", defense="G"), ["", "DD"])
    assert rolled_now(play) == ("Re-roll of attack dice", "R")
    on = able(TOUGH, "defending", pool="attack", cancels=1)
    assert fate(fight(on=on, dice="R", defense="G"), ["DD"], [""]) == (1, "none", False)
    nerves = able(TOUGH, "defending", pool="defense", rerolls=["X"])
    assert rolled_now(played(fight(on=nerves, dice="R", defense="GB"), ["DD"], ["X", "D"]))[1] == "G"


def test_two_effects_may_roll_the_same_die_again_one_after_the_other() -> None:
    by = able(RIFLES, "attacking", pool="attack", rerolls=["blank"])
    source = holding(fight(by, TOUGH, dice="RR", defense="G"), ("us", "second magazine"))
    play = played(source, ["", "DD"], [""])
    assert asked(play).startswith("Play second magazine")
    assert rolled_now(play.choose("yes")) == ("Re-roll of attack dice", "R")


def test_defence_8_0_a_cancelled_symbol_stays_cancelled_when_dice_are_rolled_again() -> None:
    on = able(TOUGH, "defending", pool="attack", cancels=1)
    source = holding(fight(on=on, dice="RR", defense="GB"), ("ge", "keep your head down"))
    assert fate(source, ["CD", "DX"], ["D", ""], "yes", ["D"]) == (0, "suppressed", False)


def test_take_cover_or_lucky_escape() -> None:
    source = holding(fight(on={**HMG, "damage": 2}, range=3), ("ge", "take cover"), ("ge", "lucky escape"))
    assert odds(battle(source), objective="kill").value == pytest.approx(0.667481, abs=5e-7)


def test_a_huge_x_or_cancel_costs_no_more_than_a_small_one() -> None:
    on = able(TOUGH, "defending", pool="attack", cancels=10**6)
    assert odds(battle(fight(on=on)), fractions=True).value == 0
    by = able(RIFLES, "attacking", pool="attack", x=10**6)
    actual = odds(battle(fight(by, dice="", defense="R")), fractions=True)
    assert [result.to_dict()["units"]["hmg"]["status"] for _, result in actual.outcomes] == ["suppressed"]


def test_defence_8_0_what_a_die_cancels_now_is_not_cancelled_by_an_ability() -> None:
    luck = {"name": "luck", "when": "defending", "effect": {"pool": "attack", "cancels": 1}}
    source = {
        "system": "assault",
        "units": [
            {"id": "a", "side": "us", "kind": "infantry", "strength": 4, "v_infantry": {"1-3": "YG"}},
            {"id": "t", "side": "ge", "kind": "infantry", "strength": 9, "abilities": [luck]},
        ],
        "attack": {"by": "a", "on": "t", "range": 2, "spotted": True, "dice": "RG", "defense": "R"},
        "command_cards": [{"side": "us", "name": "again", "effect": {"pool": "defense", "rerolls": ["C"]}}],
    }
    play = start(battle(source)).roll(["CD", "D"]).roll(["CD"]).choose("yes").roll([""])
    assert play.state["units"]["t"]["damage"] == 2
    assert play.question is not None  # the Critical is back: the ability cancelled a Damage
