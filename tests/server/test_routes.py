"""The API answers what the engines answer, and refuses what they refuse."""

import json
import math
from typing import Any

import httpx
import pytest

from grognard import systems
from grognard.api import advise, attacks, luck, odds, play
from grognard.core.errors import BattleError
from grognard.core.systems import Json
from grognard.files import battle
from grognard.files.examples import Example, examples
from grognard.plays.play import Play
from grognard.report import page
from grognard.server.errors import MOST_FAULTS, UNREADABLE
from grognard.solver.assumptions import Assumptions, Policy
from grognard.solver.simulate import simulate
from tests.server.running import duel

ALL = [pytest.param(example, id=f"{name}/{example.name}") for name in systems.names() for example in examples(name)]


def as_json(data: Any) -> Any:
    """What arrives of it at the other end."""
    return json.loads(json.dumps(data))


def same(one: Any, other: Any) -> bool:
    """Whether two answers differ at most in the last bits of their floats, which depend on what was asked before."""
    if isinstance(one, dict):
        return isinstance(other, dict) and list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(same, one, other))
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-13) if isinstance(one, float) else bool(one == other)


@pytest.mark.parametrize("example", ALL)
def test_odds_are_those_of_the_engine(client: httpx.Client, example: Example) -> None:
    answer = client.post("/api/odds", json=example.source)
    assert answer.status_code == 200
    assert same(answer.json(), as_json(odds(battle(example.source)).to_dict()))


@pytest.mark.parametrize("example", ALL)
def test_advice_is_that_of_the_engine(client: httpx.Client, example: Example) -> None:
    answer = client.post("/api/advise", json=example.source)
    assert answer.status_code == 200
    assert same(answer.json(), as_json(advise(battle(example.source)).to_dict()))


@pytest.mark.parametrize("example", ALL)
def test_sampled_odds_are_those_of_the_engine(client: httpx.Client, example: Example) -> None:
    answer = client.post("/api/simulate", json=example.source, params={"n": 500, "seed": 7})
    assert answer.status_code == 200
    assert answer.json() == as_json(simulate(battle(example.source), 500, 7).to_dict())


@pytest.mark.parametrize("example", ALL)
def test_a_play_of_the_machine_is_that_of_the_engine(client: httpx.Client, example: Example) -> None:
    sent = {"battle": example.source, "attacker": "eager", "defender": "random", "seed": 7}
    answer = client.post("/api/play", json=sent).json()
    played = play(battle(example.source), seed=7, attacker="eager", defender="random")
    assert {key: answer[key] for key in ("result", "events")} == as_json(played.to_dict())
    assert answer["question"] is None
    after = client.post("/api/after", json=sent).json()
    assert after == as_json(played.battle.system.after(played.battle.setup, example.source, played.pending.state))  # type: ignore[union-attr]


@pytest.mark.parametrize("example", ALL)
def test_a_legal_battle_is_legal_and_survives_being_written_and_read(client: httpx.Client, example: Example) -> None:
    checked = client.post("/api/check", json=example.source).json()
    assert (checked["legal"], checked["system"]) == (True, example.source["system"])
    text = client.post("/api/toml", json={"battle": example.source}).json()["text"]
    assert client.post("/api/read", json={"text": text}).json() == example.source
    assert client.post("/api/read", json={"text": json.dumps(example.source)}).json() == example.source


@pytest.mark.parametrize("example", ALL)
def test_the_turn_ends_also_between_two_attacks(client: httpx.Client, example: Example) -> None:
    system = battle(example.source).system
    assert client.post("/api/end-turn", json={"battle": example.source}).json() == system.end_turn(example.source)
    after = client.post(
        "/api/after", json={"battle": example.source, "attacker": "eager", "defender": "eager", "seed": 1}
    )
    assert client.post("/api/end-turn", json={"battle": after.json()}).json() == system.end_turn(after.json())


def test_options_may_stand_in_the_query_or_in_the_envelope_which_comes_first(client: httpx.Client) -> None:
    options: dict[str, str | bool] = {
        "attacker": "eager",
        "defender": "cautious",
        "objective": "kill",
        "fractions": True,
    }
    found = as_json(odds(battle(duel(2, 3)), "eager", "cautious", "kill", True).to_dict())
    assert found == client.post("/api/odds", json=duel(2, 3), params=options).json()
    assert found == client.post("/api/odds", json={"battle": duel(2, 3), **options}).json()
    mixed = client.post("/api/odds", json={"battle": duel(2, 3), **options}, params={"objective": "ground"})
    assert found == mixed.json()


