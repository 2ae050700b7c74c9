"""The page with the engine inside it: its compressed size, and the time until it shows odds in a browser."""

import gzip
import re
import shutil
import tempfile
import time
from pathlib import Path

from playwright.sync_api import BrowserContext, sync_playwright
from tests.browser.hosting import Host

from bench.report import Row, show, within, without_target
from grognard import site

BATTLE = "#e=ranks/02-three-against-four"
PATIENCE = 120_000
TIMES = 3
IS_CACHED = """
async () => {
  const files = ['engine.zip', 'pyodide/python_stdlib.zip'].map((file) => caches.match(file))
  return (await Promise.all([caches.has('grognard-snapshot'), ...files])).every(Boolean)
}
"""


def sizes() -> list[Row]:
    """The sizes of the compressed files."""
    files = site.files()
    sent = {name: min(len(content), len(gzip.compress(content))) for name, content in files.items()}
    deferred = sum(size for name, size in sent.items() if name.startswith(site.DEFERRED))
    named = re.findall(r'(?:src|href)="\./([^"]+)"', files[site.INDEX].decode())
    first = sum(sent[name] for name in (site.INDEX, site.SYSTEMS, *named))
    return [
        within(
            "page, first view", first / 1000, 200, "kB", f"all of it: {(sum(sent.values()) - deferred) / 1000:,.0f} kB"
        ),
        within("engine", deferred / 1e6, 10, "MB"),
    ]


def first_odds(context: BrowserContext, url: str) -> float:
    """The seconds from opening a battle to its odds. Then waits until everything is cached for the next visit."""
    page = context.new_page()
    start = time.perf_counter()
    page.goto(f"{url}/{BATTLE}")
    page.get_by_text("Net losses (swing)").first.wait_for(timeout=PATIENCE)
    seconds = time.perf_counter() - start
    while not page.evaluate(IS_CACHED):
        page.wait_for_timeout(100)
    page.close()
    return seconds


def starts() -> list[Row]:
    """The times in Chromium, from a server on this machine."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        host = Host(Path(folder))
        host.put()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        contexts = [browser.new_context() for _ in range(TIMES)]
        first = min(first_odds(context, host.url) for context in contexts)
        later = min(first_odds(context, host.url) for context in contexts)
        browser.close()
        host.stop()
    return [
        within("first odds, first visit", first, 10, "s", "Chromium, from a server on the same machine"),
        within("first odds, later visits", later, 3, "s", "without a request, from a snapshot of Python"),
        without_target("first odds, later visits against the first", later, first, f"the best of {TIMES}"),
    ]


def run() -> bool:
    """Print all tables; returns whether all targets are met."""
    return show("The page without a server", [*sizes(), *starts()])
