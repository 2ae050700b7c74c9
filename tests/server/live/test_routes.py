"""The table over HTTP: who may do what, what is told to whom, and what happens when two are at it at once."""

import json
import logging
import socket
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

import grognard
from grognard.core.systems import Json
from grognard.files import battle as read_battle
from grognard.plays.fair import verify
from grognard.server.live import battles
from tests.server.live.servers import Running, Table, battle, serving
from tests.server.running import duel, until

DECISIONS_FIRST = battle("tower", "02")
"""The attacker decides twice, the defender twice, then dice fall, and the attacker decides once more."""
DICE_ALONE = battle("ranks", "02")
DECISION_LAST = battle("ranks", "06")


def messages(response: httpx.Response) -> str:
    return " ".join(fault["message"] for fault in response.json()["faults"])


def test_a_battle_is_opened_with_a_secret_link_for_each_side_and_for_spectators(server: Running) -> None:
    table = server.open(DICE_ALONE, names={"Red": "Ann", "Blue": "Ben"}, advice=False)
    opened = table.opened
    assert ["Blue", "Red", "spectator"] == list(opened["links"]) == list(opened["keys"])
    assert {side: f"{server.url}/live/{table.id}#key={key}" for side, key in table.keys.items()} == opened["links"]
    assert 3 == len(set(table.keys.values()))
    for side, role in (("Blue", "defender"), ("Red", "attacker"), ("spectator", None)):
        state = table.state(side)
        assert (side, role, table.id, DICE_ALONE) == (state["side"], state["role"], state["id"], state["battle"])
        assert opened["commitment"] == state["fair"]["commitment"]
        assert {"dice": "fair", "advice": False, "names": {"Red": "Ann", "Blue": "Ben"}} == state["options"]


ALLIES = {
    "system": "ranks",
    "defender": {"player": "Blue", "units": 2},
    "arrivals": [
        {"player": "Red", "side": "attack", "units": 3},
        {"player": "Green", "side": "defend", "units": 2, "optional": True},
        {"player": "Black", "side": "attack", "units": 2, "optional": True},
    ],
}


def test_allies_have_seats_of_their_own(server: Running) -> None:
    table = server.open(ALLIES)
    assert ["Blue", "Red", "Green", "Black", "spectator"] == list(table.keys)
    assert {"Blue": "defender", "Red": "attacker", "Green": "defender", "Black": "attacker"} == table.state()["sides"]
    waits = table.answer("Red", roll="fair")
    assert (409, "Blue has not added a number to the dice yet") == (waits.status_code, messages(waits))
    table.add_numbers()
    assert dict.fromkeys(table.sides, True) == table.state()["fair"]["numbers"]
    assert 200 == table.answer("Red", roll="fair").status_code
    question = table.state()["question"]
    assert ("choice", "Green", "defender") == (question["kind"], question["side"], question["role"])
    assert [side == "Green" for side in table.keys] == [table.state(side)["can_answer"] for side in table.keys]
    assert 403 == table.answer("Blue", choose="yes").status_code
    assert 200 == table.answer("Green", choose="no").status_code
    table.play()
    numbers = [(added["side"], added["number"]) for added in table.log()["fair"]["numbers"]]
    assert [("Blue", "twelve"), ("Red", "13"), ("Green", "fourteen"), ("Black", "15")] == numbers
    assert verify(table.log(), read_battle).verified


def test_an_attack_by_nobody_in_the_file_has_a_seat_called_attacker(server: Running) -> None:
    source = battle("frames", "01")
    source = {**source, "attack": {key: value for key, value in source["attack"].items() if key != "by"}}
    table = server.open(source)
    assert "attacker" in table.keys
    assert "attacker" == table.state("attacker")["role"]
    question = table.state()["question"]
    assert ("choice", "attacker", "attacker") == (question["kind"], question["side"], question["role"])
    assert [side == "attacker" for side in table.keys] == [table.state(side)["can_answer"] for side in table.keys]
    assert 200 == table.answer("attacker", choose=question["options"][0]["id"]).status_code