def test_fractions_are_exact(client: httpx.Client) -> None:
    answer = client.post("/api/odds", json=duel(), params={"objective": "kill", "fractions": True}).json()
    assert answer["value"] == "9/20"  # of a hundred pairs of d10 the attacker wins 45


def test_summaries_have_the_values_of_a_measure_with_mean_and_deviation(client: httpx.Client) -> None:
    question = {"summaries": True, "fractions": True}
    answer = client.post("/api/odds", json=duel(), params=question).json()
    found = odds(battle(duel()), fractions=True)
    names = [measure.name for measure in found.battle.system.measures(found.battle.setup)]
    assert [measure["name"] for measure in answer["summaries"]] == names
    lost = next(measure for measure in answer["summaries"] if measure["role"] == "defender")
    assert (lost["values"], lost["mean"]) == ([[0, "11/20"], [1, "9/20"]], "9/20")
    assert lost["sd"] ** 2 == pytest.approx(99 / 400)
    names_only = [measure for measure in answer["summaries"] if isinstance(measure["values"][0][0], str)]
    assert {(measure["mean"], measure["sd"]) for measure in names_only} <= {(None, None)}


def test_advice_goes_on_from_the_answers_and_summarises_every_option(client: httpx.Client) -> None:
    ally = {"player": "Green", "side": "defend", "units": 2, "optional": True}
    fight = duel(3, 2)
    fight["arrivals"].append(ally)
    script = [{"roll": [10, 9, 8, 1, 2]}]
    answer = client.post("/api/advise", json={"battle": fight, "answers": script, "summaries": True}).json()
    assert (answer["by"], answer["side"]) == ("defender", "Green")
    assert {option["id"] for option in answer["options"]} == {"yes", "no"}
    assert all(option["summaries"] for option in answer["options"])


def test_a_simulation_without_a_seed_tells_the_one_it_took(client: httpx.Client) -> None:
    first, second = (client.post("/api/simulate", json=duel(), params={"n": 10}).json() for _ in range(2))
    assert first["seed"] != second["seed"]
    again = client.post("/api/simulate", json=duel(), params={"n": 10, "seed": first["seed"]})
    assert again.json() == first


def test_a_play_tells_the_dice_that_are_due_with_all_their_faces(client: httpx.Client) -> None:
    answer = client.post("/api/play", json={"battle": duel(2, 3)}).json()
    faces = list(range(1, 11))
    assert answer["question"]["kind"] == "roll"
    assert answer["question"]["dice"] == [
        {"by": "Red", "side": "Red", "role": "attacker", "count": 2, "die": "d10", "faces": faces},
        {"by": "Blue", "side": "Blue", "role": "defender", "count": 3, "die": "d10", "faces": faces},
    ]
    assert {"Blue": "defender", "Red": "attacker"} == answer["sides"]
    assert (answer["result"], answer["moves"], answer["seed"]) == (None, [], None)


def test_a_play_asks_people_where_the_machine_does_not_decide(client: httpx.Client) -> None:
    fight = duel(3, 2)
    fight["arrivals"][0]["optional"] = True
    answer = client.post("/api/play", json={"battle": fight, "seed": "seven"}).json()
    question = answer["question"]
    keys = ("kind", "by", "side", "role", "optional")
    assert ["choice", "Red", "Red", "attacker", True] == [question[key] for key in keys]
    assert [option["id"] for option in question["options"]] == ["yes", "no"]
    gone_on = client.post("/api/play", json={"battle": fight, "seed": "seven", "answers": [{"choose": "yes"}]}).json()
    assert gone_on["result"] is not None
    assert [move.get("machine") for move in gone_on["moves"]] == [None, True]


def played_out(example: Example) -> tuple[Play, list[Any]]:
    """A battle that the machine played to its end, and the answers that lead there."""
    over = play(battle(example.source), seed=7, attacker="random", defender="random")
    return over, as_json([move.answer.to_dict() for move in over.moves])


@pytest.mark.parametrize("example", ALL)
def test_luck_is_that_of_the_engine(client: httpx.Client, example: Example) -> None:
    over, script = played_out(example)
    told = client.post("/api/luck", json={"battle": example.source, "answers": script}).json()
    place = {"rank": told.pop("rank"), "results": told.pop("results")}
    found = luck(over)
    assert same(told, as_json(found.to_dict()))
    assert len(found.chosen_odds.outcomes) == place["results"]
    assert [found.result] * (place["rank"] > 0) == [r for _, r in found.chosen_odds.outcomes][: place["rank"]][-1:]


