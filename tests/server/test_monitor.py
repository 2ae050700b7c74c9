"""What operators see: a log of JSON lines and figures."""

import io
import json
from contextlib import suppress
from pathlib import Path

import pytest

from grognard.server.monitor import LOGGED_REFUSALS, SLOW, Monitor
from tests.server.running import duel, running


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
