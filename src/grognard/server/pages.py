"""The files of the web page, each in memory as it is and compressed."""

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

RELATIVE = b"./"
VIEWS = {"/": RELATIVE, "/battle": RELATIVE, "/live/{rest:path}": b"/"}
"""The addresses of the page, each with the prefix for the paths of its files."""
COMPRESSED = (".gz", ".png", ".zip")
"""The suffixes of files that are compressed already."""
HASHED = "assets/"
"""The folder of the files with a hash of their content in their names."""
PIECE = 256 * 1024
"""How many bytes of a large file are sent at once, which bounds the memory for a client that reads slowly."""
CACHE_FOREVER = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
"""A browser may cache the file, but asks each time whether it has changed."""

GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", re.IGNORECASE)

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
    """A file with its HTTP headers."""

    content: bytes
    compressed: bytes
    media_type: str
    caching: str
    tag: str

    def response(self, request: Request) -> Response:
        """A response with the file, or the status 304 if the client has it already."""
        headers = {"Cache-Control": self.caching, "ETag": self.tag, "Vary": "Accept-Encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        content = self.content
        if accepts_gzip(request) and len(self.compressed) < len(content):
            content, headers["Content-Encoding"] = self.compressed, "gzip"
        if len(content) <= PIECE:
            return Response(content, headers=headers, media_type=self.media_type)
        headers["Content-Length"] = str(len(content))
        return StreamingResponse(_pieces(content), headers=headers, media_type=self.media_type)


def accepts_gzip(request: Request) -> bool:
    """Whether a client accepts gzip, with a weight above zero."""
    return GZIP.search(request.headers.get("accept-encoding", "")) is not None


async def _pieces(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), PIECE):
        yield content[start : start + PIECE]


def file(content: bytes, name: str) -> File:
    """A file with this content. Its media type and its caching follow from its name."""
    media_type = mimetypes.guess_type(name)[0] or "application/octet-stream"
    caching = CACHE_FOREVER if name.startswith(HASHED) else REVALIDATE
    compressed = content if name.endswith(COMPRESSED) else gzip.compress(content, mtime=0)
    return File(content, compressed, media_type, caching, f'"{sha256(content).hexdigest()[:32]}"')


def load_files(folder: Path = site.BUILT) -> dict[str, File]:
    """Every file of the page by its path; none if the page has not been built."""
    if not (folder / INDEX).exists():
        return {}
    return {name: file(content, name) for name, content in site.files(folder, alone=False).items()}


def router(files: dict[str, File]) -> APIRouter:
    """The routes of the page and of its files."""
    page = APIRouter(include_in_schema=False)
    index = files.get(INDEX) or file(NOT_BUILT.encode(), INDEX)

    for address, prefix in VIEWS.items():
        page.add_api_route(address, _handler(_with_prefix(index, prefix)), methods=["GET", "HEAD"])
    for path, content in files.items():
        page.add_api_route(f"/{path}", _handler(content), methods=["GET", "HEAD"])
    return page


def _with_prefix(index: File, prefix: bytes) -> File:
    """The page with this prefix instead of `./` in the paths of its files."""
    return file(index.content.replace(b'"./', b'"' + prefix), INDEX) if prefix != RELATIVE else index


def _handler(content: File) -> Callable[[Request], Awaitable[Response]]:
    async def handle(request: Request) -> Response:
        return content.response(request)

    return handle
