"""Bounds on size and rate, and the headers that every answer carries."""

import asyncio
import contextlib
import select
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from grognard.server.guard import CLIENTS, HEADERS, Guard, RateLimiter, Throttle, client_of
from grognard.server.monitor import Monitor
from grognard.server.settings import Settings
from grognard.work.pool import Job, Pool
from tests.server.running import PATIENCE, Running, duel, running, until

KEEP_ALIVE_TIMER = "02"
POST = b"POST /api/odds HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
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
        slow.sendall(POST + b"Content-Length: 9\r\n\r\n{")
        assert answer.readline() == b"HTTP/1.1 408 Request Timeout\r\n"


def test_too_many_requests_are_refused_with_when_to_try_again(tmp_path: Path) -> None:
    with running(tmp_path, requests_per_minute=3) as server:
        answers = [server.client.get("/api/systems") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert 1 <= int(answers[-1].headers["Retry-After"]) <= 20
        assert answers[-1].json() == {
            "faults": [{"place": "", "message": "more than 3 requests a minute", "code": "too_many"}]
        }
        assert server.client.get("/healthz").status_code == 200


def test_a_large_request_counts_as_several(tmp_path: Path) -> None:
    with running(tmp_path, requests_per_minute=14) as server:
        sent = [b" " * 200_000, b" " * 200_000, b""]
        answers = [server.client.request("GET", "/api/systems", content=one) for one in sent]
        assert [200, 429, 200] == [answer.status_code for answer in answers]


def test_opening_a_live_battle_counts_as_five(tmp_path: Path) -> None:
    with running(tmp_path, requests_per_minute=6) as server:
        answers = [server.client.post("/api/battles", json={}), server.client.post("/api/battles", json={})]
        assert [422, 429] == [answer.status_code for answer in answers]
        assert server.client.get("/api/systems").status_code == 200


def test_a_request_that_hides_its_size_counts_as_large(tmp_path: Path) -> None:
    with running(tmp_path, requests_per_minute=14) as server:
        answers = [server.client.request("GET", "/api/systems", content=iter([b" "])) for _ in range(2)]
        assert [200, 429] == [answer.status_code for answer in answers]


def test_a_refusal_is_held_back_while_others_are_answered(tmp_path: Path) -> None:
    with running(tmp_path, requests_per_minute=1, refusal_seconds=PATIENCE) as server:
        assert 200 == server.client.get("/api/systems").status_code
        with socket.create_connection(("127.0.0.1", server.port)) as refused:
            refused.sendall(b"GET /api/systems HTTP/1.1\r\nHost: localhost\r\n\r\n")
            monitor: Monitor = server.app.state.monitor
            until(lambda: monitor.counts["refused_total", "reason", "rate"])
            assert 200 == server.client.get("/healthz").status_code
            assert ([], [], []) == select.select([refused], [], [], 0)


def test_a_client_may_ask_again_as_time_goes_on() -> None:
    clock = Clock()
    limiter = RateLimiter(60, 1, clock)
    assert [limiter.take("a") for _ in range(61)] == [0] * 60 + [1]
    assert limiter.take("b") == 0
    clock.now = 1.5
    assert [limiter.take("a") for _ in range(2)] == [0, 0.5]
    clock.now = 10_000
    assert [limiter.take("a") for _ in range(61)] == [0] * 60 + [1]


def test_the_clients_that_are_told_apart_are_bounded() -> None:
    limiter = RateLimiter(60, 1, Clock())
    for number in range(CLIENTS + 5):
        limiter.take(str(number))
    assert len(limiter.buckets) == CLIENTS
    assert "0" not in limiter.buckets


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


def test_a_client_may_have_so_many_requests_under_way(tmp_path: Path) -> None:
    with running(tmp_path, in_flight=1) as server, socket.create_connection(("127.0.0.1", server.port)) as slow:
        slow.sendall(POST + b"Content-Length: 9\r\n\r\n{")
        until(lambda: server.client.get("/api/systems").status_code == 429)
        refused = server.client.post("/api/check", json=duel())
        assert (429, "1") == (refused.status_code, refused.headers["Retry-After"])
        assert 200 == server.client.get("/healthz").status_code
        slow.close()
        until(lambda: server.client.get("/api/systems").status_code == 200)


def test_requests_of_a_client_that_overlap_begin_one_after_the_other(tmp_path: Path) -> None:
    with (
        running(tmp_path, overlap_seconds=PATIENCE) as server,
        socket.create_connection(("127.0.0.1", server.port)) as slow,
        socket.create_connection(("127.0.0.1", server.port)) as second,
        httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2")) as another,
    ):

        def in_flight(count: int) -> bool:
            return f"requests_in_flight {count + 1}\n" in another.get(f"http://127.0.0.1:{server.port}/metrics").text

        for _ in range(3):  # these do not overlap
            assert 200 == server.client.get("/api/systems").status_code
        slow.sendall(POST + b"Content-Length: 9\r\n\r\n{")
        until(lambda: in_flight(1))
        second.sendall(b"GET /api/systems HTTP/1.1\r\nHost: localhost\r\n\r\n")
        until(lambda: in_flight(2))
        assert 200 == server.client.get("/healthz").status_code
        assert in_flight(2)


def test_a_request_that_overlaps_lets_a_busy_server_work_but_not_for_ever() -> None:
    pause = 0.05

    async def begin_while_others_work(rounds: int, longest: float) -> int:
        """How many of the others' pieces of work are done when the request begins."""
        done = 0

        async def others() -> None:
            nonlocal done
            for _ in range(rounds):
                time.sleep(0.002)  # what they need of the event loop
                done += 1
                await asyncio.sleep(0)

        throttle = Throttle()
        await throttle.wait(pause, longest, is_overlapping=False)
        working = asyncio.create_task(others())
        await throttle.wait(pause, longest, is_overlapping=True)
        working.cancel()
        return done

    assert 20 == asyncio.run(begin_while_others_work(20, PATIENCE))
    endless = 10**6
    assert 0 < asyncio.run(begin_while_others_work(endless, pause)) < endless


@pytest.mark.parametrize("path", ["/", "/nowhere", "/healthz", "/systems.json"])
def test_files_that_a_client_asks_for_all_at_once_are_sent_one_after_the_other(path: str) -> None:
    turns: list[int] = []

    async def send_all() -> None:
        now = 0

        async def send_file(scope: Scope, receive: Receive, send: Send) -> None:
            turns.append(now)

        guard = Guard(send_file, Settings(database="sqlite://"), Monitor())
        request = {"type": "http", "method": "GET", "path": path, "headers": [(b"host", b"localhost")]}
        sent = asyncio.gather(*(guard(request, _nothing, _nothing) for _ in range(20)))  # type: ignore[arg-type]
        while not sent.done():
            now += 1  # another client has its turn
            await asyncio.sleep(0)

    asyncio.run(send_all())
    assert 20 == len(turns) == len(set(turns))


async def _nothing(*message: object) -> None:
    """Receive and send nothing."""


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: local"])
def test_a_connection_that_does_not_send_its_headers_is_closed(tmp_path: Path, sent: bytes) -> None:
    with (
        running(tmp_path, header_seconds=0.1) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as slow,
    ):
        slow.sendall(sent)
        assert b"" == received(slow)


def test_the_headers_of_a_second_request_must_arrive_in_time_too(tmp_path: Path) -> None:
    with (
        running(tmp_path, header_seconds=0.5) as server,
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as slow,
    ):
        slow.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = b""
        while not answer.endswith(b'{"status":"ok"}'):
            answer += slow.recv(4096)
        slow.sendall(b"GET /healthz HTT")
        assert b"" == received(slow)


def test_a_slow_answer_is_not_taken_for_slow_headers(tmp_path: Path) -> None:
    with running(tmp_path, header_seconds=0.5) as server:
        answer = server.client.post("/api/simulate?n=20000", json=duel(20, 20))  # its worker has yet to start
        assert 200 == answer.status_code


@pytest.mark.parametrize("limit", ["connections_per_client", "connections"])
def test_so_many_connections_may_be_held_by_a_client_and_in_all(tmp_path: Path, limit: str) -> None:
    bound: dict[str, Any] = {limit: 1}
    with running(tmp_path, **bound) as server:
        address = ("127.0.0.1", server.port)
        with socket.create_connection(address) as first:
            first.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert first.recv(4096).startswith(b"HTTP/1.1 200")
            with socket.create_connection(address, timeout=PATIENCE) as second:
                assert b"" == received(second)
        until(lambda: _is_answered(server))


def test_a_connection_whose_other_end_has_vanished_is_found_out(tmp_path: Path) -> None:
    with running(tmp_path) as server, socket.create_connection(("127.0.0.1", server.port)) as connected:
        ends = f"0100007F:{server.port:04X}", f"0100007F:{connected.getsockname()[1]:04X}"
        until(lambda: [KEEP_ALIVE_TIMER] == _timers(*ends))


def _timers(local: str, remote: str) -> list[str]:
    """Which timer runs for a connection, as Linux tells it."""
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()]
    return [line[5].partition(":")[0] for line in lines if line[1:3] == [local, remote]]