def test_no_side_is_called_spectator(server: Running) -> None:
    refused = server.client.post("/api/battles", json={**DICE_ALONE, "defender": {"player": "spectator", "units": 1}})
    assert (422, "defender.player") == (refused.status_code, refused.json()["faults"][0]["place"])


def test_names_are_for_sides_of_the_battle(server: Running) -> None:
    refused = server.client.post("/api/battles", json={"battle": DICE_ALONE, "names": {"Redd": "Ann"}})
    assert (422, "names.Redd") == (refused.status_code, refused.json()["faults"][0]["place"])


def test_a_seat_that_is_claimed_has_a_new_key_and_the_former_is_void(server: Running) -> None:
    table = server.open(DICE_ALONE)
    table.add_numbers()
    table.play()
    following = table.post("Red", "next", {"battle": DICE_ALONE}).json()["id"]
    claimed = table.post("Red", "claim", {})
    assert 200 == claimed.status_code
    key = claimed.json()["key"]
    assert {"side": "Red", "key": key, "link": f"{server.url}/live/{table.id}#key={key}"} == claimed.json()
    for battle_id in (table.id, following):
        address = f"/api/battles/{battle_id}"
        statuses = [
            server.client.get(address, params={"key": one}).status_code
            for one in (table.keys["Red"], key, table.keys["Blue"], table.keys["spectator"])
        ]
        assert [404, 200, 200, 200] == statuses
    assert 404 == table.post("Red", "claim", {}).status_code
    assert 403 == table.post("spectator", "claim", {}).status_code


def test_a_seat_keeps_its_side_in_the_next_attack_whatever_its_role(server: Running) -> None:
    table = server.open(DICE_ALONE)
    table.add_numbers()
    table.play()
    turned = {
        "system": "ranks",
        "defender": {"player": "Red", "units": 2},
        "arrivals": [
            {"player": "Blue", "side": "attack", "units": 2, "optional": True},
            {"player": "Green", "side": "defend", "units": 1, "optional": True},
        ],
    }
    opened = table.post("Red", "next", {"battle": turned}).json()
    assert ["Green"] == list(opened["keys"]) == list(opened["links"])
    following = Table(server, opened["id"], {**table.keys, **opened["keys"]}, {})
    roles = {side: following.state(side)["role"] for side in following.keys}
    assert {"Blue": "attacker", "Red": "defender", "spectator": None, "Green": "defender"} == roles
    assert 403 == following.answer("Red", choose="yes").status_code
    assert 200 == following.answer("Blue", choose="yes").status_code


def test_a_battle_on_its_own_is_opened_with_everything_by_default(server: Running) -> None:
    opened = server.client.post("/api/battles", json=DICE_ALONE)
    assert 201 == opened.status_code
    state = Table(server, opened.json()["id"], opened.json()["keys"], {}).state()
    assert {"dice": "fair", "advice": True, "names": {}} == state["options"]


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ('{"battle": {"system": "chess"}}', "system"),
        ('{"battle": {}}', "system"),
        ('{"system": "ranks"}', "arrivals"),
        ('{"battle": {"system": "\\ud800"}}', ""),
        ('{"battle": {"system": "ranks", "\\udfff": 1}}', ""),
        (json.dumps({"battle": duel() | {"defender": {"player": "Bl\0ue", "units": 1}}}), "defender.player"),
        ('{"battle": ' + '{"a": ' * 900 + "1" + "}" * 901, "system"),
    ],
)
def test_what_is_no_battle_is_refused_with_its_faults(server: Running, body: str, place: str) -> None:
    refused = server.client.post("/api/battles", content=body, headers={"Content-Type": "application/json"})
    assert 422 == refused.status_code
    assert place in [fault["place"] for fault in refused.json()["faults"]]


