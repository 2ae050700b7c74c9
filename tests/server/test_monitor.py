"""What operators see: a log of JSON lines and figures."""

import io
import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from grognard.core.systems import Json
from grognard.server.monitor import LOGGED_REFUSALS, SLOW, Monitor
from tests.server.running import Running, duel, running


def test_the_log_has_a_line_of_json_for_each_event_with_its_time() -> None:
    log = io.StringIO()
    Monitor(log, lambda: 86_400.25).worker_restarted("lost")
    assert {"time": "1970-01-02T00:00:00.250Z", "event": "worker_restart", "reason": "lost"} == json.loads(
        log.getvalue()
    )


def test_only_slow_questions_are_logged() -> None:
    log = io.StringIO()
    monitor = Monitor(log)
    monitor.task_ended("odds", "ranks", SLOW / 2)
    monitor.task_ended("advise", "tower", SLOW * 2)
    (line,) = log.getvalue().splitlines()
    assert ("slow", "advise", "tower", SLOW * 2) == tuple(
        json.loads(line)[key] for key in ("event", "task", "system", "seconds")
    )


def test_a_flood_of_refusals_is_counted_but_not_all_logged() -> None:
    log, now = io.StringIO(), 0.0
    monitor = Monitor(log, lambda: now)
    for _ in range(LOGGED_REFUSALS + 5):
        monitor.refused("rate", "10.0.0.1")
    assert LOGGED_REFUSALS == len(log.getvalue().splitlines())
    now = 60.0
    monitor.refused("rate", "10.0.0.1")
    assert LOGGED_REFUSALS + 1 == len(log.getvalue().splitlines())
    assert f'grognard_refused_total{{reason="rate"}} {LOGGED_REFUSALS + 6}\n' in monitor.metrics()


def test_metrics_are_in_the_text_format_of_prometheus(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        server.client.post("/api/odds", json=duel())
        server.client.post("/api/odds", json={"system": "ranks"})
        answer = server.client.get("/metrics")
    assert "text/plain; version=0.0.4; charset=utf-8" == answer.headers["Content-Type"]
    samples = [line for line in answer.text.splitlines() if not line.startswith("#")]
    assert {'grognard_requests_total{status="200"} 1', 'grognard_requests_total{status="422"} 1'} <= set(samples)
    assert "grognard_streams 0" in samples
    assert all(line.startswith("grognard_") and float(line.rsplit(" ", 1)[1]) >= 0 for line in samples)
    types = [line.split()[2] for line in answer.text.splitlines() if line.startswith("# TYPE")]
    assert len(set(types)) == len(types)


def test_a_figure_has_all_its_digits() -> None:
    monitor = Monitor()
    monitor.add_gauge("cache_bytes", "Bytes of answers that are kept.", lambda: 67_108_863)
    assert "grognard_cache_bytes 67108863\n" in monitor.metrics()


def test_what_broke_is_counted_and_logged(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with running(tmp_path, str(log)) as server:
        engine = server.app.state.engine
        del server.app.state.engine
        server.client.post("/api/odds", json=duel())
        server.app.state.engine = engine
        assert 'grognard_requests_total{status="500"} 1\n' in server.client.get("/metrics").text
    assert ["AttributeError"] == [line["error"] for line in lines(log) if line["event"] == "broken"]


def test_a_damaged_database_is_told_to_everybody_who_asks_and_once_to_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with running(tmp_path, str(log)) as server:
        assert (200, {"status": "ok"}) == health(server)
        opened = server.client.post("/api/battles", json=duel()).json()
        database = tmp_path / "battles.sqlite3"
        with closing(sqlite3.connect(database)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with database.open("r+b") as file:
            file.seek(100)
            file.write(b"damage" * 10_000)
        key = {"Authorization": f"Bearer {opened['keys']['Red']}"}
        for what, path in (("GET", ""), ("GET", "/live"), ("POST", "/concede")):
            answer = server.client.request(what, f"/api/battles/{opened['id']}{path}", headers=key)
            (fault,) = answer.json()["faults"]
            assert (503, "database") == (answer.status_code, fault["code"])
            assert "the database is damaged" in fault["message"]
        assert (503, {"status": "the database is damaged"}) == health(server)
    assert 1 == sum(line["event"] == "damaged" for line in lines(log))


def lines(log: Path) -> list[Json]:
    return [json.loads(line) for line in log.read_text("utf-8").splitlines()]


def health(server: Running) -> tuple[int, object]:
    answer = server.client.get("/healthz")
    return answer.status_code, answer.json()


def test_a_log_that_cannot_be_written_harms_nobody() -> None:
    monitor = Monitor()
    with suppress(OSError), Path("/dev/full").open("w") as full:  # it cannot be closed either
        monitor.log_file = full
        monitor.refused("rate", "10.0.0.1")
        monitor.worker_restarted("lost")
    figures = monitor.metrics()
    assert 'grognard_unlogged_total{event="refused"} 1\n' in figures
    assert 'grognard_unlogged_total{event="worker_restart"} 1\n' in figures


@pytest.mark.parametrize("system", ["x" * 1_000, ["ranks"], {"key": "secret"}, None])
def test_what_a_client_calls_a_system_is_not_logged(system: object) -> None:
    log = io.StringIO()
    Monitor(log).task_ended("odds", system, SLOW * 2)
    assert json.loads(log.getvalue())["system"] is None
