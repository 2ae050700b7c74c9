"""Hypothesis measures no time, which says nothing about what a test checks; and what the long checks try is counted."""

from collections.abc import Generator

import pytest
from hypothesis import settings

from tests import soak

settings.register_profile("untimed", deadline=None, max_examples=soak.cases(100))
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record-soak", action="store_true", help="keep the table of the long checks for the docs")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    soak.repeat(metafunc)


@pytest.hookimpl(tryfirst=True)  # before tests are selected by their marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    soak.mark_properties(items)


def pytest_runtest_setup() -> None:
    soak.forget()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    soak.report_counts(item, report)
    return report


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, exitstatus: pytest.ExitCode, config: pytest.Config
) -> None:
    if soak.FACTOR == 1 and not config.getoption("record_soak"):
        return
    rows = soak.rows(report for reports in terminalreporter.stats.values() for report in reports)
    terminalreporter.section(f"the long checks, {soak.FACTOR} times the cases")
    for line in soak.table(rows):
        terminalreporter.write_line(line)
    if config.getoption("record_soak") and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        soak.record(rows)  # but not those of a run that was interrupted