def test_without_a_key_or_with_a_wrong_one_nobody_learns_whether_there_is_a_battle(server: Running) -> None:
    table, other = server.open(DICE_ALONE), server.open(DICE_ALONE)
    answers = []
    for battle_id in (table.id, "AAAAAAAAAAAAAAAA", "not%20an%20id", "%00", "x" * 500):
        for key in ("wrong", "", "😀", other.keys["Red"]):
            for what, body in (("", None), ("/log", None), ("/live", None), ("/answers", {"number": 1, "choose": "x"})):
                address = f"/api/battles/{battle_id}{what}"
                answer = server.client.request("POST" if body else "GET", address, params={"key": key}, json=body)
                answers.append((answer.status_code, answer.text))
    assert {(404, answers[0][1])} == set(answers)
    for battle_id in (table.id, "AAAAAAAAAAAAAAAA"):
        refused = server.client.get(f"/api/battles/{battle_id}")
        assert (401, "Bearer") == (refused.status_code, refused.headers["WWW-Authenticate"])


def test_a_key_goes_in_the_header_or_in_the_address(server: Running) -> None:
    table = server.open(DICE_ALONE)
    address, key = f"/api/battles/{table.id}", table.keys["Blue"]
    in_header = server.client.get(address, headers={"Authorization": f"Bearer {key}"})
    assert in_header.json() == server.client.get(address, params={"key": key}).json()


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("answers", {"number": 1, "choose": "yes"}),
        ("answers", {"number": 1, "roll": "fair"}),
        ("answers", {"number": 1, "roll": [1]}),
        ("answers", {"number": 1, "undo": True}),
        ("numbers", {"number": "7"}),
        ("next", {"battle": DICE_ALONE}),
    ],
)
def test_spectators_do_nothing(server: Running, what: str, body: Json) -> None:
    table = server.open(DECISIONS_FIRST)
    refused = table.post("spectator", what, body)
    assert (403, "spectators watch") == (refused.status_code, messages(refused))
    assert 0 == table.state()["entries"]


def test_a_decision_is_its_sides_and_dice_are_either_players(server: Running) -> None:
    table = server.open(DECISIONS_FIRST)
    table.add_numbers()
    question = table.state("attacker")["question"]
    assert ("choice", "attacker") == (question["kind"], question["role"])
    assert [True, False, False] == [table.state(role)["can_answer"] for role in ("attacker", "defender", "spectator")]
    refused = table.answer("defender", choose="yes")
    assert (403, "this question is for another player") == (refused.status_code, messages(refused))
    assert "roll" == table.play(until=5)["question"]["kind"]
    assert [True, True, False] == [table.state(role)["can_answer"] for role in ("attacker", "defender", "spectator")]
    assert 200 == table.answer("defender", roll="fair").status_code


def test_a_late_answer_is_told_how_the_battle_stands(server: Running) -> None:
    table = server.open(DECISIONS_FIRST)
    first = table.post("attacker", "answers", {"number": 1, "choose": "yes"})
    assert (200, 2) == (first.status_code, first.json()["number"])
    late = table.post("attacker", "answers", {"number": 1, "choose": "no"})
    assert (409, "question 1 is not open: question 2 is") == (late.status_code, messages(late))
    assert table.state("attacker") == late.json()["state"]
    assert 409 == table.post("attacker", "answers", {"number": 3, "choose": "yes"}).status_code
    assert ["yes"] == [move["choose"] for move in table.state()["moves"]]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"choose": "perhaps"}, "is not offered"),
        ({"choose": "x" * 600}, "is not offered"),  # ids may be as long as several names
        ({"roll": "fair"}, "dice were given"),
        ({"roll": [1, 2]}, "fair dice"),
    ],
)
def test_a_wrong_answer_is_refused_and_changes_nothing(server: Running, answer: Json, told: str) -> None:
    table = server.open(DECISIONS_FIRST)
    refused = table.answer("attacker", **answer)
    assert 422 == refused.status_code
    assert told in messages(refused)
    assert 0 == table.state()["entries"]


