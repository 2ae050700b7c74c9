"""What the exported texts say, on a battle small enough to work out by hand: Red attacks, Green may come to help."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from tests.adapters.battles import RANDOM, battles_with_decisions
from tests.adapters.storm import from_drn, from_prism

from grognard import __version__
from grognard.adapters.export import FORMATS, OPEN, Kind, export, format_model, model_of
from grognard.core.errors import BattleError, TooLarge
from grognard.core.systems import Battle, Json
from grognard.files import battle
from grognard.files.examples import examples
from grognard.systems import names

RED = {"player": "Red", "side": "attack", "units": 1}
GREEN = {"player": "Green", "side": "attack", "units": 1, "optional": True}
HEADER = f"""\
// grognard {__version__}, RiskyStars: Red, Green against Blue
// attacker: open, defender: open
// objective: swing (units the defending side loses, less those the attacking side loses)
// R{{"swing"}}max=? [ F "over" ] - 2 is the value of the battle to the attacker: -1/6 = -0.166667
// rewards are raised by 2: none may be below 0, nor all be 0
"""
PRISM = """
mdp

module battle
  s : [0..8] init 0;
  // roll Red 1 d6, then Blue 1 d6 (1.1.00)
  [] s=0 -> 5/12:(s'=1) + 7/12:(s'=3);
  // Green decides: Send 1 unit to help Red? (1.1.01)
  [attacker_yes] s=1 -> (s'=2);  // yes
  [attacker_no] s=1 -> (s'=2);  // no
  [] s=2 -> (s'=8);
  // Green decides: Send 1 unit to help Red? (1.1.01)
  [attacker_yes] s=3 -> (s'=4);  // yes
  [attacker_no] s=3 -> (s'=7);  // no
  // roll Green 1 d6, then Blue 1 d6 (1.1.00)
  [] s=4 -> 5/12:(s'=5) + 7/12:(s'=6);
  [] s=5 -> (s'=8);
  [] s=6 -> (s'=8);
  [] s=7 -> (s'=8);
  [] s=8 -> true;
endmodule

label "over" = s=8;
label "outcome_1" = s=2;  // {"armies": {"Blue": 0, "Red": 1, "Green": 1}, "possession": "Red", "returns": []}
label "outcome_2" = s=5;  // {"armies": {"Blue": 0, "Red": 0, "Green": 1}, "possession": "Green", "returns": []}
label "outcome_3" = s=6;  // {"armies": {"Blue": 1, "Red": 0, "Green": 0}, "possession": "Blue", "returns": []}
label "outcome_4" = s=7;  // {"armies": {"Blue": 1, "Red": 0, "Green": 1}, "possession": "Blue", "returns": []}

rewards "swing"
  s=2 : 3;
  s=5 : 2;
  s=6 : 0;
  s=7 : 1;
endrewards
"""
HOSTILE = 'no "friend" \\ of\nyours /* //'
LINE = re.compile(
    r"""digraph\ battle\ {|}
    |\ \ \w+=QUOTED;
    |\ \ (?:node|edge)\ \[fontname=QUOTED,\ fontsize=\d+\];
    |\ \ \d+(?:\ ->\ \d+)?\ \[\w+=(?:QUOTED|\w+)(?:,\ \w+=(?:QUOTED|[\w.]+))*\];""".replace(
        "QUOTED", r'"(?:[^"\\\n]|\\.)*"'
    ),
    re.VERBOSE,
)


def invitation(*friends: Json) -> Battle:
    blue: Json = {"player": "Blue", "units": 1}
    return battle({"system": "ranks", "defender": blue, "arrivals": [RED, GREEN, *friends], "rules": {"die": 6}})


def hostile() -> Battle:
    """Every name is one that no identifier and no comment should hold; two options have the same letters."""
    guns = {"die": 6, "strength": 1, "range": 3, "ammo": 1, "supply": 3}
    units = [
        {"id": HOSTILE, "side": "r\ned", "at": [1, 1], **guns},
        {"id": "möb!", "side": "r\ned", "at": [2, 2], "indirect": True, **guns},
        {"id": "m b?", "side": "r\ned", "at": [3, 2], "indirect": True, **guns},
        {"id": 'on"', "side": "blue", "at": [1, 3], **guns},
    ]
    return battle({"system": "supply", "units": units, "attack": {"by": HOSTILE, "on": 'on"'}})


def test_a_prism_program_has_every_position_option_chance_outcome_and_reward() -> None:
    assert HEADER + PRISM == export(invitation(), "prism")


def test_an_explicit_model_has_the_side_that_decides_as_a_label() -> None:
    text = export(invitation(), "drn")
    assert text.startswith(f"{HEADER}@type: MDP\n@value_type: rational\n@parameters\n\n@reward_models\nswing\n")
    assert "@nr_states\n9\n@nr_choices\n11\n" in text
    decision = "state 3 [0] attacker\n// Green decides: Send 1 unit to help Red? (1.1.01)\n"
    assert f"{decision}\taction attacker_yes [0]\n\t\t4 : 1\n\taction attacker_no [0]\n\t\t7 : 1\n" in text


def test_a_picture_has_the_paragraph_the_odds_the_value_and_the_option_that_is_best() -> None:
    lines = export(invitation(), "dot").splitlines()
    assert '  0 [label="roll Red 1 d6, then Blue 1 d6\\n(1.1.00)\\n−0.1667", shape=ellipse];' in lines
    assert '  0 -> 1 [label="41.67 %"];' in lines
    assert '  3 -> 4 [label="yes"];' in lines
    assert '  3 -> 7 [label="no", penwidth=2.5, color="#7f8f3a"];' in lines
    assert any(line.startswith('  7 [label="Blue 1 · Red 0 · Green 1 ·\\npossession Blue\\n−1.0000"') for line in lines)


@pytest.mark.parametrize(
    ("attacker", "defender", "kind"),
    [
        (OPEN, OPEN, Kind.GAME),
        (OPEN, "best", Kind.ONE_SIDE),
        ("eager", OPEN, Kind.ONE_SIDE),
        ("random", "cautious", Kind.CHAIN),
    ],
)
def test_a_policy_takes_a_sides_decisions_out_of_the_graph(attacker: str, defender: str, kind: Kind) -> None:
    friend = {"player": "Cyan", "side": "defend", "units": 1, "optional": True}
    model = model_of(invitation(friend), attacker, defender)
    assert kind is model.kind
    assert format_model(model, "prism").splitlines()[6] == kind
    assert ({role for role, policy in model.policies.items() if policy == OPEN}) == model.deciding


def test_positions_that_a_policy_never_reaches_are_left_out() -> None:
    everything, eager = model_of(invitation()), model_of(invitation(), "eager")
    assert (len(everything.states), len(eager.states)) == (8, 7)
    assert {state.actions[0].id for state in eager.states if state.role} == {"yes"}


def test_a_random_policy_takes_each_option_as_often() -> None:
    states = model_of(invitation(), "random").states
    chances = [[branch.probability for branch in state.actions[0].branches] for state in states if state.role]
    assert [[Fraction(1)], [Fraction(1, 2), Fraction(1, 2)]] == chances


@pytest.mark.parametrize("system", RANDOM)
def test_every_state_comes_after_those_that_lead_to_it_and_its_chances_sum_to_1(system: str) -> None:
    for _, fight in battles_with_decisions(system)[:10]:
        model = model_of(fight)
        for number, state in enumerate(model.states):
            assert all(branch.to > number for action in state.actions for branch in action.branches)
            assert all(sum(branch.probability for branch in action.branches) == 1 for action in state.actions)
            assert (state.result is None) == bool(state.actions)


@pytest.mark.parametrize("form", ["prism", "drn"])
def test_names_are_anybodys_words_but_the_text_is_still_read(form: str, tmp_path: Path) -> None:
    model = model_of(hostile(), defender="eager")
    text = format_model(model, form)
    read = {"prism": from_prism, "drn": from_drn}[form](text, tmp_path)
    assert len(model.states) + 1 == read.nr_states
    assert {"attacker_direct", "attacker_call_in_m_b", "attacker_call_in_m_b__2"} <= set(
        re.findall(r"attacker_\w+", text)
    )


@pytest.mark.parametrize("fight", [hostile(), *(battle(one.source) for name in names() for one in examples(name)[:1])])
def test_every_line_of_a_picture_is_one_that_graphviz_reads(fight: Battle) -> None:
    wrong = [line for line in export(fight, "dot").splitlines() if not LINE.fullmatch(line)]
    assert [] == wrong


def test_what_is_not_known_is_refused_with_what_is() -> None:
    with pytest.raises(BattleError, match="prism, drn, dot"):
        export(invitation(), "xml")
    with pytest.raises(BattleError, match="open, best, eager, cautious, random, greedy"):
        export(invitation(), attacker="bold")
    with pytest.raises(BattleError, match="swing, kill, ground"):
        export(invitation(), objective="glory")


def test_a_battle_with_too_many_positions_is_refused_with_its_size() -> None:
    with pytest.raises(TooLarge) as refused:
        model_of(invitation(), bound=5)
    assert (5, 5) == (refused.value.size, refused.value.bound)


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_battle_is_the_same_text(form: str) -> None:
    assert export(invitation(), form) == export(invitation(), form)
