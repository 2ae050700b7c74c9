"""The page: files that were built into the package, kept in memory, each as it is and compressed."""

import gzip
import mimetypes
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from grognard import site
from grognard.site import INDEX

BESIDE = b"./"
VIEWS = {"/": BESIDE, "/battle": BESIDE, "/live/{rest:path}": b"/"}
"""The addresses at which the page itself is served, each with the prefix of its files' paths."""
PACKED = (".gz", ".png", ".zip")
"""Files that do not get smaller."""
HASHED = "assets/"
"""Files whose names change with their content."""
PIECE = 256 * 1024
"""The bytes that are sent at once: only these are held for each of those who read slowly."""
FOR_EVER = "public, max-age=31536000, immutable"
EACH_TIME = "no-cache"
"""A browser may keep it, but asks each time whether it has changed."""

_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.IGNORECASE)

NOT_BUILT = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>grognard</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/docs.css"></head>
<body><main><h1>grognard</h1>
<p>The server runs, but the page has not been built. In the source tree, <code>make run</code> builds it.</p>
<p>The API works all the same: see its <a href="/docs">documentation</a>.</p>
</main></body></html>
"""


@dataclass(frozen=True, slots=True)
class File:
    """A file as it is sent."""

    content: bytes
    packed: bytes
    media_type: str
    caching: str
    tag: str

    def response(self, request: Request) -> Response:
        """The file, or that it has not changed."""
        headers = {"Cache-Control": self.caching, "ETag": self.tag, "Vary": "Accept-Encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        content = self.content
        if takes_gzip(request) and len(self.packed) < len(content):
            content, headers["Content-Encoding"] = self.packed, "gzip"
        if len(content) <= PIECE:
            return Response(content, headers=headers, media_type=self.media_type)
        headers["Content-Length"] = str(len(content))
        return StreamingResponse(_pieces(content), headers=headers, media_type=self.media_type)


def takes_gzip(request: Request) -> bool:
    """Whether a client can unpack what is compressed: it says so, and not with a weight of zero."""
    return _GZIP.search(request.headers.get("accept-encoding", "")) is not None


async def _pieces(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), PIECE):
        yield content[start : start + PIECE]


def file(content: bytes, name: str) -> File:
    """A file with this content; its name says what kind it is and how long it stays the same."""
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    caching = FOR_EVER if name.startswith(HASHED) else EACH_TIME
    packed = content if name.endswith(PACKED) else gzip.compress(content, mtime=0)
    return File(content, packed, media_type, caching, f'"{sha256(content).hexdigest()[:32]}"')


def built(folder: Path = site.BUILT) -> dict[str, File]:
    """Every file of the page, by its path; none if it was not built."""
    if not (folder / INDEX).exists():
        return {}
    return {name: file(content, name) for name, content in site.files(folder, alone=False).items()}


def router(files: dict[str, File]) -> APIRouter:
    """The page at its addresses, and every file of it at its own."""
    page = APIRouter(include_in_schema=False)
    index = files.get(INDEX) or file(NOT_BUILT.encode(), INDEX)

    for address, prefix in VIEWS.items():
        page.add_api_route(address, _sending(_with_file_paths(index, prefix)), methods=["GET", "HEAD"])
    for path, content in files.items():
        page.add_api_route(f"/{path}", _sending(content), methods=["GET", "HEAD"])
    return page


def _with_file_paths(index: File, prefix: bytes) -> File:
    """The page, with this prefix in the place of `./` before the paths of its files."""
    return file(index.content.replace(b'"./', b'"' + prefix), INDEX) if prefix != BESIDE else index


def _sending(content: File) -> Callable[[Request], Awaitable[Response]]:
    async def send(request: Request) -> Response:
        return content.response(request)

    return send