@pytest.mark.parametrize(
    "body",
    [
        {"choose": "yes"},
        {"number": 1},
        {"number": "1", "choose": "yes"},
        {"number": 1.5, "choose": "yes"},
        {"number": True, "choose": "yes"},
        {"number": 0, "choose": "yes"},
        {"number": 1, "choose": "yes", "undo": True},
        {"number": 1, "choose": None},
        {"number": 1, "choose": None, "undo": True},
        {"number": 1, "choose": "x" * 501},
        {"number": 1, "roll": None},
        {"number": 1, "undo": False},
        {"number": 1, "roll": "loaded"},
        {"number": 1, "roll": [True]},
        {"number": 1, "roll": [1.5]},
        {"number": 1, "roll": [1] * 10_001},
        {"number": 1, "choose": "yes", "more": 1},
    ],
)
def test_what_is_no_answer_is_refused(server: Running, body: Json) -> None:
    table = server.open(DECISIONS_FIRST)
    assert 422 == table.post("attacker", "answers", body).status_code
    assert 0 == table.state()["entries"]


def test_with_dice_on_the_table_either_player_types_what_fell(server: Running) -> None:
    table = server.open(DICE_ALONE, dice="table")
    assert (None, None) == (table.opened["commitment"], table.state()["fair"])
    refused = [
        table.answer("attacker", roll="fair"),
        table.answer("attacker", roll=[1, 2]),
        table.answer("attacker", roll=[11, 1, 1, 1, 1, 1, 1]),
        table.post("attacker", "numbers", {"number": "7"}),
    ]
    assert [422] * 4 == [response.status_code for response in refused]
    assert ["rolled on a table", "2 dice given", "shows 11", "rolled on a table"] == [
        next(words for words in ("rolled on a table", "2 dice given", "shows 11") if words in messages(response))
        for response in refused
    ]
    over = table.answer("defender", roll=[10, 10, 7, 10, 9, 8, 7]).json()
    assert (
        over["result"]
        == grognard.play(grognard.battle(DICE_ALONE), [{"roll": [10, 10, 7, 10, 9, 8, 7]}]).result.to_dict()
    )
    log = table.log()
    assert over["result"] == grognard.replay(log).play.result.to_dict()
    assert log["seed"] is None


def test_the_first_die_waits_for_both_numbers_and_fixes_them(server: Running) -> None:
    table = server.open(DICE_ALONE)
    for side in ("Blue", "Red"):
        waits = table.answer("Red", roll="fair")
        assert (409, f"{side} has not added a number to the dice yet") == (waits.status_code, messages(waits))
        added = table.post(side, "numbers", {"number": f"{side}'s first"})
        assert added.json()["fair"]["numbers"][side] is True
    assert 200 == table.post("Blue", "numbers", {"number": "second thoughts 😀"}).status_code
    assert table.state()["number"] == 1
    over = table.answer("defender", roll="fair").json()
    late = table.post("attacker", "numbers", {"number": "too late"})
    assert (409, "the first die has been rolled: the numbers are fixed") == (late.status_code, messages(late))
    numbers = [{"side": "Blue", "number": "second thoughts 😀"}, {"side": "Red", "number": "Red's first"}]
    assert numbers == table.log()["fair"]["numbers"]
    assert over["seed"] == table.log()["seed"]


@pytest.mark.parametrize("number", ["", "x" * 201, 7, None, "\ud800"])
def test_a_number_is_a_text_of_1_to_200_characters(server: Running, number: object) -> None:
    table = server.open(DICE_ALONE)
    address = f"{server.url}/api/battles/{table.id}/numbers"
    headers = {"Authorization": f"Bearer {table.keys['Red']}", "Content-Type": "application/json"}
    refused = server.client.post(address, content=json.dumps({"number": number}), headers=headers)
    assert 422 == refused.status_code


