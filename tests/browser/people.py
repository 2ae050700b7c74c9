"""Somebody at a browser of their own, in which nothing goes wrong unnoticed."""

from copy import copy
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, ViewportSize

from tests.browser.serving import PATIENCE

DESKTOP: ViewportSize = {"width": 1280, "height": 900}
PHONE: ViewportSize = {"width": 390, "height": 844}
TELL_REFUSALS = """
addEventListener('securitypolicyviolation', (event) =>
  console.error(`refused by the policy: ${event.violatedDirective} ${event.blockedURI}`))
"""
EXPECTED = "Failed to load resource"
"""What the browser itself writes when a server refuses something, or is away."""


class Person:
    """A new profile with one page."""

    def __init__(self, browser: Browser, url: str, **options: Any) -> None:
        self.url = url
        self.troubles: list[str] = []
        self.asked: list[Request] = []
        self.context = browser.new_context(**{"viewport": DESKTOP, **options})
        self.context.set_default_timeout(1000 * PATIENCE)
        self.context.add_init_script(TELL_REFUSALS)
        self.context.on("request", self._notice_request)
        self.context.on("console", self._notice_message)
        self.context.on("weberror", lambda error: self.troubles.append(f"error: {error.error}"))
        self.page: Page = self.context.new_page()

    def go(self, address: str = "/") -> None:
        """Open an address of the server, or a whole link."""
        self.page.goto(address if "://" in address else f"{self.url}{address}")

    def beside(self, link: str) -> "Person":
        """The same person with another page beside this one."""
        other = copy(self)
        other.page = self.context.new_page()
        other.go(link)
        return other

    def download(self, button: Locator, folder: Path) -> Path:
        """The file that a button gives, under its own name."""
        with self.page.expect_download() as started:
            button.click()
        file = folder / started.value.suggested_filename
        started.value.save_as(file)
        return file

    def leave(self) -> None:
        """Close the browser."""
        self.context.close()

    def _notice_request(self, request: Request) -> None:
        self.asked.append(request)
        address = urlsplit(request.url)
        if address.scheme not in ("data", "blob") and not request.url.startswith(f"{self.url}/"):
            self.troubles.append(f"asked another host: {request.url}")

    def _notice_message(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not message.text.startswith(EXPECTED):
            self.troubles.append(f"{message.type}: {message.text}")
