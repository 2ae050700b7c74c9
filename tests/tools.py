"""Programs that tests need beside Python: found, or else installed where that is possible, or else a reason to skip."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

APT = ("apt-get", "-q", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20")


def required(find: Callable[[], Path | None], package: str) -> Path:
    """A program of a Debian package. Without it the test is skipped with the reason; with CI=true it fails."""
    tool = find()
    if tool is not None:
        return tool
    why_not = _install(package)
    tool = find()
    if tool is not None:
        return tool
    reason = f"{package} is not installed, and {why_not or 'what was installed has not what is needed'}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def _install(package: str) -> str | None:
    """Install a package; if that is impossible, why."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return "it takes root and apt-get to install it"
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with Path(tempfile.gettempdir(), "grognard-apt.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes, and apt-get in one
        for command in (["update"], ["install", "-y", "--no-install-recommends", package]):
            try:
                done = subprocess.run([*APT, *command], env=quiet, capture_output=True, text=True, timeout=600)
            except subprocess.TimeoutExpired:
                return f"apt-get {command[0]} took too long"
            if done.returncode:
                return f"apt-get {command[0]} failed: {done.stderr.strip().splitlines()[-1:]}"
    return None
