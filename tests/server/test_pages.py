"""The page as it was built, with what says how long it may be kept; and a word where it was not."""

import asyncio
import gzip
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request

from grognard.server import pages

INDEX = b"<!doctype html><title>grognard</title>" + b" " * 1_000
SCRIPT = b"console.log(1)" * 100


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_bytes(INDEX)
    (tmp_path / "assets" / "index-abc123.js").write_bytes(SCRIPT)
    (tmp_path / "sw.js").write_bytes(b"self.FILES")
    (tmp_path / "icon.svg").write_bytes(b"<svg/>")
    return tmp_path


def get(folder: Path, path: str, method: str = "GET", **headers: str) -> httpx.Response:
    app = FastAPI(openapi_url=None)
    app.include_router(pages.router(pages.load_files(folder)))

    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
            return await client.request(method, path, headers=headers)

    return asyncio.run(ask())


@pytest.mark.parametrize("path", ["/", "/battle", "/live/abc", "/live/abc/def", "/index.html"])
def test_the_page_is_at_all_its_addresses_and_asked_for_each_time(folder: Path, path: str) -> None:
    answer = get(folder, path)
    assert (answer.status_code, answer.content) == (200, INDEX)
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"


def test_a_file_with_a_hash_in_its_name_is_kept_for_ever(folder: Path) -> None:
    answer = get(folder, "/assets/index-abc123.js")
    assert answer.content == SCRIPT
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"


def test_a_file_is_sent_compressed(folder: Path) -> None:
    kept = pages.load_files(folder)["assets/index-abc123.js"]
    assert gzip.decompress(kept.compressed) == SCRIPT
    answer = get(folder, "/assets/index-abc123.js")
    assert (answer.headers["Content-Encoding"], answer.headers["Vary"]) == ("gzip", "Accept-Encoding")


def test_seen_from_a_live_battle_the_files_lie_at_the_top(folder: Path) -> None:
    (folder / "index.html").write_bytes(b'<script src="./assets/index-abc123.js">')
    assert b'<script src="./assets/index-abc123.js">' == get(folder, "/battle").content
    assert b'<script src="/assets/index-abc123.js">' == get(folder, "/live/abc").content


@pytest.mark.parametrize("taken", ["identity", "gzip;q=0", "br, gzip ; q=0.00, deflate", "notgzip"])
def test_a_client_that_cannot_unpack_gets_the_file_as_it_is(folder: Path, taken: str) -> None:
    answer = get(folder, "/assets/index-abc123.js", **{"Accept-Encoding": taken})
    assert "Content-Encoding" not in answer.headers
    assert answer.content == SCRIPT


@pytest.mark.parametrize("taken", ["GZIP", "br;q=0, gzip;q=0.5", "gzip;q=0.01, *;q=0"])
def test_a_client_may_say_in_many_ways_that_it_can_unpack(folder: Path, taken: str) -> None:
    answer = get(folder, "/assets/index-abc123.js", **{"Accept-Encoding": taken})
    assert answer.headers["Content-Encoding"] == "gzip"


def test_a_file_that_would_not_be_smaller_is_not_compressed(folder: Path) -> None:
    answer = get(folder, "/icon.svg")
    assert "Content-Encoding" not in answer.headers
    assert answer.content == b"<svg/>"


def test_a_file_that_has_not_changed_is_not_sent_again(folder: Path) -> None:
    tag = get(folder, "/").headers["ETag"]
    again = get(folder, "/", **{"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert get(folder, "/", **{"If-None-Match": '"another"'}).status_code == 200


def test_only_the_head_of_a_file_may_be_asked_for(folder: Path) -> None:
    answer = get(folder, "/", "HEAD")
    assert (answer.status_code, answer.content) == (200, b"")


@pytest.mark.parametrize("path", ["/nowhere", "/assets", "/assets/index-abc123.js.gz", "/../pages.py", "/battle/x"])
def test_there_is_nothing_else(folder: Path, path: str) -> None:
    assert get(folder, path).status_code == 404


def test_a_page_that_was_not_built_says_so_and_what_works(tmp_path: Path) -> None:
    answer = get(tmp_path / "missing", "/")
    assert answer.status_code == 200
    assert "make run" in answer.text
    assert 'href="/docs"' in answer.text


def test_a_large_file_is_sent_piece_by_piece_for_those_who_read_slowly() -> None:
    content = bytes(range(256)) * 5_000
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        await asyncio.Event().wait()
        raise AssertionError

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "headers": []}
    asyncio.run(pages.file(content, "a.wasm").response(Request(scope))(scope, receive, send))
    bodies = [message["body"] for message in sent[1:]]
    assert (b"content-length", str(len(content)).encode()) in sent[0]["headers"]
    assert content == b"".join(bodies)
    assert max(map(len, bodies)) <= pages.PIECE < len(content)
