"""A live battle's state may be large: the server passes it on piece by piece, and reads only its head."""

import gzip
import json
from typing import Any

from grognard.server.live.history import CachedBattle, History
from grognard.server.live.state import LivePlay, Outdated, Seat, split_head
from grognard.server.live.store import Record
from grognard.work.pool import PIECE, Reply
from grognard.work.worker import Status, to_json

SEAT = Seat(CachedBattle(Record("b", "b", 0, {"system": "ranks"}, {}, None, {"red": "", "spectator": ""})), "red")
LARGE = 40 * PIECE


def reply(rest: str, **head: Any) -> Reply:
    body = to_json({"head": {"system": "ranks", "sides": {"red": "attacker"}, "question": None, **head}})
    return Reply(Status.DONE, gzip.compress(body[:-1] + f",{rest}}}".encode()), is_compressed=True)


def play(rest: str, **head: Any) -> LivePlay:
    return LivePlay(SEAT.record, History(), *split_head(reply(rest, **head)), now=0)


def test_what_is_behind_the_head_is_sent_as_the_worker_wrote_it_without_being_read() -> None:
    sent = b"".join(play('"events":this is no JSON').pieces(SEAT))
    assert sent.endswith(b',"events":this is no JSON}')


def test_a_state_is_the_head_with_the_rest() -> None:
    state = json.loads(b"".join(play('"events": [1]', question={"kind": "choice", "side": "red"}).pieces(SEAT)))
    assert ("red", True, [1], "ranks") == (state["side"], state["can_answer"], state["events"], state["system"])


def test_no_more_than_a_piece_of_a_large_state_is_held_at_once() -> None:
    pieces = list(map(len, play(f'"events":"{"x" * LARGE}"').pieces(SEAT)))
    assert PIECE == max(pieces)
    assert LARGE < sum(pieces)


def test_a_head_may_be_longer_than_a_piece() -> None:
    long = play('"events":[]', sides={f"side {number}": "defender" for number in range(PIECE // 10)})
    assert PIECE // 10 == len(json.loads(b"".join(long.pieces(SEAT)))["sides"])


def test_a_conflict_tells_the_state_in_pieces_too() -> None:
    pieces = list(Outdated("too late", SEAT, play(f'"events":"{"x" * LARGE}"')).pieces or ())
    assert PIECE == max(map(len, pieces))
    told = json.loads(b"".join(pieces))
    assert ("too late", LARGE) == (told["faults"][0]["message"], len(told["state"]["events"]))