def test_luck_is_held_against_a_sample_where_that_is_wanted(client: httpx.Client) -> None:
    script = [{"roll": [10, 1]}]
    told = client.post("/api/luck", json={"battle": duel(), "answers": script, "n": 1000, "seed": 3}).json()
    sampled = simulate(battle(duel()), 1000, 3)
    chances = {result.to_dict() == told["result"]: p for p, result in sampled.outcomes}
    won, lost = chances[True], chances[False]
    assert (False, won, 2) == (told["exact"], told["probability"], told["results"])
    assert [["swing", 1, lost, won, 0.0]] == [
        [one[key] for key in ("name", "value", "less", "same", "more")] for one in told["percentiles"][:1]
    ]


@pytest.mark.parametrize("n", [None, 10])
def test_there_is_no_luck_before_a_battle_is_over(client: httpx.Client, n: int | None) -> None:
    answer = client.post("/api/luck", json={"battle": duel(), "n": n})
    (fault,) = answer.json()["faults"]
    assert (422, "answers") == (answer.status_code, fault["place"])
    assert fault["message"].startswith("the battle is not over")


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        ([{"choose": "yes"}], 'answer 1: "yes" was chosen, but '),
        ([{"roll": [11, 1]}], "answer 1: die 1 shows 11, but a d10 has the faces"),
        ([{"roll": [1]}], "answer 1: 1 d"),
        ([{"roll": [5, 1]}, {"roll": [1]}], "answer 2: the battle is over"),
        ([{"rolled": 1}], 'answer 1: {"rolled": 1} is no answer: expected {"roll": [faces]} or'),
    ],
)
def test_a_wrong_answer_is_told_by_its_number(client: httpx.Client, answers: list[Any], message: str) -> None:
    answer = client.post("/api/play", json={"battle": duel(), "answers": answers})
    (fault,) = answer.json()["faults"]
    place = f"answers[{len(answers) - 1}]"
    assert (422, place, "answer") == (answer.status_code, fault["place"], fault["code"])
    assert fault["message"].startswith(message)


def test_answers_may_be_called_a_script(client: httpx.Client) -> None:
    sent: dict[str, Any] = {"battle": duel(), "script": [{"roll": [5, 1]}]}
    assert {"armies": {"Blue": 0, "Red": 1}, "possession": "Red", "returns": []} == client.post(
        "/api/play", json=sent
    ).json()["result"]


@pytest.mark.parametrize("example", ALL)
def test_a_play_goes_on_answer_by_answer_and_every_event_has_its_state(client: httpx.Client, example: Example) -> None:
    over, answers = played_out(example)
    for count in range(len(answers) + 1):
        told = client.post("/api/play", json={"battle": example.source, "answers": answers[:count]}).json()
        assert (told["question"] is None) == (count == len(answers))
    assert {"question", "events", "state", "result"} <= set(told)
    assert as_json(over.to_dict()) == {key: told[key] for key in ("result", "events")}
    assert as_json(over.state) == told["state"]
    assert all({"rule", "what", "kind", "side", "role", "state"} <= set(event) for event in told["events"])


def test_attacks_are_those_of_the_engine(client: httpx.Client) -> None:
    (source, *_) = (example.source for example in examples("supply") if example.name.startswith("02"))
    expected = [value.to_dict() for value in attacks(battle(source))]
    assert expected
    assert same(client.post("/api/attacks", json=source).json(), {"attacks": as_json(expected)})


def turn() -> Json:
    """Two against two: red begins."""
    unit = {"die": 6, "strength": 2, "range": 2, "ammo": 1, "supply": 2}
    places = {"guns": ("red", 1, 1), "scouts": ("red", 1, 2), "rifles": ("blue", 2, 1), "guards": ("blue", 2, 2)}
    units = [{"id": name, "side": side, **unit, "at": at} for name, (side, *at) in places.items()]
    return {"system": "supply", "units": units, "turn": {"side": "red"}}


FIRST: list[Json] = [{"choose": "guns on guards"}, {"roll": [6, 6, 1, 1]}]
"""An attack that destroys its target: it has nothing left to counterattack with."""


def test_a_plan_goes_on_from_the_answers_and_its_values_are_of_the_whole_turn(client: httpx.Client) -> None:
    plan = client.post("/api/plan", json={"battle": turn(), "answers": FIRST}).json()
    advice = client.post("/api/advise", json={"battle": turn(), "answers": FIRST}).json()
    assert (2, advice["value"]) == (plan["stop"], plan["value"])
    assert advice["options"][0]["id"] == plan["plan"]["attack"]
    assert [0, f"Plan: {plan['plan']['attack']}"] == plan["words"]["lines"][0]
    assert ["scouts on rifles"] == plan["order"]["attacks"]


