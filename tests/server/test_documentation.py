"""The documentation says everything that the OpenAPI says, and loads nothing from elsewhere."""

from html.parser import HTMLParser
from typing import Any

import httpx
import pytest

from grognard.server.docs_page import docs_page

LOADING = ("src", "href", "action", "data", "poster", "srcset")


class Seen(HTMLParser):
    """What a page's tags ask for, and what can be jumped to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.ids: set[str] = set()
        self.tags: set[str] = set()
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.asked += [value or "" for name, value in attrs if name in LOADING]
        self.ids |= {value or "" for name, value in attrs if name == "id"}
        self.inline += [name for name, _ in attrs if name == "style" or name.startswith("on")]


@pytest.fixture
def api(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/openapi.json").json()
    return found


@pytest.fixture
def page(client: httpx.Client) -> Seen:
    answer = client.get("/docs")
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    return Seen(answer.text)


def test_the_page_loads_nothing_but_its_own_style(client: httpx.Client, page: Seen) -> None:
    beyond = {address for address in page.asked if not address.startswith("#")}
    assert beyond == {"data:,", "/docs.css", "/openapi.json", "/"}
    assert not page.tags & {"script", "style", "iframe", "img", "object", "embed", "form"}
    assert page.inline == []
    style = client.get("/docs.css")
    assert style.headers["Content-Type"] == "text/css; charset=utf-8"
    assert [word for word in ("url(", "@import", "http") if word in style.text] == []


def test_every_endpoint_and_every_shape_is_there_and_every_link_leads_somewhere(
    api: dict[str, Any], page: Seen
) -> None:
    operations = {one["operationId"] for methods in api["paths"].values() for one in methods.values()}
    assert operations | set(api["components"]["schemas"]) <= page.ids
    assert {address[1:] for address in page.asked if address.startswith("#")} <= page.ids


def test_what_the_api_says_cannot_break_out_of_the_page() -> None:
    evil = '<script>alert("1")</script>'
    operation = {
        "operationId": evil,
        "summary": evil,
        "parameters": [{"name": evil, "schema": {"type": evil}, "description": evil}],
        "requestBody": {
            "content": {
                "application/json": {"schema": {"$ref": f"#/{evil}"}, "examples": {evil: {"value": {evil: evil}}}}
            }
        },
        "responses": {evil: {"description": evil, "content": {evil: {"schema": {"enum": [evil]}}}}},
    }
    shapes = {evil: {"description": evil, "properties": {evil: {"const": evil, "description": evil}}}}
    info = {"title": evil, "version": evil, "description": evil}
    told = docs_page({"info": info, "paths": {evil: {"get": operation}}, "components": {"schemas": shapes}})
    assert "script" not in Seen(told).tags


def test_every_operation_has_its_own_id_a_description_and_an_example_where_a_battle_is_sent(
    api: dict[str, Any],
) -> None:
    operations = [one for methods in api["paths"].values() for one in methods.values()]
    ids = [one["operationId"] for one in operations]
    assert len(set(ids)) == len(ids)
    assert [one["operationId"] for one in operations if not one.get("description")] == []
    for ask in ("check", "odds", "advise", "simulate", "play", "after", "toml"):
        assert api["paths"][f"/api/{ask}"]["post"]["requestBody"]["content"]["application/json"]["examples"]