def test_a_client_may_open_only_so_many_connections_in_a_minute(tmp_path: Path) -> None:
    with running(tmp_path, connections_per_client=3, connections_per_minute=1) as server:
        until(lambda: server.app.state.monitor.gauges["connections"][1]() == 0)
        for is_taken in (True, True, True, False):
            with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connected:
                connected.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert is_taken == bool(received(connected))


def test_a_client_that_connects_anew_for_each_request_is_told_that_it_asks_too_often(tmp_path: Path) -> None:
    with running(tmp_path, requests_per_minute=2, connections_per_client=2, connections_per_minute=10) as server:
        url = f"http://127.0.0.1:{server.port}/api/systems"
        assert [200, 200, 429] == [httpx.get(url, timeout=PATIENCE).status_code for _ in range(3)]


def _is_answered(server: Running) -> bool:
    with contextlib.suppress(httpx.TransportError):
        return server.client.get("/healthz").status_code == 200
    return False


def received(connected: socket.socket, most: int = 1) -> bytes:
    try:
        return connected.recv(most)
    except ConnectionResetError:
        return b""


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8000", "127.0.0.1:80", "[::1]:8000", "192.168.0.7", "LOCALHOST"]
)
def test_the_server_answers_to_its_own_names_and_to_addresses(client: httpx.Client, host: str) -> None:
    assert 200 == client.get("/healthz", headers={"Host": host}).status_code


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example:8000", "", "localhost:80@evil.example", "[::1", "[::1]x", "127.0.0.1:x"],
)
def test_a_page_of_another_name_cannot_pass_for_ours(client: httpx.Client, host: str) -> None:
    refused = client.get("/api/systems", headers={"Host": host})
    assert (421, "host") == (refused.status_code, refused.json()["faults"][0]["code"])


