"""Photograph every view of the web page, wide and narrow, light and dark: `make screenshots`.

All pictures go to `build/screenshots`. The one that the README shows goes beside this file.
"""

import shutil
import tempfile
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from tests.browser.conftest import FLAGS
from tests.browser.people import DESKTOP, PHONE, Person
from tests.browser.serving import Server
from tests.browser.tables import example
from tests.browser.views import VIEWS

PICTURES = Path(__file__).parent
ALL = PICTURES.parents[1] / "build" / "screenshots"
SIZES: dict[str, ViewportSize] = {"desktop": DESKTOP, "phone": PHONE}
LIGHTS: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def photograph_all(browser: Browser, url: str) -> None:
    """Photograph every view at its full height."""
    shutil.rmtree(ALL, ignore_errors=True)
    for name, opens in VIEWS.items():
        person = Person(browser, url)
        opens(person)
        for (width, size), light in product(SIZES.items(), LIGHTS):
            person.page.set_viewport_size(size)
            person.page.emulate_media(color_scheme=light)
            person.page.screenshot(path=ALL / f"{name}-{width}-{light}.png", full_page=True)
        person.leave()


def photograph_best(browser: Browser, url: str) -> None:
    """Photograph what the README shows."""
    desk = Person(browser, url, viewport={"width": 1280, "height": 860})
    example(desk, "Call in")
    stand_still(desk.page)
    desk.page.screenshot(path=PICTURES / "table.png")
    desk.leave()


def stand_still(page: Page) -> None:
    """Remove the focus and scroll to the top."""
    page.evaluate("document.activeElement?.blur(); scrollTo(0, 0)")


def main() -> None:
    """Start a server and a browser, and photograph everything."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        try:
            photograph_best(browser, server.url)
            photograph_all(browser, server.url)
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
