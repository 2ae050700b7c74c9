"""`grognard serve` as a process of its own: where it is, how it ends, and what it leaves behind."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from grognard.server.running import ALL_INTERFACES, display_address
from tests.server.running import PATIENCE, crowd, duel, until


class Served:
    """A server, and the address it told."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        assert process.stdout is not None
        told = re.match(r"grognard is at (http://\S+)/ \(Ctrl-C stops it\)\n", process.stdout.readline())
        assert told is not None
        self.url = told[1]

    def workers(self) -> list[int]:
        """The processes it has started."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(child) for child in children.read_text().split()]

    def end(self, number: signal.Signals) -> tuple[int, str]:
        """Send a signal: how it ended, and what it said about it."""
        self.process.send_signal(number)
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said


@contextmanager
def started(folder: Path, *arguments: str, **environ: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "grognard", "serve", "--workers", "1", *arguments]
    pipe, environment = subprocess.PIPE, os.environ | {"XDG_DATA_HOME": str(folder)} | environ
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with started(tmp_path, "--port", "0") as process:
        yield Served(process)


def state_of(process: int) -> str:
    """R for one that runs or could, Z for one that has ended: as Linux has it."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "Z"


def is_running(process: int) -> bool:
    return state_of(process) != "Z"


def is_computing(served: Served) -> bool:
    """Whether a question has come, beside that for the metrics, and one of the workers is at work."""
    metrics = httpx.get(f"{served.url}/metrics", timeout=PATIENCE).text
    return "requests_in_flight 2\n" in metrics and any(state_of(worker) == "R" for worker in served.workers())


def test_it_tells_where_it_is_answers_there_and_ctrl_c_stops_it(served: Served) -> None:
    assert served.url.startswith("http://127.0.0.1:")
    assert httpx.get(f"{served.url}/healthz", timeout=PATIENCE).json() == {"status": "ok"}
    assert httpx.post(f"{served.url}/api/check", json=duel(), timeout=PATIENCE).json()["legal"] is True
    assert "server" not in httpx.get(f"{served.url}/", timeout=PATIENCE).headers
    workers = served.workers()
    assert len(workers) == 4  # one for odds, and three for what is quick
    assert served.end(signal.SIGINT) == (0, "stopped\n")
    until(lambda: not any(is_running(worker) for worker in workers))


def test_its_log_tells_of_its_start_of_who_was_refused_and_of_its_end(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with started(tmp_path, "--port", "0", "--log", str(log)) as process:
        served = Served(process)
        httpx.get(f"{served.url}/", headers={"Host": "evil.example"}, timeout=PATIENCE)
        served.end(signal.SIGTERM)
    lines = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert ["start", "refused", "stop"] == [line["event"] for line in lines]
    assert (served.url, "host", "127.0.0.1") == (lines[0]["url"], lines[1]["reason"], lines[1]["client"])


def test_its_battles_are_among_the_users_data_for_nobody_else_to_see(tmp_path: Path, served: Served) -> None:
    folder = tmp_path / "grognard"
    assert folder.stat().st_mode & 0o777 == 0o700
    assert (folder / "battles.sqlite3").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_stops_though_a_question_is_being_worked_out(served: Served, number: signal.Signals) -> None:
    with ThreadPoolExecutor() as threads:
        asking = threads.submit(httpx.post, f"{served.url}/api/odds", json=crowd(20), timeout=PATIENCE)
        until(lambda: is_computing(served))
        ended = served.end(number)
        assert ended == {signal.SIGINT: (0, "stopped\n"), signal.SIGTERM: (-signal.SIGTERM, "")}[number]
        assert asking.result().status_code == 503


def test_its_workers_end_with_it_even_if_it_is_killed(served: Served) -> None:
    httpx.post(f"{served.url}/api/check", json=duel(), timeout=PATIENCE)
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{served.url}/api/odds", json=crowd(20), timeout=0.5)
    workers = served.workers()
    assert all(is_running(worker) for worker in workers)
    assert served.end(signal.SIGKILL)[0] == -signal.SIGKILL
    until(lambda: not any(is_running(worker) for worker in workers))


def test_a_port_that_is_taken_is_told_and_what_to_do(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with started(tmp_path, "--port", str(port)) as process:
            out, err = process.communicate()
    said = f"cannot listen at 127.0.0.1, port {port}: Address already in use (--port 0 takes any free one)\n"
    assert (process.returncode, out, err) == (2, "", said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--port", "70000"],
            "Invalid value for '--port': 70000 is not in the range 0<=x<=65535.\nTry: grognard serve --help\n",
        ),
        (
            ["--workers", "0"],
            "Invalid value for '--workers': 0 is not in the range x>=1.\nTry: grognard serve --help\n",
        ),
        (["--public-url", "x.org"], "--public-url: found x.org, expected http://… or https://…\n"),
        (["--public-url", "http://[::1"], "--public-url: found http://[::1, expected http://… or https://…\n"),
        (["--public-url", "https:///x"], "--public-url: found https:///x, expected http://… or https://…\n"),
        (["--proxy", "localhost"], "--proxy: found localhost, expected an IP address\n"),
        (["--proxy", "*"], "--proxy: found *, expected an IP address\n"),
        (["--host", "nowhere.invalid"], "--host: there is no address nowhere.invalid\n"),
        (["--host", "no..where"], "--host: there is no address no..where\n"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, arguments: list[str], said: str) -> None:
    with started(tmp_path, *arguments) as process:
        out, err = process.communicate()
    assert (process.returncode, out, err) == (2, "", said)


def test_a_database_that_cannot_be_used_is_an_error_before_the_server_starts(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("this is no database" * 100)
    with started(tmp_path, "--port", "0", "--database", f"sqlite:///{tmp_path}/file") as process:
        out, err = process.communicate()
    assert (process.returncode, out) == (1, "")
    assert "file is not a database" in err
    assert "Traceback" not in err


def test_all_interfaces_show_the_address_in_the_network_and_a_warning(tmp_path: Path) -> None:
    with started(tmp_path, "--port", "0", "--host", ALL_INTERFACES[0]) as process:
        served = Served(process)
        assert served.url.startswith(f"http://{display_address(ALL_INTERFACES[0])}:")
        _, said = served.end(signal.SIGINT)
    assert said.startswith("everybody who can reach this machine can reach it")


def test_starting_the_command_loads_no_server() -> None:
    loaded = "import sys, grognard.cli.app; print(*sys.modules)"
    asked = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    modules = set(asked.stdout.split())
    assert not modules & {"fastapi", "starlette", "uvicorn", "sqlalchemy", "pydantic", "grognard.server"}