def test_the_public_url_is_a_name_of_the_server() -> None:
    settings = Settings(database="sqlite://", public_url="https://odds.example/battles")
    assert settings.is_own_host("odds.example")


def test_the_api_for_programs_is_made_once_and_compressed(client: httpx.Client) -> None:
    first = client.get("/openapi.json")
    assert "gzip" == first.headers["Content-Encoding"]
    assert 304 == client.get("/openapi.json", headers={"If-None-Match": first.headers["ETag"]}).status_code


def test_documents_that_are_dear_to_make_are_limited_too(tmp_path: Path) -> None:
    with running(tmp_path, requests_per_minute=1) as server:
        assert [200, 429] == [server.client.get("/openapi.json").status_code for _ in range(2)]


def test_who_sent_a_request_is_not_believed_unless_a_proxy_is_named(tmp_path: Path) -> None:
    with running(tmp_path, requests_per_minute=1) as server:
        sent = [{"X-Forwarded-For": f"10.0.0.{number}"} for number in (1, 2)]
        assert [200, 429] == [server.client.get("/api/systems", headers=headers).status_code for headers in sent]


@contextlib.contextmanager
def streaming(server: Running, headers: bytes) -> Iterator[socket.socket]:
    """A connection that listens to a live battle, and hears of it to its end; its request is not complete."""
    opened = server.client.post("/api/battles", json=duel()).json()
    address, key = f"/api/battles/{opened['id']}", opened["keys"]["Red"]
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connected:
        connected.sendall(f"GET {address}/live?key={key} HTTP/1.1\r\nHost: localhost\r\n".encode())
        connected.sendall(headers + b"\r\n\r\n")
        hear(connected, b"data:")
        yield connected
        server.client.post(f"{address}/concede", params={"key": key})
        hear(connected, b"conceded")


def hear(connected: socket.socket, what: bytes) -> None:
    """Read until something is heard, or the other end hangs up."""
    heard = b""
    while what not in heard and (more := received(connected, 4096)):
        heard += more
    assert what in heard


def test_the_streams_of_a_client_have_no_more_turns_at_the_workers_than_the_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path) as server:
        pool, owners = server.engine.quick, set()

        def start(task: bytes, owner: str = "", affinity: str = "") -> Job:
            owners.add(owner)
            return Pool.start(pool, task, owner, affinity)

        monkeypatch.setattr(pool, "start", start)
        with streaming(server, b"X: 1"), streaming(server, b"X: 2"):
            assert {"127.0.0.1"} == owners


def test_a_stream_whose_request_never_arrives_goes_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with (
        running(tmp_path, body_seconds=5) as server,
        streaming(server, b"Content-Length: 9"),
        socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as later,
    ):
        later.sendall(POST + b"Content-Length: 9\r\n\r\n")
        hear(later, b"408")
    assert "" == capfd.readouterr().err


def test_a_stream_whose_request_turns_out_too_large_goes_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with running(tmp_path) as server, streaming(server, b"Transfer-Encoding: chunked") as large:
        large.sendall(b"50000\r\n" + bytes(0x50000))
    assert "" == capfd.readouterr().err


@pytest.mark.parametrize("is_answered", [False, True])
def test_what_is_no_http_is_refused_at_any_time(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], is_answered: bool
) -> None:
    with running(tmp_path) as server, socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as odd:
        if is_answered:
            odd.sendall(b"GET /api/systems HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
            hear(odd, b"200 OK")
        odd.sendall(b"no HTTP\r\n\r\n")
        while received(odd, 65536):
            pass
        assert 'grognard_refused_total{reason="malformed"} 1\n' in server.app.state.monitor.metrics()
    assert "" == capfd.readouterr().err


def test_other_protocols_that_a_client_would_rather_speak_are_passed_over(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with running(tmp_path) as server:
        headers = {"Connection": "Upgrade", "Upgrade": "websocket"}
        assert 200 == server.client.get("/healthz", headers=headers).status_code
    assert "" == capfd.readouterr().err