def test_a_report_is_the_page_of_the_command(client: httpx.Client) -> None:
    options = {"defender": "eager", "objective": "kill"}
    expected = page(battle(duel()), assumptions=Assumptions(defender=Policy.EAGER, objective="kill"))
    assert {"text": expected} == client.post("/api/report", json={"battle": duel(), **options}).json()


@pytest.mark.parametrize("system", ["ranks", "supply", "tower", "frames", "assault"])
def test_only_a_turn_can_be_planned(client: httpx.Client, system: str) -> None:
    refused = client.post("/api/plan", json=systems.find(system).example | {"system": system})
    fault = {"place": "turn", "message": "is missing: only a turn can be planned", "code": "missing"}
    assert (422, {"faults": [fault]}) == (refused.status_code, refused.json())


def test_attacks_after_the_answers_are_those_that_are_still_possible(client: httpx.Client) -> None:
    def possible(answers: list[Json]) -> list[str]:
        response = client.post("/api/attacks", json={"battle": turn(), "answers": answers}).json()
        return [attack["id"] for attack in response["attacks"]]

    assert ["guns on rifles", "guns on guards", "scouts on rifles", "scouts on guards"] == possible([])
    assert [] == possible(FIRST[:1])  # one is under way
    assert ["scouts on rifles"] == possible(FIRST)
    assert [] == possible([*FIRST, {"choose": "end"}])


def test_the_turn_of_the_next_side_follows_with_all_marks_cleared(client: httpx.Client) -> None:
    response = client.post("/api/next-turn", json={"battle": turn(), "answers": [*FIRST, {"choose": "end"}]}).json()
    units = turn()["units"]
    units[0] |= {"supply": 1}
    assert {**turn(), "units": units[:3], "turn": {"side": "blue"}} == response["battle"]
    assert (None, 2) == (response["over"], response["swing"])


def test_no_turn_follows_if_a_side_has_nothing_left_that_can_attack(client: httpx.Client) -> None:
    end = [{"choose": "end"}]
    lone, empty = turn(), turn()
    lone["units"] = lone["units"][:3]
    response = client.post(
        "/api/next-turn", json={"battle": lone, "answers": [{"choose": "guns on rifles"}, *FIRST[1:]]}
    )
    assert (None, "Blue has nothing left that can attack") == (response.json()["battle"], response.json()["over"])
    for number in (2, 3):
        empty["units"][number]["supply"] = 0
    response = client.post("/api/next-turn", json={"battle": empty, "answers": end})
    assert "Blue has nothing left that can attack" == response.json()["over"]


def test_only_a_turn_that_is_over_is_followed_by_another(client: httpx.Client) -> None:
    machine = {"attacker": "eager", "defender": "eager", "seed": 1}
    for sent, says in (({"battle": turn()}, "not over"), ({"battle": duel(), **machine}, "only a turn is followed")):
        response = client.post("/api/next-turn", json=sent)
        assert (422, True) == (response.status_code, says in response.text)


def test_battles_are_compared(client: httpx.Client) -> None:
    told = client.post("/api/compare", json={"battles": [duel(), duel(2, 1)]}).json()
    assert [odds(battle(one)).value for one in (duel(), duel(2, 1))] == [case["value"] for case in told["cases"]]


def test_a_house_rule_is_compared_in_one_battle(client: httpx.Client) -> None:
    one = client.post("/api/compare", json={"battles": [duel()], "switch": "ties"})
    several = client.post("/api/compare", json={"battles": [duel(), duel(2, 1)], "switch": "ties"})
    assert (200, "ties") == (one.status_code, one.json()["switch"])
    assert (422, ["switch"]) == (several.status_code, [fault["place"] for fault in several.json()["faults"]])


def test_there_is_nothing_after_a_battle_that_is_not_over(client: httpx.Client) -> None:
    answer = client.post("/api/after", json={"battle": duel()})
    (fault,) = answer.json()["faults"]
    assert (answer.status_code, fault["place"]) == (422, "answers")
    assert fault["message"].startswith("the battle is not over")


@pytest.mark.parametrize("ask", ["check", "odds", "advise", "simulate"])
@pytest.mark.parametrize("wrong", [{}, {"system": "chess"}, {**duel(0), "x": 1}, {**duel(), "arrivals": []}])
def test_faults_are_those_of_the_file_reader(client: httpx.Client, ask: str, wrong: dict[str, Any]) -> None:
    with pytest.raises(BattleError) as refused:
        battle(wrong)
    answer = client.post(f"/api/{ask}", json=wrong)
    expected = [fault.to_dict() for fault in refused.value.faults]
    assert (answer.status_code, answer.json()) == (422, {"faults": expected})