def test_nobody_sees_the_dice_to_come(server: Running) -> None:
    table = server.open(DECISION_LAST)
    table.add_numbers()
    seen = []
    while (state := table.state("attacker"))["question"] is not None:
        seen += [table.get(role, what).text for role in table.keys for what in ("", "/log")]
        table.play(until=state["number"] + 1)
    secret, seed = state["fair"]["secret"], state["seed"]
    assert 64 == len(secret) == len(seed)
    assert not any(secret in text or seed in text or "twelve" in text for text in seen)
    log = table.log()
    assert (secret, seed) == (log["fair"]["secret"], log["seed"])


def test_a_finished_log_is_verified_and_replayed(server: Running) -> None:
    table = server.open(DECISIONS_FIRST)
    table.add_numbers()
    over = table.play()
    log = table.log()
    found = verify(log, read_battle)
    assert () == found.differs
    assert table.opened["commitment"] == found.commitment
    assert {"red": "twelve", "blue": "13"} == found.numbers
    assert over["result"] == log["result"] == grognard.replay(log).play.result.to_dict()
    assert [event.to_dict() for event in grognard.replay(log).play.events] == over["events"]
    assert read_battle(DECISIONS_FIRST).system.name == over["after"]["system"]


def test_a_decision_is_taken_back_by_whoever_made_it_while_nothing_came_after(server: Running) -> None:
    table = server.open(DECISIONS_FIRST)
    fresh = table.state("attacker")
    assert 409 == table.answer("attacker", undo=True).status_code  # nothing to take back
    table.answer("attacker", choose="yes")
    table.answer("attacker", choose="no")
    assert [True, False] == [table.state(role)["can_undo"] for role in ("attacker", "defender")]
    assert 409 == table.answer("defender", undo=True).status_code  # not theirs
    once = table.answer("attacker", undo=True)
    assert (200, ["yes"]) == (once.status_code, [move["choose"] for move in once.json()["moves"]])
    twice = table.answer("attacker", undo=True).json()
    assert (fresh["question"], fresh["events"], []) == (twice["question"], twice["events"], twice["moves"])
    assert (5, 4) == (twice["number"], twice["entries"])
    late = table.post("attacker", "answers", {"number": 1, "choose": "no"})  # lost on the way since the start
    assert 409 == late.status_code
    table.play(until=7)
    assert "defender" == table.state()["question"]["role"]
    table.play(until=8)
    assert 409 == table.answer("attacker", undo=True).status_code  # the defender decided since
    assert 200 == table.answer("defender", undo=True).status_code
    assert 200 == table.answer("attacker", undo=True).status_code


def test_no_die_is_taken_back_and_no_decision_before_it(server: Running) -> None:
    table = server.open(DECISIONS_FIRST)
    table.add_numbers()
    before = table.play(until=5)
    assert "roll" == before["question"]["kind"]
    table.answer("attacker", roll="fair")
    for role in ("attacker", "defender"):
        assert table.state(role)["can_undo"] is False
        refused = table.answer(role, undo=True)
        assert (409, True) == (refused.status_code, "can be taken back" in messages(refused))


