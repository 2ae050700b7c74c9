"""Tests that cannot run are skipped with the reason, and fail where everything must run."""

import os
from pathlib import Path

import pytest

from tests.tools import required


@pytest.fixture(autouse=True)
def not_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.delenv("CI", raising=False)


def test_what_is_there_is_used() -> None:
    assert Path("there") == required(lambda: Path("there"), "package")


def test_what_is_missing_and_cannot_be_installed_is_a_reason_to_skip() -> None:
    with pytest.raises(pytest.skip.Exception, match="package is not installed, and it takes root"):
        required(lambda: None, "package")


def test_with_ci_true_it_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="package is not installed"):
        required(lambda: None, "package")
