"""Every view, light and dark, on a desk and on a phone: for everybody to read, nothing cut off, nothing that moves."""

import re
from collections.abc import Iterator
from typing import Literal
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.conftest import gathering
from tests.browser.people import DESKTOP, PHONE, Person
from tests.browser.serving import Server
from tests.browser.views import VIEWS

WHAT_MOVES = """() => [...document.querySelectorAll('*')].flatMap((element) =>
  ['', '::before', '::after', '::backdrop'].flatMap((part) => {
    const style = getComputedStyle(element, part)
    const moves = style.animationName !== 'none' || style.transitionDuration.split(', ').some((time) => time !== '0s')
    return moves ? [`${element.tagName} ${element.className} ${part}`] : []
  })).concat(document.getAnimations().map((one) => `runs: ${one.effect?.target?.tagName}`))"""
WHAT_STICKS_OUT = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll('body *')].filter((element) => element.getBoundingClientRect().right > innerWidth)
    .map((element) => `${element.tagName} ${element.className}`)"""


@pytest.fixture(scope="module", params=VIEWS)
def person(request: pytest.FixtureRequest, browser: Browser, server: Server) -> Iterator[Person]:
    """Somebody who looks at a view, with the network cut to all but the server."""
    with gathering(browser, server) as come:
        found = come()
        found.context.route(re.compile(f"^(?!{re.escape(server.url)}/)"), lambda route: route.abort())
        VIEWS[request.param](found)
        found.page.evaluate(AXE_SCRIPT)
        yield found


@pytest.fixture
def page(person: Person) -> Page:
    return person.page


def test_it_opens_without_any_other_host(person: Person, server: Server) -> None:
    hosts = {urlsplit(request.url).netloc for request in person.asked if request.url.startswith("http")}
    assert {urlsplit(server.url).netloc} == hosts


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("light", ["light", "dark"])
def test_axe_finds_nothing(page: Page, size: ViewportSize, light: Literal["light", "dark"]) -> None:
    page.set_viewport_size(size)
    page.emulate_media(color_scheme=light)
    found = page.evaluate("axe.run({resultTypes: ['violations']})")
    assert [] == [f"{one['id']}: {node['html']}" for one in found["violations"] for node in one["nodes"]]


def test_a_phone_does_not_scroll_sideways(page: Page) -> None:
    page.set_viewport_size(PHONE)
    assert [] == page.evaluate(WHAT_STICKS_OUT)


def test_nothing_moves_for_those_who_want_it_so(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    assert [] == page.evaluate(WHAT_MOVES)