def test_once_a_battle_is_over_it_is_final(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grognard.server.live.battles.new_secret", lambda: b"\3" * 32)  # it ends in a decision
    table = server.open(DECISION_LAST)
    table.add_numbers()
    over = table.play()
    assert "choose" in over["moves"][-1]
    for role in ("attacker", "defender"):
        assert table.state(role)["can_undo"] is False
        for answer in ({"undo": True}, {"choose": "yes"}, {"roll": "fair"}):
            refused = table.answer(role, **answer)
            assert (409, "the battle is over") == (refused.status_code, messages(refused))


def test_the_next_battle_has_the_same_keys_and_its_own_secret(server: Running) -> None:
    table = server.open(DICE_ALONE, names={"Red": "Ann", "Blue": "Ben"}, advice=False)
    early = table.post("attacker", "next", {"battle": DICE_ALONE})
    assert (409, "this battle is not over") == (early.status_code, messages(early))
    table.add_numbers()
    table.play()
    assert 422 == table.post("attacker", "next", {"battle": {"system": "chess"}}).status_code
    opened = table.post("defender", "next", {"battle": DECISION_LAST, "advice": True})
    assert 201 == opened.status_code
    following = Table(server, opened.json()["id"], table.keys, {})
    assert following.id == table.state()["next"]
    assert table.opened["commitment"] != opened.json()["commitment"] == following.state()["fair"]["commitment"]
    assert {"dice": "fair", "advice": True, "names": {"Red": "Ann", "Blue": "Ben"}} == following.state()["options"]
    assert list(table.keys) == [following.state(side)["side"] for side in table.keys]
    again = table.post("attacker", "next", {"battle": DICE_ALONE})
    assert (409, following.id) == (again.status_code, again.json()["state"]["next"])


def test_of_many_answers_to_one_question_one_is_taken_and_the_others_are_told_so(database: str) -> None:
    with serving(database) as server, ThreadPoolExecutor(16) as pool:
        table = server.open(DECISIONS_FIRST)
        table.add_numbers()
        for number in range(1, 6):
            question = table.state()["question"]
            role = question.get("role", "attacker")
            answer = {"roll": "fair"} if question["kind"] == "roll" else {"choose": question["options"][0]["id"]}
            sent = [
                pool.submit(
                    table.post,
                    role if question["kind"] == "choice" else either,
                    "answers",
                    {"number": number, **answer},
                )
                for either in ["attacker", "defender"] * 8
            ]
            responses = [response.result() for response in sent]
            assert [200] + [409] * 15 == sorted(response.status_code for response in responses)
            states = [one.json()["state"] if one.status_code == 409 else one.json() for one in responses]
            moves = {json.dumps(state["moves"]) for state in states}
            assert 1 == len(moves)
        assert 5 == len(table.state()["moves"])


def test_a_number_added_at_the_same_time_does_not_make_an_answer_late(database: str) -> None:
    with serving(database) as server, ThreadPoolExecutor(8) as pool:
        table = server.open(DECISIONS_FIRST)
        for number in (1, 2):
            added = [pool.submit(table.post, "defender", "numbers", {"number": str(turn)}) for turn in range(6)]
            answered = pool.submit(table.post, "attacker", "answers", {"number": number, "choose": "yes"})
            assert 200 == answered.result().status_code
            assert [200] * 6 == [response.result().status_code for response in added]
        assert 14 == table.state()["entries"]


def test_a_battle_is_there_again_after_a_restart(database: str) -> None:
    with serving(database) as server:
        table = server.open(DECISIONS_FIRST)
        table.add_numbers()
        table.play(until=5)
        assert 200 == table.answer("defender", undo=True).status_code
        before = table.state("attacker")
    with serving(database) as server:
        again = table.at(server)
        assert before == again.state("attacker")
        again.play()
        assert verify(again.log(), read_battle).verified


def test_so_many_dice_are_rolled_at_once_and_no_more(server: Running) -> None:
    table = server.open({**DICE_ALONE, "defender": {"player": "Blue", "units": 20_000}})
    table.add_numbers()
    refused = table.answer("attacker", roll="fair")
    assert (422, True) == (refused.status_code, "10000 are the most" in messages(refused))


def test_the_openapi_document_tells_every_endpoint_and_refusal(server: Running) -> None:
    paths = server.client.get("/openapi.json").json()["paths"]
    paths = {path: methods for path, methods in paths.items() if path.startswith("/api/battles")}
    assert {
        "/api/battles": ["post"],
        "/api/battles/{battle}": ["get"],
        "/api/battles/{battle}/answers": ["post"],
        "/api/battles/{battle}/numbers": ["post"],
        "/api/battles/{battle}/clock": ["post"],
        "/api/battles/{battle}/flag": ["post"],
        "/api/battles/{battle}/concede": ["post"],
        "/api/battles/{battle}/secret": ["get"],
        "/api/battles/{battle}/next": ["post"],
        "/api/battles/{battle}/claim": ["post"],
        "/api/battles/{battle}/log": ["get"],
        "/api/battles/{battle}/live": ["get"],
    } == {path: list(methods) for path, methods in paths.items()}
    told = set(paths["/api/battles/{battle}/answers"]["post"]["responses"])
    assert {"200", "401", "403", "404", "409", "422", "503"} <= told


@pytest.mark.parametrize(
    ("body", "faults"),
    [
        ({"number": 1}, {("", "an answer has exactly one of `choose`, `roll` and `undo`")}),
        ({"number": 1, "roll": "both"}, {("roll", "input should be 'fair'"), ("roll", "input should be a valid list")}),
        ({"number": 1, "roll": {}}, {("roll", "input should be 'fair'"), ("roll", "input should be a valid list")}),
        ({"number": 1, "choose": 5}, {("choose", "input should be a valid string")}),
        ({"roll": "fair"}, {("number", "is missing")}),
    ],
)
def test_faults_of_an_answer_are_told_where_they_are_in_it(
    server: Running, body: Json, faults: set[tuple[str, str]]
) -> None:
    refused = server.open(DICE_ALONE).post("attacker", "answers", body)
    assert (422, faults) == (refused.status_code, {(f["place"], f["message"]) for f in refused.json()["faults"]})


def test_a_table_has_so_many_seats_however_many_battles_follow(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(battles, "MOST_SEATS", 4)
    table = server.open(duel(), dice="table")
    assert 200 == table.post("Red", "concede", {}).status_code
    crowd = {**duel(), "arrivals": [{"player": f"P{n}", "side": "attack", "units": 1} for n in range(2)]}
    refused = [
        server.client.post("/api/battles", json={**crowd, "arrivals": [*crowd["arrivals"], *duel()["arrivals"]]}),
        table.post("Red", "next", {"battle": crowd}),
    ]
    assert [(422, "too_large")] * 2 == [(answer.status_code, answer.json()["faults"][0]["code"]) for answer in refused]
    assert 201 == table.post("Red", "next", {"battle": duel()}).status_code


@pytest.mark.parametrize(
    "body",
    [
        b'{"number": 1, "choose": "no such option"}',
        b'{"number": 7, "choose": "yes"}',
        b'{"number": 1, "roll": [1]}',
        b'{"number": 1, "choose": "yes", "undo": true}',
        b'{"number": 1.0, "choose": "yes"}',
        b'{"number": 1, "choose": "\\ud800"}',
        b'{"number": 1, "choose": "yes", "more": 1}',
        b'{"number": 1, "choose": }',
        b"[" * 5_000,
        b"",
    ],
)
@pytest.mark.parametrize("who", ["attacker", "defender", "spectator", "a stranger", ""])
def test_a_bad_answer_is_an_error_of_its_sender(server: Running, who: str, body: bytes) -> None:
    table = server.open(DECISIONS_FIRST)
    key = table.keys[table.seat(who)] if who in ("attacker", "defender", "spectator") else who
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
    response = server.client.post(f"/api/battles/{table.id}/answers?since=0", content=body, headers=headers)
    assert 400 <= response.status_code < 500
    assert response.json()["faults"]


def test_an_answer_whose_sender_leaves_in_its_middle_is_no_fault_of_ours(
    server: Running, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("uvicorn.error"), "handlers", [caplog.handler])
    table = server.open(DECISIONS_FIRST)
    address = httpx.URL(server.url)

    def in_flight(count: int) -> bool:
        return f"requests_in_flight {count}\n" in server.client.get("/metrics").text

    with socket.create_connection((address.host, address.port or 80)) as leaving:
        request = (
            f"POST /api/battles/{table.id}/answers?since=0 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{{"
        )
        leaving.sendall(request.encode())
        until(lambda: in_flight(2))
    until(lambda: in_flight(1))
    assert [] == caplog.records