@pytest.mark.parametrize(
    ("text", "place", "line"),
    [
        ('system = "ranks"\n[defender]\nplayer = "Blue"\nunits = 0\n[[arrivals]]\n', "defender.units", 4),
        ("system = \n", "", 1),
        ('system = "ranks', "", 1),
        ('{"system": "ranks",\n "system": "ranks"}', "system", 2),
        ('{"system":\n', "", 2),
    ],
)
def test_a_text_that_is_no_battle_has_the_line_of_each_fault(
    client: httpx.Client, text: str, place: str, line: int
) -> None:
    answer = client.post("/api/read", json={"text": text})
    assert answer.status_code == 422
    assert (place, line) in [(fault["place"], fault.get("line")) for fault in answer.json()["faults"]]


@pytest.mark.parametrize(
    ("body", "status", "fault"),
    [
        (
            b"{",
            422,
            ("", "is not JSON: Expecting property name enclosed in double quotes (character 2)", "unreadable"),
        ),
        (b"[]", 422, ("", "input should be a valid dictionary", "wrong_type")),
        (b"", 422, ("", "is missing", "missing")),
        (
            b'{"battle": {}, "attacker": "bold"}',
            422,
            ("attacker", "input should be 'best', 'eager', 'cautious', 'random' or 'greedy'", "not_allowed"),
        ),
        (b'{"battle": {}, "colour": 1}', 422, ("colour", "is not known here", "unknown_key")),
        (b"[" * 100_000, 400, ("", UNREADABLE, "unreadable")),
        (b'{"system": "\xff"}', 400, ("", UNREADABLE, "unreadable")),
        (b'{"system": ' + b"1" * 5_000 + b"}", 400, ("", UNREADABLE, "unreadable")),
        (b'{"system": "\\ud800"}', 422, None),
        (b'{"system": NaN}', 422, None),
        (b'{"battle": {}, "\\ud800": 1}', 422, None),
    ],
)
def test_what_cannot_be_read_is_refused(
    client: httpx.Client, body: bytes, status: int, fault: tuple[str, str, str] | None
) -> None:
    answer = client.post("/api/odds", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == status
    assert fault in [None, *((one["place"], one["message"], one["code"]) for one in answer.json()["faults"])]


@pytest.mark.parametrize(
    ("value", "message"),
    [("[" * 900 + "]" * 900, "is nested too deeply"), ("[null]", "TOML cannot say None")],
)
def test_what_toml_cannot_say_is_refused(client: httpx.Client, value: str, message: str) -> None:
    body = f'{{"battle": {{"units": {value}}}}}'
    answer = client.post("/api/toml", content=body, headers={"Content-Type": "application/json"})
    (fault,) = answer.json()["faults"]
    assert (422, "", message) == (answer.status_code, fault["place"], fault["message"])


def test_paths_in_a_battle_open_no_file(client: httpx.Client) -> None:
    named = {"system": systems.names()[0], "cards": "/etc/passwd", "sources": "/etc/passwd"}
    answer = client.post("/api/read", json={"text": json.dumps(named)})
    assert answer.status_code == 422
    assert "root:" not in answer.text


def test_a_battle_too_large_says_how_large_it_is(client: httpx.Client) -> None:
    answer = client.post("/api/odds", json=duel(5_000, 5_000))
    told = answer.json()
    assert answer.status_code == 422
    assert told["size"] > told["bound"]
    assert "simulate" in told["faults"][0]["message"]


def test_answers_are_packed_only_for_clients_that_can_unpack_them(client: httpx.Client) -> None:
    packed = client.post("/api/odds", json=duel(9, 9))
    plain = client.post("/api/odds", json=duel(9, 9), headers={"Accept-Encoding": "gzip;q=0"})
    assert (packed.headers["Content-Encoding"], plain.headers.get("Content-Encoding")) == ("gzip", None)
    assert packed.json() == plain.json()


def test_a_request_with_thousands_of_faults_gets_no_larger_response(client: httpx.Client) -> None:
    request = {"battle": duel(), **{f"key {number}": 1 for number in range(2 * MOST_FAULTS)}}
    faults = client.post("/api/odds", json=request).json()["faults"]
    assert [f"key {number}" for number in range(MOST_FAULTS)] == [fault["place"].strip('"') for fault in faults]
