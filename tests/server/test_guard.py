"""Bounds on size and rate, and the headers that every answer carries."""

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from grognard.server.guard import CLIENTS, HEADERS, Rates, client_of
from tests.server.running import duel, running

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Clock:
    """Goes on when told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/battle"),
        ("GET", "/live/abc"),
        ("GET", "/docs"),
        ("GET", "/docs.css"),
        ("GET", "/openapi.json"),
        ("GET", "/healthz"),
        ("GET", "/api/systems"),
        ("GET", "/nowhere"),
        ("GET", "/api/odds"),
        ("POST", "/api/odds"),
        ("POST", "/api/battles"),
    ],
)
def test_every_answer_carries_the_headers(client: httpx.Client, method: str, path: str) -> None:
    headers = client.request(method, path).headers
    assert headers["Content-Security-Policy"] == POLICY
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize(
    ("path", "caching"), [("/api/battles/abc", "no-store"), ("/api/systems", "no-cache"), ("/", "no-cache")]
)
def test_nobody_keeps_what_the_api_says_of_battles(client: httpx.Client, path: str, caching: str) -> None:
    assert client.get(path).headers["Cache-Control"] == caching


def test_an_answer_to_what_broke_carries_the_headers_too_and_no_detail(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        del server.app.state.engine
        answer = server.client.post("/api/odds", json=duel())
        assert answer.status_code == 500
        (fault,) = answer.json()["faults"]
        assert ("something broke here; it is not your fault", "broken") == (fault["message"], fault["code"])
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
        server.app.state.engine = _NoEngine()


class _NoEngine:
    """Has nothing to close."""

    async def close(self) -> None:
        pass


def test_a_large_request_is_refused_at_sight(client: httpx.Client) -> None:
    answer = client.post("/api/odds", content=b" " * (256 * 1024 + 1), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413
    assert answer.json() == {
        "faults": [{"place": "", "message": "the request is larger than 262,144 bytes", "code": "too_large"}]
    }


def test_a_large_request_that_hides_its_size_is_refused_as_it_arrives(client: httpx.Client) -> None:
    def parts() -> Iterator[bytes]:
        for _ in range(17):
            yield b" " * (16 * 1024)

    answer = client.post("/api/odds", content=parts(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


def test_a_request_as_large_as_allowed_is_read(client: httpx.Client) -> None:
    body = b'{"system": 1}'.ljust(256 * 1024)
    answer = client.post("/api/check", content=body, headers={"Content-Type": "application/json"})
    assert answer.json()["faults"][0]["place"] == "system"


def test_a_request_that_does_not_arrive_is_refused(tmp_path: Path) -> None:
    with (
        running(tmp_path, body_seconds=0.1) as server,
        socket.create_connection(("127.0.0.1", server.port)) as slow,
        contextlib.closing(slow.makefile("rb")) as answer,
    ):
        slow.sendall(
            b"POST /api/odds HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
        )
        assert answer.readline() == b"HTTP/1.1 408 Request Timeout\r\n"


def test_too_many_requests_are_refused_with_when_to_try_again(tmp_path: Path) -> None:
    with running(tmp_path, requests_per_minute=3) as server:
        answers = [server.client.post("/api/check", json=duel()) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert 1 <= int(answers[-1].headers["Retry-After"]) <= 20
        assert answers[-1].json() == {
            "faults": [{"place": "", "message": "more than 3 requests a minute", "code": "too_many"}]
        }
        assert server.client.get("/healthz").status_code == 200


def test_a_client_may_ask_again_as_time_goes_on() -> None:
    clock = Clock()
    rates = Rates(60, clock)
    assert [rates.wait("a") for _ in range(61)] == [0] * 60 + [1]
    assert rates.wait("b") == 0
    clock.now = 1.5
    assert [rates.wait("a") for _ in range(2)] == [0, 0.5]
    clock.now = 10_000
    assert [rates.wait("a") for _ in range(61)] == [0] * 60 + [1]


def test_the_clients_that_are_told_apart_are_bounded() -> None:
    rates = Rates(60, Clock())
    for number in range(CLIENTS + 5):
        rates.wait(str(number))
    assert len(rates.buckets) == CLIENTS
    assert "0" not in rates.buckets


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("a socket", "a socket"),
        (None, ""),
    ],
)
def test_a_client_is_its_address_or_its_network(address: str | None, client: str) -> None:
    assert client_of({"client": address and (address, 1)}) == client
