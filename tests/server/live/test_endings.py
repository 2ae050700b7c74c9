"""A battle cannot be frozen or filled up: quotas, clocks, conceding, and secrets that come out at the end."""

import itertools
from contextlib import closing

import pytest

from grognard.core.systems import Json
from grognard.files import battle as read_battle
from grognard.plays.fair import verify
from grognard.server.live import actions, battles, history
from grognard.server.live.store import Store
from tests.server.live.servers import Ear, Running, Table, battle, serving

DECISIONS_FIRST = battle("tower", "02")


@pytest.fixture
def table(server: Running) -> Table:
    return server.open(DECISIONS_FIRST)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The time of the server, in milliseconds: a list of one number."""
    now = [1_000_000]
    monkeypatch.setattr(battles, "_now", lambda: now[0])
    return now


def asked(table: Table) -> str:
    return str(table.state()["question"]["side"])


def other(table: Table) -> str:
    return next(side for side in table.sides if side != asked(table))


def choose(table: Table) -> None:
    side = asked(table)
    assert 200 == table.answer(side, choose=table.state()["question"]["options"][0]["id"]).status_code


def test_what_was_taken_back_does_not_use_up_the_battle(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "MOST_ANSWERS", 1)
    side = asked(table)
    for _ in range(3):
        choose(table)
        assert 200 == table.answer(side, undo=True).status_code
    choose(table)
    refused = table.answer(table.sides[0], roll="fair")
    assert (409, True) == (refused.status_code, "no more than 1 answers" in refused.text)


def test_a_side_may_take_back_only_so_often_and_the_others_still_may(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(history.MOST_PER_SIDE, "undo", 1)
    side = asked(table)
    choose(table)
    assert 200 == table.answer(side, undo=True).status_code
    choose(table)
    assert 409 == table.answer(side, undo=True).status_code


def test_a_number_may_be_changed_only_so_often(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(history.MOST_PER_SIDE, "number", 2)
    one, two = table.sides[:2]
    assert [200, 200, 409] == [table.post(one, "numbers", {"number": "7"}).status_code for _ in range(3)]
    assert 200 == table.post(two, "numbers", {"number": "8"}).status_code


def test_whoever_concedes_ends_the_battle_and_its_dice_can_be_verified(table: Table) -> None:
    table.add_numbers()
    while table.state()["question"]["kind"] != "roll":
        choose(table)
    table.answer(table.sides[0], roll="fair")
    assert table.state()["fair"]["secret"] is None
    loser = table.sides[1]
    state = table.post(loser, "concede", {}).json()
    assert {"how": "conceded", "side": loser} == state["ended"]
    assert (None, None, False) == (state["question"], state["result"], state["can_answer"])
    assert state["fair"]["secret"] is not None
    assert 409 == table.post(table.sides[0], "concede", {}).status_code
    assert 409 == table.answer(table.sides[0], roll="fair").status_code
    assert verify(table.log(), read_battle).verified


def test_spectators_concede_nothing(table: Table) -> None:
    assert 403 == table.post("spectator", "concede", {}).status_code


def test_a_clock_runs_once_all_sides_have_agreed_on_it(table: Table, clock: list[int]) -> None:
    first, *others = table.sides
    state = table.post(first, "clock", {"seconds": 60}).json()
    assert (60, None, None) == (state["clock"]["proposed"][first], state["clock"]["seconds"], state["clock"]["left"])
    for side in others:
        state = table.post(side, "clock", {"seconds": 60}).json()
    assert (60, dict.fromkeys(table.sides, 60)) == (state["clock"]["seconds"], state["clock"]["left"])
    assert 409 == table.post(first, "clock", {"seconds": 600}).status_code
    side = asked(table)
    clock[0] += 20_000
    assert 40 == table.state()["clock"]["left"][side]
    choose(table)
    clock[0] += 1_000
    assert 40 - (asked(table) == side) == table.state()["clock"]["left"][side]


def test_whoever_runs_out_of_time_has_lost_once_another_player_says_so(table: Table, clock: list[int]) -> None:
    for side in table.sides:
        table.post(side, "clock", {"seconds": 60})
    late = asked(table)
    clock[0] += 59_000
    refused = table.post(other(table), "flag", {})
    assert (409, True) == (refused.status_code, f"{late} has 1 seconds left" in refused.text)
    clock[0] += 2_000
    state = table.post(other(table), "flag", {}).json()
    assert {"how": "time", "side": late} == state["ended"]
    assert state["fair"]["secret"] is not None


def test_without_a_clock_nobody_runs_out_of_time(table: Table, clock: list[int]) -> None:
    clock[0] += 10**9
    assert 409 == table.post(other(table), "flag", {}).status_code


def test_an_abandoned_battle_is_over_and_its_secret_is_published(table: Table, clock: list[int]) -> None:
    clock[0] = 1_000 * history.ABANDONED
    state = table.state()
    assert {"how": "abandoned", "side": None} == state["ended"]
    assert state["fair"]["secret"] is not None


def test_the_secret_of_a_battle_that_was_removed_is_published(database: str) -> None:
    with serving(database) as server:
        table = server.open(DECISIONS_FIRST)
        address = f"/api/battles/{table.id}/secret"
        assert 404 == server.client.get(address).status_code
        store = Store(database)
        assert 1 == store.prune(2**60)
        store.close()
        published = server.client.get(address).json()
        assert table.opened["commitment"] == published["commitment"]


def test_the_dice_of_a_table_stay_as_they_were_agreed_on(table: Table) -> None:
    table.post(table.sides[0], "concede", {})
    refused = table.post(table.sides[0], "next", {"battle": DECISIONS_FIRST, "dice": "table"})
    assert (422, "dice") == (refused.status_code, refused.json()["faults"][0]["place"])
    assert 201 == table.post(table.sides[0], "next", {"battle": DECISIONS_FIRST, "dice": "fair"}).status_code


def merged(held: Json, arrived: Json) -> Json:
    """A state that is known, with what has changed."""
    keep = arrived.pop("keep")
    lists = {name: held[name][: keep[name]] + arrived[name] for name in ("events", "moves")}
    return {**held, **arrived, **lists}


def test_whoever_knows_a_state_is_sent_only_what_has_changed(table: Table) -> None:
    table.add_numbers()
    side, spectator = asked(table), {"key": table.keys["spectator"]}
    held = table.state()
    for number in itertools.count():
        if number == 1:
            table.answer(side, undo=True)
        elif (question := table.state()["question"]) is None:
            break
        else:
            answer = {"roll": "fair"} if question["kind"] == "roll" else {"choose": question["options"][0]["id"]}
            table.answer(question.get("side") or table.sides[0], **answer)
        address = f"/api/battles/{table.id}"
        arrived = table.server.client.get(address, params={**spectator, "since": held["entries"]}).json()
        assert len(arrived["moves"]) <= 1
        held = merged(held, arrived)
        assert table.state() == held
    old = table.server.client.get(f"/api/battles/{table.id}", params={**spectator, "since": 0}).json()
    assert table.state() == merged({**held, "events": held["events"][: old["keep"]["events"]], "moves": []}, old)


def test_a_stream_of_changes_sends_the_whole_state_once(table: Table) -> None:
    side = asked(table)
    with closing(Ear(table, changes=True)) as ear:
        whole = ear.hear().state
        assert "keep" not in whole
        choose(table)
        state = merged(whole, ear.hear().state)
        table.answer(side, undo=True)
        state = merged(state, ear.hear().state)
    assert table.state() == state


def test_a_full_database_takes_no_new_battles_and_the_others_go_on(sqlite_database: str) -> None:
    with serving(sqlite_database) as server:
        table = server.open(DECISIONS_FIRST)
    with serving(sqlite_database, database_size=1) as server:
        assert 507 == server.client.post("/api/battles", json=DECISIONS_FIRST).status_code
        choose(table.at(server))


def test_one_client_opens_only_so_many_battles_in_a_day(sqlite_database: str) -> None:
    with serving(sqlite_database, stored_per_day=1_000) as server:
        codes = [server.client.post("/api/battles", json=DECISIONS_FIRST).status_code for _ in range(9)]
        assert (201, 507) == (codes[0], codes[-1])


def test_answers_count_as_stored_by_the_client_that_gives_them(sqlite_database: str) -> None:
    with serving(sqlite_database) as server:
        table = server.open(DECISIONS_FIRST)
    with serving(sqlite_database, stored_per_day=100) as server:
        crowded = table.at(server)
        given = [crowded.post("attacker", "numbers", {"number": "7" * 60}).status_code for _ in range(2)]
        assert ([200, 507], 1) == (given, crowded.state()["entries"])


def test_a_battle_that_was_abandoned_stays_over_whatever_is_done_in_it(table: Table, clock: list[int]) -> None:
    table.add_numbers()
    clock[0] = 1_000 * history.ABANDONED
    over, side = table.state(), table.sides[0]
    assert 409 == table.post(side, "numbers", {"number": "found to suit the secret"}).status_code
    assert 201 == table.post(side, "next", {"battle": DECISIONS_FIRST}).status_code
    after = table.state()
    assert ("abandoned", None, over["seed"]) == (after["ended"]["how"], after["question"], after["seed"])


def test_a_battle_that_was_played_to_its_end_was_not_abandoned(table: Table, clock: list[int]) -> None:
    table.add_numbers()
    assert table.play()["ended"] is None
    clock[0] = 1_000 * history.ABANDONED
    assert 201 == table.post(table.sides[0], "next", {"battle": DECISIONS_FIRST}).status_code
    assert table.state()["ended"] is None


def test_numbers_are_fixed_once_the_secret_is_published(table: Table) -> None:
    table.add_numbers()
    seed = table.post(table.sides[0], "concede", {}).json()["seed"]
    assert 409 == table.post(table.sides[1], "numbers", {"number": "another"}).status_code
    assert seed == table.state()["seed"]


def test_the_time_until_a_decision_is_taken_back_counts(table: Table, clock: list[int]) -> None:
    for side in table.sides:
        table.post(side, "clock", {"seconds": 60})
    side = asked(table)
    choose(table)
    clock[0] += 20_000
    assert 40 == table.answer(side, undo=True).json()["clock"]["left"][side]
